// SPDX-License-Identifier: Apache-2.0
// The functions that all kinds of sends share. Any thread may call them.
#pragma once

#include "compat/hiai/graph.h"
#include "compat/hiai/message.h"

// Sends a packet to a port of the channel. After a failure the caller still owns the data.
HIAI_StatusT tn_hiai_send_packet(struct tn_hiai_graph *graph, uint32_t port,
                                 const struct tn_hiai_packet *packet, uint64_t deadline);

// Makes a queue entry of a message for a local engine, with a share of its own. If out of memory,
// records the failure and returns NULL.
struct tn_hiai_queued *tn_hiai_queued_new(const struct HIAIX_Message *message, uint32_t port);
// Queues an entry for which a place is reserved.
void tn_hiai_queued_push(struct HIAIX_Engine *engine, struct tn_hiai_queued *queued);

// Sends to an engine of any graph. Returns ENGINE_NULL_POINTER, and as HIAI_C_SendData().
HIAI_StatusT tn_hiai_send_data(HIAI_PortID_t target, const char *name,
                               const struct HIAIX_Message *message, uint64_t deadline);

// Returns ENGINE_NULL_POINTER without a message, or INVALID_VALUE without a valid name.
HIAI_StatusT tn_hiai_check_message(const char *name, const void *msg);
