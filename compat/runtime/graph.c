// SPDX-License-Identifier: Apache-2.0
// See graph.h.
#include "compat/runtime/graph.h"

#include <stdlib.h>

// ---- graphs

static void destroy_graph(struct tn_face_object *object) {
    struct tn_rt_graph *graph = (struct tn_rt_graph *)object;
    tn_rt_plan_free(graph->plan);
    tn_rt_users_drop(&graph->users);
    free(graph);
}

tn_rt_error tn_rt_graph_new(struct tn_rt_plan *plan, struct tn_rt_graph **graph) {
    struct tn_rt_graph *fresh =
        plan != NULL ? (struct tn_rt_graph *)calloc(1, sizeof *fresh) : NULL;
    if (fresh == NULL) goto err_plan;
    fresh->plan = plan;
    fresh->device = tn_rt_current();
    if (!tn_face_handle_new(&fresh->object, TN_RT_GRAPH, destroy_graph)) goto err_free;
    *graph = fresh;
    return TN_RT_OK;

err_free:
    free(fresh);
err_plan:
    tn_rt_plan_free(plan);
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a graph");
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

tn_rt_error tn_rt_graph_destroy(void *handle) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    tn_rt_error error = tn_rt_graph_get(handle, true, &graph);
    if (error != TN_RT_OK) // any handle but NULL may be that of a destroyed graph
        return handle != NULL && tn_rt_policy.stale_graph_is_state ? TN_RT_ILLEGAL_STATE : error;
    tn_rt_graph_close(graph);
    return TN_RT_OK;
}

static tn_rt_error copy_plan(const struct tn_rt_graph *graph, struct tn_rt_plan **plan) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(graph->plan->memory_count > 0, TN_RT_NOT_SUPPORTED,
                 "a graph with memory has no clones");
    return tn_rt_plan_copy(graph->plan, plan);
}

tn_rt_error tn_rt_graph_clone(void *handle, void *original) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    struct tn_rt_graph *clone = NULL;
    struct tn_rt_plan *plan = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "pGraphClone"));
    TN_RT_TRY(tn_rt_graph_get(original, true, &graph));
    TN_RT_TRY(copy_plan(graph, &plan));
    TN_RT_TRY(tn_rt_graph_new(plan, &clone));
    tn_rt_error error = tn_rt_users_copy(&clone->users, &graph->users);
    if (error == TN_RT_OK)
        tn_rt_give(handle, clone->object.handle);
    else
        tn_rt_graph_close(clone);
    return error;
}

// ---- user objects

tn_rt_error tn_rt_graph_retain_user(void *handle, void *object, unsigned count, unsigned flags) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    TN_RT_REFUSE(flags > TN_RT_USER_MOVE, TN_RT_INVALID_VALUE, "flags 0x%x, 0 and 1 are defined",
                 flags);
    TN_RT_TRY(tn_rt_graph_get(handle, false, &graph));
    return tn_rt_users_retain(&graph->users, object, count, flags == TN_RT_USER_MOVE);
}

tn_rt_error tn_rt_graph_release_user(void *handle, void *object, unsigned count) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    TN_RT_TRY(tn_rt_graph_get(handle, false, &graph));
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

static tn_rt_error find_id(const struct tn_rt_graph *graph, void *node, uint32_t *id) {
    struct tn_rt_graph_node TN_FACE_HELD *name = NULL;
    TN_RT_TRY(tn_rt_graph_node_get(node, &name));
    TN_RT_REFUSE(name->graph != graph, TN_RT_INVALID_VALUE, "node %p is of another graph", node);
    *id = name->id;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_node_ids(const struct tn_rt_graph *graph, void *const *nodes, size_t count,
                                 uint32_t **ids) {
    *ids = NULL;
    TN_RT_REFUSE(count > graph->plan->count, TN_RT_INVALID_VALUE,
                 "%zu nodes of a graph that has %u", count, graph->plan->count);
    *ids = (uint32_t *)malloc((count + 1) * sizeof **ids);
    TN_RT_REFUSE(*ids == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a list of %zu nodes",
                 count);
    for (size_t i = 0; i < count; i++) TN_RT_TRY(find_id(graph, nodes[i], &(*ids)[i]));
    return TN_RT_OK;
}

// A list of nodes that the caller gets: filled up to its capacity, or only counted if `nodes` is
// NULL.
struct node_list {
    struct tn_rt_graph *graph;
    void **nodes;
    size_t capacity;
    size_t count;
};

static tn_rt_error list_add(struct node_list *list, uint32_t id) {
    tn_rt_error error = TN_RT_OK;
    if (list->nodes != NULL && list->count < list->capacity)
        error = tn_rt_graph_node_handle(list->graph, id, &list->nodes[list->count]);
    list->count++;
    return error;
}

static void list_finish(struct node_list *list, size_t *num) {
    if (list->nodes == NULL) {
        *num = list->count;
        return;
    }
    for (size_t i = list->count; i < list->capacity; i++) list->nodes[i] = NULL;
    *num = list->count < list->capacity ? list->count : list->capacity;
}

// Lists all nodes of a graph, or only its roots. A capture may be adding nodes, hence the lock.
tn_rt_error tn_rt_graph_list(void *handle, bool roots, void **nodes, size_t *num) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    TN_RT_REFUSE(num == NULL, TN_RT_INVALID_VALUE, "the number of nodes is NULL");
    TN_RT_TRY(tn_rt_graph_get(handle, false, &graph));
    struct node_list list = {graph, nodes, *num, 0};
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    const struct tn_rt_plan_node *node = tn_rt_plan_next(graph->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(graph->plan, node->id + 1))
        if (!roots || node->before.count == 0) TN_RT_TRY(list_add(&list, node->id));
    list_finish(&list, num);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_list_dependencies(void *handle, void **nodes, size_t *num) {
    struct tn_rt_graph_node TN_FACE_HELD *name = NULL;
    TN_RT_REFUSE(num == NULL, TN_RT_INVALID_VALUE, "the number of nodes is NULL");
    TN_RT_TRY(tn_rt_graph_node_get(handle, &name));
    struct node_list list = {name->graph, nodes, *num, 0};
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    const struct tn_rt_plan_node *node = tn_rt_plan_find(name->graph->plan, name->id);
    for (uint32_t i = 0; i < node->before.count; i++)
        TN_RT_TRY(list_add(&list, node->before.of[i]));
    list_finish(&list, num);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_node_work(void *node, unsigned *work) {
    struct tn_rt_graph_node TN_FACE_HELD *name = NULL;
    TN_RT_TRY(tn_rt_check_pointer(work, "pType"));
    TN_RT_TRY(tn_rt_graph_node_get(node, &name));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    *work = tn_rt_plan_find(name->graph->plan, name->id)->op.work;
    return TN_RT_OK;
}
