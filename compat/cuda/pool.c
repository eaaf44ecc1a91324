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

TN_CU_BOTH_BARE(cuMemPoolCreate, cudaMemPoolCreate, make_pool, CUmemoryPool *, pool,
                const CUmemPoolProps *, properties)

// ---- blocks

TN_CU_STREAM(cuMemAllocAsync, cuMemAllocAsync_ptsz, tn_rt_alloc_async, CUdeviceptr *, address,
             size_t, size, CUstream, stream)
TN_CU_STREAM(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz, tn_rt_alloc_from_pool,
             CUdeviceptr *, address, size_t, size, CUmemoryPool, pool, CUstream, stream)
TN_CU_STREAM(cuMemFreeAsync, cuMemFreeAsync_ptsz, tn_rt_free_async, CUdeviceptr, address, CUstream,
             stream)

// ---- sharing

TN_CU_BARE(cuMemPoolExportToShareableHandle, tn_rt_pool_export, void *, handle, CUmemoryPool, pool,
           CUmemAllocationHandleType, type, unsigned long long, flags)
TN_CU_BARE(cuMemPoolImportFromShareableHandle, tn_rt_pool_import, CUmemoryPool *, pool, void *,
           handle, CUmemAllocationHandleType, type, unsigned long long, flags)
