// SPDX-License-Identifier: Apache-2.0
// What the files of virtual memory management share: handles and locations, to Tarn and back. A
// handle of HIP is Tarn's number for the memory, so there is nothing to look up and nothing to
// lock.
#ifndef TARN_COMPAT_HIP_VMM_H
#define TARN_COMPAT_HIP_VMM_H

#include <hip/detail/vmm.h>

#include "compat/hip/face.h"

static inline tarn_phys tn_hip_phys_of(hipMemGenericAllocationHandle_t handle) {
    return (tarn_phys)(uintptr_t)handle;
}

static inline hipMemGenericAllocationHandle_t tn_hip_phys_handle(tarn_phys phys) {
    return (hipMemGenericAllocationHandle_t)(uintptr_t)phys;
}

static inline tarn_addr tn_hip_addr(const void *ptr) {
    return (tarn_addr)(uintptr_t)ptr;
}

// The frame of functions that change what is mapped at `ptr`: memory of a pool is refused with
// hipErrorInvalidValue.
hipError_t tn_hip_vmm_check(const void *ptr);
#define TN_HIP_VMM_CALL(ptr, work)                                                                 \
    TN_HIP_CALL(tn_hip_vmm_check(ptr) != hipSuccess ? hipErrorInvalidValue : (work))

// The CPU can be given rights to devices' memory. One answer for the platform.
static inline bool tn_hip_host_access(void) {
    return (tn_hip_face.devices[0].info.features & TARN_FEATURE_HOST_ACCESS) != 0;
}

// The same location with the device's number on the platform. hipErrorInvalidValue: a type that is
// none; hipErrorInvalidDevice: no device has that ordinal. With a text.
hipError_t tn_hip_location(hipMemLocation given, tarn_location *location);

// Back again; a device that is not visible is the current one.
hipMemLocation tn_hip_location_back(tarn_location location);

#endif
