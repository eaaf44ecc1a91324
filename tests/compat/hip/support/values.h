// SPDX-License-Identifier: Apache-2.0
// Numbers that go to memory of a device and come back, and what a kernel would do to them in
// between: a function of the host in a stream's order, which has the devices' bytes in reach.
#pragma once

#include "support/vmm.h"

#define VALUES      ((size_t)4096)
#define VALUE_BYTES (VALUES * sizeof(int)) // 4 granules

static inline void values_make(int *values, int seed) {
    for (size_t i = 0; i < VALUES; i++) values[i] = (int)(i % 1000) * 7 + seed;
}

static inline void values_expect(const int *values, int seed) {
    for (size_t i = 0; i < VALUES; i++) assert_int_equal(values[i], (int)(i % 1000) * 7 + seed);
}

static inline void values_put(void *device, int seed) {
    int values[VALUES];
    values_make(values, seed);
    assert_hip_ok(hipMemcpyHtoD(device, values, VALUE_BYTES));
}

static inline void values_get(void *device, int seed) {
    int values[VALUES];
    memset(values, 0, sizeof values);
    assert_hip_ok(hipMemcpyDtoH(values, device, VALUE_BYTES));
    values_expect(values, seed);
}

static inline void values_round_trip(void *device, int seed) {
    values_put(device, seed);
    values_get(device, seed);
}

static inline void values_square(void *device) {
    int *values = (int *)device;
    for (size_t i = 0; i < VALUES; i++) values[i] *= values[i];
}

// Squares on the device.
static inline void values_launch_square(void *device, hipStream_t stream) {
    assert_hip_ok(hipLaunchHostFunc(stream, values_square, device));
}

static inline void values_get_squares(void *device, int seed) {
    int values[VALUES];
    int want[VALUES];
    values_make(want, seed);
    assert_hip_ok(hipMemcpyDtoH(values, device, VALUE_BYTES));
    for (size_t i = 0; i < VALUES; i++) assert_int_equal(values[i], want[i] * want[i]);
}

// A range with memory for the values, its handle released. Readable and writable for its device.
static inline char *values_range(int device) {
    char *at = reserve(VALUE_BYTES);
    handle_t handle = create_on(device, VALUE_BYTES);
    assert_hip_ok(hipMemMap(at, VALUE_BYTES, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, VALUE_BYTES, device, READ_WRITE);
    return at;
}
