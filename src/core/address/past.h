// SPDX-License-Identifier: Apache-2.0
// A set of addresses that regions ever had. It answers whether an address outside of all live
// regions was released or was never handed out. Ranges that touch are one entry, so the set stays
// small. Under the lock of the index: for writing where a function changes the set.
#pragma once

#include "algo/interval.h"

struct tn_past {
    struct tn_interval map;
    // The range added last, extended by those that touched it. It is not in the map, so that memory
    // that is handed out at ascending or repeated addresses costs no look-up.
    uint64_t lo, hi;
};

// Adds [lo, hi). Without host memory, or beyond 16,384 separate ranges, a range is lost: after its
// release it counts as never handed out.
void tn_past_add(struct tn_past *past, uint64_t lo, uint64_t hi);

// Removes [lo, hi), which the process now uses for other memory.
void tn_past_remove(struct tn_past *past, uint64_t lo, uint64_t hi);

// Returns true if any address in [lo, hi) is in the set.
bool tn_past_overlaps(const struct tn_past *past, uint64_t lo, uint64_t hi);

// Returns true if the ranges of the map are apart, as merged ranges are, and the last one is none or
// not empty.
static inline bool tn_past_check(const struct tn_past *past) {
    struct tn_interval_cursor at = tn_interval_seek(&past->map, 0);
    struct tn_interval_entry entry;
    uint64_t end = 0;
    if (past->lo >= past->hi && past->hi != 0) return false;
    for (bool first = true; tn_interval_step(&at, &entry); first = false) {
        if (!first && entry.start <= end) return false;
        end = entry.end;
    }
    return tn_interval_check(&past->map);
}
