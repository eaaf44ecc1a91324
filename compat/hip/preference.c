// SPDX-License-Identifier: Apache-2.0
// Preferences of programs for a device, and its limits: stored for each device, returned by queries,
// without any other effect. The values are atomic, so any thread may call these functions.
#include "compat/hip/preference.h"
#include "compat/hip/face.h"

#include "compat/runtime/order.h"

#include <stdatomic.h>

#include <hip/detail/device.h>

static _Atomic(int) caches[TN_RT_DEVICES];
static _Atomic(int) schedules[TN_RT_DEVICES];

static tn_rt_error check_preference(int value, int max) {
    return value >= 0 && value <= max
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a preference, 0 to %d are", value, max);
}

static tn_rt_error set_cache(int value) {
    TN_RT_TRY(check_preference(value, hipFuncCachePreferEqual));
    atomic_store_explicit(&caches[tn_rt_current()->ordinal], value, memory_order_relaxed);
    return TN_RT_OK;
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(set_cache((int)cacheConfig));
}

static tn_rt_error get_cache(hipFuncCache_t *cache) {
    TN_RT_TRY(tn_rt_check_pointer(cache, "cacheConfig"));
    *cache = (hipFuncCache_t)atomic_load_explicit(&caches[tn_rt_current()->ordinal],
                                                  memory_order_relaxed);
    return TN_RT_OK;
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig) {
    return TN_HIP_CALL(get_cache(cacheConfig));
}

// AMD's devices have one width of banks, whatever a program prefers.
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(
        check_preference((int)config, hipSharedMemBankSizeEightByte));
}

static tn_rt_error get_banks(hipSharedMemConfig *banks) {
    TN_RT_TRY(tn_rt_check_pointer(banks, "pConfig"));
    *banks = hipSharedMemBankSizeFourByte;
    return TN_RT_OK;
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig) {
    return TN_HIP_CALL(get_banks(pConfig));
}

// ---- scheduling flags

tn_rt_error tn_hip_check_device_flags(unsigned flags) {
    unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    unsigned ways = flags & hipDeviceScheduleMask;
    return (flags & ~known) == 0 && (ways & (ways - 1)) == 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x", flags);
}

unsigned tn_hip_device_flags(int device) {
    return (unsigned)atomic_load_explicit(&schedules[device], memory_order_relaxed);
}

tn_rt_error tn_hip_set_device_flags(int device, unsigned flags) {
    TN_RT_TRY(tn_hip_check_device_flags(flags));
    atomic_store_explicit(&schedules[device], (int)flags, memory_order_relaxed);
    return TN_RT_OK;
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
    return TN_HIP_CALL(tn_hip_set_device_flags(tn_rt_current()->ordinal, flags));
}

// ---- limits

// They are those of kernels on a GPU. Kernels here run on threads of the CPU.
#define STACK_DEFAULT ((size_t)1024)
#define STACK_MAX     ((size_t)131056)
#define HEAP_DEFAULT  ((size_t)8 << 20)

static _Atomic(size_t) stacks[TN_RT_DEVICES]; // 0: the default
static _Atomic(size_t) heaps[TN_RT_DEVICES];  // 0 until one was set, else its value plus 1

static tn_rt_error refuse_limit(int limit) {
    return limit == hipLimitPrintfFifoSize
               ? tn_rt_fail(TN_RT_UNSUPPORTED_LIMIT, "the buffer of printf() has no limit")
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not a limit", limit);
}

static tn_rt_error get_limit(size_t *value, int limit) {
    int device = tn_rt_current()->ordinal;
    TN_RT_TRY(tn_rt_check_pointer(value, "pValue"));
    if (limit == hipLimitStackSize) {
        size_t stack = atomic_load_explicit(&stacks[device], memory_order_relaxed);
        *value = stack != 0 ? stack : STACK_DEFAULT;
        return TN_RT_OK;
    }
    if (limit == hipLimitMallocHeapSize) {
        size_t heap = atomic_load_explicit(&heaps[device], memory_order_relaxed);
        *value = heap != 0 ? heap - 1 : HEAP_DEFAULT;
        return TN_RT_OK;
    }
    return refuse_limit(limit);
}

hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit) {
    return TN_HIP_CALL(get_limit(pValue, (int)limit));
}

static tn_rt_error set_limit(int limit, size_t value) {
    const struct tn_face_device *device = tn_rt_current();
    if (limit == hipLimitStackSize && value <= STACK_MAX) {
        atomic_store_explicit(&stacks[device->ordinal], (value + 15) / 16 * 16,
                              memory_order_relaxed);
        return TN_RT_OK;
    }
    if (limit == hipLimitMallocHeapSize && value < device->info.memory_bytes) {
        atomic_store_explicit(&heaps[device->ordinal], value + 1, memory_order_relaxed);
        return TN_RT_OK;
    }
    return limit == hipLimitStackSize || limit == hipLimitMallocHeapSize
               ? tn_rt_fail(TN_RT_INVALID_VALUE, "limit %d: %zu bytes are more than there can be",
                            limit, value)
               : refuse_limit(limit);
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
    return TN_HIP_CALL(set_limit((int)limit, value));
}

void tn_hip_preferences_reset(int device) {
    atomic_store_explicit(&caches[device], 0, memory_order_relaxed);
    atomic_store_explicit(&schedules[device], 0, memory_order_relaxed);
    atomic_store_explicit(&stacks[device], 0, memory_order_relaxed);
    atomic_store_explicit(&heaps[device], 0, memory_order_relaxed);
}
