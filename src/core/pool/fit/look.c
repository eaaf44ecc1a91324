// SPDX-License-Identifier: Apache-2.0
// The pieces of the range as blocks, and their sums for statistics and reports. Under fit, unless
// stated otherwise.
#include "core/pool/fit/piece.h"
#include "core/pool/fit/shard.h"

// Returns the largest request that occupies that many bytes under the rule.
uint64_t tn_pool_usable_bytes(const tarn_pool *pool, uint64_t occupied) {
    return (occupied - pool->rule.padding) & ~(uint64_t)(pool->rule.rounding - 1);
}

static tarn_block_state piece_state(const tarn_pool *pool, uint32_t node) {
    if (tn_piece_is_taken(pool, node)) {
        if ((tn_piece_mark(pool, node) & (TN_MARK_GROWING | TN_MARK_REMNANT)) != 0)
            return TARN_BLOCK_UNMAPPED;
        // Until a free claims the block, look-ups find it.
        return tn_granule_get(&pool->map, tn_piece_addr(pool, node)) == node ? TARN_BLOCK_LIVE
                                                                             : TARN_BLOCK_PENDING;
    }
    if (tn_piece_is_hole(pool, node))
        return pool->desc.kind == TARN_POOL_EXPANDABLE ? TARN_BLOCK_UNMAPPED : TARN_BLOCK_FREE;
    bool plan = tn_fit_is_free(&pool->range.fit, node, TN_LIST_PLAN);
    return plan || tn_piece_is_free(pool, node) ? TARN_BLOCK_FREE : TARN_BLOCK_PENDING;
}

// The list of a free piece leads to its slot, if it has one. That of a plan has no bins.
void tn_piece_look(const tarn_pool *pool, uint32_t node, tarn_block *out) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && node != 0);
    bool taken = tn_piece_is_taken(pool, node);
    unsigned list = tn_fit_list(&pool->range.fit, node);
    const tn_fit_bins *bins = pool->range.lists[list];
    unsigned slot = taken ? list : bins != NULL ? (unsigned)bins->owner : 0;
    *out = (tarn_block){
        .addr = tn_piece_addr(pool, node),
        .occupied = tn_piece_units(pool, node) << pool->unit_shift,
        .state = piece_state(pool, node),
        .stream = tn_pool_slot_stream(pool, slot),
    };
    if (pool->range.tail_bytes != 0 &&
        tn_piece_end(pool, node) > tn_pool_addr(pool, pool->range.tail_start))
        out->occupied -= (UINT64_C(1) << pool->unit_shift) - pool->range.tail_bytes;
    if (taken && out->state != TARN_BLOCK_UNMAPPED) {
        out->bytes = tn_piece_word(pool, node);
        out->tag = tn_piece_mark(pool, node) & TN_MARK_TAG;
    }
    if (out->state == TARN_BLOCK_LIVE) {
        out->asleep = (tn_piece_mark(pool, node) & TN_MARK_ASLEEP) != 0;
        out->usable = tn_pool_usable_bytes(pool, out->occupied);
        out->user = pool->range.words != NULL ? tn_load_relaxed(&pool->range.words[node]) : 0;
    }
}

// Searches granule by granule downwards, within the span of `addr`. Above the highest piece ever
// taken there is no block, so a reservation that is mostly unused is not searched.
uint32_t tn_piece_block_before(const tarn_pool *pool, tarn_addr addr) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    uint64_t step = UINT64_C(1) << pool->map.shift;
    size_t i = 0;
    while (i < pool->range.span_count &&
           addr - pool->range.spans[i].addr >= pool->range.spans[i].bytes)
        i++;
    if (i == pool->range.span_count || addr >= tn_pool_addr(pool, pool->range.high_units)) return 0;
    tarn_addr lowest = pool->range.spans[i].addr;
    for (;;) {
        uint32_t entry = tn_granule_get(&pool->map, addr);
        if ((entry & TN_SLAB_BIT) != 0) return 0;
        if (entry != 0 && tn_piece_addr(pool, entry) <= addr) return entry;
        tarn_addr granule = addr - ((addr - pool->map.base) & (step - 1));
        if (granule <= lowest) return 0;
        addr = granule - 1;
    }
}

bool tn_pool_large_set_user(tarn_pool *pool, tarn_addr addr, uint64_t user) {
    tn_pool_fit_lock(pool);
    uint32_t node = tn_granule_get(&pool->map, addr);
    bool live = tn_piece_is_at(pool, node, addr);
    if (live) tn_store_relaxed(&pool->range.words[node], user);
    tn_pool_fit_unlock(pool);
    return live;
}

// ---- sums

uint64_t tn_pool_lists_bytes(const tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && slot != 0);
    const tn_pool_lists *lists = &tn_pool_slot_at(pool, slot)->lists;
    return (pool->range.lists[lists->ids[0]]->units + pool->range.lists[lists->ids[1]]->units)
           << pool->unit_shift;
}

uint64_t tn_pool_range_stats(tarn_pool *pool, tarn_pool_stats *s) {
    s->cached_bytes = tn_pool_shard_cached(pool); // before the fit lock takes it back
    tn_pool_fit_lock(pool);
    tn_pool_piece_ungather(pool);
    uint64_t taken = pool->range.taken_units << pool->unit_shift;
    s->largest_free = tn_fit_largest_units(&pool->range.fit, pool->range.free_list)
                      << pool->unit_shift;
    for (unsigned i = 1; i < tn_pool_slot_count(pool); i++)
        s->pending_bytes += tn_pool_lists_bytes(pool, i);
    if (pool->desc.kind == TARN_POOL_FIXED && pool->range.high_units != 0) {
        uint64_t reach = tn_pool_addr(pool, pool->range.high_units) - pool->desc.base;
        s->reach_bytes = reach < pool->desc.bytes ? reach : pool->desc.bytes;
    }
    s->host_bytes += pool->range.fit.used * sizeof(tn_fit_node);
    tn_pool_fit_unlock(pool);
    return taken;
}

uint64_t tn_pool_range_report(const tarn_pool *pool, tarn_pool_report *r) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    if (pool->kind == TARN_POOL_EXPANDABLE) {
        r->space_bytes = pool->range.aside_bins.units << pool->unit_shift;
        r->largest_space = tn_fit_largest_units(&pool->range.fit, TN_LIST_ASIDE)
                           << pool->unit_shift;
    }
    r->records_left = tn_fit_room(&pool->range.fit);
    return pool->range.taken_units << pool->unit_shift;
}
