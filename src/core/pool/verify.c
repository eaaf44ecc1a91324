// SPDX-License-Identifier: Apache-2.0
// The self-check of a pool, tarn_pool_verify(): every record against every other. Under the pool's
// locks; other threads may continue.
#include "base/error.h"
#include "core/pool/pool.h"

// ---- slabs: under the class's lock

static tarn_status check_listed(const tarn_pool *pool, uint32_t index, unsigned slot,
                                unsigned class_index) {
    const tn_slab *slab = &pool->small.slabs[index];
    uint32_t count = 0;
    for (uint32_t b = 0; b < slab->blocks; b++) {
        bool in_room = (slab->room[b / 64] >> (b % 64) & 1) != 0;
        TN_REFUSE(in_room && tn_load_relaxed(&slab->states[b]) != TN_SMALL_FREE, TARN_CORRUPT,
                  "slab %u: block %u is live and in the slab's room", index, b);
    }
    for (uint32_t word = 0; word < (slab->blocks + 63u) / 64; word++)
        count += (uint32_t)__builtin_popcountll(slab->room[word]);
    TN_REFUSE(count != slab->count || count == 0 || slab->slot != slot ||
                  slab->class_index != class_index || !slab->listed || slab->node == 0,
              TARN_CORRUPT, "slab %u: counts %u blocks with room, has %u", index, slab->count,
              count);
    return TARN_OK;
}

static tarn_status check_class(tarn_pool *pool, unsigned slot, unsigned class_index) {
    tn_pool_class *c = &tn_pool_slot_at(pool, slot)->classes[class_index];
    tarn_status status = TARN_OK;
    uint32_t empty = 0;
    uint32_t prev = 0;
    tn_spin_lock(&c->lock);
    for (uint32_t i = c->first; i != 0 && status == TARN_OK;
         prev = i, i = pool->small.slabs[i].next) {
        status = check_listed(pool, i, slot, class_index);
        empty += pool->small.slabs[i].count == pool->small.slabs[i].blocks;
        if (status == TARN_OK && pool->small.slabs[i].prev != prev)
            status = tn_fail(TARN_CORRUPT, "slab %u does not follow slab %u", i, prev);
    }
    if (status == TARN_OK && (empty != c->empty || empty > 1)) {
        status = tn_fail(TARN_CORRUPT, "class %u of slot %u counts %u empty slabs, has %u",
                         class_index, slot, c->empty, empty);
    }
    tn_spin_unlock(&c->lock);
    return status;
}

// ---- nodes: under the fit lock

enum { FREE_GRANULES_MAX = 1 << 16 }; // that are checked in one free run

struct sums {
    uint64_t taken;  // units of blocks and slabs
    uint64_t backed; // units with physical memory
};

static tarn_status check_slab_node(const tarn_pool *pool, uint32_t node, tarn_addr addr) {
    uint32_t entry = tn_granule_get(&pool->map, addr);
    if (entry == 0) return TARN_OK; // the slab is being opened or closed
    const tn_slab *slab = &pool->small.slabs[entry & ~TN_SLAB_BIT];
    uint64_t bytes = tn_fit_units(&pool->range.fit, node) << pool->unit_shift;
    TN_REFUSE((entry & TN_SLAB_BIT) == 0 || slab->base != addr || slab->node != node ||
                  pool->small.classes.slab_bytes[slab->class_index] != bytes,
              TARN_CORRUPT, "node %u at 0x%llx and its slab disagree", node,
              (unsigned long long)addr);
    for (uint64_t at = 0; at < bytes; at += TN_SMALL_MAX) {
        bool leads = tn_granule_get(&pool->map, addr + at) == entry;
        if (!leads && tn_granule_get(&pool->map, addr) == entry) { // else it is being closed
            return tn_fail(TARN_CORRUPT, "granule 0x%llx does not lead to its slab",
                           (unsigned long long)(addr + at));
        }
    }
    return TARN_OK;
}

