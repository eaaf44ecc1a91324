// SPDX-License-Identifier: Apache-2.0
// See cuda.h.
#include "support/cuda.h"

#include <stdio.h>

#include "support/child.h"

// A child of a process with threads may have threads of its own, whatever ThreadSanitizer expects.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

static void fail_with(const char *name, int got, int want, const char *expression, const char *file,
                      int line) {
    print_error("%s\n  gave %s (%d)\n  expected %d\n", expression, name, got, want);
    _fail(file, line);
}

void cuda_assert_driver(CUresult got, int want, const char *expression, const char *file,
                        int line) {
    const char *name = NULL;
    if ((int)got == want) return;
    (void)cuGetErrorName(got, &name);
    fail_with(name != NULL ? name : "an unknown error", (int)got, want, expression, file, line);
}

void cuda_assert_runtime(cudaError_t got, int want, const char *expression, const char *file,
                         int line) {
    if ((int)got != want) fail_with(cudaGetErrorName(got), (int)got, want, expression, file, line);
}

void cuda_begin(void) {
    assert_cu_ok(cuInit(0));
    assert_cuda_ok(cudaSetDevice(0));
}

int cuda_last_device(void) {
    int count = 0;
    assert_cuda_ok(cudaGetDeviceCount(&count));
    return count - 1;
}

size_t cuda_free_bytes(void) {
    size_t left = 0;
    size_t all = 0;
    assert_cu_ok(cuMemGetInfo(&left, &all));
    return left;
}

void cuda_in_child(void (*body)(void *arg), void *arg, ...) {
    va_list pairs;
    va_start(pairs, arg);
    child_run(body, arg, pairs);
    va_end(pairs);
}

int cuda_group_setup(void **state) {
    static const char *const foreign[] = {"CUDA_VISIBLE_DEVICES", "TARN_CUDA_LOG", "TARN_HOST"};
    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (unsetenv(foreign[i]) != 0) return -1;
    return setenv("TARN_CUDA_DEVICE", "host:0,devices=2,memory=1G", 1);
}

// 95. cmocka's result does not count a teardown that fails.
int cuda_group_end(void **state) {
    size_t left = 0, all = 0;
    int count = 0;
    (void)state;
    assert_cuda_ok(cudaGetDeviceCount(&count));
    for (int i = 0; i < count; i++) {
        cudaMemPool_t pool = NULL;
        assert_cuda_ok(cudaSetDevice(i));
        assert_cuda_ok(cudaDeviceSynchronize());
        assert_cuda_ok(cudaDeviceGetDefaultMemPool(&pool, i));
        assert_cuda_ok(cudaMemPoolTrimTo(pool, 0));
        assert_cuda_ok(cudaDeviceGraphMemTrim(i));
        assert_cuda_ok(cudaMemGetInfo(&left, &all));
        if (left == all) continue;
        (void)fprintf(stderr, "device %d: %zu of %zu bytes are free\n", i, left, all);
        exit(1);
    }
    return 0;
}
