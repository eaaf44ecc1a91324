// SPDX-License-Identifier: Apache-2.0
// See plan.h.
#include "compat/runtime/graph/plan.h"

#include <stdlib.h>
#include <string.h>

#include "compat/runtime/base/lock.h"

pthread_mutex_t tn_rt_plan_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(uint64_t) last_serial;

static tn_rt_error no_memory(const struct tn_rt_plan *plan) {
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a graph of %u nodes", plan->count);
}

// ---- lists of ids

static bool reserve_ids(struct tn_rt_ids *ids, uint32_t count) {
    if (count <= ids->capacity) return true;
    uint32_t capacity = count > 1 ? count + count / 2 : 1; // most nodes have one edge on each side
    void *bigger = realloc(ids->of, capacity * sizeof *ids->of);
    if (bigger == NULL) return false;
    ids->of = (uint32_t *)bigger;
    ids->capacity = capacity;
    return true;
}

static uint32_t find_id(const struct tn_rt_ids *ids, uint32_t id) {
    uint32_t at = 0;
    while (at < ids->count && ids->of[at] != id) at++;
    return at;
}

static void erase_id(struct tn_rt_ids *ids, uint32_t id) {
    uint32_t at = find_id(ids, id);
    memmove(&ids->of[at], &ids->of[at + 1], (--ids->count - at) * sizeof *ids->of);
}

static bool copy_ids(struct tn_rt_ids *to, const struct tn_rt_ids *from) {
    if (!reserve_ids(to, from->count)) return false;
    if (from->count > 0) memcpy(to->of, from->of, from->count * sizeof *to->of);
    to->count = from->count;
    return true;
}

// ---- nodes

struct tn_rt_plan_node *tn_rt_plan_find(const struct tn_rt_plan *plan, uint32_t id) {
    return id < plan->end ? plan->nodes[id] : NULL;
}

struct tn_rt_plan_node *tn_rt_plan_next(const struct tn_rt_plan *plan, uint32_t from) {
    while (from < plan->end && plan->nodes[from] == NULL) from++;
    return tn_rt_plan_find(plan, from);
}

static void free_record(struct tn_rt_plan_node *node) {
    free(node->before.of);
    free(node->after.of);
    free(node);
}

void tn_rt_plan_node_free(struct tn_rt_plan_node *node) {
    tn_rt_op_drop(&node->op);
    free_record(node);
}

// Makes a node that depends on `before`, without the edges' other ends. Its work is kept last,
// so that nothing after it can fail.
static tn_rt_error make_node(const struct tn_rt_plan *plan, const struct tn_rt_op *op, bool owned,
                             const struct tn_rt_ids *before, struct tn_rt_plan_node **node) {
    struct tn_rt_plan_node *fresh = (struct tn_rt_plan_node *)calloc(1, sizeof *fresh);
    if (fresh == NULL) return no_memory(plan);
    fresh->op = *op;
    fresh->enabled = 1;
    tn_rt_error error = copy_ids(&fresh->before, before) ? TN_RT_OK : no_memory(plan);
    if (error == TN_RT_OK && op->keep != NULL && !owned) error = op->keep(&fresh->op);
    if (error != TN_RT_OK) {
        free_record(fresh);
        return error;
    }
    *node = fresh;
    return TN_RT_OK;
}

static bool grow_plan(struct tn_rt_plan *plan, uint32_t end) {
    if (end <= plan->capacity) return true;
    uint32_t capacity = end < 16 ? 16 : end + end / 2;
    void *bigger = capacity > end ? realloc(plan->nodes, capacity * sizeof(void *)) : NULL;
    if (bigger == NULL) return false;
    plan->nodes = (struct tn_rt_plan_node **)bigger;
    plan->capacity = capacity;
    return true;
}

