// SPDX-License-Identifier: Apache-2.0
// The life of graphs on the host side: creation from a graph file, and destruction. The graph's
// lock guards its link.
#include "compat/hiai/graph.h"

#include <stdio.h>
#include <string.h>

#include "compat/face/scope.h"

// ---- creation

static HIAI_StatusT start_graph(struct tn_hiai_graph *graph, uint64_t deadline) {
    if (graph->has_other_side) {
        TN_HIAI_TRY(tn_hiai_spawn(graph, deadline));
        TN_HIAI_TRY(tn_hiai_link_begin(graph));
        // A device that has failed states the reason in its handshake, and may be gone by now.
        HIAI_StatusT sent = tn_hiai_link_send_handshake(graph, HIAI_OK);
        TN_HIAI_TRY(tn_hiai_link_wait_handshake(graph, deadline));
        TN_HIAI_TRY(sent);
    }
    TN_HIAI_TRY(tn_hiai_plan_check(graph));
    TN_HIAI_TRY(tn_hiai_graph_enter(graph)); // an Init may look it up
    TN_HIAI_TRY(tn_hiai_instances_init(graph));
    TN_HIAI_TRY(tn_hiai_engines_start(graph));
    if (graph->has_other_side) {
        TN_HIAI_TRY(tn_hiai_link_open_ports(graph));
        TN_HIAI_TRY(tn_hiai_link_start_engines(graph));
    }
    tn_hiai_engines_open(graph);
    tn_hiai_graph_stop_destroying(graph);
    return HIAI_OK;
}

void tn_hiai_graph_close(struct tn_hiai_graph *graph) {
    tn_hiai_graph_remove(graph);
    tn_hiai_instances_destroy(graph); // they may send until then
    tn_hiai_link_close(graph);
    tn_hiai_reap(graph);
    tn_hiai_plan_free(graph);
}

static HIAI_StatusT create_graph(struct tn_hiai_file *file, size_t at) {
    const struct tn_hiai_graph_config *config = tn_hiai_config_graph(&file->config, at);
    struct tn_hiai_graph *graph = NULL;
    TN_HIAI_REFUSE(config->device >= tn_hiai_face.devices, HIAI_GRAPH_GET_DEVID_ERROR,
                   "graph %u: device %u does not exist, there are %u", config->id, config->device,
                   tn_hiai_face.devices);
    TN_HIAI_TRY(tn_hiai_graph_check_new(config->id));
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(tn_hiai_face.start_ms));
    HIAI_StatusT status = tn_hiai_plan(file, at, TN_HIAI_HOST, &graph);
    if (status == HIAI_OK) status = start_graph(graph, deadline);
    if (status != HIAI_OK && graph != NULL) {
        char why[TN_HIAI_TEXT];
        (void)snprintf(why, sizeof why, "%s", tn_hiai_text());
        tn_hiai_engines_stop(graph);
        (void)tn_hiai_engines_wait(graph, TARN_FOREVER); // no engine has taken a message
        tn_hiai_graph_close(graph);
        return tn_hiai_fail(status, "%s", why);
    }
    return status;
}

// Creates either all graphs of a file, or none. Drops the reference.
static HIAI_StatusT create_all(struct tn_hiai_file *file) {
    HIAI_StatusT status = HIAI_OK;
    size_t created = 0;
    while (created < file->config.graphs.count && (status = create_graph(file, created)) == HIAI_OK)
        created++;
    if (status != HIAI_OK) {
        char why[TN_HIAI_TEXT];
        (void)snprintf(why, sizeof why, "%s", tn_hiai_text());
        while (created-- > 0)
            (void)HIAI_DestroyGraph(tn_hiai_config_graph(&file->config, created)->id);
        (void)tn_hiai_fail(status, "%s", why);
    }
    tn_hiai_file_put(file);
    return status;
}

TN_HIAI_FUNCTION(HIAI_CreateGraph, const char *, configFile, size_t, len) {
    char path[256];
    TN_HIAI_TRY(tn_hiai_ready());
    TN_HIAI_TRY(tn_hiai_need_host("HIAI_CreateGraph"));
    TN_HIAI_REFUSE(configFile == NULL || len == 0 || len >= sizeof path, HIAI_GRAPH_INVALID_VALUE,
                   "configFile is %p of %zu bytes, allowed are 1 to 255", (const void *)configFile,
                   len);
    (void)snprintf(path, sizeof path, "%.*s", (int)len, configFile);
    struct tn_hiai_file *opened;
    TN_HIAI_TRY(tn_hiai_file_open(path, &opened));
    return create_all(opened);
}

TN_HIAI_FUNCTION(HIAIX_CreateGraphText, const char *, text, size_t, length) {
    struct tn_hiai_file *file;
    TN_HIAI_TRY(tn_hiai_ready());
    TN_HIAI_TRY(tn_hiai_need_host("HIAIX_CreateGraphText"));
    TN_HIAI_REFUSE(text == NULL, HIAI_GRAPH_INVALID_VALUE, "text is NULL");
    TN_HIAI_TRY(tn_hiai_file_of_text(text, length, &file));
    return create_all(file);
}

// ---- destruction

static bool wait_for_other_side(struct tn_hiai_graph *graph, uint64_t deadline) {
    bool in_time = true;
    TN_FACE_LOCKED(&graph->lock);
    while (graph->link.channel != NULL && !graph->link.gone && in_time)
        in_time = tn_hiai_cond_wait(&graph->changed, &graph->lock, deadline);
    return graph->link.channel == NULL || graph->link.gone;
}

TN_HIAI_FUNCTION(HIAI_DestroyGraph, uint32_t, graphID) {
    struct tn_hiai_graph *graph;
    TN_HIAI_TRY(tn_hiai_need_host("HIAI_DestroyGraph"));
    TN_HIAI_TRY(tn_hiai_graph_start_destroying(graphID, &graph));
    uint32_t ms = atomic_load_explicit(&tn_hiai_face.destroy_ms, memory_order_relaxed);
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(ms));
    tn_hiai_engines_stop(graph);
    tn_hiai_link_request_stop(graph);
    if (!tn_hiai_engines_wait(graph, deadline)) {
        tn_hiai_graph_stop_destroying(graph);
        return tn_hiai_fail(HIAI_GRAPH_DESTROY_TIMEOUT,
                            "an engine of graph %u has not ended in time", graphID);
    }
    bool ended = wait_for_other_side(graph, deadline);
    tn_hiai_graph_close(graph);
    return ended ? HIAI_OK
                 : tn_hiai_fail(HIAI_GRAPH_DESTROY_TIMEOUT,
                                "the device side of graph %u has not ended in time and was cut off",
                                graphID);
}

TN_HIAI_FUNCTION(HIAIX_SetDestroyTimeout, uint32_t, ms) {
    TN_HIAI_TRY(tn_hiai_configure()); // later it would overwrite the value
    atomic_store_explicit(&tn_hiai_face.destroy_ms, ms, memory_order_relaxed);
    return HIAI_OK;
}
