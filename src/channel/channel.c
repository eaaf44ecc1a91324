// SPDX-License-Identifier: Apache-2.0
// Channels: making and unmaking the record, the end of the peer, ports and their credits.
#include "channel/channel.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "channel/handshake.h"

#define SPIN_NS 30000u

tarn_status tn_channel_usable(const tarn_channel *channel) {
    if (channel == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "channel NULL");
    }
    return tn_arena_usable(channel->arena);
}

// ---- making and unmaking

static tarn_status make_tables(tarn_channel *c, const struct tn_handshake_state *g) {
    tarn_status status = tn_transits_init(&c->transits, g->desc.in_flight);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_received_init(&c->held, g->peer_in_flight);
    if (status != TARN_OK) {
        goto err_transits;
    }
    c->ports = (struct tn_port *)calloc(g->desc.ports, sizeof *c->ports);
    c->used = (uint32_t *)calloc(g->peer.shape.ports, sizeof *c->used);
    if (c->ports == NULL || c->used == NULL) {
        status = tn_fail(TARN_NO_HOST_MEMORY, "records of %u and %u ports", g->desc.ports,
                         g->peer.shape.ports);
        goto err_held;
    }
    return TARN_OK;

err_held:
    free(c->ports);
    free(c->used);
    tn_received_fini(&c->held);
err_transits:
    tn_transits_fini(&c->transits);
    return status;
}

static void unmake_tables(tarn_channel *c) {
    free(c->ports);
    free(c->used);
    tn_received_fini(&c->held);
    tn_transits_fini(&c->transits);
}

static void add_peer(tarn_channel *c) {
    tn_spin_lock(&c->arena->peers_lock);
    c->next_peer = c->arena->peers;
    c->arena->peers = c;
    tn_spin_unlock(&c->arena->peers_lock);
}

static void remove_peer(tarn_channel *c) {
    tn_spin_lock(&c->arena->peers_lock);
    tarn_channel **link = &c->arena->peers;
    while (*link != c) {
        link = &(*link)->next_peer;
    }
    *link = c->next_peer;
    tn_spin_unlock(&c->arena->peers_lock);
}

// On one CPU the peer could not do meanwhile what is looked for.
static uint32_t spin_of(const tarn_channel_desc *desc) {
    if ((desc->flags & TARN_CHANNEL_NO_SPIN) != 0) {
        return 0;
    }
    if (desc->spin_ns != 0) {
        return desc->spin_ns;
    }
    return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SPIN_NS : 0;
}

tarn_status tn_channel_make(struct tn_handshake_state *g, tarn_channel **channel) {
    tarn_channel *c = (tarn_channel *)aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    if (c == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "a channel's record");
    }
    *c = (tarn_channel){.arena = g->desc.arena,
                        .own = g->own,
                        .peer = g->peer,
                        .peer_arena = g->peer_arena,
                        .socket = g->socket,
                        .pidfd = g->pidfd,
                        .spin_ns = spin_of(&g->desc),
                        .spins_always = g->desc.spin_ns != 0,
                        .wait_ns = SPIN_NS,
                        .peer_pid = g->peer_pid,
                        .link = g->link,
                        .lands = g->lands,
                        .refs = 1};
    tarn_status status = make_tables(c, g);
    if (status != TARN_OK) {
        free(c);
        return status;
    }
    tn_spin_init(&c->send_lock, TN_RANK_CHANNEL_SEND, "channel's sending");
    tn_mutex_init(&c->receive_lock, TN_RANK_CHANNEL_RECEIVE, "channel's receiving");
    tn_spin_init(&c->received_lock, TN_RANK_CHANNEL_RECEIVED, "channel's held parcels");
    tn_mailbox_set(&c->own, TN_CHANNEL_peer_pid, (uint64_t)c->peer_pid);
    status = tn_wait_set_add(&c->arena->wait_set, c);
    if (status != TARN_OK) {
        tn_mutex_fini(&c->receive_lock);
        unmake_tables(c);
        free(c);
        return status;
    }
    add_peer(c);
    *channel = c;
    return TARN_OK;
}

