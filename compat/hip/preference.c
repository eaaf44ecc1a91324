// SPDX-License-Identifier: Apache-2.0
// Preferences of programs for a device: stored for each device, returned by queries, without any
// other effect. Limits are not supported. The values are atomic, so any thread may call these
// functions.
#include "compat/hip/preference.h"

#include <stdatomic.h>

#include <hip/detail/device.h>

_Static_assert(sizeof(hipFuncCache_t) == sizeof(int) && sizeof(hipSharedMemConfig) == sizeof(int),
               "preferences are read as int");

static _Atomic(int) caches[TN_HIP_DEVICES];
static _Atomic(int) banks[TN_HIP_DEVICES];
static _Atomic(int) schedules[TN_HIP_DEVICES];

static hipError_t set_preference(_Atomic(int) *values, int value, int max) {
    if (value < 0 || value > max) {
        return tn_hip_fail(hipErrorInvalidValue, "%d is not a preference, 0 to %d are", value, max);
    }
    atomic_store_explicit(&values[tn_hip_current()->hip], value, memory_order_relaxed);
    return hipSuccess;
}

static hipError_t get_preference(_Atomic(int) *values, int *value, const char *name) {
    TN_HIP_TRY(tn_hip_check_pointer(value, name));
    *value = atomic_load_explicit(&values[tn_hip_current()->hip], memory_order_relaxed);
    return hipSuccess;
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
    return TN_HIP_CALL(set_preference(caches, (int)cacheConfig, hipFuncCachePreferEqual));
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig) {
    return TN_HIP_CALL(get_preference(caches, (int *)cacheConfig, "cacheConfig"));
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
    return TN_HIP_CALL(set_preference(banks, (int)config, hipSharedMemBankSizeEightByte));
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig) {
    return TN_HIP_CALL(get_preference(banks, (int *)pConfig, "pConfig"));
}

// ---- scheduling flags

hipError_t tn_hip_check_device_flags(unsigned flags) {
    unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    unsigned ways = flags & hipDeviceScheduleMask;
    return (flags & ~known) == 0 && (ways & (ways - 1)) == 0
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
}

unsigned tn_hip_device_flags(int device) {
    return (unsigned)atomic_load_explicit(&schedules[device], memory_order_relaxed);
}

hipError_t tn_hip_set_device_flags(int device, unsigned flags) {
    TN_HIP_TRY(tn_hip_check_device_flags(flags));
    atomic_store_explicit(&schedules[device], (int)flags, memory_order_relaxed);
    return hipSuccess;
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
    return TN_HIP_CALL(tn_hip_set_device_flags(tn_hip_current()->hip, flags));
}

hipError_t hipGetDeviceFlags(unsigned int *flags) {
    return TN_HIP_CALL(get_preference(schedules, (int *)flags, "flags"));
}

// ---- limits

static hipError_t refuse_limit(int limit) {
    return limit >= 0 && limit < hipLimitRange
               ? tn_hip_fail(hipErrorUnsupportedLimit, "limit %d: kernels run on CPU threads",
                             limit)
               : tn_hip_fail(hipErrorInvalidValue, "%d is not a limit", limit);
}

static hipError_t get_limit(const size_t *value, int limit) {
    TN_HIP_TRY(tn_hip_check_pointer(value, "pValue"));
    return refuse_limit(limit);
}

hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit) {
    return TN_HIP_CALL(get_limit(pValue, (int)limit));
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
    (void)value;
    return TN_HIP_CALL(refuse_limit((int)limit));
}
