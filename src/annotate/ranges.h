// SPDX-License-Identifier: Apache-2.0
// A growing array of address ranges, sorted by their start, and the three tables of a subscriber that
// contain one. The owner of an array serialises its calls. Any thread may use a table; its lock is
// taken after every other lock. Each subscriber has its own tables.
#pragma once

#include "annotate/mem_event.h"
#include "base/lock.h"

struct tn_annotate_range {
    uint64_t addr;
    uint64_t bytes;
    void *handle; // of the subscriber, or NULL
};

// Zeroed is empty.
struct tn_annotate_ranges {
    struct tn_annotate_range *list;
    size_t count;
    size_t capacity;
};

// ---- heaps

// The heaps that one subscriber has reported to its tool, with the handle that the tool returned
// for each. A region is reported in the heap that contains it. The end of a heap is reported only
// if its beginning was.

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

// ---- regions that may share bytes

// Live regions that may share bytes with another region: regions of the program's own heaps, and
// regions that share one of ASan's granules of 8 bytes with a neighbour. When such a region ends,
// only the bytes that no other region covers are forbidden. Blocks of pools never overlap and are
// not stored here.

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

// ---- bytes that earlier work may still access

// Regions that end in the order of a stream. Instructions of host functions and kernels that were
// submitted before are checked by the tool when they run. So the bytes are forbidden when all those
// calls have passed, unless another region has begun there. Its lock may be taken under those above.

struct tn_ended_bytes {
    struct tn_mutex lock;
    struct tn_annotate_ranges calls;  // addr: the number of a call that has not passed
    struct tn_annotate_ranges ranges; // disjoint; the handle is the number of the last call before
};

#define TN_ENDED_BYTES                                                                             \
    { .lock = TN_MUTEX(ANNOTATE_LATER, "ended") }

// The call with this number is about to be submitted. Out of memory, the bytes of regions that end meanwhile
// are forbidden too early.
void tn_ended_bytes_queue(struct tn_ended_bytes *ended, uint64_t call);

// The call has passed. Calls forbid() with the lock held for each range that no earlier call may access.
void tn_ended_bytes_pass(struct tn_ended_bytes *ended, uint64_t call,
                         void (*forbid)(uint64_t addr, uint64_t bytes));

// Adds the bytes of a region that ended. Returns false if no call may access them any more.
bool tn_ended_bytes_add(struct tn_ended_bytes *ended, uint64_t addr, uint64_t bytes);

// Removes these bytes from the ranges: they are used again, or have no memory. Calls untouched(),
// unless it is NULL, with the lock held for each run of them that was in no range, so that no
// earlier call may access it.
void tn_ended_bytes_forget(struct tn_ended_bytes *ended, uint64_t addr, uint64_t bytes,
                           void (*untouched)(uint64_t addr, uint64_t bytes));
