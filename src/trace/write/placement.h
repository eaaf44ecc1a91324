// SPDX-License-Identifier: Apache-2.0
// A placement: addresses for the blocks of one device and the segments that contain them, so that a
// viewer can show them. It is that of the recording if the recording has one without
// contradictions; otherwise it is made up. One thread at a time.
#pragma once

#include "algo/interval.h"
#include "trace/trace.h"

enum tn_placement_kind {
    TN_PLACEMENT_RECORDED, // addresses and segments are those of the recording
    TN_PLACEMENT_COVERED,  // the addresses are; one segment covers each part that is used
    TN_PLACEMENT_MADE      // one segment, with the blocks where a best fit puts them
};

struct tn_placement {
    enum tn_placement_kind kind;
    uint64_t *addresses;         // of each block of the trace; those of other devices are 0
    uint8_t *waiting;            // a flag for each block: its free was requested and not completed
    struct tn_interval segments; // at the end; the value is the number of a segment of the trace
    struct tn_interval live; // at the end: the requested bytes of blocks; the value is the block
};

// Returns TARN_NO_HOST_MEMORY. Release with tn_placement_release().
tarn_status tn_placement_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                              struct tn_placement *placement);
void tn_placement_release(struct tn_placement *placement);
