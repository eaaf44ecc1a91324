// SPDX-License-Identifier: Apache-2.0
// Plans of recordings, for `tarn plan` and for replays. One thread.
#pragma once

#include <tarn/plan.h>

#include "trace/trace.h"

// A plan. Release it with tarn_plan_destroy(handle).
struct tn_recorded_plan {
    tarn_plan *handle;
    tarn_plan_info info;
    size_t first_event; // of the pass; 0 and the number of events for the complete recording
    size_t end_event;
};

// The choices in making one.
struct tn_recorded_want {
    tarn_rule rule;
    uint64_t scale;    // of sizes
    uint64_t limit_ns; // as in tarn_plan_desc, like the next
    uint64_t limit_steps;
    bool ignore_streams; // no block has a stream
    bool finds_pass;     // of two equal passes in a row, between marks, plan the last pair's first
    bool (*progress)(const tarn_plan_info *best, void *arg); // or NULL
    void *arg;
};

// Makes a plan of one device of a recording. Blocks that were live before are its first requests.
// A status of tarn_plan_create(). TARN_NO_HOST_MEMORY may come without a message of the library.
tarn_status tn_recorded_plan_make(const struct tn_trace *trace, const struct tn_trace_device *part,
                                  const struct tn_recorded_want *want,
                                  struct tn_recorded_plan *plan);
