// SPDX-License-Identifier: Apache-2.0
// The struct of a channel, which its files share. Locks, in the order in which they are taken: wait
// set, receive, send, received. The caller's handle and each received parcel have a reference. It
// keeps the struct and the mapping of the peer's arena. Each file uses only those above it:
//
//   record.c, transit.c, received.c, mailbox.c, memory.c, parcel_cache.c   tables and memory
//   wait_set.c   waiting, for all channels of an arena
//   fork.c, arena.c
//   channel.c    creation, references, the end of a channel
//   return.c     waking the peer; received parcels: free, hold, query
//   parcel.c     allocation, and the calls on parcels
//   port.c       ports and their credits
//   send.c       descriptors out; the peer's returns in
//   receive.c    descriptors in, with their checks; deliveries
//   receiver.c   the channel's own thread, and the close
//   peek.c, verify.c
//   handshake.c  exchange of versions, shapes and descriptors over the socket
//   listen.c     listeners, connecting, attaching
#pragma once

#include "channel/arena.h"
#include "channel/link.h"

// ---- received parcels

// The parcels of a peer that this process holds, received over one channel and looked up by their
// start in the peer's arena. A parcel that was sent twice has two entries, each with the transit
// that its return must name. The table is private memory, guarded by the channel's received lock.

struct tn_received_parcel {
    uint64_t offset;
    uint64_t capacity;
    uint32_t generation;
    uint32_t next;  // index of the next entry of the bucket, plus 1; or 0
    uint32_t holds; // 0 if the entry is free
    uint8_t policy;
};

struct tn_received_table {
    struct tn_received_parcel *table; // indexed by the peer's transit
    uint32_t *buckets;                // index of the first entry, plus 1
    uint32_t count;                   // of both; a power of two
    uint32_t used;
};

#define TN_RECEIVED_NONE UINT32_MAX

static inline uint64_t tn_received_bucket(const struct tn_received_table *t, uint64_t offset) {
    uint64_t mixed = (offset / TN_SHM_PAGE) * UINT64_C(0x9e3779b97f4a7c15);
    return (mixed >> 32) & (t->count - 1);
}

// Returns true if each held entry is in the bucket of its offset once, no other entry is in any, and
// the count is right.
static inline bool tn_received_check(const struct tn_received_table *t) {
    uint32_t held = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < t->count; i++) held += t->table[i].holds != 0;
    for (uint32_t i = 0; i < t->count; i++) {
        for (uint32_t at = t->buckets[i]; at != 0; at = t->table[at - 1].next)
            if (at > t->count || ++found > held || t->table[at - 1].holds == 0 ||
                tn_received_bucket(t, t->table[at - 1].offset) != i)
                return false;
    }
    return found == held && held == t->used;
}

tarn_status tn_received_init(struct tn_received_table *t, uint32_t count);
void tn_received_fini(struct tn_received_table *t);

// Returns true if the transit that a peer names is in range and its entry is free.
static inline bool tn_received_is_free(const struct tn_received_table *t, uint32_t transit) {
    return transit < t->count && t->table[transit].holds == 0;
}

// Adds a parcel by its reference, which was checked.
void tn_received_add(struct tn_received_table *t, const struct tn_parcel_ref *ref, uint8_t policy);

// Returns the entry of a parcel that starts at `offset`, or TN_RECEIVED_NONE. If there are several,
// prefers one with a single hold, so that frees and holds balance in any order.
uint32_t tn_received_find(const struct tn_received_table *t, uint64_t offset);

// Returns the entry of the parcel that contains the byte at `offset`. Searches the whole table.
uint32_t tn_received_containing(const struct tn_received_table *t, uint64_t offset);

void tn_received_remove(struct tn_received_table *t, uint32_t transit);

// ---- transits

// Transits: the parcels of this process that the peer of one channel holds. The peer names a
// transit by number and generation, so a return that is not due is recognised. The table is private
// memory, guarded by the channel's send lock.

struct tn_transit {
    uint32_t generation; // counts the uses of this entry
    uint32_t next;       // in the list of free entries
    uint32_t page;       // first page of the parcel
    bool used;
    bool returning; // an unread message returns the parcel: the entry outlives the peer
};

