// SPDX-License-Identifier: Apache-2.0
// The passes of a program whose pool has a plan: how well each followed the plan, and when the pool
// makes another one. Any thread; the growth lock guards the making of a plan, the fit lock the rest.
#include "core/pool/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/pool/fit/piece.h"

#define LEARN_STEPS  (UINT64_C(1) << 23) // for the search of a learnt plan, in a mark
#define PERIOD_STEPS (UINT64_C(1) << 16) // in a request

enum {
    PATIENCE_MAX = 1 << 12,
    FITS = 3,       // a plan fits a pass if the planned bytes are so many times the others
    IDLE_PART = 8,  // of what lived in the arena in a pass, by which it may be larger
    REQUESTS = 256, // of a pass without marks, at least
};

// ---- making a plan

void tn_plan_join(tarn_pool *pool, const void *bytes, const tn_plan_head *head) {
    tn_pool_classes *classes = &pool->classes;
    tn_pool_classes_part(classes);
    if (bytes == NULL || pool->small.max == 0) return; // or small blocks have no classes
    for (uint64_t i = 0; i < head->slabs; i++) {
        uint32_t tag = tn_plan_request_at(bytes, head, i).tag;
        unsigned c = tn_pool_class_of(classes, tn_plan_stride(tag));
        unsigned joined = tn_plan_joined(tag);
        tn_pool_classes_join(classes, joined < c ? c - joined : 0, c);
    }
}

// Makes the pool follow a plan whose lanes, by slot and from 1 on, are known.
static void set_follow(tarn_pool *pool, tn_plan_follow *follow, const uint32_t *lanes) {
    TN_FIT_LOCKED(pool);
    pool->plan->follow = follow;
    pool->plan->lanes_used = follow->lane_count;
    pool->plan->plans++;
    pool->plan->before = pool->plan->now;
    memset(pool->plan->misses, 0, sizeof pool->plan->misses);
    tn_plan_learn_rest(pool->plan->learner);
    for (unsigned s = 0; s < TN_POOL_SLOTS; s++)
        if (lanes[s] != 0) tn_plan_arena_adopt(pool, lanes[s] - 1, s);
}

// Gives up a plan before it is followed.
static void refuse_follow(tarn_pool *pool, tn_plan_follow *follow) {
    tn_plan_follow_free(follow);
    TN_FIT_LOCKED(pool);
    tn_plan_learn_pause(pool->plan->learner);
}

// Returns true if a plan has places for so much of its own pass that it can fit one: streams that take
// turns with another one get none.
static bool fits_its_pass(const tarn_pool *pool, const tn_plan_follow *follow,
                          const tn_plan_pass *pass) {
    uint64_t bytes = 0, planned = follow->asked << pool->unit_shift;
    for (size_t i = 0; i < pass->count; i++)
        bytes += tn_plan_place_bytes(&pool->rule, pass->blocks[i].bytes);
    return planned / FITS >= bytes - (planned < bytes ? planned : bytes);
}

// Makes a plan of a pass, whose streams are slots, and follows it.
static tarn_status plan_pass(tarn_pool *pool, const tn_plan_pass *pass, uint64_t steps) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && pass->count != 0);
    tn_plan_head head;
    tn_plan_follow *follow = NULL;
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    uint32_t *lanes = (uint32_t *)calloc(TN_POOL_SLOTS, sizeof *lanes);
    size_t room = TN_PLAN_ROOM(pass->count), bytes = 0;
    void *made = malloc(room);
    desc.blocks = pass->blocks;
    desc.count = pass->count;
    desc.period = pass->period;
    desc.rule = pool->rule;
    desc.limit_steps = steps;
    uint32_t used = 0;
    for (size_t i = 0; lanes != NULL && i < pass->count; i++) {
        uint32_t *lane = &lanes[pass->blocks[i].stream];
        if (*lane == 0) *lane = ++used; // as in the plan
    }
    tarn_status status = lanes == NULL || made == NULL
                             ? tn_fail(TARN_NO_HOST_MEMORY,
                                       "out of host memory for a plan of %zu requests", pass->count)
                             : tn_plan_make(&desc, made, room, &bytes);
    if (status == TARN_OK) status = tn_plan_check(made, bytes, &head);
    if (status == TARN_OK) status = tn_plan_follow_make(made, &head, pool->unit_shift, &follow);
    if (status == TARN_OK && fits_its_pass(pool, follow, pass)) {
        tn_plan_join(pool, made, &head);
        set_follow(pool, follow, lanes);
    } else if (status == TARN_OK) {
        refuse_follow(pool, follow);
    }
    free(lanes);
    free(made);
    return status;
}

// ---- how well a plan fits

// Ends a number of equal passes. Returns true if so many in a row did not fit the plan that it is of no
// use. The pool has more patience after each plan that did not fit.
static bool judge_passes(struct tn_pool_plan *plan, uint64_t passes) {
    uint64_t planned = plan->now.planned_bytes - plan->before.planned_bytes;
    uint64_t others = plan->now.unplanned_bytes - plan->before.unplanned_bytes;
    // Without marks it may take some passes until memory for the arena is free at the same time.
    bool waits = plan->state != TN_PLAN_READY && !plan->marked;
    *(waits ? &planned : &others) += plan->now.late_bytes - plan->before.late_bytes;
    bool fits = planned / FITS >= others;
    plan->before = plan->now;
    plan->passes += passes;
    plan->planned_passes += fits ? passes : 0;
    plan->unfit = fits ? 0 : plan->unfit + passes;
    plan->fit = fits ? plan->fit + passes : 0;
    if (plan->fit >= plan->patience) plan->patience = TN_PLAN_PATIENCE;
    return plan->unfit >= plan->patience;
}

