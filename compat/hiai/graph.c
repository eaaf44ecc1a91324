// SPDX-License-Identifier: Apache-2.0
// The list of graphs, in the order of their ids, and their life.
#include "compat/hiai/graph.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused =
    PTHREAD_COND_INITIALIZER;        // a graph has a user less. Guard: list_lock
static struct tn_hiai_graph *graphs; // guard: list_lock

// ---- files

HIAI_StatusT tn_hiai_file_open(const char *path, struct tn_hiai_file **file) {
    struct tn_hiai_file *f = (struct tn_hiai_file *)calloc(1, sizeof *f);
    char *copy = strdup(path);
    HIAI_StatusT status = f != NULL && copy != NULL
                              ? tn_hiai_config_open(path, &f->config)
                              : tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "graph file \"%s\"", path);
    if (status != HIAI_OK) {
        free(copy);
        free(f);
        return status;
    }
    f->path = copy;
    atomic_init(&f->refs, 1);
    *file = f;
    return HIAI_OK;
}

void tn_hiai_file_put(struct tn_hiai_file *file) {
    if (atomic_fetch_sub_explicit(&file->refs, 1, memory_order_acq_rel) == 1) {
        tn_hiai_config_close(&file->config);
        free(file->path);
        free(file);
    }
}

// ---- the list

// With the lock: the first one of at least that id.
static struct tn_hiai_graph **find(uint32_t id) {
    struct tn_hiai_graph **link = &graphs;
    while (*link != NULL && (*link)->id < id) {
        link = &(*link)->next;
    }
    return link;
}

HIAI_StatusT tn_hiai_graph_enter(struct tn_hiai_graph *graph) {
    (void)pthread_mutex_lock(&list_lock);
    struct tn_hiai_graph **link = find(graph->id);
    bool there = *link != NULL && (*link)->id == graph->id;
    if (!there) {
        graph->next = *link;
        *link = graph;
    }
    (void)pthread_mutex_unlock(&list_lock);
    return there ? tn_hiai_fail(HIAI_GRAPH_ID_EXIST, "graph %u exists already", graph->id)
                 : HIAI_OK;
}

static HIAI_StatusT no_graph(uint32_t id) {
    HIAI_StatusT status = tn_hiai_ready();
    return status != HIAI_OK ? status
                             : tn_hiai_fail(HIAI_GRAPH_NOT_EXIST, "there is no graph %u", id);
}

struct tn_hiai_graph *tn_hiai_graph_get(uint32_t id) {
    (void)pthread_mutex_lock(&list_lock);
    struct tn_hiai_graph *graph = *find(id);
    if (graph != NULL && graph->id == id) {
        graph->users++;
    } else {
        graph = NULL;
    }
    (void)pthread_mutex_unlock(&list_lock);
    if (graph == NULL) {
        (void)no_graph(id);
    }
    return graph;
}

void tn_hiai_graph_put(struct tn_hiai_graph *graph) {
    (void)pthread_mutex_lock(&list_lock);
    if (--graph->users == 0 && graph->destroying) {
        (void)pthread_cond_broadcast(&unused);
    }
    (void)pthread_mutex_unlock(&list_lock);
}

struct HIAIX_Engine *tn_hiai_graph_engine(struct tn_hiai_graph *graph, uint32_t id) {
    for (size_t i = 0; i < graph->count; i++) {
        if (graph->engines[i].config->id == id) {
            return &graph->engines[i];
        }
    }
    (void)tn_hiai_fail(HIAI_GRAPH_ENGINE_NOT_EXIST, "graph %u has no engine %u", graph->id, id);
    return NULL;
}

// A child of fork() has none: what it inherits is its parent's.
void tn_hiai_graph_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&list_lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        graphs = NULL;
        tn_hiai_current_graph = NULL;
    }
    (void)pthread_mutex_unlock(&list_lock);
}

// ---- creation

// Meets the device process, and lets engines of both sides run.
static HIAI_StatusT meet(struct tn_hiai_graph *graph, uint64_t deadline) {
    HIAI_StatusT status = tn_hiai_spawn(graph, deadline);
    if (status == HIAI_OK) {
        status = tn_hiai_link_begin(graph);
    }
    if (status != HIAI_OK) {
        return status;
    }
    // Who failed there has said so, and is perhaps gone already.
    HIAI_StatusT said = tn_hiai_link_send_handshake(graph, HIAI_OK);
    status = tn_hiai_link_wait_handshake(graph, deadline);
    return status == HIAI_OK ? said : status;
}

