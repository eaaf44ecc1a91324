// SPDX-License-Identifier: Apache-2.0
// See follow.h.
#include "core/pool/plan/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/pool/small/class.h"

enum {
    NEAR = 8,     // requests before and behind the cursor that are compared one by one
    LOST = 8,     // requests in a row that were not there, after which the cursor jumps
    WINDOW = 256, // how far back it jumps
};

// ---- making

// Arrays of one allocation, laid out twice: first at NULL, to count the bytes. C allows no offset
// from NULL, so this calculates with integers.
static char *carve(char **next, size_t bytes) {
    uintptr_t start = (uintptr_t)*next;
    *next = (char *)(start + ((bytes + 15) & ~(size_t)15));
    return (char *)start;
}

// Sets the arrays of a follower at `base`, and returns the bytes of all.
static size_t lay_out(tn_plan_follow *f, char *base) {
    char *next = base;
    size_t words = f->ranks;
    (void)carve(&next, sizeof *f);
    f->lanes = (tn_plan_lane *)(void *)carve(&next, f->lane_count * sizeof *f->lanes);
    f->places = (tn_plan_place *)(void *)carve(&next, f->place_count * sizeof *f->places);
    f->keys = (tn_plan_key *)(void *)carve(&next, f->place_count * sizeof *f->keys);
    f->hash = (uint32_t *)(void *)carve(&next, (f->hash_mask + 1) * sizeof *f->hash);
    f->list = (uint32_t *)(void *)carve(&next, f->place_count * sizeof *f->list);
    f->nodes = (uint32_t *)(void *)carve(&next, f->ranks * sizeof *f->nodes);
    for (unsigned l = 0; l < TN_PLAN_LEVELS; l++) {
        words = words / 64 + 1;
        f->live[l] = (uint64_t *)(void *)carve(&next, words * sizeof(uint64_t));
    }
    return (uintptr_t)next - (uintptr_t)base;
}

