// SPDX-License-Identifier: Apache-2.0
// HIP's functions about pools: creation, attributes, rights, blocks, the pool that a device uses,
// and pools that processes share. See compat/runtime/pool.h.
#include <stddef.h>

#include <hip/detail/pool.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"
#include "compat/runtime/pool.h"

_Static_assert(sizeof(hipMemPoolProps) == sizeof(struct tn_rt_pool_props) &&
                   offsetof(hipMemPoolProps, maxSize) == offsetof(struct tn_rt_pool_props, limit) &&
                   sizeof(hipMemPoolPtrExportData) == sizeof(struct tn_rt_pool_pointer) &&
                   (int)hipMemPoolReuseFollowEventDependencies == TN_RT_POOL_FOLLOW_EVENTS &&
                   (int)hipMemPoolAttrUsedMemHigh == TN_RT_POOL_USED_HIGH,
               "descriptions and attributes have the same layout and numbers");

hipError_t hipMemPoolCreate(hipMemPool_t *mem_pool, const hipMemPoolProps *pool_props) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(tn_rt_pool_make(mem_pool, pool_props));
}

hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(tn_rt_pool_close(mem_pool));
}

hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold) {
    return TN_HIP_CALL(tn_rt_pool_trim(mem_pool, min_bytes_to_hold));
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
    return TN_HIP_CALL(tn_rt_pool_set_attribute(mem_pool, (int)attr, value));
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void *value) {
    return TN_HIP_CALL(tn_rt_pool_get_attribute(mem_pool, (int)attr, value));
}

hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc *desc_list,
                               size_t count) {
    return TN_HIP_CALL(tn_rt_pool_set_access(mem_pool, desc_list, count));
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t mem_pool,
                               hipMemLocation *location) {
    return TN_HIP_CALL(tn_rt_pool_get_access(flags, mem_pool, location));
}

// ---- devices

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *mem_pool, int device) {
    return TN_HIP_CALL(tn_rt_pool_default_of(mem_pool, device));
}

hipError_t hipDeviceGetMemPool(hipMemPool_t *mem_pool, int device) {
    return TN_HIP_CALL(tn_rt_pool_current_of(mem_pool, device));
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(tn_rt_pool_choose(device, mem_pool));
}

// ---- blocks

hipError_t hipMallocAsync(void **dev_ptr, size_t size, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_alloc_async(dev_ptr, size, stream));
}

hipError_t hipMallocFromPoolAsync(void **dev_ptr, size_t size, hipMemPool_t mem_pool,
                                  hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_alloc_from_pool(dev_ptr, size, mem_pool, stream));
}

// ---- sharing

hipError_t hipMemPoolExportToShareableHandle(void *shared_handle, hipMemPool_t mem_pool,
                                             hipMemAllocationHandleType handle_type,
                                             unsigned int flags) {
    return TN_HIP_CALL(tn_rt_pool_export(shared_handle, mem_pool, (unsigned)handle_type, flags));
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *mem_pool, void *shared_handle,
                                               hipMemAllocationHandleType handle_type,
                                               unsigned int flags) {
    return TN_HIP_CALL(tn_rt_pool_import(mem_pool, shared_handle, (unsigned)handle_type, flags));
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *export_data, void *dev_ptr) {
    return TN_HIP_CALL(tn_rt_pool_export_pointer(export_data, dev_ptr));
}

hipError_t hipMemPoolImportPointer(void **dev_ptr, hipMemPool_t mem_pool,
                                   hipMemPoolPtrExportData *export_data) {
    return TN_HIP_CALL(tn_rt_pool_import_pointer(dev_ptr, mem_pool, export_data));
}
