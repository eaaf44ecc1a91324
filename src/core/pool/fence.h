// SPDX-License-Identifier: Apache-2.0
// Creation of a fence, a pool for finding errors in which each block has pages of its own
// (fence.c). Its record is that of a FIXED pool over the reservation, without a block in it.
#ifndef TARN_CORE_POOL_FENCE_H
#define TARN_CORE_POOL_FENCE_H

#include <tarn/pool.h>

struct tn_pool_fence;

// Writes the fence flags for a pool of this description: its own, or those of the environment where
// the pool can have a fence. BAD_CONFIG: the environment's text. UNSUPPORTED: the flags of a pool
// that cannot have a fence.
tarn_status tn_fence_wanted(const tarn_pool_desc *desc, uint32_t *flags);

// Reserves the range and makes `desc` the description of a FIXED pool over it.
tarn_status tn_fence_create(tarn_pool_desc *desc, uint32_t flags, struct tn_pool_fence **fence);

// Sets the pool's operations to those of the fence, and ends the fence when no block is live.
void tn_fence_attach(struct tn_pool_fence *fence, tarn_pool *pool);
void tn_fence_finish(tarn_pool *pool);

// Hides the pool from address queries, which no longer run afterwards.
void tn_fence_detach(struct tn_pool_fence *fence);

// Releases the range of a fence without a block.
void tn_fence_destroy(struct tn_pool_fence *fence);

#endif
