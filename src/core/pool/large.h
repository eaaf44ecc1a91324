// SPDX-License-Identifier: Apache-2.0
// The hot part of large.c, for the call that allocates a million times a second.
#ifndef TARN_CORE_POOL_LARGE_H
#define TARN_CORE_POOL_LARGE_H

#include "core/pool/piece.h"
#include "core/pool/shard.h"

// Takes from the pool's fit, as a thread without a shard does.
TN_POOL_HOT uint32_t tn_pool_large_take(tarn_pool *pool, tn_pool_cache *cache,
                                        const tn_pool_want *want, uint64_t *start) {
    bool waited = tn_pool_main_lock(pool);
    uint32_t node = tn_pool_piece_take_inline(pool, want);
    *start = tn_fit_start(&pool->fit, node);
    bool shards = tn_load_relaxed(&pool->unify) != NULL;
    tn_pool_main_unlock(pool);
    if (__builtin_expect(waited || shards, 0)) {
        tn_pool_shard_waited(pool, cache);
    }
    return node;
}

// See tn_pool_large_alloc(). The cache may be NULL.
TN_POOL_HOT tarn_status tn_pool_large_alloc_inline(tarn_pool *pool, tn_pool_cache *cache,
                                                   const tn_pool_want *want, tarn_addr *addr) {
    uint64_t start;
    uint32_t node = __builtin_expect(cache != NULL && cache->shard != NULL, 0)
                        ? tn_pool_shard_take(pool, cache, want, &start)
                        : tn_pool_large_take(pool, cache, want, &start);
    if (__builtin_expect(node == 0, 0)) {
        tarn_status status = tn_pool_grow(pool, want, &node);
        if (status != TARN_OK) {
            return status;
        }
        start = tn_fit_start(&pool->fit, node); // only its owner changes a taken node
    }
    *addr = tn_pool_addr(pool, start);
    tn_pool_count_alloc(pool, cache, want->mark, want->bytes, want->occupied);
    return TARN_OK;
}

#endif
