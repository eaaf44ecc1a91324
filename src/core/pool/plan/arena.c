// SPDX-License-Identifier: Apache-2.0
// The arena of a plan: where its places are taken and freed. See plan.h. The memory of each lane
// begins behind a guard, a taken piece without a block, so that the free piece around a place is found
// from the next live place below: it is the piece behind it.
#include "base/error.h"
#include "core/pool/fit/piece.h"
#include "core/pool/plan/hot.h"

enum {
    GUESTS = 8,     // pieces below a place that are passed over: guests, and gaps between them
    YIELD_PART = 6, // of the plan, by which a pool may grow beyond it, at least
};

#define YIELD_BYTES (UINT64_C(64) << 20) // so many bytes

// Makes a taken piece one without a block.
static void set_empty(tarn_pool *pool, uint32_t node, unsigned slot) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    tn_piece_assign(pool, node, slot, TN_MARK_PENDING, 0);
}

static bool is_empty(const tarn_pool *pool, uint32_t node) {
    return tn_piece_is_taken(pool, node) && tn_piece_mark(pool, node) == TN_MARK_PENDING &&
           tn_piece_word(pool, node) == 0;
}

void tn_plan_arena_divide(tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_taken(pool, node));
    TARN_ASSERT(tn_piece_units(pool, node) == pool->plan->follow->units);
    tn_plan_follow *follow = pool->plan->follow;
    pool->plan->arena = tn_fit_start(&pool->range.fit, node);
    pool->plan->state = TN_PLAN_READY;
    tn_pool_piece_gather(pool, false);
    for (uint32_t l = 0; l < follow->lane_count; l++) {
        const tn_plan_lane *lane = &follow->lanes[l];
        uint32_t guard = node;
        node = tn_piece_split(pool, guard, follow->grain);
        set_empty(pool, guard, lane->slot);
        tn_plan_set_live(follow, lane->guard_rank, guard);
        if (lane->units == 0) continue;
        uint32_t memory = node;
        uint64_t end =
            l + 1 < follow->lane_count ? lane[1].start - follow->grain : follow->units - 1;
        node = tn_piece_split(pool, memory, end - lane->start);
        tn_fit_free_bare(&pool->range.fit, memory, TN_LIST_PLAN);
    }
    set_empty(pool, node, 0);
}

uint32_t tn_plan_arena_take(tarn_pool *pool, tn_plan_place *place, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    tn_fit *fit = &pool->range.fit;
    uint64_t start = plan->arena + place->start;
    tarn_addr addr = tn_pool_addr(pool, start);
    if (plan->state != TN_PLAN_READY || tn_fit_room(fit) < TN_POOL_NODE_RESERVE) return 0;
    place->below = tn_plan_below(plan->follow, place->rank);
    uint32_t node = tn_piece_after(pool, plan->follow->nodes[place->below]);
    for (int left = GUESTS; left > 0 && tn_piece_end(pool, node) <= addr; left--)
        node = tn_piece_after(pool, node);
    if (!tn_fit_is_free(fit, node, TN_LIST_PLAN) || (addr & (want->align - 1)) != 0) return 0;
    const tn_fit_data data = {want->slot, want->mark | TN_MARK_PLANNED, want->bytes};
    node = tn_plan_carve(pool, place, node, data);
    if (node != 0 && (want->mark & TN_MARK_SLAB) == 0) tn_granule_put(&pool->map, addr, node);
    return node;
}

void tn_plan_arena_adopt(tarn_pool *pool, uint32_t lane, unsigned slot) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && lane < pool->plan->follow->lane_count);
    struct tn_pool_plan *plan = pool->plan;
    tn_plan_lane *adopted = &plan->follow->lanes[lane];
    plan->lanes[slot] = lane + 1;
    adopted->slot = slot;
    if (plan->state == TN_PLAN_READY)
        set_empty(pool, plan->follow->nodes[adopted->guard_rank], slot);
}

