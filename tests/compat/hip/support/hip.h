// SPDX-License-Identifier: Apache-2.0
// What the tests of the HIP face share. They are written as a user of HIP would write them: HIP's
// headers, no word of Tarn but what the face adds by itself.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <cmocka.h> // says nothing of C++ itself

// The call answered that error; if not, the test fails and shows both, and the reason.
void hip_assert_error(hipError_t got, hipError_t want, const char *expression, const char *file,
                      int line);
#define assert_hip(call, want) hip_assert_error((call), (want), #call, __FILE__, __LINE__)
#define assert_hip_ok(call)    assert_hip(call, hipSuccess)

// Runs body(arg) in a child process that has made no call of HIP before, with the environment
// variables `name` and `value` pairs up to a NULL set (value NULL: unset). The test fails if the
// child does. Not to be called once this process itself has called HIP, unless that is the point.
void hip_in_child(void (*body)(void *arg), void *arg, ...) __attribute__((sentinel));

// cmocka group setup: makes the device small and known (2 devices of 1 GiB) and puts away what the
// environment says otherwise. Must run before the first call of HIP.
int hip_group_setup(void **state);

#ifdef __cplusplus
}
#endif
