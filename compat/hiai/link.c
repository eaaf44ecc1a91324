// SPDX-License-Identifier: Apache-2.0
// The link to the other side of a graph: a channel, over which each side first says which ports its
// engines have, or what is wrong with them. Then its own thread receives: it deserializes and
// queues, and waits for nobody. What the other side says is checked before it is used; who makes no
// sense is not ready.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/hiai/graph.h"
#include "compat/hiai/message.h"
#include "compat/hiai/object.h"

#define OWN_PORT  0u // for what the sides say themselves
#define OWN_DEPTH 8u
#define VERSION   1u
#define GREET_NS  (10000 * TN_HIAI_MS) // until the other side has opened its own port
#define STOP_NS   (1000 * TN_HIAI_MS)  // the way is free: longer means that nobody is there

// Kinds of words on the own port.
enum { GREETING = 1, STOP = 2 };

// The control bytes of a greeting; `count` ports follow.
struct greeting {
    uint32_t version;
    HIAI_StatusT status;
    uint32_t count;
    char why[244];
};

struct ports {
    uint32_t id;
    uint32_t inputs, outputs;
};

tarn_channel_desc tn_hiai_link_desc(const struct tn_hiai_graph *graph) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = tn_hiai_arena();
    desc.ports = tn_hiai_plan_ports(graph);
    return desc;
}

// ---- saying

static size_t write_ports(const struct tn_hiai_graph *graph, struct ports *ports) {
    size_t count = 0;
    for (size_t i = 0; i < graph->count; i++) {
        const struct HIAIX_Engine *e = &graph->engines[i];
        if (e->is_local) {
            ports[count++] = (struct ports){e->config->id, e->inputs, e->outputs};
        }
    }
    return count;
}

HIAI_StatusT tn_hiai_link_send_handshake(struct tn_hiai_graph *graph, HIAI_StatusT own) {
    tarn_message message = TARN_INIT(tarn_message);
    struct greeting *greeting =
        (struct greeting *)calloc(1, sizeof *greeting + graph->count * sizeof(struct ports));
    if (greeting == NULL) {
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "a greeting");
    }
    greeting->version = VERSION;
    greeting->status = own;
    (void)snprintf(greeting->why, sizeof greeting->why, "%.*s", (int)sizeof greeting->why - 1,
                   own != HIAI_OK ? tn_hiai_text() : "");
    greeting->count = (uint32_t)write_ports(graph, (struct ports *)(greeting + 1));
    message.port = OWN_PORT;
    message.code = GREETING;
    message.control = greeting;
    message.control_bytes = sizeof *greeting + greeting->count * sizeof(struct ports);
    tarn_status status = tarn_channel_send(graph->link.channel, &message, GREET_NS);
    free(greeting);
    return status == TARN_OK ? HIAI_OK : tn_hiai_fail_tarn(HIAI_HDC_SESSION_DEAD);
}

void tn_hiai_link_request_stop(struct tn_hiai_graph *graph) {
    tarn_message message = TARN_INIT(tarn_message);
    message.port = OWN_PORT;
    message.code = STOP;
    if (graph->link.channel != NULL) {
        // Who cannot be told is gone, or is cut off when the time is over.
        (void)tarn_channel_send(graph->link.channel, &message, STOP_NS);
    }
}

// ---- hearing

static HIAI_StatusT learn_ports(struct tn_hiai_graph *graph, const struct ports *said) {
    size_t at = tn_hiai_config_find_engine(graph->config, said->id);
    if (at == SIZE_MAX || graph->engines[at].is_local || said->inputs > TN_HIAI_PORTS ||
        said->outputs > TN_HIAI_PORTS) {
        return tn_hiai_fail(HIAI_GRAPH_ENGINE_NOT_EXIST, "the other side has another graph file");
    }
    graph->engines[at].inputs = said->inputs;
    graph->engines[at].outputs = said->outputs;
    return HIAI_OK;
}

static HIAI_StatusT read_greeting(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    const struct greeting *greeting = (const struct greeting *)delivery->control;
    const struct ports *ports;
    if (delivery->control_bytes < sizeof *greeting || greeting->version != VERSION ||
        greeting->count > graph->count ||
        delivery->control_bytes != sizeof *greeting + greeting->count * sizeof *ports) {
        return tn_hiai_fail(HIAI_HDC_SEND_MSG_ERROR, "the other side speaks otherwise");
    }
    if (greeting->status != HIAI_OK) {
        return tn_hiai_fail(greeting->status, "the other side: %.*s", (int)sizeof greeting->why - 1,
                            greeting->why);
    }
    HIAI_StatusT status = HIAI_OK;
    ports = (const struct ports *)(greeting + 1);
    for (uint32_t i = 0; i < greeting->count && status == HIAI_OK; i++) {
        status = learn_ports(graph, &ports[i]);
    }
    return status;
}

