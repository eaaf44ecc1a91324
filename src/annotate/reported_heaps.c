// SPDX-License-Identifier: Apache-2.0
// The heaps that a listener knows. See told_heaps.h. There are few of them beside regions, so a
// sorted array will do.
#include "annotate/reported_heaps.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 };

// How many heaps begin at or below addr. Under the lock.
static size_t up_to(const struct tn_reported_heaps *heaps, uint64_t addr) {
    size_t low = 0;
    size_t high = heaps->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (heaps->list[middle].addr <= addr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool reserve_heap(struct tn_reported_heaps *heaps) {
    if (heaps->count < heaps->capacity) {
        return true;
    }
    size_t capacity = heaps->capacity != 0 ? 2 * heaps->capacity : FIRST;
    struct tn_reported_heap *list = realloc(heaps->list, capacity * sizeof *list);
    if (list == NULL) {
        return false;
    }
    heaps->list = list;
    heaps->capacity = capacity;
    return true;
}

// Of those that begin at one address the larger come first, whatever the order of the calls.
bool tn_reported_heaps_add(struct tn_reported_heaps *heaps, const struct tn_reported_heap *heap) {
    tn_rwlock_write(&heaps->lock);
    bool room = reserve_heap(heaps);
    if (room) {
        size_t at = up_to(heaps, heap->addr);
        while (at > 0 && heaps->list[at - 1].addr == heap->addr &&
               heaps->list[at - 1].bytes < heap->bytes) {
            at--;
        }
        memmove(&heaps->list[at + 1], &heaps->list[at],
                (heaps->count - at) * sizeof heaps->list[0]);
        heaps->list[at] = *heap;
        heaps->count++;
    }
    tn_rwlock_unlock(&heaps->lock);
    return room;
}

// Under the lock.
static void remove_at(struct tn_reported_heaps *heaps, size_t at, struct tn_reported_heap *heap) {
    *heap = heaps->list[at];
    heaps->count--;
    memmove(&heaps->list[at], &heaps->list[at + 1], (heaps->count - at) * sizeof heaps->list[0]);
}

bool tn_reported_heaps_remove(struct tn_reported_heaps *heaps, uint64_t addr,
                              struct tn_reported_heap *heap) {
    tn_rwlock_write(&heaps->lock);
    size_t at = up_to(heaps, addr);
    bool found = at > 0 && heaps->list[at - 1].addr == addr;
    if (found) {
        remove_at(heaps, at - 1, heap);
    }
    tn_rwlock_unlock(&heaps->lock);
    return found;
}

bool tn_reported_heaps_remove_within(struct tn_reported_heaps *heaps, uint64_t addr, uint64_t bytes,
                                     struct tn_reported_heap *heap) {
    bool found = false;
    tn_rwlock_write(&heaps->lock);
    for (size_t at = up_to(heaps, addr + (bytes - 1)); at > 0 && !found; at--) {
        const struct tn_reported_heap *one = &heaps->list[at - 1];
        if (one->addr < addr) {
            break;
        }
        found = one->bytes <= bytes - (one->addr - addr);
        if (found) {
            remove_at(heaps, at - 1, heap);
        }
    }
    tn_rwlock_unlock(&heaps->lock);
    return found;
}

bool tn_reported_heaps_find(struct tn_reported_heaps *heaps, uint64_t addr,
                            struct tn_reported_heap *heap) {
    bool found = false;
    tn_rwlock_read(&heaps->lock);
    for (size_t at = up_to(heaps, addr); at > 0 && !found; at--) {
        found = addr - heaps->list[at - 1].addr < heaps->list[at - 1].bytes;
        if (found) {
            *heap = heaps->list[at - 1];
        }
    }
    tn_rwlock_unlock(&heaps->lock);
    return found;
}

void tn_reported_heaps_fork_prepare(struct tn_reported_heaps *heaps) {
    tn_rwlock_write_for_fork(&heaps->lock);
}

void tn_reported_heaps_fork_done(struct tn_reported_heaps *heaps) {
    tn_rwlock_unlock_after_fork(&heaps->lock);
}
