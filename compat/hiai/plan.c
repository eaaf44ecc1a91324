// SPDX-License-Identifier: Apache-2.0
// Engines and connections of a graph. Both sides read the same file and number the ports of their
// channel alike: port 0 is for the sides themselves, then TN_HIAI_PORTS for each engine in the
// file's order, then one for each group.
#include <stdlib.h>

#include "compat/face/fidelity.h"
#include "compat/face/scope.h"
#include "compat/hiai/graph.h"
#include "compat/hiai/message.h"
#include "src/base/list.h"

#define FIRST_PORT 1u

uint32_t tn_hiai_plan_port(const struct HIAIX_Engine *engine, uint32_t in_port) {
    return FIRST_PORT + (uint32_t)(engine - engine->graph->engines) * TN_HIAI_PORTS + in_port;
}

uint32_t tn_hiai_plan_group_port(const struct tn_hiai_graph *graph, size_t group) {
    return FIRST_PORT + (uint32_t)graph->count * TN_HIAI_PORTS + (uint32_t)group;
}

uint32_t tn_hiai_plan_ports(const struct tn_hiai_graph *graph) {
    return tn_hiai_plan_group_port(graph, graph->group_count);
}

// ---- engines

static HIAI_StatusT find_engine_type(struct HIAIX_Engine *engine) {
    struct tn_hiai_engine_type type;
    char why[256] = "";
    tn_hiai_load(engine->config, engine->graph->file->path, why, sizeof why);
    TN_HIAI_REFUSE(!tn_hiai_find_engine_type(engine->config->name, &type),
                   HIAI_GRAPH_ENGINE_NOT_EXIST,
                   "engine %u: the name \"%s\" is not registered on this side%s%s",
                   engine->config->id, engine->config->name, why[0] != '\0' ? "; " : "", why);
    engine->process = type.process;
    engine->arg = type.arg;
    engine->inputs = type.inputs;
    engine->outputs = type.outputs;
    engine->hooks = type.hooks;
    return HIAI_OK;
}

static void init_engine(struct tn_hiai_graph *graph, size_t i, enum tn_hiai_side side) {
    struct HIAIX_Engine *engine = &graph->engines[i];
    engine->graph = graph;
    engine->config = tn_hiai_config_engine(graph->config, i);
    engine->is_local = tn_hiai_face.rc || engine->config->side == (int32_t)side;
    graph->has_other_side = graph->has_other_side || !engine->is_local;
    (void)pthread_mutex_init(&engine->lock, NULL);
    tn_face_cond_init(&engine->came);
    tn_face_cond_init(&engine->room);
    tn_face_cond_init(&engine->ended);
}

static void fini_engine(struct HIAIX_Engine *engine) {
    for (size_t port = 0; port < TN_HIAI_PORTS; port++) {
        tn_hiai_receivers_free(&engine->output[port]);
        free(engine->output[port].targets);
    }
    free(engine->threads);
    (void)pthread_cond_destroy(&engine->ended);
    (void)pthread_cond_destroy(&engine->room);
    (void)pthread_cond_destroy(&engine->came);
    (void)pthread_mutex_destroy(&engine->lock);
}

// ---- connections

static HIAI_StatusT add_target(struct tn_hiai_graph *graph,
                               const struct tn_hiai_connect_config *connect) {
    size_t at = tn_hiai_config_find_engine(graph->config, connect->src_engine);
    struct tn_hiai_output *output = &graph->engines[at].output[connect->src_port];
    struct tn_hiai_target *targets =
        (struct tn_hiai_target *)realloc(output->targets, (output->count + 1) * sizeof *targets);
    TN_HIAI_REFUSE(targets == NULL, HIAI_MEMORY_EXHAUSTED,
                   "out of memory for the connections of graph %u", graph->id);
    struct tn_hiai_target target = {NULL, connect->target_graph, connect->target_engine,
                                    connect->target_port};
    if (connect->target_graph == graph->id) {
        size_t to = tn_hiai_config_find_engine(graph->config, connect->target_engine);
        target.engine = &graph->engines[to];
    }
    targets[output->count++] = target;
    output->targets = targets;
    return HIAI_OK;
}

static HIAI_StatusT group_output(struct tn_hiai_graph *graph, struct HIAIX_Engine *src,
                                 uint32_t port) {
    const struct tn_hiai_target *only = NULL;
    const struct tn_hiai_output *output = &src->output[port];
    size_t count = 0; // of remote targets
    for (size_t i = 0; i < output->count; i++) {
        const struct tn_hiai_target *target = &output->targets[i];
        if (target->engine != NULL && target->engine->is_local != src->is_local) {
            only = target;
            count++;
        }
    }
    if (count == 1) {
        src->output[port].remote_port = tn_hiai_plan_port(only->engine, only->port);
    } else if (count > 1) {
        struct tn_hiai_group *groups = (struct tn_hiai_group *)realloc(
            graph->groups, (graph->group_count + 1) * sizeof *groups);
        TN_HIAI_REFUSE(groups == NULL, HIAI_MEMORY_EXHAUSTED,
                       "out of memory for the connections of graph %u", graph->id);
        graph->groups = groups;
        src->output[port].remote_port = tn_hiai_plan_group_port(graph, graph->group_count);
        groups[graph->group_count++] = (struct tn_hiai_group){src, port};
    }
    return HIAI_OK;
}

