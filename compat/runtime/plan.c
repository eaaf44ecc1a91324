// SPDX-License-Identifier: Apache-2.0
// See plan.h.
#include "compat/runtime/plan.h"

#include <stdlib.h>
#include <string.h>

#include "compat/runtime/lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void tn_rt_plan_lock(void) { (void)pthread_mutex_lock(&lock); }

void tn_rt_plan_unlock(void) { (void)pthread_mutex_unlock(&lock); }

struct tn_rt_plan *tn_rt_plan_new(void) {
    struct tn_rt_plan *plan = (struct tn_rt_plan *)calloc(1, sizeof *plan);
    if (plan != NULL) plan->refs = 1;
    return plan;
}

struct tn_rt_plan *tn_rt_plan_keep(struct tn_rt_plan *plan) {
    (void)atomic_fetch_add_explicit(&plan->refs, 1, memory_order_relaxed);
    return plan;
}

void tn_rt_plan_put(struct tn_rt_plan *plan) {
    if (atomic_fetch_sub_explicit(&plan->refs, 1, memory_order_acq_rel) != 1) return;
    for (uint32_t i = 0; i < plan->count; i++) {
        struct tn_rt_plan_node *node = &plan->nodes[i];
        if (node->op.drop != NULL) node->op.drop(node->op.payload);
        free(node->deps);
    }
    free(plan->nodes);
    free(plan);
}

static bool grow_plan(struct tn_rt_plan *plan) {
    if (plan->count < plan->capacity) return true;
    uint32_t capacity = plan->capacity == 0 ? 16 : plan->capacity * 2;
    void *bigger =
        capacity > plan->capacity ? aligned_alloc(16, capacity * sizeof *plan->nodes) : NULL;
    if (bigger == NULL) return false;
    if (plan->count > 0) memcpy(bigger, plan->nodes, plan->count * sizeof *plan->nodes);
    free(plan->nodes);
    plan->nodes = (struct tn_rt_plan_node *)bigger;
    plan->capacity = capacity;
    return true;
}

tn_rt_error tn_rt_plan_add(struct tn_rt_plan *plan, struct tn_face_device *device,
                           const struct tn_rt_op *op, const uint32_t *deps, uint32_t dep_count) {
    uint32_t *own = (uint32_t *)malloc((dep_count + 1) * sizeof *own);
    if (own == NULL || !grow_plan(plan)) {
        free(own);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for node %u of a graph",
                          plan->count);
    }
    if (dep_count > 0) memcpy(own, deps, dep_count * sizeof *own);
    struct tn_rt_plan_node *node = &plan->nodes[plan->count];
    *node = (struct tn_rt_plan_node){*op, dep_count, own, false};
    tn_rt_error error = op->keep != NULL ? op->keep(node->op.payload) : TN_RT_OK;
    if (error != TN_RT_OK) {
        free(own);
        return error;
    }
    plan->device = device;
    plan->has_memory = plan->has_memory || op->work == TN_RT_WORK_MEMORY_ALLOC ||
                       op->work == TN_RT_WORK_MEMORY_FREE;
    plan->count++;
    return TN_RT_OK;
}

// Dependencies precede their nodes, so one pass from the end reaches all nodes that lead to the
// ends.
tn_rt_error tn_rt_plan_loose(const struct tn_rt_plan *plan, const uint32_t *ends,
                             uint32_t end_count, uint32_t *loose) {
    bool *reached = (bool *)calloc((size_t)plan->count + 1, sizeof *reached);
    if (reached == NULL)
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory to check %u nodes", plan->count);
    for (uint32_t i = 0; i < plan->count; i++)
        reached[i] = plan->nodes[i].dropped;
    for (uint32_t i = 0; i < end_count; i++)
        reached[ends[i]] = true;
    *loose = plan->count;
    for (uint32_t i = plan->count; i-- > 0;) {
        const struct tn_rt_plan_node *node = &plan->nodes[i];
        for (uint32_t k = 0; reached[i] && k < node->dep_count; k++)
            reached[node->deps[k]] = true;
        *loose = reached[i] ? *loose : i;
    }
    free(reached);
    return TN_RT_OK;
}

tn_rt_error tn_rt_plan_run(const struct tn_rt_plan *plan, const struct tn_rt_where *where) {
    if (plan->device != NULL && plan->device != where->device) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED,
                          "a graph of device %d cannot run on a stream of device %d",
                          plan->device->ordinal, where->device->ordinal);
    }
    tn_rt_error error = TN_RT_OK;
    for (uint32_t i = 0; i < plan->count && error == TN_RT_OK; i++) {
        const struct tn_rt_op *op = &plan->nodes[i].op;
        error = op->run(op->payload, where);
    }
    return error;
}

TN_FACE_ON_FORK(TN_RT_LOCK_CAPTURE, &lock, NULL);
