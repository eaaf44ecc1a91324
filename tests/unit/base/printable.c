// SPDX-License-Identifier: Apache-2.0
// Text with control characters made printable.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/error.h"
#include "base/printable.h"

static void assert_copy(const char *text, const char *wanted) {
    char copy[64];
    tn_printable_copy(text, copy, sizeof copy);
    assert_string_equal(copy, wanted);
    assert_int_equal(tn_printable_is(text), strcmp(text, wanted) == 0);
    assert_true(tn_printable_is(copy));
}

static void characters_stay_and_others_are_numbers(void **state) {
    (void)state;
    assert_copy("", "");
    assert_copy("plain \\ text~", "plain \\ text~");
    assert_copy("gr\xc3\xb6\xc3\x9f"
                "e \xe2\x82\xac \xf0\x9f\x98\x80",
                "gr\xc3\xb6\xc3\x9f"
                "e \xe2\x82\xac \xf0\x9f\x98\x80");
    assert_copy("a\033[31m\n\t\r\x7f", "a\\x1b[31m\\x0a\\x09\\x0d\\x7f");
    assert_copy("\xc2\x9b"
                "2J\xc2\xa0",
                "\\xc2\\x9b2J\xc2\xa0");
    assert_copy("\xff\xc3", "\\xff\\xc3");
    assert_copy("\xe2\x82", "\\xe2\\x82");
    assert_copy("\x9b", "\\x9b");
}

static void a_copy_ends_with_a_whole_character(void **state) {
    char copy[8];
    (void)state;
    tn_printable_copy("12345\xe2\x82\xac", copy, 8);
    assert_string_equal(copy, "12345");
    tn_printable_copy("1234\xe2\x82\xac", copy, 8);
    assert_string_equal(copy, "1234\xe2\x82\xac");
    tn_printable_copy("1234\033", copy, 8);
    assert_string_equal(copy, "1234");
    tn_printable_copy("1", copy, 1);
    assert_string_equal(copy, "");
}

static void the_last_error_is_printable(void **state) {
    tarn_error error;
    (void)state;
    assert_int_equal(tn_fail(TARN_SYSTEM, "%s: cannot open", "a\nb\033c"), TARN_SYSTEM);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, "a\\x0ab\\x1bc: cannot open");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_stay_and_others_are_numbers),
        cmocka_unit_test(a_copy_ends_with_a_whole_character),
        cmocka_unit_test(the_last_error_is_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
