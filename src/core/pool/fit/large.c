// SPDX-License-Identifier: Apache-2.0
// Large blocks: each is a piece of the range of its own, taken and freed under the fit lock, which
// is held for tens of nanoseconds, or by way of the thread's shard (shard.h). Any thread.
#include "core/pool/fit/large.h"
#include "base/error.h"
#include "core/pool/fit/piece.h"
#include "core/pool/fit/shard.h"
#include "core/pool/pool.h"
#include "core/pool/report/explain.h"
#include "core/pool/report/notify.h"
#include "core/pool/rule.h"
#include "core/pool/small/cache.h"
#include "core/pool/stream/use.h"

// Takes from the pool's fit, as a thread without a shard does.
static uint32_t take_common(tarn_pool *pool, tn_pool_cache *cache, const tn_pool_want *want,
                            uint64_t *start) {
    bool waited = tn_pool_main_lock(pool);
    uint32_t node = tn_pool_piece_take(pool, want);
    *start = tn_fit_start(&pool->range.fit, node);
    bool shards = tn_load_relaxed(&pool->range.unify) != NULL;
    tn_pool_main_unlock(pool);
    if (__builtin_expect(waited || shards, 0)) tn_pool_shard_waited(pool, cache);
    return node;
}

tarn_status tn_pool_large_alloc(tarn_pool *pool, uint64_t bytes, uint64_t occupied,
                                uint64_t alignment, unsigned slot, uint32_t tag, tarn_addr *addr) {
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    uint64_t least = occupied > pool->large_min ? occupied : pool->large_min;
    const tn_pool_want want = {.units = tn_pool_units(pool, least),
                               .align = alignment > unit ? alignment : unit,
                               .occupied = occupied != 0 ? occupied : UINT64_MAX,
                               .bytes = bytes,
                               .slot = slot,
                               .mark = tag};
    if (__builtin_expect(occupied == 0 || want.units >= TN_FIT_MAX_UNITS / 2, 0)) {
        tn_mutex_lock(&pool->growth.lock); // the units do not fit a record
        tarn_status status = tn_pool_refuse_want(pool, &want, TARN_NO_DEVICE_MEMORY);
        tn_mutex_unlock(&pool->growth.lock);
        return status;
    }
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    uint64_t start;
    uint32_t node = cache != NULL && cache->shard != NULL
                        ? tn_pool_shard_take(pool, cache, &want, &start)
                        : take_common(pool, cache, &want, &start);
    if (__builtin_expect(node == 0, 0)) {
        tarn_status status = tn_pool_grow(pool, &want, &node);
        if (status != TARN_OK) return status;
        start = tn_fit_start(&pool->range.fit, node); // only its owner changes a taken node
    }
    *addr = tn_pool_addr(pool, start);
    tn_pool_count_alloc(pool, cache, tag, bytes, occupied);
    return TARN_OK;
}

// Ends the block that starts at `addr` while the pool has no shards. Returns false, with `*shards` set,
// if the pool has some.
static bool claim_common(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry, bool keep,
                         tn_pool_freed *freed, bool *shards) {
    __builtin_prefetch(&pool->range.fit.nodes[tn_load_relaxed(entry) & TN_ENTRY_NODE]);
    (void)tn_pool_main_lock(pool);
    *shards = tn_load_relaxed(&pool->range.unify) != NULL;
    uint32_t node = tn_load_relaxed(entry); // the block may have been freed since the first load
    bool found = !*shards && tn_pool_large_is_at(pool, node, addr);
    if (__builtin_expect(found, 1)) {
        *freed = (tn_pool_freed){node, tn_fit_mark(&pool->range.fit, node),
                                 tn_fit_list(&pool->range.fit, node),
                                 tn_fit_word(&pool->range.fit, node)};
        tn_store_relaxed(entry, 0);
        if (__builtin_expect(keep || (freed->mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) != 0, 0))
            tn_fit_set_mark(&pool->range.fit, node, freed->mark | TN_MARK_PENDING);
        else
            tn_pool_piece_free(pool, node);
    }
    tn_pool_main_unlock(pool);
    return found;
}

// Ends the block that starts at `addr`: afterwards no look-up finds it. Its piece is freed too,
// unless other streams use it or `keep` is set. Returns false if no live block starts there.
static bool claim_large(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry, bool keep,
                        tn_pool_freed *freed) {
    if (entry == NULL) return false;
    bool shards = tn_load_relaxed(&pool->range.unify) != NULL;
    bool found =
        !__builtin_expect(shards, 0) && claim_common(pool, addr, entry, keep, freed, &shards);
    return __builtin_expect(shards, 0)
               ? tn_pool_shard_free(pool, tn_pool_cache_of(pool), addr, entry, keep, freed)
               : found;
}

// With `emits`, the event precedes every reuse of the bytes, so the piece is kept until the event is
// emitted. Events are emitted under no spin lock.
static inline __attribute__((always_inline)) tarn_status
free_large(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry, bool emits) {
    tn_pool_freed freed;
    if (!claim_large(pool, addr, entry, emits, &freed)) return tn_pool_no_block(addr);
    uint64_t occupied = tn_rule_occupied(&pool->rule, freed.bytes);
    if (emits) tn_pool_emit_free(pool, addr, occupied, freed.slot);
    tn_pool_count_free(pool, tn_pool_cache_of(pool), freed.mark & TN_MARK_TAG, freed.bytes,
                       occupied);
    if (__builtin_expect((freed.mark & TN_MARK_ASLEEP) != 0, 0)) {
        tn_pool_sleep_free(pool, addr, freed.node, occupied);
    } else if (__builtin_expect((freed.mark & TN_MARK_SHARED) != 0, 0)) {
        tn_pool_defer(pool, addr, freed.node, 0, occupied);
    } else if (emits) {
        tn_pool_fit_lock(pool);
        tn_pool_piece_free(pool, freed.node);
        tn_pool_fit_unlock(pool);
    }
    return TARN_OK;
}

tarn_status tn_pool_large_free(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry) {
    return free_large(pool, addr, entry, false);
}

tarn_status tn_pool_large_free_and_emit(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry) {
    return free_large(pool, addr, entry, true);
}
