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

// ---- devices

TN_HIP_UNCAPTURED_SETTING_ROW(hipDeviceSetMemPool, tn_rt_pool_choose, int, hipMemPool_t)

// ---- blocks

TN_HIP_ROW(hipMallocAsync, tn_rt_alloc_async, void **, size_t, hipStream_t)
TN_HIP_ROW(hipMallocFromPoolAsync, tn_rt_alloc_from_pool, void **, size_t, hipMemPool_t,
           hipStream_t)
