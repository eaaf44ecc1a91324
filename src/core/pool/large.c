// SPDX-License-Identifier: Apache-2.0
// Large blocks of threads with a shard, of threads that do not own the fit lock, those that a plan
// does not expect next, and those for which the pool must grow. The fit lock is held for tens of
// nanoseconds. Any thread.
#include "core/pool/large.h"

#include "base/error.h"

// Takes a piece out of the thread's shard, or out of the fit. Returns 0 if nothing fits.
static uint32_t take_piece(tarn_pool *pool, tn_pool_cache *cache, const tn_pool_want *want) {
    if (cache != NULL && cache->shard != NULL) return tn_pool_shard_take(pool, cache, want);
    bool waited = tn_pool_main_lock(pool);
    uint32_t node = tn_pool_piece_take(pool, want);
    bool shards = tn_load_relaxed(&pool->range.unify) != NULL;
    tn_pool_main_unlock(pool);
    if (__builtin_expect(waited || shards, 0)) tn_pool_shard_waited(pool, cache);
    return node;
}

// Takes the place that the plan has. Returns 0 if it has none, or if that is not free; then `learns`
// states whether the block is to be recorded.
static inline uint32_t take_place(tarn_pool *pool, const tn_pool_want *want, bool *learns) {
    tn_plan_answer answer = {.place = NULL};
    uint32_t node = tn_plan_take(pool, want, &answer);
    if (__builtin_expect(answer.waits, 0)) {
        tn_pool_grow_arena(pool, want->slot);
        node = tn_plan_take_made(pool, want, &answer);
    }
    *learns = answer.learns;
    return node;
}

// Grows the pool for a piece, unless the request is larger than any pool. A refusal is reported under
// the growth lock, as the pool was then.
static __attribute__((noinline)) tarn_status grow_piece(tarn_pool *pool, const tn_pool_want *want,
                                                        bool possible, uint32_t *node) {
    TN_GROW_LOCKED(pool);
    tarn_status status = possible ? tn_pool_grow(pool, want, node) : TARN_NO_DEVICE_MEMORY;
    return status == TARN_OK ? TARN_OK : tn_pool_refuse_want(pool, want, status);
}

tarn_status tn_pool_large_alloc(tarn_pool *pool, tn_pool_cache *cache, tn_pool_want *want,
                                tarn_addr *addr) {
    TARN_ASSERT(want->bytes != 0 && want->slot < TN_POOL_SLOTS);
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    bool possible = want->occupied - 1 < unit * (TN_FIT_MAX_UNITS / 2 - 1);
    bool learns = false;
    uint32_t node = 0;
    want->units = tn_pool_block_units(pool, want->occupied);
    want->align = want->align > unit ? want->align : unit;
    want->occupied = want->occupied != 0 ? want->occupied : UINT64_MAX;
    if (__builtin_expect(pool->plan != NULL, 0) && possible) node = take_place(pool, want, &learns);
    if (node == 0 && possible) node = take_piece(pool, cache, want);
    if (__builtin_expect(node == 0, 0)) TN_TRY(grow_piece(pool, want, possible, &node));
    // The nodes of a shard are those of the pool's fit, read in a cache line of the thread's own.
    const tn_fit *fit =
        cache != NULL && cache->shard != NULL ? &cache->shard->fit : &pool->range.fit;
    *addr = tn_pool_addr(pool, tn_fit_start(fit, node)); // only its owner changes it
    if (learns) tn_plan_learn_block(pool, want, node);
    return TARN_OK;
}

tn_pool_freed tn_pool_large_free(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr,
                                 tn_granule_entry *entry, bool keep) {
    tn_pool_freed freed = {.node = 0};
    if (entry == NULL) return freed;
    if (cache != NULL && (cache->shard != NULL ||
                          (__builtin_expect(tn_load_relaxed(&pool->range.unify) != NULL, 0) &&
                           tn_pool_shard_of(pool, cache) != NULL))) {
        freed = tn_pool_shard_free(pool, cache->shard, addr, entry, keep);
    } else {
        __builtin_prefetch(&pool->range.fit.nodes[tn_load_relaxed(entry) & TN_ENTRY_NODE]);
        tn_pool_fit_lock(pool); // afterwards no block is a shard's
        bool shards = tn_load_relaxed(&pool->range.unify) != NULL;
        freed = tn_pool_large_end(pool, addr, entry, shards, keep);
        tn_pool_fit_unlock(pool);
    }
    freed.occupied = tn_rule_occupied_by(&pool->rule, freed.bytes);
    return freed;
}
