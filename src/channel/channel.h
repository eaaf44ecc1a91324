// SPDX-License-Identifier: Apache-2.0
// A channel from the inside: what its parts share. The parts are
//
//   listen.c    listeners, connecting, and making a channel of a socket
//   greet.c     the first words on the socket: who is there, shapes, descriptors
//   channel.c   references, the end of the peer, ports and credits, closing
//   send.c      descriptors out; what the peer has returned, in
//   receive.c   descriptors in, checked; deliveries
//   return.c    received parcels: free, hold, query; the bell
//   receiver.c  the channel's own thread
//   peek.c      statistics, from inside and from outside
//   check.c     the check of every record
//
// Locks, in the order in which they are taken: hub, receive, send, held. A reference keeps the
// record and the peer's memory: the caller's handle has one, each received parcel one.
#ifndef TARN_CHANNEL_CHANNEL_H
#define TARN_CHANNEL_CHANNEL_H

#include <pthread.h>
#include <tarn/channel.h>

#include "base/lock.h"
#include "channel/arena.h"
#include "channel/link.h"
#include "channel/mailbox.h"
#include "channel/received.h"
#include "channel/transit.h"

// A port of this side.
struct tn_port {
    _Atomic uint32_t depth;   // 0: not open
    _Atomic uint32_t granted; // credits ever given, the first `depth` included; wraps
    _Atomic uint32_t seen;    // messages received; wraps. Changed under the receive lock
    bool by_hand;             // written before depth
};

// How far the peer is, as its box says.
struct tn_channel_progress {
    uint64_t sent, consumed, returned, grants;
};

// A delivery, with the private copy of its descriptor.
struct tn_delivery {
    tarn_delivery delivery; // first: the caller's pointer
    tarn_channel *channel;
    void *apart; // control bytes that did not fit into the slot
    struct tn_descriptor slot;
    bool out; // with the caller. Guard: receive
    char name[TARN_MESSAGE_NAME_MAX + 1];
    struct tn_delivery *next; // of all letters; of free ones
    struct tn_delivery *next_free;
};

struct tarn_channel {
    // Set before anybody else sees it.
    tarn_arena *arena;
    struct tn_mailbox own, peer;
    struct tn_shm peer_arena;
    struct tn_port *ports;
    int socket;
    int pidfd;                // -1: none
    uint32_t spin_ns;         // most that a wait looks before it sleeps
    bool spins_always;        // as the caller said; else as long as recent waits make it worth it
    _Atomic uint32_t wait_ns; // running mean of how long waits took
    int peer_pid;
    struct tn_link *link; // NULL: the peer shares memory with us
    uint64_t lands;       // most bytes of a parcel that a peer without can take

    _Atomic uint32_t refs;
    _Atomic int ended; // tarn_status; TARN_OK while the peer is there. Changed under the send lock
    char why[120];     // written before `ended`

    // Guard: hub.
    uint32_t id;
    uint32_t sleep_number;
    struct tn_channel_progress seen;
    tarn_channel *next;
    // Guard: peers of the arena.
    tarn_channel *next_peer;

    _Alignas(64) struct tn_spin send_lock;
    uint64_t sent;              // this and the following. Guard: send
    uint64_t peer_consumed;     // as read and found good
    uint64_t returns_collected; // of the peer's returns
    uint32_t *used;             // for each port of the peer: credits used; wraps
    struct tn_transits transits;
    _Atomic uint32_t rung; // the peer's last sleep that was rung for

    _Alignas(64) struct tn_mutex receive_lock;
    uint64_t consumed;           // this and the following. Guard: receive
    struct tn_delivery *letters; // all
    struct tn_delivery *free_letters;
    bool corrupt_reported;

    _Alignas(64) struct tn_spin received_lock;
    struct tn_received_table held; // this and the following. Guard: held
    uint64_t returned;

    // The channel's own thread. Changed under the receive lock.
    bool started;
    pthread_t thread;
    tarn_receiver receiver;
    _Atomic bool stopping;
};

