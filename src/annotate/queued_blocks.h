// SPDX-License-Identifier: Apache-2.0
// Live regions that work on a stream has as arguments. The work may run after the region has ended in
// the order of the stream, and its instructions are checked by the tool when they run. So the bytes of
// such a region stay accessible when it ends. Each subscriber has its own table. Any thread may call;
// the lock of a table is taken after every other lock.
#ifndef TARN_ANNOTATE_QUEUED_BLOCKS_H
#define TARN_ANNOTATE_QUEUED_BLOCKS_H

#include <stdbool.h>

#include "annotate/ranges.h"
#include "base/lock.h"

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

#endif