void tn_plan_piece_free(tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && (tn_piece_mark(pool, node) & TN_MARK_PLANNED) != 0);
    struct tn_pool_plan *plan = pool->plan;
    uint32_t owner = plan->owners[node];
    if (owner < TN_PLAN_GUEST) {
        tn_plan_place_free(pool, node, owner);
    } else if (owner == TN_PLAN_GUEST) {
        plan->live -= tn_fit_units(&pool->range.fit, node);
        tn_fit_free_bare(&pool->range.fit, node, TN_LIST_PLAN);
    } else {
        tn_plan_learn_free(plan->learner, owner & ~TN_PLAN_LEARNT);
        tn_pool_piece_free(pool, node);
    }
}

// ---- the end of an arena

// Returns the lane in whose memory a node lies.
static const tn_plan_lane *lane_of(const tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->plan->follow->lane_count != 0);
    const tn_plan_follow *follow = pool->plan->follow;
    uint64_t at = tn_fit_start(&pool->range.fit, node) - pool->plan->arena;
    uint32_t l = follow->lane_count - 1;
    while (follow->lanes[l].start > at) l--;
    return &follow->lanes[l];
}

// The work of the lane's stream may still use the memory.
static void forget_arena(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    tn_fit *fit = &pool->range.fit;
    if (plan->state != TN_PLAN_READY) return;
    uint32_t node = plan->follow->nodes[plan->follow->lanes[0].guard_rank];
    uint64_t end = plan->arena + plan->follow->units;
    for (; node != 0 && tn_fit_start(fit, node) < end; node = tn_piece_after(pool, node)) {
        if (!tn_fit_is_free(fit, node, TN_LIST_PLAN)) continue;
        const tn_fit_data empty = {lane_of(pool, node)->slot, TN_MARK_PENDING, 0};
        (void)tn_fit_carve_bare(fit, node, 0, tn_fit_units(fit, node), empty);
    }
    tn_plan_clear_live(plan->follow);
    tn_pool_piece_gather(pool, true);
    plan->state = TN_PLAN_NO_ARENA;
    plan->yielded = false;
    plan->live = 0;
}

void tn_plan_arena_reset(tarn_pool *pool) {
    if (pool->plan == NULL) return;
    TN_FIT_LOCKED(pool);
    forget_arena(pool);
}

void tn_plan_arena_return(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->plan->state == TN_PLAN_READY);
    const struct tn_pool_plan *plan = pool->plan;
    forget_arena(pool);
    for (uint32_t k = 1; k < tn_piece_records(pool); k++) {
        uint64_t at = tn_fit_start(&pool->range.fit, k) - plan->arena;
        if (at >= plan->follow->units || !tn_piece_is_taken(pool, k)) continue;
        if (is_empty(pool, k))
            tn_pool_piece_free(pool, k);
        else
            tn_piece_set_mark(pool, k, tn_piece_mark(pool, k) & ~(uint32_t)TN_MARK_PLANNED);
    }
}

bool tn_plan_arena_return_empty(tarn_pool *pool) {
    const struct tn_pool_plan *plan = pool->plan;
    if (plan == NULL) return false;
    TN_FIT_LOCKED(pool);
    if (plan->state != TN_PLAN_READY || plan->live != 0) return false;
    tn_plan_arena_return(pool);
    return true;
}

bool tn_plan_arena_yield(tarn_pool *pool, const tn_pool_want *want, uint64_t used) {
    struct tn_pool_plan *plan = pool->plan;
    if (plan == NULL || pool->desc.kind != TARN_POOL_EXPANDABLE) return false;
    uint64_t bytes = want->units << pool->unit_shift;
    uint64_t held = tn_pool_held_bytes(pool);
    TN_FIT_LOCKED(pool);
    if (plan->state != TN_PLAN_READY) return false;
    uint64_t size = plan->follow->units << pool->unit_shift;
    uint64_t beyond = size / YIELD_PART > YIELD_BYTES ? size / YIELD_PART : YIELD_BYTES;
    if (held + bytes <= size + beyond || held < used + bytes) return false;
    tn_plan_arena_return(pool);
    plan->state = TN_PLAN_FAILED;
    plan->yielded = true;
    return true;
}

