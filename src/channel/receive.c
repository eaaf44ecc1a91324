// SPDX-License-Identifier: Apache-2.0
// Receiving. A descriptor is copied out of the peer's box, and only the copy is checked and used.
// What it says of parcels is checked against tables that the peer cannot write.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "channel/channel.h"

#define HEAD_BYTES offsetof(struct tn_descriptor, text)

// ---- letters

static struct tn_delivery *new_letter(tarn_channel *c) {
    struct tn_delivery *letter = (struct tn_delivery *)calloc(1, sizeof *letter);
    if (letter != NULL) {
        letter->channel = c;
        letter->next = c->letters;
        c->letters = letter;
    }
    return letter;
}

static struct tn_delivery *take_letter(tarn_channel *c) {
    struct tn_delivery *letter = c->free_letters;
    if (letter == NULL) {
        return new_letter(c);
    }
    c->free_letters = letter->next_free;
    return letter;
}

static void put_letter(tarn_channel *c, struct tn_delivery *letter) {
    free(letter->apart);
    letter->apart = NULL;
    letter->next_free = c->free_letters;
    c->free_letters = letter;
}

void tn_receive_free_deliveries(tarn_channel *c) {
    while (c->letters != NULL) {
        struct tn_delivery *letter = c->letters;
        c->letters = letter->next;
        free(letter->apart);
        free(letter);
    }
    c->free_letters = NULL;
}

// ---- copying out

static const struct tn_descriptor *slot_at(const tarn_channel *c, uint64_t number) {
    return &c->peer.slots[number & (c->peer.shape.slots - 1)];
}

// Nothing behind this line may be read from where it was copied from.
static void copy_out(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
}

static size_t control_at(const struct tn_descriptor *slot) {
    return ((size_t)slot->name_bytes + 7) & ~(size_t)7;
}

// Why the descriptor cannot be meant; NULL: it can.
static const char *text_is_wrong(const struct tn_descriptor *slot) {
    if (slot->name_bytes > TARN_MESSAGE_NAME_MAX || slot->control_separate > 1 ||
        slot->control_bytes > TARN_MESSAGE_CONTROL_MAX) {
        return "a descriptor's name or control bytes are too long";
    }
    if (slot->control_separate == 0 &&
        control_at(slot) + slot->control_bytes > TN_DESCRIPTOR_TEXT) {
        return "a descriptor's text does not fit into it";
    }
    return NULL;
}

// What a link says of our own arena was checked by the link.
static bool ref_is_good(const tarn_channel *c, const struct tn_parcel_ref *ref, uint64_t bytes) {
    if (c->link != NULL) {
        return true;
    }
    return ref->transit < c->held.count && ref->offset % TN_SHM_PAGE == 0 &&
           ref->offset < c->peer_arena.bytes &&
           ref->capacity <= c->peer_arena.bytes - ref->offset && bytes != 0 &&
           bytes <= ref->capacity;
}

static const char *slot_is_wrong(const tarn_channel *c, const struct tn_descriptor *slot) {
    if (slot->kind > (c->link == NULL ? TN_DESCRIPTOR_RETURNED : TN_DESCRIPTOR_COPIED) ||
        slot->policy > TARN_PARCEL_MANUAL || slot->port >= c->own.shape.ports) {
        return "a descriptor is of no kind, or for no port";
    }
    const struct tn_port *port = &c->ports[slot->port];
    if (tn_load_acquire(&port->depth) == 0 ||
        tn_load_relaxed(&port->granted) == tn_load_relaxed(&port->seen)) {
        return "the peer sent without a credit";
    }
    if (slot->kind == TN_DESCRIPTOR_PARCEL && !ref_is_good(c, &slot->parcel, slot->bytes)) {
        return "a descriptor's parcel lies outside the peer's arena";
    }
    if (slot->control_separate == 1 && !ref_is_good(c, &slot->control, slot->control_bytes)) {
        return "a descriptor's control bytes lie outside the peer's arena";
    }
    return NULL;
}

