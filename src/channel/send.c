// SPDX-License-Identifier: Apache-2.0
// Sending. A send first prepares everything that may fail or wait: copies of plain memory and of
// long control bytes. Then, under the send lock and once credit, slot and transits are available
// together, it moves the hold to the peer and publishes the descriptor. So a failed send has moved
// nothing. The peer's returns are collected under the same lock.
#include <inttypes.h>
#include <tarn/face.h>

#include "base/struct.h"
#include "channel/channel.h"
#include "channel/misbehave.h"
#include "fail/point.h"

// While most slots are free, one send in SENDS_PER_READ reads the peer's counter, because reading
// it takes its cache line away from the peer's CPU.
#define SENDS_PER_READ 16

struct send_call {
    tarn_channel *c;
    tarn_message message;
    uint64_t timeout_ns;
    uint64_t deadline_ns; // 0 until it waits
    size_t name_bytes;
    size_t text_bytes;            // of name and control bytes together
    struct tn_parcel_record *own; // for PARCEL: its record
    uint64_t offset;              // for RETURNED: its offset in the peer's arena
    enum tn_descriptor_kind kind;
    void *copy;         // parcels made for this send, freed if it fails
    void *control_copy; // or NULL
    bool waited;
};

// ---- the peer's returns

// Collects the peer's returns. Called with the send lock. Returns false if the peer returned a
// parcel that it did not have.
static bool collect_returns(tarn_channel *c, uint32_t *freed) {
    const struct tn_mailbox *box = &c->peer;
    TARN_ASSERT(tn_spin_is_held(&c->send_lock));
    uint64_t returned = tn_load_acquire(&box->head->returned);
    if (returned - c->returns_collected > box->shape.returns) return false;
    for (; c->returns_collected != returned; c->returns_collected++) {
        uint64_t entry =
            tn_load_relaxed(&box->returns[c->returns_collected & (box->shape.returns - 1)]);
        uint32_t number = (uint32_t)entry;
        const struct tn_transit *transit =
            tn_transit_find(&c->transits, number, (uint32_t)(entry >> 32));
        if (transit == NULL) return false;
        struct tn_parcel_record *record = &c->arena->records[transit->page];
        tn_transit_end(&c->transits, number);
        tn_record_return(c->arena, record);
        (*freed)++;
    }
    if (*freed != 0) tn_mailbox_set(&c->own, TN_CHANNEL_in_flight, c->transits.used);
    return true;
}

static const char bad_return[] = "the peer returned a parcel that it did not have";

// With the wait set locked. Wakes no thread.
static void reclaim_locked(tarn_channel *c) {
    uint32_t freed = 0;
    tn_spin_lock(&c->send_lock);
    bool valid = tn_channel_ended(c) != TARN_OK || collect_returns(c, &freed);
    tn_spin_unlock(&c->send_lock);
    if (!valid) tn_channel_end_locked(c, TARN_CORRUPT, bad_return);
}

const struct tn_wait_ops tn_channel_wait_ops = {reclaim_locked, tn_channel_disconnected_locked};

// ---- checking the message

static tarn_status check_message(struct send_call *s) {
    const tarn_message *m = &s->message;
    size_t name = m->name != NULL ? strnlen(m->name, TARN_MESSAGE_NAME_MAX + 1) : 0;
    TN_REFUSE(name > TARN_MESSAGE_NAME_MAX || m->control_bytes > TARN_MESSAGE_CONTROL_MAX ||
                  (m->control == NULL && m->control_bytes != 0),
              TARN_BAD_ARGUMENT,
              "name has %zu bytes (at most %u), control is %p with %" PRIu64
              " bytes (at most %" PRIu64 ")",
              name, TARN_MESSAGE_NAME_MAX, m->control, m->control_bytes, TARN_MESSAGE_CONTROL_MAX);
    TN_REFUSE(m->port >= s->c->peer.shape.ports || (m->flags & ~(uint32_t)TARN_MESSAGE_COPY) != 0,
              TARN_BAD_ARGUMENT, "port %u of %u, flags 0x%x", m->port, s->c->peer.shape.ports,
              m->flags);
    s->name_bytes = name;
    s->text_bytes = ((name + 7) & ~(size_t)7) + m->control_bytes;
    return TARN_OK;
}

// The peer of a link copies the data into a parcel of its own arena.
static tarn_status check_peer_limit(const struct send_call *s, uint64_t bytes) {
    TN_REFUSE(s->c->peer_largest != 0 && bytes > s->c->peer_largest, TARN_BAD_ARGUMENT,
              "%llu bytes, but the peer's largest parcel is %llu", (unsigned long long)bytes,
              (unsigned long long)s->c->peer_largest);
    return TARN_OK;
}

