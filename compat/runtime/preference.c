// SPDX-License-Identifier: Apache-2.0
// See preference.h. The values are atomic, so any thread may call these functions.
#include "compat/runtime/preference.h"

#include <stdatomic.h>
#include <string.h>

static _Atomic(int) caches[TN_RT_DEVICES];
static _Atomic(int) schedules[TN_RT_DEVICES];

tn_rt_error tn_rt_preference_check(int value, int max) {
    return value >= 0 && value <= max
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a preference, 0 to %d are", value, max);
}

tn_rt_error tn_rt_cache_set(int value) {
    TN_RT_TRY(tn_rt_preference_check(value, TN_RT_CACHE_EQUAL));
    atomic_store_explicit(&caches[tn_rt_current()->ordinal], value, memory_order_relaxed);
    return TN_RT_OK;
}

tn_rt_error tn_rt_cache_get(void *value) {
    TN_RT_TRY(tn_rt_check_pointer(value, "cacheConfig"));
    int own = atomic_load_explicit(&caches[tn_rt_current()->ordinal], memory_order_relaxed);
    memcpy(value, &own, sizeof own);
    return TN_RT_OK;
}

// ---- scheduling flags

tn_rt_error tn_rt_check_device_flags(unsigned flags) {
    unsigned known = TN_RT_SCHEDULE_MASK | TN_RT_MAP_HOST | TN_RT_RESIZE_TO_MAX;
    unsigned ways = flags & TN_RT_SCHEDULE_MASK;
    return (flags & ~known) == 0 && (ways & (ways - 1)) == 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x", flags);
}

unsigned tn_rt_device_flags(int device) {
    return (unsigned)atomic_load_explicit(&schedules[device], memory_order_relaxed);
}

tn_rt_error tn_rt_set_device_flags(int device, unsigned flags) {
    TN_RT_TRY(tn_rt_check_device_flags(flags));
    atomic_store_explicit(&schedules[device], (int)flags, memory_order_relaxed);
    return TN_RT_OK;
}

// ---- limits

// They are those of kernels on a GPU. Kernels here run on threads of the CPU.
#define STACK_DEFAULT ((size_t)1024)
#define STACK_MAX     ((size_t)131056)
#define HEAP_DEFAULT  ((size_t)8 << 20)

static _Atomic(size_t) stacks[TN_RT_DEVICES]; // 0: the default
static _Atomic(size_t) heaps[TN_RT_DEVICES];  // 0 until one was set, else its value plus 1

static tn_rt_error refuse_limit(int limit) {
    return limit == TN_RT_LIMIT_PRINTF
               ? tn_rt_fail(TN_RT_UNSUPPORTED_LIMIT, "the buffer of printf() has no limit")
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a limit", limit);
}

tn_rt_error tn_rt_limit_get(size_t *value, int limit) {
    int device = tn_rt_current()->ordinal;
    TN_RT_TRY(tn_rt_check_pointer(value, "pValue"));
    if (limit == TN_RT_LIMIT_STACK) {
        size_t stack = atomic_load_explicit(&stacks[device], memory_order_relaxed);
        *value = stack != 0 ? stack : STACK_DEFAULT;
        return TN_RT_OK;
    }
    if (limit == TN_RT_LIMIT_HEAP) {
        size_t heap = atomic_load_explicit(&heaps[device], memory_order_relaxed);
        *value = heap != 0 ? heap - 1 : HEAP_DEFAULT;
        return TN_RT_OK;
    }
    return refuse_limit(limit);
}

tn_rt_error tn_rt_limit_set(int limit, size_t value) {
    const struct tn_face_device *device = tn_rt_current();
    if (limit == TN_RT_LIMIT_STACK && value <= STACK_MAX) {
        atomic_store_explicit(&stacks[device->ordinal], (value + 15) / 16 * 16,
                              memory_order_relaxed);
        return TN_RT_OK;
    }
    if (limit == TN_RT_LIMIT_HEAP && value < device->info.memory_bytes) {
        atomic_store_explicit(&heaps[device->ordinal], value + 1, memory_order_relaxed);
        return TN_RT_OK;
    }
    return limit == TN_RT_LIMIT_STACK || limit == TN_RT_LIMIT_HEAP
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "limit %d: %zu bytes are more than there can be",
                            limit, value)
               : refuse_limit(limit);
}

void tn_rt_preferences_reset(int device) {
    atomic_store_explicit(&caches[device], 0, memory_order_relaxed);
    atomic_store_explicit(&schedules[device], 0, memory_order_relaxed);
    atomic_store_explicit(&stacks[device], 0, memory_order_relaxed);
    atomic_store_explicit(&heaps[device], 0, memory_order_relaxed);
}
