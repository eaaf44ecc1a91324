// SPDX-License-Identifier: Apache-2.0
// HIP's functions about preferences for a device, and its limits. See compat/runtime/preference.h.
#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/runtime/preference.h"

_Static_assert((int)hipFuncCachePreferEqual == TN_RT_CACHE_EQUAL &&
                   (int)hipSharedMemBankSizeEightByte == TN_RT_BANKS_8 &&
                   (int)hipLimitMallocHeapSize == TN_RT_LIMIT_HEAP &&
                   hipDeviceScheduleMask == TN_RT_SCHEDULE_MASK &&
                   hipDeviceMapHost == TN_RT_MAP_HOST &&
                   hipDeviceLmemResizeToMax == TN_RT_RESIZE_TO_MAX,
               "preferences have the same numbers");

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(tn_rt_cache_set((int)cacheConfig));
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *cacheConfig) {
    return TN_HIP_CALL(tn_rt_cache_get(cacheConfig));
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(tn_rt_banks_set((int)config));
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *pConfig) {
    return TN_HIP_CALL(tn_rt_banks_get(pConfig));
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
    return TN_HIP_CALL(tn_rt_set_device_flags(tn_rt_current()->ordinal, flags));
}

hipError_t hipDeviceGetLimit(size_t *pValue, enum hipLimit_t limit) {
    return TN_HIP_CALL(tn_rt_limit_get(pValue, (int)limit));
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
    return TN_HIP_CALL(tn_rt_limit_set((int)limit, value));
}