static tarn_status check_bytes(const struct send_call *s, uint64_t capacity) {
    TN_REFUSE(s->message.bytes == 0 || s->message.bytes > capacity, TARN_BAD_ARGUMENT,
              "%" PRIu64 " bytes of a parcel of %" PRIu64, s->message.bytes, capacity);
    return check_peer_limit(s, s->message.bytes);
}

static tarn_status refuse_start(const struct send_call *s) {
    tarn_annotate_refused_access("tarn_channel_send", (tarn_addr)(uintptr_t)s->message.parcel,
                                 s->message.bytes != 0 ? s->message.bytes : 1, TARN_ANNOTATE_READ);
    return tn_fail(TARN_BAD_ADDRESS, "%p is not the start of a parcel that is held here",
                   s->message.parcel);
}

static tarn_status prepare_own(struct send_call *s) {
    struct tn_parcel_record *record = tn_arena_record(s->c->arena, s->message.parcel);
    if (record == NULL || tn_life_local_holds(tn_load_acquire(&record->life)) == 0)
        return refuse_start(s);
    s->kind = TN_DESCRIPTOR_PARCEL;
    s->own = record;
    return check_bytes(s, record->bytes);
}

static tarn_status prepare_received(struct send_call *s) {
    tarn_channel *c = s->c;
    struct tn_received_parcel parcel = {.holds = 0};
    s->kind = TN_DESCRIPTOR_RETURNED;
    s->offset = (uintptr_t)s->message.parcel - (uintptr_t)c->peer_arena.base;
    tn_spin_lock(&c->received_lock);
    uint32_t at = tn_received_find(&c->received, s->offset);
    if (at != TN_RECEIVED_NONE) parcel = c->received.table[at];
    tn_spin_unlock(&c->received_lock);
    if (parcel.holds == 0) return refuse_start(s);
    TN_REFUSE(parcel.holds > 1, TARN_BUSY, "parcel %p returns to its owner but has %u holds here",
              s->message.parcel, parcel.holds);
    return check_bytes(s, parcel.capacity);
}

// ---- preparing

static uint64_t time_left(struct send_call *s) {
    if (s->timeout_ns == 0 || s->timeout_ns == TARN_FOREVER) return s->timeout_ns;
    uint64_t now = tn_now_ns();
    if (s->deadline_ns == 0) s->deadline_ns = tn_deadline(s->timeout_ns);
    return s->deadline_ns > now ? s->deadline_ns - now : 0;
}

static tarn_status copy_to_parcel(struct send_call *s, const void *from, uint64_t bytes,
                                  void **copy) {
    TN_TRY(check_peer_limit(s, bytes));
    TN_REFUSE(bytes > s->c->arena->largest, TARN_BAD_ARGUMENT,
              "%llu bytes to copy, but the largest parcel is %llu", (unsigned long long)bytes,
              (unsigned long long)s->c->arena->largest);
    tarn_status status = tarn_parcel_alloc(s->c->arena, bytes, time_left(s), copy);
    if (status == TARN_OK) memcpy(*copy, from, bytes);
    return status;
}

static tarn_status prepare_copy(struct send_call *s) {
    const tarn_message *m = &s->message;
    if (m->bytes == 0) return check_bytes(s, 0);
    TN_TRY(copy_to_parcel(s, m->parcel, m->bytes, &s->copy));
    s->kind = TN_DESCRIPTOR_PARCEL;
    s->own = tn_arena_record(s->c->arena, s->copy);
    TARN_ASSERT(s->own != NULL && s->own->bytes == m->bytes);
    return TARN_OK;
}

static tarn_status prepare_parcel(struct send_call *s) {
    void *parcel = s->message.parcel;
    if (parcel == NULL) {
        s->message.bytes = 0;
        return TARN_OK;
    }
    if (tn_arena_has(s->c->arena, parcel)) return prepare_own(s);
    if (tn_channel_peer_has(s->c, parcel)) return prepare_received(s);
    if ((s->message.flags & TARN_MESSAGE_COPY) != 0) return prepare_copy(s);
    tarn_channel *other = tn_arena_peer_of(s->c->arena, parcel);
    if (other == NULL) return refuse_start(s);
    tn_channel_unref(other);
    return tn_fail(TARN_UNSUPPORTED,
                   "parcel %p belongs to a third process: only a copy of it can be sent", parcel);
}

// ---- publishing, with the send lock

static struct tn_parcel_ref begin_transit(tarn_channel *c, const struct tn_parcel_record *record) {
    uint32_t page = tn_arena_record_page(c->arena, record);
    TARN_ASSERT(tn_life_peer_holds(tn_load_relaxed(&record->life)) != 0); // moved to the peer
    uint32_t transit = tn_transit_take(&c->transits, page);
    return (struct tn_parcel_ref){transit, c->transits.table[transit].generation,
                                  (uint64_t)page * TN_SHM_PAGE, record->bytes};
}

