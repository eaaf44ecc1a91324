// SPDX-License-Identifier: Apache-2.0
// Managed memory, advice and prefetches. See compat/runtime/memory/managed.h.
#include "compat/runtime/memory/managed.h"

#include <stdio.h>
#include <unistd.h>

#include "compat/cuda/face.h"
#include "compat/runtime/memory/advice.h"

_Static_assert(cudaMemAttachSingle == TN_RT_ATTACH_SINGLE &&
                   (int)cudaMemAdviseUnsetAccessedBy == TN_RT_UNADVISE_ACCESSED_BY &&
                   (int)cudaMemRangeAttributeLastPrefetchLocation == TN_RT_RANGE_PREFETCHED &&
                   cudaCpuDeviceId == TN_RT_LOCATION_CPU &&
                   cudaInvalidDeviceId == TN_RT_LOCATION_NONE,
               "advice and attributes have the same numbers");

// A failure writes NULL. The driver refuses a size of 0, for which the runtime API succeeds.
static tn_rt_error alloc_managed(void **ptr, size_t size, unsigned flags) {
    if (ptr != NULL) *ptr = NULL;
    return tn_rt_managed_alloc(ptr, size, flags);
}

static tn_rt_error alloc_or_null(void **ptr, size_t size, unsigned flags) {
    tn_rt_error error = alloc_managed(ptr, size, flags);
    return ptr != NULL && size == 0 ? TN_RT_OK : error;
}

TN_CU_UNCAPTURED(cuMemAllocManaged, alloc_managed, CUdeviceptr *, address, size_t, size,
                 unsigned int, flags)
TN_CUDART_UNCAPTURED(cudaMallocManaged, alloc_or_null, void **, address, size_t, size, unsigned int,
                     flags)

// ---- advice

// Except of a single prefetch, a device that does not exist is an invalid value.
static tn_rt_error of_location(tn_rt_error error) {
    return error == TN_RT_INVALID_DEVICE ? TN_RT_INVALID_VALUE : error;
}

// Any id is one of the host or of the current node. INVALID_VALUE: another type, or a node of memory
// that the machine does not have.
static tn_rt_error check_location(const CUmemLocation *location) {
    char path[64];
    (void)snprintf(path, sizeof path, "/sys/devices/system/node/node%d", location->id);
    TN_RT_REFUSE(location->type < CU_MEM_LOCATION_TYPE_DEVICE ||
                     location->type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
                 TN_RT_INVALID_VALUE, "location type %d, 1 to 4 are defined", (int)location->type);
    TN_RT_REFUSE(location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA && location->id != 0 &&
                     access(path, F_OK) != 0,
                 TN_RT_INVALID_VALUE, "this machine has no NUMA node %d", location->id);
    return TN_RT_OK;
}

// The location counts for a preferred one, and for the devices that access memory, which are not nodes.
static tn_rt_error advise_at(const void *ptr, size_t size, int advice, CUmemLocation location) {
    bool access = advice == TN_RT_ADVISE_ACCESSED_BY || advice == TN_RT_UNADVISE_ACCESSED_BY;
    TN_RT_REFUSE(advice > TN_RT_UNADVISE_ACCESSED_BY, TN_RT_INVALID_VALUE, "advice %d is unknown",
                 advice);
    if (!access && advice != TN_RT_ADVISE_PREFERRED) location.type = CU_MEM_LOCATION_TYPE_HOST;
    TN_RT_TRY(check_location(&location));
    TN_RT_REFUSE(access && location.type > CU_MEM_LOCATION_TYPE_HOST, TN_RT_INVALID_VALUE,
                 "advice %d is about a device or the host, not about location type %d", advice,
                 (int)location.type);
    return of_location(tn_rt_advise_location(ptr, size, advice, &location));
}

static tn_rt_error prefetch_to(const void *ptr, size_t size, CUmemLocation location, unsigned flags,
                               void *stream) {
    TN_RT_TRY(check_location(&location));
    tn_rt_error error = tn_rt_prefetch_location(ptr, size, &location, flags, stream);
    return error == TN_RT_NOT_SUPPORTED ? TN_RT_INVALID_VALUE : error; // of pageable memory
}

