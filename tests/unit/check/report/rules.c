// SPDX-License-Identifier: Apache-2.0
// Claims about the lines of a file of suppressions. tests/check has programs that use such files.
#include "check/report/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct tn_check_rule rule;

static void assert_rule(const char *line, const char *kind, const char *function,
                        const char *domain) {
    if (!tn_check_rule_parse(line, &rule)) fail_msg("\"%s\" is a rule", line);
    assert_string_equal(rule.kind, kind);
    assert_string_equal(rule.function, function);
    assert_string_equal(rule.domain, domain);
}

static void assert_no_rule(const char *line) {
    if (tn_check_rule_parse(line, &rule)) fail_msg("\"%s\" is no rule", line);
}

static void a_rule_is_a_kind_a_function_and_a_domain(void **state) {
    (void)state;
    assert_rule("leak:main", "leak", "main", "");
    assert_rule("leak:main:caching\n", "leak", "main", "caching");
    assert_rule("*:*:*", "*", "*", "*");
    assert_rule("leak*:make_?", "leak*", "make_?", "");
}

static void blanks_and_comments_around_a_rule_do_not_count(void **state) {
    (void)state;
    assert_rule("  leak:main  # on purpose\n", "leak", "main", "");
    assert_rule("\t leak :main", "leak", "main", "");
    assert_rule("leak:main:caching \t\n", "leak", "main", "caching");
}

static void an_empty_line_suppresses_nothing(void **state) {
    (void)state;
    static const char *const lines[] = {"", "\n", "   \n", "# leak:main", "  # leak:main\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) assert_rule(lines[i], "", "", "");
}

static void the_colons_of_a_name_in_cpp_belong_to_the_function(void **state) {
    (void)state;
    assert_rule("leak:c10::Allocator", "leak", "c10::Allocator", "");
    assert_rule("leak:c10::Allocator:caching", "leak", "c10::Allocator", "caching");
}

static void a_line_that_would_suppress_nothing_is_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "leak", "leak:", "leak: ", ":main", "leek:main", "le?:main"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) assert_no_rule(lines[i]);
}

static void a_part_that_is_too_long_is_refused(void **state) {
    (void)state;
    char line[700] = "leak:";
    for (size_t i = 5; i < 5 + sizeof rule.function - 1; i++) line[i] = 'f';
    assert_true(tn_check_rule_parse(line, &rule));
    line[5 + sizeof rule.function - 1] = 'f';
    assert_no_rule(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_is_a_kind_a_function_and_a_domain),
        cmocka_unit_test(blanks_and_comments_around_a_rule_do_not_count),
        cmocka_unit_test(an_empty_line_suppresses_nothing),
        cmocka_unit_test(the_colons_of_a_name_in_cpp_belong_to_the_function),
        cmocka_unit_test(a_line_that_would_suppress_nothing_is_refused),
        cmocka_unit_test(a_part_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
