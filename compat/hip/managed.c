// SPDX-License-Identifier: Apache-2.0
// HIP's functions about managed memory. See compat/runtime/memory/managed.h.
#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory/advice.h"
#include "compat/runtime/memory/managed.h"

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

TN_HIP_UNCAPTURED_ROW(hipMallocManaged, tn_rt_managed_alloc, void **, dev_ptr, size_t, size,
                      unsigned int, flags)

// ---- advice

TN_HIP_UNCAPTURED_SETTING_ROW(hipMemAdvise, tn_rt_advise, const void *, dev_ptr, size_t, count,
                              hipMemoryAdvise, advice, int, device)
TN_HIP_UNCAPTURED_ROW(hipMemAdvise_v2,
                      TN_FACE_EXPRESSION(tn_rt_advise_location(dev_ptr, count, advice, &location)),
                      const void *, dev_ptr, size_t, count, hipMemoryAdvise, advice, hipMemLocation,
                      location)
TN_HIP_ROW(hipMemPrefetchAsync, tn_rt_prefetch, const void *, dev_ptr, size_t, count, int, device,
           hipStream_t, stream)
TN_HIP_UNCAPTURED_ROW(hipMemPrefetchAsync_v2,
                      TN_FACE_EXPRESSION(tn_rt_prefetch_location(dev_ptr, count, &location, flags,
                                                                 stream)),
                      const void *, dev_ptr, size_t, count, hipMemLocation, location, unsigned int,
                      flags, hipStream_t, stream)

// ---- lists of ranges

#define PREFETCH(pointer)                                                                          \
    pointer *, dev_ptrs, size_t *, sizes, size_t, count, hipMemLocation *, locations, size_t *,    \
        location_indices, size_t, location_count, unsigned long long, flags, hipStream_t, stream
TN_HIP_UNCAPTURED_ROW(hipMemPrefetchBatchAsync, tn_rt_prefetch_list, PREFETCH(void *))
TN_HIP_UNCAPTURED_ROW(hipMemDiscardAndPrefetchBatchAsync, tn_rt_prefetch_list, PREFETCH(void *))
TN_HIP_UNCAPTURED_ROW(hipDrvMemDiscardAndPrefetchBatchAsync, tn_rt_prefetch_list,
                      PREFETCH(hipDeviceptr_t))
TN_HIP_UNCAPTURED_ROW(hipMemDiscardBatchAsync, tn_rt_discard_list, void **, dev_ptrs, size_t *,
                      sizes, size_t, count, unsigned long long, flags, hipStream_t, stream)
TN_HIP_UNCAPTURED_ROW(hipDrvMemDiscardBatchAsync, tn_rt_discard_list, hipDeviceptr_t *, dev_ptrs,
                      size_t *, sizes, size_t, count, unsigned long long, flags, hipStream_t,
                      stream)

// ---- queries

TN_HIP_ROW(hipMemRangeGetAttribute, tn_rt_range_attribute, void *, data, size_t, data_size,
           hipMemRangeAttribute, attribute, const void *, dev_ptr, size_t, count)
