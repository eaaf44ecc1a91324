// SPDX-License-Identifier: Apache-2.0
// The options of the checker, and the table of kinds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "check/options.h"
#include "check/report/kinds.h"

static struct tn_check_options options;
static char error[768];

static void expect_good(const char *text) {
    if (!tn_check_options_parse(text, &options, error, sizeof error))
        fail_msg("\"%s\" was refused: %s", text, error);
}

// The error must name what is wrong, and nothing may change.
static void expect_bad(const char *text, const char *named) {
    struct tn_check_options before = options;
    assert_false(tn_check_options_parse(text, &options, error, sizeof error));
    assert_non_null(strstr(error, named));
    assert_memory_equal(&before, &options, sizeof before);
}

static void an_empty_text_leaves_the_defaults(void **state) {
    (void)state;
    expect_good("");
    assert_int_equal(options.exitcode, 77);
    assert_int_equal(options.leaks, TN_CHECK_LEAKS_EXIT);
    assert_int_equal(options.asan, -1);
    assert_int_equal(options.max_reports, 1);
    assert_int_equal(options.stack_depth, 16);
    assert_true(options.order && options.resources && options.uninitialised);
    assert_false(options.halt_on_error || options.after_heap_poison);
    assert_int_equal(options.overlap, TN_CHECK_OVERLAP_ERROR);
    assert_true(options.placement);
    assert_string_equal(options.rounded_domains, "atb");
    assert_non_null(strstr(options.quirk_domains, "ptaCaching"));
}

static void each_default_of_the_list_is_a_good_value(void **state) {
    (void)state;
    for (const struct tn_check_option *one = tn_check_option_list(); one->key != NULL; one++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s=%s", one->key, one->fallback);
        expect_good(text);
        assert_true(one->help[0] != '\0' && one->takes[0] != '\0');
    }
}

static void values_of_every_kind_are_read(void **state) {
    (void)state;
    expect_good("halt_on_error=1:exitcode=3:log_path=a/%p.txt:leaks=step:overlap=warn:canary=32:"
                "asan=0:valgrind=1:host_ranges=auto:after_heap=poison::json=-");
    assert_true(options.halt_on_error && options.after_heap_poison);
    assert_int_equal(options.overlap, TN_CHECK_OVERLAP_WARN);
    assert_true(options.host_ranges);
    assert_int_equal(options.exitcode, 3);
    assert_string_equal(options.log_path, "a/%p.txt");
    assert_string_equal(options.json_path, "-");
    assert_int_equal(options.leaks, TN_CHECK_LEAKS_STEP);
    assert_int_equal(options.canary, 32);
    assert_int_equal(options.asan, 0);
    assert_int_equal(options.valgrind, 1);
}

static void a_backslash_keeps_a_colon_in_a_value(void **state) {
    (void)state;
    expect_good("log_path=a\\:b\\\\c:exitcode=1");
    assert_string_equal(options.log_path, "a:b\\c");
    assert_int_equal(options.exitcode, 1);
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    expect_good("exitcode=9");
    expect_bad("leeks=1", "leeks");
    expect_bad("leaks", "leaks");
    expect_bad("leaks=2", "0|1|step");
    expect_bad("exitcode=256", "256");
    expect_bad("canary=-1", "-1");
    expect_bad("canary=1x", "1x");
    expect_bad("canary=", "canary");
    expect_bad("order=yes", "yes");
    expect_bad("exitcode=1:overlap=maybe", "maybe");
}

static void a_value_too_long_is_refused(void **state) {
    (void)state;
    char text[700] = "log_path=";
    memset(text + 9, 'a', 600);
    expect_good("");
    expect_bad(text, "log_path");
    memset(text + 9, 'a', sizeof text - 10);
    expect_bad(text, "longer");
}

static void kinds_are_found_by_their_names(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < TN_CHECK_KIND_COUNT; kind++) {
        const struct tn_check_kind_text *text = &tn_check_kind_texts[kind];
        assert_int_equal(tn_check_kind_find(text->name), kind);
        assert_true(text->meaning[0] != '\0' && text->example[0] != '\0' && text->cure[0] != '\0');
    }
    assert_int_equal(tn_check_kind_find("heap-overflow"), TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_int_equal(tn_check_kind_find("heap"), TN_CHECK_KIND_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_leaves_the_defaults),
        cmocka_unit_test(each_default_of_the_list_is_a_good_value),
        cmocka_unit_test(values_of_every_kind_are_read),
        cmocka_unit_test(a_backslash_keeps_a_colon_in_a_value),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_value_too_long_is_refused),
        cmocka_unit_test(kinds_are_found_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
