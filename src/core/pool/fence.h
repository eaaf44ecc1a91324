// SPDX-License-Identifier: Apache-2.0
// A fence: a pool for finding errors, in which each block has pages of its own. The block lies at
// their end, what follows is never mapped, and after the free nothing is mapped there either, so
// that a stray access faults at once with no instrumentation. The addresses of freed blocks come
// last: only when the whole reservation was used once are they given out again.
//
// A fence belongs to a pool, whose record is a FIXED one over the reservation without a block in
// it. Any thread; the pool's growth lock guards the records.
#ifndef TARN_CORE_POOL_FENCE_H
#define TARN_CORE_POOL_FENCE_H

#include <tarn/pool.h>

struct tn_pool_fence;

// What a pool of this description should be: by its flags, else by the environment where it can.
// BAD_CONFIG: the environment's text. UNSUPPORTED: the flag for a pool that cannot be.
tarn_status tn_fence_wanted(const tarn_pool_desc *desc, uint32_t *flags);

// Reserves the range and makes `desc` the description of a FIXED pool over it.
tarn_status tn_fence_create(tarn_pool_desc *desc, uint32_t flags, struct tn_pool_fence **fence);

// No block is live.
void tn_fence_destroy(struct tn_pool_fence *fence);

// The public calls of a pool that has a fence; what needs no state has been checked.
tarn_status tn_fence_alloc(tarn_pool *pool, const tarn_pool_request *request, tarn_addr *addr);
tarn_status tn_fence_free(tarn_pool *pool, tarn_addr addr);
tarn_status tn_fence_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream);
tarn_status tn_fence_query(tarn_pool *pool, tarn_addr addr, tarn_block *block);
void tn_fence_walk(tarn_pool *pool, bool (*visit)(const tarn_block *, void *), void *arg);
void tn_fence_stats(tarn_pool *pool, tarn_pool_stats *stats);
void tn_fence_reset(tarn_pool *pool);
void tn_fence_reset_peaks(tarn_pool *pool, uint32_t which);
bool tn_fence_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user);

#endif
