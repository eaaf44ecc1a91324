// SPDX-License-Identifier: Apache-2.0
// Receiving. A descriptor is copied out of the peer's mailbox, and only the copy is checked and
// used. Its references to parcels are checked against tables that the peer cannot write. Functions
// that read descriptors run under the receive lock.
#include <stdlib.h>

#include "base/list.h"
#include "channel/channel.h"
#include "channel/misbehave.h"
#include "fail/point.h"

// ---- delivery records

static struct tn_delivery *take_delivery(tarn_channel *c) {
    struct tn_delivery *delivery = c->free_deliveries;
    TARN_ASSERT(tn_mutex_is_held(&c->receive_lock));
    if (delivery != NULL) {
        TARN_ASSERT(!delivery->out && delivery->separate_control == NULL);
        c->free_deliveries = delivery->next_free;
        return delivery;
    }
    delivery = (struct tn_delivery *)calloc(1, sizeof *delivery);
    if (delivery != NULL) {
        delivery->channel = c;
        delivery->next = c->deliveries;
        c->deliveries = delivery;
    }
    return delivery;
}

static void recycle_delivery(tarn_channel *c, struct tn_delivery *delivery) {
    TARN_ASSERT(tn_mutex_is_held(&c->receive_lock) && delivery->channel == c);
    free(delivery->separate_control);
    delivery->separate_control = NULL;
    delivery->next_free = c->free_deliveries;
    c->free_deliveries = delivery;
}

void tn_receive_free_deliveries(tarn_channel *c) {
    TN_CHAIN_DRAIN(struct tn_delivery, delivery, c->deliveries, next) {
        free(delivery->separate_control);
        free(delivery);
    }
    c->free_deliveries = NULL;
}

// ---- checking a descriptor: each check returns the reason of a refusal, or NULL

// A link refers to the local arena, and has already checked the reference.
static bool ref_valid(const tarn_channel *c, const struct tn_parcel_ref *ref, uint64_t bytes) {
    if (c->link != NULL) return true;
    return ref->transit < c->received.count && ref->offset % TN_SHM_PAGE == 0 &&
           ref->offset < c->peer_arena.bytes &&
           ref->capacity <= c->peer_arena.bytes - ref->offset && bytes != 0 &&
           bytes <= ref->capacity;
}

static const char *check_descriptor(const tarn_channel *c, const struct tn_descriptor *d) {
    if (d->name_bytes > TARN_MESSAGE_NAME_MAX || d->control_separate > 1 ||
        d->control_bytes > TARN_MESSAGE_CONTROL_MAX)
        return "a descriptor's name or control bytes are too long";
    if (tn_descriptor_text_bytes(d) > TN_DESCRIPTOR_TEXT)
        return "a descriptor's text does not fit into it";
    if (d->kind > (c->link == NULL ? TN_DESCRIPTOR_RETURNED : TN_DESCRIPTOR_COPIED) ||
        d->policy > TARN_PARCEL_MANUAL || d->port >= c->own.shape.ports)
        return "a descriptor has an unknown kind, policy or port";
    const struct tn_port *port = &c->ports[d->port];
    if (tn_load_acquire(&port->depth) == 0 ||
        tn_load_relaxed(&port->granted) == tn_load_relaxed(&port->seen))
        return "the peer sent without a credit";
    if (d->kind == TN_DESCRIPTOR_PARCEL && !ref_valid(c, &d->parcel, d->bytes))
        return "a descriptor's parcel lies outside the peer's arena";
    if (d->control_separate == 1 && !ref_valid(c, &d->control, d->control_bytes))
        return "a descriptor's control bytes lie outside the peer's arena";
    return NULL;
}

// ---- accepting a message: each step returns the reason of a refusal, or NULL

static const char *accept_parcel(tarn_channel *c, const struct tn_descriptor *d) {
    TN_SPIN_LOCKED(&c->received_lock);
    if (!tn_received_is_free(&c->received, d->parcel.transit))
        return "the peer sent a parcel that is held here already";
    tn_received_add(&c->received, &d->parcel, d->policy);
    tn_mailbox_set(&c->own, TN_CHANNEL_held, c->received.used);
    uint32_t refs = tn_add_relaxed(&c->refs, 1);
    TARN_ASSERT(refs != 0);
    (void)refs;
    return NULL;
}

static const char *accept_returned(tarn_channel *c, const struct tn_descriptor *d, void **parcel) {
    TN_SPIN_LOCKED(&c->send_lock);
    const struct tn_transit *transit =
        tn_transit_find(&c->transits, d->parcel.transit, d->parcel.generation);
    struct tn_parcel_record *record = transit != NULL ? &c->arena->records[transit->page] : NULL;
    if (record == NULL || d->bytes == 0 || d->bytes > record->bytes)
        return "the peer sent back a parcel that it did not have";
    *parcel = tn_arena_at(c->arena, transit->page);
    tn_transit_end(&c->transits, d->parcel.transit);
    tn_record_return_as_hold(record);
    tn_mailbox_set(&c->own, TN_CHANNEL_in_flight, c->transits.used);
    return NULL;
}

