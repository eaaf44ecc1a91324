// SPDX-License-Identifier: Apache-2.0
// Pools with a plan: the places of large blocks and slabs, and the choice of a plan. Any thread.
#include "core/pool/plan/hot.h"

#include <stdlib.h>

#include "base/error.h"
#include "core/pool/array.h"

// ---- allocation

tn_pool_want tn_plan_arena_want(const tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(pool->plan->state == TN_PLAN_MAKING);
    const tn_plan_follow *follow = pool->plan->follow;
    uint64_t bytes = follow->units << pool->unit_shift;
    // The mark of slabs: a piece that is no block, and whose refusal is none of the program's.
    return (tn_pool_want){.units = follow->units,
                          .align = follow->grain << pool->unit_shift,
                          .occupied = bytes,
                          .bytes = bytes,
                          .slot = follow->lane_count == 1 ? slot : 0,
                          .mark = TN_MARK_SLAB,
                          .exact = true};
}

bool tn_plan_arena_make(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    struct tn_pool_plan *plan = pool->plan;
    TN_FIT_LOCKED(pool);
    if (plan->yielded) node = tn_pool_piece_take(pool, want);
    uint64_t records = 2 * (uint64_t)plan->follow->lane_count + TN_POOL_NODE_RESERVE;
    plan->state = TN_PLAN_FAILED;
    plan->yielded = plan->yielded && node == 0;
    if (node != 0 && tn_fit_room(&pool->range.fit) >= records)
        tn_plan_arena_divide(pool, node);
    else if (node != 0)
        tn_pool_piece_free(pool, node);
    return plan->state == TN_PLAN_READY;
}

// Returns true if it is time to take the memory of the arena. A program without marks that has learnt a
// plan is within a pass, and its blocks live elsewhere: it waits until so much is free. Under fit.
static bool is_arena_due(const tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->plan->follow != NULL);
    const struct tn_pool_plan *plan = pool->plan;
    if (plan->state != TN_PLAN_NO_ARENA) return false;
    if (plan->marked || plan->learner == NULL) return true;
    uint64_t held = pool->growth.source != NULL ? tn_pool_held_bytes(pool) : pool->desc.bytes;
    return held >> pool->unit_shift >= pool->range.taken_units + plan->follow->units;
}

// Returns the lane of a slot + 1, or 0 if it has none. Lanes belong to the slots in the order of their
// first requests. Under fit.
static uint32_t find_lane(tarn_pool *pool, unsigned slot) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && slot < TN_POOL_SLOTS);
    struct tn_pool_plan *plan = pool->plan;
    if (plan->follow == NULL) return 0;
    if (plan->lanes[slot] == 0 && plan->lanes_used < plan->follow->lane_count)
        tn_plan_arena_adopt(pool, plan->lanes_used++, slot);
    return plan->lanes[slot];
}

// Takes the place that was recognised. Under fit.
static inline __attribute__((always_inline)) uint32_t
take_place(tarn_pool *pool, const tn_pool_want *want, tn_plan_answer *answer) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    uint32_t node = answer->place != NULL ? tn_plan_arena_take(pool, answer->place, want) : 0;
    if (__builtin_expect(node != 0, 1)) {
        plan->now.planned++;
        plan->now.planned_bytes += want->bytes;
    } else {
        tn_plan_miss(pool, want, answer->place != NULL);
        tn_plan_judge(pool);
        answer->learns =
            plan->follow == NULL && plan->learner != NULL && tn_plan_learn_wants(plan->learner);
    }
    return node;
}

uint32_t tn_plan_take(tarn_pool *pool, const tn_pool_want *want, tn_plan_answer *answer) {
    struct tn_pool_plan *plan = pool->plan;
    if (want->occupied <= TN_SMALL_MAX) return 0;
    TN_FIT_LOCKED(pool);
    uint32_t lane = find_lane(pool, want->slot);
    if (lane != 0)
        answer->place = tn_plan_recognise(plan->follow, lane - 1, want->units, want->mark);
    answer->waits = answer->place != NULL && is_arena_due(pool);
    if (__builtin_expect(!answer->waits, 1)) return take_place(pool, want, answer);
    answer->plans = plan->plans;
    plan->state = TN_PLAN_MAKING;
    return 0;
}

uint32_t tn_plan_take_made(tarn_pool *pool, const tn_pool_want *want, tn_plan_answer *answer) {
    const struct tn_pool_plan *plan = pool->plan;
    TN_FIT_LOCKED(pool);
    bool gave_up = plan->plans != answer->plans || plan->follow == NULL; // another thread did
    return gave_up ? 0 : take_place(pool, want, answer);
}

