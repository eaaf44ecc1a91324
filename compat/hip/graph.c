// SPDX-License-Identifier: Apache-2.0
// See graph.h.
#include "compat/hip/graph.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/graph.h>

#include "compat/hip/capture.h"
#include "compat/hip/lock.h"

// The handle of a node. The graph closes it with its own.
struct tn_hip_graph_name {
    struct tn_face_object object;
    struct tn_hip_graph *graph; // a reference
    uint32_t position;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the names of all graphs

// ---- graphs

static void destroy_graph(struct tn_face_object *object) {
    struct tn_hip_graph *graph = (struct tn_hip_graph *)object;
    tn_hip_plan_put(graph->plan);
    free(graph->names);
    free(graph);
}

hipError_t tn_hip_graph_new(struct tn_hip_plan *plan, struct tn_hip_graph **graph) {
    struct tn_hip_graph *fresh =
        plan != NULL ? (struct tn_hip_graph *)calloc(1, sizeof *fresh) : NULL;
    if (fresh == NULL) {
        goto err_put;
    }
    fresh->plan = plan;
    if (!tn_face_handle_new(&fresh->object, TN_HIP_GRAPH, destroy_graph)) {
        goto err_free;
    }
    *graph = fresh;
    return hipSuccess;

err_free:
    free(fresh);
err_put:
    if (plan != NULL) {
        tn_hip_plan_put(plan);
    }
    return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a graph");
}

static void close_names(struct tn_hip_graph *graph) {
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_graph_name **names = graph->names;
    uint32_t count = graph->name_room;
    graph->names = NULL;
    graph->name_room = 0;
    graph->closed = true;
    (void)pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; i < count; i++) {
        if (names[i] != NULL) {
            (void)tn_face_handle_close(names[i]->object.handle, TN_HIP_GRAPH_NODE);
            tn_face_object_put(&names[i]->object);
        }
    }
    free(names);
}

void tn_hip_graph_close(struct tn_hip_graph *graph) {
    if (tn_face_handle_close(graph->object.handle, TN_HIP_GRAPH) != NULL) {
        close_names(graph);
        tn_face_object_put(&graph->object);
    }
}

hipError_t tn_hip_graph_get(hipGraph_t handle, bool complete, struct tn_hip_graph **graph) {
    *graph = (struct tn_hip_graph *)tn_face_handle_get((uintptr_t)handle, TN_HIP_GRAPH);
    if (*graph == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is no graph", (void *)handle);
    }
    tn_hip_capture_lock();
    bool capturing = (*graph)->capturing;
    tn_hip_capture_unlock();
    if (!complete || !capturing) {
        return hipSuccess;
    }
    tn_face_object_put(&(*graph)->object);
    return tn_hip_fail(hipErrorIllegalState, "the capture of graph %p has not ended",
                       (void *)handle);
}

static hipError_t create(struct tn_hip_plan *plan, hipGraph_t *handle) {
    struct tn_hip_graph *graph = NULL;
    TN_HIP_TRY(tn_hip_graph_new(plan, &graph));
    *handle = (hipGraph_t)graph->object.handle;
    return hipSuccess;
}

hipError_t hipGraphCreate(hipGraph_t *pGraph, unsigned int flags) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && (pGraph == NULL || flags != 0)) {
        error = tn_hip_fail(hipErrorInvalidValue, "graph %p, flags 0x%x", (void *)pGraph, flags);
    }
    if (error == hipSuccess) {
        error = create(tn_hip_plan_new(), pGraph);
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t destroy(hipGraph_t handle) {
    struct tn_hip_graph *graph = NULL;
    TN_HIP_TRY(tn_hip_graph_get(handle, true, &graph));
    tn_hip_graph_close(graph);
    tn_face_object_put(&graph->object);
    return hipSuccess;
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
    return TN_HIP_CALL(destroy(graph));
}

static hipError_t copy_graph(hipGraph_t *copy, hipGraph_t original) {
    struct tn_hip_graph *graph = NULL;
    if (copy == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "where the clone shall go is NULL");
    }
    TN_HIP_TRY(tn_hip_graph_get(original, true, &graph));
    hipError_t error = create(tn_hip_plan_keep(graph->plan), copy);
    tn_face_object_put(&graph->object);
    return error;
}

hipError_t hipGraphClone(hipGraph_t *pGraphClone, hipGraph_t originalGraph) {
    return TN_HIP_CALL(copy_graph(pGraphClone, originalGraph));
}

// ---- nodes

static void destroy_name(struct tn_face_object *object) {
    struct tn_hip_graph_name *name = (struct tn_hip_graph_name *)object;
    tn_face_object_put(&name->graph->object);
    free(name);
}

static struct tn_hip_graph_name *new_name(struct tn_hip_graph *graph, uint32_t position) {
    struct tn_hip_graph_name *name = (struct tn_hip_graph_name *)calloc(1, sizeof *name);
    if (name == NULL) {
        return NULL;
    }
    name->graph = graph;
    name->position = position;
    if (!tn_face_handle_new(&name->object, TN_HIP_GRAPH_NODE, destroy_name)) {
        free(name);
        return NULL;
    }
    tn_face_object_keep(&graph->object);
    return name;
}

static bool make_room(struct tn_hip_graph *graph, uint32_t position) {
    if (position < graph->name_room) {
        return true;
    }
    uint32_t room = position + position / 2 + 16;
    void *bigger = realloc(graph->names, room * sizeof *graph->names);
    if (bigger == NULL) {
        return false;
    }
    graph->names = (struct tn_hip_graph_name **)bigger;
    memset(graph->names + graph->name_room, 0, (room - graph->name_room) * sizeof *graph->names);
    graph->name_room = room;
    return true;
}

