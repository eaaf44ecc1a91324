// SPDX-License-Identifier: Apache-2.0
// The heaps that one subscriber has reported. See reported_heaps.h.
#include "annotate/reported_heaps.h"

// Of heaps that start at the same address the larger comes first, in whatever order they are added.
bool tn_reported_heaps_add(struct tn_reported_heaps *heaps, const struct tn_annotate_range *heap) {
    const struct tn_annotate_ranges *ranges = &heaps->ranges;
    tn_rwlock_write(&heaps->lock);
    size_t at = tn_annotate_ranges_up_to(ranges, heap->addr);
    while (at > 0 && ranges->list[at - 1].addr == heap->addr &&
           ranges->list[at - 1].bytes < heap->bytes)
        at--;
    bool added = tn_annotate_ranges_insert(&heaps->ranges, at, heap);
    tn_rwlock_unlock(&heaps->lock);
    return added;
}

bool tn_reported_heaps_remove(struct tn_reported_heaps *heaps, uint64_t addr,
                              struct tn_annotate_range *heap) {
    tn_rwlock_write(&heaps->lock);
    size_t at = tn_annotate_ranges_up_to(&heaps->ranges, addr);
    bool found = at > 0 && heaps->ranges.list[at - 1].addr == addr;
    if (found) {
        *heap = heaps->ranges.list[at - 1];
        tn_annotate_ranges_remove(&heaps->ranges, at - 1);
    }
    tn_rwlock_unlock(&heaps->lock);
    return found;
}

bool tn_reported_heaps_remove_within(struct tn_reported_heaps *heaps, uint64_t addr, uint64_t bytes,
                                     struct tn_annotate_range *heap) {
    bool found = false;
    tn_rwlock_write(&heaps->lock);
    size_t at = tn_annotate_ranges_up_to(&heaps->ranges, addr + (bytes - 1));
    for (; at > 0 && heaps->ranges.list[at - 1].addr >= addr && !found; at--) {
        *heap = heaps->ranges.list[at - 1];
        found = heap->bytes <= bytes - (heap->addr - addr);
        if (found) tn_annotate_ranges_remove(&heaps->ranges, at - 1);
    }
    tn_rwlock_unlock(&heaps->lock);
    return found;
}

bool tn_reported_heaps_find(struct tn_reported_heaps *heaps, uint64_t addr,
                            struct tn_annotate_range *heap) {
    bool found = false;
    tn_rwlock_read(&heaps->lock);
    for (size_t at = tn_annotate_ranges_up_to(&heaps->ranges, addr); at > 0 && !found; at--) {
        *heap = heaps->ranges.list[at - 1];
        found = addr - heap->addr < heap->bytes;
    }
    tn_rwlock_unlock(&heaps->lock);
    return found;
}
