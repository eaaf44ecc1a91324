// SPDX-License-Identifier: Apache-2.0
// Managed memory, advice and prefetches. See compat/runtime/managed.h.
#include "compat/runtime/managed.h"

#include "compat/cuda/face.h"
#include "compat/runtime/advice.h"
#include "compat/runtime/block.h"
#include "compat/runtime/stream.h"

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

TN_CU_UNCAPTURED(cuMemAllocManaged, alloc_managed, CUdeviceptr *, size_t, unsigned int)
TN_CUDART_UNCAPTURED(cudaMallocManaged, alloc_or_null, void **, size_t, unsigned int)

// ---- advice

// Except of a single prefetch, a device that does not exist is an invalid value.
static tn_rt_error of_location(tn_rt_error error) {
    return error == TN_RT_INVALID_DEVICE ? TN_RT_INVALID_VALUE : error;
}

static tn_rt_error advise_at(const void *ptr, size_t size, int advice, CUmemLocation location) {
    TN_RT_REFUSE(advice > TN_RT_UNADVISE_ACCESSED_BY, TN_RT_INVALID_VALUE, "advice %d is unknown",
                 advice);
    if (advice == TN_RT_UNADVISE_PREFERRED) location.type = CU_MEM_LOCATION_TYPE_HOST; // ignored
    return of_location(tn_rt_advise_location(ptr, size, advice, &location));
}

static tn_rt_error prefetch_to(const void *ptr, size_t size, CUmemLocation location, unsigned flags,
                               void *stream) {
    TN_RT_REFUSE(location.type < CU_MEM_LOCATION_TYPE_DEVICE ||
                     location.type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
                 TN_RT_INVALID_VALUE, "location type %d, 1 to 4 are defined", (int)location.type);
    tn_rt_error error = tn_rt_prefetch_location(ptr, size, &location, flags, stream);
    return error == TN_RT_NOT_SUPPORTED ? TN_RT_INVALID_VALUE : error; // of pageable memory
}

TN_CU(cuMemAdvise, advise_at, CUdeviceptr, size_t, CUmem_advise, CUmemLocation)
TN_CUDART(cudaMemAdvise, advise_at, const void *, size_t, enum cudaMemoryAdvise, cudaMemLocation)
TN_CU_STREAM(cuMemPrefetchAsync, prefetch_to, CUdeviceptr, size_t, CUmemLocation, unsigned int,
             CUstream)
TN_CUDART_STREAM(cudaMemPrefetchAsync, prefetch_to, const void *, size_t, cudaMemLocation,
                 unsigned int, cudaStream_t)

// ---- lists of ranges

// Discarded ranges keep their bytes, which a program must not rely on. The whole list is checked
// before the first range is used.
static tn_rt_error check_list(void **ptrs, const size_t *sizes, size_t count,
                              unsigned long long flags) {
    TN_RT_REFUSE(ptrs == NULL || sizes == NULL || count == 0 || flags != 0, TN_RT_INVALID_VALUE,
                 "%zu ranges at %p of the sizes at %p, flags 0x%llx", count, (void *)ptrs,
                 (const void *)sizes, flags);
    for (size_t i = 0; i < count; i++) {
        struct tn_rt_block block;
        TN_RT_TRY(tn_rt_block_find(ptrs[i], TN_RT_BLOCK_MANAGED, &block));
        TN_RT_REFUSE(sizes[i] == 0 ||
                         sizes[i] > block.bytes - (size_t)(TARN_ADDR(ptrs[i]) - block.start),
                     TN_RT_INVALID_VALUE, "%zu bytes at %p leave their block", sizes[i], ptrs[i]);
    }
    return TN_RT_OK;
}

static tn_rt_error discard_list(void **ptrs, size_t *sizes, size_t count, unsigned long long flags,
                                void *stream) {
    TN_RT_TRY(check_list(ptrs, sizes, count, flags));
    return tn_rt_stream_check(stream);
}

// Location n is that of the ranges from first[n] on.
static tn_rt_error prefetch_list(void **ptrs, size_t *sizes, size_t count, CUmemLocation *locations,
                                 size_t *first, size_t location_count, unsigned long long flags,
                                 void *stream) {
    TN_RT_TRY(check_list(ptrs, sizes, count, flags));
    TN_RT_REFUSE(locations == NULL || first == NULL || location_count == 0 ||
                     location_count > count || first[0] != 0,
                 TN_RT_INVALID_VALUE, "%zu locations at %p for %zu ranges", location_count,
                 (void *)locations, count);
    for (size_t i = 0, at = 0; i < count; i++) {
        if (at + 1 < location_count && first[at + 1] == i) at++;
        TN_RT_TRY(of_location(prefetch_to(ptrs[i], sizes[i], locations[at], 0, stream)));
    }
    return TN_RT_OK;
}

TN_CU_BOTH_STREAM(MemDiscardBatchAsync, discard_list, CUdeviceptr *, size_t *, size_t,
                  unsigned long long, CUstream)
TN_CU_BOTH_STREAM(MemPrefetchBatchAsync, prefetch_list, CUdeviceptr *, size_t *, size_t,
                  CUmemLocation *, size_t *, size_t, unsigned long long, CUstream)
TN_CU_BOTH_STREAM(MemDiscardAndPrefetchBatchAsync, prefetch_list, CUdeviceptr *, size_t *, size_t,
                  CUmemLocation *, size_t *, size_t, unsigned long long, CUstream)

// ---- queries

static tn_rt_error get_attribute(void *data, size_t size, int attribute, const void *ptr,
                                 size_t count) {
    TN_RT_REFUSE(attribute == TN_RT_RANGE_COHERENCY, TN_RT_INVALID_VALUE, "attribute %d is unknown",
                 attribute);
    return tn_rt_range_attribute(data, size, attribute, ptr, count);
}

TN_CU(cuMemRangeGetAttribute, get_attribute, void *, size_t, CUmem_range_attribute, CUdeviceptr,
      size_t)
TN_CUDART(cudaMemRangeGetAttribute, get_attribute, void *, size_t, enum cudaMemRangeAttribute,
          const void *, size_t)
TN_CU(cuMemRangeGetAttributes, tn_rt_range_attributes, void **, size_t *, CUmem_range_attribute *,
      size_t, CUdeviceptr, size_t)
