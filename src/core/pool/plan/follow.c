// SPDX-License-Identifier: Apache-2.0
// See follow.h.
#include "core/pool/plan/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "core/pool/class.h"

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
    size_t words = f->ranks / TN_PLAN_GROUP + 1;
    (void)carve(&next, sizeof *f);
    f->lanes = (tn_plan_lane *)(void *)carve(&next, f->lane_count * sizeof *f->lanes);
    f->places = (tn_plan_place *)(void *)carve(&next, (f->place_count + 1) * sizeof *f->places);
    f->keys = (tn_plan_key *)(void *)carve(&next, f->place_count * sizeof *f->keys);
    f->hash = (uint32_t *)(void *)carve(&next, (f->hash_mask + 1) * sizeof *f->hash);
    f->list = (uint32_t *)(void *)carve(&next, f->place_count * sizeof *f->list);
    f->nodes = (uint32_t *)(void *)carve(&next, f->ranks * sizeof *f->nodes);
    for (unsigned l = 0; l < TN_PLAN_LEVELS; l++) {
        words = words / 64 + 1;
        f->groups[l] = (uint64_t *)(void *)carve(&next, words * sizeof(uint64_t));
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
        tn_plan_place *slab = f->lanes[lane].slabs + f->lanes[lane].slab_count++;
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
    tn_plan_place *own = f->lanes[lane].end++;
    *own = *place;
    own->tag = tag;
    f->asked += own->units;
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
        uint32_t from = (uint32_t)(lane->slabs - f->places);
        uint32_t end = (uint32_t)(lane->end - f->places);
        lane->guard_rank = rank++;
        for (uint32_t i = from; i < end; i++) f->list[i] = i;
        qsort_r(f->list + from, end - from, sizeof *f->list, compare_starts, f->places);
        for (uint32_t i = from; i < end; i++) f->places[f->list[i]].rank = rank++;
    }
    for (uint32_t k = 0; k < f->key_count; k++) {
        f->keys[k].first = first;
        first += f->keys[k].count;
        f->keys[k].count = 0;
    }
    for (uint32_t l = 0; l < f->lane_count; l++) {
        tn_plan_lane *lane = &f->lanes[l];
        for (tn_plan_place *place = lane->begin; place < lane->end; place++) {
            tn_plan_key *key = &f->keys[*find_key(f, l, place->units, place->tag) - 1];
            f->list[key->first + key->count++] = (uint32_t)(place - f->places);
        }
        if (lane->begin == lane->end) lane->begin = lane->end = &f->places[f->place_count];
        lane->next = lane->begin;
    }
}

