// SPDX-License-Identifier: Apache-2.0
// A plan: the pieces of work of a graph. Each is listed after those that it depends on, so they can
// be run in the order of the list. A graph, its clones and its executable graphs share one plan by
// reference. Nodes are added only while a capture makes the plan, under tn_rt_plan_lock().
#ifndef TARN_COMPAT_RUNTIME_PLAN_H
#define TARN_COMPAT_RUNTIME_PLAN_H

#include <stdatomic.h>

#include "compat/runtime/order.h"

struct tn_rt_plan_node {
    struct tn_rt_op op;
    uint32_t dep_count;
    uint32_t *deps; // positions of nodes before this one
    bool dropped;   // a program let its stream depend on other nodes, so it may be loose
};

struct tn_rt_plan {
    _Atomic(uint32_t) refs;
    struct tn_face_device *device; // of all nodes; NULL while there is no node
    bool has_memory;               // allocates or frees memory
    _Atomic(bool) instantiated;    // with memory: once only
    uint32_t count;
    uint32_t capacity;
    struct tn_rt_plan_node *nodes;
};

// The lock of captures, of places in them, and of the plans that captures make. A thread that holds
// it takes only the locks that compat/runtime/lock.h lists after it.
void tn_rt_plan_lock(void);
void tn_rt_plan_unlock(void);

// Returns an empty plan with one reference, or NULL without host memory.
struct tn_rt_plan *tn_rt_plan_new(void);
struct tn_rt_plan *tn_rt_plan_keep(struct tn_rt_plan *plan);
void tn_rt_plan_put(struct tn_rt_plan *plan);

// Appends a piece of work of `device`, and keeps the data that its payload points to. Returns
// TN_RT_OUT_OF_MEMORY or the error of keep().
tn_rt_error tn_rt_plan_add(struct tn_rt_plan *plan, struct tn_face_device *device,
                           const struct tn_rt_op *op, const uint32_t *deps, uint32_t dep_count);

// Finds the first node on which no node of `ends` depends, directly or not, and no dropped one.
// *loose is plan->count if every node has one, which means that all forked streams were joined.
// TN_RT_OUT_OF_MEMORY.
tn_rt_error tn_rt_plan_loose(const struct tn_rt_plan *plan, const uint32_t *ends,
                             uint32_t end_count, uint32_t *loose);

// Submits all nodes to a stream, up to the first error.
tn_rt_error tn_rt_plan_run(const struct tn_rt_plan *plan, const struct tn_rt_where *where);

#endif
