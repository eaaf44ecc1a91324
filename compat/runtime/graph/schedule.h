// SPDX-License-Identifier: Apache-2.0
// The order in which an executable graph submits its nodes, and the branch of each: nodes of a
// branch run on one stream, branches run in parallel. A node waits for events that nodes of other
// branches record. Two nodes are ordered exactly if the plan orders them, unless the plan has more
// than TN_RT_BRANCHES branches; those share streams. A schedule never changes; it has no lock.
#pragma once

#include "compat/runtime/graph/plan.h"

#define TN_RT_BRANCHES 64

struct tn_rt_step {
    const struct tn_rt_plan_node *node; // of the plan, which outlives the schedule
    uint32_t branch;                    // 0 is the launching stream
    uint32_t first_wait, wait_count;    // of the schedule's `waits`: before the node
    uint32_t event;                     // recorded after the node; 0: none
};

struct tn_rt_schedule {
    uint32_t count;
    struct tn_rt_step *steps; // in the order of submission
    uint32_t branch_count;
    // Event 0 is recorded on branch 0 before the first step, and the other branches wait for it.
    // There is none with one branch.
    uint32_t event_count;
    uint32_t *waits;                 // events
    uint32_t first_join, join_count; // of `waits`: on branch 0 after the last step
};

// Makes a schedule of a plan. Returns TN_RT_INVALID_VALUE if the plan has a cycle, or
// TN_RT_OUT_OF_MEMORY; the schedule is then empty.
tn_rt_error tn_rt_schedule_make(const struct tn_rt_plan *plan, struct tn_rt_schedule *schedule);
// Frees the memory of a schedule, which is empty afterwards. The plan stays.
void tn_rt_schedule_free(struct tn_rt_schedule *schedule);
