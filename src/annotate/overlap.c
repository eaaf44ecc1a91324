// SPDX-License-Identifier: Apache-2.0
// Regions that may share bytes. See overlap.h.
#include "annotate/overlap.h"
#include "base/round.h"

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
