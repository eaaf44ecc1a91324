// SPDX-License-Identifier: Apache-2.0
// The frames of a snapshot: lists of dicts with name, filename and line, innermost first, which
// become stacks of the trace. A snapshot shares its frames and whole lists, so each is converted
// once. The snapshot reader owns it. One thread at a time.
#pragma once

#include "trace/parse/value.h"

struct tn_frames {
    const struct tn_values *values;
    struct tn_builder *builder;
    uint32_t *stacks;                    // by value of a list: stack plus 1, or 0
    uint32_t *known;                     // by value of a dict: element of `calls` plus 1, or 0
    TN_LIST(struct tn_trace_call) calls; // without callers
    TN_LIST(tn_value) pending;           // the frames of the current list
};

// The values must be complete.
tarn_status tn_frames_begin(struct tn_frames *frames, const struct tn_values *values,
                            struct tn_builder *builder);
void tn_frames_release(struct tn_frames *frames);

// Finds the stack of a list of frames; 0 if the value is none.
tarn_status tn_frames_list(struct tn_frames *frames, tn_value list, uint32_t *stack);
// Finds that of the list named "frames" in an entry; 0 if there is none.
tarn_status tn_frames_stack(struct tn_frames *frames, tn_value entry, uint32_t *stack);
