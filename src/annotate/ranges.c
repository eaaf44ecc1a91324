// SPDX-License-Identifier: Apache-2.0
// Sorted address ranges, and the tables of subscribers. They store few ranges, so inserting moves the
// tail of the array.
#include "annotate/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/round.h"

enum { FIRST_CAPACITY = 16 };

// Returns the number of ranges that start at or below addr.
static size_t ranges_up_to(const struct tn_annotate_ranges *ranges, uint64_t addr) {
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

// Inserts the range at the index. Returns false if out of memory.
static bool ranges_insert(struct tn_annotate_ranges *ranges, size_t at,
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

static void ranges_remove(struct tn_annotate_ranges *ranges, size_t at) {
    ranges->count--;
    memmove(&ranges->list[at], &ranges->list[at + 1],
            (ranges->count - at) * sizeof ranges->list[0]);
}

// ---- heaps

// Of heaps that start at the same address the larger comes first, in whatever order they are added.
bool tn_reported_heaps_add(struct tn_reported_heaps *heaps, const struct tn_annotate_range *heap) {
    const struct tn_annotate_ranges *ranges = &heaps->ranges;
    TN_WRITE_LOCKED(&heaps->lock);
    size_t at = ranges_up_to(ranges, heap->addr);
    while (at > 0 && ranges->list[at - 1].addr == heap->addr &&
           ranges->list[at - 1].bytes < heap->bytes)
        at--;
    return ranges_insert(&heaps->ranges, at, heap);
}

bool tn_reported_heaps_remove(struct tn_reported_heaps *heaps, uint64_t addr,
                              struct tn_annotate_range *heap) {
    TN_WRITE_LOCKED(&heaps->lock);
    size_t at = ranges_up_to(&heaps->ranges, addr);
    bool found = at > 0 && heaps->ranges.list[at - 1].addr == addr;
    if (found) {
        *heap = heaps->ranges.list[at - 1];
        ranges_remove(&heaps->ranges, at - 1);
    }
    return found;
}

bool tn_reported_heaps_remove_within(struct tn_reported_heaps *heaps, uint64_t addr, uint64_t bytes,
                                     struct tn_annotate_range *heap) {
    bool found = false;
    TN_WRITE_LOCKED(&heaps->lock);
    size_t at = ranges_up_to(&heaps->ranges, addr + (bytes - 1));
    for (; at > 0 && heaps->ranges.list[at - 1].addr >= addr && !found; at--) {
        *heap = heaps->ranges.list[at - 1];
        found = heap->bytes <= bytes - (heap->addr - addr);
        if (found) ranges_remove(&heaps->ranges, at - 1);
    }
    return found;
}

bool tn_reported_heaps_find(struct tn_reported_heaps *heaps, uint64_t addr,
                            struct tn_annotate_range *heap) {
    bool found = false;
    TN_READ_LOCKED(&heaps->lock);
    for (size_t at = ranges_up_to(&heaps->ranges, addr); at > 0 && !found; at--) {
        *heap = heaps->ranges.list[at - 1];
        found = addr - heap->addr < heap->bytes;
    }
    return found;
}

// ---- regions that may share bytes

bool tn_overlap_add(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes) {
    const struct tn_annotate_range region = {addr, bytes, NULL};
    TN_LOCKED(&overlap->lock);
    size_t at = ranges_up_to(&overlap->ranges, addr);
    bool added = ranges_insert(&overlap->ranges, at, &region);
    overlap->longest = added && bytes > overlap->longest ? bytes : overlap->longest;
    return added;
}

// Forbids the granules of [from, end) that no remaining region touches.
static void forbid_between(const struct tn_overlap *overlap, uint64_t from, uint64_t end,
                           uint64_t granule, void (*forbid)(uint64_t addr, uint64_t bytes)) {
    const struct tn_annotate_ranges *ranges = &overlap->ranges;
    uint64_t reach = from > overlap->longest ? from - overlap->longest : 0;
    size_t at = ranges_up_to(ranges, reach);
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
    size_t at = ranges_up_to(&overlap->ranges, addr);
    bool found = at > 0 && overlap->ranges.list[at - 1].addr == addr;
    if (found) {
        uint64_t end = addr + overlap->ranges.list[at - 1].bytes;
        uint64_t from = addr & ~(granule - 1);
        uint64_t limit = heap->addr + heap->bytes;
        ranges_remove(&overlap->ranges, at - 1);
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

// ---- bytes that earlier work may still access

static uint64_t call_of(const struct tn_annotate_range *range) {
    return (uint64_t)(uintptr_t)range->handle;
}

void tn_ended_bytes_queue(struct tn_ended_bytes *ended, uint64_t call) {
    const struct tn_annotate_range range = {call, 0, NULL};
    TN_LOCKED(&ended->lock);
    size_t at = ranges_up_to(&ended->calls, call);
    (void)ranges_insert(&ended->calls, at, &range);
}

void tn_ended_bytes_pass(struct tn_ended_bytes *ended, uint64_t call,
                         void (*forbid)(uint64_t addr, uint64_t bytes)) {
    struct tn_annotate_ranges *ranges = &ended->ranges;
    TN_LOCKED(&ended->lock);
    size_t at = ranges_up_to(&ended->calls, call);
    if (at == 0 || ended->calls.list[at - 1].addr != call) return;
    ranges_remove(&ended->calls, at - 1);
    if (at > 1) return; // an earlier call has not passed
    uint64_t first = ended->calls.count > 0 ? ended->calls.list[0].addr : UINT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        const struct tn_annotate_range range = ranges->list[i];
        if (call_of(&range) < first)
            forbid(range.addr, range.bytes);
        else
            ranges->list[kept++] = range;
    }
    ranges->count = kept;
}

bool tn_ended_bytes_add(struct tn_ended_bytes *ended, uint64_t addr, uint64_t bytes) {
    TN_LOCKED(&ended->lock);
    if (ended->calls.count == 0) return false;
    uint64_t last = ended->calls.list[ended->calls.count - 1].addr;
    const struct tn_annotate_range range = {addr, bytes, (void *)(uintptr_t)last};
    size_t at = ranges_up_to(&ended->ranges, addr);
    (void)ranges_insert(&ended->ranges, at, &range);
    return true;
}

void tn_ended_bytes_forget(struct tn_ended_bytes *ended, uint64_t addr, uint64_t bytes,
                           void (*untouched)(uint64_t addr, uint64_t bytes)) {
    struct tn_annotate_ranges *ranges = &ended->ranges;
    uint64_t end = addr + bytes;
    uint64_t left = end; // the bytes behind it are done
    TN_LOCKED(&ended->lock);
    size_t at = ranges_up_to(ranges, end - 1);
    while (at > 0 && ranges->list[at - 1].addr + ranges->list[at - 1].bytes > addr) {
        const struct tn_annotate_range range = ranges->list[--at];
        const struct tn_annotate_range head = {range.addr, addr - range.addr, range.handle};
        const struct tn_annotate_range tail = {end, range.addr + range.bytes - end, range.handle};
        uint64_t behind = range.addr + range.bytes;
        ranges_remove(ranges, at);
        if (behind > end) (void)ranges_insert(ranges, at, &tail);
        if (range.addr < addr) (void)ranges_insert(ranges, at, &head);
        if (untouched != NULL && behind < left) untouched(behind, left - behind);
        left = range.addr > addr ? range.addr : addr;
    }
    if (untouched != NULL && left > addr) untouched(addr, left - addr);
}
