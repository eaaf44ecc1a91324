// SPDX-License-Identifier: Apache-2.0
// HIP's functions about preferences for a device, and its limits. See compat/runtime/device/preference.h.
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/runtime/device/preference.h"

_Static_assert((int)hipFuncCachePreferEqual == TN_RT_CACHE_EQUAL &&
                   (int)hipSharedMemBankSizeEightByte == TN_RT_BANKS_8 &&
                   (int)hipLimitMallocHeapSize == TN_RT_LIMIT_HEAP &&
                   hipDeviceScheduleMask == TN_RT_SCHEDULE_MASK &&
                   hipDeviceMapHost == TN_RT_MAP_HOST &&
                   hipDeviceLmemResizeToMax == TN_RT_RESIZE_TO_MAX,
               "preferences have the same numbers");

TN_HIP_UNCAPTURED_SETTING_ROW(hipDeviceSetCacheConfig, tn_rt_cache_set, hipFuncCache_t, cacheConfig)
TN_HIP_ROW(hipDeviceGetCacheConfig, tn_rt_cache_get, hipFuncCache_t *, cacheConfig)
TN_HIP_UNCAPTURED_SETTING_ROW(hipDeviceSetSharedMemConfig, tn_rt_banks_set, hipSharedMemConfig,
                              config)

// HIP keeps only the schedule.
static tn_rt_error set_schedule(unsigned flags) {
    TN_RT_TRY(tn_rt_check_device_flags(flags));
    return tn_rt_set_device_flags(tn_rt_current()->ordinal, flags & hipDeviceScheduleMask);
}

TN_HIP_ROW(hipSetDeviceFlags, set_schedule, unsigned int, flags)

TN_HIP_ROW(hipDeviceGetLimit, tn_rt_limit_get, size_t *, pValue, enum hipLimit_t, limit)
TN_HIP_ROW(hipDeviceSetLimit, tn_rt_limit_set, enum hipLimit_t, limit, size_t, value)
