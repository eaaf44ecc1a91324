// SPDX-License-Identifier: Apache-2.0
// How messages reach engines: what sends of all kinds share.
#ifndef TARN_COMPAT_HIAI_SEND_H
#define TARN_COMPAT_HIAI_SEND_H

#include "compat/hiai/graph.h"
#include "compat/hiai/message.h"

// Gives a packet to the other side, for a port of the channel. On failure nothing has changed
// hands.
HIAI_StatusT tn_hiai_send_packet(struct tn_hiai_graph *graph, uint32_t port,
                                 const struct tn_hiai_packet *packet, uint64_t deadline);

// A note of a message for an engine here; NULL, with the failure decided: no memory. Whoever has a
// place for it may push it.
struct tn_hiai_queued *tn_hiai_queued_new(void *msg, uint32_t port);
void tn_hiai_queued_push(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued);

// Sends to an engine of any graph. ENGINE_NULL_POINTER, and as HIAI_C_SendData().
HIAI_StatusT tn_hiai_send_data(HIAI_PortID_t target, const char *name, void *msg,
                               uint64_t deadline);

// ENGINE_NULL_POINTER, INVALID_VALUE: no message, or no name for it.
HIAI_StatusT tn_hiai_check_message(const char *name, const void *msg);

#endif
