// SPDX-License-Identifier: Apache-2.0
// The steps of a device, such as those of a training loop. Marks of the program whose labels name
// steps show them, or else the period of its allocations, whose meaning is uncertain: layers recur
// too. The caller owns them. Constant once made, so any thread may read them.
#pragma once

#include <string.h>

#include "trace/study/lives.h"

// The begin of the names of the phases in which PyTorch's optimizers update parameters.
#define TN_OPTIMIZER_STEP "Optimizer.step"

static inline bool tn_is_optimizer_step(const char *label) {
    return strncmp(label, TN_OPTIMIZER_STEP, sizeof TN_OPTIMIZER_STEP - 1) == 0;
}

// X(NAME, "name in JSON")
#define TN_STEPS_LIST(X)                                                                           \
    X(NONE, "none")                                                                                \
    X(MARKS, "marks")   /* a mark whose label names steps recurs */                                \
    X(PERIOD, "period") /* a sequence of allocations recurs */

#define TN_STEPS_ENUM(name, json) TN_STEPS_BY_##name,
enum tn_steps_kind { TN_STEPS_LIST(TN_STEPS_ENUM) TN_STEPS_KINDS };

struct tn_steps {
    enum tn_steps_kind kind;
    uint32_t name;    // text of the first of the marks, or 0
    size_t period;    // allocations of a step; 0 if the marks show the steps
    uint32_t *begins; // moments; a step lasts to the next one, so there is one step less
    size_t begin_count;
};

// Finds the steps of a device. Fails with NO_HOST_MEMORY.
tarn_status tn_steps_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                          const struct tn_levels *levels, struct tn_steps *steps);
void tn_steps_release(struct tn_steps *steps);
