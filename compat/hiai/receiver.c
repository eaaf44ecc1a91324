// SPDX-License-Identifier: Apache-2.0
// Receivers: functions that get the messages which engines of this side send to output ports. They
// run in the sender's thread, several at the same time. The graph's lock guards the replacement.
#include <stdlib.h>

#include "compat/face/scope.h"
#include "compat/hiai/graph.h"
#include "src/base/list.h"

void tn_hiai_receiver_call(struct HIAIX_Engine *engine, const struct tn_hiai_output *output,
                           const struct HIAIX_Message *message) {
    const struct tn_hiai_receiver *receiver =
        atomic_load_explicit(&output->receiver, memory_order_acquire);
    if (receiver == NULL) return;
    HIAI_StatusT status = receiver->plain != NULL ? receiver->plain(message->msg)
                                                  : receiver->receive(message, receiver->arg);
    tn_hiai_count(&engine->graph->counters.local_sends);
    if (status != HIAI_OK) {
        tn_hiai_warn("the receiver at an output port of engine %u returned 0x%08x",
                     engine->config->id, status);
    }
}

void tn_hiai_receivers_free(struct tn_hiai_output *output) {
    struct tn_hiai_receiver *last =
        atomic_exchange_explicit(&output->receiver, NULL, memory_order_relaxed);
    TN_CHAIN_DRAIN(struct tn_hiai_receiver, receiver, last, next) {
        if (receiver->drop != NULL) receiver->drop(receiver->arg);
        free(receiver);
    }
}

bool tn_hiai_leads_to_other_graph(const struct tn_hiai_output *output) {
    return output->count == 1 && output->targets[0].engine == NULL;
}

static HIAI_StatusT set_receiver(HIAI_PortID_t port, const struct tn_hiai_receiver *values) {
    TN_HIAI_REFUSE(values->plain == NULL && values->receive == NULL,
                   HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL, "the receiver is NULL");
    TN_HIAI_GRAPH(graph, port.graph_id);
    struct HIAIX_Engine *engine = tn_hiai_graph_engine(graph, port.engine_id);
    if (engine == NULL) return HIAI_GRAPH_ENGINE_NOT_EXIST;
    TN_HIAI_REFUSE(!engine->is_local, HIAI_GRAPH_ENGINE_NOT_EXIST, "engine %u is on the other side",
                   port.engine_id);
    TN_HIAI_REFUSE(!tn_hiai_has_output(engine, port.port_id), HIAI_PORT_ID_ERROR,
                   "engine %u has %u output ports, no port %u", port.engine_id, engine->outputs,
                   port.port_id);
    struct tn_hiai_output *output = &engine->output[port.port_id];
    TN_HIAI_REFUSE(tn_hiai_leads_to_other_graph(output), HIAI_PORT_ID_ERROR,
                   "port %u of engine %u leads to another graph", port.port_id, port.engine_id);
    struct tn_hiai_receiver *receiver = (struct tn_hiai_receiver *)malloc(sizeof *receiver);
    TN_HIAI_REFUSE(receiver == NULL, HIAI_MEMORY_EXHAUSTED, "out of memory for a receiver");
    *receiver = *values;
    TN_FACE_LOCKED(&graph->lock);
    receiver->next = atomic_load_explicit(&output->receiver, memory_order_relaxed);
    atomic_store_explicit(&output->receiver, receiver, memory_order_release);
    return HIAI_OK;
}

HIAI_StatusT HIAI_SetDataRecvFunctor(HIAI_PortID_t targetPortConfig,
                                     HIAI_RecvDataCallbackT recvCallback) {
    struct tn_hiai_receiver values = {.plain = recvCallback};
    return TN_HIAI_CALL(set_receiver(targetPortConfig, &values));
}

HIAI_StatusT HIAIX_SetReceiver(HIAI_PortID_t port, HIAIX_ReceiveT receive, void *arg,
                               void (*drop)(void *arg)) {
    struct tn_hiai_receiver values = {.receive = receive, .arg = arg, .drop = drop};
    return TN_HIAI_CALL(set_receiver(port, &values));
}
