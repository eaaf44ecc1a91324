// SPDX-License-Identifier: Apache-2.0
// A listener: a socket, or a link's listener, with an address. Constant after creation, except for
// the pending connections.
#pragma once

#include <sys/un.h>

#include "base/lock.h"
#include "channel/fork.h"
#include "channel/handshake.h"

// ---- connections that are not complete

// The connections of a listener whose handshake is not complete. All of them progress together, so
// a peer that connects and then sends nothing delays no other. They stay with the listener from one
// accept call to the next. The lock guards the table; no thread sleeps under it.

#define TN_PENDING_MAX 32

struct tn_pending {
    struct tn_mutex lock;
    int socket;         // of the listener
    unsigned acceptors; // accept calls that run
    struct tn_pending_peer {
        bool used;
        bool answered;  // its hello has come, and the handshake uses the arena of its description
        uint64_t arena; // number of that arena
        struct tn_handshake_state h;
    } peers[TN_PENDING_MAX];
};

void tn_pending_init(struct tn_pending *pending, int socket);

// Closes all connections. No thread waits.
void tn_pending_fini(struct tn_pending *pending);

// Waits until the handshake with one peer is complete, and moves its state to `h`, whose resources
// and socket the caller then owns. Peers of other users are refused at once unless the description
// allows them. Returns the failure of a peer that has answered, TIMED_OUT, NO_HANDLES,
// NO_HOST_MEMORY, or SYSTEM.
tarn_status tn_pending_accept(struct tn_pending *pending, const tarn_channel_desc *desc,
                              uint64_t deadline_ns, struct tn_handshake_state *h);

// Called in a child of fork(), under the lock: closes the child's copies of the descriptors.
void tn_pending_close_in_child(const struct tn_pending *pending);

struct tn_link_listener;

struct tarn_listener {
    int socket;                    // -1 if `link` is set
    struct tn_link_listener *link; // NULL if `socket` is set
    struct tn_fork_entry fork_entry;
    struct tn_pending pending;                              // if `link` is NULL
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; // of the socket file, or ""
};