// ---- taking over

// Long control bytes are copied and their parcel goes back at once. False: no memory.
static bool take_apart(tarn_channel *c, struct tn_delivery *letter) {
    const struct tn_descriptor *slot = &letter->slot;
    if (slot->control_separate == 0) {
        return true;
    }
    letter->apart = malloc(slot->control_bytes);
    if (letter->apart == NULL) {
        return false;
    }
    const unsigned char *base = c->link == NULL ? c->peer_arena.base : c->arena->shm.base;
    copy_out(letter->apart, base + slot->control.offset, slot->control_bytes);
    return true;
}

static const char *take_parcel(tarn_channel *c, const struct tn_descriptor *slot) {
    bool good;
    tn_spin_lock(&c->received_lock);
    good = tn_received_is_free(&c->held, slot->parcel.transit);
    if (good) {
        tn_received_add(&c->held, &slot->parcel, slot->policy);
        tn_mailbox_set(&c->own, TN_CHANNEL_held, c->held.used);
        (void)tn_add_relaxed(&c->refs, 1);
    }
    tn_spin_unlock(&c->received_lock);
    return good ? NULL : "the peer sent a parcel that is here already";
}

static const char *take_home(tarn_channel *c, const struct tn_descriptor *slot, void **parcel) {
    const char *wrong = "the peer sent home a parcel that it did not have";
    tn_spin_lock(&c->send_lock);
    const struct tn_transit *transit =
        tn_transit_find(&c->transits, slot->parcel.transit, slot->parcel.generation);
    if (transit != NULL) {
        struct tn_parcel_record *record = &c->arena->records[transit->page];
        if (slot->bytes != 0 && slot->bytes <= record->bytes) {
            wrong = NULL;
            *parcel = tn_arena_at(c->arena, transit->page);
            tn_transit_end(&c->transits, slot->parcel.transit);
            tn_record_return_as_hold(record);
            tn_mailbox_set(&c->own, TN_CHANNEL_in_flight, c->transits.used);
        }
    }
    tn_spin_unlock(&c->send_lock);
    return wrong;
}

static void return_control(tarn_channel *c, const struct tn_parcel_ref *ref) {
    tn_spin_lock(&c->received_lock);
    tn_return_push(c, ref->transit, ref->generation);
    tn_spin_unlock(&c->received_lock);
}

static void fill(struct tn_delivery *letter, void *parcel) {
    const struct tn_descriptor *slot = &letter->slot;
    memcpy(letter->name, slot->text, slot->name_bytes);
    letter->name[slot->name_bytes] = '\0';
    const void *control =
        slot->control_separate == 1 ? letter->apart : slot->text + control_at(slot);
    letter->delivery = (tarn_delivery){.port = slot->port,
                                       .code = slot->code,
                                       .name = letter->name,
                                       .control = slot->control_bytes != 0 ? control : NULL,
                                       .control_bytes = slot->control_bytes,
                                       .parcel = parcel,
                                       .bytes = parcel != NULL ? slot->bytes : 0};
}

// Everything that can be wrong is found before anything changes.
static const char *take_over(tarn_channel *c, struct tn_delivery *letter) {
    const struct tn_descriptor *slot = &letter->slot;
    const char *wrong = NULL;
    void *parcel = NULL;
    if (slot->kind == TN_DESCRIPTOR_PARCEL) {
        wrong = take_parcel(c, slot);
        parcel = c->peer_arena.base + slot->parcel.offset;
    } else if (slot->kind == TN_DESCRIPTOR_RETURNED) {
        wrong = take_home(c, slot, &parcel);
    } else if (slot->kind == TN_DESCRIPTOR_COPIED) {
        parcel = c->arena->shm.base + slot->parcel.offset; // its hold is the receiver's now
    }
    if (wrong != NULL) {
        return wrong;
    }
    if (slot->control_separate == 1 && c->link == NULL) {
        return_control(c, &slot->control);
    }
    fill(letter, parcel);
    return NULL;
}

