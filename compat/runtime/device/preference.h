// SPDX-License-Identifier: Apache-2.0
// Preferences of programs for devices, which are stored and returned and have no other effect.
#pragma once

#include "compat/runtime/device/device.h"

// The preferred division of the current device's cache, an int: 0 to EQUAL.
enum { TN_RT_CACHE_EQUAL = 3 };
tn_rt_error tn_rt_cache_set(int value);
tn_rt_error tn_rt_cache_get(void *value);

// The preferred width of the banks of shared memory. All devices have one width, 4 bytes, whatever a
// program prefers; its number is written to an int.
enum { TN_RT_BANKS_4 = 1, TN_RT_BANKS_8 };
tn_rt_error tn_rt_banks_set(int value);
tn_rt_error tn_rt_banks_get(void *value);

// Limits of kernels on the current device, in bytes. The stack is rounded up to 16 bytes; 0 selects
// the default. Both fail with INVALID_VALUE for an unknown limit, and with UNSUPPORTED_LIMIT for a
// limit above the heap, or by the policy for the buffer of printf(). The second function also fails
// with INVALID_VALUE for a stack above 131056 bytes, and for a heap or buffer not below the
// device's memory.
enum { TN_RT_LIMIT_STACK, TN_RT_LIMIT_PRINTF, TN_RT_LIMIT_HEAP };
tn_rt_error tn_rt_limit_get(size_t *value, int limit);
tn_rt_error tn_rt_limit_set(int limit, size_t value);

// Flags of devices: one way of scheduling, and two more.
enum { TN_RT_SCHEDULE_MASK = 7, TN_RT_MAP_HOST = 8, TN_RT_RESIZE_TO_MAX = 16 };

// Fails with INVALID_VALUE if there are unknown flags, or two ways of scheduling.
tn_rt_error tn_rt_check_device_flags(unsigned flags);

// The flags of a device; the setter checks them.
unsigned tn_rt_device_flags(int device);
tn_rt_error tn_rt_set_device_flags(int device, unsigned flags);

// Returns all preferences and limits of a device to their defaults.
void tn_rt_preferences_reset(int device);