// Returns false if the arena is much larger than what lived in it: the plan is that of another run. One
// that has paid is kept over some smaller passes.
static bool judge_arena(struct tn_pool_plan *plan) {
    if (plan->state != TN_PLAN_READY) return true;
    uint64_t slack = plan->most / IDLE_PART + 2 * plan->follow->grain * plan->follow->lane_count;
    bool pays = plan->follow->units <= plan->most + slack;
    plan->idle = pays ? 0 : plan->idle + 1;
    plan->paid |= pays;
    return plan->idle <= (plan->paid ? TN_PLAN_PATIENCE : 0);
}

// Returns true if the present pass made most of the requests of a plan that rests.
static bool is_wanted_again(const struct tn_pool_plan *plan, unsigned unit_shift) {
    uint64_t asked = plan->follow->asked << unit_shift;
    return plan->now.late_bytes - plan->before.late_bytes >= asked - asked / IDLE_PART;
}

static uint64_t count_requests(const struct tn_plan_counts *counts) {
    return counts->planned + counts->unplanned + counts->late;
}

// Gives up the arena. Blocks stay where they are, as ordinary ones.
static void rest_plan(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    if (plan->state == TN_PLAN_READY) tn_plan_arena_return(pool);
    plan->state = TN_PLAN_RESTS;
    plan->yielded = plan->paid = false;
    plan->idle = 0;
}

// Gives up a plan.
static void forget_plan(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    if (plan->follow == NULL || plan->state == TN_PLAN_MAKING) return;
    rest_plan(pool);
    plan->state = TN_PLAN_NO_ARENA;
    tn_plan_follow_free(plan->follow);
    plan->follow = NULL;
    tn_plan_join(pool, NULL, NULL);
    plan->lanes_used = 0;
    for (unsigned s = 0; s < TN_POOL_SLOTS; s++) plan->lanes[s] = 0;
    plan->fit = plan->unfit = 0;
    plan->patience = plan->patience < PATIENCE_MAX ? 2 * plan->patience : PATIENCE_MAX;
    tn_plan_learn_restart(plan->learner);
}

void tn_plan_judge(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    if (plan->marked || plan->follow == NULL) return;
    uint64_t pass = plan->follow->place_count > REQUESTS ? plan->follow->place_count : REQUESTS;
    uint64_t passes = (count_requests(&plan->now) - count_requests(&plan->before)) / pass;
    if (passes == 0) return;
    if (judge_passes(plan, passes) && plan->learner != NULL)
        forget_plan(pool);
    else if (plan->state == TN_PLAN_FAILED)
        plan->state = TN_PLAN_NO_ARENA;
}

// ---- passes

// A program that begins to mark its passes has a better plan than one without marks.
static void begin_marks(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    struct tn_pool_plan *plan = pool->plan;
    if (!plan->marked && plan->learner != NULL) forget_plan(pool);
    plan->marked = true;
}

// Ends a pass that made requests, of a pool that follows a plan. Returns true if it gave back an arena
// that was too large.
static bool end_pass(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->plan->follow != NULL);
    struct tn_pool_plan *plan = pool->plan;
    bool rests = plan->state == TN_PLAN_RESTS;
    if (rests && is_wanted_again(plan, pool->unit_shift)) plan->state = TN_PLAN_NO_ARENA;
    bool fits = !judge_passes(plan, 1), pays = judge_arena(plan);
    if (rests || (fits && pays) || plan->state == TN_PLAN_MAKING) return false;
    if (plan->learner != NULL)
        forget_plan(pool);
    else if (plan->state == TN_PLAN_READY)
        rest_plan(pool);
    return !pays;
}

// Begins a pass. Returns true if there is one to plan.
static bool begin_pass(tarn_pool *pool, tn_plan_pass *pass, bool *gave_back) {
    struct tn_pool_plan *plan = pool->plan;
    TN_FIT_LOCKED(pool);
    if (!plan->marked)
        begin_marks(pool);
    else if (plan->follow == NULL)
        plan->passes++;
    else if (count_requests(&plan->now) != count_requests(&plan->before))
        *gave_back = end_pass(pool);
    plan->most = plan->live;
    if (plan->follow != NULL) tn_plan_begin_pass(plan->follow);
    if (plan->state == TN_PLAN_FAILED) plan->state = TN_PLAN_NO_ARENA;
    return plan->follow == NULL && plan->learner != NULL && tn_plan_learn_mark(plan->learner, pass);
}

tarn_status tn_plan_mark_pass(tarn_pool *pool, bool *gave_back) {
    tn_plan_pass pass;
    TN_GROW_LOCKED(pool);
    if (!begin_pass(pool, &pass, gave_back)) return TARN_OK;
    tarn_status status = plan_pass(pool, &pass, LEARN_STEPS);
    free(pass.blocks);
    return status;
}

static bool find_period(tarn_pool *pool, tn_plan_pass *pass) {
    struct tn_pool_plan *plan = pool->plan;
    TN_FIT_LOCKED(pool);
    return plan->follow == NULL && tn_plan_learn_is_due(plan->learner) &&
           tn_plan_learn_period(plan->learner, pass);
}

void tn_plan_period(tarn_pool *pool) {
    tn_plan_pass pass;
    struct tn_error_saved error;
    TN_GROW_LOCKED(pool);
    if (!find_period(pool, &pass)) return;
    tn_error_save(&error);
    (void)plan_pass(pool, &pass, PERIOD_STEPS); // after a failure the pool goes on learning
    tn_error_restore(&error);
    free(pass.blocks);
}
