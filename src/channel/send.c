// SPDX-License-Identifier: Apache-2.0
// Sending. A send first prepares what may fail or wait (copies of plain memory and of long control
// bytes), then, under the send lock and when credit, slot and transits are there at once, moves the
// holds and publishes the descriptor. So a send that fails has moved nothing.
#include <string.h>

#include "base/error.h"
#include "base/struct.h"
#include "channel/channel.h"

// As long as there are slots enough the peer's counter is read at every so many sends only: its
// line comes from another processor.
#define LOOK_EVERY 16

// A send on its way.
struct sending {
    tarn_channel *c;
    tarn_message message;
    uint64_t timeout_ns;
    uint64_t deadline_ns; // once it waits
    size_t name_bytes;
    size_t text_bytes;            // of name and control together, if they fit
    struct tn_parcel_record *own; // parcel of ours: as given, or the copy
    uint64_t home;                // offset in the peer's arena of a received one
    enum tn_descriptor_kind kind;
    void *copy;         // ours, to be freed on failure
    void *control_copy; // the same
    bool waited;
};

// ---- returns

// The next return, copied before it is looked at.
static struct tn_transit *next_return(tarn_channel *c, uint32_t *number) {
    const struct tn_mailbox *box = &c->peer;
    uint64_t entry =
        tn_load_relaxed(&box->returns[c->returns_collected & (box->shape.returns - 1)]);
    *number = (uint32_t)entry;
    return tn_transit_find(&c->transits, *number, (uint32_t)(entry >> 32));
}

bool tn_send_collect_returns(tarn_channel *c, uint32_t *freed) {
    uint64_t returned = tn_load_acquire(&c->peer.head->returned);
    uint32_t number;
    if (returned - c->returns_collected > c->peer.shape.returns) {
        return false;
    }
    for (; c->returns_collected != returned; c->returns_collected++) {
        const struct tn_transit *transit = next_return(c, &number);
        if (transit == NULL) {
            return false;
        }
        struct tn_parcel_record *record = &c->arena->records[transit->page];
        tn_transit_end(&c->transits, number);
        tn_record_return(c->arena, record);
        (*freed)++;
    }
    if (*freed != 0) {
        tn_mailbox_set(&c->own, TN_CHANNEL_in_flight, c->transits.used);
    }
    return true;
}

static const char bad_return[] = "the peer returned a parcel that it did not have";

void tn_channel_reclaim(tarn_channel *c) {
    uint32_t freed = 0;
    tn_spin_lock(&c->send_lock);
    bool good = tn_channel_ended(c) != TARN_OK || tn_send_collect_returns(c, &freed);
    tn_spin_unlock(&c->send_lock);
    if (!good) {
        tn_channel_end_locked(c, TARN_CORRUPT, bad_return);
    }
}

// ---- checking

static tarn_status check_message(struct sending *s) {
    const tarn_message *m = &s->message;
    size_t name = m->name != NULL ? strnlen(m->name, TARN_MESSAGE_NAME_MAX + 1) : 0;
    if (name > TARN_MESSAGE_NAME_MAX || m->control_bytes > TARN_MESSAGE_CONTROL_MAX ||
        (m->control == NULL && m->control_bytes != 0)) {
        return tn_fail(TARN_BAD_ARGUMENT, "a name of %zu bytes, control %p of %llu", name,
                       m->control, (unsigned long long)m->control_bytes);
    }
    if (m->port >= s->c->peer.shape.ports || (m->flags & ~(uint32_t)TARN_MESSAGE_COPY) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "port %u of %u, flags 0x%x", m->port,
                       s->c->peer.shape.ports, m->flags);
    }
    s->name_bytes = name;
    s->text_bytes = ((name + 7) & ~(size_t)7) + m->control_bytes;
    return TARN_OK;
}

static tarn_status check_landing(const struct sending *s, uint64_t bytes) {
    if (s->c->lands != 0 && bytes > s->c->lands) {
        return tn_fail(TARN_BAD_ARGUMENT, "%llu bytes for a peer whose parcels have %llu at most",
                       (unsigned long long)bytes, (unsigned long long)s->c->lands);
    }
    return TARN_OK;
}

static tarn_status check_bytes(const struct sending *s, uint64_t capacity) {
    if (s->message.bytes == 0 || s->message.bytes > capacity) {
        return tn_fail(TARN_BAD_ARGUMENT, "%llu bytes of a parcel of %llu",
                       (unsigned long long)s->message.bytes, (unsigned long long)capacity);
    }
    return check_landing(s, s->message.bytes);
}

static tarn_status no_start(const struct sending *s) {
    return tn_fail(TARN_BAD_ADDRESS, "%p is not the start of a parcel that is held here",
                   s->message.parcel);
}

