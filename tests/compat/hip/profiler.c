// SPDX-License-Identifier: Apache-2.0
// Functions that profilers, debuggers and old compilers call.
#include <math.h>

#include "support/hip.h"

float __gnu_h2f_ieee(uint16_t half);
uint16_t __gnu_f2h_ieee(float single);

static int trace_never(uint32_t domain, uint32_t operation, void *data) {
    (void)domain;
    (void)operation;
    (void)data;
    fail_msg("a call was traced");
    return 0;
}

static void a_profile_starts_and_stops_without_effect(void **state) {
    void *ptr = NULL;
    (void)state;
    hipRegisterTracerCallback(trace_never);
    assert_hip_ok(hipProfilerStart());
    assert_hip_ok(hipMalloc(&ptr, 1));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipProfilerStop());
    hipRegisterTracerCallback(NULL);
}

static void there_is_no_device(void *arg) {
    (void)arg;
    assert_hip(hipProfilerStart(), hipErrorNoDevice);
    assert_hip(hipProfilerStop(), hipErrorNoDevice);
    assert_string_equal(hipApiName(0), "unknown");
}

static void names_need_no_device(void **state) {
    (void)state;
    hip_in_child(there_is_no_device, NULL, "TARN_HIP_DEVICE", "none", NULL);
}

static void numbers_have_no_names(void **state) {
    (void)state;
    assert_string_equal(hipApiName(7), "unknown");
    assert_string_equal(hipGetCmdName(7), "unknown");
    assert_string_equal(amd_dbgapi_get_build_name(), "tarn");
    assert_string_equal(amd_dbgapi_get_git_hash(), HIP_VERSION_GITHASH);
    assert_int_equal(amd_dbgapi_get_build_id(), HIP_VERSION_BUILD_ID);
}

// The value of a half, by its definition.
static double half_value(uint16_t half) {
    int exponent = half >> 10 & 31;
    int fraction = half & 1023;
    double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : NAN)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(1024 + fraction, exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

static void every_half_is_converted_exactly(void **state) {
    (void)state;
    for (uint32_t half = 0; half < 0x10000; half++) {
        double want = half_value((uint16_t)half);
        float got = __gnu_h2f_ieee((uint16_t)half);
        if (isnan(want)) {
            assert_true(isnan(got) && isnan(__gnu_h2f_ieee(__gnu_f2h_ieee(got))));
            continue;
        }
        assert_true((double)got == want && !signbit(got) == !signbit(want));
        assert_int_equal(__gnu_f2h_ieee(got), half);
    }
}

// The neighbour of a positive number.
static float step(float number, int by) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits += (uint32_t)by;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// Between two neighbours the nearer one is taken, and in the middle the even one.
static void other_numbers_are_rounded_to_nearest(void **state) {
    (void)state;
    for (uint32_t half = 0; half < 0x7bff; half++) {
        double low = half_value((uint16_t)half);
        double high = half_value((uint16_t)(half + 1));
        float middle = (float)((low + high) / 2);
        assert_int_equal(__gnu_f2h_ieee(middle), half + (half & 1));
        assert_int_equal(__gnu_f2h_ieee(-middle), (half + (half & 1)) | 0x8000);
        assert_int_equal(__gnu_f2h_ieee(step(middle, -1)), half);
        assert_int_equal(__gnu_f2h_ieee(step(middle, 1)), half + 1);
    }
    assert_int_equal(__gnu_f2h_ieee(65519.996f), 0x7bff);
    assert_int_equal(__gnu_f2h_ieee(65520), 0x7c00);
    assert_int_equal(__gnu_f2h_ieee(1e30f), 0x7c00);
    assert_int_equal(__gnu_f2h_ieee(-HUGE_VALF), 0xfc00);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_need_no_device), // forks: first
        cmocka_unit_test(a_profile_starts_and_stops_without_effect),
        cmocka_unit_test(numbers_have_no_names),
        cmocka_unit_test(every_half_is_converted_exactly),
        cmocka_unit_test(other_numbers_are_rounded_to_nearest),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
