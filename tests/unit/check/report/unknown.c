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

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(no_reads_add_no_line),
        TEST(reads_are_added_up_and_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