static tarn_status find_own(struct sending *s) {
    struct tn_parcel_record *record = tn_arena_record(s->c->arena, s->message.parcel);
    if (record == NULL || tn_life_local_holds(tn_load_acquire(&record->life)) == 0) {
        return no_start(s);
    }
    s->kind = TN_DESCRIPTOR_PARCEL;
    s->own = record;
    return check_bytes(s, record->bytes);
}

static tarn_status find_received(struct sending *s) {
    tarn_channel *c = s->c;
    uint64_t capacity = 0;
    uint32_t holds = 0;
    s->kind = TN_DESCRIPTOR_RETURNED;
    s->home = (uintptr_t)s->message.parcel - (uintptr_t)c->peer_arena.base;
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->held, s->home);
    if (at != TN_RECEIVED_NONE) {
        capacity = c->held.table[at].capacity;
        holds = c->held.table[at].holds;
    }
    tn_spin_unlock(&c->received_lock);
    if (holds == 0) {
        return no_start(s);
    }
    if (holds > 1) {
        return tn_fail(TARN_BUSY, "parcel %p goes home with %u holds on it", s->message.parcel,
                       holds);
    }
    return check_bytes(s, capacity);
}

static bool is_a_third_ones(const struct sending *s) {
    tarn_channel *peer = tn_arena_peer_of(s->c->arena, s->message.parcel);
    if (peer != NULL) {
        tn_channel_unref(peer);
    }
    return peer != NULL;
}

// ---- preparing

static uint64_t time_left(struct sending *s) {
    if (s->timeout_ns == 0 || s->timeout_ns == TARN_FOREVER) {
        return s->timeout_ns;
    }
    uint64_t now = tn_now_ns();
    if (s->deadline_ns == 0) {
        s->deadline_ns = tn_deadline(s->timeout_ns);
    }
    return s->deadline_ns > now ? s->deadline_ns - now : 0;
}

static tarn_status copy_to_parcel(struct sending *s, const void *from, uint64_t bytes,
                                  void **copy) {
    if (bytes > s->c->arena->largest) {
        return tn_fail(TARN_BAD_ARGUMENT, "%llu bytes to copy into a parcel of at most %llu",
                       (unsigned long long)bytes, (unsigned long long)s->c->arena->largest);
    }
    tarn_status status = tarn_parcel_alloc(s->c->arena, bytes, time_left(s), copy);
    if (status == TARN_OK) {
        memcpy(*copy, from, bytes);
    }
    return status;
}

static tarn_status copy_payload(struct sending *s) {
    const tarn_message *m = &s->message;
    if (m->bytes == 0) {
        return check_bytes(s, 0);
    }
    tarn_status status = check_landing(s, m->bytes);
    if (status == TARN_OK) {
        status = copy_to_parcel(s, m->parcel, m->bytes, &s->copy);
    }
    if (status == TARN_OK) {
        s->kind = TN_DESCRIPTOR_PARCEL;
        s->own = tn_arena_record(s->c->arena, s->copy);
    }
    return status;
}

static tarn_status prepare_parcel(struct sending *s) {
    const void *parcel = s->message.parcel;
    bool copies = (s->message.flags & TARN_MESSAGE_COPY) != 0;
    if (parcel == NULL) {
        s->message.bytes = 0;
        return TARN_OK;
    }
    if (tn_arena_has(s->c->arena, parcel)) {
        return find_own(s);
    }
    if (tn_channel_peer_has(s->c, parcel)) {
        return find_received(s);
    }
    if (copies) {
        return copy_payload(s);
    }
    return is_a_third_ones(s)
               ? tn_fail(TARN_UNSUPPORTED, "parcel %p is a third process's: send a copy", parcel)
               : no_start(s);
}

static tarn_status prepare(struct sending *s) {
    tarn_status status = check_message(s);
    if (status != TARN_OK || (status = prepare_parcel(s)) != TARN_OK) {
        return status;
    }
    if (s->text_bytes <= TN_DESCRIPTOR_TEXT) {
        return TARN_OK;
    }
    status = check_landing(s, s->message.control_bytes);
    if (status != TARN_OK) {
        return status;
    }
    return copy_to_parcel(s, s->message.control, s->message.control_bytes, &s->control_copy);
}

static void give_up(struct sending *s) {
    if (s->copy != NULL) {
        (void)tarn_parcel_free(s->c->arena, s->copy);
    }
    if (s->control_copy != NULL) {
        (void)tarn_parcel_free(s->c->arena, s->control_copy);
    }
}

// ---- publishing, with the send lock

static struct tn_parcel_ref refer(tarn_channel *c, const struct tn_parcel_record *record) {
    uint32_t page = tn_arena_record_page(c->arena, record);
    uint32_t transit = tn_transit_take(&c->transits, page);
    return (struct tn_parcel_ref){transit, c->transits.table[transit].generation,
                                  (uint64_t)page * TN_SHM_PAGE, record->bytes};
}

