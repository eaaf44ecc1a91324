// SPDX-License-Identifier: Apache-2.0
// The live regions that do not keep to themselves: those of the users' own heaps, which may
// overlap, and those that share one of ASan's granules of 8 bytes with a neighbour. When such a
// region ends, only what no other one covers may be forbidden. Pools' blocks are apart from each
// other and are not kept here. One table for each listener; any thread; its lock is the last of
// all.
#ifndef TARN_ANNOTATE_OVERLAP_H
#define TARN_ANNOTATE_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annotate/mem_event.h"
#include "base/lock.h"

struct tn_annotate_range {
    uint64_t addr;
    uint64_t bytes;
};

struct tn_overlap {
    struct tn_mutex lock;
    struct tn_annotate_range *list; // by address, of equal ones the newest last
    size_t count;
    size_t capacity;
    uint64_t longest; // ever
};

#define TN_OVERLAP                                                                                 \
    { .lock = TN_MUTEX(ANNOTATE, "regions"), .list = NULL }

// Must this region be kept?
static inline bool tn_overlap_wants(const struct tn_mem_event *event) {
    return event->object == 0 || ((event->addr | event->other) & 7) != 0;
}

// False: no memory, and the region is not known.
bool tn_overlap_add(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes);

// Takes out the newest region that begins at addr. False: there is none. Calls forbid() for each
// run of whole granules (a power of two of bytes) in reach of it that no other region touches,
// within the range `heap`; the lock is held, so that all forbidding and allowing comes one at a
// time.
bool tn_overlap_remove(struct tn_overlap *overlap, uint64_t addr, uint64_t granule,
                       const struct tn_annotate_range *heap,
                       void (*forbid)(uint64_t addr, uint64_t bytes));

// Forgets the regions that begin in the range.
void tn_overlap_forget(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes);

// Around fork().
void tn_overlap_fork_prepare(struct tn_overlap *overlap);
void tn_overlap_fork_done(struct tn_overlap *overlap);

#endif
