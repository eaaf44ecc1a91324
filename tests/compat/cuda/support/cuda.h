// SPDX-License-Identifier: Apache-2.0
// Helpers of the tests of the CUDA face. The tests use CUDA's headers, as a program of a user does, and
// no function of Tarn except those that the face adds.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <cmocka.h> // says nothing of C++ itself

// The granularity of virtual memory.
#define G ((size_t)2 << 20)

// The call answered that error; if not, the test fails and shows both. The first is for functions of
// the driver, the second for those of the runtime API.
void cuda_assert_driver(CUresult got, int want, const char *expression, const char *file, int line);
void cuda_assert_runtime(cudaError_t got, int want, const char *expression, const char *file,
                         int line);
#define assert_cu(call, want)   cuda_assert_driver((call), (want), #call, __FILE__, __LINE__)
#define assert_cuda(call, want) cuda_assert_runtime((call), (want), #call, __FILE__, __LINE__)
#define assert_cu_ok(call)      assert_cu(call, 0)
#define assert_cuda_ok(call)    assert_cuda(call, 0)

// Initialises CUDA and makes the primary context of device 0 current.
void cuda_begin(void);

// The ordinal of the last device. Machines have at least one; a test that needs two skips itself.
int cuda_last_device(void);

// Free bytes of the current device.
size_t cuda_free_bytes(void);

// Runs body(arg) in a child process that has made no call of CUDA before, with the environment
// variables `name` and `value` pairs up to a NULL set (value NULL: unset).
void cuda_in_child(void (*body)(void *arg), void *arg, ...) __attribute__((sentinel));

// cmocka group setup: makes the device small and known (2 devices of 1 GiB) and puts away what the
// environment says otherwise. Must run before the first call of CUDA.
int cuda_group_setup(void **state);

// cmocka group teardown: ends the program with an error if memory of a device is not free again.
int cuda_group_end(void **state);

#ifdef __cplusplus
}
#endif
