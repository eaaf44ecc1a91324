// SPDX-License-Identifier: Apache-2.0
// Names and texts of errors, and the last error of the runtime API.
#include "support/cuda.h"

// 21
static void an_unknown_number_has_no_text(void **state) {
    const char *text = "before";
    (void)state;
    assert_cu(cuGetErrorString((CUresult)12345, &text), 1);
    assert_null(text);
    text = "before";
    assert_cu(cuGetErrorName((CUresult)12345, &text), 1);
    assert_null(text);
    assert_cu(cuGetErrorName(CUDA_SUCCESS, NULL), 1);
    assert_string_equal(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
    assert_string_equal(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
}

static void both_apis_name_a_number(void **state) {
    const char *text = NULL;
    (void)state;
    assert_cu_ok(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "CUDA_ERROR_OUT_OF_MEMORY");
    assert_cu_ok(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    assert_string_equal(text, "invalid argument");
    assert_string_equal(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
    assert_string_equal(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
}

// A program that handles an error must clear it, or a later check finds it.
static void an_error_stays_until_it_is_read(void **state) {
    void *ptr = NULL;
    (void)state;
    cuda_begin();
    assert_cuda(cudaMalloc(&ptr, (size_t)1 << 40), 2);
    assert_cuda_ok(cudaMalloc(&ptr, 64));
    assert_cuda(cudaPeekAtLastError(), 2);
    assert_cuda(cudaGetLastError(), 2);
    assert_cuda_ok(cudaGetLastError());
    assert_cu(cuMemAlloc(&(CUdeviceptr){0}, 0), 1); // the driver keeps none
    assert_cuda_ok(cudaPeekAtLastError());
    assert_cuda_ok(cudaFree(ptr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_number_has_no_text),
        cmocka_unit_test(both_apis_name_a_number),
        cmocka_unit_test(an_error_stays_until_it_is_read),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, NULL);
}
