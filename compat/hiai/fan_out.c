// SPDX-License-Identifier: Apache-2.0
// Sends from an output port of an engine to all of its targets. First it reserves a place for each
// local target. Once the other side has accepted the message, it fills the places.
#include "compat/hiai/send.h"

#include <stdlib.h>

struct fan_out {
    struct HIAIX_Engine *self;
    const struct tn_hiai_output *output;
    const char *name;
    const struct HIAIX_Message *message;
    uint64_t deadline;
    struct tn_hiai_queued **pending; // for each target: an entry with a place, or NULL
};

static void free_places(const struct fan_out *fan) {
    for (size_t i = 0; i < fan->output->count; i++) {
        if (fan->pending[i] != NULL) {
            const struct tn_hiai_target *target = &fan->output->targets[i];
            tn_hiai_engine_unreserve(target->engine, target->port);
            tn_hiai_queued_free(fan->pending[i]);
        }
    }
}

static HIAI_StatusT reserve_places(const struct fan_out *fan) {
    HIAI_StatusT status = HIAI_OK;
    for (size_t i = 0; i < fan->output->count && status == HIAI_OK; i++) {
        const struct tn_hiai_target *target = &fan->output->targets[i];
        if (!target->engine->is_local) continue;
        struct tn_hiai_queued *queued = tn_hiai_queued_new(fan->message, target->port);
        status = queued != NULL
                     ? tn_hiai_engine_reserve(target->engine, target->port, fan->deadline)
                     : HIAI_MEMORY_EXHAUSTED;
        if (status == HIAI_OK)
            fan->pending[i] = queued;
        else if (queued != NULL)
            tn_hiai_queued_free(queued);
    }
    if (status != HIAI_OK) free_places(fan);
    return status;
}

static bool has_receiver(const struct tn_hiai_output *output) {
    return atomic_load_explicit(&output->receiver, memory_order_relaxed) != NULL;
}

// Returns true if a local engine or a receiver also gets the message.
static bool is_needed_locally(const struct fan_out *fan) {
    for (size_t i = 0; i < fan->output->count; i++)
        if (fan->output->targets[i].engine->is_local) return true;
    return has_receiver(fan->output);
}

// Adds a hold to a block that is handed over but also needed locally. Otherwise returns NULL.
static void *hold_block(const struct fan_out *fan, const struct tn_hiai_packet *packet) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (packet->data == NULL || !is_needed_locally(fan) ||
        tarn_parcel_query(tn_hiai_arena(), packet->data, &info) != TARN_OK ||
        info.start != packet->data || info.policy != TARN_PARCEL_AUTO ||
        info.state == TARN_PARCEL_RECEIVED ||
        tarn_parcel_hold(tn_hiai_arena(), packet->data) != TARN_OK)
        return NULL;
    return packet->data;
}

static HIAI_StatusT send_to_other_side(const struct fan_out *fan) {
    struct tn_hiai_packet packet;
    if (fan->output->remote_port == 0) return HIAI_OK;
    TN_HIAI_TRY(tn_hiai_packet_write(&packet, fan->name, fan->message->msg));
    void *held = hold_block(fan, &packet);
    HIAI_StatusT status =
        tn_hiai_send_packet(fan->self->graph, fan->output->remote_port, &packet, fan->deadline);
    if (status != HIAI_OK && held != NULL) (void)tarn_parcel_free(tn_hiai_arena(), held);
    tn_hiai_packet_free(&packet);
    return status;
}

static HIAI_StatusT send_to_all(struct fan_out *fan) {
    size_t count = fan->output->count;
    fan->pending =
        (struct tn_hiai_queued **)calloc(count != 0 ? count : 1, sizeof(struct tn_hiai_queued *));
    TN_HIAI_REFUSE(fan->pending == NULL, HIAI_MEMORY_EXHAUSTED,
                   "out of memory for a send to %zu engines", count);
    HIAI_StatusT status = reserve_places(fan);
    if (status == HIAI_OK) {
        status = send_to_other_side(fan);
        if (status == HIAI_OK) {
            for (size_t i = 0; i < count; i++)
                if (fan->pending[i] != NULL)
                    tn_hiai_queued_push(fan->output->targets[i].engine, fan->pending[i]);
        } else {
            free_places(fan);
        }
    }
    free(fan->pending);
    return status;
}

static HIAI_StatusT engine_send(HIAIX_Engine *self, uint32_t port, const char *name,
                                const struct HIAIX_Message *message, uint64_t deadline) {
    TN_HIAI_REFUSE(self == NULL, HIAI_ENGINE_NULL_POINTER, "self is NULL");
    TN_HIAI_TRY(tn_hiai_check_message(name, message->msg));
    const struct tn_hiai_output *output =
        tn_hiai_has_output(self, port) ? &self->output[port] : NULL;
    TN_HIAI_REFUSE(output == NULL || (output->count == 0 && !has_receiver(output)),
                   HIAI_GRAPH_SRC_PORT_NOT_EXIST,
                   output != NULL ? "output port %u of engine %u has no target"
                                  : "there is no output port %u of engine %u",
                   port, self->config->id);
    TN_HIAI_REFUSE(tn_hiai_graph_stops(self->graph), HIAI_QUEUE_STOPPED,
                   "graph %u is being destroyed", self->graph->id);
    if (tn_hiai_leads_to_other_graph(output)) {
        const struct tn_hiai_target *only = &output->targets[0];
        HIAI_PortID_t to = {only->graph_id, only->engine_id, only->port};
        return tn_hiai_send_data(to, name, message, deadline);
    }
    struct fan_out fan = {self, output, name, message, deadline, NULL};
    TN_HIAI_TRY(send_to_all(&fan));
    tn_hiai_receiver_call(self, output, message);
    return HIAI_OK;
}

HIAI_StatusT HIAIX_EngineSendData(HIAIX_Engine *self, uint32_t outPort, const char *messageName,
                                  void *dataPtr, uint32_t timeOut) {
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(timeOut));
    struct HIAIX_Message message = {dataPtr, NULL, NULL};
    return TN_HIAI_CALL(engine_send(self, outPort, messageName, &message, deadline));
}

TN_HIAI_FUNCTION(HIAIX_EngineSendMessage, HIAIX_Engine *, self, uint32_t, outPort, const char *,
                 messageName, const struct HIAIX_Message *, message, uint32_t, timeOut) {
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(timeOut));
    TN_HIAI_REFUSE(message == NULL, HIAI_GRAPH_INVALID_VALUE, "message is NULL");
    return engine_send(self, outPort, messageName, message, deadline);
}
