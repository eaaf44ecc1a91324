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

TN_HIP_UNCAPTURED_SETTING_ROW(hipMemPoolCreate, tn_rt_pool_make, hipMemPool_t *,
                              const hipMemPoolProps *)
TN_HIP_UNCAPTURED_SETTING_ROW(hipMemPoolDestroy, tn_rt_pool_close, hipMemPool_t)
TN_HIP_ROW(hipMemPoolTrimTo, tn_rt_pool_trim, hipMemPool_t, size_t)
TN_HIP_ROW(hipMemPoolSetAttribute, tn_rt_pool_set_attribute, hipMemPool_t, hipMemPoolAttr, void *)
TN_HIP_ROW(hipMemPoolGetAttribute, tn_rt_pool_get_attribute, hipMemPool_t, hipMemPoolAttr, void *)
TN_HIP_ROW(hipMemPoolSetAccess, tn_rt_pool_set_access, hipMemPool_t, const hipMemAccessDesc *,
           size_t)
TN_HIP_ROW(hipMemPoolGetAccess, tn_rt_pool_get_access, hipMemAccessFlags *, hipMemPool_t,
           hipMemLocation *)

// ---- devices

TN_HIP_ROW(hipDeviceGetDefaultMemPool, tn_rt_pool_default_of, hipMemPool_t *, int)
TN_HIP_ROW(hipDeviceGetMemPool, tn_rt_pool_current_of, hipMemPool_t *, int)
TN_HIP_UNCAPTURED_SETTING_ROW(hipDeviceSetMemPool, tn_rt_pool_choose, int, hipMemPool_t)

// ---- blocks

TN_HIP_ROW(hipMallocAsync, tn_rt_alloc_async, void **, size_t, hipStream_t)
TN_HIP_ROW(hipMallocFromPoolAsync, tn_rt_alloc_from_pool, void **, size_t, hipMemPool_t,
           hipStream_t)

// ---- sharing

TN_HIP_ROW(hipMemPoolExportToShareableHandle, tn_rt_pool_export, void *, hipMemPool_t,
           hipMemAllocationHandleType, unsigned int)
TN_HIP_ROW(hipMemPoolImportFromShareableHandle, tn_rt_pool_import, hipMemPool_t *, void *,
           hipMemAllocationHandleType, unsigned int)
TN_HIP_ROW(hipMemPoolExportPointer, tn_rt_pool_export_pointer, hipMemPoolPtrExportData *, void *)
TN_HIP_ROW(hipMemPoolImportPointer, tn_rt_pool_import_pointer, void **, hipMemPool_t,
           hipMemPoolPtrExportData *)
