// SPDX-License-Identifier: Apache-2.0
// A thread's last error, and the names and texts of errors.
#include <pthread.h>

#include "support/work.h"

static void success_leaves_the_last_error_alone(void **state) {
    int device = 0;
    (void)state;
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip_ok(hipGetDevice(&device));
    assert_hip(hipPeekAtLastError(), hipErrorInvalidDevice);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
    assert_hip(hipGetLastError(), hipSuccess);
    assert_hip(hipExtGetLastError(), hipSuccess);
}

static void not_ready_is_no_error(void **state) {
    struct gate gate = {0};
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip(hipPeekAtLastError(), hipSuccess);
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void *peek(void *arg) {
    *(hipError_t *)arg = hipPeekAtLastError();
    return NULL;
}

static void last_error_belongs_to_the_thread(void **state) {
    pthread_t thread;
    hipError_t there = hipErrorUnknown;
    (void)state;
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_int_equal(pthread_create(&thread, NULL, peek, &there), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(there, hipSuccess);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
}

static void text_names_the_offending_value(void **state) {
    (void)state;
    assert_hip(hipSetDevice(-4711), hipErrorInvalidDevice);
    assert_non_null(strstr(hipExtGetLastErrorText(), "-4711"));
    (void)hipGetLastError();
}

static void names_and_texts_are_those_of_the_list(void **state) {
    const char *text = NULL;
    (void)state;
    assert_string_equal(hipGetErrorName(hipErrorMemoryAllocation), "hipErrorOutOfMemory");
    assert_string_equal(hipGetErrorName((hipError_t)400), "hipErrorInvalidHandle");
    assert_string_equal(hipGetErrorString(hipSuccess), "no error");
    assert_string_equal(hipGetErrorName((hipError_t)4711), "hipErrorUnknown");
    assert_hip_ok(hipDrvGetErrorName(hipErrorNotReady, &text));
    assert_string_equal(text, "hipErrorNotReady");
    assert_hip_ok(hipDrvGetErrorString(hipErrorUnknown, &text));
    assert_string_equal(text, "unknown error");
    assert_hip(hipDrvGetErrorString((hipError_t)4711, &text), hipErrorInvalidValue);
    assert_null(text);
    assert_hip(hipDrvGetErrorName(hipSuccess, NULL), hipErrorInvalidValue);
    (void)hipGetLastError();
}

static void texts_are_those_of_amd(void **state) {
    static const struct {
        int error;
        const char *text;
    } texts[] = {
        {1, "invalid argument"},
        {3, "initialization error"},
        {9, "invalid configuration argument"},
        {17, "invalid device pointer"},
        {98, "invalid device function"},
        {100, "no ROCm-capable device is detected"},
        {101, "invalid device ordinal"},
        {201, "invalid device context"},
        {205, "mapping of buffer object failed"},
        {215, "limit is not supported on this architecture"},
        {400, "invalid resource handle"},
        {401, "the operation cannot be performed in the present state"},
        {500, "named symbol not found"},
        {600, "device not ready"},
        {709, "context is destroyed"},
        {712, "part or all of the requested memory range is already mapped"},
        {719, "unspecified launch failure"},
        {801, "operation not supported"},
        {900, "operation not permitted when stream is capturing"},
        {906, "operation would make the legacy stream depend on a capturing blocking stream"},
        {999, "unknown error"},
        {4711, "unknown error"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_string_equal(hipGetErrorString((hipError_t)texts[i].error), texts[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_leaves_the_last_error_alone),
        cmocka_unit_test(not_ready_is_no_error),
        cmocka_unit_test(last_error_belongs_to_the_thread),
        cmocka_unit_test(text_names_the_offending_value),
        cmocka_unit_test(names_and_texts_are_those_of_the_list),
        cmocka_unit_test(texts_are_those_of_amd),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
