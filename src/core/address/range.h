// SPDX-License-Identifier: Apache-2.0
// Checks of ranges, and of boxes of rows, for copies: bounds, mappings and rights.
#pragma once

#include "annotate/mem_event.h"
#include "core/address/rights.h"

// `depth` slices, `slice` apart, of `height` rows of `width` bytes, `pitch` apart; each at least 1.
// Its rows follow each other in address order: tn_box_is_sound().
struct tn_box {
    tarn_addr addr;
    uint64_t width;
    uint64_t height;
    uint64_t pitch;
    uint64_t depth;
    uint64_t slice;
};

// Returns true if no row overlaps the next one, and no slice the next one.
bool tn_box_is_sound(const struct tn_box *box);

// The devices whose rights count, beside those of the device that owns the bytes. -1: none.
struct tn_accessors {
    const struct tn_platform *platform;
    int devices[3];
};

// The access that a range check refused, for subscribers.
struct tn_range_refusal {
    enum tn_mem_refusal why; // UNSTATED: the arguments are wrong, whatever the state of the memory
    tarn_addr addr;          // the row that was refused, or all of the box
    uint64_t bytes;
    tarn_addr bad;    // its first byte that may not be accessed
    tn_rights rights; // DENIED: those to that byte
};

// BAD_ADDRESS: the box wraps, leaves the memory it begins in, or is of another platform;
// NOT_MAPPED; NO_ACCESS; recorded. `what` ("source") is for the text. Fills in the refusal if it
// fails. *is_own is true if the bytes are in a reservation or in device memory of the platform.
tarn_status tn_range_check(const struct tn_box *box, tarn_access need,
                           const struct tn_accessors *accessors, const char *what, bool *is_own,
                           struct tn_range_refusal *refusal);

// The history of a range that is in no live region.
enum tn_range_history {
    TN_RANGE_NEVER,   // no region of the library
    TN_RANGE_REUSED,  // a region, but the process has readable memory there now: tn_index_forget()
    TN_RANGE_RETIRED, // a region, and nothing is readable there now
};

// Classifies [addr, end). Calls the kernel if a region was there. Under the index's read lock.
enum tn_range_history tn_range_classify(tarn_addr addr, tarn_addr end);

// Returns true if a row of one box shares a byte with a row of the other. Both are sound and do not
// wrap.
bool tn_range_overlap(const struct tn_box *a, const struct tn_box *b);