// Takes the received parcel out of our books: its transit goes home in the descriptor.
static bool refer_home(const struct sending *s, struct tn_parcel_ref *ref) {
    tarn_channel *c = s->c;
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->held, s->home);
    bool found = at != TN_RECEIVED_NONE && c->held.table[at].holds == 1;
    if (found) {
        const struct tn_received_parcel *h = &c->held.table[at];
        *ref = (struct tn_parcel_ref){at, h->generation, h->offset, h->capacity};
        tn_received_remove(&c->held, at);
        tn_mailbox_set(&c->own, TN_CHANNEL_held, c->held.used);
        (void)tn_sub_relaxed(&c->refs, 1); // the parcel's; the caller has one more
    }
    tn_spin_unlock(&c->received_lock);
    return found;
}

// Moves the parcel. False: somebody else has freed or sent it since it was found.
static bool move_parcel(const struct sending *s, struct tn_descriptor *slot) {
    if (s->kind == TN_DESCRIPTOR_RETURNED) {
        return refer_home(s, &slot->parcel);
    }
    if (s->kind == TN_DESCRIPTOR_PARCEL) {
        if (!tn_record_send(s->own)) {
            return false;
        }
        slot->policy = (uint8_t)s->own->policy;
        slot->parcel = refer(s->c, s->own);
    }
    return true;
}

static void write_text(const struct sending *s, struct tn_descriptor *slot) {
    const tarn_message *m = &s->message;
    size_t control_at = (s->name_bytes + 7) & ~(size_t)7;
    if (s->name_bytes != 0) {
        memcpy(slot->text, m->name, s->name_bytes);
    }
    if (s->control_copy == NULL && m->control_bytes != 0) {
        memcpy(slot->text + control_at, m->control, m->control_bytes);
    }
}

static bool publish(const struct sending *s) {
    tarn_channel *c = s->c;
    const tarn_message *m = &s->message;
    struct tn_descriptor *slot = &c->own.slots[c->sent & (c->own.shape.slots - 1)];
    if (!move_parcel(s, slot)) {
        return false;
    }
    slot->code = m->code;
    slot->bytes = m->bytes;
    slot->control_bytes = m->control_bytes;
    slot->port = m->port;
    slot->kind = (uint8_t)s->kind;
    slot->name_bytes = (uint8_t)s->name_bytes;
    slot->control_separate = s->control_copy != NULL;
    if (s->control_copy != NULL) {
        struct tn_parcel_record *record = tn_arena_record(c->arena, s->control_copy);
        (void)tn_record_send(record);
        slot->control = refer(c, record);
    }
    write_text(s, slot);
    c->used[m->port]++;
    c->sent++;
    tn_store_seq_cst(&c->own.head->sent, c->sent);
    return true;
}

static void count_send(const struct sending *s) {
    tarn_channel *c = s->c;
    tn_mailbox_count(&c->own, TN_CHANNEL_sends, 1);
    tn_mailbox_count(&c->own, TN_CHANNEL_sent_bytes, s->message.bytes);
    tn_mailbox_set(&c->own, TN_CHANNEL_in_flight, c->transits.used);
    tn_mailbox_set(&c->own, TN_CHANNEL_queued, c->sent - c->peer_consumed);
    if (s->copy != NULL) {
        tn_mailbox_count(&c->own, TN_CHANNEL_copies, 1);
        tn_mailbox_count(&c->own, TN_CHANNEL_copied_bytes, s->message.bytes);
    }
}

// ---- what must be there

enum room { ROOM, NO_ROOM, BAD_PEER };

static enum room look_for_slot(tarn_channel *c) {
    if (c->sent - c->peer_consumed < c->own.shape.slots / 2 && c->sent % LOOK_EVERY != 0) {
        return ROOM; // as last read; the line of the peer's counter is left alone
    }
    uint64_t taken = tn_load_seq_cst(&c->peer.head->consumed);
    if (taken > c->sent || taken < c->peer_consumed) {
        return BAD_PEER;
    }
    c->peer_consumed = taken;
    return c->sent - taken < c->own.shape.slots ? ROOM : NO_ROOM;
}

static enum room look_for_credit(const struct sending *s) {
    const tarn_channel *c = s->c;
    uint32_t port = s->message.port;
    uint32_t left = tn_load_seq_cst(&c->peer.granted[port]) - c->used[port];
    if (left > TN_DEPTH_MAX) {
        return BAD_PEER;
    }
    return left != 0 ? ROOM : NO_ROOM;
}