uint32_t tn_plan_take_slab(tarn_pool *pool, const tn_pool_want *want, uint32_t stride,
                           bool *waits) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    *waits = false;
    if (__builtin_expect(plan == NULL, 1)) return 0;
    uint32_t lane = find_lane(pool, want->slot), node = 0;
    const tn_plan_lane *own = lane != 0 ? &plan->follow->lanes[lane - 1] : NULL;
    for (uint32_t i = 0; own != NULL && i < own->slab_count && node == 0 && !*waits; i++) {
        tn_plan_place *place = &own->slabs[i];
        if (place->tag != stride || tn_plan_is_live(plan->follow, place->rank)) continue;
        tn_pool_want exact = *want;
        exact.units = place->units;
        *waits = is_arena_due(pool);
        node = tn_plan_arena_take(pool, place, &exact);
    }
    return node;
}

bool tn_plan_slab_waits(tarn_pool *pool, const tn_pool_want *want, uint32_t stride,
                        uint32_t *node) {
    bool waits = false;
    TN_FIT_LOCKED(pool);
    *node = tn_plan_take_slab(pool, want, stride, &waits);
    if (waits) pool->plan->state = TN_PLAN_MAKING;
    return waits;
}

void tn_plan_learn_block(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    struct tn_pool_plan *plan = pool->plan;
    tn_pool_fit_lock(pool);
    uint32_t number = plan->follow == NULL
                          ? tn_plan_learn_alloc(plan->learner, want->slot, want->bytes, want->mark)
                          : 0;
    if (number != 0) {
        plan->owners[node] = number | TN_PLAN_LEARNT;
        tn_piece_set_mark(pool, node, tn_piece_mark(pool, node) | TN_MARK_PLANNED);
    }
    bool due = number != 0 && tn_plan_learn_is_due(plan->learner);
    tn_pool_fit_unlock(pool);
    if (due) tn_plan_period(pool);
}

// ---- creation

static tarn_status follow_plan(tarn_pool *pool, const tarn_plan *wanted) {
    const tarn_rule *a = &wanted->head.rule, *b = &pool->rule;
    TN_REFUSE(a->start != b->start || a->rounding != b->rounding || a->padding != b->padding,
              TARN_BAD_ARGUMENT,
              "the plan is for a rule with start %u, rounding %u, padding %u, and the pool has %u, "
              "%u, %u",
              a->start, a->rounding, a->padding, b->start, b->rounding, b->padding);
    tn_plan_join(pool, wanted->bytes, &wanted->head);
    return tn_plan_follow_make(wanted->bytes, &wanted->head, pool->unit_shift, &pool->plan->follow);
}

tarn_status tn_pool_plan_attach(tarn_pool *pool, const tarn_pool_desc *desc) {
    void *owners = NULL, *lanes = NULL;
    bool learns = (desc->flags & TARN_POOL_LEARN) != 0;
    if (desc->plan == NULL && !learns) return TARN_OK;
    struct tn_pool_plan *plan = (struct tn_pool_plan *)calloc(1, sizeof *plan);
    TN_REFUSE(plan == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the plan of a pool");
    plan->patience = TN_PLAN_PATIENCE;
    pool->plan = plan;
    tn_plan_join(pool, NULL, NULL);
    TN_TRY(tn_pool_array_map(sizeof *plan->owners, pool->range.node_room, pool->range.node_room,
                             false, &owners, &plan->owner_room));
    plan->owners = (uint32_t *)owners;
    TN_TRY(tn_pool_array_map(sizeof *plan->lanes, TN_POOL_SLOTS, TN_POOL_SLOTS, false, &lanes,
                             &plan->lane_room));
    plan->lanes = (uint32_t *)lanes;
    return learns ? tn_plan_learner_make(&plan->learner) : follow_plan(pool, desc->plan);
}

void tn_pool_plan_destroy(tarn_pool *pool) {
    struct tn_pool_plan *plan = pool->plan;
    if (plan == NULL) return;
    tn_pool_array_unmap(plan->owners, sizeof *plan->owners, plan->owner_room);
    tn_pool_array_unmap(plan->lanes, sizeof *plan->lanes, plan->lane_room);
    tn_plan_follow_free(plan->follow);
    tn_plan_learner_free(plan->learner);
    free(plan);
}
