// SPDX-License-Identifier: Apache-2.0
// Claims about the live bytes by step in the summary.
#include "check/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char shown[4096]; // the picture
static char numbers[4096];

static int fresh(void **state) {
    (void)state;
    tn_check_growth_reset();
    return 0;
}

static void print_steps(void) {
    struct tn_check_text text = TN_CHECK_TEXT(shown), json = TN_CHECK_TEXT(numbers);
    shown[0] = numbers[0] = '\0';
    tn_check_growth_print(&text, &json);
}

static void assert_contains(const char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("\"%s\" is not in \"%s\"", part, text);
}

static void one_step_has_no_growth_to_show(void **state) {
    (void)state;
    tn_check_growth_step(100);
    print_steps();
    assert_string_equal(shown, "");
    assert_string_equal(numbers, "");
}

static void the_growth_of_a_step_is_that_between_the_first_and_the_last(void **state) {
    (void)state;
    tn_check_growth_step(100);
    tn_check_growth_step(900);
    tn_check_growth_step(300);
    print_steps();
    assert_contains(shown,
                    "3 step(s) end with 100 to 900 live byte(s), +100 byte(s) a step: ▁█▃\n");
    assert_contains(numbers, "\"steps\": 3, \"steps_each\": 1, \"live_bytes\": [100, 900, 300]}");
}

static void steps_of_one_height_are_all_low(void **state) {
    (void)state;
    tn_check_growth_step(7);
    tn_check_growth_step(7);
    print_steps();
    assert_contains(shown, "+0 byte(s) a step: ▁▁\n");
}

// 64 samples are kept. With the 65th step each sample stands for two steps, and holds the later
// one.
static void each_sample_stands_for_more_steps_if_there_are_many(void **state) {
    (void)state;
    char wanted[1024];
    int used =
        snprintf(wanted, sizeof wanted, "\"steps\": 65, \"steps_each\": 2, \"live_bytes\": [");
    for (unsigned step = 0; step < 65; step++) {
        tn_check_growth_step(1000 + step);
        if (step % 2 == 1)
            used += snprintf(wanted + used, sizeof wanted - (size_t)used, "%u, ", 1000 + step);
    }
    (void)snprintf(wanted + used, sizeof wanted - (size_t)used, "1064]}");
    print_steps();
    assert_contains(numbers, wanted);
    assert_contains(shown, "65 step(s) end with 1001 to 1064 live byte(s), +1 byte(s) a step: ");
}

static void a_reset_forgets_all_steps(void **state) {
    (void)state;
    for (unsigned step = 0; step < 200; step++) tn_check_growth_step(step);
    tn_check_growth_reset();
    tn_check_growth_step(5);
    tn_check_growth_step(6);
    print_steps();
    assert_contains(numbers, "\"steps\": 2, \"steps_each\": 1, \"live_bytes\": [5, 6]}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(one_step_has_no_growth_to_show, fresh),
        cmocka_unit_test_setup(the_growth_of_a_step_is_that_between_the_first_and_the_last, fresh),
        cmocka_unit_test_setup(steps_of_one_height_are_all_low, fresh),
        cmocka_unit_test_setup(each_sample_stands_for_more_steps_if_there_are_many, fresh),
        cmocka_unit_test_setup(a_reset_forgets_all_steps, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
