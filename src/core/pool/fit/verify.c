// SPDX-License-Identifier: Apache-2.0
// The checks of the range: every piece against its neighbours, its list and the granule map. Under
// fit.
#include "base/error.h"
#include "core/pool/fit/piece.h"

enum { FREE_GRANULES_MAX = 1 << 16 }; // that are checked in one free run

struct sums {
    uint64_t taken;  // units of blocks and slabs, and of the free places of a plan
    uint64_t backed; // units with physical memory
};

static tarn_status check_taken(const tarn_pool *pool, uint32_t node) {
    uint32_t mark = tn_piece_mark(pool, node);
    tarn_addr addr = tn_piece_addr(pool, node);
    if ((mark & TN_MARK_SLAB) != 0) return TARN_OK; // tn_pool_slabs_verify() checks it
    uint32_t expected = (mark & TN_MARK_PENDING) != 0 ? 0 : node;
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if (entry == 0 && tn_load_relaxed(&pool->range.unify) != NULL)
        return TARN_OK; // a thread with a shard is freeing the block
    // Behind the end of a pending block, its granule may hold the start of another block.
    TN_REFUSE(entry != expected && (expected != 0 || (entry != 0 && entry == node)), TARN_CORRUPT,
              "granule 0x%llx leads to record %u, not %u", (unsigned long long)addr, entry,
              expected);
    return TARN_OK;
}

// No granule of a free run leads to a record, except a granule at its edge in which a neighbour
// starts.
static tarn_status check_free(const tarn_pool *pool, uint32_t node) {
    uint64_t step = UINT64_C(1) << pool->map.shift;
    tarn_addr addr = tn_piece_addr(pool, node);
    tarn_addr end = addr + (tn_piece_units(pool, node) << pool->unit_shift);
    tarn_addr at = addr - ((addr - pool->map.base) & (step - 1));
    for (int left = FREE_GRANULES_MAX; at < end && left > 0; at += step, left--) {
        uint32_t entry = tn_granule_get(&pool->map, at);
        bool neighbour = false;
        if (entry != 0 && (entry & TN_SLAB_BIT) == 0 && entry < pool->range.fit.used) {
            tarn_addr start = tn_piece_addr(pool, entry);
            neighbour = tn_piece_is_taken(pool, entry) && start - at < step &&
                        (start < addr || start >= end);
        }
        TN_REFUSE(entry != 0 && !neighbour, TARN_CORRUPT,
                  "granule 0x%llx of a free run leads to record 0x%x", (unsigned long long)at,
                  entry);
    }
    return TARN_OK;
}

static tarn_status check_piece(tarn_pool *pool, uint32_t node, struct sums *sums) {
    uint64_t units = tn_piece_units(pool, node);
    if (!tn_piece_is_taken(pool, node)) {
        sums->backed += tn_piece_is_hole(pool, node) ? 0 : units;
        sums->taken += tn_fit_is_free(&pool->range.fit, node, TN_LIST_PLAN) ? units : 0;
        return check_free(pool, node);
    }
    sums->backed += units;
    if ((tn_piece_mark(pool, node) & TN_MARK_REMNANT) != 0) return TARN_OK;
    sums->taken += units;
    return check_taken(pool, node);
}

static tarn_status check_span(tarn_pool *pool, const tn_pool_span *span, struct sums *sums) {
    uint64_t first = tn_pool_units(pool, span->addr - pool->range.base);
    uint64_t end = (span->addr - pool->range.base + span->bytes) >> pool->unit_shift;
    uint64_t at = first;
    tarn_status status = TARN_OK;
    for (uint32_t node = tn_piece_after(pool, span->head); node != 0 && status == TARN_OK;) {
        TN_REFUSE(tn_fit_start(&pool->range.fit, node) != at, TARN_CORRUPT,
                  "node %u does not start at unit %llu", node, (unsigned long long)at);
        at += tn_piece_units(pool, node);
        status = check_piece(pool, node, sums);
        node = tn_piece_after(pool, node);
    }
    if (status == TARN_OK && at != end) {
        status = tn_fail(TARN_CORRUPT, "span 0x%llx ends at unit %llu, not %llu",
                         (unsigned long long)span->addr, (unsigned long long)at,
                         (unsigned long long)end);
    }
    return status;
}

static tarn_status check_sums(tarn_pool *pool, const struct sums *sums) {
    TN_REFUSE(sums->taken != pool->range.taken_units, TARN_CORRUPT,
              "the pool counts %llu taken units, its pieces have %llu",
              (unsigned long long)pool->range.taken_units, (unsigned long long)sums->taken);
    for (unsigned s = 1; s < tn_pool_slot_count(pool); s++) {
        const tn_pool_slot *slot = tn_pool_slot_at(pool, s);
        for (unsigned i = 0; i < 2; i++) {
            const tn_fit_bins *bins = pool->range.lists[slot->lists.ids[i]];
            TN_REFUSE(bins->owner != s || (s == pool->range.sole && bins->count != 0), TARN_CORRUPT,
                      "list %u has %llu pieces and belongs to slot %llu, not %u",
                      slot->lists.ids[i], (unsigned long long)bins->count,
                      (unsigned long long)bins->owner, s);
        }
    }
    return TARN_OK;
}

tarn_status tn_pool_range_verify(tarn_pool *pool, uint64_t *backed) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct sums sums = {0, 0};
    tarn_status status = tn_fit_check(&pool->range.fit);
    for (size_t i = 0; i < pool->range.span_count && status == TARN_OK; i++)
        status = check_span(pool, &pool->range.spans[i], &sums);
    if (status == TARN_OK) status = check_sums(pool, &sums);
    *backed = sums.backed;
    return status;
}
