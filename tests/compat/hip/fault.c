// SPDX-License-Identifier: Apache-2.0
// Functions that fail because TARN_FAIL names them: the code, the last error, and no effect.
#include <stdlib.h>

#include "support/work.h"

static void each_call_counts(void **state) {
    void *first = NULL, *second = &first;
    (void)state;
    assert_hip_ok(hipMalloc(&first, 4096));
    assert_hip(hipMalloc(&second, 4096), hipErrorOutOfMemory); // call 2
    assert_ptr_equal(second, &first);
    assert_hip(hipGetLastError(), hipErrorOutOfMemory);
    assert_hip_ok(hipMalloc(&second, 4096));
    assert_hip_ok(hipFree(second));
    assert_hip_ok(hipFree(first));
}

static void codes_have_names_and_numbers(void **state) {
    hipStream_t stream = NULL;
    int device = 7;
    (void)state;
    assert_hip(hipStreamCreate(&stream), hipErrorIllegalAddress);
    assert_hip(hipGetDevice(&device), (hipError_t)719);
    assert_hip(hipGetLastError(), hipErrorLaunchFailure);
    assert_int_equal(device, 7);
    assert_hip(hipSetDevice(0), hipErrorNotSupported); // from a status of Tarn
}

static void a_wrong_code_is_an_error_that_names_it(void **state) {
    (void)state;
    assert_hip(hipDeviceSynchronize(), hipErrorUnknown);
    assert_string_equal(hipExtGetLastErrorText(),
                        "environment variable TARN_FAIL: \"as=hipErrorNoSuch\": "
                        "hipDeviceSynchronize has no such error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_counts),
        cmocka_unit_test(codes_have_names_and_numbers),
        cmocka_unit_test(a_wrong_code_is_an_error_that_names_it),
    };
    (void)setenv("TARN_FAIL",
                 "hipMalloc:2;hipStreamCreate:1:as=hipErrorIllegalAddress;hipGetDevice:1:as=719;"
                 "hipSetDevice:1:as=UNSUPPORTED;hipDeviceSynchronize:1:as=hipErrorNoSuch",
                 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
