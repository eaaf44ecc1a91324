// SPDX-License-Identifier: Apache-2.0
// Allocates device memory with an address, and answers queries about its size.
#include <hip/detail/memory.h>

#include "compat/hip/face.h"
#include "compat/hip/memory.h"
#include "compat/runtime/pool.h"

#define PITCH_ALIGNMENT ((size_t)256)

// Unused memory of the device's pools counts as free, so it is reclaimed if necessary.
static tarn_status alloc_or_reclaim(const struct tn_rt_device *device, size_t size,
                                    tarn_addr *addr) {
    tarn_status status = tarn_memory_alloc(device->tarn, size, addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(device)) {
        status = tarn_memory_alloc(device->tarn, size, addr);
    }
    return status;
}

static tn_rt_error alloc_memory(void **ptr, size_t size, unsigned flags) {
    tarn_addr addr = 0;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "ptr"));
    if (size != 0) {
        TN_RT_TRY(tn_rt_from(alloc_or_reclaim(tn_rt_current(), size, &addr)));
        tn_rt_block_mark(addr, TN_RT_BLOCK_DEVICE, flags);
    }
    *ptr = (void *)(uintptr_t)addr;
    return TN_RT_OK;
}

hipError_t hipMalloc(void **ptr, size_t size) {
    return TN_HIP_UNCAPTURED_CALL(alloc_memory(ptr, size, hipDeviceMallocDefault));
}

static tn_rt_error alloc_with_flags(void **ptr, size_t size, unsigned flags) {
    if (flags > hipDeviceMallocContiguous) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x are unknown", flags);
    }
    if (flags == hipMallocSignalMemory && size != 8) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "a signal of %zu bytes must have 8", size);
    }
    return alloc_memory(ptr, size, flags);
}

hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_with_flags(ptr, sizeBytes, flags));
}

// ---- rows and slices

static tn_rt_error alloc_box(void **ptr, size_t *pitch, hipExtent extent) {
    if (extent.width > SIZE_MAX - (PITCH_ALIGNMENT - 1)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "rows of %zu bytes", extent.width);
    }
    size_t row = (extent.width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    size_t slice = 0;
    size_t bytes = 0;
    if (__builtin_mul_overflow(row, extent.height, &slice) ||
        __builtin_mul_overflow(slice, extent.depth, &bytes)) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "%zu slices of %zu rows of %zu bytes", extent.depth,
                          extent.height, row);
    }
    TN_RT_TRY(alloc_memory(ptr, bytes, hipDeviceMallocDefault));
    *pitch = row;
    return TN_RT_OK;
}

static tn_rt_error alloc_rows(void **ptr, size_t *pitch, size_t width, size_t height) {
    if (ptr == NULL || pitch == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL", ptr == NULL ? "ptr" : "pitch");
    }
    return alloc_box(ptr, pitch, make_hipExtent(width, height, 1));
}

hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
    return TN_HIP_UNCAPTURED_CALL(alloc_rows(ptr, pitch, width, height));
}

static tn_rt_error alloc_element_rows(void **ptr, size_t *pitch, size_t width, size_t height,
                                      unsigned element_bytes) {
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "elementSizeBytes %u is not 4, 8 or 16",
                          element_bytes);
    }
    return alloc_rows(ptr, pitch, width, height);
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *dptr, size_t *pitch, size_t widthInBytes, size_t height,
                            unsigned int elementSizeBytes) {
    return TN_HIP_UNCAPTURED_CALL(
        alloc_element_rows(dptr, pitch, widthInBytes, height, elementSizeBytes));
}

static tn_rt_error alloc_slices(hipPitchedPtr *pitched, hipExtent extent) {
    void *ptr = NULL;
    size_t pitch = 0;
    if (pitched == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "pitchedDevPtr is NULL");
    }
    TN_RT_TRY(alloc_box(&ptr, &pitch, extent));
    *pitched = make_hipPitchedPtr(ptr, pitch, extent.width, extent.height);
    return TN_RT_OK;
}

hipError_t hipMalloc3D(hipPitchedPtr *pitchedDevPtr, hipExtent extent) {
    return TN_HIP_UNCAPTURED_CALL(alloc_slices(pitchedDevPtr, extent));
}

// ---- queries

static tn_rt_error measure_memory(size_t *free_bytes, size_t *total_bytes) {
    uint64_t left = 0;
    uint64_t all = 0;
    if (free_bytes == NULL && total_bytes == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "free and total are NULL");
    }
    tn_rt_error error = tn_rt_from(tarn_device_query_memory(tn_rt_current()->tarn, &left, &all));
    if (error == TN_RT_OK && free_bytes != NULL) {
        *free_bytes = (size_t)left;
    }
    if (error == TN_RT_OK && total_bytes != NULL) {
        *total_bytes = (size_t)all;
    }
    return error;
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
    return TN_HIP_CALL(measure_memory(free, total));
}

static tn_rt_error get_range(hipDeviceptr_t *base, size_t *size, const void *ptr) {
    struct tn_rt_block block;
    if (!tn_rt_block_query(ptr, &block)) {
        return tn_rt_fail(TN_RT_NOT_FOUND, "%p is not in memory of HIP", ptr);
    }
    if (base != NULL) {
        *base = (hipDeviceptr_t)(uintptr_t)block.start;
    }
    if (size != NULL) {
        *size = block.bytes;
    }
    return TN_RT_OK;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *pbase, size_t *psize, hipDeviceptr_t dptr) {
    return TN_HIP_CALL(get_range(pbase, psize, dptr));
}

static tn_rt_error get_size(const void *ptr, size_t *size) {
    TN_RT_TRY(tn_rt_check_pointer(size, "size"));
    return get_range(NULL, size, ptr) == TN_RT_OK ? TN_RT_OK : TN_RT_INVALID_VALUE;
}

hipError_t hipMemPtrGetInfo(void *ptr, size_t *size) {
    return TN_HIP_CALL(get_size(ptr, size));
}
