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

hipError_t hipMallocManaged(void **dev_ptr, size_t size, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(tn_rt_managed_alloc(dev_ptr, size, flags));
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr, size_t length,
                                   unsigned int flags) {
    return TN_HIP_CALL(tn_rt_attach(stream, dev_ptr, length, flags));
}

// ---- advice

hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(
        tn_rt_advise((struct tn_rt_span){dev_ptr, count}, (int)advice, device));
}

// Returns the device that a location means, or hipCpuDeviceId for every location of the host only.
static int device_of(hipMemLocation location) {
    switch (location.type) {
    case hipMemLocationTypeHost:
    case hipMemLocationTypeHostNuma:
    case hipMemLocationTypeHostNumaCurrent: return hipCpuDeviceId;
    default: return location.id != hipCpuDeviceId ? location.id : hipInvalidDeviceId;
    }
}

static tn_rt_error advise_location(struct tn_rt_span range, int advice, hipMemLocation location) {
    TN_RT_TRY(tn_rt_span_check(range));
    TN_RT_REFUSE(location.type < hipMemLocationTypeDevice ||
                     location.type > hipMemLocationTypeHostNumaCurrent,
                 TN_RT_INVALID_VALUE, "location type %d, 1 to 4 are defined", (int)location.type);
    return tn_rt_advise(range, advice, device_of(location));
}

hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                           hipMemLocation location) {
    return TN_HIP_UNCAPTURED_CALL(
        advise_location((struct tn_rt_span){dev_ptr, count}, (int)advice, location));
}

hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_prefetch((struct tn_rt_span){dev_ptr, count}, device, stream));
}

static tn_rt_error prefetch_to_location(struct tn_rt_span range, hipMemLocation location,
                                        unsigned flags, hipStream_t stream) {
    return flags == 0 ? tn_rt_prefetch(range, device_of(location), stream)
                      : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x are not 0", flags);
}

hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream) {
    return TN_HIP_UNCAPTURED_CALL(
        prefetch_to_location((struct tn_rt_span){dev_ptr, count}, location, flags, stream));
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
