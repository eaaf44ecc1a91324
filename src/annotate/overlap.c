// SPDX-License-Identifier: Apache-2.0
// Regions that may share bytes. See overlap.h. A sorted array: users' own heaps have few regions
// beside the pools'.
#include "annotate/overlap.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 64 };

// How many regions begin at or below addr. Under the lock.
static size_t up_to(const struct tn_overlap *overlap, uint64_t addr) {
    size_t low = 0;
    size_t high = overlap->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (overlap->list[middle].addr <= addr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool reserve_range(struct tn_overlap *overlap) {
    if (overlap->count < overlap->capacity) {
        return true;
    }
    size_t capacity = overlap->capacity != 0 ? 2 * overlap->capacity : FIRST;
    struct tn_annotate_range *list = realloc(overlap->list, capacity * sizeof *list);
    if (list == NULL) {
        return false;
    }
    overlap->list = list;
    overlap->capacity = capacity;
    return true;
}

bool tn_overlap_add(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes) {
    tn_mutex_lock(&overlap->lock);
    bool room = reserve_range(overlap);
    if (room) {
        size_t at = up_to(overlap, addr);
        memmove(&overlap->list[at + 1], &overlap->list[at],
                (overlap->count - at) * sizeof overlap->list[0]);
        overlap->list[at] = (struct tn_annotate_range){addr, bytes};
        overlap->count++;
        overlap->longest = bytes > overlap->longest ? bytes : overlap->longest;
    }
    tn_mutex_unlock(&overlap->lock);
    return room;
}

// The granules of [from, end) between the regions that are left.
static void forbid_between(const struct tn_overlap *overlap, uint64_t from, uint64_t end,
                           uint64_t granule, void (*forbid)(uint64_t addr, uint64_t bytes)) {
    uint64_t reach = from > overlap->longest ? from - overlap->longest : 0;
    for (size_t at = up_to(overlap, reach); at < overlap->count && overlap->list[at].addr < end;
         at++) {
        uint64_t first = overlap->list[at].addr & ~(granule - 1);
        uint64_t behind =
            (overlap->list[at].addr + overlap->list[at].bytes + granule - 1) & ~(granule - 1);
        if (behind <= from) {
            continue;
        }
        if (first > from) {
            forbid(from, first - from);
        }
        from = behind;
    }
    if (from < end) {
        forbid(from, end - from);
    }
}

bool tn_overlap_remove(struct tn_overlap *overlap, uint64_t addr, uint64_t granule,
                       const struct tn_annotate_range *heap,
                       void (*forbid)(uint64_t addr, uint64_t bytes)) {
    tn_mutex_lock(&overlap->lock);
    size_t at = up_to(overlap, addr);
    bool found = at > 0 && overlap->list[at - 1].addr == addr;
    if (found) {
        uint64_t end = addr + overlap->list[at - 1].bytes;
        uint64_t from = addr & ~(granule - 1);
        uint64_t limit = heap->addr + heap->bytes;
        overlap->count--;
        memmove(&overlap->list[at - 1], &overlap->list[at],
                (overlap->count - (at - 1)) * sizeof overlap->list[0]);
        // A granule that the heap shares with what is outside stays open.
        from = from < heap->addr ? from + granule : from;
        end = (end + granule - 1) & ~(granule - 1);
        end = end > limit ? limit : end;
        if (from < end) {
            forbid_between(overlap, from, end, granule, forbid);
        }
    }
    tn_mutex_unlock(&overlap->lock);
    return found;
}

void tn_overlap_forget(struct tn_overlap *overlap, uint64_t addr, uint64_t bytes) {
    tn_mutex_lock(&overlap->lock);
    size_t kept = 0;
    for (size_t i = 0; i < overlap->count; i++) {
        if (overlap->list[i].addr - addr >= bytes) {
            overlap->list[kept++] = overlap->list[i];
        }
    }
    overlap->count = kept;
    tn_mutex_unlock(&overlap->lock);
}

void tn_overlap_fork_prepare(struct tn_overlap *overlap) {
    tn_mutex_lock_for_fork(&overlap->lock);
}

void tn_overlap_fork_done(struct tn_overlap *overlap) {
    tn_mutex_unlock_after_fork(&overlap->lock);
}
