// SPDX-License-Identifier: Apache-2.0
// A box: the shared memory in which one side of a channel writes and the other only reads. It
// holds the side's counters, the descriptors it sends and the returns of parcels it is done with.
// Each side makes its own and has private copies of all its counters; what it reads in the peer's
// box it copies first and believes only after a check.
//
// Who waits and who wakes: a side that goes to sleep says in `asleep` what it waits for; the other,
// after each change, looks there and rings (by the socket) at most once for each sleep. Changes and
// `asleep` are written and then read across, each with sequentially consistent order, so that one
// of the two sees the other.
#ifndef TARN_CHANNEL_MAILBOX_H
#define TARN_CHANNEL_MAILBOX_H

#include <tarn/channel.h>

#include "base/atomic.h"
#include "channel/memory.h"

#define TN_MAILBOX_MAGIC UINT64_C(0x31786f626e726174) // "tarnbox1"
#define TN_PORTS_MAX     65536u
#define TN_SLOTS_MAX     65536u
#define TN_IN_FLIGHT_MAX 65536u
#define TN_DEPTH_MAX     65536u

// What a sleeping side waits for: the low byte of `asleep`; above is the number of the sleep.
enum tn_wait_kind {
    TN_WAIT_MESSAGE = 1,
    TN_WAIT_RETURN = 2,
    TN_WAIT_CREDIT = 4,
    TN_WAIT_SLOT = 8,
};
#define TN_ASLEEP_SHIFT 8

// A parcel on its way. The sender knows it by its transit and generation alone; offset and capacity
// tell the receiver where it lies in the sender's arena.
struct tn_parcel_ref {
    uint32_t transit;
    uint32_t generation;
    uint64_t offset;
    uint64_t capacity;
};

enum tn_descriptor_kind {
    TN_DESCRIPTOR_BARE = 0,     // no parcel
    TN_DESCRIPTOR_PARCEL = 1,   // of the sender's arena
    TN_DESCRIPTOR_RETURNED = 2, // of the receiver's arena: a transit of its own comes back
    TN_DESCRIPTOR_COPIED =
        3, // by a link, in a parcel of the receiver's arena that is the receiver's
};

#define TN_DESCRIPTOR_BYTES 512u
#define TN_DESCRIPTOR_TEXT  (TN_DESCRIPTOR_BYTES - 80u)

// A descriptor. The name lies first in `text`, filled up to a multiple of 8, then the control bytes
// if they fit; else `control` refers to a parcel that holds them.
struct tn_descriptor {
    uint64_t code;
    uint64_t bytes; // of the parcel
    uint64_t control_bytes;
    uint32_t port;
    uint8_t kind;   // tn_descriptor_kind
    uint8_t policy; // tarn_parcel_policy, for the receiver's query
    uint8_t name_bytes;
    uint8_t control_separate; // 1: by `control`
    struct tn_parcel_ref parcel;
    struct tn_parcel_ref control;
    unsigned char text[TN_DESCRIPTOR_TEXT];
};
_Static_assert(sizeof(struct tn_descriptor) == TN_DESCRIPTOR_BYTES, "a slot has no gaps");

enum tn_channel_stat {
#define TN_STAT(name, text) TN_CHANNEL_##name,
    TARN_CHANNEL_STATS_LIST(TN_STAT)
#undef TN_STAT
        TN_CHANNEL_STATS
};

// The head of a box. Every line has one kind of writer.
struct tn_mailbox_head {
    uint64_t magic;
    uint64_t bytes;
    _Alignas(64) _Atomic uint64_t sent;                    // descriptors published
    _Alignas(64) _Atomic uint64_t consumed;                // of the peer's descriptors, taken up
    _Alignas(64) _Atomic uint64_t returned;                // returns published
    _Alignas(64) _Atomic uint64_t grants;                  // changes of `granted`
    _Alignas(64) _Atomic uint32_t asleep;                  // 0: awake
    _Alignas(64) _Atomic uint64_t stats[TN_CHANNEL_STATS]; // for tarn_channel_peek()
};

// The numbers that both sides agree on, for one box: its writer's ports and slots, and how many
// parcels of the *reader* can be at the writer, which is how many returns can be under way.
struct tn_mailbox_shape {
    uint32_t ports;
    uint32_t slots;   // a power of two
    uint32_t returns; // a power of two
};

// A box as mapped: pointers into it.
struct tn_mailbox {
    struct tn_shm shm;
    struct tn_mailbox_shape shape;
    struct tn_mailbox_head *head;
    _Atomic uint32_t *granted; // for each port of the writer: credits ever given
    _Atomic uint64_t *returns; // transit | generation << 32
    struct tn_descriptor *slots;
};

bool tn_mailbox_shape_valid(const struct tn_mailbox_shape *shape);
uint64_t tn_mailbox_bytes(const struct tn_mailbox_shape *shape);

// Makes this side's box; or one that no other process sees; or maps the peer's for reading and owns
// `fd` on success. Statuses as for tn_shm_create() and tn_shm_adopt().
tarn_status tn_mailbox_create(const struct tn_mailbox_shape *shape, struct tn_mailbox *box);
tarn_status tn_mailbox_create_private(const struct tn_mailbox_shape *shape, struct tn_mailbox *box);
tarn_status tn_mailbox_adopt(int fd, const struct tn_mailbox_shape *shape, struct tn_mailbox *box);
void tn_mailbox_close(struct tn_mailbox *box);

static inline void tn_mailbox_count(struct tn_mailbox *box, enum tn_channel_stat stat,
                                    uint64_t more) {
    (void)tn_add_relaxed(&box->head->stats[stat], more);
}

static inline void tn_mailbox_uncount(struct tn_mailbox *box, enum tn_channel_stat stat,
                                      uint64_t less) {
    (void)tn_sub_relaxed(&box->head->stats[stat], less);
}

static inline void tn_mailbox_set(struct tn_mailbox *box, enum tn_channel_stat stat,
                                  uint64_t value) {
    tn_store_relaxed(&box->head->stats[stat], value);
}

#endif
