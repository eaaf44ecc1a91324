// SPDX-License-Identifier: Apache-2.0
// A link connects to a peer that shares no memory with this process, by acting as the peer of its
// channel. It reads the channel's own mailbox, writes the mirror (which takes the place of the
// peer's mailbox) and has the other end of the channel's socket. So sending, receiving, waiting and
// ending are the same code for every peer. UCX (ucx/) is the one kind; without its headers
// ucx/none.c refuses every call.
#pragma once

#include "channel/handshake.h"

struct tn_link_listener;

#define TN_LINK_SCHEME "ucx://"

static inline bool tn_link_is_address(const char *address) {
    return address != NULL && strncmp(address, TN_LINK_SCHEME, sizeof TN_LINK_SCHEME - 1) == 0;
}

// Implement the public calls for addresses of links. A successful handshake owns a link.
tarn_status tn_link_listen(const char *address, struct tn_link_listener **listener);
void tn_link_unlisten(struct tn_link_listener *listener);
tarn_status tn_link_accept(struct tn_link_listener *listener, uint64_t deadline_ns,
                           struct tn_handshake_state *h);
tarn_status tn_link_connect(const char *address, uint64_t deadline_ns,
                            struct tn_handshake_state *h);

// Sends all published descriptors, notifies the peer, and disconnects. Waits while transfers
// progress. Afterwards the link touches neither mailbox nor parcels. No lock may be held.
void tn_link_leave(struct tn_link *link);
// Frees a link that has left, or whose handshake failed.
void tn_link_free(struct tn_link *link);

// Returns a text that describes how the peer broke the protocol, or NULL if it did not.
const char *tn_link_corrupt(const struct tn_link *link);

// Called in a child of fork(): links stay with the parent.
void tn_link_close_in_child(void);