static enum room look_for_room(const struct sending *s, uint32_t *freed) {
    tarn_channel *c = s->c;
    if (!tn_send_collect_returns(c, freed)) {
        return BAD_PEER;
    }
    enum room room = look_for_slot(c);
    if (room == ROOM) {
        room = look_for_credit(s);
    }
    uint32_t transits =
        (s->kind == TN_DESCRIPTOR_PARCEL ? 1u : 0u) + (s->control_copy != NULL ? 1u : 0u);
    return room == ROOM && !tn_transits_have(&c->transits, transits) ? NO_ROOM : room;
}

// NOT_READY: something is missing.
static tarn_status attempt(void *arg) {
    struct sending *s = (struct sending *)arg;
    tarn_channel *c = s->c;
    uint32_t freed = 0;
    bool published = false;
    enum room room = BAD_PEER;
    tn_spin_lock(&c->send_lock);
    tarn_status ended = tn_channel_ended(c);
    if (ended == TARN_OK) {
        room = look_for_room(s, &freed);
        if (room == ROOM) {
            published = publish(s);
            if (published) {
                count_send(s);
            }
        }
    }
    tn_spin_unlock(&c->send_lock);
    if (freed != 0) {
        tn_arena_notify_room(c->arena);
    }
    if (ended == TARN_OK && room == BAD_PEER) {
        tn_channel_end(c, TARN_CORRUPT, "the peer's counters or returns make no sense");
        ended = TARN_CORRUPT;
    }
    if (ended != TARN_OK) {
        return tn_channel_fail_ended(c);
    }
    if (room == NO_ROOM) {
        s->waited = true;
        return TARN_NOT_READY;
    }
    return published ? TARN_OK : no_start(s);
}

// ---- the call

static tarn_status run(struct sending *s) {
    tarn_channel *c = s->c;
    tarn_status status = attempt(s);
    if (status == TARN_NOT_READY) {
        status =
            tn_wait_until(&c->arena->wait_set, c, TN_WAIT_CREDIT | TN_WAIT_SLOT | TN_WAIT_RETURN,
                          time_left(s), attempt, s);
    }
    if (s->waited) {
        tn_mailbox_count(&c->own, TN_CHANNEL_send_waits, 1);
    }
    if (status == TARN_NOT_READY) {
        tn_mailbox_count(&c->own, TN_CHANNEL_send_timeouts, 1);
        return tn_fail(TARN_TIMED_OUT, "port %u of process %d: no credit or slot within %llu ns",
                       s->message.port, c->peer_pid, (unsigned long long)s->timeout_ns);
    }
    return status;
}

tarn_status tarn_channel_send(tarn_channel *channel, const tarn_message *message,
                              uint64_t timeout_ns) {
    struct sending s = {.c = channel, .timeout_ns = timeout_ns};
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    if (message == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "message NULL");
    }
    status = tn_struct_read(&s.message, sizeof s.message, message, "tarn_message");
    if (status != TARN_OK) {
        return status;
    }
    if (tn_channel_ended(channel) != TARN_OK) {
        return tn_channel_fail_ended(channel);
    }
    status = prepare(&s);
    if (status == TARN_OK) {
        status = run(&s);
    }
    if (status != TARN_OK) {
        struct tn_error_saved kept;
        tn_error_save(&kept);
        give_up(&s);
        tn_error_restore(&kept);
        return status;
    }
    tn_channel_wake_peer(channel, TN_WAIT_MESSAGE);
    return TARN_OK;
}

// ---- flush

static tarn_status flushed(void *arg) {
    tarn_channel *c = (tarn_channel *)arg;
    uint32_t freed = 0;
    tn_spin_lock(&c->send_lock);
    tarn_status ended = tn_channel_ended(c);
    bool good = ended != TARN_OK || tn_send_collect_returns(c, &freed);
    bool taken = tn_load_seq_cst(&c->peer.head->consumed) == c->sent;
    bool back = c->transits.used == 0;
    tn_spin_unlock(&c->send_lock);
    if (freed != 0) {
        tn_arena_notify_room(c->arena);
    }
    if (!good) {
        tn_channel_end(c, TARN_CORRUPT, bad_return);
    }
    if (!good || ended != TARN_OK) {
        return tn_channel_fail_ended(c);
    }
    return taken && back ? TARN_OK : TARN_NOT_READY;
}

tarn_status tarn_channel_flush(tarn_channel *channel, uint64_t timeout_ns) {
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_wait_until(&channel->arena->wait_set, channel, TN_WAIT_RETURN | TN_WAIT_SLOT,
                           timeout_ns, flushed, channel);
    if (status == TARN_NOT_READY) {
        return tn_fail(TARN_TIMED_OUT, "process %d has not taken or returned all within %llu ns",
                       channel->peer_pid, (unsigned long long)timeout_ns);
    }
    return status;
}
