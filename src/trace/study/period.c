// SPDX-License-Identifier: Apache-2.0
// Finds periods; see period.h. A window of some keys is looked up where it occurred before: the
// frequent distances are candidates. The one at which most keys are equal is the period.
#include "trace/study/period.h"

#include <stdlib.h>

#include "base/error.h"
#include "trace/scratch.h"

enum { WINDOW = 8, CANDIDATES = 48, REPEATS = 3 };

struct search {
    struct tn_scratch memory;
    const uint64_t *keys;
    size_t count;
    size_t windows;   // positions at which a window begins
    uint64_t *hashes; // by position
    uint32_t *before; // by position: distance to the last equal window, or 0
    uint32_t *votes;  // by distance
    uint32_t *slots;  // hash table: position plus 1, or 0
    size_t slot_count;
};

static bool begin_search(struct search *search) {
    size_t slots = 64;
    while (slots < 2 * search->windows) slots *= 2;
    search->slot_count = slots;
    TN_TAKE(&search->memory, search->hashes, search->windows);
    TN_TAKE(&search->memory, search->before, search->windows);
    TN_TAKE(&search->memory, search->votes, search->count);
    TN_TAKE(&search->memory, search->slots, slots);
    return !search->memory.failed;
}

static void hash_windows(struct search *search) {
    for (size_t i = 0; i < search->windows; i++) {
        uint64_t hash = 0;
        for (size_t k = 0; k < WINDOW; k++) {
            hash = (hash ^ search->keys[i + k]) * UINT64_C(0x9e3779b97f4a7c15);
            hash ^= hash >> 29;
        }
        search->hashes[i] = hash;
    }
}

// Finds for each window the last one before it that is equal, and counts the distances.
static void vote_distances(struct search *search) {
    for (size_t i = 0; i < search->windows; i++) {
        size_t slot = (size_t)search->hashes[i] & (search->slot_count - 1);
        while (search->slots[slot] != 0 &&
               search->hashes[search->slots[slot] - 1] != search->hashes[i])
            slot = (slot + 1) & (search->slot_count - 1);
        if (search->slots[slot] != 0) {
            search->before[i] = (uint32_t)(i + 1 - search->slots[slot]);
            search->votes[search->before[i]]++;
        }
        search->slots[slot] = (uint32_t)(i + 1);
    }
}

// Removes and returns the distance with the most votes; 0 if none is left.
static size_t take_candidate(struct search *search) {
    size_t best = 0;
    for (size_t d = 1; d <= search->count / REPEATS; d++)
        if (search->votes[d] > search->votes[best]) best = d;
    search->votes[best] = 0;
    return best;
}

// Returns the part of the keys that equal the one a distance later, in thousandths. The beginning
// does not count, because programs build their models there.
static size_t rate_distance(const struct search *search, size_t distance) {
    size_t from = search->count / 4, equal = 0, all = search->count - distance - from;
    for (size_t i = from; i + distance < search->count; i++)
        equal += search->keys[i] == search->keys[i + distance];
    return equal * 1000 / all;
}

// Of the distances at which nearly the most keys are equal, the shortest is the period.
static size_t choose_period(struct search *search) {
    size_t rates[CANDIDATES] = {0}, distances[CANDIDATES] = {0}, best = 0, chosen = 0;
    for (size_t i = 0; i < CANDIDATES; i++) {
        distances[i] = take_candidate(search);
        rates[i] = distances[i] != 0 ? rate_distance(search, distances[i]) : 0;
        best = rates[i] > best ? rates[i] : best;
    }
    for (size_t i = 0; i < CANDIDATES; i++)
        if (distances[i] != 0 && rates[i] + 2 >= best && (chosen == 0 || distances[i] < chosen))
            chosen = distances[i];
    return best >= 800 ? chosen : 0;
}

// Returns the position in the last complete period at which periods begin, or SIZE_MAX.
static size_t find_anchor(const struct search *search, const uint64_t *levels, size_t length) {
    size_t anchor = SIZE_MAX;
    size_t from = search->windows > length ? search->windows - length : 0;
    for (size_t i = from; i < search->windows; i++) {
        bool unlike = search->before[i] >= length - length / 10;
        if (unlike && (anchor == SIZE_MAX || levels[i] < levels[anchor])) anchor = i;
    }
    return anchor;
}

static bool list_begins(const struct search *search, size_t anchor, struct tn_period *period) {
    size_t count = 1;
    for (size_t i = anchor; search->before[i] != 0; i -= search->before[i]) count++;
    period->begins = (size_t *)calloc(count, sizeof *period->begins);
    if (period->begins == NULL) return false;
    period->begin_count = count;
    for (size_t i = anchor; count > 0; i -= search->before[i]) period->begins[--count] = i;
    return true;
}

static bool search_period(struct search *search, const uint64_t *levels, struct tn_period *period) {
    hash_windows(search);
    vote_distances(search);
    period->length = choose_period(search);
    size_t anchor = period->length != 0 ? find_anchor(search, levels, period->length) : SIZE_MAX;
    if (anchor != SIZE_MAX && !list_begins(search, anchor, period)) return false;
    // A loop that is a small part of the sequence is a part of a step.
    if (anchor == SIZE_MAX || 2 * (anchor - period->begins[0] + period->length) < search->count)
        tn_period_release(period);
    return true;
}

tarn_status tn_period_find(const uint64_t *keys, const uint64_t *levels, size_t count,
                           struct tn_period *period) {
    struct search search = {.keys = keys, .count = count};
    struct tn_period found = {0};
    search.windows = count >= WINDOW ? count - WINDOW + 1 : 0;
    bool fits =
        begin_search(&search) && (search.windows == 0 || search_period(&search, levels, &found));
    tn_scratch_release(&search.memory);
    TN_REFUSE(!fits, TARN_NO_HOST_MEMORY, "out of host memory for the period of %zu allocations",
              count);
    *period = found;
    return TARN_OK;
}

void tn_period_release(struct tn_period *period) {
    free(period->begins);
    *period = (struct tn_period){0};
}