// Finds the smallest gap of a lane for a request, and how far its start lies in it. Returns 0 if there
// is none.
static uint32_t find_gap(const tarn_pool *pool, const tn_plan_lane *lane, const tn_pool_want *want,
                         uint64_t *skip) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    const tn_fit *fit = &pool->range.fit;
    uint64_t end = pool->plan->arena + lane->start + lane->units, least = UINT64_MAX;
    uint32_t node = pool->plan->follow->nodes[lane->guard_rank], best = 0;
    while ((node = tn_fit_after(fit, node)) != 0 && tn_fit_start(fit, node) < end) {
        uint64_t had = tn_fit_units(fit, node);
        uint64_t pad = (0 - tn_piece_addr(pool, node)) & (want->align - 1);
        pad >>= pool->unit_shift;
        if (!tn_fit_is_free(fit, node, TN_LIST_PLAN) || had < want->units + pad || had >= least)
            continue;
        least = had;
        best = node;
        *skip = pad;
    }
    return best;
}

uint32_t tn_plan_arena_host(tarn_pool *pool, const tn_pool_want *want) {
    struct tn_pool_plan *plan = pool->plan;
    uint64_t skip = 0;
    if (plan == NULL || (want->mark & TN_MARK_SLAB) != 0) return 0;
    TN_FIT_LOCKED(pool);
    uint32_t lane = plan->state == TN_PLAN_READY ? plan->lanes[want->slot] : 0;
    if (lane == 0 || !tn_piece_has_records(pool)) return 0;
    uint32_t node = find_gap(pool, &plan->follow->lanes[lane - 1], want, &skip);
    if (node == 0) return 0;
    const tn_fit_data data = {want->slot, want->mark | TN_MARK_PLANNED, want->bytes};
    node = tn_fit_carve_bare(&pool->range.fit, node, skip, want->units, data);
    tn_granule_put(&pool->map, tn_piece_addr(pool, node), node);
    plan->owners[node] = TN_PLAN_GUEST;
    plan->live += want->units;
    return node;
}

// ---- the check

static tarn_status check_place(const tarn_pool *pool, uint32_t rank, uint32_t node) {
    const tn_plan_follow *follow = pool->plan->follow;
    uint32_t group = rank / TN_PLAN_GROUP;
    bool marked = (follow->groups[0][group / 64] >> group % 64 & 1) != 0;
    bool planned =
        (tn_piece_mark(pool, node) & TN_MARK_PLANNED) != 0 && pool->plan->owners[node] == rank;
    TN_REFUSE(!tn_piece_is_taken(pool, node) || !marked || (!planned && !is_empty(pool, node)),
              TARN_CORRUPT, "place %u of the plan and record %u disagree", rank, node);
    return TARN_OK;
}

tarn_status tn_plan_verify(const tarn_pool *pool) {
    const struct tn_pool_plan *plan = pool->plan;
    uint64_t live = 0;
    if (plan == NULL || plan->follow == NULL) return TARN_OK;
    for (uint32_t rank = 0; rank < plan->follow->ranks; rank++)
        if (plan->follow->nodes[rank] != 0)
            TN_TRY(check_place(pool, rank, plan->follow->nodes[rank]));
    for (uint32_t k = 1; k < tn_piece_records(pool); k++)
        if (tn_piece_is_taken(pool, k) && (tn_piece_mark(pool, k) & TN_MARK_PLANNED) != 0 &&
            plan->owners[k] <= TN_PLAN_GUEST)
            live += tn_piece_units(pool, k);
    TN_REFUSE(live != plan->live, TARN_CORRUPT,
              "the plan counts %llu live units, its places have %llu",
              (unsigned long long)plan->live, (unsigned long long)live);
    return TARN_OK;
}
