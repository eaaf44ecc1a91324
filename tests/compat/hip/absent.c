// SPDX-License-Identifier: Apache-2.0
// Functions that are not there say so, by their own names, and do nothing else.
#include "support/hip.h"

static void an_absent_function_names_itself(void **state) {
    size_t offset = 7;
    textureReference texture;
    hipExternalMemory_t memory = (hipExternalMemory_t)&memory;
    hipArray_t array = (hipArray_t)&array;
    (void)state;
    assert_hip(hipBindTexture(&offset, NULL, NULL, NULL, 0), hipErrorNotSupported);
    assert_int_equal(offset, 7);
    assert_non_null(strstr(hipExtGetLastErrorText(), "hipBindTexture"));
    assert_hip(hipImportExternalMemory(&memory, NULL), hipErrorNotSupported);
    assert_ptr_equal(memory, &memory);
    assert_non_null(strstr(hipExtGetLastErrorText(), "hipImportExternalMemory"));
    assert_hip(hipTexRefGetArray(NULL, &texture), hipErrorInvalidValue);
    assert_hip(hipTexRefGetArray(&array, NULL), hipErrorInvalidValue);
    assert_hip(hipTexRefGetArray(&array, &texture), hipErrorNotSupported);
    assert_ptr_equal(array, &array);
    assert_hip(hipSetValidDevices(NULL, 0), hipErrorNotSupported);
    assert_hip(hipGetLastError(), hipErrorNotSupported);
}

static void there_is_no_device(void *arg) {
    (void)arg;
    assert_hip(hipSetValidDevices(NULL, 0), hipErrorNoDevice);
}

static void no_device_comes_first(void **state) {
    (void)state;
    hip_in_child(there_is_no_device, NULL, "TARN_HIP_DEVICE", "none", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_device_comes_first), // forks: first
        cmocka_unit_test(an_absent_function_names_itself),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
