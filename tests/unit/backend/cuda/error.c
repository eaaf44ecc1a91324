// SPDX-License-Identifier: Apache-2.0
// What the driver's results become: one status for each, with the driver's own code, name and call.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

#include "backend/cuda/api.h"

static void only_success_is_ok(void **state) {
    (void)state;
    assert_int_equal(tn_cuda_status(CUDA_SUCCESS), TARN_OK);
    for (int64_t code = -10; code < 1100; code++)
        if (code != CUDA_SUCCESS && tn_cuda_status(code) == TARN_OK)
            fail_msg("%lld is told as success", (long long)code);
    assert_int_equal(tn_cuda_status(1), TARN_BAD_ARGUMENT);
    assert_int_equal(tn_cuda_status(12345), TARN_NATIVE); // of a driver to come
}

static void exhaustion_absence_and_faults_are_told_apart(void **state) {
    static const struct {
        CUresult code;
        tarn_status status;
    } rows[] = {
        {CUDA_ERROR_OUT_OF_MEMORY, TARN_NO_DEVICE_MEMORY},
        {CUDA_ERROR_TOO_MANY_PEERS, TARN_NO_HANDLES},
        {CUDA_ERROR_NOT_READY, TARN_NOT_READY},
        {CUDA_ERROR_STUB_LIBRARY, TARN_UNSUPPORTED},
        {CUDA_ERROR_NOT_SUPPORTED, TARN_UNSUPPORTED},
        {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, TARN_UNSUPPORTED},
        {CUDA_ERROR_NO_DEVICE, TARN_BAD_DEVICE},
        {CUDA_ERROR_INVALID_DEVICE, TARN_BAD_DEVICE},
        {CUDA_ERROR_INVALID_HANDLE, TARN_BAD_HANDLE},
        {CUDA_ERROR_OPERATING_SYSTEM, TARN_SYSTEM},
        {CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, TARN_BUSY},
        {CUDA_ERROR_ILLEGAL_ADDRESS, TARN_DEVICE_FAILED},
        {CUDA_ERROR_ECC_UNCORRECTABLE, TARN_DEVICE_FAILED},
        {CUDA_ERROR_LAUNCH_FAILED, TARN_DEVICE_FAILED},
        {CUDA_ERROR_CONTEXT_IS_DESTROYED, TARN_DEVICE_FAILED},
        {CUDA_ERROR_UNKNOWN, TARN_NATIVE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (tn_cuda_status(rows[i].code) != rows[i].status)
            fail_msg("%d is %s", rows[i].code, tarn_status_name(tn_cuda_status(rows[i].code)));
}

static void a_refusal_keeps_the_drivers_code_name_and_call(void **state) {
    char path[512];
    tarn_device *device = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_phys phys = 7;
    tarn_error error;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/cuda/libcuda.so.1", getenv("STANDIN"));
    assert_int_equal(setenv("TARN_CUDA_LIBRARY", path, 1), 0);
    assert_int_equal(tarn_device_open("cuda:0", &device), TARN_OK);
    assert_int_equal(tarn_device_query(device, &info), TARN_OK);
    assert_int_equal(tarn_phys_create(device, info.memory_bytes * 2, NULL, &phys),
                     TARN_NO_DEVICE_MEMORY);
    assert_int_equal(phys, 7);
    assert_int_equal(tarn_last_error(&error), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(error.native_code, CUDA_ERROR_OUT_OF_MEMORY);
    assert_string_equal(error.call, "cuMemCreate");
    assert_non_null(strstr(error.message, "CUDA_ERROR_OUT_OF_MEMORY (2)"));
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_success_is_ok),
        cmocka_unit_test(exhaustion_absence_and_faults_are_told_apart),
        cmocka_unit_test(a_refusal_keeps_the_drivers_code_name_and_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
