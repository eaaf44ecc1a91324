// SPDX-License-Identifier: Apache-2.0
// The work of a training program on a device: its backward passes, the steps of its optimizer, and
// what a stack shows about the call that allocated. The caller owns it. Constant once made, so any
// thread may read it.
#pragma once

#include "trace/study/phases.h"
#include "trace/study/signs.h"

// A part of the history: a block is allocated within it if begin < born <= end.
struct tn_training_span {
    uint32_t begin; // moments
    uint32_t end;
    uint32_t last;    // of a pass: the moment of its last allocation
    uint32_t forward; // of a pass: the moment of the last allocation of a module before it, or 0
    bool pure;        // of a step: contains neither forward nor backward passes
    bool complete;    // ends within the recording
    bool adam;        // of a step: by an optimizer with two states for each parameter
};

struct tn_training_spans {
    struct tn_training_span *list; // by rising begin, none within another
    size_t count;
};

struct tn_training {
    const struct tn_trace *trace;
    const struct tn_trace_device *device;
    uint16_t *signs; // by stack
    unsigned all;    // the signs of all stacks
    struct tn_training_spans passes;
    struct tn_training_spans steps;
    struct tn_scratch memory;
    struct tn_training_spans zeros; // phases in which an optimizer gives up or zeroes the gradients
};

// Adds the signs of each stack to zeroed `signs`, one for each call of the trace, and those of all to
// *all. Returns false if out of memory.
bool tn_training_sign(const struct tn_trace *trace, uint16_t *signs, unsigned *all);

// Fails with NO_HOST_MEMORY.
tarn_status tn_training_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                             const struct tn_phases *phases, struct tn_training *work);
void tn_training_release(struct tn_training *work);

// Returns the span that contains the event before a moment, or NULL.
const struct tn_training_span *tn_training_around(const struct tn_training_spans *spans,
                                                  uint32_t moment);
// Returns the first span that begins at a moment or later, or NULL.
const struct tn_training_span *tn_training_after(const struct tn_training_spans *spans,
                                                 uint32_t moment);
