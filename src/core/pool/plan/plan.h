// SPDX-License-Identifier: Apache-2.0
// The plan of a pool. A planned block is a piece like others, with TN_MARK_PLANNED. Its place lies in
// the arena, a large piece that is divided by guards. Free pieces of the arena have a list without
// bins, so that only the plan finds them. So live blocks never overlap, whatever the program does.
// The fit lock guards all of it.
#pragma once

#include "core/pool/plan/follow.h"
#include "core/pool/plan/learn.h"
#include "core/pool/pool.h"

enum tn_plan_state {
    TN_PLAN_NO_ARENA,
    TN_PLAN_MAKING, // a thread takes the memory for it
    TN_PLAN_READY,
    TN_PLAN_FAILED, // there is no memory; until the next pass
    TN_PLAN_RESTS,  // the passes need little of it; until one makes most of its requests
};

// Owners with this bit are numbers of the learner, the others are ranks of places.
#define TN_PLAN_LEARNT UINT32_C(0x80000000)
#define TN_PLAN_GUEST  UINT32_C(0x7fffffff) // a block without a place, in a gap of the arena

enum {
    TN_PLAN_PATIENCE = 3
}; // passes in a row that a plan need not fit before the pool learns another

// Requests and their bytes: those that got their places, those that the plan does not have, and those
// whose places were taken.
struct tn_plan_counts {
    uint64_t planned, unplanned, late;
    uint64_t planned_bytes, unplanned_bytes, late_bytes;
};

struct tn_pool_plan {
    tn_plan_follow *follow;   // NULL while the pool learns
    tn_plan_learner *learner; // of TARN_POOL_LEARN, else NULL
    uint32_t *lanes;          // by slot: its lane + 1
    uint32_t lanes_used;
    uint32_t *owners; // by node, of those with TN_MARK_PLANNED
    uint64_t owner_room;
    uint64_t lane_room;
    enum tn_plan_state state;
    uint64_t arena; // its first unit
    uint64_t live;  // units of it that are taken
    uint64_t most;  // the most of them in this pass
    bool yielded;   // the last arena; another one is taken only from free memory
    struct tn_plan_counts now;
    struct tn_plan_counts before; // at the begin of the pass
    uint64_t plans;               // made by the pool
    uint64_t passes;              // that have ended, and of them those that the plan fits
    uint64_t planned_passes;
    uint64_t fit, unfit; // passes in a row that the plan fits, or does not
    uint64_t patience;   // after so many of the latter the pool learns another plan
    uint64_t idle;       // passes in a row that left much of the arena free
    bool paid;           // a pass has used most of this arena
    bool marked;         // the program marks its passes
    tarn_plan_miss misses[TARN_POOL_SHARES]; // of the present plan, in no order
};

// ---- arena.c

// Divides a taken piece into the guards and the memory of the lanes. There are records left. Under
// fit, as for the next three.
void tn_plan_arena_divide(tarn_pool *pool, uint32_t node);

// Takes a place for a request of a slot. Returns its node, or 0 if the place is not free.
uint32_t tn_plan_arena_take(tarn_pool *pool, tn_plan_place *place, const tn_pool_want *want);

// Makes a lane that of a slot.
void tn_plan_arena_adopt(tarn_pool *pool, uint32_t lane, unsigned slot);

// Frees a piece with TN_MARK_PLANNED, whose work has passed for its own stream.
void tn_plan_piece_free(tarn_pool *pool, uint32_t node);

// Gives the arena back to the pool, if there is one and no block lies in it. Returns false if it does
// not. Takes fit.
bool tn_plan_arena_return_empty(tarn_pool *pool);

// Gives the arena back to the pool, of which there is one. Blocks in it become ordinary ones. Under fit.
void tn_plan_arena_return(tarn_pool *pool);

// Forgets the arena with all its places, before a reset of all pieces. Takes fit, as for the next one.
void tn_plan_arena_reset(tarn_pool *pool);

// Gives the arena back to an expandable pool that would otherwise grow far beyond its plan for `want`,
// although it has as much free memory: free pages of the arena can then move. `used` are the bytes
// that blocks occupy. Blocks in the arena become ordinary ones. No place is taken until the next pass.
// Returns false if it does not. Takes fit.
bool tn_plan_arena_yield(tarn_pool *pool, const tn_pool_want *want, uint64_t used);

