// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the AscendCL face. The tests are programs of a user of AscendCL: they
// include its headers and nothing of Tarn.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <acl/acl.h>

#ifdef __cplusplus
extern "C" {
#endif

// Fails the test unless the call returned that code. Prints both codes and the reason.
void acl_assert_code(aclError got, aclError want, const char *expression, const char *file,
                     int line);
#define assert_acl(call, want) acl_assert_code((call), (want), #call, __FILE__, __LINE__)
#define assert_acl_ok(call)    assert_acl(call, 0)

// Runs body(arg) in a child process that has made no call of AscendCL before. The arguments behind
// `arg` are pairs of an environment variable and its value, up to a NULL. A NULL value removes the
// variable.
void acl_in_child(void (*body)(void *arg), void *arg, ...) __attribute__((sentinel));

// Returns the free bytes of the current device, by aclrtGetMemInfo().
size_t acl_free_bytes(void);

// Returns the effective size of the allocation that starts at `ptr`.
size_t acl_effective_bytes(void *ptr);

// cmocka group setup: selects a small device with known properties (2 devices of 1 GiB, strict
// access) and removes all other settings from the environment. Must run before the first call.
int acl_group_setup(void **state);

// cmocka set-up and tear-down of a test that works on device 0.
int acl_use_device(void **state);
int acl_leave_device(void **state);
#define WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, acl_use_device, acl_leave_device)

#ifdef __cplusplus
}
#endif
