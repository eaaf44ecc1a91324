// SPDX-License-Identifier: Apache-2.0
// A growing array of address ranges, sorted by their start, and the three tables of a subscriber that
// contain one. The owner of an array serialises its calls. Any thread may use a table; its lock is
// taken after every other lock. Each subscriber has its own tables.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Returns the number of ranges that start at or below addr.
size_t tn_annotate_ranges_up_to(const struct tn_annotate_ranges *ranges, uint64_t addr);

// Inserts the range at the index. Returns false if out of memory.
bool tn_annotate_ranges_insert(struct tn_annotate_ranges *ranges, size_t at,
                               const struct tn_annotate_range *range);

void tn_annotate_ranges_remove(struct tn_annotate_ranges *ranges, size_t at);

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

// ---- regions that queued work may access

// Live regions that work on a stream has as arguments. The work may run after the region has ended in
// the order of the stream, and its instructions are checked by the tool when they run. So the bytes of
// such a region stay accessible when it ends.

struct tn_queued_blocks {
    struct tn_mutex lock;
    struct tn_annotate_ranges ranges;
};

#define TN_QUEUED_BLOCKS                                                                           \
    { .lock = TN_MUTEX(ANNOTATE, "queued") }

// Adds a region once. Out of memory, it is not added.
void tn_queued_blocks_add(struct tn_queued_blocks *blocks, uint64_t addr, uint64_t bytes);

// Returns true if the region that starts at addr is in the table.
bool tn_queued_blocks_has(struct tn_queued_blocks *blocks, uint64_t addr);

// Removes it. Returns false if it is not in the table.
bool tn_queued_blocks_remove(struct tn_queued_blocks *blocks, uint64_t addr);

// Removes the regions that start in the range.
void tn_queued_blocks_forget(struct tn_queued_blocks *blocks, uint64_t addr, uint64_t bytes);