bool tn_channel_ref(tarn_channel *c) {
    uint32_t refs = tn_load_relaxed(&c->refs);
    while (refs != 0) {
        if (tn_cas_weak_acq_rel(&c->refs, &refs, refs + 1)) {
            return true;
        }
    }
    return false;
}

void tn_channel_unref(tarn_channel *c) {
    if (tn_sub_acq_rel(&c->refs, 1) != 1) {
        return;
    }
    remove_peer(c);
    (void)close(c->socket);
    if (c->pidfd >= 0) {
        (void)close(c->pidfd);
    }
    if (c->link != NULL) {
        tn_link_free(c->link);
    }
    tn_mutex_fini(&c->receive_lock);
    unmake_tables(c);
    tn_mailbox_close(&c->peer);
    tn_mailbox_close(&c->own);
    tn_shm_close(&c->peer_arena);
    free(c);
}

// ---- the end of the peer

tarn_status tn_channel_fail_ended(const tarn_channel *c) {
    return tn_fail(TARN_PEER_GONE, "channel to process %d: %s", c->peer_pid, c->why);
}

// Every parcel of ours that the peer had is ours again, but for those that unread messages bring.
static uint64_t recover(tarn_channel *c) {
    uint64_t recovered = 0;
    for (uint32_t i = 0; i < c->transits.count; i++) {
        struct tn_transit *transit = &c->transits.table[i];
        if (transit->used && !transit->returning) {
            struct tn_parcel_record *record = &c->arena->records[transit->page];
            tn_transit_end(&c->transits, i);
            tn_record_return(c->arena, record);
            recovered++;
        }
    }
    tn_mailbox_set(&c->own, TN_CHANNEL_in_flight, c->transits.used);
    return recovered;
}

// False: it had ended before.
static bool mark_ended(tarn_channel *c, tarn_status status, const char *why) {
    bool first;
    tn_mutex_lock(&c->receive_lock);
    tn_spin_lock(&c->send_lock);
    first = tn_channel_ended(c) == TARN_OK;
    if (first) {
        (void)snprintf(c->why, sizeof c->why, "%s", why);
        if (status == TARN_PEER_GONE) {
            tn_receive_mark_returning(c);
        }
        tn_arena_count(c->arena, TN_ARENA_recovered, recover(c));
        tn_mailbox_set(&c->own, TN_CHANNEL_gone, (uint64_t)-status);
        tn_store_release(&c->ended, status);
    }
    tn_spin_unlock(&c->send_lock);
    tn_mutex_unlock(&c->receive_lock);
    return first;
}

void tn_channel_end_locked(tarn_channel *c, tarn_status status, const char *why) {
    if (mark_ended(c, status, why)) {
        tn_wait_set_unwatch(&c->arena->wait_set, c);
        (void)shutdown(c->socket, SHUT_RDWR);
        tn_wait_set_wake_locked(&c->arena->wait_set, c);
    }
}

void tn_channel_end(tarn_channel *c, tarn_status status, const char *why) {
    tn_mutex_lock(&c->arena->wait_set.lock);
    tn_channel_end_locked(c, status, why);
    tn_mutex_unlock(&c->arena->wait_set.lock);
}

void tn_channel_disconnected_locked(tarn_channel *c) {
    const char *corrupt = c->link != NULL ? tn_link_corrupt(c->link) : NULL;
    if (corrupt != NULL) {
        tn_channel_end_locked(c, TARN_CORRUPT, corrupt);
    } else {
        tn_channel_end_locked(c, TARN_PEER_GONE, "the peer died or closed");
    }
}

bool tn_channel_socket_alive(const tarn_channel *c) {
    struct pollfd fds[2] = {{c->socket, POLLRDHUP, 0}, {c->pidfd, POLLIN, 0}};
    if (poll(fds, c->pidfd >= 0 ? 2 : 1, 0) <= 0) {
        return true;
    }
    return (fds[0].revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL)) == 0 &&
           (fds[1].revents & POLLIN) == 0;
}