struct tn_transits {
    struct tn_transit *table;
    uint32_t count; // a power of two
    uint32_t used;
    uint32_t first; // the free entry that was freed last, or `count`
};

tarn_status tn_transits_init(struct tn_transits *t, uint32_t count);
void tn_transits_fini(struct tn_transits *t);

// Returns true if the list of free entries has all entries but those in use, and the count is right.
static inline bool tn_transits_check(const struct tn_transits *t) {
    uint32_t left = t->count - t->used; // of the list
    uint32_t used = 0;
    for (uint32_t i = 0; i < t->count; i++) used += t->table[i].used;
    for (uint32_t at = t->first; at != t->count; at = t->table[at].next)
        if (at > t->count || t->table[at].used || left-- == 0) return false;
    return left == 0 && used == t->used;
}

static inline bool tn_transits_have(const struct tn_transits *t, uint32_t wanted) {
    return t->count - t->used >= wanted;
}

// Removes a free entry from the list for the parcel at `page`. Returns its number. One must be
// free.
uint32_t tn_transit_take(struct tn_transits *t, uint32_t page);

// Returns the transit that a peer names, or NULL if the peer does not hold it.
struct tn_transit *tn_transit_find(const struct tn_transits *t, uint32_t number,
                                   uint32_t generation);

void tn_transit_end(struct tn_transits *t, uint32_t number);

// A port of this side.
struct tn_port {
    _Atomic uint32_t depth;   // 0 while the port is not open
    _Atomic uint32_t granted; // credits granted, including the first `depth`; wraps
    _Atomic uint32_t seen;    // messages received; wraps. Changed under the receive lock
    bool manual_credit;       // written before `depth`
};

// The peer's counters, as read from its mailbox.
struct tn_channel_progress {
    uint64_t sent, consumed, returned, grants;
};

// A delivery, with the private copy of its descriptor.
struct tn_delivery {
    tarn_delivery delivery; // first: the pointer that the caller gets
    tarn_channel *channel;
    void *separate_control; // control bytes that did not fit into the descriptor
    struct tn_descriptor descriptor;
    bool out; // passed to the caller and not released yet. Guard: receive
    char name[TARN_MESSAGE_NAME_MAX + 1];
    struct tn_delivery *next; // in the list of all deliveries
    struct tn_delivery *next_free;
};

struct tarn_channel {
    // Constant once the channel is in the wait set, except atomic fields.
    tarn_arena *arena;
    struct tn_mailbox own, peer;
    struct tn_shm peer_arena;
    struct tn_owner owner; // of peer_arena's mapping, for tarn_address_query()
    struct tn_port *ports;
    int socket;
    int pidfd;                // or -1
    uint32_t spin_ns;         // longest time that a wait spins before it sleeps
    bool spins_always;        // always spins for spin_ns, even if recent waits were longer
    _Atomic uint32_t wait_ns; // running mean of the time that waits took
    int peer_pid;
    struct tn_link *link;  // NULL if the peer shares memory with this process
    uint64_t peer_largest; // largest parcel that the peer of a link can allocate; 0 without a link

    _Atomic uint32_t refs;
    _Atomic int ended;    // tarn_status; TARN_OK while open. Changed under the send lock
    char end_reason[120]; // written before `ended`

    // Guard: wait set.
    uint32_t id;
    uint32_t sleep_number;
    struct tn_channel_progress seen;
    tarn_channel *next;
    // Guard: peers of the arena.
    tarn_channel *next_peer;

    _Alignas(64) struct tn_spin send_lock;
    uint64_t sent;              // this and the following. Guard: send
    uint64_t peer_consumed;     // last value that was read and passed the check
    uint64_t returns_collected; // of the peer's returns
    uint32_t *used;             // for each port of the peer: credits used; wraps
    struct tn_transits transits;
    _Atomic uint32_t woken_sleep; // the peer's last sleep that this side has ended

    _Alignas(64) struct tn_mutex receive_lock;
    uint64_t consumed;              // this and the following. Guard: receive
    struct tn_delivery *deliveries; // all of them
    struct tn_delivery *free_deliveries;
    bool corrupt_reported;

    _Alignas(64) struct tn_spin received_lock;
    struct tn_received_table received; // this and the following. Guard: received
    uint64_t returned;

