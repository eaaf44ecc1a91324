// SPDX-License-Identifier: Apache-2.0
// See learn.h. The requests lie in one array: those of the last pass and of the present one, or those
// since the program began.
#include "core/pool/plan/learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "core/pool/array.h"

enum {
    REQUESTS = 1 << 20,   // of two passes, at most
    UNMARKED = 1 << 18,   // of a program without marks
    LOOK_FIRST = 256,     // requests before the first look for a period
    PASSES_UNEQUAL = 3,   // passes after which an unequal one is planned
    PAUSE_MAX = 1 << 28,  // requests
    REST_MAX = 64,        // passes
    LEAK_PART = 8,        // of the bytes of a period, which may stay live
    CERTAIN = 8,          // equal passes in a row that are no part of a longer pass
    NUMBERS = 0x7fffffff, // of blocks, modulo this + 1
};

struct tn_plan_learner {
    tarn_plan_block *blocks;
    uint64_t room;
    uint32_t count;
    uint32_t first;     // number of the first block
    uint32_t passes;    // that have begun by marks since the last restart
    uint32_t last;      // where the present pass begins; the one before it begins at 0
    uint64_t begins[2]; // moments of these two
    uint64_t moment;
    bool marked;              // the program marks its passes
    bool full;                // a request of the present pass was not recorded
    uint32_t look;            // count at the next look for a period
    uint32_t skip;            // requests of a pause that are left
    uint32_t pause;           // the next one
    uint32_t rest, rest_next; // the same in passes between marks
};

tarn_status tn_plan_learner_make(tn_plan_learner **learner) {
    tn_plan_learner *made = (tn_plan_learner *)calloc(1, sizeof *made);
    TN_REFUSE(made == NULL, TARN_NO_HOST_MEMORY, "out of host memory to learn a plan");
    made->first = 1;
    made->pause = UNMARKED;
    made->rest_next = 1;
    tn_plan_learn_restart(made);
    if (made->blocks == NULL) {
        free(made);
        return TARN_NO_HOST_MEMORY; // the array has stated why
    }
    *learner = made;
    return TARN_OK;
}

void tn_plan_learner_free(tn_plan_learner *learner) {
    if (learner != NULL) tn_plan_learn_rest(learner);
    free(learner);
}

// Forgets the first requests.
static void drop_requests(tn_plan_learner *learner, uint32_t count) {
    TARN_ASSERT(count <= learner->count);
    if (count == 0) return;
    learner->count -= count;
    learner->first = (learner->first + count) & NUMBERS;
    memmove(learner->blocks, learner->blocks + count, learner->count * sizeof *learner->blocks);
}

static void forget_all(tn_plan_learner *learner) {
    learner->first = (learner->first + learner->count) & NUMBERS;
    learner->count = learner->last = learner->passes = 0;
    learner->look = LOOK_FIRST;
    learner->full = false;
}

void tn_plan_learn_rest(tn_plan_learner *learner) {
    forget_all(learner);
    tn_pool_array_unmap(learner->blocks, sizeof *learner->blocks, learner->room);
    learner->blocks = NULL;
    learner->room = 0;
    learner->rest_next = 1;
}

void tn_plan_learn_pause(tn_plan_learner *learner) {
    if (learner->marked) {
        uint32_t rest = learner->rest_next;
        tn_plan_learn_rest(learner);
        learner->rest = rest;
        learner->rest_next = 2 * rest < REST_MAX ? 2 * rest : REST_MAX;
        return;
    }
    forget_all(learner);
    learner->skip = learner->pause;
    learner->pause = learner->pause < PAUSE_MAX ? 2 * learner->pause : learner->pause;
}

void tn_plan_learn_restart(tn_plan_learner *learner) {
    void *array = NULL;
    forget_all(learner);
    learner->skip = learner->rest = 0;
    if (learner->blocks == NULL &&
        tn_pool_array_map(sizeof *learner->blocks, REQUESTS, REQUESTS / 64, false, &array,
                          &learner->room) == TARN_OK)
        learner->blocks = (tarn_plan_block *)array;
}

bool tn_plan_learn_wants(tn_plan_learner *learner) {
    if (learner->marked) return learner->passes != 0;
    if (learner->skip == 0) return true;
    learner->skip--;
    return false;
}

uint32_t tn_plan_learn_alloc(tn_plan_learner *learner, unsigned slot, uint64_t bytes,
                             uint32_t tag) {
    learner->full |= learner->count == learner->room;
    if (learner->full) return 0;
    learner->blocks[learner->count] =
        (tarn_plan_block){bytes, learner->moment++, UINT64_MAX, slot, tag};
    return (learner->first + learner->count++) & NUMBERS;
}

void tn_plan_learn_free(tn_plan_learner *learner, uint32_t number) {
    uint32_t block = (number - learner->first) & NUMBERS;
    if (block < learner->count) learner->blocks[block].end = learner->moment++;
}

// Copies requests, whose moments then count from `begin`.
static bool copy_pass(const tn_plan_learner *learner, uint32_t first, uint32_t count,
                      uint64_t begin, uint64_t end, tn_plan_pass *pass) {
    *pass = (tn_plan_pass){.count = count, .period = end - begin};
    pass->blocks = (tarn_plan_block *)malloc((count + 1) * sizeof *pass->blocks);
    for (uint32_t i = 0; pass->blocks != NULL && i < count; i++) {
        pass->blocks[i] = learner->blocks[first + i];
        pass->blocks[i].begin -= begin;
        if (pass->blocks[i].end != UINT64_MAX) pass->blocks[i].end -= begin;
    }
    return pass->blocks != NULL;
}

