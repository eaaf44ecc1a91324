// SPDX-License-Identifier: Apache-2.0
// See graph.h.
#include "compat/runtime/graph/graph.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/graph/policy.h"

#include <stdlib.h>

struct tn_rt_graph_policy tn_rt_graph_policy;

// ---- graphs

static void destroy_graph(struct tn_face_object *object) {
    struct tn_rt_graph *graph = (struct tn_rt_graph *)object;
    tn_rt_plan_free(graph->plan);
    tn_rt_users_drop(&graph->users);
    free(graph);
}

tn_rt_error tn_rt_graph_new_child(struct tn_rt_plan *plan, struct tn_rt_graph **graph) {
    struct tn_rt_graph *fresh =
        plan != NULL ? (struct tn_rt_graph *)calloc(1, sizeof *fresh) : NULL;
    if (fresh == NULL) {
        tn_rt_plan_free(plan);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a graph");
    }
    tn_face_object_begin(&fresh->object, destroy_graph);
    fresh->plan = plan;
    fresh->device = tn_rt_current();
    *graph = fresh;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_give_handle(struct tn_rt_graph *graph) {
    return tn_face_handle_new(&graph->object, TN_RT_GRAPH, destroy_graph)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the handle of a graph");
}

tn_rt_error tn_rt_graph_new(struct tn_rt_plan *plan, struct tn_rt_graph **graph) {
    struct tn_rt_graph *fresh = NULL;
    TN_RT_TRY(tn_rt_graph_new_child(plan, &fresh));
    tn_rt_error error = tn_rt_graph_give_handle(fresh);
    if (error == TN_RT_OK)
        *graph = fresh;
    else
        tn_face_object_put(&fresh->object);
    return error;
}

tn_rt_error tn_rt_graph_create(void *handle, unsigned flags) {
    struct tn_rt_graph *graph = NULL;
    TN_RT_REFUSE(handle == NULL || flags != 0, TN_RT_INVALID_VALUE, "graph %p, flags 0x%x", handle,
                 flags);
    TN_RT_TRY(tn_rt_graph_new(tn_rt_plan_new(), &graph));
    tn_rt_give(handle, graph->object.handle);
    return TN_RT_OK;
}

void tn_rt_graph_close(struct tn_rt_graph *graph) {
    if (tn_face_handle_close(graph->object.handle, TN_RT_GRAPH) == NULL) return;
    (void)pthread_mutex_lock(&tn_rt_plan_lock);
    graph->closed = true;
    struct tn_rt_plan_node *node = tn_rt_plan_next(graph->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(graph->plan, node->id + 1)) {
        if (node->handle == NULL) continue;
        (void)tn_face_handle_close(node->handle->object.handle, TN_RT_GRAPH_NODE);
        tn_face_object_put(&node->handle->object);
        node->handle = NULL;
    }
    (void)pthread_mutex_unlock(&tn_rt_plan_lock);
    tn_face_object_put(&graph->object);
}

tn_rt_error tn_rt_graph_get(void *handle, bool complete, struct tn_rt_graph **graph) {
    struct tn_rt_graph TN_FACE_HELD *found =
        (struct tn_rt_graph *)tn_face_handle_get((uintptr_t)handle, TN_RT_GRAPH);
    TN_RT_REFUSE(found == NULL, TN_RT_INVALID_VALUE, "%p is not a graph", handle);
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(complete && found->capturing, TN_RT_ILLEGAL_STATE,
                 "the capture of graph %p has not ended", handle);
    *graph = found;
    found = NULL;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_check_op(const struct tn_rt_graph *graph, const struct tn_rt_op *op) {
    TN_RT_REFUSE(graph->child && tn_rt_graph_policy.children_have_no_memory &&
                     tn_rt_op_is_memory(op),
                 TN_RT_NOT_SUPPORTED, "graph 0x%lx is of a node and takes no memory nodes",
                 (unsigned long)graph->object.handle);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_check_moved(const struct tn_rt_graph *graph) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(graph->moved, TN_RT_INVALID_VALUE, "a node took graph 0x%lx",
                 (unsigned long)graph->object.handle);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_destroy(void *handle) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    tn_rt_error error = tn_rt_graph_get(handle, true, &graph);
    if (error != TN_RT_OK) // any handle but NULL may be that of a destroyed graph
        return handle != NULL && tn_rt_graph_policy.stale_graph_is_state ? TN_RT_ILLEGAL_STATE
                                                                         : error;
    TN_RT_TRY(tn_rt_graph_check_moved(graph));
    TN_RT_REFUSE(graph->child, TN_RT_INVALID_VALUE, "graph %p belongs to a node", handle);
    tn_rt_graph_close(graph);
    return TN_RT_OK;
}

bool tn_rt_graph_has_memory(const struct tn_rt_graph *graph) {
    bool has = false;
    const struct tn_rt_plan_node *node = tn_rt_plan_next(graph->plan, 0);
    for (; node != NULL && !has; node = tn_rt_plan_next(graph->plan, node->id + 1))
        has = tn_rt_op_is_memory(&node->op) ||
              (node->op.work == TN_RT_WORK_GRAPH && node->op.run == NULL &&
               tn_rt_graph_has_memory(node->op.child));
    return has;
}

tn_rt_error tn_rt_graph_copy_plan(const struct tn_rt_graph *graph, bool memory,
                                  struct tn_rt_plan **plan) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(!memory && tn_rt_graph_has_memory(graph), TN_RT_NOT_SUPPORTED,
                 "a graph with memory has no clones");
    return tn_rt_plan_copy(graph->plan, plan);
}

tn_rt_error tn_rt_graph_clone(void *handle, void *original) {
    struct tn_rt_graph *clone = NULL;
    struct tn_rt_plan *plan = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "pGraphClone"));
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(original, true, &graph));
    TN_RT_TRY(tn_rt_graph_copy_plan(graph, false, &plan));
    TN_RT_TRY(tn_rt_graph_new(plan, &clone));
    clone->clone = true;
    tn_rt_error error = tn_rt_users_copy(&clone->users, &graph->users);
    if (error == TN_RT_OK)
        tn_rt_give(handle, clone->object.handle);
    else
        tn_rt_graph_close(clone);
    return error;
}

