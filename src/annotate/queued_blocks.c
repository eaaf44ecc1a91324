// SPDX-License-Identifier: Apache-2.0
// Regions that queued work may access. See queued_blocks.h.
#include "annotate/queued_blocks.h"

// The place behind the region that starts at addr, or 0. Under the lock.
static size_t find_queued(const struct tn_queued_blocks *blocks, uint64_t addr) {
    size_t at = tn_annotate_ranges_up_to(&blocks->ranges, addr);
    return at > 0 && blocks->ranges.list[at - 1].addr == addr ? at : 0;
}

void tn_queued_blocks_add(struct tn_queued_blocks *blocks, uint64_t addr, uint64_t bytes) {
    const struct tn_annotate_range block = {addr, bytes, NULL};
    TN_LOCKED(&blocks->lock);
    if (find_queued(blocks, addr) == 0) {
        size_t at = tn_annotate_ranges_up_to(&blocks->ranges, addr);
        (void)tn_annotate_ranges_insert(&blocks->ranges, at, &block);
    }
}

bool tn_queued_blocks_has(struct tn_queued_blocks *blocks, uint64_t addr) {
    TN_LOCKED(&blocks->lock);
    return find_queued(blocks, addr) != 0;
}

bool tn_queued_blocks_remove(struct tn_queued_blocks *blocks, uint64_t addr) {
    tn_mutex_lock(&blocks->lock);
    size_t at = find_queued(blocks, addr);
    if (at != 0) tn_annotate_ranges_remove(&blocks->ranges, at - 1);
    tn_mutex_unlock(&blocks->lock);
    return at != 0;
}

void tn_queued_blocks_forget(struct tn_queued_blocks *blocks, uint64_t addr, uint64_t bytes) {
    TN_LOCKED(&blocks->lock);
    size_t at = tn_annotate_ranges_up_to(&blocks->ranges, addr + (bytes - 1));
    while (at > 0 && blocks->ranges.list[at - 1].addr >= addr)
        tn_annotate_ranges_remove(&blocks->ranges, --at);
}
