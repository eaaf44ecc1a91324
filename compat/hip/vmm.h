// SPDX-License-Identifier: Apache-2.0
// Conversions for virtual memory management: handles and locations, to Tarn and back. A handle of
// HIP is Tarn's number for the memory, so nothing is looked up or locked.
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

static inline tarn_addr tn_hip_addr(const void *ptr) { return (tarn_addr)(uintptr_t)ptr; }

// Returns true if the CPU can get rights to the memory of devices, which is a property of the
// platform.
static inline bool tn_hip_host_access(void) {
    return (tn_rt_devices.of[0].info.features & TARN_FEATURE_HOST_ACCESS) != 0;
}

// TN_RT_NOT_SUPPORTED if the devices of the platform have no virtual memory management.
tn_rt_error tn_hip_vmm_check(void);

// The frame of the fourteen functions, which check that before their arguments.
#define TN_HIP_VMM_CALL(work)                                                                      \
    TN_HIP_CALL(tn_hip_vmm_check() != TN_RT_OK ? TN_RT_NOT_SUPPORTED : (work))

// Converts a location. TN_RT_INVALID_VALUE: unknown type; TN_RT_INVALID_DEVICE: no device has
// that ordinal.
tn_rt_error tn_hip_location(hipMemLocation given, tarn_location *location);

// Converts it back. A device that is not visible becomes the current one.
hipMemLocation tn_hip_location_back(tarn_location location);

#endif
