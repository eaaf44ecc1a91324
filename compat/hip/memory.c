// SPDX-License-Identifier: Apache-2.0
// Device memory with an address: allocated, freed, measured.
#include <hip/detail/memory.h>

#include <limits.h>

#include "compat/hip/array.h"
#include "compat/hip/memory.h"
#include "compat/hip/pool.h"

#define PITCH_ALIGNMENT ((size_t)256)

// What lies free in pools is the device's too.
static tarn_status take(const struct tn_hip_device *device, size_t size, tarn_addr *addr) {
    tarn_status status = tarn_memory_alloc(device->tarn, size, addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_hip_pool_relieve(device)) {
        status = tarn_memory_alloc(device->tarn, size, addr);
    }
    return status;
}

static hipError_t alloc(void **ptr, size_t size, unsigned flags) {
    if (ptr == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "ptr is NULL");
    }
    if (size == 0) {
        *ptr = NULL;
        return hipSuccess;
    }
    struct tn_hip_block *block = tn_hip_block_new(TN_HIP_BLOCK_DEVICE, size, flags);
    if (block == NULL) {
        return hipErrorOutOfMemory;
    }
    tarn_addr addr = 0;
    tarn_status status = take(block->device, size, &addr);
    if (status != TARN_OK) {
        tn_hip_block_free(block);
        return tn_hip_from(status);
    }
    tn_hip_block_insert(block, (uintptr_t)addr);
    *ptr = (void *)(uintptr_t)addr;
    return hipSuccess;
}

hipError_t hipMalloc(void **ptr, size_t size) {
    return TN_HIP_UNCAPTURED_CALL(alloc(ptr, size, hipDeviceMallocDefault));
}

static hipError_t alloc_with_flags(void **ptr, size_t size, unsigned flags) {
    if (flags > hipDeviceMallocContiguous) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x are not one that is known", flags);
    }
    if (flags == hipMallocSignalMemory && size != 8) {
        return tn_hip_fail(hipErrorInvalidValue, "a signal of %zu bytes, 8 is what it takes", size);
    }
    return alloc(ptr, size, flags);
}

hipError_t hipExtMallocWithFlags(void **ptr, size_t sizeBytes, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_with_flags(ptr, sizeBytes, flags));
}

// ---- rows and slices

static hipError_t alloc_box(void **ptr, size_t *pitch, hipExtent extent) {
    if (extent.width > SIZE_MAX - (PITCH_ALIGNMENT - 1)) {
        return tn_hip_fail(hipErrorInvalidValue, "rows of %zu bytes", extent.width);
    }
    size_t row = (extent.width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    size_t slice = 0;
    size_t bytes = 0;
    if (__builtin_mul_overflow(row, extent.height, &slice) ||
        __builtin_mul_overflow(slice, extent.depth, &bytes)) {
        return tn_hip_fail(hipErrorOutOfMemory, "%zu slices of %zu rows of %zu bytes", extent.depth,
                           extent.height, row);
    }
    TN_HIP_TRY(alloc(ptr, bytes, hipDeviceMallocDefault));
    *pitch = row;
    return hipSuccess;
}

static hipError_t alloc_rows(void **ptr, size_t *pitch, size_t width, size_t height) {
    if (ptr == NULL || pitch == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL", ptr == NULL ? "ptr" : "pitch");
    }
    return alloc_box(ptr, pitch, make_hipExtent(width, height, 1));
}

hipError_t hipMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
    return TN_HIP_UNCAPTURED_CALL(alloc_rows(ptr, pitch, width, height));
}

static hipError_t alloc_element_rows(void **ptr, size_t *pitch, size_t width, size_t height,
                                     unsigned element_bytes) {
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) {
        return tn_hip_fail(hipErrorInvalidValue, "elementSizeBytes %u is not 4, 8 or 16",
                           element_bytes);
    }
    return alloc_rows(ptr, pitch, width, height);
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *dptr, size_t *pitch, size_t widthInBytes, size_t height,
                            unsigned int elementSizeBytes) {
    return TN_HIP_UNCAPTURED_CALL(
        alloc_element_rows(dptr, pitch, widthInBytes, height, elementSizeBytes));
}

