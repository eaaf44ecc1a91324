// SPDX-License-Identifier: Apache-2.0
// Virtual memory, which only the driver has and which needs no context. See compat/runtime/memory/vmm.h.
#include "compat/runtime/memory/vmm.h"

#include <stddef.h>
#include <string.h>

#include <tarn/address.h>

#include "compat/cuda/face.h"
#include "compat/runtime/memory/block.h"

_Static_assert((int)CU_MEM_LOCATION_TYPE_DEVICE == (int)TARN_LOCATION_DEVICE &&
                   (int)CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT ==
                       (int)TARN_LOCATION_HOST_NUMA_CURRENT &&
                   (int)CU_MEM_ACCESS_FLAGS_PROT_READWRITE == (int)TARN_ACCESS_READ_WRITE &&
                   sizeof(CUmemAccessDesc) == sizeof(struct tn_rt_access) &&
                   sizeof(CUmemAllocationProp) == sizeof(struct tn_rt_phys_prop) &&
                   offsetof(CUmemAllocationProp, allocFlags.usage) ==
                       offsetof(struct tn_rt_phys_prop, usage) &&
                   (int)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR == TN_RT_PHYS_FD &&
                   (int)CU_MEM_HANDLE_TYPE_FABRIC == TN_RT_PHYS_FABRIC &&
                   sizeof(CUmemFabricHandle) == 64,
               "properties and rights have the same layout and numbers");

static size_t granularity(void) { return tn_rt_devices.of[0].info.granularity_minimum; }

static tn_rt_error reserve(void **ptr, size_t size, size_t alignment, const void *wish,
                           unsigned long long flags) {
    TN_RT_REFUSE(TARN_ADDR(wish) % granularity() != 0, TN_RT_INVALID_VALUE,
                 "the wished address %p is not a multiple of %zu", wish, granularity());
    return tn_rt_space_reserve(ptr, size, alignment, wish, flags);
}

TN_CU_BARE(cuMemAddressReserve, reserve, CUdeviceptr *, pointer, size_t, size, size_t, alignment,
           CUdeviceptr, address, unsigned long long, flags)
TN_CU_BARE(cuMemAddressFree, tn_rt_space_free, CUdeviceptr, pointer, size_t, size)
TN_CU_BARE(cuMemMap, tn_rt_map, CUdeviceptr, pointer, size_t, size, size_t, offset,
           CUmemGenericAllocationHandle, handle, unsigned long long, flags)
TN_CU_BARE(cuMemUnmap, tn_rt_unmap, CUdeviceptr, pointer, size_t, size)
TN_CU_BARE(cuMemSetAccess, tn_rt_map_set_access, CUdeviceptr, pointer, size_t, size,
           const CUmemAccessDesc *, descriptor, size_t, count)

// Memory that is no mapping has rights, which cannot be changed.
static tn_rt_error get_access(unsigned long long *flags, const CUmemLocation *location,
                              CUdeviceptr ptr) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    struct tn_rt_block block;
    bool of_device = location != NULL && location->type == CU_MEM_LOCATION_TYPE_DEVICE;
    if (of_device) TN_RT_TRY(tn_rt_check_device(location->id));
    if (of_device && flags != NULL && tn_rt_block_query(ptr, &block) &&
        block.kind != TN_RT_BLOCK_MAPPED) {
        int number = tn_rt_device(location->id)->number;
        TN_RT_TRY(tn_rt_error_of(tarn_address_query(TARN_ADDR(ptr), &info)));
        *flags = (info.readable >> number & 1) | (info.writable >> number & 1) << 1;
        return TN_RT_OK;
    }
    return tn_rt_map_get_access(flags, location, ptr);
}

TN_CU_BARE(cuMemGetAccess, get_access, unsigned long long *, flags, const CUmemLocation *, location,
           CUdeviceptr, pointer)

tn_rt_error tn_cu_check_handle_types(unsigned types) {
    const unsigned known = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC;
    TN_RT_REFUSE((types & ~known) != 0, TN_RT_INVALID_VALUE, "handle types 0x%x", types);
    return TN_RT_OK;
}

static tn_rt_error check_prop(size_t size, const CUmemAllocationProp *prop) {
    static const unsigned char zeros[sizeof prop->allocFlags.reserved] = {0};
    TN_RT_REFUSE(prop->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, TN_RT_INVALID_VALUE,
                 "memory is created at a named node, not at the current one");
    TN_RT_REFUSE(size % granularity() != 0, TN_RT_INVALID_VALUE,
                 "%zu bytes, a multiple of %zu is needed", size, granularity());
    TN_RT_REFUSE(prop->allocFlags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC ||
                     memcmp(prop->allocFlags.reserved, zeros, sizeof zeros) != 0,
                 TN_RT_INVALID_VALUE, "compression %u, or reserved bytes are set",
                 prop->allocFlags.compressionType);
    return tn_cu_check_handle_types(prop->requestedHandleTypes);
}

static tn_rt_error create(CUmemGenericAllocationHandle *handle, size_t size,
                          const CUmemAllocationProp *prop, unsigned long long flags) {
    if (prop != NULL) TN_RT_TRY(check_prop(size, prop));
    return tn_rt_phys_create(handle, size, prop, flags);
}

TN_CU_BARE(cuMemCreate, create, CUmemGenericAllocationHandle *, handle, size_t, size,
           const CUmemAllocationProp *, properties, unsigned long long, flags)
TN_CU_BARE(cuMemRelease, tn_rt_phys_release, CUmemGenericAllocationHandle, handle)
TN_CU_BARE(cuMemRetainAllocationHandle, tn_rt_phys_retain, CUmemGenericAllocationHandle *, handle,
           void *, address)
TN_CU_BARE(cuMemGetAllocationPropertiesFromHandle, tn_rt_phys_properties, CUmemAllocationProp *,
           properties, CUmemGenericAllocationHandle, handle)
TN_CU_BARE(cuMemGetAllocationGranularity, tn_rt_phys_granularity, size_t *, granularity,
           const CUmemAllocationProp *, properties, CUmemAllocationGranularity_flags, option)

TN_CU_BARE(cuMemExportToShareableHandle, tn_rt_phys_export, void *, shareable,
           CUmemGenericAllocationHandle, handle, CUmemAllocationHandleType, type,
           unsigned long long, flags)
static tn_rt_error import(CUmemGenericAllocationHandle *handle, void *given, unsigned type) {
    TN_RT_REFUSE(type == CU_MEM_HANDLE_TYPE_NONE, TN_RT_INVALID_VALUE, "no type of handle");
    TN_RT_TRY(tn_cu_check_handle_types(type));
    return tn_rt_phys_import(handle, given, type);
}

TN_CU_BARE(cuMemImportFromShareableHandle, import, CUmemGenericAllocationHandle *, handle, void *,
           os_handle, CUmemAllocationHandleType, type)
