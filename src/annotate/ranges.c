// SPDX-License-Identifier: Apache-2.0
// Sorted address ranges, and the tables of subscribers. They store few ranges, so inserting moves the
// tail of the array.
#include "annotate/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/round.h"

enum { FIRST_CAPACITY = 16 };

size_t tn_annotate_ranges_up_to(const struct tn_annotate_ranges *ranges, uint64_t addr) {
    size_t low = 0;
    size_t high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->list[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tn_annotate_ranges_insert(struct tn_annotate_ranges *ranges, size_t at,
                               const struct tn_annotate_range *range) {
    if (ranges->count == ranges->capacity) {
        size_t capacity = ranges->capacity != 0 ? 2 * ranges->capacity : FIRST_CAPACITY;
        struct tn_annotate_range *list = realloc(ranges->list, capacity * sizeof *list);
        if (list == NULL) return false;
        ranges->list = list;
        ranges->capacity = capacity;
    }
    memmove(&ranges->list[at + 1], &ranges->list[at], (ranges->count - at) * sizeof *range);
    ranges->list[at] = *range;
    ranges->count++;
    return true;
}

void tn_annotate_ranges_remove(struct tn_annotate_ranges *ranges, size_t at) {
    ranges->count--;
    memmove(&ranges->list[at], &ranges->list[at + 1],
            (ranges->count - at) * sizeof ranges->list[0]);
}

// ---- heaps

// Of heaps that start at the same address the larger comes first, in whatever order they are added.
bool tn_reported_heaps_add(struct tn_reported_heaps *heaps, const struct tn_annotate_range *heap) {
    const struct tn_annotate_ranges *ranges = &heaps->ranges;
    TN_WRITE_LOCKED(&heaps->lock);
    size_t at = tn_annotate_ranges_up_to(ranges, heap->addr);
    while (at > 0 && ranges->list[at - 1].addr == heap->addr &&
           ranges->list[at - 1].bytes < heap->bytes)
        at--;
    return tn_annotate_ranges_insert(&heaps->ranges, at, heap);
}

bool tn_reported_heaps_remove(struct tn_reported_heaps *heaps, uint64_t addr,
                              struct tn_annotate_range *heap) {
    TN_WRITE_LOCKED(&heaps->lock);
    size_t at = tn_annotate_ranges_up_to(&heaps->ranges, addr);
    bool found = at > 0 && heaps->ranges.list[at - 1].addr == addr;
    if (found) {
        *heap = heaps->ranges.list[at - 1];
        tn_annotate_ranges_remove(&heaps->ranges, at - 1);
    }
    return found;
}

bool tn_reported_heaps_remove_within(struct tn_reported_heaps *heaps, uint64_t addr, uint64_t bytes,
                                     struct tn_annotate_range *heap) {
    bool found = false;
    TN_WRITE_LOCKED(&heaps->lock);
    size_t at = tn_annotate_ranges_up_to(&heaps->ranges, addr + (bytes - 1));
    for (; at > 0 && heaps->ranges.list[at - 1].addr >= addr && !found; at--) {
        *heap = heaps->ranges.list[at - 1];
        found = heap->bytes <= bytes - (heap->addr - addr);
        if (found) tn_annotate_ranges_remove(&heaps->ranges, at - 1);
    }
    return found;
}

bool tn_reported_heaps_find(struct tn_reported_heaps *heaps, uint64_t addr,
                            struct tn_annotate_range *heap) {
    bool found = false;
    TN_READ_LOCKED(&heaps->lock);
    for (size_t at = tn_annotate_ranges_up_to(&heaps->ranges, addr); at > 0 && !found; at--) {
        *heap = heaps->ranges.list[at - 1];
        found = addr - heap->addr < heap->bytes;
    }
    return found;
}

// ---- regions that may share bytes

bool tn_overlap_add(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes) {
    const struct tn_annotate_range region = {addr, bytes, NULL};
    TN_LOCKED(&overlap->lock);
    size_t at = tn_annotate_ranges_up_to(&overlap->ranges, addr);
    bool added = tn_annotate_ranges_insert(&overlap->ranges, at, &region);
    overlap->longest = added && bytes > overlap->longest ? bytes : overlap->longest;
    return added;
}

// Forbids the granules of [from, end) that no remaining region touches.
static void forbid_between(const struct tn_overlap *overlap, uint64_t from, uint64_t end,
                           uint64_t granule, void (*forbid)(uint64_t addr, uint64_t bytes)) {
    const struct tn_annotate_ranges *ranges = &overlap->ranges;
    uint64_t reach = from > overlap->longest ? from - overlap->longest : 0;
    size_t at = tn_annotate_ranges_up_to(ranges, reach);
    for (; at < ranges->count && ranges->list[at].addr < end; at++) {
        const struct tn_annotate_range *region = &ranges->list[at];
        uint64_t first = region->addr & ~(granule - 1);
        uint64_t behind = tn_round_up(region->addr + region->bytes, granule);
        if (behind <= from) continue;
        if (first > from) forbid(from, first - from);
        from = behind;
    }
    if (from < end) forbid(from, end - from);
}

bool tn_overlap_remove(struct tn_overlap *overlap, uint64_t addr, uint64_t granule,
                       const struct tn_annotate_range *heap,
                       void (*forbid)(uint64_t addr, uint64_t bytes)) {
    TN_LOCKED(&overlap->lock);
    size_t at = tn_annotate_ranges_up_to(&overlap->ranges, addr);
    bool found = at > 0 && overlap->ranges.list[at - 1].addr == addr;
    if (found) {
        uint64_t end = addr + overlap->ranges.list[at - 1].bytes;
        uint64_t from = addr & ~(granule - 1);
        uint64_t limit = heap->addr + heap->bytes;
        tn_annotate_ranges_remove(&overlap->ranges, at - 1);
        // A granule that the heap shares with memory outside stays allowed.
        from = from < heap->addr ? from + granule : from;
        end = tn_round_up(end, granule);
        end = end > limit ? limit : end;
        if (from < end) forbid_between(overlap, from, end, granule, forbid);
    }
    return found;
}

void tn_overlap_forget(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes) {
    struct tn_annotate_ranges *ranges = &overlap->ranges;
    TN_LOCKED(&overlap->lock);
    size_t kept = 0;
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->list[i].addr - addr >= bytes) ranges->list[kept++] = ranges->list[i];
    ranges->count = kept;
}

// ---- regions that queued work may access

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
    TN_LOCKED(&blocks->lock);
    size_t at = find_queued(blocks, addr);
    if (at != 0) tn_annotate_ranges_remove(&blocks->ranges, at - 1);
    return at != 0;
}

void tn_queued_blocks_forget(struct tn_queued_blocks *blocks, uint64_t addr, uint64_t bytes) {
    TN_LOCKED(&blocks->lock);
    size_t at = tn_annotate_ranges_up_to(&blocks->ranges, addr + (bytes - 1));
    while (at > 0 && blocks->ranges.list[at - 1].addr >= addr)
        tn_annotate_ranges_remove(&blocks->ranges, --at);
}
