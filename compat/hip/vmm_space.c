// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses. The file has no state, so any thread may call its functions.
#include "compat/hip/vmm.h"

// ---- hipMemAddressReserve

// The error of a bad size differs between HIP 6 and 7.
static hipError_t shape_error(void) {
    return tn_hip_face.compat == 6 ? hipErrorOutOfMemory : hipErrorInvalidValue;
}

// All devices of a platform have the same granularity.
static hipError_t check_shape(size_t size, size_t alignment) {
    uint64_t granularity = tn_hip_face.devices[0].info.granularity_minimum;
    if (size == 0 || size % granularity != 0) {
        return tn_hip_fail(shape_error(), "size %zu is 0 or not a multiple of the granularity %llu",
                           size, (unsigned long long)granularity);
    }
    if ((alignment & (alignment - 1)) != 0) {
        return tn_hip_fail(shape_error(), "alignment %zu is not a power of two", alignment);
    }
    return hipSuccess;
}

static hipError_t reserve_range(void **ptr, size_t size, size_t alignment, const void *wish,
                                unsigned long long flags) {
    if (ptr == NULL || flags != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "ptr %p, flags 0x%llx", (void *)ptr, flags);
    }
    TN_HIP_TRY(check_shape(size, alignment));
    tarn_addr addr = 0;
    hipError_t error = tn_hip_from(
        tarn_space_reserve(tn_hip_face.devices[0].tarn, size, alignment, tn_hip_addr(wish), &addr));
    if (error == hipSuccess || error == hipErrorOutOfMemory) {
        *ptr = (void *)(uintptr_t)addr;
    }
    return error;
}

hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                unsigned long long flags) {
    return TN_HIP_VMM_CALL(reserve_range(ptr, size, alignment, addr, flags));
}

// ---- hipMemAddressFree

static hipError_t free_range(const void *ptr, size_t size) {
    return tn_hip_translate(tarn_space_release(tn_hip_addr(ptr), size), hipErrorInvalidValue);
}

hipError_t hipMemAddressFree(void *devPtr, size_t size) {
    return TN_HIP_VMM_CALL(free_range(devPtr, size));
}
