// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the stand-in, which is linked and used like the driver.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "standin/cuda/exports.h"

#define assert_cu(call, want) assert_int_equal((call), (want))
#define assert_good(call)     assert_int_equal((call), TN_CU_SUCCESS)

static inline tn_cu_address address_of(const void *ptr) { return (tn_cu_address)(uintptr_t)ptr; }

// Each test has the primary contexts of two devices; that of the first is current.
struct scene {
    tn_cu_context context[2];
};

static inline int scene_begin(void **state) {
    static struct scene scene;
    assert_good(cuInit(0));
    for (int i = 0; i < 2; i++) assert_good(cuDevicePrimaryCtxRetain(&scene.context[i], i));
    assert_good(cuCtxPushCurrent_v2(scene.context[0]));
    *state = &scene;
    return 0;
}

static inline int scene_end(void **state) {
    (void)state;
    tn_cu_context popped = NULL;
    assert_good(cuCtxPopCurrent_v2(&popped));
    assert_good(cuDevicePrimaryCtxRelease_v2(0));
    assert_good(cuDevicePrimaryCtxRelease_v2(1));
    return 0;
}

#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_begin, scene_end)
