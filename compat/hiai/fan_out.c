// SPDX-License-Identifier: Apache-2.0
// Sends from an output port of an engine to all of its targets. First it reserves a place for each
// local target. Once the other side has accepted the message, it fills the places.
#include "compat/hiai/send.h"

#include <stdlib.h>

struct fan_out {
    struct HIAIX_Engine *self;
    const struct tn_hiai_output *output;
    const char *name;
    void *msg;
    uint64_t deadline;
    struct tn_hiai_queued **pending; // for each target: an entry with a place, or NULL
};

static void free_places(const struct fan_out *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->pending[i] != NULL) {
            const struct tn_hiai_target *target = &fan->output->targets[i];
            tn_hiai_engine_unreserve(target->engine, target->port);
            free(fan->pending[i]);
        }
    }
}

static HIAI_StatusT reserve_places(const struct fan_out *fan) {
    HIAI_StatusT status = HIAI_OK;
    for (size_t i = 0; i < fan->output->count && status == HIAI_OK; i++) {
        const struct tn_hiai_target *target = &fan->output->targets[i];
        if (!target->engine->is_local) {
            continue;
        }
        struct tn_hiai_queued *queued = tn_hiai_queued_new(fan->msg, target->port);
        status = queued != NULL
                     ? tn_hiai_engine_reserve(target->engine, target->port, fan->deadline)
                     : HIAI_MEMORY_EXHAUSTED;
        if (status == HIAI_OK) {
            fan->pending[i] = queued;
        } else {
            free(queued);
        }
    }
    if (status != HIAI_OK) {
        free_places(fan);
    }
    return status;
}

static void fill_places(const struct fan_out *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->pending[i] != NULL) {
            tn_hiai_queued_push(fan->output->targets[i].engine, fan->pending[i]);
        }
    }
}

// Returns true if a local engine or a callback also gets the message.
static bool is_needed_locally(const struct fan_out *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->output->targets[i].engine->is_local) {
            return true;
        }
    }
    return atomic_load_explicit(&fan->output->callback, memory_order_relaxed) != NULL;
}

// Adds a hold to a block that is handed over but also needed locally. Otherwise returns NULL.
static void *hold_block(const struct fan_out *fan, const struct tn_hiai_packet *packet) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (packet->data == NULL || !is_needed_locally(fan) ||
        tarn_parcel_query(tn_hiai_arena(), packet->data, &info) != TARN_OK ||
        info.start != packet->data || info.policy != TARN_PARCEL_AUTO ||
        info.state == TARN_PARCEL_RECEIVED ||
        tarn_parcel_hold(tn_hiai_arena(), packet->data) != TARN_OK) {
        return NULL;
    }
    return packet->data;
}

static HIAI_StatusT send_to_other_side(const struct fan_out *fan) {
    struct tn_hiai_packet packet;
    if (fan->output->remote_port == 0) {
        return HIAI_OK;
    }
    TN_HIAI_TRY(tn_hiai_packet_write(&packet, fan->name, fan->msg));
    void *held = hold_block(fan, &packet);
    HIAI_StatusT status =
        tn_hiai_send_packet(fan->self->graph, fan->output->remote_port, &packet, fan->deadline);
    if (status != HIAI_OK && held != NULL) {
        (void)tarn_parcel_free(tn_hiai_arena(), held);
    }
    tn_hiai_packet_free(&packet);
    return status;
}

// An output that leads to another graph has no other target.
static HIAI_StatusT send_to_other_graph(const struct fan_out *fan) {
    const struct tn_hiai_target *target = &fan->output->targets[0];
    HIAI_PortID_t to = {target->graph_id, target->engine_id, target->port};
    return tn_hiai_send_data(to, fan->name, fan->msg, fan->deadline);
}

static bool leads_to_other_graph(const struct tn_hiai_output *output) {
    return output->count == 1 && output->targets[0].engine == NULL;
}

static HIAI_StatusT send_to_all(struct fan_out *fan) {
    size_t count = fan->output->count;
    fan->pending =
        (struct tn_hiai_queued **)calloc(count != 0 ? count : 1, sizeof(struct tn_hiai_queued *));
    if (fan->pending == NULL) {
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory for a send to %zu engines",
                            count);
    }
    HIAI_StatusT status = reserve_places(fan);
    if (status == HIAI_OK) {
        status = send_to_other_side(fan);
        if (status == HIAI_OK) {
            fill_places(fan);
        } else {
            free_places(fan);
        }
    }
    free(fan->pending);
    return status;
}