static void hear(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    (void)pthread_mutex_lock(&graph->lock);
    if (delivery->code == GREETING && !graph->link.greeted) {
        graph->link.greeting = read_greeting(graph, delivery);
        graph->link.greeted = true;
        if (graph->link.greeting != HIAI_OK) {
            (void)snprintf(graph->link.why, sizeof graph->link.why, "%s", tn_hiai_text());
        }
    } else if (delivery->code == STOP && tn_hiai_is_device()) {
        graph->link.stop_requested = true;
    }
    (void)pthread_cond_broadcast(&graph->changed);
    (void)pthread_mutex_unlock(&graph->lock);
}

HIAI_StatusT tn_hiai_link_wait_handshake(struct tn_hiai_graph *graph, uint64_t deadline) {
    bool in_time = true;
    (void)pthread_mutex_lock(&graph->lock);
    while (!graph->link.greeted && !graph->link.gone && in_time) {
        in_time = tn_hiai_cond_wait(&graph->changed, &graph->lock, deadline);
    }
    struct tn_hiai_link seen = graph->link;
    (void)pthread_mutex_unlock(&graph->lock);
    if (seen.greeted) {
        return seen.greeting == HIAI_OK ? HIAI_OK : tn_hiai_fail(seen.greeting, "%s", seen.why);
    }
    return seen.gone
               ? tn_hiai_fail(HIAI_HDC_SESSION_DEAD,
                              "the other side of graph %u ended before it was ready", graph->id)
               : tn_hiai_fail(HIAI_GRAPH_START_TIMEOUT,
                              "the other side of graph %u is not ready in time", graph->id);
}

// ---- receiving

// The engines here that a port of the channel is for.
struct receivers {
    struct HIAIX_Engine *engine;         // the only one; NULL: see below
    const struct tn_hiai_output *output; // all of its targets that are here
    uint32_t in_port;
    uint32_t count;
};

static bool is_here(const struct tn_hiai_target *target) {
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
    for (size_t i = 0; i < r.output->count; i++) {
        r.count += is_here(&r.output->targets[i]) ? 1u : 0u;
    }
    return r;
}

