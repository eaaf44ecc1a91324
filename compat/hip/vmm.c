// SPDX-License-Identifier: Apache-2.0
// HIP's functions for virtual memory. See compat/runtime/memory/vmm.h.
#include <stddef.h>

#include <hip/detail/memory.h>
#include <hip/detail/vmm.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory/vmm.h"

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

TN_HIP_ROW(hipMemAddressReserve, tn_rt_space_reserve, void **, ptr, size_t, size, size_t, alignment,
           void *, addr, unsigned long long, flags)
TN_HIP_ROW(hipMemAddressFree, tn_rt_space_free, void *, devPtr, size_t, size)
TN_HIP_ROW(hipMemMap, tn_rt_map, void *, ptr, size_t, size, size_t, offset,
           hipMemGenericAllocationHandle_t, handle, unsigned long long, flags)
TN_HIP_ROW(hipMemUnmap, tn_rt_unmap, void *, ptr, size_t, size)
TN_HIP_ROW(hipMemSetAccess, tn_rt_map_set_access, void *, ptr, size_t, size,
           const hipMemAccessDesc *, desc, size_t, count)
TN_HIP_ROW(hipMemGetAccess, tn_rt_map_get_access, unsigned long long *, flags,
           const hipMemLocation *, location, void *, ptr)

// ---- physical memory

TN_HIP_ROW(hipMemCreate, tn_rt_phys_create, hipMemGenericAllocationHandle_t *, handle, size_t, size,
           const hipMemAllocationProp *, prop, unsigned long long, flags)
TN_HIP_ROW(hipMemRelease, tn_rt_phys_release, hipMemGenericAllocationHandle_t, handle)
TN_HIP_ROW(hipMemRetainAllocationHandle, tn_rt_phys_retain, hipMemGenericAllocationHandle_t *,
           handle, void *, addr)
TN_HIP_ROW(hipMemGetAllocationPropertiesFromHandle, tn_rt_phys_properties, hipMemAllocationProp *,
           prop, hipMemGenericAllocationHandle_t, handle)
TN_HIP_ROW(hipMemGetAllocationGranularity, tn_rt_phys_granularity, size_t *, granularity,
           const hipMemAllocationProp *, prop, hipMemAllocationGranularity_flags, option)

// ---- sharing

TN_HIP_ROW(hipMemExportToShareableHandle, tn_rt_phys_export, void *, shareableHandle,
           hipMemGenericAllocationHandle_t, handle, hipMemAllocationHandleType, handleType,
           unsigned long long, flags)
TN_HIP_ROW(hipMemImportFromShareableHandle, tn_rt_phys_import, hipMemGenericAllocationHandle_t *,
           handle, void *, osHandle, hipMemAllocationHandleType, shHandleType)
TN_HIP_ROW(hipMemGetHandleForAddressRange, tn_rt_phys_export_range, void *, handle, hipDeviceptr_t,
           dptr, size_t, size, hipMemRangeHandleType, handleType, unsigned long long, flags)
