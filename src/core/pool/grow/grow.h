// SPDX-License-Identifier: Apache-2.0
// The parts of growth: what grow.c uses of pages.c and segments.c, and what all three
// use. Everything is under the growth lock.
#pragma once

#include "base/error.h"
#include "core/pool/fit/piece.h"

static inline uint64_t tn_pool_page_units(const tarn_pool *pool) {
    return pool->growth.source->page_bytes >> pool->unit_shift;
}

static inline uint64_t tn_pool_page_at(const tarn_pool *pool, tarn_addr addr) {
    return (addr - pool->growth.source->base) / pool->growth.source->page_bytes;
}

static inline tarn_status tn_pool_over_limit(const tarn_pool *pool) {
    return tn_fail(TARN_NO_DEVICE_MEMORY, "the pool has reached its limit of %llu bytes",
                   (unsigned long long)pool->desc.limit);
}

// Lets a slot allocate if another one has been alone in the pool. Takes order.
static inline void tn_pool_admit_slot(tarn_pool *pool, unsigned slot) {
    tn_pool_order_lock(pool);
    tn_pool_sole_end(pool, slot);
    tn_pool_order_unlock(pool);
}

// Takes a node for `want` if one fits, and lets its slot allocate before. The order lock keeps
// other threads from changing that in between. Growth apart from shards is of the sole slot. Takes
// order and fit.
static inline bool tn_pool_take(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    tn_pool_order_lock(pool);
    if (pool->range.apart == TN_APART_NOT) tn_pool_sole_end(pool, want->slot);
    tn_pool_fit_lock_growing(pool);
    *node = tn_pool_piece_take(pool, want);
    tn_pool_fit_unlock(pool);
    tn_pool_order_unlock(pool);
    return *node != 0;
}

// ---- pages.c

tarn_status tn_pool_grow_by_pages(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// Maps `pages` pages from number `page` on, by the means of growth. The caller has taken what lies
// there out of the fit.
tarn_status tn_pool_back(tarn_pool *pool, uint64_t page, uint64_t pages);

// ---- segments.c

tarn_status tn_pool_grow_by_segment(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// Returns true if the block would share a segment with others.
bool tn_pool_segment_divides(const tarn_pool *pool, const tn_pool_want *want);

// Releases entirely free segments until at most `keep` bytes are held. Returns true if it released
// any. A host function must not do so, because the device may wait.
bool tn_pool_drop_segments(tarn_pool *pool, uint64_t keep, uint32_t flags);

// ---- movable.c

// Handles taken out of the fit: runs of neighbours, linked through the words of their nodes.
typedef struct tn_movables {
    uint32_t first; // 0: none
    uint64_t pages;
} tn_movables;

// Returns the bytes of the complete handles under a free piece. Under fit, as for the next two.
uint64_t tn_movable_bytes(const tarn_pool *pool, uint32_t node);

// Takes as few handles as possible that have `want` pages together, and at most `room`: the
// smallest that covers the rest, else the largest; of equal ones that of the smallest piece. It may
// find fewer pages.
tn_movables tn_movables_take(tarn_pool *pool, uint64_t want, uint64_t room);

// Frees them again.
void tn_movables_return(tarn_pool *pool, const tn_movables *movables);

// Unmaps them: they are spare afterwards. Returns the pages; handles that the device refused to
// unmap are free again. Takes fit.
uint64_t tn_movables_unmap(tarn_pool *pool, const tn_movables *movables);
