// SPDX-License-Identifier: Apache-2.0
// The sizes that a search of `tarn fit` has tried, in order, and the outcomes in between that follow
// from them. It chooses the size that tells most. Sizes are multiples of the granularity. One
// thread.
#pragma once

#include "tools/fit/fit.h"

struct tn_fitting_trial {
    uint64_t size;
    bool fits;
    bool moved;     // the pool has moved memory
    uint64_t peak;  // held bytes, up to the failure
    uint64_t print; // a hash of everything that the pool did
};

struct tn_fitting_trials {
    enum tn_target_kind kind;
    uint64_t granule;
    uint64_t top;                  // gaps above this size are not searched
    struct tn_fitting_trial *list; // by rising size
    size_t count;
    size_t room;
};

// Returns the smallest multiple of the granule that is at least `bytes`.
static inline uint64_t tn_fitting_round_up(uint64_t bytes, uint64_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

// Adds the outcome of a replay. Returns false if out of memory.
bool tn_fitting_trials_add(struct tn_fitting_trials *trials, const struct tn_replay *replay,
                           uint64_t size);
// Adds a size that is known not to suffice, without a replay.
bool tn_fitting_trials_exclude(struct tn_fitting_trials *trials, uint64_t size);

// Returns the next size to try, or 0 if every outcome is known. Without `widens`, only sizes that
// find the exact border between a size that fails and one that completes.
uint64_t tn_fitting_trials_next(const struct tn_fitting_trials *trials, bool widens);

// Writes the sizes, ranges and gaps of the need.
void tn_fitting_trials_sum(const struct tn_fitting_trials *trials, struct tn_fitting_need *need);

void tn_fitting_trials_release(struct tn_fitting_trials *trials);