    // The channel's own thread. Changed under the receive lock.
    bool started;
    pthread_t thread;
    tarn_receiver receiver;
    _Atomic bool stopping;
};

// Refuses NULL, and a channel of the parent process.
tarn_status tn_channel_usable(const tarn_channel *channel);

// ---- channel.c

// Creates a channel from a finished handshake. The wait set calls `ops`. Takes ownership of nothing
// unless it succeeds.
tarn_status tn_channel_make(struct tn_handshake_state *handshake, const struct tn_wait_ops *ops,
                            tarn_channel **channel);

// Adds a reference. Returns false if the last one is already gone.
static inline bool tn_channel_ref(tarn_channel *c) {
    uint32_t refs = tn_load_relaxed(&c->refs);
    while (refs != 0)
        if (tn_cas_weak_acq_rel(&c->refs, &refs, refs + 1)) return true;
    return false;
}
void tn_channel_unref(tarn_channel *channel);

static inline bool tn_channel_peer_has(const tarn_channel *c, const void *address) {
    return (uintptr_t)address - (uintptr_t)c->peer_arena.base < c->peer_arena.bytes;
}

static inline uint64_t tn_channel_peer_offset(const tarn_channel *c, const void *address) {
    return (uintptr_t)address - (uintptr_t)c->peer_arena.base;
}

static inline tarn_status tn_channel_ended(const tarn_channel *c) {
    return (tarn_status)tn_load_acquire(&c->ended);
}
// Fails with PEER_GONE and the reason of the end.
tarn_status tn_channel_fail_ended(const tarn_channel *c);

// Describes the received parcel that contains the address. Returns false if this process holds none
// there.
bool tn_channel_query_received(tarn_channel *c, const void *address, tarn_parcel_info *info);

// Ends a channel whose peer is gone or has broken the protocol. Records the first reason, reclaims
// every parcel that the peer held, and wakes all threads that wait for it. The second form is
// called with the wait set locked. No other lock may be held.
void tn_channel_end(tarn_channel *c, tarn_status status, const char *why);
void tn_channel_end_locked(tarn_channel *c, tarn_status status, const char *why);
// Ends a channel whose peer has closed the socket. The wait set is locked.
void tn_channel_disconnected_locked(tarn_channel *c);

// Two steps of the end, which a close performs itself. The first returns false if the channel had
// ended.
bool tn_channel_mark_ended(tarn_channel *c, tarn_status status, const char *why);
// Reclaims the parcels that the peer held, except those that an unread message returns. With the
// send lock held.
void tn_channel_recover(tarn_channel *c);

static inline struct tn_channel_progress tn_channel_read_progress(const tarn_channel *c) {
    const struct tn_mailbox_head *head = c->peer.head;
    return (struct tn_channel_progress){
        tn_load_seq_cst(&head->sent), tn_load_seq_cst(&head->consumed),
        tn_load_seq_cst(&head->returned), tn_load_seq_cst(&head->grants)};
}

// ---- return.c

// Wakes the peer if it sleeps and waits for `what`. No lock may be held.
void tn_channel_wake_peer(tarn_channel *c, enum tn_wait_kind what);

// These act on the start of a received parcel. They return false or BAD_ADDRESS if no held parcel
// starts there.
bool tn_channel_free_received(tarn_channel *c, void *parcel);
tarn_status tn_channel_hold_received(tarn_channel *c, void *parcel);
// Publishes the return of a parcel. With the received lock held.
void tn_return_push(tarn_channel *c, uint32_t transit, uint32_t generation);

// ---- port.c

// Publishes credits that the port's own count already includes. The peer may use them at once.
void tn_channel_publish_grants(tarn_channel *c, uint32_t port, uint32_t count);

// ---- send.c

extern const struct tn_wait_ops tn_channel_wait_ops;

// ---- receive.c

// One attempt of tarn_channel_receive(). Returns NOT_READY if no message has arrived.
tarn_status tn_receive(tarn_channel *c, const tarn_delivery **delivery);
void tn_receive_free_deliveries(tarn_channel *c);
// Frees the parcels that a link allocated for messages that will not be read.
void tn_receive_free_copied(tarn_channel *c);
