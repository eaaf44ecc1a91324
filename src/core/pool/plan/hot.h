// SPDX-License-Identifier: Apache-2.0
// The calls of a program that follows its plan, inline: the request that comes next on its lane, whose
// place is free, and the free of its block. plan.c and arena.c have all other cases. Any thread.
#pragma once

#include "core/pool/fit/piece.h"
#include "core/pool/plan/plan.h"

// Takes a place out of the free piece `node` of its arena. Returns 0 if it does not lie in there. Under
// fit, as for the next one.
TN_POOL_HOT uint32_t tn_plan_carve(tarn_pool *pool, const tn_plan_place *place, uint32_t node,
                                   tn_fit_data data) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    tn_fit *fit = &pool->range.fit;
    uint64_t skip = plan->arena + place->start - tn_fit_start(fit, node);
    uint64_t had = tn_fit_units(fit, node);
    if (__builtin_expect(
            !tn_fit_is_free(fit, node, TN_LIST_PLAN) || skip > had || place->units > had - skip, 0))
        return 0;
    node = tn_fit_carve_bare(fit, node, skip, place->units, data);
    TARN_ASSERT(plan->follow->nodes[place->rank] == 0); // no live piece overlaps a free one
    plan->owners[node] = place->rank;
    tn_plan_set_live(plan->follow, place->rank, node);
    plan->live += place->units;
    if (plan->live > plan->most) plan->most = plan->live;
    return node;
}

// Frees the piece of a place.
TN_POOL_HOT void tn_plan_place_free(tarn_pool *pool, uint32_t node, uint32_t rank) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->plan->follow->nodes[rank] == node);
    TARN_ASSERT(tn_piece_units(pool, node) <= pool->plan->live);
    tn_plan_set_free(pool->plan->follow, rank);
    pool->plan->live -= tn_fit_units(&pool->range.fit, node);
    tn_fit_free_bare(&pool->range.fit, node, TN_LIST_PLAN);
}

// Frees a piece with TN_MARK_PLANNED, as tn_plan_piece_free() does.
TN_POOL_HOT void tn_plan_free_inline(tarn_pool *pool, uint32_t node) {
    uint32_t owner = pool->plan->owners[node];
    if (__builtin_expect(owner < TN_PLAN_GUEST, 1))
        tn_plan_place_free(pool, node, owner);
    else
        tn_plan_piece_free(pool, node);
}

// Takes the place of the next request of a slot, which has no alignment. Sets the granule
// entry of its start, and writes its address. Returns 0, with nothing changed, if the request is
// another one, or the place is not free. Under fit.
TN_POOL_HOT uint32_t tn_plan_take_next(tarn_pool *pool, uint64_t units, tn_fit_data data,
                                       tarn_addr *addr) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0);
    struct tn_pool_plan *plan = pool->plan;
    uint32_t tag = data.mark;
    uint32_t number = plan->lanes[data.list];
    if (number == 0 || tn_fit_room(&pool->range.fit) < TN_POOL_NODE_RESERVE) return 0;
    tn_plan_lane *lane = &plan->follow->lanes[number - 1];
    tn_plan_place *place = lane->next;
    if (place->units != units || place->tag != tag || place->lap > lane->lap) return 0;
    // Mostly the same place is live below as in the last pass. The piece behind it proves the rest.
    // Without an arena no place is live.
    data.mark = tag | TN_MARK_PLANNED;
    uint32_t below = plan->follow->nodes[place->below];
    uint32_t node = below != 0 ? tn_plan_carve(pool, place, tn_piece_after(pool, below), data) : 0;
    if (__builtin_expect(node == 0, 0)) return 0;
    tn_plan_use(lane, place, lane->lap);
    plan->now.planned++;
    plan->now.planned_bytes += data.word;
    *addr = tn_piece_addr(pool, node);
    tn_granule_put(&pool->map, *addr, node);
    return node;
}
