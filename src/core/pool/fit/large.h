// SPDX-License-Identifier: Apache-2.0
// Large blocks: each is a piece of the range of its own. The calls that run a million times a
// second are inline; they take the fit lock as its owner and find no shard. large.c has all other
// cases.
#pragma once

#include "algo/rule.h"
#include "core/pool/fit/piece.h"
#include "core/pool/fit/shard.h"
#include "core/pool/plan/hot.h"
#include "core/pool/small/cache.h"

// Allocates a piece for `bytes`, which occupy `occupied`. Grows the pool if nothing fits.
// `alignment` may be 0. `cache` is the thread's, or NULL.
tarn_status tn_pool_large_alloc(tarn_pool *pool, tn_pool_cache *cache, uint64_t bytes,
                                uint64_t occupied, uint64_t alignment, unsigned slot, uint32_t tag,
                                tarn_addr *addr);

// The same without an alignment, for a thread that owns the lock of its shard, or the fit lock if it
// has none. Returns false, with nothing changed, if only tn_pool_large_alloc() can serve the request.
TN_POOL_HOT bool tn_pool_large_alloc_quick(tarn_pool *pool, const tn_pool_cache *cache,
                                           uint64_t bytes, uint64_t occupied, unsigned slot,
                                           uint32_t tag, tarn_addr *addr) {
    uint64_t least = occupied > pool->large_min ? occupied : pool->large_min;
    const tn_fit_data data = {.list = slot, .mark = tag, .word = bytes};
    if (__builtin_expect(cache->shard != NULL, 0))
        return tn_pool_shard_take_quick(pool, cache->shard, tn_pool_units(pool, least), data, addr);
    if (__builtin_expect(!tn_biased_enter(&pool->range.lock), 0)) return false;
    uint32_t node = tn_load_relaxed(&pool->range.unify) == NULL
                        ? tn_pool_piece_take_quick(pool, tn_pool_units(pool, least), data, addr)
                        : 0;
    tn_biased_leave(&pool->range.lock);
    return __builtin_expect(node != 0, 1);
}

// Returns true if the granule entry `node` is that of a large block that starts at `addr`. Under
// fit.
static inline bool tn_pool_large_is_at(const tarn_pool *pool, uint32_t node, tarn_addr addr) {
    bool found = node != 0 && (node & TN_SLAB_BIT) == 0 &&
                 tn_pool_addr(pool, tn_fit_start(&pool->range.fit, node)) == addr;
    TARN_ASSERT(!found || tn_fit_state(&pool->range.fit, node) == TN_FIT_TAKEN);
    return found;
}

// Frees the piece of a block that has ended, unless the caller keeps it, other streams use the block,
// or it sleeps. Under fit.
TN_POOL_HOT void tn_pool_large_end(tarn_pool *pool, uint32_t node, uint32_t mark, bool keep) {
    uint32_t special = mark & (TN_MARK_SHARED | TN_MARK_ASLEEP | TN_MARK_PLANNED);
    if (__builtin_expect(!keep && special == 0, 1))
        tn_pool_piece_free_inline(pool, node);
    else if (!keep && special == TN_MARK_PLANNED && pool->plan->owners[node] < TN_PLAN_GUEST)
        tn_plan_place_free(pool, node, pool->plan->owners[node]);
    else if (!keep && special == TN_MARK_PLANNED)
        tn_plan_piece_free(pool, node);
    else
        tn_fit_set_mark(&pool->range.fit, node, mark | TN_MARK_PENDING);
}

// Ends the block that starts at `addr`: afterwards no look-up finds it. `shards` states that other
// threads may change the entry meanwhile. Returns false if no live block starts there. Under fit.
static inline bool tn_pool_large_claim(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry,
                                       bool shards, bool keep, tn_pool_freed *freed) {
    uint32_t node = tn_load_acquire(entry); // the block may have been freed until now
    if (__builtin_expect(!tn_pool_large_is_at(pool, node, addr), 0)) return false;
    if (!shards)
        tn_store_relaxed(entry, 0);
    else if (!tn_cas_acq_rel(entry, &node, 0))
        return false;
    tn_pool_piece_describe(&pool->range.fit, node, freed);
    tn_pool_large_end(pool, node, freed->mark, keep);
    return true;
}

// Ends the block that starts at `addr`, as tn_pool_large_claim() does, for any thread. Takes fit.
bool tn_pool_large_free(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr,
                        tn_granule_entry *entry, bool keep, tn_pool_freed *freed);

// The same for a thread that owns the fit lock of a pool without shards. Returns false, with
// nothing changed, if it takes another way, the block is used on other streams or sleeps, or no live
// block starts there.
TN_POOL_HOT bool tn_pool_large_free_quick(tarn_pool *pool, const tn_pool_cache *cache,
                                          tarn_addr addr, tn_granule_entry *entry,
                                          tn_pool_freed *freed) {
    if (__builtin_expect(cache->shard != NULL || !tn_biased_enter(&pool->range.lock), 0))
        return false;
    uint32_t node = tn_load_acquire(entry);
    bool found =
        tn_load_relaxed(&pool->range.unify) == NULL && tn_pool_large_is_at(pool, node, addr);
    if (found) tn_pool_piece_describe(&pool->range.fit, node, freed);
    found = found && (freed->mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) == 0;
    if (__builtin_expect(found, 1)) {
        tn_store_relaxed(entry, 0);
        tn_granule_prefetch(&pool->map, entry, freed->bytes);
        tn_pool_large_end(pool, node, freed->mark, false);
    }
    tn_biased_leave(&pool->range.lock);
    return found;
}
