// SPDX-License-Identifier: Apache-2.0
// Channels: creation, references, and the end. A channel ends once, by tn_channel_mark_ended()
// under the receive and send locks. Its memory is freed with the last reference.
#include "channel/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/list.h"
#include "base/uncancelled.h"

#define SPIN_NS 30000u

tarn_status tn_channel_usable(const tarn_channel *channel) {
    TN_REFUSE(channel == NULL, TARN_BAD_ARGUMENT, "channel is NULL");
    return tn_arena_usable(channel->arena);
}

// ---- queries

bool tn_channel_query_received(tarn_channel *c, const void *address, tarn_parcel_info *info) {
    uint64_t offset = tn_channel_peer_offset(c, address);
    TN_SPIN_LOCKED(&c->received_lock);
    uint32_t at = tn_received_find(&c->received, offset);
    if (at == TN_RECEIVED_NONE) at = tn_received_containing(&c->received, offset);
    if (at == TN_RECEIVED_NONE) return false;
    const struct tn_received_parcel *p = &c->received.table[at];
    info->state = TARN_PARCEL_RECEIVED;
    info->policy = (tarn_parcel_policy)p->policy;
    info->start = c->peer_arena.base + p->offset;
    info->bytes = p->capacity;
    info->holds = p->holds;
    return true;
}

// Describes a parcel for tarn_address_query(). A child of fork() must not take the lock, because a
// thread of the parent may have held it.
static void describe_address(struct tn_owner *owner, tarn_addr addr, tarn_address_info *info) {
    tarn_channel *c = (tarn_channel *)(void *)((char *)owner - offsetof(tarn_channel, owner));
    tarn_parcel_info parcel = TARN_INIT(tarn_parcel_info);
    if (!tn_fork_is_inherited(&c->arena->fork_entry) &&
        tn_channel_query_received(c, (const void *)(uintptr_t)addr, &parcel))
        tn_parcel_describe(&parcel, info);
}

static const struct tn_owner_ops owner_ops = {.describe = describe_address};

// ---- creation and references

