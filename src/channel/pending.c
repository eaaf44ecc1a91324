// SPDX-License-Identifier: Apache-2.0
// An accept call repeats three steps until one handshake is complete: it accepts new
// connections, sleeps until a socket is readable, and handles one message of each readable peer.
#include "channel/listen.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/uncancelled.h"
#include "channel/arena.h"

// How long one of several accept calls sleeps, because another one may have changed the table.
#define SHARED_SLEEP_NS 10000000

void tn_pending_init(struct tn_pending *pending, int socket) {
    tn_mutex_init(&pending->lock, TN_RANK_CHANNEL_PENDING, "connections of a listener");
    pending->socket = socket;
}

static void drop_peer(struct tn_pending_peer *peer) {
    TARN_ASSERT(peer->used && peer->h.socket >= 0);
    tn_close(peer->h.socket);
    tn_handshake_release(&peer->h);
    peer->used = false;
}

void tn_pending_fini(struct tn_pending *pending) {
    TARN_ASSERT(pending->acceptors == 0);
    for (size_t i = 0; i < TN_PENDING_MAX; i++)
        if (pending->peers[i].used) drop_peer(&pending->peers[i]);
    tn_mutex_fini(&pending->lock);
}

void tn_pending_close_in_child(const struct tn_pending *pending) {
    for (size_t i = 0; i < TN_PENDING_MAX; i++)
        if (pending->peers[i].used) tn_close(pending->peers[i].h.socket);
}

// ---- new connections

// Returns a free entry, or that of the connection that has waited longest, of those that have sent
// nothing if there is one.
static struct tn_pending_peer *make_room(struct tn_pending *pending) {
    struct tn_pending_peer *worst = &pending->peers[0];
    TARN_ASSERT(tn_mutex_is_held(&pending->lock));
    for (size_t i = 0; i < TN_PENDING_MAX; i++) {
        struct tn_pending_peer *peer = &pending->peers[i];
        if (!peer->used) return peer;
        if (peer->answered != worst->answered ? !peer->answered
                                              : peer->h.deadline_ns < worst->h.deadline_ns)
            worst = peer;
    }
    drop_peer(worst);
    return worst;
}

// The user that connected, as the kernel recorded it.
static bool may_connect(int socket, const tarn_channel_desc *desc) {
    struct ucred user;
    socklen_t bytes = sizeof user;
    return (desc->flags & TARN_CHANNEL_ANY_USER) != 0 ||
           (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &user, &bytes) == 0 &&
            user.uid == geteuid());
}

// Accepts one connection, unless none waits.
static tarn_status accept_peer(struct tn_pending *pending, const tarn_channel_desc *desc) {
    int fd = accept4(pending->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        switch (errno) {
        case EAGAIN:
        case EINTR:
        case ECONNABORTED: return TARN_OK;
        case EMFILE:
        case ENFILE: return tn_fail_native(TARN_NO_HANDLES, "accept4", errno, "a peer is waiting");
        case ENOMEM:
        case ENOBUFS:
            return tn_fail_native(TARN_NO_HOST_MEMORY, "accept4", errno, "a peer is waiting");
        default: return tn_fail_native(TARN_SYSTEM, "accept4", errno, "a listener");
        }
    }
    if (!may_connect(fd, desc)) {
        tn_close(fd);
        return TARN_OK;
    }
    struct tn_pending_peer *peer = make_room(pending);
    TARN_ASSERT(!peer->used);
    *peer =
        (struct tn_pending_peer){.used = true, .h = tn_handshake_state_make(fd, desc, UINT64_MAX)};
    return TARN_OK;
}

// ---- one pass

// A handshake that has begun continues in calls that name the same arena and the same numbers. The
// arena that it began with may be gone, so arenas are compared by number.
static bool peer_is_of(const struct tn_pending_peer *peer, const tarn_channel_desc *desc) {
    const tarn_channel_desc *own = &peer->h.desc;
    return !peer->answered || (peer->arena == desc->arena->number && own->ports == desc->ports &&
                               own->slots == desc->slots && own->in_flight == desc->in_flight &&
                               own->spin_ns == desc->spin_ns && own->flags == desc->flags);
}

// Handles one message of a peer.
static tarn_status step_peer(struct tn_pending_peer *peer, const tarn_channel_desc *desc) {
    if (!peer->answered) {
        peer->answered = true;
        peer->arena = desc->arena->number;
        peer->h.desc = *desc;
        TN_TRY(tn_handshake_begin(&peer->h));
    }
    return tn_handshake_step(&peer->h);
}

