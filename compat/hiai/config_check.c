// SPDX-License-Identifier: Apache-2.0
// Checks a complete parsed graph file: defaults, limits, and references.
#include <stdlib.h>

#include "compat/hiai/config.h"
#include "compat/hiai/face.h"

size_t tn_hiai_config_find_engine(const struct tn_hiai_graph_config *graph, uint32_t id) {
    for (size_t i = 0; i < graph->engines.count; i++)
        if (tn_hiai_config_engine(graph, i)->id == id) return i;
    return SIZE_MAX;
}

static HIAI_StatusT fail_value(unsigned line, const char *what, uint32_t value, const char *why) {
    return tn_hiai_fail(HIAI_GRAPH_PROTO_FILE_PARSE_FAILED, "line %u: %s %u: %s", line, what, value,
                        why);
}

// ---- engines

static HIAI_StatusT check_engine(const struct tn_hiai_graph_config *graph, size_t i) {
    struct tn_hiai_engine_config *engine = tn_hiai_config_engine(graph, i);
    if (tn_hiai_config_find_engine(graph, engine->id) != i)
        return fail_value(engine->line, "engine", engine->id, "the id is used twice");
    if (engine->name[0] == '\0')
        return fail_value(engine->line, "engine", engine->id, "engine_name is missing");
    if (engine->threads > TN_HIAI_THREADS_MAX)
        return fail_value(engine->line, "thread_num", engine->threads, "at most 256");
    if (engine->thread_priority > 99)
        return fail_value(engine->line, "thread_priority", engine->thread_priority, "1 to 99");
    if (engine->queue_size > TN_HIAI_QUEUE_MAX)
        return fail_value(engine->line, "queue_size", engine->queue_size, "at most 65536");
    engine->threads = engine->threads != 0 ? engine->threads : 1;
    engine->queue_size = engine->queue_size != 0 ? engine->queue_size : TN_HIAI_QUEUE_SIZE;
    return HIAI_OK;
}

// ---- connections

static HIAI_StatusT check_port(unsigned line, uint32_t port) {
    return port >= TN_HIAI_PORTS
               ? tn_hiai_fail(HIAI_PORT_ID_NOT_EXIST, "line %u: port is %u, allowed are 0 to 15",
                              line, port)
               : HIAI_OK;
}

static HIAI_StatusT fail_engine(unsigned line, uint32_t id, uint32_t graph) {
    return tn_hiai_fail(HIAI_GRAPH_ENGINE_NOT_EXIST, "line %u: graph %u has no engine %u", line,
                        graph, id);
}

// An engine of the device connects only within its graph, because its process has no other. A port
// that leads to another graph may have no other target, because its block cannot be shared.
static HIAI_StatusT check_foreign_target(const struct tn_hiai_graph_config *graph,
                                         const struct tn_hiai_connect_config *connect,
                                         int32_t side) {
    if (side == TN_HIAI_DEVICE)
        return fail_value(connect->line, "target_graph_id", connect->target_graph,
                          "an engine of the device connects only within its graph");
    size_t targets = 0; // this connection included
    for (size_t i = 0; i < graph->connects.count; i++) {
        const struct tn_hiai_connect_config *other = tn_hiai_config_connect(graph, i);
        targets += other->src_engine == connect->src_engine && other->src_port == connect->src_port;
    }
    return targets == 1 ? HIAI_OK
                        : fail_value(connect->line, "target_graph_id", connect->target_graph,
                                     "a port that leads to another graph can have no other target");
}

static HIAI_StatusT check_connection(const struct tn_hiai_graph_config *graph, size_t i) {
    struct tn_hiai_connect_config *connect = tn_hiai_config_connect(graph, i);
    size_t src = tn_hiai_config_find_engine(graph, connect->src_engine);
    if (connect->target_graph == TN_HIAI_OWN_GRAPH) connect->target_graph = graph->id;
    if (src == SIZE_MAX) return fail_engine(connect->line, connect->src_engine, graph->id);
    if (connect->target_graph != graph->id)
        TN_HIAI_TRY(check_foreign_target(graph, connect, tn_hiai_config_engine(graph, src)->side));
    else if (tn_hiai_config_find_engine(graph, connect->target_engine) == SIZE_MAX)
        return fail_engine(connect->line, connect->target_engine, graph->id);
    TN_HIAI_TRY(check_port(connect->line, connect->src_port));
    return check_port(connect->line, connect->target_port);
}

// ---- graphs

static HIAI_StatusT check_graph(struct tn_hiai_graph_config *graph) {
    char *end;
    unsigned long device = strtoul(graph->device_text, &end, 10);
    TN_HIAI_REFUSE(end == graph->device_text || *end != '\0' || device >= TN_HIAI_DEVICES,
                   HIAI_GRAPH_PROTO_FILE_PARSE_FAILED,
                   "line %u: device_id is \"%.60s\", allowed are 0 to 63", graph->line,
                   graph->device_text);
    graph->device = (uint32_t)device;
    if (graph->engines.count > TN_HIAI_ENGINES_MAX)
        return fail_value(graph->line, "graph", graph->id, "more than 512 engines");
    for (size_t i = 0; i < graph->engines.count; i++) TN_HIAI_TRY(check_engine(graph, i));
    for (size_t i = 0; i < graph->connects.count; i++) TN_HIAI_TRY(check_connection(graph, i));
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_config_check(struct tn_hiai_config *config) {
    size_t count = config->graphs.count;
    TN_HIAI_REFUSE(count == 0 || count > TN_HIAI_GRAPHS_MAX, HIAI_GRAPH_PROTO_FILE_PARSE_FAILED,
                   "%zu graphs, allowed are 1 to 2048", count);
    for (size_t i = 0; i < count; i++) {
        struct tn_hiai_graph_config *graph = tn_hiai_config_graph(config, i);
        for (size_t j = 0; j < i; j++) {
            TN_HIAI_REFUSE(tn_hiai_config_graph(config, j)->id == graph->id, HIAI_REPEATED_GRAPH,
                           "line %u: graph %u is defined twice", graph->line, graph->id);
        }
        TN_HIAI_TRY(check_graph(graph));
    }
    return HIAI_OK;
}