static tarn_status make_tables(tarn_channel *c, const struct tn_handshake_state *h) {
    TN_TRY(tn_transits_init(&c->transits, h->desc.in_flight));
    TN_TRY(tn_received_init(&c->received, h->peer_in_flight));
    c->ports = (struct tn_port *)calloc(h->desc.ports, sizeof *c->ports);
    c->used = (uint32_t *)calloc(h->peer.shape.ports, sizeof *c->used);
    TN_REFUSE(c->ports == NULL || c->used == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for %u and %u ports", h->desc.ports, h->peer.shape.ports);
    return TARN_OK;
}

static void unregister_peer_arena(tarn_channel *c) {
    if (c->peer_arena.base != NULL) {
        tn_owner_remove_range((tarn_addr)(uintptr_t)c->peer_arena.base);
        tn_owner_drain(&c->owner);
    }
}

// Tables that were not created are NULL.
static void free_channel(tarn_channel *c) {
    TARN_ASSERT(c->received.used == 0); // each received parcel has a reference
    TARN_ASSERT(c->transits.used == 0); // those of a closed channel were reclaimed
    tn_mutex_fini(&c->receive_lock);
    free(c->ports);
    free(c->used);
    tn_received_fini(&c->received);
    tn_transits_fini(&c->transits);
    free(c);
}

// With one CPU, the peer cannot make progress while this side spins.
static uint32_t spin_limit(const tarn_channel_desc *desc) {
    if ((desc->flags & TARN_CHANNEL_NO_SPIN) != 0) return 0;
    if (desc->spin_ns != 0) return desc->spin_ns;
    return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SPIN_NS : 0;
}

tarn_status tn_channel_make(struct tn_handshake_state *h, const struct tn_wait_ops *ops,
                            tarn_channel **channel) {
    tarn_channel *c = (tarn_channel *)aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    TN_REFUSE(c == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a channel");
    *c = (tarn_channel){.arena = h->desc.arena,
                        .own = h->own,
                        .peer = h->peer,
                        .peer_arena = h->peer_arena,
                        .owner = {.ops = &owner_ops, .kind = TARN_OWNER_CHANNEL},
                        .socket = h->socket,
                        .pidfd = h->pidfd,
                        .spin_ns = spin_limit(&h->desc),
                        .spins_always = h->desc.spin_ns != 0,
                        .wait_ns = SPIN_NS,
                        .peer_pid = h->peer_pid,
                        .link = h->link,
                        .peer_largest = h->peer_largest,
                        .refs = 1};
    tn_spin_init(&c->send_lock, TN_RANK_CHANNEL_SEND, "channel's sending");
    tn_mutex_init(&c->receive_lock, TN_RANK_CHANNEL_RECEIVE, "channel's receiving");
    tn_spin_init(&c->received_lock, TN_RANK_CHANNEL_RECEIVED, "channel's received parcels");
    tn_mailbox_set(&c->own, TN_CHANNEL_peer_pid, (uint64_t)c->peer_pid);
    tarn_status status = make_tables(c, h);
    if (status == TARN_OK && c->peer_arena.base != NULL)
        status = tn_owner_add_range(&c->owner, (tarn_addr)(uintptr_t)c->peer_arena.base,
                                    c->peer_arena.bytes);
    if (status == TARN_OK) {
        status = tn_wait_set_add(&c->arena->wait_set, ops, c);
        if (status != TARN_OK) unregister_peer_arena(c);
    }
    if (status != TARN_OK) {
        free_channel(c);
        return status;
    }
    *channel = c;
    TN_SPIN_LOCKED(&c->arena->peers_lock);
    c->next_peer = c->arena->peers;
    c->arena->peers = c;
    return TARN_OK;
}

void tn_channel_unref(tarn_channel *c) {
    uint32_t refs = tn_sub_acq_rel(&c->refs, 1);
    TARN_ASSERT(refs != 0);
    if (refs != 1) return;
    tn_spin_lock(&c->arena->peers_lock);
    TN_CHAIN_REMOVE(c->arena->peers, c, next_peer);
    tn_spin_unlock(&c->arena->peers_lock);
    unregister_peer_arena(c);
    tn_close(c->socket);
    if (c->pidfd >= 0) tn_close(c->pidfd);
    if (c->link != NULL) tn_link_free(c->link);
    tn_mailbox_close(&c->peer);
    tn_mailbox_close(&c->own);
    tn_shm_close(&c->peer_arena);
    free_channel(c);
}

// ---- the end

tarn_status tn_channel_fail_ended(const tarn_channel *c) {
    return tn_fail(TARN_PEER_GONE, "channel to process %d: %s", c->peer_pid, c->end_reason);
}

// Marks the transits of parcels that unread messages return: a later receive delivers those.
static void mark_returning(tarn_channel *c) {
    uint64_t sent = tn_load_seq_cst(&c->peer.head->sent);
    TARN_ASSERT(tn_mutex_is_held(&c->receive_lock) && tn_spin_is_held(&c->send_lock));
    struct tn_descriptor d;
    if (sent - c->consumed > c->peer.shape.slots) return; // the next receive reports this
    for (uint64_t i = c->consumed; i != sent; i++) {
        tn_mailbox_copy(&d, tn_mailbox_slot(&c->peer, i), offsetof(struct tn_descriptor, text));
        if (d.kind == TN_DESCRIPTOR_RETURNED) {
            struct tn_transit *transit =
                tn_transit_find(&c->transits, d.parcel.transit, d.parcel.generation);
            if (transit != NULL) transit->returning = true;
        }
    }
}

void tn_channel_recover(tarn_channel *c) {
    uint64_t recovered = 0;
    TARN_ASSERT(tn_spin_is_held(&c->send_lock));
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
    tn_arena_count(c->arena, TN_ARENA_recovered, recovered);
}

bool tn_channel_mark_ended(tarn_channel *c, tarn_status status, const char *why) {
    TARN_ASSERT(status != TARN_OK);
    TN_LOCKED(&c->receive_lock);
    TN_SPIN_LOCKED(&c->send_lock);
    if (tn_channel_ended(c) != TARN_OK) return false;
    (void)snprintf(c->end_reason, sizeof c->end_reason, "%s", why);
    if (status == TARN_PEER_GONE) mark_returning(c);
    tn_channel_recover(c);
    tn_mailbox_set(&c->own, TN_CHANNEL_gone, (uint64_t)-status);
    tn_store_release(&c->ended, status);
    return true;
}

void tn_channel_end_locked(tarn_channel *c, tarn_status status, const char *why) {
    TARN_ASSERT(tn_mutex_is_held(&c->arena->wait_set.lock));
    if (tn_channel_mark_ended(c, status, why)) {
        tn_wait_set_unwatch(&c->arena->wait_set, c);
        (void)shutdown(c->socket, SHUT_RDWR);
        tn_wait_set_wake_locked(&c->arena->wait_set, c);
    }
}

void tn_channel_end(tarn_channel *c, tarn_status status, const char *why) {
    TN_LOCKED(&c->arena->wait_set.lock);
    tn_channel_end_locked(c, status, why);
}

void tn_channel_disconnected_locked(tarn_channel *c) {
    const char *corrupt = c->link != NULL ? tn_link_corrupt(c->link) : NULL;
    if (corrupt != NULL)
        tn_channel_end_locked(c, TARN_CORRUPT, corrupt);
    else
        tn_channel_end_locked(c, TARN_PEER_GONE, "the peer died or closed");
}
