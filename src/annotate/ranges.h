// SPDX-License-Identifier: Apache-2.0
// A growing array of address ranges, sorted by their start. The tables of the subscribers contain
// it (reported_heaps.h, overlap.h). The owner serialises every call.
#ifndef TARN_ANNOTATE_RANGES_H
#define TARN_ANNOTATE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