// Removes the received parcel from this side's table: the descriptor returns its transit.
static bool move_received(const struct send_call *s, struct tn_parcel_ref *ref) {
    tarn_channel *c = s->c;
    TN_SPIN_LOCKED(&c->received_lock);
    uint32_t at = tn_received_find(&c->received, s->offset);
    if (at == TN_RECEIVED_NONE || c->received.table[at].holds != 1) return false;
    const struct tn_received_parcel *p = &c->received.table[at];
    *ref = (struct tn_parcel_ref){at, p->generation, p->offset, p->capacity};
    tn_received_remove(&c->received, at);
    tn_mailbox_set(&c->own, TN_CHANNEL_held, c->received.used);
    (void)tn_sub_relaxed(&c->refs, 1); // the parcel's reference; the caller has another
    return true;
}

// Moves the parcel into the descriptor. Returns false if another thread has freed or sent it since
// it was prepared.
static bool move_parcel(const struct send_call *s, struct tn_descriptor *d) {
    if (s->kind == TN_DESCRIPTOR_RETURNED) return move_received(s, &d->parcel);
    if (s->kind == TN_DESCRIPTOR_PARCEL) {
        if (!tn_record_send(s->own)) return false;
        d->policy = (uint8_t)s->own->policy;
        d->parcel = begin_transit(s->c, s->own);
    }
    return true;
}

static void count_send(const struct send_call *s) {
    struct tn_mailbox *own = &s->c->own;
    tn_mailbox_count(own, TN_CHANNEL_sends, 1);
    tn_mailbox_count(own, TN_CHANNEL_sent_bytes, s->message.bytes);
    tn_mailbox_set(own, TN_CHANNEL_in_flight, s->c->transits.used);
    tn_mailbox_set(own, TN_CHANNEL_queued, s->c->sent - s->c->peer_consumed);
    if (s->copy != NULL) {
        tn_mailbox_count(own, TN_CHANNEL_copies, 1);
        tn_mailbox_count(own, TN_CHANNEL_copied_bytes, s->message.bytes);
    }
}

static bool publish_message(const struct send_call *s) {
    tarn_channel *c = s->c;
    const tarn_message *m = &s->message;
    TARN_ASSERT(tn_spin_is_held(&c->send_lock) && c->sent - c->peer_consumed < c->own.shape.slots);
    TARN_ASSERT(s->control_copy != NULL || s->text_bytes <= TN_DESCRIPTOR_TEXT);
    struct tn_descriptor *d = tn_mailbox_slot(&c->own, c->sent);
    if (!move_parcel(s, d)) return false;
    d->code = m->code;
    d->bytes = m->bytes;
    d->control_bytes = m->control_bytes;
    d->port = m->port;
    d->kind = (uint8_t)s->kind;
    d->name_bytes = (uint8_t)s->name_bytes;
    d->control_separate = s->control_copy != NULL;
    if (s->name_bytes != 0) memcpy(d->text, m->name, s->name_bytes);
    if (s->control_copy != NULL) {
        struct tn_parcel_record *record = tn_arena_record(c->arena, s->control_copy);
        (void)tn_record_send(record);
        d->control = begin_transit(c, record);
    } else if (m->control_bytes != 0) {
        memcpy(d->text + tn_descriptor_control_at(d), m->control, m->control_bytes);
    }
    c->used[m->port]++;
    c->sent++;
    tn_store_seq_cst(&c->own.head->sent, c->sent);
    count_send(s);
    return true;
}

// ---- waiting for resources

enum readiness { READY, NOT_YET, BAD_PEER };

static enum readiness check_slot(tarn_channel *c) {
    if (c->sent - c->peer_consumed < c->own.shape.slots / 2 && c->sent % SENDS_PER_READ != 0)
        return READY; // according to the value read last
    uint64_t consumed = tn_load_seq_cst(&c->peer.head->consumed);
    if (consumed > c->sent || consumed < c->peer_consumed) return BAD_PEER;
    c->peer_consumed = consumed;
    TARN_ASSERT(c->sent - consumed <= c->own.shape.slots);
    return c->sent - consumed < c->own.shape.slots ? READY : NOT_YET;
}

static enum readiness check_resources(const struct send_call *s, uint32_t *freed) {
    tarn_channel *c = s->c;
    uint32_t port = s->message.port;
    if (!collect_returns(c, freed)) return BAD_PEER;
    enum readiness slot = check_slot(c);
    if (slot != READY) return slot;
    uint32_t credits = tn_load_seq_cst(&c->peer.granted[port]) - c->used[port];
    if (credits > TN_DEPTH_MAX) return BAD_PEER;
    TARN_ASSERT(port < c->peer.shape.ports);
    uint32_t transits =
        (s->kind == TN_DESCRIPTOR_PARCEL ? 1u : 0u) + (s->control_copy != NULL ? 1u : 0u);
    return credits != 0 && tn_transits_have(&c->transits, transits) ? READY : NOT_YET;
}

