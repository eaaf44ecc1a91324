// SPDX-License-Identifier: Apache-2.0
// See trials.h. A pool at its limit decides differently, so a size may fail although a smaller
// one completes. Two rules tell the outcome of sizes that were not tried:
//
// Direct allocations and segments use the limit only to refuse what exceeds it. A replay in L that
// never held more than P is the same one in every size from P to L. So is that of a pool for few
// calls (TIME) that has moved nothing.
//
// The other decisions of an expandable pool change in one direction as its limit rises. Two replays
// in which the pool did exactly the same are the same one in every size between.
//
// The range of a fixed pool ends with a hole that best fit compares with all others, so neither rule
// holds for it.
#include "tools/fit/trials.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

// ---- the list

static bool insert_trial(struct tn_fitting_trials *trials, const struct tn_fitting_trial *trial) {
    size_t at = trials->count;
    void *grown = tn_grow(trials->list, &trials->room, trials->count + 1, sizeof *trials->list);
    if (grown == NULL) return false;
    trials->list = (struct tn_fitting_trial *)grown;
    while (at > 0 && trials->list[at - 1].size >= trial->size) at--;
    if (at == trials->count || trials->list[at].size != trial->size) {
        memmove(trials->list + at + 1, trials->list + at,
                (trials->count - at) * sizeof *trials->list);
        trials->count++;
    }
    trials->list[at] = *trial;
    return true;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t hash_replay(const struct tn_replay *replay) {
    const struct tn_work *work = &replay->totals.work;
    const struct tn_failure *failure = &replay->failure;
    uint64_t hash = mix(replay->layout, replay->totals.peak_reserved_bytes);
    hash = mix(hash, replay->totals.largest_free_at_peak);
    hash = mix(hash, work->created_handles);
    hash = mix(hash, work->moved_handles);
    hash = mix(hash, work->moved_bytes);
    hash = mix(hash, work->driver_calls);
    hash = mix(hash, work->virtual_ns);
    return failure->exit_code == TN_EXIT_OK ? hash : mix(hash, failure->event + 1);
}

bool tn_fitting_trials_add(struct tn_fitting_trials *trials, const struct tn_replay *replay,
                           uint64_t size) {
    const struct tn_fitting_trial trial = {.size = size,
                                           .fits = replay->failure.exit_code == TN_EXIT_OK,
                                           .moved = replay->totals.work.moved_bytes > 0,
                                           .peak = replay->totals.peak_reserved_bytes,
                                           .print = hash_replay(replay)};
    return insert_trial(trials, &trial);
}

bool tn_fitting_trials_exclude(struct tn_fitting_trials *trials, uint64_t size) {
    const struct tn_fitting_trial trial = {.size = size, .peak = size};
    return insert_trial(trials, &trial);
}

void tn_fitting_trials_release(struct tn_fitting_trials *trials) { free(trials->list); }

// ---- what follows

// Returns true if each size between two neighbours has the outcome of the larger one.
static bool is_settled(const struct tn_fitting_trials *trials, const struct tn_fitting_trial *below,
                       const struct tn_fitting_trial *above) {
    uint64_t next = below->size + trials->granule;
    if (above->size <= next) return true;
    switch (trials->kind) {
    case TN_TARGET_DIRECT:
    case TN_TARGET_SEGMENTS: return above->peak <= next;
    case TN_TARGET_TIME:
        if (above->fits && !above->moved && above->peak <= next) return true;
        break;
    case TN_TARGET_FIXED: return false;
    default: break;
    }
    return below->print == above->print;
}

// The peak of the larger size is where another outcome may begin; else the middle divides the gap.
static uint64_t divide_gap(const struct tn_fitting_trials *trials,
                           const struct tn_fitting_trial *below,
                           const struct tn_fitting_trial *above) {
    uint64_t peak = tn_fitting_round_up(above->peak, trials->granule);
    uint64_t half = (above->size - below->size) / 2 / trials->granule * trials->granule;
    return peak > below->size && peak < above->size ? peak : below->size + half;
}

// Returns the least size that completes, or the largest one that was tried.
static uint64_t least_size(const struct tn_fitting_trials *trials) {
    size_t i = 0;
    while (i + 1 < trials->count && !trials->list[i].fits) i++;
    return trials->list[i].size;
}

// Outcomes change most near the least size, where the pool is most often at its limit.
static double weigh_gap(uint64_t below, uint64_t above, uint64_t least) {
    double far = below >= least ? (double)(below - least) : 2 * (double)(least - above);
    return (double)(above - below) / ((double)least + 8 * far);
}

uint64_t tn_fitting_trials_next(const struct tn_fitting_trials *trials, bool widens) {
    uint64_t least = least_size(trials), next = 0;
    double most = 0;
    for (size_t i = 0; i + 1 < trials->count; i++) {
        const struct tn_fitting_trial *below = &trials->list[i], *above = below + 1;
        double weight = weigh_gap(below->size, above->size, least);
        if (is_settled(trials, below, above)) continue;
        if (below->fits != above->fits) return divide_gap(trials, below, above);
        if (widens && weight > most && above->size <= trials->top) {
            most = weight;
            next = divide_gap(trials, below, above);
        }
    }
    return next;
}

// ---- the need

void tn_fitting_trials_sum(const struct tn_fitting_trials *trials, struct tn_fitting_need *need) {
    uint64_t failing = 0; // since this size, above the least that completes
    for (size_t i = 0; i + 1 < trials->count; i++) {
        const struct tn_fitting_trial *below = &trials->list[i], *above = below + 1;
        bool settled = is_settled(trials, below, above);
        uint64_t next = below->size + trials->granule, width = above->size - below->size;
        uint64_t *untried = need->known ? &need->untried_above : &need->untried_below;
        if (!settled && width > *untried && above->size <= trials->top) *untried = width;
        if (below->fits == above->fits) continue;
        // The sizes between have the outcome of the larger one.
        if (above->fits && failing != 0) { // ranges that do not fit into the table count
            if (need->range_count < TN_FITTING_RANGES)
                need->ranges[need->range_count] = (struct tn_fitting_range){failing, next};
            need->range_count++;
        }
        if (above->fits) {
            need->bytes = need->known ? need->bytes : next;
            need->above = next;
            need->known = true;
        }
        failing = above->fits ? 0 : next;
    }
}
