// SPDX-License-Identifier: Apache-2.0
// The hot part of piece.c, for the files that take and free pieces a million times a second: the
// search in the one list that serves most requests, and the free into it. Everything under fit.
#ifndef TARN_CORE_POOL_FIT_PIECE_H
#define TARN_CORE_POOL_FIT_PIECE_H

#include "algo/fit_hot.h"
#include "core/pool/pool.h"

#define TN_POOL_HOT static inline __attribute__((always_inline))

// The parts that are called seldom.
__attribute__((noinline)) uint32_t tn_pool_piece_search_shared(tarn_pool *pool,
                                                               const tn_pool_want *want);
__attribute__((noinline)) uint32_t tn_pool_piece_take_tail(tarn_pool *pool,
                                                           const tn_pool_want *want);
__attribute__((noinline)) void tn_pool_piece_extend_high(tarn_pool *pool, uint64_t end);
__attribute__((noinline)) void tn_pool_piece_free_tail(tarn_pool *pool, uint32_t node,
                                                       unsigned slot);

TN_POOL_HOT void tn_pool_piece_count(tarn_pool *pool, uint64_t units) {
    uint64_t taken = pool->range.taken_units + units;
    pool->range.taken_units = taken;
    if (taken > pool->range.peak_taken_units) pool->range.peak_taken_units = taken;
}

// Records what a node of the fit was taken for.
TN_POOL_HOT void tn_pool_piece_assign(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    uint64_t start = tn_fit_start(&pool->range.fit, node);
    uint64_t end = start + want->units;
    tn_fit_assign(&pool->range.fit, node, want->slot, want->mark, want->bytes);
    tn_pool_piece_count(pool, want->units);
    if (__builtin_expect(end > pool->range.high_units, 0)) tn_pool_piece_extend_high(pool, end);
    if ((want->mark & TN_MARK_SLAB) == 0)
        tn_granule_put(&pool->map, tn_pool_addr(pool, start), node);
}

// Takes a piece of the sole slot for a large block without an alignment, by the means that serve
// almost every request, and sets the granule entry of its start. Writes its address. Returns 0 if
// there is none; then tn_pool_piece_take() may still find one. Under fit.
TN_POOL_HOT uint32_t tn_pool_piece_take_quick(tarn_pool *pool, uint64_t units, tn_fit_data data,
                                              tarn_addr *addr) {
    tn_fit *fit = &pool->range.fit;
    if (__builtin_expect(tn_fit_room(fit) < TN_POOL_NODE_RESERVE || data.list != pool->range.sole,
                         0))
        return 0;
    uint32_t node = tn_fit_take_quick(fit, pool->range.free_list, units, data);
    if (__builtin_expect(node == 0, 0)) return 0;
    uint64_t start = tn_fit_start(fit, node);
    pool->range.streak++;
    tn_pool_piece_count(pool, units);
    if (__builtin_expect(start + units > pool->range.high_units, 0))
        tn_pool_piece_extend_high(pool, start + units);
    *addr = tn_pool_addr(pool, start);
    tn_granule_put(&pool->map, *addr, node);
    return node;
}

// Takes units of the lists that the slot may use, which is all of `want` that counts.
TN_POOL_HOT uint32_t tn_pool_piece_search(tarn_pool *pool, const tn_pool_want *want) {
    if (__builtin_expect(want->slot == pool->range.sole, 1)) {
        pool->range.streak++;
        return tn_fit_take(&pool->range.fit, pool->range.free_list, want->units,
                           want->align >> pool->unit_shift);
    }
    return pool->range.sole == TN_POOL_SHARED ? tn_pool_piece_search_shared(pool, want) : 0;
}

// See tn_pool_piece_take().
TN_POOL_HOT uint32_t tn_pool_piece_take_inline(tarn_pool *pool, const tn_pool_want *want) {
    if (__builtin_expect(tn_fit_room(&pool->range.fit) < TN_POOL_NODE_RESERVE, 0)) return 0;
    uint32_t node = tn_pool_piece_search(pool, want);
    if (__builtin_expect(node == 0, 0) && pool->range.tail != 0 &&
        (want->slot == pool->range.sole || pool->range.sole == TN_POOL_SHARED))
        node = tn_pool_piece_take_tail(pool, want);
    if (node != 0) tn_pool_piece_assign(pool, want, node);
    return node;
}

// Returns the list that pieces of a slot are freed into.
TN_POOL_HOT unsigned tn_pool_piece_list(tarn_pool *pool, unsigned slot) {
    bool sole = slot == pool->range.sole;
    if (slot == 0) return pool->range.free_list;
    const tn_pool_slot *own = tn_pool_slot_at(pool, slot);
    pool->range.unsettled |= sole;
    return sole ? pool->range.free_list : own->lists[own->young];
}

// Describes a large block that ends. Under fit, or for its owner.
TN_POOL_HOT void tn_pool_piece_describe(const tarn_pool *pool, uint32_t node,
                                        tn_pool_freed *freed) {
    const tn_fit *fit = &pool->range.fit;
    *freed = (tn_pool_freed){.node = node,
                             .mark = tn_fit_mark(fit, node),
                             .slot = tn_fit_list(fit, node),
                             .bytes = tn_fit_word(fit, node)};
}

// See tn_pool_piece_free().
TN_POOL_HOT void tn_pool_piece_free_inline(tarn_pool *pool, uint32_t node) {
    tn_fit *fit = &pool->range.fit;
    unsigned slot = tn_fit_list(fit, node);
    uint64_t units = tn_fit_units(fit, node);
    uint64_t end = tn_fit_start(fit, node) + units;
    pool->range.taken_units -= units;
    node = tn_fit_free_units(fit, node, units, tn_pool_piece_list(pool, slot));
    if (__builtin_expect(pool->range.tail_bytes != 0, 0) && end > pool->range.tail_start)
        tn_pool_piece_free_tail(pool, node, slot);
}

#endif
