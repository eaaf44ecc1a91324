// SPDX-License-Identifier: Apache-2.0
// Large blocks of threads with a shard, of threads that do not own the fit lock, and those for
// which the pool must grow. The fit lock is held for tens of nanoseconds. Any thread.
#include "core/pool/fit/large.h"
#include "base/error.h"
#include "core/pool/fit/shard.h"
#include "core/pool/pool.h"

tarn_status tn_pool_large_alloc(tarn_pool *pool, tn_pool_cache *cache, uint64_t bytes,
                                uint64_t occupied, uint64_t alignment, unsigned slot, uint32_t tag,
                                tarn_addr *addr) {
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    uint64_t least = occupied > pool->large_min ? occupied : pool->large_min;
    const tn_pool_want want = {.units = tn_pool_units(pool, least),
                               .align = alignment > unit ? alignment : unit,
                               .occupied = occupied != 0 ? occupied : UINT64_MAX,
                               .bytes = bytes,
                               .slot = slot,
                               .mark = tag};
    tn_fit *fit = &pool->range.fit;
    uint32_t node;
    if (__builtin_expect(occupied == 0 || want.units >= TN_FIT_MAX_UNITS / 2, 0)) {
        tn_pool_grow_lock(pool); // the units do not fit a record
        tarn_status status = tn_pool_refuse_want(pool, &want, TARN_NO_DEVICE_MEMORY);
        tn_pool_grow_unlock(pool);
        return status;
    }
    if (cache != NULL && cache->shard != NULL) {
        node = tn_pool_shard_take(pool, cache, &want);
        fit = &cache->shard->fit; // the same nodes, in a cache line of the thread's own
    } else {
        bool waited = tn_pool_main_lock(pool);
        node = tn_pool_piece_take(pool, &want);
        bool shards = tn_load_relaxed(&pool->range.unify) != NULL;
        tn_pool_main_unlock(pool);
        if (__builtin_expect(waited || shards, 0)) tn_pool_shard_waited(pool, cache);
    }
    if (__builtin_expect(node == 0, 0)) TN_TRY(tn_pool_grow(pool, &want, &node));
    *addr = tn_pool_addr(pool, tn_fit_start(fit, node)); // only its owner changes it
    return TARN_OK;
}

bool tn_pool_large_free(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr,
                        tn_granule_entry *entry, bool keep, tn_pool_freed *freed) {
    if (entry == NULL) return false;
    if (cache != NULL && cache->shard != NULL)
        return tn_pool_shard_free(pool, cache->shard, addr, entry, keep, freed);
    if (__builtin_expect(tn_load_relaxed(&pool->range.unify) != NULL, 0) &&
        tn_pool_shard_of(pool, cache) != NULL)
        return tn_pool_shard_free(pool, cache->shard, addr, entry, keep, freed);
    __builtin_prefetch(&pool->range.fit.nodes[tn_load_relaxed(entry) & TN_ENTRY_NODE]);
    tn_pool_fit_lock(pool); // afterwards no block is a shard's
    bool shards = tn_load_relaxed(&pool->range.unify) != NULL;
    bool found = tn_pool_large_claim(pool, addr, entry, shards, keep, freed);
    tn_pool_fit_unlock(pool);
    return found;
}
