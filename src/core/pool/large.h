// SPDX-License-Identifier: Apache-2.0
// Large blocks: each has a piece of its own, at the place that the plan has for it, or out of the
// fit. The calls that run a million times a second are inline; they take the fit lock as its owner
// and find no shard. large.c has all other cases.
#pragma once

#include "algo/rule.h"
#include "core/pool/fit/piece.h"
#include "core/pool/fit/shard.h"
#include "core/pool/plan/hot.h"
#include "core/pool/small/small.h"

// Allocates a piece. The sources are asked in turn: the plan, the shard of the thread or the fit, and
// growth. `want` has the bytes, those occupied, 0 if they overflow, the alignment, or 0, the slot and
// the tag; the call sets the rest. `cache` is the thread's, or NULL.
tarn_status tn_pool_large_alloc(tarn_pool *pool, tn_pool_cache *cache, tn_pool_want *want,
                                tarn_addr *addr);

// The same without an alignment, for a thread that owns the lock of its shard, or the fit
// lock if it has none. Returns false, with nothing changed, if only tn_pool_large_alloc() can serve
// the request.
TN_POOL_HOT bool tn_pool_large_alloc_quick(tarn_pool *pool, const tn_pool_cache *cache,
                                           uint64_t bytes, uint64_t occupied, unsigned slot,
                                           uint32_t tag, tarn_addr *addr) {
    uint64_t units = tn_pool_block_units(pool, occupied);
    const tn_fit_data data = {.list = slot, .mark = tag, .word = bytes};
    if (__builtin_expect(cache->shard != NULL, 0))
        return tn_pool_shard_take_quick(pool, cache->shard, units, data, addr);
    if (__builtin_expect(!tn_biased_enter(&pool->range.lock), 0)) return false;
    uint32_t node = 0;
    if (__builtin_expect(tn_load_relaxed(&pool->range.unify) == NULL, 1))
        node = __builtin_expect(pool->plan != NULL, 0)
                   ? tn_plan_take_next(pool, units, data, addr)
                   : tn_pool_piece_take_quick(pool, units, data, addr);
    tn_biased_leave(&pool->range.lock);
    return __builtin_expect(node != 0, 1);
}

// Ends the block that starts at `addr`: afterwards no look-up finds it. Its piece is freed, unless
// the caller keeps it, other streams use the block, or it sleeps. `shards` states that other threads
// may change the entry meanwhile. Under fit.
TN_POOL_HOT tn_pool_freed tn_pool_large_end(tarn_pool *pool, tarn_addr addr,
                                            tn_granule_entry *entry, bool shards, bool keep) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    tn_pool_freed freed = {.node = 0};
    uint32_t node = tn_load_acquire(entry); // the block may have been freed until now
    if (__builtin_expect(!tn_piece_is_at(pool, node, addr), 0)) return freed;
    if (!shards)
        tn_store_relaxed(entry, 0);
    else if (!tn_cas_acq_rel(entry, &node, 0))
        return freed;
    freed = tn_pool_piece_describe(&pool->range.fit, node, keep);
    tn_granule_prefetch(&pool->map, entry, freed.bytes);
    uint32_t special = freed.mark & (TN_MARK_SHARED | TN_MARK_ASLEEP | TN_MARK_PLANNED);
    if (__builtin_expect(!keep && special == 0, 1))
        tn_pool_piece_free_inline(pool, node);
    else if (!keep && special == TN_MARK_PLANNED)
        tn_plan_free_inline(pool, node);
    else
        tn_piece_set_mark(pool, node, freed.mark | TN_MARK_PENDING);
    return freed;
}

// Ends the block that starts at `addr`, as tn_pool_large_end() does, for any thread. Takes fit.
tn_pool_freed tn_pool_large_free(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr,
                                 tn_granule_entry *entry, bool keep);

// The same, and quicker for a thread that owns the fit lock of a pool without shards.
TN_POOL_HOT tn_pool_freed tn_pool_large_free_quick(tarn_pool *pool, tn_pool_cache *cache,
                                                   tarn_addr addr, tn_granule_entry *entry) {
    if (__builtin_expect(cache->shard == NULL && tn_biased_enter(&pool->range.lock), 1)) {
        bool alone = tn_load_relaxed(&pool->range.unify) == NULL;
        tn_pool_freed freed = {.node = 0};
        if (__builtin_expect(alone, 1)) freed = tn_pool_large_end(pool, addr, entry, false, false);
        tn_biased_leave(&pool->range.lock);
        freed.occupied = tn_rule_occupied_by(&pool->rule, freed.bytes);
        if (__builtin_expect(alone, 1)) return freed;
    }
    return tn_pool_large_free(pool, cache, addr, entry, false);
}