static hipError_t alloc_slices(hipPitchedPtr *pitched, hipExtent extent) {
    void *ptr = NULL;
    size_t pitch = 0;
    if (pitched == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "pitchedDevPtr is NULL");
    }
    TN_HIP_TRY(alloc_box(&ptr, &pitch, extent));
    *pitched = make_hipPitchedPtr(ptr, pitch, extent.width, extent.height);
    return hipSuccess;
}

hipError_t hipMalloc3D(hipPitchedPtr *pitchedDevPtr, hipExtent extent) {
    return TN_HIP_UNCAPTURED_CALL(alloc_slices(pitchedDevPtr, extent));
}

// ---- freeing

hipError_t tn_hip_memory_end(struct tn_hip_block *block) {
    if (block->kind == TN_HIP_BLOCK_POOLED) {
        return tn_hip_pool_end_block(block);
    }
    tarn_status status = block->kind == TN_HIP_BLOCK_MANAGED ? tarn_host_free((void *)block->start)
                                                             : tarn_memory_free(block->start, 0);
    if (status != TARN_OK) {
        tn_hip_block_insert(block, block->start);
        return tn_hip_from(status);
    }
    tn_hip_block_free(block);
    return hipSuccess;
}

static hipError_t free_memory(void *ptr) {
    if (ptr == NULL) {
        return hipSuccess;
    }
    struct tn_hip_block *block =
        tn_hip_block_take(ptr, TN_HIP_BLOCK_DEVICE | TN_HIP_BLOCK_MANAGED | TN_HIP_BLOCK_POOLED);
    return block != NULL ? tn_hip_memory_end(block) : hipErrorInvalidValue;
}

hipError_t hipFree(void *ptr) {
    return TN_HIP_UNCAPTURED_CALL(free_memory(ptr));
}

// ---- measuring

static hipError_t measure(size_t *free_bytes, size_t *total_bytes) {
    uint64_t left = 0;
    uint64_t all = 0;
    if (free_bytes == NULL && total_bytes == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "free and total are NULL");
    }
    hipError_t error = tn_hip_from(tarn_device_query_memory(tn_hip_current()->tarn, &left, &all));
    if (error == hipSuccess && free_bytes != NULL) {
        *free_bytes = (size_t)left;
    }
    if (error == hipSuccess && total_bytes != NULL) {
        *total_bytes = (size_t)all;
    }
    return error;
}

hipError_t hipMemGetInfo(size_t *free, size_t *total) {
    return TN_HIP_CALL(measure(free, total));
}

static hipError_t tell_range(hipDeviceptr_t *base, size_t *size, const void *ptr) {
    struct tn_hip_block block;
    if (!tn_hip_block_look(ptr, &block)) {
        return tn_hip_fail(hipErrorNotFound, "%p is in no memory of HIP", ptr);
    }
    if (base != NULL) {
        *base = (hipDeviceptr_t)block.start;
    }
    if (size != NULL) {
        *size = block.bytes;
    }
    return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *pbase, size_t *psize, hipDeviceptr_t dptr) {
    return TN_HIP_CALL(tell_range(pbase, psize, dptr));
}

static hipError_t get_size(const void *ptr, size_t *size) {
    TN_HIP_TRY(tn_hip_check_pointer(size, "size"));
    return tell_range(NULL, size, ptr) == hipSuccess ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipMemPtrGetInfo(void *ptr, size_t *size) {
    return TN_HIP_CALL(get_size(ptr, size));
}

// ---- reset

static bool goes(const struct tn_hip_block *block, const void *device) {
    const unsigned kinds =
        TN_HIP_BLOCK_DEVICE | TN_HIP_BLOCK_MANAGED | TN_HIP_BLOCK_POOLED | TN_HIP_BLOCK_OPENED;
    return block->device == device && (block->kind & kinds) != 0;
}

void tn_hip_memory_reset(struct tn_hip_device *device) {
    struct tn_hip_block *block;
    hipError_t error = hipSuccess;
    while (error == hipSuccess && (block = tn_hip_block_take_any(goes, device)) != NULL) {
        error =
            block->kind == TN_HIP_BLOCK_OPENED ? tn_hip_ipc_end(block) : tn_hip_memory_end(block);
    }
}
