// SPDX-License-Identifier: Apache-2.0
// Live regions that may share bytes with another region: regions of the program's own heaps, and
// regions that share one of ASan's granules of 8 bytes with a neighbour. When such a region ends,
// only the bytes that no other region covers are forbidden. Blocks of pools never overlap and are
// not stored here. Each subscriber has its own table. Any thread may call; the lock of a table is
// taken after every other lock.
#ifndef TARN_ANNOTATE_OVERLAP_H
#define TARN_ANNOTATE_OVERLAP_H

#include "annotate/mem_event.h"
#include "annotate/ranges.h"
#include "base/lock.h"

struct tn_overlap {
    struct tn_mutex lock;
    struct tn_annotate_ranges ranges; // of ranges with the same start, the newest comes last
    uint64_t longest;                 // bytes of the longest region ever added
};

#define TN_OVERLAP                                                                                 \
    { .lock = TN_MUTEX(ANNOTATE, "regions"), .longest = 0 }

// Returns true if the region of this event must be stored.
static inline bool tn_overlap_wants(const struct tn_mem_event *event) {
    return event->object == 0 || ((event->addr | event->other) & 7) != 0;
}

// Returns false if out of memory. The region is not stored then.
bool tn_overlap_add(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes);

// Removes the newest region that starts at addr. Returns false if there is none. Calls forbid() for
// each run of complete granules of the region that lie inside `heap` and that no other region
// touches. `granule` is a power of two, in bytes. The lock is held during forbid(), so that two
// threads never forbid and allow the same bytes in the wrong order.
bool tn_overlap_remove(struct tn_overlap *overlap, uint64_t addr, uint64_t granule,
                       const struct tn_annotate_range *heap,
                       void (*forbid)(uint64_t addr, uint64_t bytes));

// Forgets the regions that start in the range.
void tn_overlap_forget(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes);

#endif