static HIAI_StatusT connect_all(struct tn_hiai_graph *graph) {
    for (size_t i = 0; i < graph->config->connects.count; i++)
        TN_HIAI_TRY(add_target(graph, tn_hiai_config_connect(graph->config, i)));
    for (size_t i = 0; i < graph->count; i++)
        for (uint32_t port = 0; port < TN_HIAI_PORTS; port++)
            TN_HIAI_TRY(group_output(graph, &graph->engines[i], port));
    return HIAI_OK;
}

// ---- checking ports

// A connection that begins beyond the declared outputs is legal: published engines declare one
// output and send at several. The side of the engine logs it.
static HIAI_StatusT check_connection(struct tn_hiai_graph *graph,
                                     const struct tn_hiai_connect_config *connect) {
    size_t at = tn_hiai_config_find_engine(graph->config, connect->src_engine);
    const struct HIAIX_Engine *src = &graph->engines[at];
    TN_FACE_DIFFERS(outputs_declared, connect->src_port >= src->outputs);
    if (src->is_local && connect->src_port >= src->outputs)
        tn_hiai_warn("line %u: engine %u declares %u output ports, and is connected at port %u",
                     connect->line, connect->src_engine, src->outputs, connect->src_port);
    if (connect->target_graph != graph->id) return HIAI_OK; // that graph may be created later
    size_t to = tn_hiai_config_find_engine(graph->config, connect->target_engine);
    TN_HIAI_REFUSE(connect->target_port >= graph->engines[to].inputs, HIAI_PORT_ID_NOT_EXIST,
                   "line %u: engine %u has %u input ports, no port %u", connect->line,
                   connect->target_engine, graph->engines[to].inputs, connect->target_port);
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_plan_check(struct tn_hiai_graph *graph) {
    for (size_t i = 0; i < graph->config->connects.count; i++)
        TN_HIAI_TRY(check_connection(graph, tn_hiai_config_connect(graph->config, i)));
    return HIAI_OK;
}

// ---- graphs

static struct tn_hiai_graph *new_graph(struct tn_hiai_file *file, size_t at) {
    struct tn_hiai_graph *graph = (struct tn_hiai_graph *)calloc(1, sizeof *graph);
    if (graph == NULL) return NULL;
    graph->config = tn_hiai_config_graph(&file->config, at);
    size_t count = graph->config->engines.count;
    graph->engines = (struct HIAIX_Engine *)calloc(count != 0 ? count : 1, sizeof *graph->engines);
    if (graph->engines == NULL) {
        free(graph);
        return NULL;
    }
    graph->count = count;
    graph->id = graph->config->id;
    graph->file = file;
    (void)atomic_fetch_add_explicit(&file->refs, 1, memory_order_relaxed);
    (void)pthread_mutex_init(&graph->lock, NULL);
    tn_face_cond_init(&graph->changed);
    return graph;
}

HIAI_StatusT tn_hiai_plan(struct tn_hiai_file *file, size_t at, enum tn_hiai_side side,
                          struct tn_hiai_graph **graph) {
    struct tn_hiai_graph *g = new_graph(file, at);
    TN_HIAI_REFUSE(g == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for a graph");
    for (size_t i = 0; i < g->count; i++) init_engine(g, i, side);
    HIAI_StatusT status = connect_all(g);
    for (size_t i = 0; i < g->count && status == HIAI_OK; i++)
        status = g->engines[i].is_local ? find_engine_type(&g->engines[i]) : HIAI_OK;
    for (size_t i = 0; i < g->count && status == HIAI_OK; i++)
        status = g->engines[i].is_local ? tn_hiai_instance_create(&g->engines[i]) : HIAI_OK;
    *graph = g; // set on failure too, because a device process reports to its host
    return status;
}

static void free_kept(struct tn_hiai_graph *graph) {
    TN_CHAIN_DRAIN(struct tn_hiai_kept, kept, graph->kept, next) {
        if (kept->drop != NULL) kept->drop(kept->arg);
        free(kept);
    }
    // Those that came after the last one was run.
    TN_CHAIN_DRAIN(struct tn_hiai_update, update, graph->link.updates, next) free(update);
}

void tn_hiai_plan_free(struct tn_hiai_graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        tn_hiai_engine_discard(&graph->engines[i]);
        fini_engine(&graph->engines[i]);
    }
    free_kept(graph);
    (void)pthread_cond_destroy(&graph->changed);
    (void)pthread_mutex_destroy(&graph->lock);
    tn_hiai_file_put(graph->file);
    free(graph->groups);
    free(graph->engines);
    free(graph);
}
