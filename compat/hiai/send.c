// SPDX-License-Identifier: Apache-2.0
// Sends to one engine. A local engine gets the pointer in its queue, a remote one gets a packet.
#include "compat/hiai/send.h"

#include <stdlib.h>
#include <string.h>

#include "compat/hiai/message.h"

static _Atomic(uint32_t) default_timeout_ms;

// ---- local engines

struct tn_hiai_queued *tn_hiai_queued_new(const struct HIAIX_Message *message, uint32_t port) {
    struct tn_hiai_queued *queued = (struct tn_hiai_queued *)calloc(1, sizeof *queued);
    if (queued == NULL || !tn_hiai_share(message, &queued->message)) {
        free(queued);
        (void)tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory for a queued message");
        return NULL;
    }
    queued->in_port = port;
    return queued;
}

void tn_hiai_queued_push(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued) {
    tn_hiai_count(&engine->graph->counters.local_sends);
    tn_hiai_engine_push(engine, queued);
}

static HIAI_StatusT send_locally(struct HIAIX_Engine *engine, uint32_t port,
                                 const struct HIAIX_Message *message, uint64_t deadline) {
    struct tn_hiai_queued *queued = tn_hiai_queued_new(message, port);
    if (queued == NULL) return HIAI_MEMORY_EXHAUSTED;
    HIAI_StatusT status = tn_hiai_engine_reserve(engine, port, deadline);
    if (status == HIAI_OK)
        tn_hiai_queued_push(engine, queued);
    else
        tn_hiai_queued_free(queued);
    return status;
}

// ---- to one engine

static HIAI_StatusT check_port(const struct HIAIX_Engine *engine, uint32_t port) {
    return port < engine->inputs
               ? HIAI_OK
               : tn_hiai_fail(HIAI_PORT_ID_NOT_EXIST, "engine %u has %u input ports, no port %u",
                              engine->config->id, engine->inputs, port);
}

HIAI_StatusT tn_hiai_check_message(const char *name, const void *msg) {
    TN_HIAI_REFUSE(msg == NULL, HIAI_ENGINE_NULL_POINTER, "the message is NULL");
    TN_HIAI_REFUSE(name == NULL || name[0] == '\0' ||
                       strnlen(name, TARN_MESSAGE_NAME_MAX + 1) > TARN_MESSAGE_NAME_MAX,
                   HIAI_GRAPH_INVALID_VALUE, "messageName is \"%.80s\", allowed are 1 to %u bytes",
                   name != NULL ? name : "(NULL)", TARN_MESSAGE_NAME_MAX);
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_send_data(HIAI_PortID_t target, const char *name,
                               const struct HIAIX_Message *message, uint64_t deadline) {
    TN_HIAI_GRAPH(graph, target.graph_id);
    struct HIAIX_Engine *engine = tn_hiai_graph_engine(graph, target.engine_id);
    if (engine == NULL) return HIAI_GRAPH_ENGINE_NOT_EXIST;
    TN_HIAI_TRY(tn_hiai_check_message(name, message->msg));
    TN_HIAI_TRY(check_port(engine, target.port_id));
    if (engine->is_local) return send_locally(engine, target.port_id, message, deadline);
    struct tn_hiai_packet packet;
    TN_HIAI_TRY(tn_hiai_packet_write(&packet, name, message->msg));
    HIAI_StatusT status =
        tn_hiai_send_packet(graph, tn_hiai_plan_port(engine, target.port_id), &packet, deadline);
    tn_hiai_packet_free(&packet);
    return status;
}

TN_HIAI_FUNCTION(HIAIX_SendData, HIAI_PortID_t, target, const char *, messageName, void *, dataPtr,
                 uint32_t, timeOut) {
    const struct HIAIX_Message message = {dataPtr, NULL, NULL};
    return tn_hiai_send_data(target, messageName, &message, tn_hiai_deadline(tn_hiai_ns(timeOut)));
}

TN_HIAI_FUNCTION(HIAIX_SendMessage, HIAI_PortID_t, target, const char *, messageName,
                 const struct HIAIX_Message *, message, uint32_t, timeOut) {
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(timeOut));
    TN_HIAI_REFUSE(message == NULL, HIAI_GRAPH_INVALID_VALUE, "message is NULL");
    return tn_hiai_send_data(target, messageName, message, deadline);
}

