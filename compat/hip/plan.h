// SPDX-License-Identifier: Apache-2.0
// A plan: the pieces of work of a graph, each behind those that it depends on, so that running them
// in the order of the list is right. Graphs, their clones and what is instantiated from them share
// one plan by reference; it is only added to while a capture makes it, under the capture's lock.
#ifndef TARN_COMPAT_HIP_PLAN_H
#define TARN_COMPAT_HIP_PLAN_H

#include <stdatomic.h>

#include "compat/hip/order.h"

struct tn_hip_plan_node {
    struct tn_hip_op op;
    uint32_t dep_count;
    uint32_t *deps; // positions of nodes before this one
};

struct tn_hip_plan {
    _Atomic(uint32_t) refs;
    struct tn_hip_device *device; // of all its nodes; NULL while there is none
    uint32_t count;
    uint32_t room;
    struct tn_hip_plan_node *nodes;
};

// An empty plan with one reference; NULL: no host memory.
struct tn_hip_plan *tn_hip_plan_new(void);
struct tn_hip_plan *tn_hip_plan_keep(struct tn_hip_plan *plan);
void tn_hip_plan_put(struct tn_hip_plan *plan);

// Appends a piece of work of `device`, and keeps what its payload points to. hipErrorOutOfMemory,
// or what keeping says.
hipError_t tn_hip_plan_add(struct tn_hip_plan *plan, struct tn_hip_device *device,
                           const struct tn_hip_op *op, const uint32_t *deps, uint32_t dep_count);

// The first node that nothing of `ends` leads back to, which depend on everything else in a plan
// that came together; plan->count: there is none. hipErrorOutOfMemory.
hipError_t tn_hip_plan_loose(const struct tn_hip_plan *plan, const uint32_t *ends,
                             uint32_t end_count, uint32_t *loose);

// Gives all of it to a stream. The first error ends it.
hipError_t tn_hip_plan_run(const struct tn_hip_plan *plan, const struct tn_hip_where *where);

#endif