// Refuses NULL and a parent's channel.
tarn_status tn_channel_usable(const tarn_channel *channel);

// ---- channel.c

// Makes the record of a channel over a greeted socket; see greet.h. Owns nothing until it succeeds.
struct tn_handshake_state;
tarn_status tn_channel_make(struct tn_handshake_state *greeting, tarn_channel **channel);

// False: the last reference has gone already.
bool tn_channel_ref(tarn_channel *channel);
void tn_channel_unref(tarn_channel *channel);

static inline bool tn_channel_peer_has(const tarn_channel *c, const void *address) {
    return (uintptr_t)address - (uintptr_t)c->peer_arena.base < c->peer_arena.bytes;
}

static inline tarn_status tn_channel_ended(const tarn_channel *c) {
    return (tarn_status)tn_load_acquire(&c->ended);
}
// Refuses with PEER_GONE and the reason.
tarn_status tn_channel_fail_ended(const tarn_channel *c);

// The peer is gone, or must go: says so once, takes back every parcel of ours that it had, and
// wakes all who wait for it. The second form with the hub locked; neither with any other lock held.
void tn_channel_end(tarn_channel *c, tarn_status status, const char *why);
void tn_channel_end_locked(tarn_channel *c, tarn_status status, const char *why);

// The same when nobody is at the other end of the socket any more.
void tn_channel_disconnected_locked(tarn_channel *c);

// Looks at the socket, and ends the channel if nobody is there. True: it is not ended.
bool tn_channel_is_alive(tarn_channel *c);
bool tn_channel_socket_alive(const tarn_channel *c);

static inline struct tn_channel_progress tn_channel_read_progress(const tarn_channel *c) {
    const struct tn_mailbox_head *head = c->peer.head;
    return (struct tn_channel_progress){
        tn_load_seq_cst(&head->sent), tn_load_seq_cst(&head->consumed),
        tn_load_seq_cst(&head->returned), tn_load_seq_cst(&head->grants)};
}

// Tells the peer of credits that the port's own count has already: the peer may use them at once.
void tn_channel_publish_grants(tarn_channel *c, uint32_t port, uint32_t count);

// ---- send.c

// Takes in the peer's returns. With the hub locked; wakes nobody.
void tn_channel_reclaim(tarn_channel *c);
// The same with the send lock held. False: the peer returned what it never had.
bool tn_send_collect_returns(tarn_channel *c, uint32_t *freed);

// ---- return.c

// Wakes the peer if it sleeps and waits for that. Not with a lock held.
void tn_channel_wake_peer(tarn_channel *c, enum tn_wait_kind what);
void tn_channel_drain_wakeups(const tarn_channel *c);

// On a received parcel. The first two take its start: false, or BAD_ADDRESS, when nothing that is
// held starts there.
bool tn_channel_free_received(tarn_channel *c, void *parcel);
tarn_status tn_channel_hold_received(tarn_channel *c, void *parcel);
bool tn_channel_query_received(tarn_channel *c, const void *address, tarn_parcel_info *info);
// Puts a return into our box. With the held lock.
void tn_return_push(tarn_channel *c, uint32_t transit, uint32_t generation);

// ---- receive.c

// The attempt behind tarn_channel_receive(): NOT_READY when nothing is there.
tarn_status tn_receive(tarn_channel *c, const tarn_delivery **delivery);
void tn_done(tarn_channel *c, struct tn_delivery *letter);
// Marks those of our parcels that messages not yet read bring back. With receive and send locked.
void tn_receive_mark_returning(tarn_channel *c);
void tn_receive_free_deliveries(tarn_channel *c);
// Frees the parcels that landed for messages which nobody will read.
void tn_receive_free_copied(tarn_channel *c);

// ---- receiver.c

// Ends the channel's thread, if it has one. BUSY: this is that thread.
tarn_status tn_receiver_stop(tarn_channel *c);

#endif