static tn_rt_error reserve_edges(struct tn_rt_plan *plan, const uint32_t *before, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct tn_rt_ids earlier = {(uint32_t *)(uintptr_t)before, i, i};
        struct tn_rt_plan_node *from = tn_rt_plan_find(plan, before[i]);
        TN_RT_REFUSE(from == NULL || find_id(&earlier, before[i]) < i, TN_RT_INVALID_VALUE,
                     "dependency %u is %s", i,
                     from == NULL ? "no node of the graph" : "an earlier one, too");
        if (!reserve_ids(&from->after, from->after.count + 1)) return no_memory(plan);
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_plan_add(struct tn_rt_plan *plan, struct tn_face_device *device,
                           const struct tn_rt_op *op, bool owned, const uint32_t *before,
                           uint32_t count, uint32_t *id) {
    const struct tn_rt_ids list = {(uint32_t *)(uintptr_t)before, count, count};
    TN_RT_TRY(reserve_edges(plan, before, count));
    if (!grow_plan(plan, plan->end + 1)) return no_memory(plan);
    struct tn_rt_plan_node *node = NULL;
    TN_RT_TRY(make_node(plan, op, owned, &list, &node));
    for (uint32_t i = 0; i < count; i++) {
        struct tn_rt_ids *after = &plan->nodes[before[i]]->after;
        after->of[after->count++] = plan->end;
    }
    node->id = plan->end;
    node->serial = ++last_serial;
    plan->nodes[plan->end++] = node;
    plan->count++;
    plan->device = device;
    *id = node->id;
    return TN_RT_OK;
}

struct tn_rt_plan_node *tn_rt_plan_remove(struct tn_rt_plan *plan, uint32_t id) {
    struct tn_rt_plan_node *node = tn_rt_plan_find(plan, id);
    if (node == NULL) return NULL;
    for (uint32_t i = 0; i < node->before.count; i++)
        erase_id(&plan->nodes[node->before.of[i]]->after, id);
    for (uint32_t i = 0; i < node->after.count; i++)
        erase_id(&plan->nodes[node->after.of[i]]->before, id);
    plan->nodes[id] = NULL;
    plan->count--;
    plan->device = plan->count > 0 ? plan->device : NULL;
    return node;
}

// ---- edges

tn_rt_error tn_rt_plan_link(struct tn_rt_plan *plan, uint32_t from, uint32_t to) {
    struct tn_rt_plan_node *first = tn_rt_plan_find(plan, from);
    struct tn_rt_plan_node *second = tn_rt_plan_find(plan, to);
    TN_RT_REFUSE(first == NULL || second == NULL || first == second ||
                     find_id(&second->before, from) < second->before.count,
                 TN_RT_INVALID_VALUE, "node %u cannot begin to depend on node %u: %s", to, from,
                 first == NULL || second == NULL ? "the graph has no such node"
                 : first == second               ? "they are the same"
                                                 : "it depends on it already");
    if (!reserve_ids(&second->before, second->before.count + 1) ||
        !reserve_ids(&first->after, first->after.count + 1))
        return no_memory(plan);
    second->before.of[second->before.count++] = from;
    first->after.of[first->after.count++] = to;
    return TN_RT_OK;
}

tn_rt_error tn_rt_plan_unlink(struct tn_rt_plan *plan, uint32_t from, uint32_t to) {
    struct tn_rt_plan_node *first = tn_rt_plan_find(plan, from);
    struct tn_rt_plan_node *second = tn_rt_plan_find(plan, to);
    TN_RT_REFUSE(first == NULL || second == NULL ||
                     find_id(&first->after, to) == first->after.count,
                 TN_RT_INVALID_VALUE, "node %u does not depend on node %u", to, from);
    erase_id(&second->before, from);
    erase_id(&first->after, to);
    return TN_RT_OK;
}

tn_rt_error tn_rt_plan_link_all(struct tn_rt_plan *plan, const uint32_t *from, const uint32_t *to,
                                size_t count) {
    tn_rt_error error = TN_RT_OK;
    size_t done = 0;
    while (done < count && (error = tn_rt_plan_link(plan, from[done], to[done])) == TN_RT_OK)
        done++;
    if (error == TN_RT_OK) return TN_RT_OK;
    while (done-- > 0) (void)tn_rt_plan_unlink(plan, from[done], to[done]);
    return error;
}

// The edges are checked before the first is removed, because an edge that is added again changes
// the order of its node's dependencies.
tn_rt_error tn_rt_plan_unlink_all(struct tn_rt_plan *plan, const uint32_t *from, const uint32_t *to,
                                  size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct tn_rt_plan_node *second = tn_rt_plan_find(plan, to[i]);
        bool has = second != NULL && find_id(&second->before, from[i]) < second->before.count;
        for (size_t k = 0; k < i && has; k++) has = from[k] != from[i] || to[k] != to[i];
        TN_RT_REFUSE(!has, TN_RT_INVALID_VALUE, "node %u does not depend on node %u, or not twice",
                     to[i], from[i]);
    }
    for (size_t i = 0; i < count; i++) (void)tn_rt_plan_unlink(plan, from[i], to[i]);
    return TN_RT_OK;
}

// ---- plans

struct tn_rt_plan *tn_rt_plan_new(void) {
    return (struct tn_rt_plan *)calloc(1, sizeof(struct tn_rt_plan));
}

void tn_rt_plan_free(struct tn_rt_plan *plan) {
    if (plan == NULL) return;
    for (uint32_t id = 0; id < plan->end; id++)
        if (plan->nodes[id] != NULL) tn_rt_plan_node_free(plan->nodes[id]);
    free(plan->nodes);
    free(plan);
}

