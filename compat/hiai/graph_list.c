// SPDX-License-Identifier: Apache-2.0
// The list of graphs, in the order of their ids, and their users: the threads that work with a
// graph they found here. The list lock guards the list, `users` and `destroying`.
#include "compat/hiai/graph.h"

#include "compat/face/scope.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER; // a graph being destroyed has no user
static struct tn_hiai_graph *graphs;

// Returns the link to the first graph with this id or a higher one. With the lock.
static struct tn_hiai_graph **find_link(uint32_t id) {
    struct tn_hiai_graph **link = &graphs;
    while (*link != NULL && (*link)->id < id) link = &(*link)->next;
    return link;
}

static struct tn_hiai_graph *find_graph(uint32_t id) {
    struct tn_hiai_graph *graph = *find_link(id);
    return graph != NULL && graph->id == id ? graph : NULL;
}

static HIAI_StatusT fail_exists(uint32_t id) {
    return tn_hiai_fail(HIAI_GRAPH_ID_EXIST, "graph %u exists already", id);
}

static HIAI_StatusT fail_missing(uint32_t id) {
    TN_HIAI_TRY(tn_hiai_ready());
    return tn_hiai_fail(HIAI_GRAPH_NOT_EXIST, "graph %u does not exist", id);
}

HIAI_StatusT tn_hiai_graph_check_new(uint32_t id) {
    TN_FACE_LOCKED(&list_lock);
    return find_graph(id) != NULL ? fail_exists(id) : HIAI_OK;
}

HIAI_StatusT tn_hiai_graph_enter(struct tn_hiai_graph *graph) {
    TN_FACE_LOCKED(&list_lock);
    struct tn_hiai_graph **link = find_link(graph->id);
    if (*link != NULL && (*link)->id == graph->id) return fail_exists(graph->id);
    graph->destroying = true;
    graph->next = *link;
    *link = graph;
    return HIAI_OK;
}

struct tn_hiai_graph *tn_hiai_graph_get(uint32_t id) {
    TN_FACE_LOCKED(&list_lock);
    struct tn_hiai_graph *graph = find_graph(id);
    if (graph != NULL)
        graph->users++;
    else
        (void)fail_missing(id);
    return graph;
}

void tn_hiai_graph_put(struct tn_hiai_graph *graph) {
    TN_FACE_LOCKED(&list_lock);
    if (--graph->users == 0 && graph->destroying) (void)pthread_cond_broadcast(&unused);
}

HIAI_StatusT tn_hiai_graph_start_destroying(uint32_t id, struct tn_hiai_graph **graph) {
    TN_FACE_LOCKED(&list_lock);
    struct tn_hiai_graph *g = find_graph(id);
    if (g == NULL) return fail_missing(id);
    bool own_thread = tn_hiai_current_graph == g;
    TN_HIAI_REFUSE(own_thread || g->destroying, HIAI_GRAPH_ENGINE_DESTROY_FAILED, "graph %u %s", id,
                   own_thread ? "cannot be destroyed by one of its own threads"
                              : "is being created or destroyed by another thread");
    g->destroying = true;
    *graph = g;
    return HIAI_OK;
}

void tn_hiai_graph_stop_destroying(struct tn_hiai_graph *graph) {
    TN_FACE_LOCKED(&list_lock);
    graph->destroying = false;
}

void tn_hiai_graph_remove(struct tn_hiai_graph *graph) {
    TN_FACE_LOCKED(&list_lock);
    struct tn_hiai_graph **link = find_link(graph->id);
    if (*link == graph) *link = graph->next;
    graph->destroying = true;
    while (graph->users != 0) // sends notice the end within some hundred ms
        (void)tn_hiai_cond_wait(&unused, &list_lock, TARN_FOREVER);
}

struct HIAIX_Engine *tn_hiai_graph_engine(struct tn_hiai_graph *graph, uint32_t id) {
    for (size_t i = 0; i < graph->count; i++)
        if (graph->engines[i].config->id == id) return &graph->engines[i];
    (void)tn_hiai_fail(HIAI_GRAPH_ENGINE_NOT_EXIST, "graph %u has no engine %u", graph->id, id);
    return NULL;
}

// The graphs belong to the parent.
static void forget_graphs(void) {
    graphs = NULL;
    tn_hiai_current_graph = NULL;
}

TN_FACE_ON_FORK(TN_HIAI_LOCK_GRAPHS, &list_lock, forget_graphs);

// ---- ids

TN_HIAI_FUNCTION(HIAIX_GetDeviceId, uint32_t, graphId, uint32_t *, deviceId) {
    TN_HIAI_REFUSE(deviceId == NULL, HIAI_GRAPH_INVALID_VALUE, "deviceId is NULL");
    TN_HIAI_GRAPH(graph, graphId);
    *deviceId = graph->config->device;
    return HIAI_OK;
}

static HIAI_StatusT next_id(uint64_t from, uint32_t *id) {
    TN_HIAI_TRY(tn_hiai_ready());
    TN_HIAI_REFUSE(id == NULL, HIAI_GRAPH_INVALID_VALUE, "the pointer for the id is NULL");
    TN_FACE_LOCKED(&list_lock);
    const struct tn_hiai_graph *graph = from <= UINT32_MAX ? *find_link((uint32_t)from) : NULL;
    TN_HIAI_REFUSE(graph == NULL, HIAI_GRAPH_GET_GRAPHID_ERROR,
                   "no graph has an id of %llu or more", (unsigned long long)from);
    *id = graph->id;
    return HIAI_OK;
}

HIAI_StatusT HIAI_GetFirstGraphId(uint32_t *firstGraphID) {
    return TN_HIAI_CALL(next_id(0, firstGraphID));
}

HIAI_StatusT HIAI_GetNextGraphId(const uint32_t curGraphID, uint32_t *nextGraphID) {
    return TN_HIAI_CALL(next_id((uint64_t)curGraphID + 1, nextGraphID));
}
