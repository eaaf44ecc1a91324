// SPDX-License-Identifier: Apache-2.0
// The hot part of piece.c, for the files that take and free pieces a million times a second: the
// search in the one list that serves most requests, and the free into it. Everything under fit.
#ifndef TARN_CORE_POOL_PIECE_H
#define TARN_CORE_POOL_PIECE_H

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

// Records what a node of the fit was taken for.
TN_POOL_HOT void tn_pool_piece_assign(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    uint64_t start = tn_fit_start(&pool->fit, node);
    uint64_t end = start + want->units;
    tn_fit_assign(&pool->fit, node, want->slot, want->mark, want->bytes);
    uint64_t taken = pool->taken_units + want->units;
    pool->taken_units = taken;
    if (taken > pool->peak_taken_units) {
        pool->peak_taken_units = taken;
    }
    if (__builtin_expect(end > pool->high_units, 0)) {
        tn_pool_piece_extend_high(pool, end);
    }
    if ((want->mark & TN_MARK_SLAB) == 0) {
        tn_granule_put(&pool->map, tn_pool_addr(pool, start), node);
    }
}

// See tn_pool_piece_take().
TN_POOL_HOT uint32_t tn_pool_piece_take_inline(tarn_pool *pool, const tn_pool_want *want) {
    uint32_t node = 0;
    if (__builtin_expect(tn_fit_room(&pool->fit) < TN_POOL_NODE_RESERVE, 0)) {
        return 0;
    }
    bool sole = want->slot == pool->sole;
    if (__builtin_expect(sole, 1)) {
        node =
            tn_fit_take(&pool->fit, pool->free_list, want->units, want->align >> pool->unit_shift);
    } else if (pool->sole == TN_POOL_SHARED) {
        node = tn_pool_piece_search_shared(pool, want);
    } else {
        return 0;
    }
    if (__builtin_expect(node == 0, 0) && pool->tail != 0) {
        node = tn_pool_piece_take_tail(pool, want);
    }
    if (node != 0) {
        tn_pool_piece_assign(pool, want, node);
    }
    return node;
}

// See tn_pool_piece_free().
TN_POOL_HOT void tn_pool_piece_free_inline(tarn_pool *pool, uint32_t node) {
    tn_fit *fit = &pool->fit;
    unsigned slot = tn_fit_list(fit, node);
    uint64_t units = tn_fit_units(fit, node);
    uint64_t end = tn_fit_start(fit, node) + units;
    unsigned list = pool->free_list;
    pool->taken_units -= units;
    if (slot != 0) {
        const tn_pool_slot *own = tn_pool_slot_at(pool, slot);
        bool sole = slot == pool->sole;
        pool->unsettled |= sole;
        list = sole ? list : own->lists[own->young];
    }
    node = tn_fit_free(fit, node, list);
    if (__builtin_expect(pool->tail_bytes != 0, 0) && end > pool->tail_start) {
        tn_pool_piece_free_tail(pool, node, slot);
    }
}

#endif