void tn_hiai_credit_release(struct tn_hiai_graph *graph, struct tn_hiai_credit *credit) {
    if (atomic_fetch_sub_explicit(&credit->pending, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (graph != NULL) {
        (void)tarn_channel_grant(graph->link.channel, credit->port, 1);
    }
    free(credit);
}

// A note for an engine, with its reference to the message. False: no memory.
static bool queue(struct HIAIX_Engine *engine, uint32_t in_port, void *msg,
                  struct tn_hiai_credit *credit) {
    struct tn_hiai_queued *queued = (struct tn_hiai_queued *)calloc(1, sizeof *queued);
    if (queued == NULL) {
        return false;
    }
    queued->msg = msg;
    queued->in_port = in_port;
    queued->managed = tn_hiai_object_ref(msg);
    queued->remote = true;
    queued->credit = credit;
    tn_hiai_engine_push(engine, queued);
    return true;
}

static bool queue_all(struct tn_hiai_graph *graph, const struct receivers *r, void *msg,
                      struct tn_hiai_credit *credit) {
    if (r->engine != NULL) {
        return queue(r->engine, r->in_port, msg, credit);
    }
    bool all = true;
    for (size_t i = 0; i < r->output->count; i++) {
        const struct tn_hiai_target *target = &r->output->targets[i];
        if (is_here(target) && !queue(target->engine, target->port, msg, credit)) {
            all = false;
            tn_hiai_credit_release(graph, credit);
        }
    }
    return all;
}

static struct tn_hiai_credit *new_credit(uint32_t port, uint32_t notes) {
    struct tn_hiai_credit *credit = (struct tn_hiai_credit *)malloc(sizeof *credit);
    if (credit != NULL) {
        atomic_init(&credit->pending, notes);
        credit->port = port;
    }
    return credit;
}

// What arrived as a message in care, with one reference. NULL: nobody wants it, and the block is
// freed.
static void *make_message(const tarn_delivery *delivery) {
    HIAIX_DestroyT destroy = NULL;
    void *arg = NULL;
    void *msg = delivery->code == TN_HIAI_RAW ? tn_hiai_raw_receive(delivery, &destroy)
                                              : tn_hiai_deserialize(delivery, &destroy, &arg);
    if (msg == NULL) {
        if (delivery->parcel != NULL) {
            (void)tarn_parcel_free(tn_hiai_arena(), delivery->parcel);
        }
        return NULL;
    }
    if (!tn_hiai_object_manage(msg, destroy, arg)) {
        if (destroy != NULL) {
            destroy(msg, arg);
        }
        return NULL;
    }
    return msg;
}

static void receive(struct tn_hiai_graph *graph, const tarn_delivery *delivery) {
    struct receivers r = receivers_of(graph, delivery->port);
    struct tn_hiai_credit *credit = new_credit(delivery->port, r.count);
    void *msg = make_message(delivery);
    bool good = msg != NULL && credit != NULL && queue_all(graph, &r, msg, credit);
    if (msg != NULL) {
        (void)tn_hiai_object_unref(msg); // notes have their own
    }
    if (good) {
        return;
    }
    tn_hiai_count(&graph->counters.rejected);
    tn_hiai_warn("graph %u: a message \"%s\" of the other side is lost: %s", graph->id,
                 delivery->name, credit == NULL ? "no memory" : "nobody here takes it");
    if (msg == NULL || credit == NULL || r.engine != NULL) {
        (void)tarn_channel_grant(graph->link.channel, delivery->port, 1);
        free(credit);
    }
}

static void on_message(tarn_channel *channel, const tarn_delivery *delivery, void *arg) {
    struct tn_hiai_graph *graph = (struct tn_hiai_graph *)arg;
    (void)channel;
    tn_hiai_current_graph = graph;
    if (delivery->port == OWN_PORT) {
        hear(graph, delivery);
        if (delivery->parcel != NULL) {
            (void)tarn_parcel_free(tn_hiai_arena(), delivery->parcel);
        }
    } else {
        receive(graph, delivery);
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
    if (handler != NULL) {
        (void)handler(graph->id, handler_arg);
    }
}

static HIAI_StatusT set_handler(struct tn_hiai_graph *graph, int event,
                                HIAI_StatusT (*callback)(uint32_t, void *), void *arg) {
    HIAI_StatusT status = HIAI_OK;
    if (event != HIAIX_EVENT_DISCONNECT) {
        return tn_hiai_fail(HIAI_GRAPH_INVALID_VALUE, "event %d: only 0 is known", event);
    }
    (void)pthread_mutex_lock(&graph->lock);
    if (graph->link.gone) {
        status = tn_hiai_fail(HIAI_HDC_SESSION_DEAD, "the other side of graph %u is gone already",
                              graph->id);
    } else {
        graph->on_disconnect = callback;
        graph->on_disconnect_arg = arg;
    }
    (void)pthread_mutex_unlock(&graph->lock);
    return status;
}

HIAI_StatusT HIAIX_RegisterEventHandle(uint32_t graphId, int event,
                                       HIAI_StatusT (*callback)(uint32_t graphId, void *arg),
                                       void *arg) {
    HIAI_StatusT status = HIAI_GRAPH_NOT_EXIST;
    struct tn_hiai_graph *graph = tn_hiai_graph_get(graphId);
    if (graph != NULL) {
        status = set_handler(graph, event, callback, arg);
        tn_hiai_graph_put(graph);
    }
    return tn_hiai_leave(status, __func__);
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
        if (is_here(target) && target->engine->config->queue_size < depth) {
            depth = target->engine->config->queue_size;
        }
    }
    return depth;
}

HIAI_StatusT tn_hiai_link_open_ports(struct tn_hiai_graph *graph) {
    HIAI_StatusT status = HIAI_OK;
    for (size_t i = 0; i < graph->count; i++) {
        const struct HIAIX_Engine *e = &graph->engines[i];
        for (uint32_t port = 0; e->is_local && port < e->inputs && status == HIAI_OK; port++) {
            status = open_port(graph, tn_hiai_plan_port(e, port), e->config->queue_size);
        }
    }
    for (size_t i = 0; i < graph->group_count && status == HIAI_OK; i++) {
        if (!graph->groups[i].src->is_local) {
            status =
                open_port(graph, tn_hiai_plan_group_port(graph, i), group_depth(&graph->groups[i]));
        }
    }
    return status;
}

HIAI_StatusT tn_hiai_link_begin(struct tn_hiai_graph *graph) {
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    receiver.on_message = on_message;
    receiver.on_end = on_end;
    receiver.arg = graph;
    tarn_status status = tarn_channel_open_port(graph->link.channel, OWN_PORT, OWN_DEPTH, 0);
    if (status == TARN_OK) {
        status = tarn_channel_start(graph->link.channel, &receiver);
    }
    return status == TARN_OK ? HIAI_OK : tn_hiai_fail_tarn(HIAI_GRAPH_SENDMSG_FAILED);
}

void tn_hiai_link_close(struct tn_hiai_graph *graph) {
    if (graph->link.channel != NULL) {
        tarn_status status = tarn_channel_close(graph->link.channel);
        if (status != TARN_OK) {
            tn_hiai_warn("graph %u: its channel does not close", graph->id);
        }
    }
}