struct polled {
    struct pollfd fds[TN_PENDING_MAX + 1]; // the listener's socket is the first
    struct tn_pending_peer *peers[TN_PENDING_MAX + 1];
    nfds_t count;
    uint64_t until_ns; // the first deadline
};

// Drops the peers whose time is over, and collects the others that belong to the description.
static void collect_peers(struct tn_pending *pending, const tarn_channel_desc *desc,
                          uint64_t deadline_ns, struct polled *polled) {
    uint64_t now = tn_now_ns();
    polled->fds[0] = (struct pollfd){pending->socket, POLLIN, 0};
    polled->count = 1;
    polled->until_ns = deadline_ns;
    if (pending->acceptors > 1 && now + SHARED_SLEEP_NS < deadline_ns)
        polled->until_ns = now + SHARED_SLEEP_NS;
    for (size_t i = 0; i < TN_PENDING_MAX; i++) {
        struct tn_pending_peer *peer = &pending->peers[i];
        if (peer->used && now >= peer->h.deadline_ns) {
            drop_peer(peer);
        } else if (peer->used && peer_is_of(peer, desc)) {
            polled->peers[polled->count] = peer;
            polled->fds[polled->count++] = (struct pollfd){peer->h.socket, POLLIN, 0};
            if (peer->h.deadline_ns < polled->until_ns) polled->until_ns = peer->h.deadline_ns;
        }
    }
    TARN_ASSERT(polled->count <= TN_PENDING_MAX + 1 && polled->until_ns <= deadline_ns);
}

// Sleeps without the lock. Another call may change the table meanwhile, so sockets are compared
// afterwards.
static tarn_status poll_peers(struct tn_pending *pending, struct polled *polled) {
    tn_mutex_unlock(&pending->lock);
    int ready = poll(polled->fds, polled->count, tn_ms_until(polled->until_ns));
    int error = errno;
    tn_mutex_lock(&pending->lock);
    if (ready < 0 && error != EINTR)
        return tn_fail_native(TARN_NO_HOST_MEMORY, "poll", error, "a listener");
    for (nfds_t i = 0; ready <= 0 && i < polled->count; i++) polled->fds[i].revents = 0;
    return TARN_OK;
}

// Returns the result of the first peer that is complete or has failed, else NOT_READY.
static tarn_status step_peers(struct polled *polled, const tarn_channel_desc *desc,
                              struct tn_handshake_state *h) {
    for (nfds_t i = 1; i < polled->count; i++) {
        struct tn_pending_peer *peer = polled->peers[i];
        if (polled->fds[i].revents == 0 || !peer->used || peer->h.socket != polled->fds[i].fd ||
            !peer_is_of(peer, desc))
            continue;
        tarn_status status = step_peer(peer, desc);
        if (status == TARN_OK) {
            *h = peer->h;
            peer->used = false;
        } else if (status != TARN_NOT_READY) {
            TN_ERROR_KEPT;
            drop_peer(peer);
        }
        if (status != TARN_NOT_READY) return status;
    }
    return TARN_NOT_READY;
}

static tarn_status accept_in_passes(struct tn_pending *pending, const tarn_channel_desc *desc,
                                    uint64_t deadline_ns, struct tn_handshake_state *h) {
    for (;;) {
        struct polled polled;
        bool is_over = tn_now_ns() >= deadline_ns;
        collect_peers(pending, desc, deadline_ns, &polled);
        TN_TRY(poll_peers(pending, &polled));
        tarn_status status = step_peers(&polled, desc, h);
        if (status != TARN_NOT_READY) return status;
        if (polled.fds[0].revents != 0) TN_TRY(accept_peer(pending, desc));
        TN_REFUSE(is_over, TARN_TIMED_OUT, "no peer connected and finished the handshake in time");
    }
}

tarn_status tn_pending_accept(struct tn_pending *pending, const tarn_channel_desc *desc,
                              uint64_t deadline_ns, struct tn_handshake_state *h) {
    TN_LOCKED(&pending->lock);
    pending->acceptors++;
    tarn_status status = accept_in_passes(pending, desc, deadline_ns, h);
    TARN_ASSERT(tn_mutex_is_held(&pending->lock) && pending->acceptors != 0);
    pending->acceptors--;
    return status;
}
