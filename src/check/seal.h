// SPDX-License-Identifier: Apache-2.0
// Seals: a few bytes that are written into a new region whose accesses are not all events. While a
// seal is intact, no code has written there, so the bytes are known to be unwritten. A region that
// work on streams may still use is not sealed. Called with the lock of the region's shard held.
#pragma once

#include "check/model.h"

// Seals bytes of the region, none of which is written. Returns false if its bytes cannot be written. Sets call->probed if a system call
// has shown that a pool's memory can be written.
bool tn_check_seal_write(struct tn_check_call *call, struct tn_check_region *region, uint64_t lo,
                         uint64_t hi);

// From now on the memory at call->probed is written by instructions. The call holds all locks.
void tn_check_seal_reached(const struct tn_check_call *call);

// The seals in a range. A seal that an event wrote over counts as neither.
struct tn_check_seals {
    bool changed;               // code that the checker does not see wrote over one
    struct tn_check_run intact; // the bytes of the first one that is unchanged, or none
};

// A seal, or a part of one. It begins with byte `from` of the pattern.
struct tn_check_seal {
    struct tn_check_run place;
    unsigned from;
};

enum { TN_CHECK_SEALS = 2 + TN_CHECK_CARRIED }; // of one region

// Stores the intact seals in a range, those of the region and those that copies brought. Returns
// their number. *changed is true if code that the checker does not see wrote over one.
unsigned tn_check_seals_intact(const struct tn_check_region *region, uint64_t lo, uint64_t hi,
                               struct tn_check_seal seal[TN_CHECK_SEALS], bool *changed);

struct tn_check_seals tn_check_seals_in(const struct tn_check_region *region, uint64_t lo,
                                        uint64_t hi);

static inline bool tn_check_seal_is_intact(const struct tn_check_seals *seals) {
    return seals->intact.lo < seals->intact.hi;
}

// Returns true if instructions of this process can neither read nor write the start of the region.
bool tn_check_seal_is_hidden(const struct tn_check_region *region);

// Returns the newest bytes that a copy carried to the region and that contain the address, or NULL.
const struct tn_check_carried_bytes *tn_check_carried_at(const struct tn_check_region *region,
                                                         uint64_t address);
