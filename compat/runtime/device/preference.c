// SPDX-License-Identifier: Apache-2.0
// See preference.h. The values are atomic, so any thread may call these functions.
#include "compat/runtime/device/preference.h"
#include "compat/runtime/device/policy.h"

#include <stdatomic.h>
#include <string.h>

static struct {
    _Atomic(int) cache;
    _Atomic(int) schedule;
    _Atomic(size_t) limits[3]; // 0: the default, else the value plus 1
} preferences[TN_RT_DEVICES];

static tn_rt_error check_preference(int value, int max) {
    return value >= 0 && value <= max
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a preference, 0 to %d are", value, max);
}

tn_rt_error tn_rt_cache_set(int value) {
    TN_RT_TRY(check_preference(value, TN_RT_CACHE_EQUAL));
    preferences[tn_rt_current()->ordinal].cache = value;
    return TN_RT_OK;
}

tn_rt_error tn_rt_cache_get(void *value) {
    TN_RT_TRY(tn_rt_check_pointer(value, "cacheConfig"));
    int own = preferences[tn_rt_current()->ordinal].cache;
    memcpy(value, &own, sizeof own);
    return TN_RT_OK;
}

tn_rt_error tn_rt_banks_set(int value) { return check_preference(value, TN_RT_BANKS_8); }

tn_rt_error tn_rt_banks_get(void *value) {
    const int width = TN_RT_BANKS_4;
    TN_RT_TRY(tn_rt_check_pointer(value, "pConfig"));
    memcpy(value, &width, sizeof width);
    return TN_RT_OK;
}

// ---- scheduling flags

tn_rt_error tn_rt_check_device_flags(unsigned flags) {
    unsigned known = TN_RT_SCHEDULE_MASK | TN_RT_MAP_HOST | TN_RT_RESIZE_TO_MAX |
                     tn_rt_device_policy.device_flags;
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
#define STACK_MAX ((size_t)131056)
static const size_t defaults[] = {[TN_RT_LIMIT_STACK] = 1024,
                                  [TN_RT_LIMIT_PRINTF] = (size_t)1 << 20,
                                  [TN_RT_LIMIT_HEAP] = (size_t)8 << 20};

static tn_rt_error check_limit(int limit) {
    TN_RT_REFUSE(limit < 0 || limit >= tn_rt_device_policy.limit_end, TN_RT_INVALID_VALUE,
                 "%d is not a limit", limit);
    bool printf_limit = limit == TN_RT_LIMIT_PRINTF && !tn_rt_device_policy.limits_printf;
    TN_RT_REFUSE(printf_limit || limit > TN_RT_LIMIT_HEAP, TN_RT_UNSUPPORTED_LIMIT,
                 "kernels here have no limit %d", limit);
    return TN_RT_OK;
}

tn_rt_error tn_rt_limit_get(size_t *value, int limit) {
    TN_RT_TRY(tn_rt_check_pointer(value, "pValue"));
    TN_RT_TRY(check_limit(limit));
    size_t set = preferences[tn_rt_current()->ordinal].limits[limit];
    *value = set != 0 ? set - 1 : defaults[limit];
    return TN_RT_OK;
}

tn_rt_error tn_rt_limit_set(int limit, size_t value) {
    const struct tn_face_device *device = tn_rt_current();
    bool stack = limit == TN_RT_LIMIT_STACK;
    TN_RT_TRY(check_limit(limit));
    uint64_t end = stack ? STACK_MAX + 1 : device->info.memory_bytes;
    TN_RT_REFUSE(value >= end, TN_RT_INVALID_VALUE, "limit %d is %zu bytes, not below %llu", limit,
                 value, (unsigned long long)end);
    size_t set = stack ? (value + 15) / 16 * 16 : value;
    preferences[device->ordinal].limits[limit] = stack && set == 0 ? 0 : set + 1;
    return TN_RT_OK;
}

void tn_rt_preferences_reset(int device) {
    preferences[device].cache = 0;
    preferences[device].schedule = 0;
    for (int i = 0; i <= TN_RT_LIMIT_HEAP; i++) preferences[device].limits[i] = 0;
}
