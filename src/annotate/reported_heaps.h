// SPDX-License-Identifier: Apache-2.0
// The heaps that one subscriber has reported to its tool, with the handle that the tool returned
// for each. A region is reported in the heap that contains it. The end of a heap is reported only
// if its beginning was. Each subscriber has its own table. Any thread may call; the lock of a table
// is taken after every other lock.
#ifndef TARN_ANNOTATE_REPORTED_HEAPS_H
#define TARN_ANNOTATE_REPORTED_HEAPS_H

#include "annotate/ranges.h"
#include "base/lock.h"

struct tn_reported_heaps {
    struct tn_rwlock lock;
    struct tn_annotate_ranges ranges; // a heap inside another one follows it
};

#define TN_REPORTED_HEAPS                                                                          \
    {                                                                                              \
        .lock = TN_RWLOCK(ANNOTATE, "heaps"), .ranges = { NULL, 0, 0 }                             \
    }

// Returns false if out of memory. The heap is not stored then.
bool tn_reported_heaps_add(struct tn_reported_heaps *heaps, const struct tn_annotate_range *heap);

// Removes the innermost heap that starts at addr. Returns false if there is none.
bool tn_reported_heaps_remove(struct tn_reported_heaps *heaps, uint64_t addr,
                              struct tn_annotate_range *heap);

// Removes one heap that lies in [addr, addr + bytes). Returns false if there is none.
bool tn_reported_heaps_remove_within(struct tn_reported_heaps *heaps, uint64_t addr, uint64_t bytes,
                                     struct tn_annotate_range *heap);

// Finds the innermost heap that contains addr. Returns false if there is none.
bool tn_reported_heaps_find(struct tn_reported_heaps *heaps, uint64_t addr,
                            struct tn_annotate_range *heap);

#endif