// One attempt. Returns NOT_READY if a resource is missing.
static tarn_status try_send(void *arg) {
    struct send_call *s = (struct send_call *)arg;
    tarn_channel *c = s->c;
    uint32_t freed = 0;
    tn_spin_lock(&c->send_lock);
    if (tn_channel_ended(c) != TARN_OK) {
        tn_spin_unlock(&c->send_lock);
        return tn_channel_fail_ended(c);
    }
    enum readiness ready = check_resources(s, &freed);
    bool published = ready == READY && publish_message(s);
    tn_spin_unlock(&c->send_lock);
    if (freed != 0) tn_arena_notify_room(c->arena);
    switch (ready) {
    case BAD_PEER:
        tn_channel_end(c, TARN_CORRUPT, "the peer's counters or returns are inconsistent");
        return tn_channel_fail_ended(c);
    case NOT_YET: s->waited = true; return TARN_NOT_READY;
    default: return published ? TARN_OK : refuse_start(s);
    }
}

// ---- the calls

static tarn_status send_prepared(struct send_call *s) {
    tarn_channel *c = s->c;
    tarn_status status = try_send(s);
    if (status == TARN_NOT_READY)
        status = tn_wait_until(c, TN_WAIT_CREDIT | TN_WAIT_SLOT | TN_WAIT_RETURN, time_left(s),
                               try_send, s);
    if (s->waited) tn_mailbox_count(&c->own, TN_CHANNEL_send_waits, 1);
    if (status == TARN_NOT_READY) {
        tn_mailbox_count(&c->own, TN_CHANNEL_send_timeouts, 1);
        return tn_fail(TARN_TIMED_OUT, "port %u of process %d: no credit or slot within %llu ns",
                       s->message.port, c->peer_pid, (unsigned long long)s->timeout_ns);
    }
    return status;
}

tarn_status tarn_channel_send(tarn_channel *channel, const tarn_message *message,
                              uint64_t timeout_ns) {
    TN_FAIL_POINT(0, 0);
    tn_channel_misbehave(__func__);
    struct send_call s = {.c = channel, .timeout_ns = timeout_ns};
    TN_TRY(tn_channel_usable(channel));
    TN_REFUSE(message == NULL, TARN_BAD_ARGUMENT, "message is NULL");
    TN_TRY(tn_struct_read(&s.message, sizeof s.message, message, "tarn_message"));
    if (tn_channel_ended(channel) != TARN_OK) return TN_DONE(tn_channel_fail_ended(channel));
    tarn_status status = check_message(&s);
    if (status == TARN_OK) status = prepare_parcel(&s);
    if (status == TARN_OK && s.text_bytes > TN_DESCRIPTOR_TEXT)
        status = copy_to_parcel(&s, s.message.control, s.message.control_bytes, &s.control_copy);
    if (status == TARN_OK) status = send_prepared(&s);
    if (status != TARN_OK) {
        TN_ERROR_KEPT;
        (void)tarn_parcel_free(channel->arena, s.copy);
        (void)tarn_parcel_free(channel->arena, s.control_copy);
        return TN_DONE(status);
    }
    tn_channel_wake_peer(channel, TN_WAIT_MESSAGE);
    return TARN_OK;
}

static tarn_status try_flush(void *arg) {
    tarn_channel *c = (tarn_channel *)arg;
    uint32_t freed = 0;
    tn_spin_lock(&c->send_lock);
    bool ended = tn_channel_ended(c) != TARN_OK;
    bool valid = ended || collect_returns(c, &freed);
    bool flushed = tn_load_seq_cst(&c->peer.head->consumed) == c->sent && c->transits.used == 0;
    tn_spin_unlock(&c->send_lock);
    if (freed != 0) tn_arena_notify_room(c->arena);
    if (!valid) tn_channel_end(c, TARN_CORRUPT, bad_return);
    if (!valid || ended) return tn_channel_fail_ended(c);
    return flushed ? TARN_OK : TARN_NOT_READY;
}

tarn_status tarn_channel_flush(tarn_channel *channel, uint64_t timeout_ns) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(tn_channel_usable(channel));
    tarn_status status =
        tn_wait_until(channel, TN_WAIT_RETURN | TN_WAIT_SLOT, timeout_ns, try_flush, channel);
    TN_REFUSE(status == TARN_NOT_READY, TARN_TIMED_OUT,
              "process %d has not read every message and returned every parcel within %llu ns",
              channel->peer_pid, (unsigned long long)timeout_ns);
    return TN_DONE(status);
}
