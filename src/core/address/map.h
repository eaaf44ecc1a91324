// SPDX-License-Identifier: Apache-2.0
// Mappings inside a reservation.
#pragma once

#include "core/address/index.h"
#include "core/address/phys.h"

static inline struct tn_mapping *tn_mapping_of(const struct tn_interval_entry *entry) {
    return (struct tn_mapping *)(uintptr_t)entry->value;
}

// Finds the owner's reservation that holds the whole range. On success the index is locked for
// reading and the region's lock is held, until tn_map_leave(). BAD_ARGUMENT: addr or bytes 0;
// BAD_ADDRESS; FORKED; recorded.
tarn_status tn_map_enter(const struct tn_owner *owner, tarn_addr addr, uint64_t bytes,
                         struct tn_region **region);
void tn_map_leave(struct tn_region *region);

// A gap-free run of complete mappings. Valid until mappings are added to or removed from the
// region.
struct tn_run {
    tarn_addr addr;
    uint64_t bytes;
    uint64_t count;
    struct tn_interval_cursor first; // before its first mapping
    struct tn_interval_cursor last;  // behind its last mapping
};

// Finds the range as a run. Returns NOT_MAPPED if the range has a gap, and BAD_ADDRESS if it begins
// or ends inside a mapping. Records the error.
tarn_status tn_map_find_run(struct tn_region *region, tarn_addr addr, uint64_t bytes,
                            struct tn_run *run);

// Steps to the next mapping of a run; `at` begins as a copy of run->first. Returns false at its
// end.
static inline bool tn_run_step(const struct tn_run *run, struct tn_interval_cursor *at,
                               struct tn_interval_entry *entry) {
    return (at->leaf != run->last.leaf || at->index != run->last.index) &&
           tn_interval_step(at, entry);
}

// tarn_memory_export_fd() of the application's mapping that starts at `addr`.
tarn_status tn_map_export(tarn_addr addr, int *fd);

// Returns true if the backend accepts runs of several mappings in one call.
bool tn_map_spans(const struct tn_region *region);
