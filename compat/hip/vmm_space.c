// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses. The file has no state, so any thread may call its functions.
#include "compat/hip/vmm.h"

// ---- hipMemAddressReserve

// All devices of a platform have the same granularity.
static tn_rt_error check_shape(size_t size, size_t alignment) {
    uint64_t granularity = tn_rt_devices.of[0].info.granularity_minimum;
    if (size == 0 || size % granularity != 0) {
        return tn_rt_fail(tn_rt_policy.range_error,
                          "size %zu is 0 or not a multiple of the granularity %llu", size,
                          (unsigned long long)granularity);
    }
    if ((alignment & (alignment - 1)) != 0) {
        return tn_rt_fail(tn_rt_policy.range_error, "alignment %zu is not a power of two",
                          alignment);
    }
    return TN_RT_OK;
}

static tn_rt_error reserve_range(void **ptr, size_t size, size_t alignment, const void *wish,
                                 unsigned long long flags) {
    if (ptr == NULL || flags != 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "ptr %p, flags 0x%llx", (void *)ptr, flags);
    TN_RT_TRY(check_shape(size, alignment));
    tarn_addr addr = 0;
    tn_rt_error error = tn_rt_from(
        tarn_space_reserve(tn_rt_devices.of[0].tarn, size, alignment, tn_hip_addr(wish), &addr));
    if (error == TN_RT_OK || error == TN_RT_OUT_OF_MEMORY) *ptr = (void *)(uintptr_t)addr;
    return error;
}

hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                unsigned long long flags) {
    return TN_HIP_VMM_CALL(reserve_range(ptr, size, alignment, addr, flags));
}

// ---- hipMemAddressFree

static tn_rt_error free_range(const void *ptr, size_t size) {
    return tn_rt_translate(tarn_space_release(tn_hip_addr(ptr), size), TN_RT_INVALID_VALUE);
}

hipError_t hipMemAddressFree(void *devPtr, size_t size) {
    return TN_HIP_VMM_CALL(free_range(devPtr, size));
}
