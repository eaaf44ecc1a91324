// SPDX-License-Identifier: Apache-2.0
// Sorted address ranges. Subscribers store few of them, so inserting moves the tail of the array.
#include "annotate/ranges.h"

#include <stdlib.h>
#include <string.h>

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