static uint32_t *find_key(const tn_plan_follow *f, uint32_t lane, uint64_t units, uint32_t tag) {
    uint64_t code = (units * 64 + tag) * UINT64_C(0x9e3779b97f4a7c15) + lane;
    uint32_t i = (uint32_t)((code ^ code >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; i++) {
        uint32_t *entry = &f->hash[i & f->hash_mask];
        if (*entry == 0) return entry;
        const tn_plan_key *key = &f->keys[*entry - 1];
        if (key->units == units && key->tag == tag && key->lane == lane) return entry;
    }
}

static void add_place(tn_plan_follow *f, uint32_t lane, const tn_plan_place *place, uint32_t tag) {
    if (tn_plan_stride(tag) != 0) {
        tn_plan_place *slab = &f->places[f->lanes[lane].slabs + f->lanes[lane].slab_count++];
        *slab = *place;
        slab->tag = tn_plan_stride(tag);
        return;
    }
    uint32_t *entry = find_key(f, lane, place->units, tag);
    if (*entry == 0) {
        f->keys[f->key_count] = (tn_plan_key){.units = place->units, .tag = tag, .lane = lane};
        *entry = ++f->key_count;
    }
    f->keys[*entry - 1].count++;
    uint32_t number = f->lanes[lane].first + f->lanes[lane].count++;
    f->places[number] = *place;
    f->places[number].tag = tag;
    f->places[number].lap = *entry - 1; // the key, until the places are indexed
}

static int compare_starts(const void *a, const void *b, void *arg) {
    const tn_plan_place *places = (const tn_plan_place *)arg;
    const tn_plan_place *x = &places[*(const uint32_t *)a], *y = &places[*(const uint32_t *)b];
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x < y ? -1 : x > y;
}

// Numbers places and guards by their addresses, and lists the places of each key.
static void index_places(tn_plan_follow *f) {
    uint32_t rank = 0, first = 0;
    for (uint32_t l = 0; l < f->lane_count; l++) {
        tn_plan_lane *lane = &f->lanes[l];
        uint32_t end = lane->first + lane->count;
        lane->guard_rank = rank++;
        for (uint32_t i = lane->slabs; i < end; i++) f->list[i] = i;
        qsort_r(f->list + lane->slabs, end - lane->slabs, sizeof *f->list, compare_starts,
                f->places);
        for (uint32_t i = lane->slabs; i < end; i++) f->places[f->list[i]].rank = rank++;
    }
    for (uint32_t k = 0; k < f->key_count; k++) {
        f->keys[k].first = first;
        first += f->keys[k].count;
        f->keys[k].count = 0;
    }
    for (uint32_t l = 0; l < f->lane_count; l++)
        for (uint32_t i = 0; i < f->lanes[l].count; i++) {
            uint32_t number = f->lanes[l].first + i;
            tn_plan_key *key = &f->keys[f->places[number].lap];
            f->places[number].lap = 0;
            f->list[key->first + key->count++] = number;
        }
}

static void add_lanes(tn_plan_follow *f, const void *plan, const tn_plan_head *head,
                      unsigned shift) {
    uint32_t *counts = f->nodes; // not used yet
    uint32_t first = 0;
    f->grain = head->slabs != 0 ? TN_SMALL_MAX >> shift : 1;
    for (uint64_t i = 0; i < head->slabs; i++)
        f->lanes[tn_plan_request_at(plan, head, i).stream].first++;
    for (uint64_t i = 0; i < head->count; i++) counts[tn_plan_request_at(plan, head, i).stream]++;
    for (uint32_t l = 0; l < f->lane_count; l++) {
        f->units += f->grain;
        f->lanes[l] = (tn_plan_lane){.slabs = first,
                                     .first = first + f->lanes[l].first,
                                     .start = f->units,
                                     .units = tn_plan_height(plan, l) >> shift};
        first += counts[l];
        f->units += (f->lanes[l].units + f->grain - 1) / f->grain * f->grain;
    }
    f->units++;
    memset(counts, 0, f->ranks * sizeof *counts);
}

tarn_status tn_plan_follow_make(const void *plan, const tn_plan_head *head, unsigned shift,
                                tn_plan_follow **follow) {
    tn_plan_follow sizes = {.lane_count = head->streams,
                            .place_count = (uint32_t)head->count,
                            .ranks = head->streams + (uint32_t)head->count,
                            .hash_mask = 1};
    TN_REFUSE(tn_plan_granule(&head->rule) & ((UINT64_C(1) << shift) - 1), TARN_UNSUPPORTED,
              "the plan has starts at multiples of %u bytes, and the pool at multiples of 2^%u",
              tn_plan_granule(&head->rule), shift);
    TN_REFUSE(head->count >= UINT32_C(1) << 28, TARN_UNSUPPORTED,
              "the plan has %llu requests; a pool follows %u at most",
              (unsigned long long)head->count, (UINT32_C(1) << 28) - 1);
    while (sizes.hash_mask < 2 * head->count) sizes.hash_mask = 2 * sizes.hash_mask + 1;
    char *base = (char *)calloc(1, lay_out(&sizes, NULL));
    TN_REFUSE(base == NULL, TARN_NO_HOST_MEMORY, "out of host memory to follow a plan");
    tn_plan_follow *f = (tn_plan_follow *)(void *)base;
    *f = sizes;
    (void)lay_out(f, base);
    add_lanes(f, plan, head, shift);
    for (uint64_t i = 0; i < head->count; i++) {
        tn_plan_request request = tn_plan_request_at(plan, head, i);
        const tn_plan_place place = {
            .start = f->lanes[request.stream].start + (request.offset >> shift),
            .units = (tn_plan_request_bytes(&head->rule, &request) + (UINT64_C(1) << shift) - 1) >>
                     shift};
        add_place(f, request.stream, &place, request.tag);
    }
    index_places(f);
    *follow = f;
    return TARN_OK;
}

void tn_plan_follow_free(tn_plan_follow *follow) { free(follow); }

// ---- recognition

// The number of a request, counted on from pass to pass.
static uint64_t number_of(const tn_plan_lane *lane, uint64_t lap, uint64_t at) {
    return lap * lane->count + at;
}

static tn_plan_place *use_place(tn_plan_lane *lane, tn_plan_place *place, uint64_t lap,
                                uint64_t at) {
    tn_plan_use(lane, place, lap, at);
    return place;
}

// Returns the place of a request if it is not used in its pass and has the length and the tag.
static tn_plan_place *match_place(const tn_plan_follow *f, const tn_plan_lane *lane, uint64_t lap,
                                  uint64_t at, uint64_t units, uint32_t tag) {
    tn_plan_place *place = &f->places[lane->first + at];
    bool same = place->units == units && place->tag == tag && place->lap <= lap;
    return same && number_of(lane, lap, at) >= lane->floor ? place : NULL;
}

// Finds the first request of a key that is not used and not far behind the cursor.
static tn_plan_place *find_far(tn_plan_follow *f, tn_plan_lane *lane, tn_plan_key *key) {
    uint64_t cursor = number_of(lane, lane->lap, lane->at);
    uint64_t window = WINDOW < lane->count / 2 ? WINDOW : lane->count / 2;
    uint64_t least = cursor > window ? cursor - window : 0;
    least = least > lane->floor ? least : lane->floor;
    if (key->lap + 2 < lane->lap) {
        key->lap = lane->lap - 2;
        key->at = 0;
    }
    for (;;) {
        tn_plan_place *place = &f->places[f->list[key->first + key->at]];
        uint64_t at = (uint64_t)(place - f->places) - lane->first;
        if (number_of(lane, key->lap, at) >= least && place->lap <= key->lap)
            return use_place(lane, place, key->lap, at);
        if (++key->at == key->count) {
            key->at = 0;
            key->lap++;
        }
    }
}

// A request that is new must not take the place of one that comes much later: passes consist of equal
// parts, and the cursor would stay in the wrong one. So the plan is searched as a whole only when
// several requests in a row were not near the cursor.
tn_plan_place *tn_plan_recognise(tn_plan_follow *f, uint32_t number, uint64_t units, uint32_t tag) {
    tn_plan_lane *lane = &f->lanes[number];
    uint64_t lap = lane->lap, at = lane->at;
    if (lane->count == 0) return NULL;
    for (int i = 0; i < NEAR; i++) {
        tn_plan_place *place = match_place(f, lane, lap, at, units, tag);
        if (place != NULL) return use_place(lane, place, lap, at);
        if (++at == lane->count) {
            at = 0;
            lap++;
        }
    }
    lap = lane->lap;
    at = lane->at;
    for (int i = 0; i < NEAR && (at != 0 || lap != 0); i++) {
        lap -= at == 0;
        at = at == 0 ? lane->count - 1 : at - 1;
        tn_plan_place *place = match_place(f, lane, lap, at, units, tag);
        if (place != NULL) return use_place(lane, place, lap, at);
    }
    uint32_t entry = *find_key(f, number, units, tag);
    if (entry == 0 || ++lane->lost < LOST) return NULL;
    return find_far(f, lane, &f->keys[entry - 1]);
}

void tn_plan_begin_pass(tn_plan_follow *f) {
    for (uint32_t l = 0; l < f->lane_count; l++) {
        tn_plan_lane *lane = &f->lanes[l];
        if (lane->at != 0) lane->lap++;
        lane->at = 0;
        lane->lost = 0;
        lane->floor = lane->lap * lane->count;
    }
}

void tn_plan_clear_live(tn_plan_follow *f) {
    memset(f->nodes, 0, f->ranks * sizeof *f->nodes);
    size_t words = f->ranks;
    for (unsigned l = 0; l < TN_PLAN_LEVELS; l++) {
        words = words / 64 + 1;
        memset(f->live[l], 0, words * sizeof(uint64_t));
    }
}
