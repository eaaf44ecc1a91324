// SPDX-License-Identifier: Apache-2.0
// A mailbox: shared memory that one side of a channel writes and the other side only reads. It
// contains the writer's counters, the descriptors it sends, the returns of parcels and the credits.
// Each side keeps private copies of its own counters. It copies every word of the peer's mailbox
// before it checks and uses the copy.
//
// Wake-ups: before a side sleeps, it stores in `asleep` the events that it waits for. After each
// change the other side loads `asleep` and sends at most one wake-up for each sleep. Changes and
// `asleep` are accessed with sequentially consistent order, so at least one side sees the other's
// store.
#pragma once

#include <string.h>
#include <tarn/channel.h>

#include "base/assert.h"
#include "base/atomic.h"
#include "channel/memory.h"

#define TN_MAILBOX_MAGIC     UINT64_C(0x31786f626e726174) // "tarnbox1"
#define TN_PORTS_MAX         65536u
#define TN_MAILBOX_SLOTS_MAX 65536u
#define TN_IN_FLIGHT_MAX     65536u
#define TN_DEPTH_MAX         65536u

// The events that a sleeping side waits for: the low byte of `asleep`. The rest numbers the sleep.
enum tn_wait_kind {
    TN_WAIT_MESSAGE = 1,
    TN_WAIT_RETURN = 2,
    TN_WAIT_CREDIT = 4,
    TN_WAIT_SLOT = 8,
};
#define TN_ASLEEP_SHIFT 8

// A parcel in transit. The sender identifies it by transit and generation alone. Offset and
// capacity locate it in the sender's arena for the receiver.
struct tn_parcel_ref {
    uint32_t transit;
    uint32_t generation;
    uint64_t offset;
    uint64_t capacity;
};

enum tn_descriptor_kind {
    TN_DESCRIPTOR_BARE = 0,     // no parcel
    TN_DESCRIPTOR_PARCEL = 1,   // a parcel of the sender's arena
    TN_DESCRIPTOR_RETURNED = 2, // a parcel of the receiver's arena: one of its transits ends
    TN_DESCRIPTOR_COPIED = 3,   // a link copied the bytes into a parcel that the receiver owns
};

#define TN_DESCRIPTOR_BYTES 512u
#define TN_DESCRIPTOR_TEXT  (TN_DESCRIPTOR_BYTES - 80u)

// A descriptor of a message. `text` begins with the name, padded to a multiple of 8 bytes. The
// control bytes follow if they fit. Otherwise `control` refers to a parcel that contains them.
struct tn_descriptor {
    uint64_t code;
    uint64_t bytes; // of the parcel
    uint64_t control_bytes;
    uint32_t port;
    uint8_t kind;   // tn_descriptor_kind
    uint8_t policy; // tarn_parcel_policy, for the receiver's query
    uint8_t name_bytes;
    uint8_t control_separate; // 1 if the control bytes are in `control`
    struct tn_parcel_ref parcel;
    struct tn_parcel_ref control;
    unsigned char text[TN_DESCRIPTOR_TEXT];
};
_Static_assert(sizeof(struct tn_descriptor) == TN_DESCRIPTOR_BYTES, "a descriptor has no gaps");

// Returns where the control bytes begin in `text`.
static inline size_t tn_descriptor_control_at(const struct tn_descriptor *d) {
    return ((size_t)d->name_bytes + 7) & ~(size_t)7;
}

// Returns the number of bytes of `text` in use. The lengths must have been checked.
static inline size_t tn_descriptor_text_bytes(const struct tn_descriptor *d) {
    return tn_descriptor_control_at(d) + (d->control_separate == 1 ? 0 : (size_t)d->control_bytes);
}

enum tn_channel_stat {
#define TN_CHANNEL_STAT(name, text) TN_CHANNEL_##name,
    TARN_CHANNEL_STATS_LIST(TN_CHANNEL_STAT)
#undef TN_CHANNEL_STAT
        TN_CHANNEL_STATS
};

// The head of a mailbox. Each cache line is written by one kind of operation.
struct tn_mailbox_head {
    uint64_t magic;
    uint64_t bytes;
    _Alignas(64) _Atomic uint64_t sent;                    // number of descriptors published
    _Alignas(64) _Atomic uint64_t consumed;                // number of the peer's descriptors read
    _Alignas(64) _Atomic uint64_t returned;                // number of returns published
    _Alignas(64) _Atomic uint64_t grants;                  // number of changes of `granted`
    _Alignas(64) _Atomic uint32_t asleep;                  // 0 while awake
    _Alignas(64) _Atomic uint64_t stats[TN_CHANNEL_STATS]; // for tarn_channel_peek()
};

// The sizes of one mailbox, which both sides agree on in the handshake. `returns` is the maximum
// number of parcels of the *reader* that the writer can hold, and so of pending returns.
struct tn_mailbox_shape {
    uint32_t ports;
    uint32_t slots;   // a power of two
    uint32_t returns; // a power of two
};

// A mapped mailbox: pointers into its memory.
struct tn_mailbox {
    struct tn_shm shm;
    struct tn_mailbox_shape shape;
    struct tn_mailbox_head *head;
    _Atomic uint32_t *granted; // for each port of the writer: credits granted in total; wraps
    _Atomic uint64_t *returns; // transit | generation << 32
    struct tn_descriptor *slots;
};

bool tn_mailbox_shape_valid(const struct tn_mailbox_shape *shape);
uint64_t tn_mailbox_bytes(const struct tn_mailbox_shape *shape);

// Creates this side's mailbox. Statuses as for tn_shm_create().
tarn_status tn_mailbox_create(const struct tn_mailbox_shape *shape, struct tn_mailbox *box);
// Creates a mailbox in private memory.
tarn_status tn_mailbox_create_private(const struct tn_mailbox_shape *shape, struct tn_mailbox *box);
// Maps the peer's mailbox for reading. Takes ownership of `fd` on success. Statuses as for
// tn_shm_adopt().
tarn_status tn_mailbox_adopt(int fd, const struct tn_mailbox_shape *shape, struct tn_mailbox *box);

static inline void tn_mailbox_close(struct tn_mailbox *box) { tn_shm_close(&box->shm); }

static inline struct tn_descriptor *tn_mailbox_slot(const struct tn_mailbox *box, uint64_t number) {
    TARN_ASSERT((box->shape.slots & (box->shape.slots - 1)) == 0);
    return &box->slots[number & (box->shape.slots - 1)];
}

// Publishes the return numbered `number` (from 0) of a parcel to its owner.
static inline void tn_mailbox_push_return(struct tn_mailbox *box, uint64_t number, uint32_t transit,
                                          uint32_t generation) {
    tn_store_relaxed(&box->returns[number & (box->shape.returns - 1)],
                     (uint64_t)generation << 32 | transit);
    tn_store_seq_cst(&box->head->returned, number + 1);
}

// Copies from memory that the peer can write. The barrier stops the compiler from reading the
// source again after the copy was checked.
static inline void tn_mailbox_copy(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
}

static inline void tn_mailbox_count(struct tn_mailbox *box, enum tn_channel_stat stat,
                                    uint64_t more) {
    (void)tn_add_relaxed(&box->head->stats[stat], more);
}

static inline void tn_mailbox_set(struct tn_mailbox *box, enum tn_channel_stat stat,
                                  uint64_t value) {
    tn_store_relaxed(&box->head->stats[stat], value);
}
