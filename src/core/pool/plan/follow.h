// SPDX-License-Identifier: Apache-2.0
// Recognition of the requests of a plan, and the set of places that are live. Numbers only;
// the owner serialises every call and defines the unit.
//
// Each stream has a lane: its requests in their order, and a cursor, which stands where the stream
// is expected. Requests of one length and tag have a key. A request is recognised as one of the same
// key close to the cursor that is not used in this pass. So the order may change a little, and
// requests may come or fail to come.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <tarn/base.h>

#include "core/pool/plan/format.h"

enum {
    TN_PLAN_GROUP = 64, // places whose nodes are looked through one by one
    TN_PLAN_LEVELS = 4, // above them: 64^5 places
};

typedef struct tn_plan_place {
    uint64_t start; // in the arena
    uint64_t units;
    uint32_t lap;   // the first pass in which it is not used yet
    uint32_t below; // rank of the place that was live next below when this one was taken last
    uint32_t tag;   // of a slab the bytes of a block
    uint32_t rank;  // by address among all places and guards
} tn_plan_place;

// The requests of one length and tag in a lane.
typedef struct tn_plan_key {
    uint64_t units;
    uint32_t tag;
    uint32_t lane;
    uint32_t first; // in `list`
    uint32_t count;
    uint32_t at; // the next one to use, and its pass
    uint64_t lap;
} tn_plan_key;

typedef struct tn_plan_lane {
    tn_plan_place *next; // the cursor: a request, and its pass. One of no length in an empty lane
    uint64_t lap;
    tn_plan_place *begin; // places of requests
    tn_plan_place *end;
    tn_plan_place *slabs; // places of slabs
    uint32_t slab_count;
    uint32_t place_count; // of requests and slabs
    uint64_t floor;       // the first request of a pass that was marked
    uint32_t lost;        // requests in a row that were not near the cursor
    uint32_t guard_rank;  // of the guard before its memory
    unsigned slot;        // the owner's number of its stream
    uint64_t start;       // of its memory in the arena, and its length
    uint64_t units;
} tn_plan_lane;

typedef struct tn_plan_follow {
    uint64_t units; // of the arena: the guard and the memory of each lane, and a guard at the end
    uint64_t asked; // units of all requests together
    uint64_t grain; // units of which the start and the guards are multiples
    uint32_t lane_count;
    uint32_t place_count;
    uint32_t ranks;
    uint32_t key_count;
    uint32_t hash_mask;
    tn_plan_lane *lanes;
    tn_plan_place *places; // lane by lane
    tn_plan_key *keys;
    uint32_t *hash;  // key + 1, by length, tag and lane
    uint32_t *list;  // places, key by key
    uint32_t *nodes; // by rank; 0: not live
    // A bit for each group of ranks, which is set if one of them may be live; and for each word of the
    // level below.
    uint64_t *groups[TN_PLAN_LEVELS];
} tn_plan_follow;

// Builds it from a plan that has been checked. A unit is 1 << `shift` bytes. NO_HOST_MEMORY;
// UNSUPPORTED if the offsets are no multiples of a unit.
tarn_status tn_plan_follow_make(const void *plan, const tn_plan_head *head, unsigned shift,
                                tn_plan_follow **follow);
void tn_plan_follow_free(tn_plan_follow *follow);

// Recognises a request on a lane. Returns NULL if the plan does not have it.
tn_plan_place *tn_plan_recognise(tn_plan_follow *follow, uint32_t lane, uint64_t units,
                                 uint32_t tag);

// Begins a pass on all lanes.
void tn_plan_begin_pass(tn_plan_follow *follow);

// Makes no place and no guard live.
void tn_plan_clear_live(tn_plan_follow *follow);

// Uses a place in a pass. The cursor stands behind it.
static inline void tn_plan_use(tn_plan_lane *lane, tn_plan_place *place, uint64_t lap) {
    bool last = place + 1 == lane->end;
    place->lap = (uint32_t)lap + 1;
    lane->lap = lap + last;
    lane->next = last ? lane->begin : place + 1;
    lane->lost = 0;
}

// ---- the set of live places and guards, by rank

// Marks the words above a place that becomes live.
void tn_plan_mark_group(tn_plan_follow *follow, uint32_t rank);

static inline void tn_plan_set_live(tn_plan_follow *follow, uint32_t rank, uint32_t node) {
    uint32_t group = rank / TN_PLAN_GROUP;
    follow->nodes[rank] = node;
    if (__builtin_expect((follow->groups[0][group / 64] >> group % 64 & 1) == 0, 0))
        tn_plan_mark_group(follow, rank);
}

static inline void tn_plan_set_free(tn_plan_follow *follow, uint32_t rank) {
    follow->nodes[rank] = 0;
}

static inline bool tn_plan_is_live(const tn_plan_follow *follow, uint32_t rank) {
    return follow->nodes[rank] != 0;
}

// Returns the rank of the live place that lies next below a rank. A guard is always live.
uint32_t tn_plan_below(tn_plan_follow *follow, uint32_t rank);
