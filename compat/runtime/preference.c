// SPDX-License-Identifier: Apache-2.0
// See preference.h. The values are atomic, so any thread may call these functions.
#include "compat/runtime/preference.h"

#include <stdatomic.h>
#include <string.h>

static struct {
    _Atomic(int) cache;
    _Atomic(int) schedule;
    _Atomic(size_t) stack; // 0: the default
    _Atomic(size_t) heap;  // 0 until one was set, else its value plus 1
} preferences[TN_RT_DEVICES];

tn_rt_error tn_rt_preference_check(int value, int max) {
    return value >= 0 && value <= max
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a preference, 0 to %d are", value, max);
}

tn_rt_error tn_rt_cache_set(int value) {
    TN_RT_TRY(tn_rt_preference_check(value, TN_RT_CACHE_EQUAL));
    preferences[tn_rt_current()->ordinal].cache = value;
    return TN_RT_OK;
}

tn_rt_error tn_rt_cache_get(void *value) {
    TN_RT_TRY(tn_rt_check_pointer(value, "cacheConfig"));
    int own = preferences[tn_rt_current()->ordinal].cache;
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

unsigned tn_rt_device_flags(int device) { return (unsigned)preferences[device].schedule; }

tn_rt_error tn_rt_set_device_flags(int device, unsigned flags) {
    TN_RT_TRY(tn_rt_check_device_flags(flags));
    preferences[device].schedule = (int)flags;
    return TN_RT_OK;
}

// ---- limits

// The limits of kernels on a GPU. Kernels here run on threads of the CPU, so they limit nothing.
#define STACK_DEFAULT ((size_t)1024)
#define STACK_MAX     ((size_t)131056)
#define HEAP_DEFAULT  ((size_t)8 << 20)

static tn_rt_error refuse_limit(int limit) {
    return limit >= 0 && limit < tn_rt_policy.limit_end
               ? tn_rt_fail(TN_RT_UNSUPPORTED_LIMIT, "kernels here have no limit %d", limit)
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a limit", limit);
}

tn_rt_error tn_rt_limit_get(size_t *value, int limit) {
    int device = tn_rt_current()->ordinal;
    TN_RT_TRY(tn_rt_check_pointer(value, "pValue"));
    if (limit == TN_RT_LIMIT_STACK) {
        size_t stack = preferences[device].stack;
        *value = stack != 0 ? stack : STACK_DEFAULT;
        return TN_RT_OK;
    }
    if (limit == TN_RT_LIMIT_HEAP) {
        size_t heap = preferences[device].heap;
        *value = heap != 0 ? heap - 1 : HEAP_DEFAULT;
        return TN_RT_OK;
    }
    return refuse_limit(limit);
}

tn_rt_error tn_rt_limit_set(int limit, size_t value) {
    const struct tn_face_device *device = tn_rt_current();
    bool stack = limit == TN_RT_LIMIT_STACK;
    if (!stack && limit != TN_RT_LIMIT_HEAP) return refuse_limit(limit);
    uint64_t end = stack ? STACK_MAX + 1 : device->info.memory_bytes;
    TN_RT_REFUSE(value >= end, TN_RT_INVALID_VALUE, "limit %d is %zu bytes, not below %llu", limit,
                 value, (unsigned long long)end);
    if (stack)
        preferences[device->ordinal].stack = (value + 15) / 16 * 16;
    else
        preferences[device->ordinal].heap = value + 1;
    return TN_RT_OK;
}

void tn_rt_preferences_reset(int device) {
    preferences[device].cache = 0;
    preferences[device].schedule = 0;
    preferences[device].stack = 0;
    preferences[device].heap = 0;
}
