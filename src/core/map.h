// SPDX-License-Identifier: Apache-2.0
// Mappings inside a reservation, for those in the core who look at them.
#ifndef TARN_CORE_MAP_H
#define TARN_CORE_MAP_H

#include "core/index.h"
#include "core/phys.h"
#include "core/rights.h"

// The record of one mapping. Owned by its region's interval map, under the region's lock.
struct tn_mapping {
    struct tn_phys *phys; // holds one mapping reference
    tn_rights rights;
};

static inline struct tn_mapping *tn_mapping_of(const struct tn_interval_entry *entry) {
    return (struct tn_mapping *)(uintptr_t)entry->value;
}

// Finds the reservation that holds the whole range. On success the index is locked for reading and
// the region's lock is held, until tn_map_leave(). BAD_ARGUMENT: addr or size 0; BAD_ADDRESS;
// FORKED. Recorded.
tarn_status tn_map_enter(tarn_addr addr, uint64_t size, struct tn_region **region);
void tn_map_leave(struct tn_region *region);

// Is the range exactly a gap-free run of whole mappings? NOT_MAPPED: there is a gap; BAD_ADDRESS:
// one is cut. Recorded.
tarn_status tn_map_check_whole(const struct tn_region *region, tarn_addr addr, uint64_t size,
                               uint64_t *count);

// Does the backend take runs of many mappings in one call?
bool tn_map_spans(const struct tn_region *region);

#endif
