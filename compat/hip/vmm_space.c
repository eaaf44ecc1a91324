// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses.
#include "compat/hip/vmm.h"

// ---- hipMemAddressReserve

// What HIP 6 and 7 answer differently.
static hipError_t bad_shape(void) {
    return tn_hip_face.compat == 6 ? hipErrorOutOfMemory : hipErrorInvalidValue;
}

// The platform's granularity is that of each device of it.
static hipError_t check_shape(size_t size, size_t alignment) {
    uint64_t granularity = tn_hip_face.devices[0].info.granularity_minimum;
    if (size == 0 || size % granularity != 0) {
        return tn_hip_fail(bad_shape(), "size %zu is 0 or no multiple of the granularity %llu",
                           size, (unsigned long long)granularity);
    }
    if ((alignment & (alignment - 1)) != 0) {
        return tn_hip_fail(bad_shape(), "alignment %zu is no power of two", alignment);
    }
    return hipSuccess;
}

static hipError_t reserve(void **ptr, size_t size, size_t alignment, const void *wish,
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
    return TN_HIP_CALL(reserve(ptr, size, alignment, addr, flags));
}

// ---- hipMemAddressFree

hipError_t hipMemAddressFree(void *devPtr, size_t size) {
    return TN_HIP_VMM_CALL(devPtr, tn_hip_translate(tarn_space_release(tn_hip_addr(devPtr), size),
                                                    hipErrorInvalidValue));
}