static void fill_delivery(struct tn_delivery *delivery, void *parcel) {
    const struct tn_descriptor *d = &delivery->descriptor;
    TARN_ASSERT(d->name_bytes <= TARN_MESSAGE_NAME_MAX); // the copy was checked
    TARN_ASSERT(tn_descriptor_text_bytes(d) <= TN_DESCRIPTOR_TEXT);
    memcpy(delivery->name, d->text, d->name_bytes);
    delivery->name[d->name_bytes] = '\0';
    const void *control = d->control_separate == 1 ? delivery->separate_control
                                                   : d->text + tn_descriptor_control_at(d);
    delivery->delivery = (tarn_delivery){.port = d->port,
                                         .code = d->code,
                                         .name = delivery->name,
                                         .control = d->control_bytes != 0 ? control : NULL,
                                         .control_bytes = d->control_bytes,
                                         .parcel = parcel,
                                         .bytes = parcel != NULL ? d->bytes : 0};
}

// Every check comes before the first change.
static const char *accept_message(tarn_channel *c, struct tn_delivery *delivery) {
    const struct tn_descriptor *d = &delivery->descriptor;
    const char *wrong = NULL;
    void *parcel = NULL;
    if (d->kind == TN_DESCRIPTOR_PARCEL) {
        wrong = accept_parcel(c, d);
        parcel = c->peer_arena.base + d->parcel.offset;
    } else if (d->kind == TN_DESCRIPTOR_RETURNED) {
        wrong = accept_returned(c, d, &parcel);
    } else if (d->kind == TN_DESCRIPTOR_COPIED) {
        parcel = c->arena->shm.base + d->parcel.offset; // the receiver gets the link's hold
    }
    if (wrong != NULL) return wrong;
    if (d->control_separate == 1 && c->link == NULL) { // a link has copied it already
        TN_SPIN_LOCKED(&c->received_lock);
        tn_return_push(c, d->control.transit, d->control.generation);
    }
    fill_delivery(delivery, parcel);
    return NULL;
}

// ---- one attempt

static tarn_status read_descriptor(tarn_channel *c, struct tn_delivery *delivery,
                                   const char **wrong) {
    struct tn_descriptor *d = &delivery->descriptor;
    const struct tn_descriptor *shared = tn_mailbox_slot(&c->peer, c->consumed);
    tn_mailbox_copy(d, shared, offsetof(struct tn_descriptor, text));
    *wrong = check_descriptor(c, d);
    if (*wrong != NULL) return TARN_CORRUPT;
    tn_mailbox_copy(d->text, shared->text, tn_descriptor_text_bytes(d));
    if (d->control_separate == 1) {
        const unsigned char *base = c->link == NULL ? c->peer_arena.base : c->arena->shm.base;
        delivery->separate_control = malloc(d->control_bytes);
        TN_REFUSE(delivery->separate_control == NULL, TARN_NO_HOST_MEMORY,
                  "out of host memory for %llu control bytes",
                  (unsigned long long)d->control_bytes);
        tn_mailbox_copy(delivery->separate_control, base + d->control.offset, d->control_bytes);
    }
    *wrong = accept_message(c, delivery);
    return *wrong == NULL ? TARN_OK : TARN_CORRUPT;
}

static tarn_status fail_ended_or_empty(tarn_channel *c) {
    tarn_status ended = tn_channel_ended(c);
    TARN_ASSERT(tn_mutex_is_held(&c->receive_lock));
    if (ended == TARN_OK) return TARN_NOT_READY;
    if (ended == TARN_CORRUPT && !c->corrupt_reported) {
        c->corrupt_reported = true;
        return tn_fail(TARN_CORRUPT, "channel to process %d closed: %s", c->peer_pid,
                       c->end_reason);
    }
    return tn_channel_fail_ended(c);
}

