// SPDX-License-Identifier: Apache-2.0
// Sends from an output port of an engine, to all that it is connected to. Targets of this side
// first get a place each; when the other side has taken its message they get theirs.
#include "compat/hiai/send.h"

#include <stdlib.h>

// A send on its way.
struct fan {
    struct HIAIX_Engine *self;
    const struct tn_hiai_output *output;
    const char *name;
    void *msg;
    uint64_t deadline;
    struct tn_hiai_queued **pending; // for each target: with a place; NULL: none
};

static void give_up_places(const struct fan *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->pending[i] != NULL) {
            const struct tn_hiai_target *target = &fan->output->targets[i];
            tn_hiai_engine_unreserve(target->engine, target->port);
            free(fan->pending[i]);
        }
    }
}

static HIAI_StatusT take_places(const struct fan *fan) {
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
        give_up_places(fan);
    }
    return status;
}

static void fill_places(const struct fan *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->pending[i] != NULL) {
            tn_hiai_queued_push(fan->output->targets[i].engine, fan->pending[i]);
        }
    }
}

// Does anybody but the other side of this graph get the message?
static bool stays_too(const struct fan *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->output->targets[i].engine->is_local) {
            return true;
        }
    }
    return atomic_load_explicit(&fan->output->callback, memory_order_relaxed) != NULL;
}

// A block that is handed over, but needed here too, gets one hold more. NULL: none does.
static void *hold(const struct fan *fan, const struct tn_hiai_packet *packet) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (packet->data == NULL || !stays_too(fan) ||
        tarn_parcel_query(tn_hiai_arena(), packet->data, &info) != TARN_OK ||
        info.start != packet->data || info.policy != TARN_PARCEL_AUTO ||
        info.state == TARN_PARCEL_RECEIVED ||
        tarn_parcel_hold(tn_hiai_arena(), packet->data) != TARN_OK) {
        return NULL;
    }
    return packet->data;
}

static HIAI_StatusT cross(const struct fan *fan) {
    struct tn_hiai_packet packet;
    if (fan->output->remote_port == 0) {
        return HIAI_OK;
    }
    HIAI_StatusT status = tn_hiai_packet_write(&packet, fan->name, fan->msg);
    if (status != HIAI_OK) {
        return status;
    }
    void *held = hold(fan, &packet);
    status =
        tn_hiai_send_packet(fan->self->graph, fan->output->remote_port, &packet, fan->deadline);
    if (status != HIAI_OK && held != NULL) {
        (void)tarn_parcel_free(tn_hiai_arena(), held);
    }
    tn_hiai_packet_free(&packet);
    return status;
}

// To another graph: then to nobody else.
static HIAI_StatusT send_abroad(const struct fan *fan) {
    const struct tn_hiai_target *target = &fan->output->targets[0];
    HIAI_PortID_t to = {target->graph_id, target->engine_id, target->port};
    return tn_hiai_send_data(to, fan->name, fan->msg, fan->deadline);
}

static bool leads_abroad(const struct tn_hiai_output *output) {
    return output->count == 1 && output->targets[0].engine == NULL;
}

static HIAI_StatusT send_fan(struct fan *fan) {
    size_t count = fan->output->count;
    fan->pending =
        (struct tn_hiai_queued **)calloc(count != 0 ? count : 1, sizeof(struct tn_hiai_queued *));
    if (fan->pending == NULL) {
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "a send to %zu engines", count);
    }
    HIAI_StatusT status = take_places(fan);
    if (status == HIAI_OK) {
        status = cross(fan);
        if (status == HIAI_OK) {
            fill_places(fan);
        } else {
            give_up_places(fan);
        }
    }
    free(fan->pending);
    return status;
}

static void call_back(const struct fan *fan) {
    HIAI_RecvDataCallbackT callback =
        atomic_load_explicit(&fan->output->callback, memory_order_acquire);
    if (callback != NULL) {
        HIAI_StatusT status = callback(fan->msg);
        tn_hiai_count(&fan->self->graph->counters.local_sends);
        if (status != HIAI_OK) {
            tn_hiai_warn("the function at an output port of engine %u answered 0x%08x",
                         fan->self->config->id, status);
        }
    }
}

static HIAI_StatusT engine_send(HIAIX_Engine *self, uint32_t port, const char *name, void *msg,
                                uint64_t deadline) {
    if (self == NULL) {
        return tn_hiai_fail(HIAI_ENGINE_NULL_POINTER, "the engine is NULL");
    }
    HIAI_StatusT status = tn_hiai_check_message(name, msg);
    if (status != HIAI_OK) {
        return status;
    }
    const struct tn_hiai_output *output = port < self->outputs ? &self->output[port] : NULL;
    if (output == NULL || (output->count == 0 &&
                           atomic_load_explicit(&output->callback, memory_order_relaxed) == NULL)) {
        return tn_hiai_fail(HIAI_GRAPH_SRC_PORT_NOT_EXIST,
                            output != NULL ? "nothing is connected to port %u of engine %u"
                                           : "no output port %u of engine %u",
                            port, self->config->id);
    }
    struct fan fan = {self, output, name, msg, deadline, NULL};
    if (leads_abroad(output)) {
        return send_abroad(&fan);
    }
    status = send_fan(&fan);
    if (status == HIAI_OK) {
        call_back(&fan);
    }
    return status;
}

HIAI_StatusT HIAIX_EngineSendData(HIAIX_Engine *self, uint32_t outPort, const char *messageName,
                                  void *dataPtr, uint32_t timeOut) {
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
        return tn_hiai_fail(HIAI_GRAPH_ENGINE_NOT_EXIST, "engine %u runs on the other side",
                            port.engine_id);
    }
    if (port.port_id >= engine->outputs) {
        return tn_hiai_fail(HIAI_PORT_ID_ERROR, "engine %u has %u output ports, no port %u",
                            port.engine_id, engine->outputs, port.port_id);
    }
    if (leads_abroad(&engine->output[port.port_id])) {
        return tn_hiai_fail(HIAI_PORT_ID_ERROR, "port %u of engine %u leads to another graph",
                            port.port_id, port.engine_id);
    }
    atomic_store_explicit(&engine->output[port.port_id].callback, callback, memory_order_release);
    return HIAI_OK;
}

HIAI_StatusT HIAI_SetDataRecvFunctor(HIAI_PortID_t targetPortConfig,
                                     HIAI_RecvDataCallbackT recvCallback) {
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