static void count_receive(tarn_channel *c, const struct tn_delivery *letter) {
    struct tn_port *port = &c->ports[letter->slot.port];
    tn_store_relaxed(&port->seen, tn_load_relaxed(&port->seen) + 1);
    tn_mailbox_count(&c->own, TN_CHANNEL_receives, 1);
    tn_mailbox_count(&c->own, TN_CHANNEL_received_bytes, letter->delivery.bytes);
}

// ---- the attempt, with the receive lock

static tarn_status read_slot(tarn_channel *c, struct tn_delivery *letter, const char **wrong) {
    struct tn_descriptor *slot = &letter->slot;
    const struct tn_descriptor *shared = slot_at(c, c->consumed);
    copy_out(slot, shared, HEAD_BYTES);
    *wrong = text_is_wrong(slot);
    if (*wrong == NULL) {
        *wrong = slot_is_wrong(c, slot);
    }
    if (*wrong != NULL) {
        return TARN_CORRUPT;
    }
    size_t text =
        control_at(slot) + (slot->control_separate == 1 ? 0 : (size_t)slot->control_bytes);
    copy_out(slot->text, shared->text, text);
    if (!take_apart(c, letter)) {
        return tn_fail(TARN_NO_HOST_MEMORY, "%llu control bytes",
                       (unsigned long long)slot->control_bytes);
    }
    *wrong = take_over(c, letter);
    return *wrong == NULL ? TARN_OK : TARN_CORRUPT;
}

static tarn_status read_next(tarn_channel *c, struct tn_delivery **taken, const char **wrong) {
    struct tn_delivery *letter = take_letter(c);
    if (letter == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "a delivery");
    }
    tarn_status status = read_slot(c, letter, wrong);
    if (status != TARN_OK) {
        put_letter(c, letter);
        return status;
    }
    letter->out = true;
    count_receive(c, letter);
    c->consumed++;
    tn_store_seq_cst(&c->own.head->consumed, c->consumed);
    *taken = letter;
    return TARN_OK;
}

static tarn_status nothing_there(tarn_channel *c, tarn_status ended) {
    if (ended == TARN_OK) {
        return TARN_NOT_READY;
    }
    if (ended == TARN_CORRUPT && !c->corrupt_reported) {
        c->corrupt_reported = true;
        return tn_fail(TARN_CORRUPT, "channel to process %d closed: %s", c->peer_pid, c->why);
    }
    return tn_channel_fail_ended(c);
}

static tarn_status try_next(tarn_channel *c, struct tn_delivery **taken, const char **wrong) {
    tarn_status ended = tn_channel_ended(c);
    uint64_t sent = tn_load_seq_cst(&c->peer.head->sent);
    if (sent == c->consumed || ended == TARN_CORRUPT) {
        return nothing_there(c, ended);
    }
    if (sent - c->consumed > c->peer.shape.slots) {
        *wrong = "the peer claims more messages than there are slots";
        return TARN_CORRUPT;
    }
    return read_next(c, taken, wrong);
}

// With no lock held: what landed is ours to free.
static void end_control(tarn_channel *c, const struct tn_parcel_ref *ref) {
    if (c->link != NULL) {
        (void)tarn_parcel_free(c->arena, c->arena->shm.base + ref->offset);
    } else {
        tn_channel_wake_peer(c, TN_WAIT_RETURN);
    }
}

tarn_status tn_receive(tarn_channel *c, const tarn_delivery **delivery) {
    struct tn_delivery *letter = NULL;
    const char *wrong = NULL;
    tn_mutex_lock(&c->receive_lock);
    tarn_status status = try_next(c, &letter, &wrong);
    tn_mutex_unlock(&c->receive_lock);
    if (wrong != NULL) {
        tn_channel_end(c, TARN_CORRUPT, wrong);
        tn_mutex_lock(&c->receive_lock);
        status = nothing_there(c, tn_channel_ended(c));
        tn_mutex_unlock(&c->receive_lock);
        return status;
    }
    if (status == TARN_OK) {
        tn_channel_wake_peer(c, TN_WAIT_SLOT);
        if (letter->slot.control_separate == 1) {
            end_control(c, &letter->slot.control);
        }
        *delivery = &letter->delivery;
    }
    return status;
}

