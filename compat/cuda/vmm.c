// SPDX-License-Identifier: Apache-2.0
// Virtual memory, which only the driver has and which needs no context. See compat/runtime/vmm.h.
#include "compat/runtime/vmm.h"

#include <stddef.h>

#include "compat/cuda/face.h"

_Static_assert((int)CU_MEM_LOCATION_TYPE_DEVICE == (int)TARN_LOCATION_DEVICE &&
                   (int)CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT ==
                       (int)TARN_LOCATION_HOST_NUMA_CURRENT &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READWRITE == (int)TARN_ACCESS_READ_WRITE &&
                   sizeof(CUmemAccessDesc) == sizeof(struct tn_rt_access) &&
                   sizeof(CUmemAllocationProp) == sizeof(struct tn_rt_phys_prop) &&
                   offsetof(CUmemAllocationProp, allocFlags.usage) ==
                       offsetof(struct tn_rt_phys_prop, usage) &&
                   (int)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR == TN_RT_PHYS_FD,
               "properties and rights have the same layout and numbers");

TN_CU_BARE(cuMemAddressReserve, tn_rt_space_reserve, CUdeviceptr *, size_t, size_t, CUdeviceptr,
           unsigned long long)
TN_CU_BARE(cuMemAddressFree, tn_rt_space_free, CUdeviceptr, size_t)
TN_CU_BARE(cuMemMap, tn_rt_map, CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle,
           unsigned long long)
TN_CU_BARE(cuMemUnmap, tn_rt_unmap, CUdeviceptr, size_t)
TN_CU_BARE(cuMemSetAccess, tn_rt_map_set_access, CUdeviceptr, size_t, const CUmemAccessDesc *,
           size_t)

static tn_rt_error get_access(unsigned long long *flags, const CUmemLocation *location,
                              CUdeviceptr ptr) {
    if (location != NULL && location->type == CU_MEM_LOCATION_TYPE_DEVICE)
        TN_RT_TRY(tn_rt_check_device(location->id));
    return tn_rt_map_get_access(flags, location, ptr);
}

TN_CU_BARE(cuMemGetAccess, get_access, unsigned long long *, const CUmemLocation *, CUdeviceptr)

static tn_rt_error create(CUmemGenericAllocationHandle *handle, size_t size,
                          const CUmemAllocationProp *prop, unsigned long long flags) {
    TN_RT_REFUSE(prop != NULL && prop->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
                 TN_RT_INVALID_VALUE, "memory is created at a named node, not at the current one");
    return tn_rt_phys_create(handle, size, prop, flags);
}

TN_CU_BARE(cuMemCreate, create, CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
           unsigned long long)
TN_CU_BARE(cuMemRelease, tn_rt_phys_release, CUmemGenericAllocationHandle)
TN_CU_BARE(cuMemRetainAllocationHandle, tn_rt_phys_retain, CUmemGenericAllocationHandle *, void *)
TN_CU_BARE(cuMemGetAllocationPropertiesFromHandle, tn_rt_phys_properties, CUmemAllocationProp *,
           CUmemGenericAllocationHandle)
TN_CU_BARE(cuMemGetAllocationGranularity, tn_rt_phys_granularity, size_t *,
           const CUmemAllocationProp *, CUmemAllocationGranularity_flags)

TN_CU_BARE(cuMemExportToShareableHandle, tn_rt_phys_export, void *, CUmemGenericAllocationHandle,
           CUmemAllocationHandleType, unsigned long long)
TN_CU_BARE(cuMemImportFromShareableHandle, tn_rt_phys_import, CUmemGenericAllocationHandle *,
           void *, CUmemAllocationHandleType)