// ---- user objects

tn_rt_error tn_rt_graph_retain_user(void *handle, void *object, unsigned count, unsigned flags) {
    TN_RT_REFUSE(flags > TN_RT_USER_MOVE, TN_RT_INVALID_VALUE, "flags 0x%x, 0 and 1 are defined",
                 flags);
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(handle, false, &graph));
    return tn_rt_users_retain(&graph->users, object, count, flags == TN_RT_USER_MOVE);
}

tn_rt_error tn_rt_graph_release_user(void *handle, void *object, unsigned count) {
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(handle, false, &graph));
    return tn_rt_users_release(&graph->users, object, count);
}

// ---- nodes

static void destroy_node(struct tn_face_object *object) {
    struct tn_rt_graph_node *name = (struct tn_rt_graph_node *)object;
    tn_face_object_put(&name->graph->object);
    free(name);
}

static struct tn_rt_graph_node *new_node(struct tn_rt_graph *graph, uint32_t id) {
    struct tn_rt_graph_node *name = (struct tn_rt_graph_node *)calloc(1, sizeof *name);
    if (name == NULL) return NULL;
    name->graph = graph;
    name->id = id;
    if (!tn_face_handle_new(&name->object, TN_RT_GRAPH_NODE, destroy_node)) {
        free(name);
        return NULL;
    }
    tn_face_object_keep(&graph->object);
    return name;
}

tn_rt_error tn_rt_graph_node_handle(struct tn_rt_graph *graph, uint32_t id, void **handle) {
    struct tn_rt_plan_node *node = tn_rt_plan_find(graph->plan, id);
    if (node->handle == NULL && !graph->closed) node->handle = new_node(graph, id);
    TN_RT_REFUSE(node->handle == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a node's handle");
    *handle = (void *)node->handle->object.handle;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_node_get(void *handle, struct tn_rt_graph_node **name) {
    *name = (struct tn_rt_graph_node *)tn_face_handle_get((uintptr_t)handle, TN_RT_GRAPH_NODE);
    return *name != NULL ? TN_RT_OK : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not a node", handle);
}

tn_rt_error tn_rt_graph_node_find(const struct tn_rt_graph_node *name,
                                  struct tn_rt_plan_node **node) {
    *node = tn_rt_plan_find(name->graph->plan, name->id);
    return *node != NULL ? TN_RT_OK
                         : tn_rt_fail(TN_RT_INVALID_VALUE, "node %u was destroyed", name->id);
}

tn_rt_error tn_rt_graph_node_find_as(const struct tn_rt_graph_node *name, enum tn_rt_work work,
                                     struct tn_rt_plan_node **node) {
    TN_RT_TRY(tn_rt_graph_node_find(name, node));
    TN_RT_REFUSE((*node)->op.work != work, TN_RT_INVALID_VALUE, "node %u is of kind %d, not %d",
                 name->id, (int)(*node)->op.work, (int)work);
    return TN_RT_OK;
}

static tn_rt_error find_id(const struct tn_rt_graph *graph, void *node, uint32_t *id) {
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(node, &name));
    TN_RT_REFUSE(name->graph != graph, TN_RT_INVALID_VALUE, "node %p is of another graph", node);
    *id = name->id;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_node_ids(const struct tn_rt_graph *graph, void *const *nodes, size_t count,
                                 uint64_t limit, uint32_t **ids) {
    *ids = NULL;
    TN_RT_REFUSE(count > limit, TN_RT_INVALID_VALUE, "%zu nodes of a graph that has %u", count,
                 graph->plan->count);
    *ids = (uint32_t *)malloc((count + 1) * sizeof **ids);
    TN_RT_REFUSE(*ids == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a list of %zu nodes",
                 count);
    for (size_t i = 0; i < count; i++) TN_RT_TRY(find_id(graph, nodes[i], &(*ids)[i]));
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_node_work(void *node, unsigned *work) {
    TN_RT_TRY(tn_rt_check_pointer(work, "pType"));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(node, &name));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(found, tn_rt_graph_node_find(name, &found));
    *work = found->op.work;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_find_copy(void *copy, void *original, void *handle) {
    void *found = NULL;
    TN_RT_TRY(tn_rt_check_pointer(copy, "pNode"));
    if (tn_rt_base_policy.failures_give_null) tn_rt_give(copy, 0);
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(original, &name));
    TN_RT_GET(tn_rt_graph, clone, tn_rt_graph_get(handle, false, &clone));
    TN_RT_REFUSE(!clone->clone, TN_RT_INVALID_VALUE, "graph %p is no clone", handle);
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(node, tn_rt_graph_node_find(name, &node));
    const struct tn_rt_plan_node *twin = tn_rt_plan_find(clone->plan, node->id);
    TN_RT_REFUSE(twin == NULL || twin->serial != node->serial, TN_RT_INVALID_VALUE,
                 "the clone has no copy of node %p", original);
    TN_RT_TRY(tn_rt_graph_node_handle(clone, node->id, &found));
    tn_rt_give(copy, (uintptr_t)found);
    return TN_RT_OK;
}
