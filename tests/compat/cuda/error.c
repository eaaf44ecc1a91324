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

static const struct row {
    int number;
    const char *driver, *runtime, *text;
} rows[] = {
#include "support/errors.txt"
};

static void each_error_has_the_names_and_the_text_of_the_libraries(void **state) {
    const struct row *row = rows, *end = rows + sizeof rows / sizeof *rows;
    (void)state;
    for (int i = -2; i < 1100; i++) {
        const struct row none = {.number = i}, *now = row < end && row->number == i ? row++ : &none;
        const char *name = "", *text = "";
        int wanted = now->driver != NULL ? 0 : 1;
        assert_cu(cuGetErrorName((CUresult)i, &name), wanted);
        assert_cu(cuGetErrorString((CUresult)i, &text), wanted);
        if (wanted == 0) assert_string_equal(name, now->driver);
        if (wanted == 0) assert_string_equal(text, now->text);
        name = now->runtime != NULL ? now->runtime : "unrecognized error code";
        assert_string_equal(cudaGetErrorName((cudaError_t)i), name);
        text = now->runtime != NULL ? now->text : name;
        assert_string_equal(cudaGetErrorString((cudaError_t)i), text);
    }
    assert_true(row == end);
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
        cmocka_unit_test(each_error_has_the_names_and_the_text_of_the_libraries),
        cmocka_unit_test(an_error_stays_until_it_is_read),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