void tn_receive_mark_returning(tarn_channel *c) {
    uint64_t sent = tn_load_seq_cst(&c->peer.head->sent);
    struct tn_descriptor slot;
    if (sent - c->consumed > c->peer.shape.slots) {
        return; // the next receive finds that out
    }
    for (uint64_t i = c->consumed; i != sent; i++) {
        copy_out(&slot, slot_at(c, i), HEAD_BYTES);
        struct tn_transit *transit =
            slot.kind == TN_DESCRIPTOR_RETURNED
                ? tn_transit_find(&c->transits, slot.parcel.transit, slot.parcel.generation)
                : NULL;
        if (transit != NULL) {
            transit->returning = true;
        }
    }
}

void tn_receive_free_copied(tarn_channel *c) {
    uint64_t sent = c->link != NULL ? tn_load_seq_cst(&c->peer.head->sent) : c->consumed;
    for (uint64_t i = c->consumed; i != sent; i++) {
        const struct tn_descriptor *slot = slot_at(c, i);
        if (slot->kind == TN_DESCRIPTOR_COPIED) {
            (void)tarn_parcel_free(c->arena, c->arena->shm.base + slot->parcel.offset);
        }
        if (slot->control_separate == 1) {
            (void)tarn_parcel_free(c->arena, c->arena->shm.base + slot->control.offset);
        }
    }
    c->consumed = sent;
}

// ---- the calls

struct receiving {
    tarn_channel *c;
    const tarn_delivery **delivery;
};

static tarn_status attempt(void *arg) {
    const struct receiving *r = (const struct receiving *)arg;
    return tn_receive(r->c, r->delivery);
}

tarn_status tarn_channel_receive(tarn_channel *channel, uint64_t timeout_ns,
                                 const tarn_delivery **delivery) {
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    if (delivery == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "delivery NULL");
    }
    tn_mutex_lock(&channel->receive_lock);
    bool taken = channel->started && channel->receiver.on_message != NULL;
    tn_mutex_unlock(&channel->receive_lock);
    if (taken) {
        return tn_fail(TARN_BUSY, "the channel's own thread receives");
    }
    struct receiving r = {channel, delivery};
    status =
        tn_wait_until(&channel->arena->wait_set, channel, TN_WAIT_MESSAGE, timeout_ns, attempt, &r);
    if (status == TARN_NOT_READY) {
        return tn_fail(TARN_TIMED_OUT, "no message of process %d within %llu ns", channel->peer_pid,
                       (unsigned long long)timeout_ns);
    }
    return status;
}

void tn_done(tarn_channel *c, struct tn_delivery *letter) {
    uint32_t port = letter->slot.port;
    bool by_hand = c->ports[port].by_hand;
    tn_mutex_lock(&c->receive_lock);
    put_letter(c, letter);
    tn_mutex_unlock(&c->receive_lock);
    if (!by_hand) {
        (void)tn_add_relaxed(&c->ports[port].granted, 1);
        tn_channel_publish_grants(c, port, 1);
    }
}

tarn_status tarn_channel_done(tarn_channel *channel, const tarn_delivery *delivery) {
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    // A delivery is the first field of a letter, which is ours and not constant.
    struct tn_delivery *letter = (struct tn_delivery *)(uintptr_t)delivery;
    bool out = false;
    if (letter != NULL) {
        tn_mutex_lock(&channel->receive_lock);
        out = letter->channel == channel && letter->out;
        if (out) {
            letter->out = false;
        }
        tn_mutex_unlock(&channel->receive_lock);
    }
    if (!out) {
        return tn_fail(TARN_BAD_ARGUMENT, "delivery %p is NULL, done, or another channel's",
                       (const void *)delivery);
    }
    tn_done(channel, letter);
    return TARN_OK;
}
