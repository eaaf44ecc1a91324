// SPDX-License-Identifier: Apache-2.0
// Short files are read whole, cut at the size of the buffer, and always terminated.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_file.h"

static void a_number_of_the_kernel_is_read_with_all_its_digits(void **state) {
    char text[32];
    char again[32];
    (void)state;
    assert_true(tn_text_file_read("/proc/sys/kernel/pid_max", text, sizeof text));
    (void)snprintf(again, sizeof again, "%ld\n", strtol(text, NULL, 10));
    assert_string_equal(text, again);
}

static void a_longer_file_is_cut(void **state) {
    char text[4] = "abc";
    (void)state;
    assert_true(tn_text_file_read("/proc/self/status", text, sizeof text));
    assert_string_equal(text, "Nam");
    assert_true(tn_text_file_read("/dev/null", text, sizeof text));
    assert_string_equal(text, "");
}

static void an_unreadable_file_leaves_an_empty_text_and_the_reason(void **state) {
    char text[4] = "abc";
    (void)state;
    assert_false(tn_text_file_read("/proc/no/such", text, sizeof text));
    assert_int_equal(errno, ENOENT);
    assert_string_equal(text, "");
    assert_false(tn_text_file_read("/proc", text, sizeof text));
    assert_int_equal(errno, EISDIR);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_of_the_kernel_is_read_with_all_its_digits),
        cmocka_unit_test(a_longer_file_is_cut),
        cmocka_unit_test(an_unreadable_file_leaves_an_empty_text_and_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
