// SPDX-License-Identifier: Apache-2.0
// The number of reads of unknown memory, in the summary.
#include "unit/check/world.h"

#include "check/report/report.h"

static void no_reads_add_no_line(void **state) {
    (void)state;
    char words[256] = "";
    char object[256] = "";
    struct tn_check_text text = TN_CHECK_TEXT(words), json = TN_CHECK_TEXT(object);
    tn_check_unknown_print(&text, &json);
    assert_int_equal(text.used + json.used, 0);
}

static void reads_are_added_up_and_forgotten(void **state) {
    (void)state;
    char words[256] = "";
    char object[256] = "";
    struct tn_check_text text = TN_CHECK_TEXT(words), json = TN_CHECK_TEXT(object);
    tn_check_unknown_add(2);
    tn_check_unknown_add(1);
    tn_check_unknown_print(&text, &json);
    assert_non_null(strstr(words, "NOT KNOWN: 3 read(s)"));
    assert_non_null(strstr(object, "\"unknown_reads\": 3}"));
    reset();
    text.used = json.used = 0;
    tn_check_unknown_print(&text, &json);
    assert_int_equal(text.used + json.used, 0);
}

static void work_is_named_as_far_as_there_is_any(void **state) {
    (void)state;
    char words[256] = "";
    char object[256] = "";
    struct tn_check_text text = TN_CHECK_TEXT(words), json = TN_CHECK_TEXT(object);
    tn_check_unknown_set_work(&(struct tn_check_unlooked){.launches = 3, .host = true});
    tn_check_unknown_print(&text, &json);
    assert_non_null(strstr(words, "NOT LOOKED AT: 3 launch(es) of kernels, loads and stores of "
                                  "the host (see --kernel-races)\n"));
    assert_non_null(strstr(object, "\"not_looked_at\": {\"launches\": 3, "));
    assert_non_null(strstr(object, "\"host\": true}}"));
    text.used = json.used = 0;
    tn_check_unknown_set_work(&(struct tn_check_unlooked){.too_large = 1, .processes = 2});
    tn_check_unknown_print(&text, &json);
    assert_non_null(strstr(words, "NOT LOOKED AT: 1 launch(es) with too many accesses; work of "
                                  "other processes, behind 2 wait(s)\n"));
    reset();
    text.used = json.used = 0;
    tn_check_unknown_print(&text, &json);
    assert_int_equal(text.used + json.used, 0);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(no_reads_add_no_line),
        TEST(reads_are_added_up_and_forgotten),
        TEST(work_is_named_as_far_as_there_is_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