// Takes a piece for `want`, which is no slab, out of a gap of the arena: the pool need not grow for
// it. Returns 0 if there is none. Takes fit.
uint32_t tn_plan_arena_host(tarn_pool *pool, const tn_pool_want *want);

// Checks the live places against the pieces of the arena. Under fit.
tarn_status tn_plan_verify(const tarn_pool *pool);

// Returns true if most of the memory of a pool is that of its plan. Under fit.
static inline bool tn_plan_has_arena(const tarn_pool *pool) {
    return pool->plan != NULL && pool->plan->state == TN_PLAN_READY;
}

// Frees the piece of a large block. Under fit.
static inline void tn_pool_block_free(tarn_pool *pool, uint32_t node) {
    if (__builtin_expect((tn_fit_mark(&pool->range.fit, node) & TN_MARK_PLANNED) != 0, 0))
        tn_plan_piece_free(pool, node);
    else
        tn_pool_piece_free(pool, node);
}

// ---- miss.c

// Counts a request that got no place. Under fit.
void tn_plan_miss(tarn_pool *pool, const tn_pool_want *want, bool late);

// Fills the statistics about the plan. Takes fit, as for the next one.
void tn_plan_stats(tarn_pool *pool, tarn_pool_stats *stats);

// Fills the misses of a report, and its text if that is about no refusal. Returns true if there are any.
bool tn_plan_explain(tarn_pool *pool, tarn_pool_report *report);

// ---- pass.c

// Joins the classes of small blocks as a plan that has been checked does; NULL: joins none.
void tn_plan_join(tarn_pool *pool, const void *bytes, const tn_plan_head *head);

// A request of a program without marks got no place: a pass may have ended, and the plan with it, unless
// a thread makes the arena. Under fit.
void tn_plan_judge(tarn_pool *pool);

// Begins a pass. With `gave_back` the pool gave back an arena that was too large. Takes the growth lock.
tarn_status tn_plan_mark_pass(tarn_pool *pool, bool *gave_back);

// Looks for a period in the requests of a program without marks, and plans it. Takes the growth lock.
void tn_plan_period(tarn_pool *pool);

// ---- plan.c

// Gives a new pool the plan of its description, if there is one.
tarn_status tn_pool_plan_attach(tarn_pool *pool, const tarn_pool_desc *desc);
void tn_pool_plan_destroy(tarn_pool *pool);

// What a plan answers to a request for a large block.
typedef struct tn_plan_answer {
    tn_plan_place *place; // its place, or NULL
    uint64_t plans;       // made until then
    bool waits;           // the caller makes the arena, and asks again by tn_plan_take_made()
    bool learns;          // the caller calls tn_plan_learn_block() for the block
} tn_plan_answer;

// Takes the place of a large block. Returns 0 if the plan has none, if that is not free, or if it
// waits for the arena. `answer` is empty. Takes fit, as for the next one.
uint32_t tn_plan_take(tarn_pool *pool, const tn_pool_want *want, tn_plan_answer *answer);

// The same, after the caller has tried to make the arena for which a place waits.
uint32_t tn_plan_take_made(tarn_pool *pool, const tn_pool_want *want, tn_plan_answer *answer);

// Returns the request of an arena, for which a place of a slot waits.
tn_pool_want tn_plan_arena_want(const tarn_pool *pool, unsigned slot);

// Makes the arena of the piece that was taken for that request; 0: none was. A plan that has yielded
// its last arena takes a free piece instead. Returns true if there is an arena. Takes fit.
bool tn_plan_arena_make(tarn_pool *pool, const tn_pool_want *want, uint32_t node);

// Records an ordinary block, so that its free is recorded too. Takes grow and fit.
void tn_plan_learn_block(tarn_pool *pool, const tn_pool_want *want, uint32_t node);

// Takes the place of a slab for a want, whose blocks have `stride` bytes. Returns 0 if there is none,
// or if it waits for the arena. Under fit.
uint32_t tn_plan_take_slab(tarn_pool *pool, const tn_pool_want *want, uint32_t stride, bool *waits);

// The same for a caller that can make the arena. Returns true if it is to do so. Takes fit.
bool tn_plan_slab_waits(tarn_pool *pool, const tn_pool_want *want, uint32_t stride, uint32_t *node);
