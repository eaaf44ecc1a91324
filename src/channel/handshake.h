// SPDX-License-Identifier: Apache-2.0
// The handshake between two sides: versions and shapes, then descriptors of arena and mailbox, then
// a verdict, all within one deadline. No value of the peer is used before it is checked.
#pragma once

#include "channel/mailbox.h"

struct tn_link;

// The message of the peer that comes next.
enum tn_handshake_stage { TN_HANDSHAKE_HELLO, TN_HANDSHAKE_DESCRIPTORS, TN_HANDSHAKE_VERDICT };

struct tn_handshake_state {
    // In.
    int socket;
    tarn_channel_desc desc; // with all defaults filled in
    uint64_t deadline_ns;
    // Progress.
    enum tn_handshake_stage stage;
    uint32_t peer_ports;
    uint32_t peer_slots;
    uint64_t peer_arena_bytes;
    uint64_t peer_prefault;
    // Out: owned by the caller on success.
    struct tn_mailbox own, peer;
    struct tn_shm peer_arena;
    int pidfd; // or -1
    int peer_pid;
    uint32_t peer_in_flight;
    struct tn_link *link;  // or NULL; with a link, `peer` is its mirror
    uint64_t peer_largest; // of a link: the largest parcel that the peer can allocate; else 0
};

// Limit of a handshake, because a peer may connect and then send nothing.
#define TN_HANDSHAKE_MAX_NS UINT64_C(5000000000)

// A handshake state over `socket`, or over a link if it is -1. Its deadline is at most
// TN_HANDSHAKE_MAX_NS away.
struct tn_handshake_state tn_handshake_state_make(int socket, const tarn_channel_desc *desc,
                                                  uint64_t deadline_ns);

// Exchanges all messages. Returns TIMED_OUT, NO_ACCESS, UNSUPPORTED, PEER_GONE, CORRUPT,
// NO_HOST_MEMORY, NO_ADDRESS_SPACE, NO_HANDLES or SYSTEM on failure. The caller then owns nothing
// new, and the socket is unusable.
tarn_status tn_handshake(struct tn_handshake_state *h);

// The same in parts, for a thread that serves several peers. tn_handshake_begin() sends the first
// message. tn_handshake_step() handles one message of the peer: call it when the socket is
// readable. It returns NOT_READY if another message must follow, or if none has come after all.
// After a failure the socket is unusable; tn_handshake_release() frees the rest.
tarn_status tn_handshake_begin(const struct tn_handshake_state *h);
tarn_status tn_handshake_step(struct tn_handshake_state *h);

// Frees the resources of a handshake, except the socket.
void tn_handshake_release(struct tn_handshake_state *h);
