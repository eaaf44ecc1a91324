// SPDX-License-Identifier: Apache-2.0
// The first words between two sides: each says its version and shape, then hands over descriptors
// of its arena and box, then says whether it took the other's. All within one deadline, and nothing
// of what the peer says is used before it is checked.
#ifndef TARN_CHANNEL_HANDSHAKE_H
#define TARN_CHANNEL_HANDSHAKE_H

#include <tarn/channel.h>

#include "channel/mailbox.h"

struct tn_link;

struct tn_handshake_state {
    // In.
    int socket;
    tarn_channel_desc desc; // complete: no zeros that mean defaults
    uint64_t deadline_ns;
    // Out: what the caller owns when it went well.
    struct tn_mailbox own, peer;
    struct tn_shm peer_arena;
    int pidfd; // -1: none
    int peer_pid;
    uint32_t peer_in_flight;
    struct tn_link *link; // to a peer without shared memory; then `peer` is the link's mirror
    uint64_t lands;       // then: most bytes of a parcel that the peer can take; else 0
};

// TIMED_OUT, NO_ACCESS, UNSUPPORTED, PEER_GONE, CORRUPT, NO_HOST_MEMORY, NO_ADDRESS_SPACE,
// NO_HANDLES, SYSTEM; then everything is as before, but the socket is of no more use.
tarn_status tn_handshake(struct tn_handshake_state *greeting);

// Gives back what a greeting that went well owns.
void tn_handshake_release(struct tn_handshake_state *greeting);

#endif
