// SPDX-License-Identifier: Apache-2.0
// hipMemGetAllocationGranularity: one row of checks, and the values.
#include "support/vmm.h"

static void refuses(const hipMemAllocationProp *prop, int option) {
    size_t granularity = 77;
    assert_hip(hipMemGetAllocationGranularity(&granularity, prop,
                                              (hipMemAllocationGranularity_flags)option),
               hipErrorInvalidValue);
    assert_int_equal(granularity, 77);
}

static size_t ask(const hipMemAllocationProp *prop, hipMemAllocationGranularity_flags option) {
    size_t granularity = 0;
    assert_hip_ok(hipMemGetAllocationGranularity(&granularity, prop, option));
    return granularity;
}

static void bad_arguments_are_refused(void **state) {
    hipMemAllocationProp prop = prop_on(0);
    (void)state;
    assert_hip(hipMemGetAllocationGranularity(NULL, &prop, hipMemAllocationGranularityMinimum),
               hipErrorInvalidValue);
    refuses(NULL, 0);
    refuses(&prop, 2);
    refuses(&prop, -1);
    refuses(&prop, 0xff);
    assert_text_names("255");
}

static void properties_that_are_none_are_refused(void **state) {
    static const int types[] = {0, 3, -1, 0x7FFFFFFF};
    static const int locations[] = {0, 5, -1};
    static const int ordinals[] = {-1, 2, 2147483647};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        prop.type = (hipMemAllocationType)types[i];
        refuses(&prop, 0);
    }
    for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        prop.location.type = (hipMemLocationType)locations[i];
        refuses(&prop, 0);
    }
    for (size_t i = 0; i < sizeof ordinals / sizeof ordinals[0]; i++) {
        hipMemAllocationProp prop = prop_on(ordinals[i]);
        refuses(&prop, 0);
    }
}

static void check_values(void *arg) {
    const size_t *want = arg;
    for (int device = 0; device < 2; device++) {
        hipMemAllocationProp prop = prop_on(device);
        assert_int_equal(ask(&prop, hipMemAllocationGranularityMinimum), want[0]);
        assert_int_equal(ask(&prop, hipMemAllocationGranularityRecommended), want[1]);
    }
}

static void pages_are_the_minimum_and_2_mib_is_recommended(void **state) {
    size_t want[] = {4096, 2 << 20};
    (void)state;
    check_values(want);
}

static void the_platform_can_say_otherwise(void **state) {
    size_t want[] = {2 << 20, 2 << 20};
    (void)state;
    hip_in_child(check_values, want, "TARN_HIP_DEVICE", "host:0,devices=2,granularity=2M", NULL);
}

static void only_type_and_location_count(void **state) {
    hipMemAllocationProp prop;
    (void)state;
    memset(&prop, 0xa5, sizeof prop);
    prop.type = hipMemAllocationTypeUncached;
    prop.location.type = hipMemLocationTypeHost;
    assert_int_equal(ask(&prop, hipMemAllocationGranularityMinimum), G);
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeHostNuma;
    assert_int_equal(ask(&prop, hipMemAllocationGranularityRecommended), 2 << 20);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(the_platform_can_say_otherwise),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(properties_that_are_none_are_refused),
        cmocka_unit_test(pages_are_the_minimum_and_2_mib_is_recommended),
        cmocka_unit_test(only_type_and_location_count),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
