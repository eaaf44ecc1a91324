// SPDX-License-Identifier: Apache-2.0
// Sends a packet over the channel. A long wait is split into steps, so that the end of the graph
// ends it.
#include "compat/hiai/send.h"

#define STEP_FIRST (20 * TN_HIAI_MS)
#define STEP_MAX   (400 * TN_HIAI_MS)

static bool may_try_again(tarn_status status) {
    return status == TARN_TIMED_OUT || status == TARN_NO_DEVICE_MEMORY;
}

// Tries at once, then in growing steps until the deadline or the end of the graph.
static tarn_status send_in_steps(struct tn_hiai_graph *graph, const tarn_message *message,
                                 uint64_t deadline) {
    tarn_status status = tarn_channel_send(graph->link.channel, message, 0);
    uint64_t left = tn_hiai_time_left(deadline);
    if (may_try_again(status) && left != 0) tn_hiai_count(&graph->counters.waits);
    for (uint64_t step = STEP_FIRST;
         may_try_again(status) && left != 0 && !tn_hiai_graph_stops(graph);
         left = tn_hiai_time_left(deadline)) {
        status = tarn_channel_send(graph->link.channel, message, left < step ? left : step);
        step = step * 2 < STEP_MAX ? step * 2 : STEP_MAX;
    }
    return status;
}

// Copies a block of a third process, then frees it, as a handover does.
static tarn_status send_third_party_block(struct tn_hiai_graph *graph, tarn_message *message,
                                          uint64_t deadline) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    tarn_status status = tarn_parcel_query(tn_hiai_arena(), message->parcel, &info);
    if (status != TARN_OK || info.start != message->parcel || message->bytes > info.bytes)
        return TARN_BAD_ADDRESS;
    message->flags = TARN_MESSAGE_COPY;
    status = send_in_steps(graph, message, deadline);
    if (status == TARN_OK) (void)tarn_parcel_free(tn_hiai_arena(), message->parcel);
    return status;
}

static tarn_status send_message(struct tn_hiai_graph *graph, tarn_message *message, bool may_copy,
                                uint64_t deadline) {
    tarn_status status = send_in_steps(graph, message, deadline);
    if (status == TARN_UNSUPPORTED) return send_third_party_block(graph, message, deadline);
    if (status == TARN_BAD_ADDRESS && may_copy) {
        message->flags = TARN_MESSAGE_COPY; // ordinary memory; a freed block is refused again
        status = send_in_steps(graph, message, deadline);
    }
    return status;
}

static HIAI_StatusT fail_size(const struct tn_hiai_packet *packet) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    if (packet->data_len > tn_hiai_largest()) return tn_hiai_fail_tarn(HIAI_GRAPH_MALLOC_LARGER);
    if (packet->data_len > tn_hiai_face.pool_bytes)
        return tn_hiai_fail_tarn(HIAI_GRAPH_NO_USEFUL_MEMORY);
    if (tarn_parcel_query(tn_hiai_arena(), packet->data, &info) != TARN_OK)
        return tn_hiai_fail_tarn(HIAI_GRAPH_INVALID_VALUE);
    return tn_hiai_fail(HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE, "%u bytes of a block of %llu",
                        packet->data_len, (unsigned long long)info.bytes);
}

static HIAI_StatusT fail_wait(struct tn_hiai_graph *graph, tarn_status status) {
    TN_HIAI_REFUSE(tn_hiai_graph_stops(graph), HIAI_QUEUE_STOPPED, "graph %u is being destroyed",
                   graph->id);
    tn_hiai_count(&graph->counters.timeouts);
    return tn_hiai_fail_tarn(status == TARN_TIMED_OUT ? HIAI_QUEUE_FULL
                                                      : HIAI_GRAPH_NO_USEFUL_MEMORY);
}

static HIAI_StatusT status_of(struct tn_hiai_graph *graph, const struct tn_hiai_packet *packet,
                              tarn_status status) {
    switch (status) {
    case TARN_OK: return HIAI_OK;
    case TARN_TIMED_OUT:
    case TARN_NO_DEVICE_MEMORY: return fail_wait(graph, status);
    case TARN_PEER_GONE:
        return tn_hiai_graph_stops(graph) ? fail_wait(graph, status)
                                          : tn_hiai_fail_tarn(HIAI_HDC_SESSION_DEAD);
    case TARN_BAD_ARGUMENT: return fail_size(packet);
    case TARN_BAD_ADDRESS:
    case TARN_BUSY: return tn_hiai_fail_tarn(HIAI_GRAPH_INVALID_VALUE);
    case TARN_NO_HOST_MEMORY: return tn_hiai_fail_tarn(HIAI_MEMORY_EXHAUSTED);
    default: return tn_hiai_fail_tarn(HIAI_GRAPH_SENDMSG_FAILED);
    }
}

HIAI_StatusT tn_hiai_send_packet(struct tn_hiai_graph *graph, uint32_t port,
                                 const struct tn_hiai_packet *packet, uint64_t deadline) {
    TN_HIAI_REFUSE(tn_hiai_graph_stops(graph), HIAI_QUEUE_STOPPED, "graph %u is being destroyed",
                   graph->id);
    tarn_message message = TARN_INIT(tarn_message);
    message.port = port;
    message.code = packet->code;
    message.name = packet->name;
    message.control = packet->ctrl_len != 0 ? packet->ctrl : NULL;
    message.control_bytes = packet->ctrl_len;
    message.parcel = packet->data;
    message.bytes = packet->data_len;
    tarn_status status = send_message(graph, &message, packet->code != TN_HIAI_RAW, deadline);
    return status_of(graph, packet, status);
}