TN_HIAI_FUNCTION(HIAIX_SetDefaultSendTimeout, uint32_t, ms) {
    atomic_store_explicit(&default_timeout_ms, ms, memory_order_relaxed);
    return HIAI_OK;
}

TN_HIAI_FUNCTION(HIAI_C_SendData, HIAI_PortID_t, targetPortConfig, const char *, messageName,
                 size_t, len, void *, dataPtr) {
    uint32_t ms = atomic_load_explicit(&default_timeout_ms, memory_order_relaxed);
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(ms));
    const char *name = messageName;
    char copy[TARN_MESSAGE_NAME_MAX + 2]; // one byte more than allowed: a long name is refused
    if (messageName != NULL && len != 0) {
        size_t length = strnlen(messageName, len < sizeof copy ? len : sizeof copy - 1);
        memcpy(copy, messageName, length);
        copy[length] = '\0';
        name = copy;
    }
    struct HIAIX_Message message = {dataPtr, NULL, NULL};
    return tn_hiai_send_data(targetPortConfig, name, &message, deadline);
}

// ---- raw messages

static HIAI_StatusT send_raw_locally(struct HIAIX_Engine *engine, uint32_t port,
                                     const struct tn_hiai_packet *packet, uint64_t deadline) {
    HIAIX_DestroyT destroy;
    HIAIX_RawMessage *raw = tn_hiai_raw_local(packet, &destroy);
    if (raw == NULL || !tn_hiai_object_manage(raw, destroy, NULL)) {
        free(raw);
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory for %u control bytes",
                            packet->ctrl_len);
    }
    struct HIAIX_Message message = {raw, NULL, NULL};
    HIAI_StatusT status = send_locally(engine, port, &message, deadline);
    (void)tn_hiai_object_unref(raw); // the queue has its own reference
    return status;
}

TN_HIAI_FUNCTION(HIAIX_SendRaw, HIAI_PortID_t, target, const char *, messageName, const void *,
                 ctrl, uint32_t, ctrlLen, void *, data, uint32_t, dataLen, uint32_t, timeOut) {
    uint64_t deadline = tn_hiai_deadline(tn_hiai_ns(timeOut));
    struct tn_hiai_packet packet; // its buffer is unused, and so stays as it is
    packet.name = messageName;
    packet.ctrl = ctrl;
    packet.ctrl_len = ctrlLen;
    packet.data = dataLen != 0 ? data : NULL;
    packet.data_len = data != NULL ? dataLen : 0;
    packet.code = TN_HIAI_RAW;
    packet.large = NULL;
    packet.release = NULL;
    TN_HIAI_GRAPH(graph, target.graph_id);
    TN_HIAI_TRY(tn_hiai_check_message(messageName, &packet));
    struct HIAIX_Engine *engine = tn_hiai_graph_engine(graph, target.engine_id);
    if (engine == NULL) return HIAI_GRAPH_ENGINE_NOT_EXIST;
    TN_HIAI_TRY(check_port(engine, target.port_id));
    TN_HIAI_REFUSE(ctrl == NULL && ctrlLen != 0, HIAI_GRAPH_INVALID_VALUE,
                   "ctrl is NULL but ctrlLen is %u", ctrlLen);
    TN_HIAI_REFUSE(ctrlLen > TARN_MESSAGE_CONTROL_MAX, HIAI_GRAPH_DATA_SIZE_WRONG,
                   "%u control bytes, at most %llu", ctrlLen,
                   (unsigned long long)TARN_MESSAGE_CONTROL_MAX);
    return engine->is_local ? send_raw_locally(engine, target.port_id, &packet, deadline)
                            : tn_hiai_send_packet(graph, tn_hiai_plan_port(engine, target.port_id),
                                                  &packet, deadline);
}
