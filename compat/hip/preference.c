// SPDX-License-Identifier: Apache-2.0
// What programs may prefer of a device without anything depending on it here: kept for each device,
// and told again. And limits, of which there are none.
#include <stdatomic.h>

#include <hip/detail/device.h>

#include "compat/hip/face.h"

static _Atomic(int) caches[TN_HIP_DEVICES];
static _Atomic(int) banks[TN_HIP_DEVICES];
static _Atomic(int) schedules[TN_HIP_DEVICES];

static hipError_t prefer(_Atomic(int) *of, int value, int most, const char *function) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && (value < 0 || value > most)) {
        error = tn_hip_fail(hipErrorInvalidValue, "%d is no preference, 0 to %d are", value, most);
    }
    if (error == hipSuccess) {
        atomic_store_explicit(&of[tn_hip_current()->hip], value, memory_order_relaxed);
    }
    return tn_hip_leave(error, function);
}

static hipError_t tell(_Atomic(int) *of, int *value, const char *function) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && value == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the preference shall go is NULL");
    }
    if (error == hipSuccess) {
        *value = atomic_load_explicit(&of[tn_hip_current()->hip], memory_order_relaxed);
    }
    return tn_hip_leave(error, function);
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
    return prefer(caches, (int)cacheConfig, hipFuncCachePreferEqual, __func__);
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig) {
    int value = 0;
    hipError_t error = tell(caches, cacheConfig != NULL ? &value : NULL, __func__);
    if (error == hipSuccess) {
        *cacheConfig = (hipFuncCache_t)value;
    }
    return error;
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
    return prefer(banks, (int)config, hipSharedMemBankSizeEightByte, __func__);
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig) {
    int value = 0;
    hipError_t error = tell(banks, pConfig != NULL ? &value : NULL, __func__);
    if (error == hipSuccess) {
        *pConfig = (hipSharedMemConfig)value;
    }
    return error;
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
    unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    unsigned ways = flags & hipDeviceScheduleMask;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && ((flags & ~known) != 0 || (ways & (ways - 1)) != 0)) {
        error = tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
    }
    if (error == hipSuccess) {
        atomic_store_explicit(&schedules[tn_hip_current()->hip], (int)flags, memory_order_relaxed);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipGetDeviceFlags(unsigned int *flags) {
    int value = 0;
    hipError_t error = tell(schedules, flags != NULL ? &value : NULL, __func__);
    if (error == hipSuccess) {
        *flags = (unsigned)value;
    }
    return error;
}

static hipError_t refuse_limit(int limit) {
    return limit >= 0 && limit < hipLimitRange
               ? tn_hip_fail(hipErrorUnsupportedLimit, "limit %d: kernels run on CPU threads",
                             limit)
               : tn_hip_fail(hipErrorInvalidValue, "%d is no limit", limit);
}

hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit) {
    return TN_HIP_CALL(pValue == NULL ? tn_hip_fail(hipErrorInvalidValue, "pValue is NULL")
                                      : refuse_limit((int)limit));
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
    hipError_t error = tn_hip_enter();
    (void)value;
    if (error == hipSuccess) {
        error = refuse_limit((int)limit);
    }
    return tn_hip_leave(error, __func__);
}
