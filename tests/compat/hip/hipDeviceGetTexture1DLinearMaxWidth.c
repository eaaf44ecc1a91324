// SPDX-License-Identifier: Apache-2.0
// The width of a texture over linear memory follows from the device's attribute.
#include "support/hip.h"

static void the_width_is_the_attribute_in_elements(void **state) {
    const hipChannelFormatDesc byte = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindSigned);
    const hipChannelFormatDesc float4 =
        hipCreateChannelDesc(32, 32, 32, 32, hipChannelFormatKindFloat);
    int limit = -1;
    size_t elements = SIZE_MAX;
    (void)state;
    assert_hip_ok(hipDeviceGetAttribute(&limit, hipDeviceAttributeMaxTexture1DLinear, 1));
    assert_hip_ok(hipDeviceGetTexture1DLinearMaxWidth(&elements, &byte, 1));
    assert_int_equal(elements, limit);
    elements = SIZE_MAX;
    assert_hip_ok(hipDeviceGetTexture1DLinearMaxWidth(&elements, &float4, 1));
    assert_int_equal(elements, limit / 16);
}

static void bad_arguments_are_refused(void **state) {
    hipChannelFormatDesc desc = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindSigned);
    size_t elements = 7;
    (void)state;
    assert_hip(hipDeviceGetTexture1DLinearMaxWidth(NULL, &desc, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetTexture1DLinearMaxWidth(&elements, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipDeviceGetTexture1DLinearMaxWidth(&elements, &desc, 2), hipErrorInvalidDevice);
    desc.x = 0;
    assert_hip(hipDeviceGetTexture1DLinearMaxWidth(&elements, &desc, 0), hipErrorInvalidValue);
    assert_int_equal(elements, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_width_is_the_attribute_in_elements),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