static HIAI_StatusT start(struct tn_hiai_graph *graph, uint64_t deadline) {
    HIAI_StatusT status = graph->has_other_side ? meet(graph, deadline) : HIAI_OK;
    if (status == HIAI_OK) {
        status = tn_hiai_plan_check(graph);
    }
    if (status == HIAI_OK) {
        status = tn_hiai_engines_start(graph);
    }
    if (status == HIAI_OK && graph->has_other_side) {
        status = tn_hiai_link_open_ports(graph);
    }
    return status;
}

// Engines here have ended, or never began.
static void end(struct tn_hiai_graph *graph) {
    tn_hiai_link_close(graph);
    tn_hiai_reap(graph);
    tn_hiai_plan_free(graph);
}

static HIAI_StatusT check_new(const struct tn_hiai_graph_config *config) {
    if (config->device >= tn_hiai_face.devices) {
        return tn_hiai_fail(HIAI_GRAPH_GET_DEVID_ERROR, "graph %u: device %u of %u", config->id,
                            config->device, tn_hiai_face.devices);
    }
    (void)pthread_mutex_lock(&list_lock);
    const struct tn_hiai_graph *there = *find(config->id);
    (void)pthread_mutex_unlock(&list_lock);
    return there != NULL && there->id == config->id
               ? tn_hiai_fail(HIAI_GRAPH_ID_EXIST, "graph %u exists already", config->id)
               : HIAI_OK;
}

static HIAI_StatusT create_one(struct tn_hiai_file *file, size_t at) {
    struct tn_hiai_graph *graph = NULL;
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(tn_hiai_face.start_ms));
    HIAI_StatusT status = check_new(tn_hiai_config_graph(&file->config, at));
    if (status == HIAI_OK) {
        status = tn_hiai_plan(file, at, TN_HIAI_HOST, &graph);
    }
    if (status == HIAI_OK) {
        status = start(graph, deadline);
    }
    if (status == HIAI_OK) {
        status = tn_hiai_graph_enter(graph);
    }
    if (status != HIAI_OK && graph != NULL) {
        char why[256];
        (void)strncpy(why, tn_hiai_text(), sizeof why - 1);
        why[sizeof why - 1] = '\0';
        tn_hiai_engines_stop(graph);
        (void)tn_hiai_engines_wait(graph, TARN_FOREVER); // they have had no message
        end(graph);
        return tn_hiai_fail(status, "%s", why);
    }
    return status;
}

static HIAI_StatusT create_all(const char *path) {
    struct tn_hiai_file *file;
    HIAI_StatusT status = tn_hiai_file_open(path, &file);
    if (status != HIAI_OK) {
        return status;
    }
    size_t made = 0;
    while (made < file->config.graphs.count && (status = create_one(file, made)) == HIAI_OK) {
        made++;
    }
    if (status != HIAI_OK) {
        char why[256];
        (void)strncpy(why, tn_hiai_text(), sizeof why - 1);
        why[sizeof why - 1] = '\0';
        while (made-- > 0) {
            (void)HIAI_DestroyGraph(tn_hiai_config_graph(&file->config, made)->id);
        }
        (void)tn_hiai_fail(status, "%s", why);
    }
    tn_hiai_file_put(file);
    return status;
}

HIAI_StatusT HIAI_CreateGraph(const char *configFile, size_t len) {
    char path[256];
    HIAI_StatusT status = tn_hiai_ready();
    if (status == HIAI_OK) {
        status = tn_hiai_need_host(__func__);
    }
    if (status == HIAI_OK && (configFile == NULL || len == 0 || len >= sizeof path)) {
        status = tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "configFile %p of %zu bytes: 1 to 255",
                              (const void *)configFile, len);
    }
    if (status == HIAI_OK) {
        size_t length = strnlen(configFile, len);
        memcpy(path, configFile, length);
        path[length] = '\0';
        status = create_all(path);
    }
    return tn_hiai_leave(status, __func__);
}

// ---- the end

// One destroyer at a time.
static HIAI_StatusT begin_destroying(uint32_t id, struct tn_hiai_graph **graph) {
    HIAI_StatusT status = HIAI_OK;
    (void)pthread_mutex_lock(&list_lock);
    struct tn_hiai_graph *g = *find(id);
    bool there = g != NULL && g->id == id;
    bool inside = there && tn_hiai_current_graph == g;
    bool twice = there && g->destroying;
    if (there && !inside && !twice) {
        g->destroying = true;
    }
    (void)pthread_mutex_unlock(&list_lock);
    if (!there) {
        status = no_graph(id);
    } else if (inside || twice) {
        status = tn_hiai_fail(HIAI_GRAPH_ENGINE_DESTROY_FAILED, "graph %u %s", id,
                              inside ? "cannot be destroyed by a thread of its own"
                                     : "is being destroyed by another thread");
    }
    *graph = g;
    return status;
}

