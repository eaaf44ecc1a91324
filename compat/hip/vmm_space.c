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
    hipError_t error = check_shape(size, alignment);
    if (error != hipSuccess) {
        return error;
    }
    tarn_addr addr = 0;
    error = tn_hip_from(
        tarn_space_reserve(tn_hip_face.devices[0].tarn, size, alignment, tn_hip_addr(wish), &addr));
    if (error == hipSuccess || error == hipErrorOutOfMemory) {
        *ptr = (void *)(uintptr_t)addr;
    }
    return error;
}

hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                unsigned long long flags) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = reserve(ptr, size, alignment, addr, flags);
    }
    return tn_hip_leave(error, __func__);
}

// ---- hipMemAddressFree

hipError_t hipMemAddressFree(void *devPtr, size_t size) {
    hipError_t error = tn_hip_vmm_enter(devPtr);
    if (error == hipSuccess) {
        error =
            tn_hip_translate(tarn_space_release(tn_hip_addr(devPtr), size), hipErrorInvalidValue);
    }
    return tn_hip_leave(error, __func__);
}