static tarn_status check_taken(const tarn_pool *pool, uint32_t node) {
    uint32_t mark = tn_fit_mark(&pool->range.fit, node);
    tarn_addr addr = tn_pool_addr(pool, tn_fit_start(&pool->range.fit, node));
    if ((mark & TN_MARK_SLAB) != 0) return check_slab_node(pool, node, addr);
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
    tarn_addr addr = tn_pool_addr(pool, tn_fit_start(&pool->range.fit, node));
    tarn_addr end = addr + (tn_fit_units(&pool->range.fit, node) << pool->unit_shift);
    tarn_addr at = addr - ((addr - pool->map.base) & (step - 1));
    for (int left = FREE_GRANULES_MAX; at < end && left > 0; at += step, left--) {
        uint32_t entry = tn_granule_get(&pool->map, at);
        bool neighbour = false;
        if (entry != 0 && (entry & TN_SLAB_BIT) == 0 && entry < pool->range.fit.used) {
            tarn_addr start = tn_pool_addr(pool, tn_fit_start(&pool->range.fit, entry));
            neighbour = tn_fit_state(&pool->range.fit, entry) == TN_FIT_TAKEN &&
                        start - at < step && (start < addr || start >= end);
        }
        TN_REFUSE(entry != 0 && !neighbour, TARN_CORRUPT,
                  "granule 0x%llx of a free run leads to record 0x%x", (unsigned long long)at,
                  entry);
    }
    return TARN_OK;
}

static tarn_status check_piece(tarn_pool *pool, uint32_t node, struct sums *sums) {
    const tn_fit *fit = &pool->range.fit;
    uint64_t units = tn_fit_units(fit, node);
    unsigned list = tn_fit_list(fit, node);
    if (tn_fit_state(fit, node) == TN_FIT_FREE) {
        sums->backed += list != TN_LIST_ASIDE ? units : 0;
        return check_free(pool, node);
    }
    sums->backed += units;
    if ((tn_fit_mark(fit, node) & TN_MARK_REMNANT) != 0) return TARN_OK;
    sums->taken += units;
    return check_taken(pool, node);
}

static tarn_status check_span(tarn_pool *pool, const tn_pool_span *span, struct sums *sums) {
    uint64_t first = tn_pool_units(pool, span->addr - pool->range.base);
    uint64_t end = (span->addr - pool->range.base + span->bytes) >> pool->unit_shift;
    uint64_t at = first;
    tarn_status status = TARN_OK;
    for (uint32_t node = tn_fit_after(&pool->range.fit, span->head);
         node != 0 && status == TARN_OK;) {
        TN_REFUSE(tn_fit_start(&pool->range.fit, node) != at, TARN_CORRUPT,
                  "node %u does not start at unit %llu", node, (unsigned long long)at);
        at += tn_fit_units(&pool->range.fit, node);
        status = check_piece(pool, node, sums);
        node = tn_fit_after(&pool->range.fit, node);
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
            const tn_fit_bins *bins = pool->range.lists[slot->lists[i]];
            TN_REFUSE(bins->owner != s || (s == pool->range.sole && bins->count != 0), TARN_CORRUPT,
                      "list %u has %llu pieces and belongs to slot %llu, not %u", slot->lists[i],
                      (unsigned long long)bins->count, (unsigned long long)bins->owner, s);
        }
    }
    tn_pool_source *source = pool->growth.source;
    if (source != NULL && source->ops->map != NULL) {
        uint64_t held = tn_load_relaxed(&source->held_bytes);
        uint64_t backed = (sums->backed << pool->unit_shift) + source->handles.spare_bytes -
                          tn_load_relaxed(&pool->growth.asleep_bytes);
        TN_REFUSE(held != backed, TARN_CORRUPT,
                  "the pool holds %llu bytes, %llu of them mapped or spare",
                  (unsigned long long)held, (unsigned long long)backed);
    }
    return TARN_OK;
}

tarn_status tarn_pool_verify(tarn_pool *pool) {
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) return status;
    struct sums sums = {0, 0};
    tn_mutex_lock(&pool->growth.lock);
    for (unsigned r = 0; r < tn_pool_slot_count(pool); r++)
        for (unsigned c = 0; c < pool->small.classes.count && status == TARN_OK; c++)
            status = check_class(pool, r, c);
    tn_pool_fit_lock(pool);
    if (status == TARN_OK) status = tn_fit_check(&pool->range.fit);
    for (size_t i = 0; i < pool->range.span_count && status == TARN_OK; i++)
        status = check_span(pool, &pool->range.spans[i], &sums);
    if (status == TARN_OK) status = check_sums(pool, &sums);
    tn_pool_fit_unlock(pool);
    tn_mutex_unlock(&pool->growth.lock);
    return status;
}
