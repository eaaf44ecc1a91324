// SPDX-License-Identifier: Apache-2.0
// New configurations for running engines. An engine of this process gets it in the caller's thread.
// For the other side it is a message, which the device's main thread runs, because the receiving
// thread must never wait for a program's code. The graph's lock guards the list of updates.
#include <stdlib.h>
#include <string.h>

#include "compat/hiai/graph.h"
#include "src/base/list.h"

#define TEXT_MAX (UINT32_C(15) << 20)
#define SEND_NS  (10000 * TN_HIAI_MS) // the other side is always ready for updates
#define LOOK_NS  (100 * TN_HIAI_MS)   // how often the end of the graph is checked

static HIAI_StatusT send_update(struct tn_hiai_graph *graph, uint64_t code,
                                const struct tn_hiai_update *update) {
    tarn_message message = TARN_INIT(tarn_message);
    message.port = TN_HIAI_OWN_PORT;
    message.code = code;
    message.control = update;
    message.control_bytes = sizeof *update + update->length;
    return tarn_channel_send(graph->link.channel, &message, SEND_NS) == TARN_OK
               ? HIAI_OK
               : tn_hiai_fail_tarn(HIAI_HDC_SESSION_DEAD);
}

static struct tn_hiai_update *update_new(const char *text, size_t length) {
    struct tn_hiai_update *update = (struct tn_hiai_update *)calloc(1, sizeof *update + length + 1);
    if (update != NULL) {
        update->length = length;
        memcpy(update->text, text, length);
    } else {
        (void)tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory for a configuration");
    }
    return update;
}

static void append_update(struct tn_hiai_graph *graph, struct tn_hiai_update *update) {
    struct tn_hiai_update **link = &graph->link.updates;
    while (*link != NULL) link = &(*link)->next;
    update->next = NULL;
    *link = update;
}

// ---- receiving

void tn_hiai_update_receive(struct tn_hiai_graph *graph, bool result,
                            const struct tn_hiai_update *update) {
    if (!result) {
        struct tn_hiai_update *copy = update_new(update->text, update->length);
        if (copy != NULL) {
            copy->token = update->token;
            copy->engine = update->engine;
            append_update(graph, copy);
        }
        return;
    }
    for (struct tn_hiai_update *u = graph->link.updates; u != NULL; u = u->next) {
        if (u->token == update->token) {
            u->status = update->status;
            u->done = true;
        }
    }
}

struct tn_hiai_update *tn_hiai_update_take(struct tn_hiai_graph *graph) {
    struct tn_hiai_update *first = graph->link.updates;
    if (first != NULL) graph->link.updates = first->next;
    return first;
}

void tn_hiai_update_run(struct tn_hiai_graph *graph, struct tn_hiai_update *update) {
    update->status = tn_hiai_instance_update(graph, update->engine, update->text, update->length);
    update->length = 0; // the result has no text
    (void)send_update(graph, TN_HIAI_UPDATED, update);
    free(update);
}

// ---- sending

// Waits for the result, or only removes the update from the list. The list of the host contains
// updates that are waited for.
static HIAI_StatusT wait_for_result(struct tn_hiai_graph *graph, struct tn_hiai_update *update,
                                    bool wait) {
    (void)pthread_mutex_lock(&graph->lock);
    while (wait && !update->done && !graph->link.gone && !tn_hiai_graph_stops(graph))
        (void)tn_hiai_cond_wait(&graph->changed, &graph->lock, tn_hiai_deadline(LOOK_NS));
    TN_CHAIN_REMOVE(graph->link.updates, update, next);
    bool gone = graph->link.gone;
    (void)pthread_mutex_unlock(&graph->lock);
    TN_HIAI_REFUSE(wait && !update->done, gone ? HIAI_HDC_SESSION_DEAD : HIAI_QUEUE_STOPPED,
                   "graph %u ended during an update", graph->id);
    return update->status == HIAI_OK
               ? HIAI_OK
               : tn_hiai_fail(update->status, "the other side: UpdateConfig of engine %u failed",
                              update->engine);
}

TN_HIAI_FUNCTION(HIAIX_UpdateEngine, uint32_t, graphId, uint32_t, engineId, const char *, config,
                 size_t, length, int, sync) {
    TN_HIAI_REFUSE(config == NULL, HIAI_GRAPH_INVALID_VALUE, "config is NULL");
    TN_HIAI_REFUSE(length > TEXT_MAX, HIAI_GRAPH_DATA_SIZE_WRONG,
                   "config has %zu bytes, at most %u", length, TEXT_MAX);
    TN_HIAI_GRAPH(graph, graphId);
    const struct HIAIX_Engine *engine = tn_hiai_graph_engine(graph, engineId);
    TN_HIAI_REFUSE(engine == NULL, HIAI_ENGINE_ID_NOT_EXIST, "graph %u has no engine %u", graphId,
                   engineId);
    if (engine->is_local) return tn_hiai_instance_update(graph, engineId, config, length);
    struct tn_hiai_update *update = update_new(config, length);
    if (update == NULL) return HIAI_MEMORY_EXHAUSTED;
    update->engine = engineId;
    update->status = HIAI_OK;
    (void)pthread_mutex_lock(&graph->lock);
    update->token = ++graph->link.update_count;
    append_update(graph, update);
    (void)pthread_mutex_unlock(&graph->lock);
    HIAI_StatusT status = send_update(graph, TN_HIAI_UPDATE, update);
    HIAI_StatusT result = wait_for_result(graph, update, sync != 0 && status == HIAI_OK);
    free(update);
    return status != HIAI_OK ? status : result;
}