TN_CU(cuMemAdvise_v2, advise_at, CUdeviceptr, address, size_t, count, CUmem_advise, advice,
      CUmemLocation, location)
TN_CUDART(cudaMemAdvise, advise_at, const void *, address, size_t, count, enum cudaMemoryAdvise,
          advice, cudaMemLocation, location)
TN_CU_STREAM(cuMemPrefetchAsync_v2, cuMemPrefetchAsync_v2_ptsz, prefetch_to, CUdeviceptr, address,
             size_t, count, CUmemLocation, location, unsigned int, flags, CUstream, stream)
TN_CUDART_STREAM(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz, prefetch_to, const void *,
                 address, size_t, count, cudaMemLocation, location, unsigned int, flags,
                 cudaStream_t, stream)

// ---- lists of ranges

static tn_rt_error discard_list(void **ptrs, size_t *sizes, size_t count, unsigned long long flags,
                                void *stream) {
    TN_RT_TRY(tn_cu_check_list_stream(stream));
    return tn_rt_discard_list(ptrs, sizes, count, flags, stream);
}

static tn_rt_error prefetch_list(void **ptrs, size_t *sizes, size_t count, CUmemLocation *locations,
                                 size_t *first, size_t location_count, unsigned long long flags,
                                 void *stream) {
    TN_RT_TRY(tn_cu_check_list_stream(stream));
    for (size_t i = 0; locations != NULL && i < location_count && i < count; i++)
        TN_RT_TRY(check_location(&locations[i]));
    return of_location(
        tn_rt_prefetch_list(ptrs, sizes, count, locations, first, location_count, flags, stream));
}

TN_CU_BOTH_STREAM(cuMemDiscardBatchAsync, cuMemDiscardBatchAsync_ptsz, cudaMemDiscardBatchAsync,
                  cudaMemDiscardBatchAsync_ptsz, discard_list, CUdeviceptr *, addresses, size_t *,
                  sizes, size_t, count, unsigned long long, flags, CUstream, stream)
TN_CU_BOTH_STREAM(cuMemPrefetchBatchAsync, cuMemPrefetchBatchAsync_ptsz, cudaMemPrefetchBatchAsync,
                  cudaMemPrefetchBatchAsync_ptsz, prefetch_list, CUdeviceptr *, addresses, size_t *,
                  sizes, size_t, count, CUmemLocation *, locations, size_t *, indices, size_t,
                  location_count, unsigned long long, flags, CUstream, stream)
TN_CU_BOTH_STREAM(cuMemDiscardAndPrefetchBatchAsync, cuMemDiscardAndPrefetchBatchAsync_ptsz,
                  cudaMemDiscardAndPrefetchBatchAsync, cudaMemDiscardAndPrefetchBatchAsync_ptsz,
                  prefetch_list, CUdeviceptr *, addresses, size_t *, sizes, size_t, count,
                  CUmemLocation *, locations, size_t *, indices, size_t, location_count,
                  unsigned long long, flags, CUstream, stream)

// ---- queries

static tn_rt_error get_attribute(void *data, size_t size, int attribute, const void *ptr,
                                 size_t count) {
    TN_RT_REFUSE(attribute == TN_RT_RANGE_COHERENCY, TN_RT_INVALID_VALUE, "attribute %d is unknown",
                 attribute);
    return tn_rt_range_attribute(data, size, attribute, ptr, count);
}

TN_CU(cuMemRangeGetAttribute, get_attribute, void *, data, size_t, data_size, CUmem_range_attribute,
      attribute, CUdeviceptr, address, size_t, count)
TN_CUDART(cudaMemRangeGetAttribute, get_attribute, void *, data, size_t, data_size,
          enum cudaMemRangeAttribute, attribute, const void *, address, size_t, count)
TN_CU(cuMemRangeGetAttributes, tn_rt_range_attributes, void **, data, size_t *, data_sizes,
      CUmem_range_attribute *, attributes, size_t, attribute_count, CUdeviceptr, address, size_t,
      count)
