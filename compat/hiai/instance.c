// SPDX-License-Identifier: Apache-2.0
// The objects of engines whose class has hooks: creation, initialisation, updates, destruction. One
// thread creates, initialises and destroys those of a graph. The program's code runs in the hooks,
// without a lock.

#include "compat/hiai/graph.h"

static _Thread_local struct HIAIX_Engine *being_created;

HIAI_StatusT tn_hiai_instance_create(struct HIAIX_Engine *engine) {
    if (engine->process != NULL) return HIAI_OK;
    struct HIAIX_Engine *before = being_created;
    being_created = engine;
    HIAI_StatusT status = engine->hooks.create(engine, &engine->object, engine->hooks.arg);
    being_created = before;
    if (status == HIAI_OK && engine->object == NULL) status = HIAI_MEMORY_EXHAUSTED;
    return status == HIAI_OK
               ? HIAI_OK
               : tn_hiai_fail(status, "engine %u: the object of \"%s\" cannot be created: %s",
                              engine->config->id, engine->config->name, HIAIX_StatusStr(status));
}

TN_HIAI_FUNCTION(HIAIX_SetPorts, HIAIX_Engine *, self, uint32_t, nIn, uint32_t, nOut) {
    TN_HIAI_REFUSE(self == NULL, HIAI_ENGINE_NULL_POINTER, "self is NULL");
    TN_HIAI_REFUSE(self != being_created || nIn > TN_HIAI_PORTS || nOut > TN_HIAI_PORTS,
                   HIAI_GRAPH_INVALID_VALUE,
                   "%u input and %u output ports, at most %u each, while it is created", nIn, nOut,
                   TN_HIAI_PORTS);
    self->inputs = nIn;
    self->outputs = nOut;
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_instances_init(struct tn_hiai_graph *graph) {
    struct tn_hiai_graph *before = tn_hiai_current_graph;
    HIAI_StatusT status = HIAI_OK;
    tn_hiai_current_graph = graph; // it cannot be destroyed by its own Init
    for (size_t i = 0; i < graph->count && status == HIAI_OK; i++) {
        struct HIAIX_Engine *engine = &graph->engines[i];
        if (engine->object != NULL && engine->hooks.init != NULL) {
            status = engine->hooks.init(engine, engine->object);
            status = status == HIAI_OK
                         ? HIAI_OK
                         : tn_hiai_fail(HIAI_GRAPH_ENGINE_INIT_FAILED,
                                        "engine %u (\"%s\"): Init returned 0x%08x (%s)",
                                        engine->config->id, engine->config->name, status,
                                        HIAIX_StatusStr(status));
        }
    }
    tn_hiai_current_graph = before;
    return status;
}

void tn_hiai_instances_destroy(struct tn_hiai_graph *graph) {
    struct tn_hiai_graph *before = tn_hiai_current_graph;
    tn_hiai_current_graph = graph;
    for (size_t i = graph->count; i-- > 0;) {
        struct HIAIX_Engine *engine = &graph->engines[i];
        if (engine->object != NULL) {
            engine->hooks.destroy(engine->object);
            engine->object = NULL;
        }
    }
    tn_hiai_current_graph = before;
}

HIAI_StatusT tn_hiai_instance_update(struct tn_hiai_graph *graph, uint32_t id, const char *text,
                                     size_t length) {
    struct HIAIX_Engine *engine = tn_hiai_graph_engine(graph, id);
    TN_HIAI_REFUSE(engine == NULL || !engine->is_local, HIAI_ENGINE_ID_NOT_EXIST,
                   "graph %u has no engine %u here", graph->id, id);
    HIAI_StatusT status = engine->object != NULL && engine->hooks.update != NULL
                              ? engine->hooks.update(engine, text, length, engine->object)
                              : HIAI_GRAPH_UPDATE_CONFIG_FAILED;
    return status == HIAI_OK ? HIAI_OK
                             : tn_hiai_fail(HIAI_GRAPH_UPDATE_CONFIG_FAILED,
                                            "engine %u: UpdateConfig returned 0x%08x (%s)", id,
                                            status, HIAIX_StatusStr(status));
}

void *HIAIX_GetObject(uint32_t graphId, uint32_t engineId, uint32_t kind) {
    TN_HIAI_HELD struct tn_hiai_graph *graph = tn_hiai_graph_get(graphId);
    const struct HIAIX_Engine *engine =
        graph != NULL ? tn_hiai_graph_engine(graph, engineId) : NULL;
    return engine != NULL && engine->hooks.kind == kind ? engine->object : NULL;
}
