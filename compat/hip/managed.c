// SPDX-License-Identifier: Apache-2.0
// HIP's functions about managed memory. See compat/runtime/managed.h.
#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/advice.h"
#include "compat/runtime/managed.h"

_Static_assert(hipMemAttachGlobal == TN_RT_ATTACH_GLOBAL &&
                   hipMemAttachSingle == TN_RT_ATTACH_SINGLE &&
                   (int)hipMemAdviseUnsetAccessedBy == TN_RT_UNADVISE_ACCESSED_BY &&
                   (int)hipMemAdviseUnsetCoarseGrain == TN_RT_UNADVISE_COARSE &&
                   (int)hipMemRangeAttributeLastPrefetchLocation == TN_RT_RANGE_PREFETCHED &&
                   (int)hipMemRangeAttributeCoherencyMode == TN_RT_RANGE_COHERENCY &&
                   hipCpuDeviceId == TN_RT_LOCATION_CPU &&
                   hipInvalidDeviceId == TN_RT_LOCATION_NONE &&
                   sizeof(hipMemRangeAttribute) == sizeof(int),
               "advice and attributes have the same numbers");

TN_HIP_UNCAPTURED_ROW(hipMallocManaged, tn_rt_managed_alloc, void **, size_t, unsigned int)
TN_HIP_ROW(hipStreamAttachMemAsync, tn_rt_attach, hipStream_t, void *, size_t, unsigned int)

// ---- advice

hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(
        tn_rt_advise((struct tn_rt_span){dev_ptr, count}, (int)advice, device));
}

hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                           hipMemLocation location) {
    return TN_HIP_UNCAPTURED_CALL(
        tn_rt_advise_location((struct tn_rt_span){dev_ptr, count}, (int)advice, &location));
}

hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_prefetch((struct tn_rt_span){dev_ptr, count}, device, stream));
}

hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream) {
    return TN_HIP_UNCAPTURED_CALL(
        tn_rt_prefetch_location((struct tn_rt_span){dev_ptr, count}, &location, flags, stream));
}

// ---- queries

hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                    hipMemRangeAttribute *attributes, size_t num_attributes,
                                    const void *dev_ptr, size_t count) {
    return TN_HIP_CALL(tn_rt_range_attributes(data, data_sizes, (const int *)attributes,
                                              num_attributes, (struct tn_rt_span){dev_ptr, count}));
}

hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void *dev_ptr, size_t count) {
    return TN_HIP_CALL(tn_rt_range_attribute(data, data_size, (int)attribute,
                                             (struct tn_rt_span){dev_ptr, count}));
}