bool tn_channel_is_alive(tarn_channel *c) {
    if (tn_channel_ended(c) != TARN_OK) {
        return false;
    }
    if (!tn_channel_socket_alive(c)) {
        tn_mutex_lock(&c->arena->wait_set.lock);
        tn_channel_disconnected_locked(c);
        tn_mutex_unlock(&c->arena->wait_set.lock);
        return false;
    }
    return true;
}

// ---- closing

tarn_status tarn_channel_close(tarn_channel *channel) {
    if (channel == NULL) {
        return TARN_OK;
    }
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK || (status = tn_receiver_stop(channel)) != TARN_OK) {
        return status;
    }
    tarn_arena *arena = channel->arena;
    if (channel->link != NULL) {
        tn_link_leave(channel->link);
    }
    tn_wait_set_remove(&arena->wait_set, channel);
    (void)mark_ended(channel, TARN_PEER_GONE, "closed here");
    tn_receive_free_deliveries(channel);
    tn_receive_free_copied(channel);
    // What messages that nobody will read were to bring home.
    tn_spin_lock(&channel->send_lock);
    for (uint32_t i = 0; i < channel->transits.count; i++) {
        channel->transits.table[i].returning = false;
    }
    tn_arena_count(arena, TN_ARENA_recovered, recover(channel));
    tn_spin_unlock(&channel->send_lock);
    (void)shutdown(channel->socket, SHUT_RDWR); // closed with the last reference
    tn_arena_notify_room(arena);
    tn_channel_unref(channel);
    return TARN_OK;
}

// ---- ports

tarn_status tarn_channel_open_port(tarn_channel *channel, uint32_t port, uint32_t depth,
                                   uint32_t flags) {
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    if (port >= channel->own.shape.ports || depth == 0 || depth > TN_DEPTH_MAX ||
        (flags & ~(uint32_t)TARN_PORT_MANUAL_CREDIT) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "port %u of %u, depth %u, flags 0x%x", port,
                       channel->own.shape.ports, depth, flags);
    }
    struct tn_port *p = &channel->ports[port];
    tn_mutex_lock(&channel->receive_lock);
    bool open = tn_load_relaxed(&p->depth) != 0;
    if (!open) {
        p->by_hand = (flags & TARN_PORT_MANUAL_CREDIT) != 0;
        tn_store_relaxed(&p->granted, depth);
        tn_store_release(&p->depth, depth);
    }
    tn_mutex_unlock(&channel->receive_lock);
    if (open) {
        return tn_fail(TARN_BUSY, "port %u is open", port);
    }
    tn_channel_publish_grants(channel, port, depth);
    return TARN_OK;
}

void tn_channel_publish_grants(tarn_channel *c, uint32_t port, uint32_t count) {
    (void)tn_add_relaxed(&c->own.granted[port], count);
    (void)tn_add_seq_cst(&c->own.head->grants, 1);
    tn_channel_wake_peer(c, TN_WAIT_CREDIT);
}

// Takes `count` of the credits that messages have used and that are not given back yet.
static bool claim(struct tn_port *p, uint32_t count) {
    uint32_t depth = tn_load_acquire(&p->depth);
    uint32_t granted = tn_load_relaxed(&p->granted);
    do {
        uint32_t back = granted - depth;
        if (count > tn_load_relaxed(&p->seen) - back) {
            return false;
        }
    } while (!tn_cas_weak_relaxed(&p->granted, &granted, granted + count));
    return true;
}

tarn_status tarn_channel_grant(tarn_channel *channel, uint32_t port, uint32_t count) {
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_port *p = port < channel->own.shape.ports ? &channel->ports[port] : NULL;
    if (p == NULL || tn_load_acquire(&p->depth) == 0 || !p->by_hand) {
        return tn_fail(TARN_BAD_ARGUMENT, "port %u is not open, or grants by itself", port);
    }
    if (!claim(p, count)) {
        return tn_fail(TARN_BAD_ARGUMENT, "%u credits of port %u were not taken by messages", count,
                       port);
    }
    tn_channel_publish_grants(channel, port, count);
    return TARN_OK;
}
