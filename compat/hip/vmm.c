// SPDX-License-Identifier: Apache-2.0
// HIP's functions for virtual memory. See compat/runtime/vmm.h.
#include <stddef.h>

#include <hip/detail/memory.h>
#include <hip/detail/vmm.h>

#include "compat/hip/face.h"
#include "compat/runtime/vmm.h"

_Static_assert(sizeof(hipMemGenericAllocationHandle_t) == sizeof(tarn_phys),
               "a handle is a number");
_Static_assert((int)hipMemLocationTypeDevice == (int)TARN_LOCATION_DEVICE &&
                   (int)hipMemLocationTypeHost == (int)TARN_LOCATION_HOST &&
                   (int)hipMemLocationTypeHostNuma == (int)TARN_LOCATION_HOST_NUMA &&
                   (int)hipMemLocationTypeHostNumaCurrent == (int)TARN_LOCATION_HOST_NUMA_CURRENT,
               "locations have the same numbers");
_Static_assert((int)hipMemAccessFlagsProtNone == (int)TARN_ACCESS_NONE &&
                   (int)hipMemAccessFlagsProtRead == (int)TARN_ACCESS_READ &&
                   (int)hipMemAccessFlagsProtReadWrite == (int)TARN_ACCESS_READ_WRITE &&
                   sizeof(hipMemAccessDesc) == sizeof(struct tn_rt_access) &&
                   sizeof(hipMemLocation) == sizeof(struct tn_rt_location),
               "rights have the same layout and numbers");
_Static_assert(sizeof(hipMemAllocationProp) == sizeof(struct tn_rt_phys_prop) &&
                   offsetof(hipMemAllocationProp, location) ==
                       offsetof(struct tn_rt_phys_prop, location) &&
                   offsetof(hipMemAllocationProp, allocFlags.usage) ==
                       offsetof(struct tn_rt_phys_prop, usage) &&
                   (int)hipMemAllocationTypePinned == TN_RT_PHYS_PINNED &&
                   (int)hipMemAllocationTypeManaged == TN_RT_PHYS_MANAGED &&
                   (int)hipMemHandleTypePosixFileDescriptor == TN_RT_PHYS_FD &&
                   (int)hipMemRangeHandleTypeDmaBufFd == TN_RT_PHYS_FD &&
                   hipExtMemCreateUsageTilePool == TN_RT_PHYS_TILES &&
                   (int)hipMemAllocationGranularityMinimum == 0 &&
                   (int)hipMemAllocationGranularityRecommended == 1,
               "properties have the same layout and numbers");

// ---- ranges and mappings

hipError_t hipMemAddressReserve(void **ptr, size_t size, size_t alignment, void *addr,
                                unsigned long long flags) {
    return TN_HIP_CALL(tn_rt_space_reserve(ptr, size, alignment, addr, flags));
}

hipError_t hipMemAddressFree(void *devPtr, size_t size) {
    return TN_HIP_CALL(tn_rt_space_free(devPtr, size));
}

hipError_t hipMemMap(void *ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
    return TN_HIP_CALL(tn_rt_map(ptr, size, offset, handle, flags));
}

hipError_t hipMemUnmap(void *ptr, size_t size) { return TN_HIP_CALL(tn_rt_unmap(ptr, size)); }

hipError_t hipMemSetAccess(void *ptr, size_t size, const hipMemAccessDesc *desc, size_t count) {
    return TN_HIP_CALL(tn_rt_map_set_access(ptr, size, desc, count));
}

hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location, void *ptr) {
    return TN_HIP_CALL(tn_rt_map_get_access(flags, location, ptr));
}

// ---- physical memory

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                        const hipMemAllocationProp *prop, unsigned long long flags) {
    return TN_HIP_CALL(tn_rt_phys_create(handle, size, prop, flags));
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
    return TN_HIP_CALL(tn_rt_phys_release(handle));
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *addr) {
    return TN_HIP_CALL(tn_rt_phys_retain(handle, addr));
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop,
                                                   hipMemGenericAllocationHandle_t handle) {
    return TN_HIP_CALL(tn_rt_phys_properties(prop, handle));
}

hipError_t hipMemGetAllocationGranularity(size_t *granularity, const hipMemAllocationProp *prop,
                                          hipMemAllocationGranularity_flags option) {
    return TN_HIP_CALL(tn_rt_phys_granularity(granularity, prop, (int)option));
}

// ---- sharing

hipError_t hipMemExportToShareableHandle(void *shareableHandle,
                                         hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType handleType,
                                         unsigned long long flags) {
    return TN_HIP_CALL(tn_rt_phys_export(shareableHandle, handle, (unsigned)handleType, flags));
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *osHandle,
                                           hipMemAllocationHandleType shHandleType) {
    return TN_HIP_CALL(tn_rt_phys_import(handle, osHandle, (unsigned)shHandleType));
}

hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t dptr, size_t size,
                                          hipMemRangeHandleType handleType,
                                          unsigned long long flags) {
    return TN_HIP_CALL(tn_rt_phys_export_range(handle, dptr, size, (unsigned)handleType, flags));
}
