// SPDX-License-Identifier: Apache-2.0
// The progress of reading or writing a trace. A command that shows it sets tn_trace_progress; NULL, the
// default, means that nothing is reported. One thread.
#pragma once

#include "trace/trace.h"

// X(NAME, "text for people", part of the work that is done when the stage ends, in percent). A reader has
// the first two stages, a writer the others. Stages may be left out.
#define TN_STAGE_LIST(X)                                                                           \
    X(READ, "reading", 60)                                                                         \
    X(BUILD, "building", 100)                                                                      \
    X(PLACE, "placing", 30)                                                                        \
    X(WRITE, "writing", 100)

#define TN_STAGE_ENUM(name, text, end) TN_STAGE_##name,
enum tn_trace_stage { TN_STAGE_LIST(TN_STAGE_ENUM) };

// `total` is 0 if it is unknown.
extern void (*tn_trace_progress)(enum tn_trace_stage stage, uint64_t done, uint64_t total);

static inline void tn_trace_report(enum tn_trace_stage stage, uint64_t done, uint64_t total) {
    if (tn_trace_progress != NULL) tn_trace_progress(stage, done, total);
}

// Reports the n-th event of a device. Most events are not reported.
static inline void tn_trace_report_event(enum tn_trace_stage stage, const struct tn_trace *trace,
                                         const struct tn_trace_device *device, size_t n) {
    if (n % 1024 == 0) tn_trace_report(stage, device->first_event + n, trace->event_count);
}