static void add_lanes(tn_plan_follow *f, const void *plan, const tn_plan_head *head,
                      unsigned shift) {
    tn_plan_place *first = f->places;
    f->grain = head->slabs != 0 ? TN_SMALL_MAX >> shift : 1;
    for (uint64_t i = 0; i < head->slabs; i++)
        f->lanes[tn_plan_request_at(plan, head, i).stream].slab_count++;
    for (uint64_t i = 0; i < head->count; i++)
        f->lanes[tn_plan_request_at(plan, head, i).stream].place_count++;
    for (uint32_t l = 0; l < f->lane_count; l++) {
        f->units += f->grain;
        tn_plan_lane *lane = &f->lanes[l];
        tn_plan_place *begin = first + lane->slab_count;
        *lane = (tn_plan_lane){.slabs = first,
                               .begin = begin,
                               .end = begin,
                               .start = f->units,
                               .units = tn_plan_height(plan, l) >> shift,
                               .place_count = lane->place_count};
        first += lane->place_count;
        f->units += (lane->units + f->grain - 1) / f->grain * f->grain;
    }
    f->units++;
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

static uint64_t count_of(const tn_plan_lane *lane) { return (uint64_t)(lane->end - lane->begin); }

// The number of a request, counted on from pass to pass.
static uint64_t number_of(const tn_plan_lane *lane, uint64_t lap, const tn_plan_place *place) {
    return lap * count_of(lane) + (uint64_t)(place - lane->begin);
}

// Returns true if a request is not used in its pass and has the length and the tag.
static bool is_match(const tn_plan_lane *lane, uint64_t lap, const tn_plan_place *place,
                     uint64_t units, uint32_t tag) {
    bool same = place->units == units && place->tag == tag && place->lap <= lap;
    return same && number_of(lane, lap, place) >= lane->floor;
}

// Finds the first request of a key that is not used and not far behind the cursor, and its pass.
static tn_plan_place *find_far(tn_plan_follow *f, const tn_plan_lane *lane, tn_plan_key *key) {
    TARN_ASSERT(key->count != 0);
    uint64_t cursor = number_of(lane, lane->lap, lane->next), count = count_of(lane);
    uint64_t window = WINDOW < count / 2 ? WINDOW : count / 2;
    uint64_t least = cursor > window ? cursor - window : 0;
    least = least > lane->floor ? least : lane->floor;
    if (key->lap + 2 < lane->lap) {
        key->lap = lane->lap - 2;
        key->at = 0;
    }
    for (;;) {
        tn_plan_place *place = &f->places[f->list[key->first + key->at]];
        if (number_of(lane, key->lap, place) >= least && place->lap <= key->lap) return place;
        if (++key->at == key->count) {
            key->at = 0;
            key->lap++;
        }
    }
}

// Returns the place of a request, and its pass.
static tn_plan_place *find_place(tn_plan_follow *f, uint32_t number, uint64_t units, uint32_t tag,
                                 uint64_t *lap) {
    tn_plan_lane *lane = &f->lanes[number];
    tn_plan_place *place = lane->next;
    *lap = lane->lap;
    for (int i = 0; i < NEAR; i++) {
        if (is_match(lane, *lap, place, units, tag)) return place;
        if (++place == lane->end) {
            place = lane->begin;
            ++*lap;
        }
    }
    *lap = lane->lap;
    place = lane->next;
    for (int i = 0; i < NEAR && (place != lane->begin || *lap != 0); i++) {
        *lap -= place == lane->begin;
        place = (place == lane->begin ? lane->end : place) - 1;
        if (is_match(lane, *lap, place, units, tag)) return place;
    }
    uint32_t entry = *find_key(f, number, units, tag);
    if (entry == 0 || ++lane->lost < LOST) return NULL;
    place = find_far(f, lane, &f->keys[entry - 1]);
    *lap = f->keys[entry - 1].lap;
    return place;
}

// A request that is new must not take the place of one that comes much later: passes consist of equal
// parts, and the cursor would stay in the wrong one. So the plan is searched as a whole only when
// several requests in a row were not near the cursor.
tn_plan_place *tn_plan_recognise(tn_plan_follow *f, uint32_t number, uint64_t units, uint32_t tag) {
    TARN_ASSERT(number < f->lane_count);
    tn_plan_lane *lane = &f->lanes[number];
    uint64_t lap;
    if (lane->begin == lane->end) return NULL;
    tn_plan_place *place = find_place(f, number, units, tag, &lap);
    if (place != NULL) tn_plan_use(lane, place, lap);
    return place;
}

void tn_plan_begin_pass(tn_plan_follow *f) {
    for (uint32_t l = 0; l < f->lane_count; l++) {
        tn_plan_lane *lane = &f->lanes[l];
        if (lane->next != lane->begin) lane->lap++;
        lane->next = lane->begin;
        lane->lost = 0;
        lane->floor = number_of(lane, lane->lap, lane->begin);
    }
}

// ---- the set of live places

void tn_plan_mark_group(tn_plan_follow *f, uint32_t rank) {
    TARN_ASSERT(rank < f->ranks);
    for (unsigned l = 0; l < TN_PLAN_LEVELS; l++) {
        rank /= 64;
        uint64_t *word = &f->groups[l][rank / 64], before = *word;
        *word = before | UINT64_C(1) << rank % 64;
        if (before != 0) return;
    }
}

static void clear_group(tn_plan_follow *f, uint32_t group) {
    for (unsigned l = 0; l < TN_PLAN_LEVELS; l++, group /= 64)
        if ((f->groups[l][group / 64] &= ~(UINT64_C(1) << group % 64)) != 0) return;
}

// Returns the next group below one that may have live places.
static uint32_t group_below(const tn_plan_follow *f, uint32_t group) {
    unsigned l = 0;
    uint64_t bits;
    while ((bits = f->groups[l][group / 64] & ((UINT64_C(1) << group % 64) - 1)) == 0) {
        group /= 64;
        l++;
    }
    for (;;) {
        group = group / 64 * 64 + 63 - (uint32_t)__builtin_clzll(bits);
        if (l == 0) return group;
        bits = f->groups[--l][group];
        group *= 64;
    }
}

uint32_t tn_plan_below(tn_plan_follow *f, uint32_t rank) {
    TARN_ASSERT(rank > 0 && rank < f->ranks);
    for (;;) {
        uint32_t group = (rank - 1) / TN_PLAN_GROUP, first = group * TN_PLAN_GROUP;
        for (uint32_t r = rank; r > first;)
            if (f->nodes[--r] != 0) return r;
        if (rank == first + TN_PLAN_GROUP) clear_group(f, group);
        rank = (group_below(f, group) + 1) * TN_PLAN_GROUP;
    }
}

void tn_plan_clear_live(tn_plan_follow *f) {
    size_t words = f->ranks / TN_PLAN_GROUP + 1;
    memset(f->nodes, 0, f->ranks * sizeof *f->nodes);
    for (unsigned l = 0; l < TN_PLAN_LEVELS; l++) {
        words = words / 64 + 1;
        memset(f->groups[l], 0, words * sizeof(uint64_t));
    }
}
