// SPDX-License-Identifier: Apache-2.0
// The link to the other side of a graph: a channel. First each side sends its handshake (the ports
// of its engines, or the reason of a failure). Then the channel's thread receives messages: it
// deserializes and queues them, and never waits. Everything that the other side sends is checked.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/hiai/graph.h"
#include "compat/hiai/message.h"
#include "compat/hiai/send.h"

#define OWN_DEPTH    8u
#define VERSION      2u
#define HANDSHAKE_NS (10000 * TN_HIAI_MS) // until the other side has opened its own port
#define STOP_NS      (1000 * TN_HIAI_MS)  // the port has credits; after this the other side is gone

// The control bytes of a handshake. `count` structs engine_ports follow.
struct handshake {
    uint32_t version;
    HIAI_StatusT status;
    uint32_t count;
    char why[244]; // the sender's error text; the reader does not rely on its terminator
};

struct engine_ports {
    uint32_t id;
    uint32_t inputs, outputs;
};

tarn_channel_desc tn_hiai_link_desc(const struct tn_hiai_graph *graph) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = tn_hiai_arena();
    desc.ports = tn_hiai_plan_ports(graph);
    return desc;
}

// ---- sending

HIAI_StatusT tn_hiai_link_send_handshake(struct tn_hiai_graph *graph, HIAI_StatusT own) {
    tarn_message message = TARN_INIT(tarn_message);
    struct handshake *handshake = (struct handshake *)calloc(
        1, sizeof *handshake + graph->count * sizeof(struct engine_ports));
    TN_HIAI_REFUSE(handshake == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for a handshake");
    handshake->version = VERSION;
    handshake->status = own;
    (void)snprintf(handshake->why, sizeof handshake->why, "%.*s", (int)sizeof handshake->why - 1,
                   own != HIAI_OK ? tn_hiai_text() : "");
    struct engine_ports *ports = (struct engine_ports *)(handshake + 1);
    for (size_t i = 0; i < graph->count; i++) {
        const struct HIAIX_Engine *e = &graph->engines[i];
        if (e->is_local)
            ports[handshake->count++] = (struct engine_ports){e->config->id, e->inputs, e->outputs};
    }
    message.port = TN_HIAI_OWN_PORT;
    message.code = TN_HIAI_HANDSHAKE;
    message.control = handshake;
    message.control_bytes = sizeof *handshake + handshake->count * sizeof(struct engine_ports);
    tarn_status status = tarn_channel_send(graph->link.channel, &message, HANDSHAKE_NS);
    free(handshake);
    return status == TARN_OK ? HIAI_OK : tn_hiai_fail_tarn(HIAI_HDC_SESSION_DEAD);
}

// Sends a code without anything else.
static tarn_status send_code(struct tn_hiai_graph *graph, uint64_t code, uint64_t limit_ns) {
    tarn_message message = TARN_INIT(tarn_message);
    message.port = TN_HIAI_OWN_PORT;
    message.code = code;
    return tarn_channel_send(graph->link.channel, &message, limit_ns);
}

HIAI_StatusT tn_hiai_link_start_engines(struct tn_hiai_graph *graph) {
    return send_code(graph, TN_HIAI_START, HANDSHAKE_NS) == TARN_OK
               ? HIAI_OK
               : tn_hiai_fail_tarn(HIAI_HDC_SESSION_DEAD);
}

void tn_hiai_link_request_stop(struct tn_hiai_graph *graph) {
    if (graph->link.channel != NULL) {
        // A failure means that the other side is gone, or will be disconnected.
        (void)send_code(graph, TN_HIAI_STOP, STOP_NS);
    }
}

// ---- the other side's handshake

static HIAI_StatusT read_handshake(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    const struct handshake *handshake = (const struct handshake *)delivery->control;
    const struct engine_ports *ports;
    TN_HIAI_REFUSE(delivery->control_bytes < sizeof *handshake || handshake->version != VERSION ||
                       handshake->count > graph->count ||
                       delivery->control_bytes !=
                           sizeof *handshake + handshake->count * sizeof *ports,
                   HIAI_HDC_SEND_MSG_ERROR, "the other side speaks another protocol");
    TN_HIAI_REFUSE(handshake->status != HIAI_OK, handshake->status, "the other side: %.*s",
                   (int)sizeof handshake->why - 1, handshake->why);
    ports = (const struct engine_ports *)(handshake + 1);
    for (uint32_t i = 0; i < handshake->count; i++) {
        size_t at = tn_hiai_config_find_engine(graph->config, ports[i].id);
        TN_HIAI_REFUSE(at == SIZE_MAX || graph->engines[at].is_local ||
                           ports[i].inputs > TN_HIAI_PORTS || ports[i].outputs > TN_HIAI_PORTS,
                       HIAI_GRAPH_ENGINE_NOT_EXIST, "the other side has another graph file");
        graph->engines[at].inputs = ports[i].inputs;
        graph->engines[at].outputs = ports[i].outputs;
    }
    return HIAI_OK;
}

// The host sends updates, and the device their results.
static void handle_update(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    const struct tn_hiai_update *update = (const struct tn_hiai_update *)delivery->control;
    bool result = delivery->code == TN_HIAI_UPDATED;
    if (result != tn_hiai_is_device() && delivery->control_bytes >= sizeof *update &&
        delivery->control_bytes - sizeof *update == update->length)
        tn_hiai_update_receive(graph, result, update);
}

static void handle_own_port(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    TN_FACE_LOCKED(&graph->lock);
    if (delivery->code == TN_HIAI_HANDSHAKE && !graph->link.has_handshake) {
        graph->link.handshake = read_handshake(graph, delivery);
        graph->link.has_handshake = true;
        if (graph->link.handshake != HIAI_OK)
            (void)snprintf(graph->link.why, sizeof graph->link.why, "%s", tn_hiai_text());
    } else if (delivery->code == TN_HIAI_STOP && tn_hiai_is_device()) {
        graph->link.stop_requested = true;
    } else if (delivery->code == TN_HIAI_START && tn_hiai_is_device()) {
        tn_hiai_engines_open(graph);
    } else if (delivery->code == TN_HIAI_UPDATE || delivery->code == TN_HIAI_UPDATED) {
        handle_update(graph, delivery);
    }
    (void)pthread_cond_broadcast(&graph->changed);
}

HIAI_StatusT tn_hiai_link_wait_handshake(struct tn_hiai_graph *graph, uint64_t deadline) {
    bool in_time = true;
    (void)pthread_mutex_lock(&graph->lock);
    while (!graph->link.has_handshake && !graph->link.gone && in_time)
        in_time = tn_hiai_cond_wait(&graph->changed, &graph->lock, deadline);
    struct tn_hiai_link seen = graph->link;
    (void)pthread_mutex_unlock(&graph->lock);
    if (seen.has_handshake)
        return seen.handshake == HIAI_OK ? HIAI_OK : tn_hiai_fail(seen.handshake, "%s", seen.why);
    return seen.gone
               ? tn_hiai_fail(HIAI_HDC_SESSION_DEAD,
                              "the other side of graph %u ended before it was ready", graph->id)
               : tn_hiai_fail(HIAI_GRAPH_START_TIMEOUT,
                              "the other side of graph %u was not ready in time", graph->id);
}

// ---- receiving

// The local engines that receive from a port of the channel.
struct receivers {
    struct HIAIX_Engine *engine;         // the only one, or NULL for the targets of `output`
    const struct tn_hiai_output *output; // all of its local targets
    uint32_t in_port;
    uint32_t count;
};

static bool is_local_target(const struct tn_hiai_target *target) {
    return target->engine != NULL && target->engine->is_local;
}

static struct receivers receivers_of(struct tn_hiai_graph *graph, uint32_t port) {
    uint32_t first_group = tn_hiai_plan_group_port(graph, 0);
    struct receivers r = {.count = 1};
    if (port < first_group) {
        r.engine = &graph->engines[(port - 1) / TN_HIAI_PORTS];
        r.in_port = (port - 1) % TN_HIAI_PORTS;
        return r;
    }
    const struct tn_hiai_group *group = &graph->groups[port - first_group];
    r.output = &group->src->output[group->src_port];
    r.count = 0;
    for (size_t i = 0; i < r.output->count; i++)
        r.count += is_local_target(&r.output->targets[i]) ? 1u : 0u;
    return r;
}

// Queues a message for an engine, with a share of its own. Returns false if out of memory.
static bool queue_remote(struct HIAIX_Engine *engine, uint32_t in_port,
                         const struct HIAIX_Message *message, struct tn_hiai_credit *credit) {
    struct tn_hiai_queued *queued = tn_hiai_queued_new(message, in_port);
    if (queued == NULL) return false;
    queued->remote = true;
    queued->credit = credit;
    tn_hiai_engine_push(engine, queued);
    return true;
}

static bool queue_for_all(struct tn_hiai_graph *graph, const struct receivers *r,
                          const struct HIAIX_Message *message, struct tn_hiai_credit *credit) {
    if (r->engine != NULL) return queue_remote(r->engine, r->in_port, message, credit);
    bool all = true;
    for (size_t i = 0; i < r->output->count; i++) {
        const struct tn_hiai_target *target = &r->output->targets[i];
        if (is_local_target(target) &&
            !queue_remote(target->engine, target->port, message, credit)) {
            all = false;
            tn_hiai_credit_release(graph, credit);
        }
    }
    return all;
}

static void receive_message(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    struct receivers r = receivers_of(graph, delivery->port);
    struct tn_hiai_credit *credit = (struct tn_hiai_credit *)malloc(sizeof *credit);
    struct HIAIX_Message message;
    if (credit != NULL) {
        atomic_init(&credit->pending, r.count);
        credit->port = delivery->port;
    }
    bool made = tn_hiai_receive(delivery, &message);
    bool good = made && credit != NULL && queue_for_all(graph, &r, &message, credit);
    tn_hiai_unshare(&message); // queue entries have their own shares
    if (good) return;
    tn_hiai_count(&graph->counters.rejected);
    tn_hiai_warn("graph %u: a message \"%s\" from the other side is dropped: %s", graph->id,
                 delivery->name, credit == NULL ? "out of memory" : "it was rejected");
    if (!made || credit == NULL || r.engine != NULL) {
        (void)tarn_channel_grant(graph->link.channel, delivery->port, 1);
        free(credit);
    }
}

static void on_message(tarn_channel *channel, const tarn_delivery *delivery, void *arg) {
    struct tn_hiai_graph *graph = (struct tn_hiai_graph *)arg;
    (void)channel;
    tn_hiai_current_graph = graph;
    if (delivery->port == TN_HIAI_OWN_PORT) {
        handle_own_port(graph, delivery);
        if (delivery->parcel != NULL) (void)tarn_parcel_free(tn_hiai_arena(), delivery->parcel);
    } else {
        receive_message(graph, delivery);
    }
}

// ---- the end

static void on_end(tarn_channel *channel, tarn_status reason, void *arg) {
    struct tn_hiai_graph *graph = (struct tn_hiai_graph *)arg;
    HIAI_StatusT (*handler)(uint32_t, void *) = NULL;
    (void)channel;
    tn_hiai_current_graph = graph;
    (void)pthread_mutex_lock(&graph->lock);
    graph->link.gone = true;
    if (!tn_hiai_graph_stops(graph) && !graph->link.stop_requested) {
        handler = graph->on_disconnect;
        tn_hiai_warn("graph %u: the other side is gone (%s)", graph->id,
                     reason == TARN_CORRUPT ? "it broke the protocol" : "it ended");
    }
    void *handler_arg = graph->on_disconnect_arg;
    (void)pthread_cond_broadcast(&graph->changed);
    (void)pthread_mutex_unlock(&graph->lock);
    if (handler != NULL) (void)handler(graph->id, handler_arg);
}

static HIAI_StatusT watch_graph(uint32_t id, int event, HIAI_StatusT (*callback)(uint32_t, void *),
                                void *arg, void (*drop)(void *arg)) {
    TN_HIAI_GRAPH(graph, id);
    TN_HIAI_REFUSE(event != HIAIX_EVENT_DISCONNECT, HIAI_GRAPH_INVALID_VALUE,
                   "event is %d, only 0 is supported", event);
    struct tn_hiai_kept *kept = (struct tn_hiai_kept *)malloc(sizeof *kept);
    TN_HIAI_REFUSE(kept == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for an event handler");
    TN_FACE_LOCKED(&graph->lock);
    if (graph->link.gone) {
        free(kept);
        return tn_hiai_fail(HIAI_HDC_SESSION_DEAD, "the other side of graph %u is gone already",
                            graph->id);
    }
    graph->on_disconnect = callback;
    graph->on_disconnect_arg = arg;
    *kept = (struct tn_hiai_kept){graph->kept, drop, arg};
    graph->kept = kept;
    return HIAI_OK;
}

HIAI_StatusT HIAIX_RegisterEventHandle(uint32_t graphId, int event,
                                       HIAI_StatusT (*callback)(uint32_t graphId, void *arg),
                                       void *arg) {
    return TN_HIAI_CALL(watch_graph(graphId, event, callback, arg, NULL));
}

HIAI_StatusT HIAIX_SetEventHandler(uint32_t graphId, int event,
                                   HIAI_StatusT (*callback)(uint32_t graphId, void *arg), void *arg,
                                   void (*drop)(void *arg)) {
    return TN_HIAI_CALL(watch_graph(graphId, event, callback, arg, drop));
}

// ---- beginning and closing

static HIAI_StatusT open_port(struct tn_hiai_graph *graph, uint32_t port, uint32_t depth) {
    return tarn_channel_open_port(graph->link.channel, port, depth, TARN_PORT_MANUAL_CREDIT) ==
                   TARN_OK
               ? HIAI_OK
               : tn_hiai_fail_tarn(HIAI_GRAPH_SENDMSG_FAILED);
}

static uint32_t group_depth(const struct tn_hiai_group *group) {
    const struct tn_hiai_output *output = &group->src->output[group->src_port];
    uint32_t depth = TN_HIAI_QUEUE_MAX;
    for (size_t i = 0; i < output->count; i++) {
        const struct tn_hiai_target *target = &output->targets[i];
        if (is_local_target(target) && target->engine->config->queue_size < depth)
            depth = target->engine->config->queue_size;
    }
    return depth;
}

HIAI_StatusT tn_hiai_link_open_ports(struct tn_hiai_graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const struct HIAIX_Engine *e = &graph->engines[i];
        for (uint32_t port = 0; e->is_local && port < e->inputs; port++)
            TN_HIAI_TRY(open_port(graph, tn_hiai_plan_port(e, port), e->config->queue_size));
    }
    for (size_t i = 0; i < graph->group_count; i++) {
        if (!graph->groups[i].src->is_local) {
            TN_HIAI_TRY(open_port(graph, tn_hiai_plan_group_port(graph, i),
                                  group_depth(&graph->groups[i])));
        }
    }
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_link_begin(struct tn_hiai_graph *graph) {
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    receiver.on_message = on_message;
    receiver.on_end = on_end;
    receiver.arg = graph;
    tarn_status status =
        tarn_channel_open_port(graph->link.channel, TN_HIAI_OWN_PORT, OWN_DEPTH, 0);
    if (status == TARN_OK) status = tarn_channel_start(graph->link.channel, &receiver);
    return status == TARN_OK ? HIAI_OK : tn_hiai_fail_tarn(HIAI_GRAPH_SENDMSG_FAILED);
}

void tn_hiai_link_close(struct tn_hiai_graph *graph) {
    if (graph->link.channel != NULL) {
        tarn_status status = tarn_channel_close(graph->link.channel);
        if (status != TARN_OK) tn_hiai_warn("graph %u: its channel cannot be closed", graph->id);
    }
}