static tarn_status read_next(tarn_channel *c, struct tn_delivery **read, const char **wrong) {
    tarn_status ended = tn_channel_ended(c);
    uint64_t sent = tn_load_seq_cst(&c->peer.head->sent);
    if (sent == c->consumed || ended == TARN_CORRUPT) return fail_ended_or_empty(c);
    if (sent - c->consumed > c->peer.shape.slots) {
        *wrong = "the peer claims more messages than it has slots";
        return TARN_CORRUPT;
    }
    struct tn_delivery *delivery = take_delivery(c);
    TN_REFUSE(delivery == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a delivery");
    tarn_status status = read_descriptor(c, delivery, wrong);
    if (status != TARN_OK) {
        recycle_delivery(c, delivery);
        return status;
    }
    delivery->out = true;
    struct tn_port *port = &c->ports[delivery->descriptor.port];
    tn_store_relaxed(&port->seen, tn_load_relaxed(&port->seen) + 1);
    tn_mailbox_count(&c->own, TN_CHANNEL_receives, 1);
    tn_mailbox_count(&c->own, TN_CHANNEL_received_bytes, delivery->delivery.bytes);
    c->consumed++;
    tn_store_seq_cst(&c->own.head->consumed, c->consumed);
    *read = delivery;
    return TARN_OK;
}

tarn_status tn_receive(tarn_channel *c, const tarn_delivery **delivery) {
    struct tn_delivery *read = NULL;
    const char *wrong = NULL;
    tn_mutex_lock(&c->receive_lock);
    tarn_status status = read_next(c, &read, &wrong);
    tn_mutex_unlock(&c->receive_lock);
    if (wrong != NULL) {
        tn_channel_end(c, TARN_CORRUPT, wrong);
        TN_LOCKED(&c->receive_lock);
        return fail_ended_or_empty(c);
    }
    if (status != TARN_OK) return status;
    tn_channel_wake_peer(c, TN_WAIT_SLOT);
    const struct tn_descriptor *d = &read->descriptor;
    if (d->control_separate == 1 && c->link != NULL)
        (void)tarn_parcel_free(c->arena, c->arena->shm.base + d->control.offset);
    else if (d->control_separate == 1)
        tn_channel_wake_peer(c, TN_WAIT_RETURN);
    *delivery = &read->delivery;
    return TARN_OK;
}

void tn_receive_free_copied(tarn_channel *c) {
    uint64_t sent = c->link != NULL ? tn_load_seq_cst(&c->peer.head->sent) : c->consumed;
    for (uint64_t i = c->consumed; i != sent; i++) {
        const struct tn_descriptor *d = tn_mailbox_slot(&c->peer, i);
        if (d->kind == TN_DESCRIPTOR_COPIED)
            (void)tarn_parcel_free(c->arena, c->arena->shm.base + d->parcel.offset);
        if (d->control_separate == 1)
            (void)tarn_parcel_free(c->arena, c->arena->shm.base + d->control.offset);
    }
    c->consumed = sent;
}

// ---- the calls

struct receive_call {
    tarn_channel *c;
    const tarn_delivery **delivery;
};

static tarn_status try_receive(void *arg) {
    const struct receive_call *r = (const struct receive_call *)arg;
    return tn_receive(r->c, r->delivery);
}

tarn_status tarn_channel_receive(tarn_channel *channel, uint64_t timeout_ns,
                                 const tarn_delivery **delivery) {
    TN_FAIL_POINT(0, 0);
    tn_channel_misbehave(__func__);
    TN_TRY(tn_channel_usable(channel));
    TN_REFUSE(delivery == NULL, TARN_BAD_ARGUMENT, "delivery is NULL");
    tn_mutex_lock(&channel->receive_lock);
    bool has_receiver = channel->started && channel->receiver.on_message != NULL;
    tn_mutex_unlock(&channel->receive_lock);
    TN_REFUSE(has_receiver, TARN_BUSY, "the thread of tarn_channel_start() receives");
    struct receive_call r = {channel, delivery};
    tarn_status status = tn_wait_until(channel, TN_WAIT_MESSAGE, timeout_ns, try_receive, &r);
    TN_REFUSE(status == TARN_NOT_READY, TARN_TIMED_OUT, "no message from process %d within %llu ns",
              channel->peer_pid, (unsigned long long)timeout_ns);
    return TN_DONE(status);
}

tarn_status tarn_channel_done(tarn_channel *channel, const tarn_delivery *delivery) {
    TN_TRY(tn_channel_usable(channel));
    // The public struct is the first field of the record, which is not constant.
    struct tn_delivery *record = (struct tn_delivery *)(uintptr_t)delivery;
    tn_mutex_lock(&channel->receive_lock);
    bool out = record != NULL && record->channel == channel && record->out;
    uint32_t port = out ? record->descriptor.port : 0;
    if (out) {
        record->out = false;
        recycle_delivery(channel, record);
    }
    tn_mutex_unlock(&channel->receive_lock);
    TN_REFUSE(!out, TARN_BAD_ARGUMENT, "delivery %p is NULL, done, or another channel's",
              (const void *)delivery);
    if (!channel->ports[port].manual_credit) {
        (void)tn_add_relaxed(&channel->ports[port].granted, 1);
        tn_channel_publish_grants(channel, port, 1);
    }
    return TARN_OK;
}
