// SPDX-License-Identifier: Apache-2.0
// Managed memory, advice and prefetches. See compat/runtime/managed.h.
#include "compat/runtime/managed.h"

#include "compat/cuda/face.h"
#include "compat/runtime/advice.h"

_Static_assert(cudaMemAttachSingle == TN_RT_ATTACH_SINGLE &&
                   (int)cudaMemAdviseUnsetAccessedBy == TN_RT_UNADVISE_ACCESSED_BY &&
                   (int)cudaMemRangeAttributeLastPrefetchLocation == TN_RT_RANGE_PREFETCHED &&
                   cudaCpuDeviceId == TN_RT_LOCATION_CPU &&
                   cudaInvalidDeviceId == TN_RT_LOCATION_NONE,
               "advice and attributes have the same numbers");

// A program cannot attach a new block to one stream.
static tn_rt_error alloc(void **ptr, size_t size, unsigned flags) {
    TN_RT_REFUSE(size == 0 || (flags != TN_RT_ATTACH_GLOBAL && flags != TN_RT_ATTACH_HOST),
                 TN_RT_INVALID_VALUE, "%zu bytes, flags 0x%x", size, flags);
    return tn_rt_managed_alloc(ptr, size, flags);
}

TN_CU_UNCAPTURED(cuMemAllocManaged, alloc, CUdeviceptr *, size_t, unsigned int)
TN_CUDART_UNCAPTURED(cudaMallocManaged, alloc, void **, size_t, unsigned int)
TN_CU_BOTH_STREAM(StreamAttachMemAsync, tn_rt_attach, CUstream, CUdeviceptr, size_t, unsigned int)

// ---- advice

static tn_rt_error advise(const void *ptr, size_t size, int advice,
                          const struct tn_rt_location *location) {
    TN_RT_REFUSE(advice > TN_RT_UNADVISE_ACCESSED_BY, TN_RT_INVALID_VALUE, "advice %d is unknown",
                 advice);
    return tn_rt_advise_location((struct tn_rt_span){ptr, size}, advice, location);
}

static tn_rt_error advise_driver(const void *ptr, size_t size, int advice, CUmemLocation location) {
    return advise(ptr, size, advice, (const struct tn_rt_location *)&location);
}

static tn_rt_error advise_runtime(const void *ptr, size_t size, int advice,
                                  struct cudaMemLocation location) {
    return advise(ptr, size, advice, (const struct tn_rt_location *)&location);
}

TN_CU(cuMemAdvise, advise_driver, CUdeviceptr, size_t, CUmem_advise, CUmemLocation)
TN_CUDART(cudaMemAdvise, advise_runtime, const void *, size_t, enum cudaMemoryAdvise,
          struct cudaMemLocation)

static tn_rt_error prefetch_driver(const void *ptr, size_t size, CUmemLocation location,
                                   unsigned flags, void *stream) {
    return tn_rt_prefetch_location((struct tn_rt_span){ptr, size}, &location, flags, stream);
}

static tn_rt_error prefetch_runtime(const void *ptr, size_t size, struct cudaMemLocation location,
                                    unsigned flags, void *stream) {
    return tn_rt_prefetch_location((struct tn_rt_span){ptr, size}, &location, flags, stream);
}

TN_CU_STREAM(cuMemPrefetchAsync, prefetch_driver, CUdeviceptr, size_t, CUmemLocation, unsigned int,
             CUstream)
TN_CUDART_STREAM(cudaMemPrefetchAsync, prefetch_runtime, const void *, size_t,
                 struct cudaMemLocation, unsigned int, cudaStream_t)

// ---- queries

static tn_rt_error get_attribute(void *data, size_t size, int attribute, const void *ptr,
                                 size_t count) {
    TN_RT_REFUSE(attribute == TN_RT_RANGE_COHERENCY, TN_RT_INVALID_VALUE, "attribute %d is unknown",
                 attribute);
    return tn_rt_range_attribute(data, size, attribute, (struct tn_rt_span){ptr, count});
}

static tn_rt_error get_attributes(void **data, size_t *sizes, const void *attributes, size_t many,
                                  const void *ptr, size_t count) {
    return tn_rt_range_attributes(data, sizes, (const int *)attributes, many,
                                  (struct tn_rt_span){ptr, count});
}

TN_CU(cuMemRangeGetAttribute, get_attribute, void *, size_t, CUmem_range_attribute, CUdeviceptr,
      size_t)
TN_CUDART(cudaMemRangeGetAttribute, get_attribute, void *, size_t, enum cudaMemRangeAttribute,
          const void *, size_t)
TN_CU(cuMemRangeGetAttributes, get_attributes, void **, size_t *, CUmem_range_attribute *, size_t,
      CUdeviceptr, size_t)
TN_CUDART(cudaMemRangeGetAttributes, get_attributes, void **, size_t *,
          enum cudaMemRangeAttribute *, size_t, const void *, size_t)
