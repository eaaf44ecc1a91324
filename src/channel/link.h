// SPDX-License-Identifier: Apache-2.0
// A link: the way to a peer with which this process shares no memory. To its channel a link plays
// the peer: it reads the channel's own box and writes the other one, which nobody else maps, and it
// has the other end of the channel's socket. What it finds it ships; what arrives it lands in
// parcels of the channel's own arena and puts into the box. So sending, receiving, waiting and
// ending are the same code whoever the peer is.
//
// The one kind is UCX (ucx/); without its headers all of this is refused (ucx/none.c).
#ifndef TARN_CHANNEL_LINK_H
#define TARN_CHANNEL_LINK_H

#include <string.h>
#include <tarn/channel.h>

#include "channel/handshake.h"

struct tn_link;
struct tn_link_listener;

#define TN_LINK_SCHEME "ucx://"

static inline bool tn_link_is_address(const char *address) {
    return address != NULL && strncmp(address, TN_LINK_SCHEME, sizeof TN_LINK_SCHEME - 1) == 0;
}

// As the public calls, for addresses of links. A greeting that went well owns a link.
tarn_status tn_link_listen(const char *address, struct tn_link_listener **listener);
void tn_link_unlisten(struct tn_link_listener *listener);
tarn_status tn_link_accept(struct tn_link_listener *listener, uint64_t deadline_ns,
                           struct tn_handshake_state *greeting);
tarn_status tn_link_connect(const char *address, uint64_t deadline_ns,
                            struct tn_handshake_state *greeting);

// Ships what was sent, tells the peer, and lets go of it; when this returns the link touches
// neither box nor parcel any more. Waits as long as anything moves. No lock may be held.
void tn_link_leave(struct tn_link *link);
// After that, or after a greeting that came to nothing.
void tn_link_free(struct tn_link *link);

// Why the peer broke the protocol; NULL: it did not.
const char *tn_link_corrupt(const struct tn_link *link);

// In a child of fork(): links stay with the parent.
void tn_link_close_in_child(void);

#endif