static tn_rt_error copy_nodes(struct tn_rt_plan *copy, const struct tn_rt_plan *plan) {
    if (!grow_plan(copy, plan->end)) return no_memory(plan);
    for (; copy->end < plan->end; copy->end++) {
        const struct tn_rt_plan_node *node = plan->nodes[copy->end];
        struct tn_rt_plan_node **twin = &copy->nodes[copy->end];
        *twin = NULL;
        if (node == NULL) continue;
        TN_RT_TRY(make_node(plan, &node->op, false, &node->before, twin));
        (*twin)->id = node->id;
        (*twin)->serial = node->serial;
        (*twin)->dropped = node->dropped;
        (*twin)->attributes = node->attributes;
        if (!copy_ids(&(*twin)->after, &node->after)) {
            copy->end++; // so that the copy is freed with it
            return no_memory(plan);
        }
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_plan_copy(const struct tn_rt_plan *plan, struct tn_rt_plan **copy) {
    struct tn_rt_plan *fresh = tn_rt_plan_new();
    if (fresh == NULL) return no_memory(plan);
    tn_rt_error error = copy_nodes(fresh, plan);
    if (error != TN_RT_OK) {
        tn_rt_plan_free(fresh);
        return error;
    }
    fresh->device = plan->device;
    fresh->count = plan->count;
    *copy = fresh;
    return TN_RT_OK;
}

// ---- order

// Names a node of a cycle: one is reached from any node that was not sorted by walking to nodes
// before it that were not sorted either.
static tn_rt_error refuse_cycle(const struct tn_rt_plan *plan, const uint32_t *missing) {
    uint32_t id = 0;
    while (missing[id] == 0) id++;
    for (uint32_t steps = 0; steps < plan->count; steps++) {
        const struct tn_rt_ids *before = &plan->nodes[id]->before;
        uint32_t i = 0;
        while (missing[before->of[i]] == 0) i++;
        id = before->of[i];
    }
    return tn_rt_fail(TN_RT_INVALID_VALUE, "the graph has a cycle: node %u depends on itself", id);
}

// `order` is the queue of the nodes whose dependencies are all in it.
tn_rt_error tn_rt_plan_sort(const struct tn_rt_plan *plan, uint32_t *order) {
    uint32_t *missing = (uint32_t *)calloc((size_t)plan->end + 1, sizeof *missing);
    uint32_t count = 0;
    if (missing == NULL) return no_memory(plan);
    for (uint32_t id = 0; id < plan->end; id++) {
        if (plan->nodes[id] == NULL) continue;
        missing[id] = plan->nodes[id]->before.count;
        if (missing[id] == 0) order[count++] = id;
    }
    for (uint32_t at = 0; at < count; at++) {
        const struct tn_rt_ids *after = &plan->nodes[order[at]]->after;
        for (uint32_t i = 0; i < after->count; i++)
            if (--missing[after->of[i]] == 0) order[count++] = after->of[i];
    }
    tn_rt_error error = count == plan->count ? TN_RT_OK : refuse_cycle(plan, missing);
    free(missing);
    return error;
}

tn_rt_error tn_rt_plan_loose(const struct tn_rt_plan *plan, const uint32_t *ends,
                             uint32_t end_count, uint32_t *loose) {
    bool *reached = (bool *)calloc((size_t)plan->end + 1, sizeof *reached);
    uint32_t *queue = (uint32_t *)malloc(((size_t)plan->count + 1) * sizeof *queue);
    uint32_t count = 0;
    bool complete = reached != NULL && queue != NULL;
    for (uint32_t i = 0; complete && i < end_count; i++) reached[ends[i]] = true;
    for (uint32_t id = 0; complete && id < plan->end; id++) {
        const struct tn_rt_plan_node *node = plan->nodes[id];
        if (node != NULL && (reached[id] || node->dropped)) queue[count++] = id;
        reached[id] = reached[id] || node == NULL || node->dropped;
    }
    for (uint32_t at = 0; at < count; at++) {
        const struct tn_rt_ids *before = &plan->nodes[queue[at]]->before;
        for (uint32_t i = 0; i < before->count; i++) {
            if (!reached[before->of[i]]) queue[count++] = before->of[i];
            reached[before->of[i]] = true;
        }
    }
    for (*loose = 0; complete && *loose < plan->end && reached[*loose];) ++*loose;
    free(queue);
    free(reached);
    return complete ? TN_RT_OK : no_memory(plan);
}

TN_FACE_ON_FORK(TN_RT_LOCK_CAPTURE, &tn_rt_plan_lock, NULL);