static void stop_destroying(struct tn_hiai_graph *graph) {
    (void)pthread_mutex_lock(&list_lock);
    graph->destroying = false;
    (void)pthread_mutex_unlock(&list_lock);
}

// Sends that found the graph before it stopped are over. They look every few hundred ms.
static void wait_for_users(struct tn_hiai_graph *graph) {
    (void)pthread_mutex_lock(&list_lock);
    while (graph->users != 0) {
        (void)pthread_cond_wait(&unused, &list_lock);
    }
    (void)pthread_mutex_unlock(&list_lock);
}

static bool wait_for_other_side(struct tn_hiai_graph *graph, uint64_t deadline) {
    bool in_time = true;
    (void)pthread_mutex_lock(&graph->lock);
    while (graph->link.channel != NULL && !graph->link.gone && in_time) {
        in_time = tn_hiai_cond_wait(&graph->changed, &graph->lock, deadline);
    }
    bool gone = graph->link.channel == NULL || graph->link.gone;
    (void)pthread_mutex_unlock(&graph->lock);
    return gone;
}

void tn_hiai_graph_close(struct tn_hiai_graph *graph) {
    (void)pthread_mutex_lock(&list_lock);
    struct tn_hiai_graph **link = find(graph->id);
    if (*link == graph) {
        *link = graph->next;
    }
    graph->destroying = true;
    (void)pthread_mutex_unlock(&list_lock);
    wait_for_users(graph);
    end(graph);
}

static HIAI_StatusT destroy(struct tn_hiai_graph *graph, uint64_t deadline) {
    uint32_t id = graph->id;
    tn_hiai_engines_stop(graph);
    tn_hiai_link_request_stop(graph);
    if (!tn_hiai_engines_wait(graph, deadline)) {
        stop_destroying(graph);
        return tn_hiai_fail(HIAI_GRAPH_DESTROY_TIMEOUT, "an engine of graph %u does not end", id);
    }
    bool ended = wait_for_other_side(graph, deadline);
    tn_hiai_graph_close(graph);
    return ended ? HIAI_OK
                 : tn_hiai_fail(HIAI_GRAPH_DESTROY_TIMEOUT,
                                "the device side of graph %u does not end and was cut off", id);
}

HIAI_StatusT HIAI_DestroyGraph(uint32_t graphID) {
    struct tn_hiai_graph *graph = NULL;
    HIAI_StatusT status = tn_hiai_need_host(__func__);
    if (status == HIAI_OK) {
        status = begin_destroying(graphID, &graph);
    }
    if (status == HIAI_OK) {
        uint32_t ms = atomic_load_explicit(&tn_hiai_face.destroy_ms, memory_order_relaxed);
        status = destroy(graph, tn_hiai_deadline(tn_hiai_ns(ms)));
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAIX_SetDestroyTimeout(uint32_t ms) {
    HIAI_StatusT status = tn_hiai_configure(); // or it would be overwritten
    if (status == HIAI_OK) {
        atomic_store_explicit(&tn_hiai_face.destroy_ms, ms, memory_order_relaxed);
    }
    return tn_hiai_leave(status, __func__);
}

// ---- ids

static HIAI_StatusT next_id(uint64_t from, uint32_t *id) {
    HIAI_StatusT status = tn_hiai_ready();
    if (status != HIAI_OK) {
        return status;
    }
    if (id == NULL) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "the place for the id is NULL");
    }
    (void)pthread_mutex_lock(&list_lock);
    const struct tn_hiai_graph *graph = from <= UINT32_MAX ? *find((uint32_t)from) : NULL;
    if (graph != NULL) {
        *id = graph->id;
    }
    (void)pthread_mutex_unlock(&list_lock);
    return graph != NULL
               ? HIAI_OK
               : tn_hiai_fail(HIAI_GRAPH_GET_GRAPHID_ERROR, "no graph has an id of %llu or more",
                              (unsigned long long)from);
}

HIAI_StatusT HIAI_GetFirstGraphId(uint32_t *firstGraphID) {
    return tn_hiai_leave(next_id(0, firstGraphID), __func__);
}

HIAI_StatusT HIAI_GetNextGraphId(const uint32_t curGraphID, uint32_t *nextGraphID) {
    return tn_hiai_leave(next_id((uint64_t)curGraphID + 1, nextGraphID), __func__);
}