hipError_t tn_hip_graph_node(struct tn_hip_graph *graph, uint32_t position, hipGraphNode_t *node) {
    bool good = false;
    (void)pthread_mutex_lock(&lock);
    if (!graph->closed && make_room(graph, position)) {
        struct tn_hip_graph_name **name = &graph->names[position];
        *name = *name != NULL ? *name : new_name(graph, position);
        good = *name != NULL;
        *node = good ? (hipGraphNode_t)(*name)->object.handle : NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    return good ? hipSuccess
                : tn_hip_fail(hipErrorOutOfMemory, "no host memory for a node's handle");
}

static hipError_t get_node(hipGraphNode_t handle, struct tn_hip_graph_name **name) {
    *name = (struct tn_hip_graph_name *)tn_face_handle_get((uintptr_t)handle, TN_HIP_GRAPH_NODE);
    return *name != NULL ? hipSuccess
                         : tn_hip_fail(hipErrorInvalidValue, "%p is no node", (void *)handle);
}

// A list of nodes as HIP tells it: filled up to *num, or only counted.
struct node_list {
    struct tn_hip_graph *graph;
    hipGraphNode_t *nodes;
    size_t room;
    size_t count;
};

static hipError_t list_add(struct node_list *list, uint32_t position) {
    hipError_t error = hipSuccess;
    if (list->nodes != NULL && list->count < list->room) {
        error = tn_hip_graph_node(list->graph, position, &list->nodes[list->count]);
    }
    list->count++;
    return error;
}

static void list_tell(struct node_list *list, size_t *num) {
    if (list->nodes == NULL) {
        *num = list->count;
        return;
    }
    for (size_t i = list->count; i < list->room; i++) {
        list->nodes[i] = NULL;
    }
    *num = list->count < list->room ? list->count : list->room;
}

// The nodes of a graph, or only its roots. The capture's lock, because one may be adding to it.
static hipError_t list_nodes(hipGraph_t handle, bool roots, hipGraphNode_t *nodes, size_t *num) {
    struct tn_hip_graph *graph = NULL;
    if (num == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "where the number of nodes shall go is NULL");
    }
    hipError_t error = tn_hip_graph_get(handle, false, &graph);
    if (error != hipSuccess) {
        return error;
    }
    struct node_list list = {graph, nodes, *num, 0};
    tn_hip_capture_lock();
    for (uint32_t i = 0; i < graph->plan->count && error == hipSuccess; i++) {
        if (!roots || graph->plan->nodes[i].dep_count == 0) {
            error = list_add(&list, i);
        }
    }
    tn_hip_capture_unlock();
    if (error == hipSuccess) {
        list_tell(&list, num);
    }
    tn_face_object_put(&graph->object);
    return error;
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes) {
    return TN_HIP_CALL(list_nodes(graph, false, nodes, numNodes));
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes,
                                size_t *pNumRootNodes) {
    return TN_HIP_CALL(list_nodes(graph, true, pRootNodes, pNumRootNodes));
}

static hipError_t list_dependencies(hipGraphNode_t handle, hipGraphNode_t *nodes, size_t *num) {
    struct tn_hip_graph_name *name = NULL;
    if (num == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "where the number of nodes shall go is NULL");
    }
    hipError_t error = get_node(handle, &name);
    if (error != hipSuccess) {
        return error;
    }
    struct node_list list = {name->graph, nodes, *num, 0};
    tn_hip_capture_lock();
    const struct tn_hip_plan_node *node = &name->graph->plan->nodes[name->position];
    for (uint32_t i = 0; i < node->dep_count && error == hipSuccess; i++) {
        error = list_add(&list, node->deps[i]);
    }
    tn_hip_capture_unlock();
    if (error == hipSuccess) {
        list_tell(&list, num);
    }
    tn_face_object_put(&name->object);
    return error;
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies,
                                       size_t *pNumDependencies) {
    return TN_HIP_CALL(list_dependencies(node, pDependencies, pNumDependencies));
}

static hipGraphNodeType type_of(enum tn_hip_work work) {
    switch (work) {
    case TN_HIP_WORK_COPY:
        return hipGraphNodeTypeMemcpy;
    case TN_HIP_WORK_FILL:
        return hipGraphNodeTypeMemset;
    case TN_HIP_WORK_HOST:
        return hipGraphNodeTypeHost;
    case TN_HIP_WORK_KERNEL:
        return hipGraphNodeTypeKernel;
    case TN_HIP_WORK_GRAPH:
        return hipGraphNodeTypeGraph;
    }
    return hipGraphNodeTypeEmpty;
}

static hipError_t tell_type(hipGraphNode_t handle, hipGraphNodeType *type) {
    struct tn_hip_graph_name *name = NULL;
    if (type == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "where the type shall go is NULL");
    }
    TN_HIP_TRY(get_node(handle, &name));
    tn_hip_capture_lock();
    *type = type_of(name->graph->plan->nodes[name->position].op.work);
    tn_hip_capture_unlock();
    tn_face_object_put(&name->object);
    return hipSuccess;
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType) {
    return TN_HIP_CALL(tell_type(node, pType));
}

TN_FACE_ON_FORK(TN_HIP_LOCK_GRAPH, &lock, NULL);