static void run_callback(const struct fan_out *fan) {
    HIAI_RecvDataCallbackT callback =
        atomic_load_explicit(&fan->output->callback, memory_order_acquire);
    if (callback != NULL) {
        HIAI_StatusT status = callback(fan->msg);
        tn_hiai_count(&fan->self->graph->counters.local_sends);
        if (status != HIAI_OK) {
            tn_hiai_warn("the callback at an output port of engine %u returned 0x%08x",
                         fan->self->config->id, status);
        }
    }
}

static HIAI_StatusT engine_send(HIAIX_Engine *self, uint32_t port, const char *name, void *msg,
                                uint64_t deadline) {
    if (self == NULL) {
        return tn_hiai_fail(HIAI_ENGINE_NULL_POINTER, "self is NULL");
    }
    TN_HIAI_TRY(tn_hiai_check_message(name, msg));
    const struct tn_hiai_output *output = port < self->outputs ? &self->output[port] : NULL;
    if (output == NULL || (output->count == 0 &&
                           atomic_load_explicit(&output->callback, memory_order_relaxed) == NULL)) {
        return tn_hiai_fail(HIAI_GRAPH_SRC_PORT_NOT_EXIST,
                            output != NULL ? "output port %u of engine %u has no target"
                                           : "there is no output port %u of engine %u",
                            port, self->config->id);
    }
    struct fan_out fan = {self, output, name, msg, deadline, NULL};
    if (leads_to_other_graph(output)) {
        return send_to_other_graph(&fan);
    }
    HIAI_StatusT status = send_to_all(&fan);
    if (status == HIAI_OK) {
        run_callback(&fan);
    }
    return status;
}

HIAI_StatusT HIAIX_EngineSendData(HIAIX_Engine *self, uint32_t outPort, const char *messageName,
                                  void *dataPtr, uint32_t timeOut) {
    TN_HIAI_POINT(injected);
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(timeOut));
    return tn_hiai_leave(engine_send(self, outPort, messageName, dataPtr, deadline), __func__);
}

// ---- callbacks at output ports

static HIAI_StatusT set_functor(struct tn_hiai_graph *graph, HIAI_PortID_t port,
                                HIAI_RecvDataCallbackT callback) {
    struct HIAIX_Engine *engine = tn_hiai_graph_engine(graph, port.engine_id);
    if (engine == NULL) {
        return HIAI_GRAPH_ENGINE_NOT_EXIST;
    }
    if (!engine->is_local) {
        return tn_hiai_fail(HIAI_GRAPH_ENGINE_NOT_EXIST, "engine %u is on the other side",
                            port.engine_id);
    }
    if (port.port_id >= engine->outputs) {
        return tn_hiai_fail(HIAI_PORT_ID_ERROR, "engine %u has %u output ports, no port %u",
                            port.engine_id, engine->outputs, port.port_id);
    }
    if (leads_to_other_graph(&engine->output[port.port_id])) {
        return tn_hiai_fail(HIAI_PORT_ID_ERROR, "port %u of engine %u leads to another graph",
                            port.port_id, port.engine_id);
    }
    atomic_store_explicit(&engine->output[port.port_id].callback, callback, memory_order_release);
    return HIAI_OK;
}

HIAI_StatusT HIAI_SetDataRecvFunctor(HIAI_PortID_t targetPortConfig,
                                     HIAI_RecvDataCallbackT recvCallback) {
    TN_HIAI_POINT(injected);
    HIAI_StatusT status = HIAI_GRAPH_NOT_EXIST;
    if (recvCallback == NULL) {
        status = tn_hiai_fail(HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL, "recvCallback is NULL");
        return tn_hiai_leave(status, __func__);
    }
    struct tn_hiai_graph *graph = tn_hiai_graph_get(targetPortConfig.graph_id);
    if (graph != NULL) {
        status = set_functor(graph, targetPortConfig, recvCallback);
        tn_hiai_graph_put(graph);
    }
    return tn_hiai_leave(status, __func__);
}
