// SPDX-License-Identifier: Apache-2.0
// The hot part of large.c, for the calls that allocate and free a million times a second.
#ifndef TARN_CORE_POOL_FIT_LARGE_H
#define TARN_CORE_POOL_FIT_LARGE_H

#include "core/pool/fit/piece.h"
#include "core/pool/rule.h"
#include "core/pool/small/cache.h"

// Allocates a large block without an alignment for a thread that has no shard and owns the fit lock.
// Returns false, with nothing changed, if it takes another way: see tn_pool_large_alloc().
TN_POOL_HOT bool tn_pool_large_alloc_quick(tarn_pool *pool, tn_pool_cache *cache, uint64_t units,
                                           uint64_t occupied, tn_fit_data data, tarn_addr *addr) {
    if (__builtin_expect(cache->shard != NULL || !tn_biased_enter(&pool->range.lock), 0))
        return false;
    uint32_t node = tn_load_relaxed(&pool->range.unify) == NULL
                        ? tn_pool_piece_take_quick(pool, units, data, addr)
                        : 0;
    tn_biased_leave(&pool->range.lock);
    if (__builtin_expect(node == 0, 0)) return false;
    tn_pool_count_alloc(pool, cache, data.mark, data.word, occupied);
    return true;
}

// Frees the large block that starts at `addr`, for a thread that owns the fit lock of a pool without
// shards. Returns false, with nothing changed, if it takes another way, or no live block starts there:
// see tn_pool_large_free().
TN_POOL_HOT bool tn_pool_large_free_quick(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr,
                                          tn_granule_entry *entry) {
    if (__builtin_expect(!tn_biased_enter(&pool->range.lock), 0)) return false;
    const tn_fit *fit = &pool->range.fit;
    uint32_t node = tn_load_relaxed(entry); // another thread may have changed it until now
    uint32_t mark = tn_fit_mark(fit, node & TN_ENTRY_NODE);
    uint64_t bytes = tn_fit_word(fit, node & TN_ENTRY_NODE);
    bool quick = tn_load_relaxed(&pool->range.unify) == NULL &&
                 tn_pool_large_is_at(pool, node, addr) &&
                 (mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) == 0;
    if (__builtin_expect(quick, 1)) {
        tn_store_relaxed(entry, 0);
        tn_pool_piece_free_inline(pool, node);
    }
    tn_biased_leave(&pool->range.lock);
    if (__builtin_expect(quick, 1)) {
        tn_pool_count_free(pool, cache, mark & TN_MARK_TAG, bytes,
                           tn_rule_occupied(&pool->rule, bytes));
    }
    return quick;
}

#endif
