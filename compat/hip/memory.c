// SPDX-License-Identifier: Apache-2.0
// HIP's functions that allocate device memory, and queries about its size. See
// compat/runtime/memory.h.
#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"

hipError_t hipMalloc(void **ptr, size_t size) {
    return TN_HIP_UNCAPTURED_CALL(tn_rt_memory_alloc(ptr, size, hipDeviceMallocDefault));
}

static tn_rt_error alloc_with_flags(void **ptr, size_t size, unsigned flags) {
    TN_RT_REFUSE(flags > hipDeviceMallocContiguous, TN_RT_INVALID_VALUE, "flags 0x%x are unknown",
                 flags);
    TN_RT_REFUSE(flags == hipMallocSignalMemory && size != 8, TN_RT_INVALID_VALUE,
                 "a signal of %zu bytes must have 8", size);
    return tn_rt_memory_alloc(ptr, size, flags);
}

hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_with_flags(ptr, sizeBytes, flags));
}

// ---- rows and slices

hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
    return TN_HIP_UNCAPTURED_CALL(tn_rt_memory_alloc_box(ptr, pitch, width, height, 1));
}

static tn_rt_error alloc_element_rows(void **ptr, size_t *pitch, size_t width, size_t height,
                                      unsigned element_bytes) {
    TN_RT_REFUSE(element_bytes != 4 && element_bytes != 8 && element_bytes != 16,
                 TN_RT_INVALID_VALUE, "elementSizeBytes %u is not 4, 8 or 16", element_bytes);
    return tn_rt_memory_alloc_box(ptr, pitch, width, height, 1);
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *dptr, size_t *pitch, size_t widthInBytes, size_t height,
                            unsigned int elementSizeBytes) {
    return TN_HIP_UNCAPTURED_CALL(
        alloc_element_rows(dptr, pitch, widthInBytes, height, elementSizeBytes));
}

static tn_rt_error alloc_slices(hipPitchedPtr *pitched, hipExtent extent) {
    void *ptr = NULL;
    size_t pitch = 0;
    TN_RT_REFUSE(pitched == NULL, TN_RT_INVALID_VALUE, "pitchedDevPtr is NULL");
    TN_RT_TRY(tn_rt_memory_alloc_box(&ptr, &pitch, extent.width, extent.height, extent.depth));
    *pitched = make_hipPitchedPtr(ptr, pitch, extent.width, extent.height);
    return TN_RT_OK;
}

hipError_t hipMalloc3D(hipPitchedPtr *pitchedDevPtr, hipExtent extent) {
    return TN_HIP_UNCAPTURED_CALL(alloc_slices(pitchedDevPtr, extent));
}

// ---- queries

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
    return TN_HIP_CALL(tn_rt_memory_measure(free, total));
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *pbase, size_t *psize, hipDeviceptr_t dptr) {
    return TN_HIP_CALL(tn_rt_memory_range(pbase, psize, dptr));
}

static tn_rt_error get_size(const void *ptr, size_t *size) {
    TN_RT_TRY(tn_rt_check_pointer(size, "size"));
    return tn_rt_memory_range(NULL, size, ptr) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
}

hipError_t hipMemPtrGetInfo(void *ptr, size_t *size) { return TN_HIP_CALL(get_size(ptr, size)); }
