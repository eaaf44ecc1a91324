// SPDX-License-Identifier: Apache-2.0
// The handshake between two sides: versions and shapes, then descriptors of arena and mailbox, then
// a verdict, all within one deadline. No value of the peer is used before it is checked.
#ifndef TARN_CHANNEL_HANDSHAKE_H
#define TARN_CHANNEL_HANDSHAKE_H

#include <tarn/channel.h>

#include "channel/mailbox.h"

struct tn_link;

struct tn_handshake_state {
    // In.
    int socket;
    tarn_channel_desc desc; // with all defaults filled in
    uint64_t deadline_ns;
    // Out: owned by the caller on success.
    struct tn_mailbox own, peer;
    struct tn_shm peer_arena;
    int pidfd; // or -1
    int peer_pid;
    uint32_t peer_in_flight;
    struct tn_link *link;  // or NULL; with a link, `peer` is its mirror
    uint64_t peer_largest; // of a link: the largest parcel that the peer can allocate; else 0
};

// Returns TIMED_OUT, NO_ACCESS, UNSUPPORTED, PEER_GONE, CORRUPT, NO_HOST_MEMORY, NO_ADDRESS_SPACE,
// NO_HANDLES or SYSTEM on failure. The caller then owns nothing new, and the socket is unusable.
tarn_status tn_handshake(struct tn_handshake_state *h);

// Frees the resources of a successful handshake.
void tn_handshake_release(struct tn_handshake_state *h);

#endif