static bool is_same(const tarn_plan_block *a, const tarn_plan_block *b) {
    return a->bytes == b->bytes && a->stream == b->stream && a->tag == b->tag;
}

// ---- passes between marks

static bool are_equal(const tarn_plan_block *a, uint32_t count, const tarn_plan_block *b,
                      uint32_t other) {
    uint32_t i = 0;
    while (i < count && i < other && is_same(&a[i], &b[i])) i++;
    return i == count && i == other;
}

static int compare_lengths(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Returns true if most requests of either pass are in the other one too, by their lengths.
static bool are_alike(const tarn_plan_block *a, uint32_t count, const tarn_plan_block *b,
                      uint32_t other) {
    uint64_t *lengths = (uint64_t *)malloc(((size_t)count + other + 1) * sizeof *lengths);
    uint64_t *others = lengths + count;
    uint32_t common = 0;
    if (lengths == NULL) return false;
    for (uint32_t i = 0; i < count; i++) lengths[i] = a[i].bytes;
    for (uint32_t i = 0; i < other; i++) others[i] = b[i].bytes;
    qsort(lengths, count, sizeof *lengths, compare_lengths);
    qsort(others, other, sizeof *others, compare_lengths);
    for (uint32_t i = 0, k = 0; i < count && k < other;) {
        bool same = lengths[i] == others[k];
        common += same;
        bool first = lengths[i] <= others[k];
        k += same || !first;
        i += first;
    }
    free(lengths);
    return 2 * (uint64_t)common > (count > other ? count : other);
}

static bool is_worth_planning(const tn_plan_learner *learner) {
    const tarn_plan_block *before = learner->blocks, *last = before + learner->last;
    uint32_t count = learner->count - learner->last;
    return are_equal(before, learner->last, last, count) ||
           (learner->passes >= PASSES_UNEQUAL && are_alike(before, learner->last, last, count));
}

// Pauses if the passes have little in common. Returns true while the learner pauses.
static bool pauses(tn_plan_learner *learner, bool found) {
    if (learner->rest != 0) return --learner->rest != 0;
    if (found || learner->passes < PASSES_UNEQUAL || learner->full) return false;
    tn_plan_learn_pause(learner);
    return true;
}

bool tn_plan_learn_mark(tn_plan_learner *learner, tn_plan_pass *pass) {
    bool found = learner->passes >= 2 && learner->last != 0 && !learner->full &&
                 is_worth_planning(learner) &&
                 copy_pass(learner, 0, learner->last, learner->begins[0], learner->begins[1], pass);
    if (pauses(learner, found)) return false;
    if (!learner->marked || learner->full || learner->blocks == NULL) {
        learner->marked = true;
        tn_plan_learn_restart(learner);
    }
    drop_requests(learner, learner->last);
    learner->last = learner->count;
    learner->begins[0] = learner->begins[1];
    learner->begins[1] = learner->moment++;
    learner->passes++;
    return found;
}

// ---- passes without marks

bool tn_plan_learn_is_due(const tn_plan_learner *learner) {
    return !learner->marked && learner->count >= learner->look;
}

// Returns the length of the best period at the end of the requests, or 0: two equal passes end there,
// and half of all requests repeat themselves, or the passes are many. reach[p] becomes the number of requests at the
// end that equal those p before them. So a layer in a pass is no period if there were passes before.
static uint32_t find_period(const tn_plan_learner *learner, uint32_t *reach) {
    uint32_t count = learner->count, best = 0, most = 0, left = 0, right = 0;
    const tarn_plan_block *end = learner->blocks + count - 1;
    for (uint32_t p = 1; p < count; p++) { // the Z algorithm, from the end
        uint32_t known = p < right ? right - p : 0;
        uint32_t length = p < right && reach[p - left] < known ? reach[p - left] : known;
        while (p + length < count && is_same(end - length, end - p - length)) length++;
        if (p + length > right) {
            left = p;
            right = p + length;
        }
        reach[p] = length;
        if (length >= p && length + p > most) {
            most = length + p;
            best = p;
        }
    }
    return most >= count / 2 || most / CERTAIN >= best ? best : 0;
}

// Returns true if almost all blocks of a pass are freed.
static bool is_freed(const tarn_plan_block *blocks, uint32_t count) {
    uint64_t all = 0, live = 0;
    for (uint32_t i = 0; i < count; i++) {
        all += blocks[i].bytes;
        live += blocks[i].end == UINT64_MAX ? blocks[i].bytes : 0;
    }
    return live <= all / LEAK_PART;
}

bool tn_plan_learn_period(tn_plan_learner *learner, tn_plan_pass *pass) {
    uint32_t *reach = (uint32_t *)malloc((size_t)learner->count * sizeof *reach);
    uint32_t period = reach != NULL ? find_period(learner, reach) : 0;
    uint32_t first = learner->count - 2 * period;
    free(reach);
    if (period != 0 && is_freed(learner->blocks + first, period) &&
        copy_pass(learner, first, period, learner->blocks[first].begin,
                  learner->blocks[first + period].begin, pass))
        return true;
    learner->look += learner->look / 4;
    if (learner->count >= UNMARKED) tn_plan_learn_pause(learner);
    return false;
}
