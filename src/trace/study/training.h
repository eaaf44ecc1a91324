// SPDX-License-Identifier: Apache-2.0
// The work of a training program on a device: its backward passes, the steps of its optimizer, and
// what a stack shows about the call that allocated. The caller owns it. Constant once made, so any
// thread may read it.
#pragma once

#include "trace/study/phases.h"

// The signs of a stack.
enum tn_training_sign {
    TN_TRAINING_BACKWARD = 1 << 0,  // a backward pass
    TN_TRAINING_MODULE = 1 << 1,    // the call of a module
    TN_TRAINING_UPDATE = 1 << 2,    // a function of the name "step", or a part of one of PyTorch
    TN_TRAINING_OPTIMIZER = 1 << 3, // a function of PyTorch's optimizers
    TN_TRAINING_BUILD = 1 << 4,     // the construction of an object, or the move of a module
    TN_TRAINING_PYTHON = 1 << 5,    // Python
    TN_TRAINING_OPERATOR = 1 << 6,  // an operator of PyTorch
    TN_TRAINING_SOURCE = 1 << 7, // its outermost operator creates or copies, and computes nothing
    TN_TRAINING_CAST = 1 << 8,   // a copy in another type, as autocast makes of parameters
    TN_TRAINING_WORKSPACE = 1 << 9, // a workspace of a library
    TN_TRAINING_HOOK = 1 << 10, // a backward pass that runs code of the program, as recomputation
    TN_TRAINING_REDUCER = 1 << 11, // buckets of data-parallel training, which contain gradients
    TN_TRAINING_LAZY = 1 << 13,    // parameters that a module makes at its first call
    TN_TRAINING_SHARDED = 1 << 12  // parameters that are flattened or divided among devices
};

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
