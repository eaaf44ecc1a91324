// SPDX-License-Identifier: Apache-2.0
// Claims about variables of the environment: each kind takes its values and nothing else, an empty value
// counts as unset, and a refusal names the variable, its value and what is expected.
#include "base/variable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OTHERWISE = 77 };

static uint64_t value_of(const char *name, const char *text) {
    assert_int_equal(setenv(name, text, 1), 0);
    uint64_t value = tn_variable_value(name, OTHERWISE);
    assert_int_equal(unsetenv(name), 0);
    return value;
}

static void a_word_has_its_index(void **state) {
    (void)state;
    assert_int_equal(value_of("TARN_POOL_FENCE", "0"), 0);
    assert_int_equal(value_of("TARN_POOL_FENCE", "exact"), 2);
    assert_int_equal(value_of("TARN_HIP_BARRIERS", "strict"), 1);
    static const char *const wrong[] = {"x",   "-1",   "2",       "1 ", " 1",
                                        "0x1", "exac", "exactly", "0 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(value_of("TARN_POOL_FENCE", wrong[i]), OTHERWISE);
}

static void a_number_has_a_unit_and_a_range(void **state) {
    (void)state;
    assert_int_equal(value_of("TARN_HIAI_POOL", "1M"), 1 << 20);
    assert_int_equal(value_of("TARN_HIAI_POOL", "1048576"), 1 << 20);
    assert_int_equal(value_of("TARN_HIAI_POOL", "1024K"), 1 << 20);
    assert_int_equal(value_of("TARN_HIAI_POOL", "1024G"), UINT64_C(1) << 40);
    static const char *const wrong[] = {"1023K",
                                        "1025G",
                                        "1m",
                                        "1MB",
                                        "1M ",
                                        "-1",
                                        "+1M",
                                        "0x100000",
                                        "M",
                                        "18446744073709551616",
                                        "18014398509481985K"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(value_of("TARN_HIAI_POOL", wrong[i]), OTHERWISE);
}

static void a_release_has_two_numbers(void **state) {
    (void)state;
    assert_int_equal(value_of("TARN_CUDA_CAPABILITY", "9.0"), 900);
    assert_int_equal(value_of("TARN_CUDA_CAPABILITY", "12.1"), 1201);
    static const char *const wrong[] = {"9",    "9.",    ".0",    "0.9", "9.0.1",
                                        "9.0 ", "100.0", "9.100", "-9.0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(value_of("TARN_CUDA_CAPABILITY", wrong[i]), OTHERWISE);
}

static void a_program_can_be_executed(void **state) {
    (void)state;
    assert_int_equal(value_of("TARN_HIAI_DEVICE_PROGRAM", "none"), 0);
    assert_int_equal(value_of("TARN_HIAI_DEVICE_PROGRAM", "/bin/sh"), 1);
    assert_int_equal(value_of("TARN_HIAI_DEVICE_PROGRAM", "sh"), 1);
    assert_int_equal(value_of("TARN_HIAI_DEVICE_PROGRAM", "/bin/absent"), OTHERWISE);
    assert_int_equal(value_of("TARN_HIAI_DEVICE_PROGRAM", "tarn-absent"), OTHERWISE);
}

static void an_empty_variable_is_unset(void **state) {
    char why[256];
    (void)state;
    assert_int_equal(setenv("TARN_HIP_COMPAT", "", 1), 0);
    assert_null(tn_variable_text("TARN_HIP_COMPAT"));
    assert_int_equal(tn_variable_value("TARN_HIP_COMPAT", OTHERWISE), OTHERWISE);
    assert_true(tn_variables_check("hip", why, sizeof why));
}

static void assert_refused(const char *owner, const char *name, const char *text, const char *why) {
    char got[256] = "";
    assert_int_equal(setenv(name, text, 1), 0);
    assert_false(tn_variables_check(owner, got, sizeof got));
    assert_string_equal(got, why);
    assert_true(tn_variables_check(strcmp(owner, "acl") == 0 ? "hip" : "acl", got, sizeof got));
    assert_int_equal(unsetenv(name), 0);
    assert_true(tn_variables_check(owner, got, sizeof got));
}

static void a_refusal_names_variable_value_and_choice(void **state) {
    (void)state;
    assert_refused("hip", "TARN_HIP_COMPAT", "9",
                   "environment variable TARN_HIP_COMPAT is \"9\" where 6 or 7 is expected");
    assert_refused("", "TARN_POOL_FENCE", "x",
                   "environment variable TARN_POOL_FENCE is \"x\" where 0, 1 or exact is expected");
    assert_refused("acl", "TARN_ACL_MODE", "rc",
                   "environment variable TARN_ACL_MODE is \"rc\" where EP or RC is expected");
    assert_refused(
        "hiai", "TARN_HIAI_DEVICES", "65",
        "environment variable TARN_HIAI_DEVICES is \"65\" where a number from 1 to 64 is expected");
    assert_refused("cuda", "TARN_CUDA_CAPABILITY", "9",
                   "environment variable TARN_CUDA_CAPABILITY is \"9\" where MAJOR.MINOR such as "
                   "9.0 is expected");
}

static void a_name_has_plain_letters(void **state) {
    (void)state;
    static const char *const right[] = {"a", "A.b-c_9", "_", "0"};
    static const char *const wrong[] = {
        "", "-a", ".a", "a/b", "a b", "a\n", "1234567890123456789012345678901234567890123456789"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_true(tn_variable_is_name(right[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(tn_variable_is_name(wrong[i]));
    assert_refused(
        "", "TARN_MACHINE", "a/b",
        "environment variable TARN_MACHINE is \"a/b\" where a name of at most 48 letters, "
        "digits, \".\", \"_\" or \"-\" is expected");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_has_its_index),
        cmocka_unit_test(a_number_has_a_unit_and_a_range),
        cmocka_unit_test(a_release_has_two_numbers),
        cmocka_unit_test(a_program_can_be_executed),
        cmocka_unit_test(a_name_has_plain_letters),
        cmocka_unit_test(an_empty_variable_is_unset),
        cmocka_unit_test(a_refusal_names_variable_value_and_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
