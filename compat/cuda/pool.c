// SPDX-License-Identifier: Apache-2.0
// Pools, which both APIs share, and the blocks in them. See compat/runtime/memory/pool.h.
#include "compat/runtime/memory/pool.h"

#include <stddef.h>

#include "compat/cuda/face.h"
#include "compat/runtime/memory/memory.h"

_Static_assert(sizeof(CUmemPoolProps) == sizeof(struct tn_rt_pool_props) &&
                   offsetof(CUmemPoolProps, maxSize) == offsetof(struct tn_rt_pool_props, limit) &&
                   sizeof(CUmemPoolPtrExportData) == sizeof(struct tn_rt_pool_pointer) &&
                   (int)CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES ==
                       TN_RT_POOL_FOLLOW_EVENTS &&
                   (int)CU_MEMPOOL_ATTR_USED_MEM_HIGH == TN_RT_POOL_USED_HIGH,
               "descriptions and attributes have the same layout and numbers");

static tn_rt_error make_pool(CUmemoryPool *pool, const CUmemPoolProps *props) {
    if (props != NULL) TN_RT_TRY(tn_cu_check_handle_types(props->handleTypes));
    return tn_rt_pool_make(pool, props);
}

TN_CU_BOTH_BARE(MemPoolCreate, make_pool, CUmemoryPool *, const CUmemPoolProps *)

// ---- blocks

TN_CU_STREAM(cuMemAllocAsync, tn_rt_alloc_async, CUdeviceptr *, size_t, CUstream)
TN_CU_STREAM(cuMemAllocFromPoolAsync, tn_rt_alloc_from_pool, CUdeviceptr *, size_t, CUmemoryPool,
             CUstream)
TN_CU_STREAM(cuMemFreeAsync, tn_rt_free_async, CUdeviceptr, CUstream)

// ---- sharing

TN_CU_BARE(cuMemPoolExportToShareableHandle, tn_rt_pool_export, void *, CUmemoryPool,
           CUmemAllocationHandleType, unsigned long long)
TN_CU_BARE(cuMemPoolImportFromShareableHandle, tn_rt_pool_import, CUmemoryPool *, void *,
           CUmemAllocationHandleType, unsigned long long)
