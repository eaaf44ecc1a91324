// SPDX-License-Identifier: Apache-2.0
// Claims about the table of kinds of reports.
#include "check/report/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void each_kind_is_found_by_its_name(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < TN_CHECK_KIND_COUNT; kind++) // a name that occurs twice fails
        assert_int_equal(tn_check_kind_find(tn_check_kind_texts[kind].name), kind);
}

static void other_names_are_no_kind(void **state) {
    (void)state;
    static const char *const names[] = {"", "lea", "leaks", "LEAK", "leak ", "*"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(tn_check_kind_find(names[i]), TN_CHECK_KIND_COUNT);
}

static void each_kind_is_explained(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < TN_CHECK_KIND_COUNT; kind++) {
        const struct tn_check_kind_text *text = &tn_check_kind_texts[kind];
        assert_true(text->meaning[0] != '\0' && text->example[0] != '\0' && text->cure[0] != '\0');
        assert_int_equal(strspn(text->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(text->name));
    }
}

static void severities_have_the_names_of_the_reports(void **state) {
    (void)state;
    assert_string_equal(tn_check_severity_name(TN_CHECK_SEVERITY_ERROR), "ERROR");
    assert_string_equal(tn_check_severity_name(TN_CHECK_SEVERITY_WARN), "WARN");
    assert_string_equal(tn_check_severity_name(TN_CHECK_SEVERITY_NOTE), "NOTE");
    assert_int_equal(tn_check_kind_texts[TN_CHECK_KIND_LEAK].severity, TN_CHECK_SEVERITY_ERROR);
    assert_int_equal(tn_check_kind_texts[TN_CHECK_KIND_STEP_GROWTH].severity,
                     TN_CHECK_SEVERITY_WARN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_found_by_its_name),
        cmocka_unit_test(other_names_are_no_kind),
        cmocka_unit_test(each_kind_is_explained),
        cmocka_unit_test(severities_have_the_names_of_the_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
