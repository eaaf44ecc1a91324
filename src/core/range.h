// SPDX-License-Identifier: Apache-2.0
// Is a range, or are rows of a range, good for a copy? Bounds, mappings and rights.
#ifndef TARN_CORE_RANGE_H
#define TARN_CORE_RANGE_H

#include <tarn/map.h>

#include "core/platform.h"

// `height` rows of `width` bytes, `pitch` apart.
struct tn_rows {
    tarn_addr addr;
    uint64_t width;
    uint64_t height;
    uint64_t pitch;
};

// Whose rights count, beside those of the device that owns the bytes. -1: nobody.
struct tn_actors {
    const struct tn_platform *platform;
    int devices[3];
};

// BAD_ADDRESS: the rows wrap, leave the memory they begin in, or are of another platform;
// NOT_MAPPED; NO_ACCESS. `what` ("source") is for the text. Recorded.
tarn_status tn_range_check(const struct tn_rows *rows, tarn_access need,
                           const struct tn_actors *actors, const char *what);

// Do any two rows of the two share a byte? Both have the same height, and rows that do not wrap.
bool tn_range_overlap(const struct tn_rows *a, const struct tn_rows *b);

#endif
