// SPDX-License-Identifier: Apache-2.0
// Claims about messages between two sides of one process: the ownership of parcels, failing sends,
// and the contents of deliveries.
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

// ---- AUTO

static void auto_send_hands_the_parcel_over(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    char *sent = (char *)channel_get(p->arena[0], 3110400);
    memcpy(sent, "frame", 6);
    assert_ok(channel_send(p->end[0], 2, sent, 3110400));
    assert_int_equal(channel_state(p->arena[0], sent), TARN_PARCEL_SENT);
    assert_status(tarn_parcel_free(p->arena[0], sent), TARN_BAD_ADDRESS);
    assert_status(channel_send(p->end[0], 2, sent, 1), TARN_BAD_ADDRESS);

    const tarn_delivery *d = channel_next(p->end[1]);
    char *got = (char *)d->parcel;
    assert_int_equal(d->port, 2);
    assert_int_equal(d->bytes, 3110400);
    assert_string_equal(got, "frame");
    assert_ptr_not_equal(got, sent); // another mapping of the same bytes
    got[0] = 'F';
    assert_int_equal(sent[0], 'F');
    assert_ok(tarn_channel_done(p->end[1], d));
    assert_int_equal(channel_state(p->arena[1], got), TARN_PARCEL_RECEIVED);
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 1);

    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    assert_int_equal(channel_stats(p->end[0]).copies, 0);
}

static void received_parcel_is_freed_once_and_at_its_start(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 9000), 9000));
    char *got = (char *)channel_take(p->end[1]);
    assert_status(tarn_parcel_free(p->arena[1], got + 4096), TARN_BAD_ADDRESS);
    assert_ok(tarn_parcel_hold(p->arena[1], got));
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_int_equal(channel_stats(p->end[0]).in_flight, 1);
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_int_equal(channel_stats(p->end[0]).in_flight, 0);
    assert_status(tarn_parcel_free(p->arena[1], got), TARN_BAD_ADDRESS);
}

static void many_sends_do_not_grow_the_arena(void **state) {
    struct pair *p = of(state);
    void *first = NULL;
    int count = channel_over_ucx() ? 2000 : 20000;
    for (int i = 0; i < count; i++) {
        void *parcel = channel_get(p->arena[0], 1 << 16);
        first = first == NULL ? parcel : first;
        assert_in_range((uintptr_t)parcel, (uintptr_t)first, (uintptr_t)first + MIB);
        assert_ok(channel_send(p->end[0], 0, parcel, 1 << 16));
        assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
    }
    assert_int_equal(channel_stats(p->end[0]).sends, count);
    assert_int_equal(channel_stats(p->end[0]).copies, 0);
}

// ---- failing sends

static void failed_send_leaves_the_parcel_with_its_owner(void **state) {
    struct pair *p = of(state);
    char *parcel = (char *)channel_get(p->arena[0], 100);
    memcpy(parcel, "mine", 5);
    assert_status(channel_send(p->end[0], 64, parcel, 100), TARN_BAD_ARGUMENT); // no such port
    assert_status(channel_try_send(p->end[0], 9, parcel, 100), TARN_TIMED_OUT); // not open
    assert_status(channel_send(p->end[0], 0, parcel + 1, 10), TARN_BAD_ADDRESS);
    assert_status(channel_send(p->end[0], 0, parcel, 101), TARN_BAD_ARGUMENT);
    assert_status(channel_send(p->end[0], 0, parcel, 0), TARN_BAD_ARGUMENT);
    assert_int_equal(channel_state(p->arena[0], parcel), TARN_PARCEL_OWNED);
    assert_ok(channel_send(p->end[0], 0, parcel, 5));
    char *got = (char *)channel_take(p->end[1]);
    assert_string_equal(got, "mine");
    assert_ok(tarn_parcel_free(p->arena[1], got));
}

static void full_port_refuses_and_holds_up_no_other(void **state) {
    struct pair *p = of(state);
    void *parcel = channel_get(p->arena[0], 100);
    assert_ok(tarn_channel_open_port(p->end[1], 10, 4, 0));
    for (int i = 0; i < 4; i++) assert_ok(channel_send(p->end[0], 10, NULL, 0));
    tarn_message message = TARN_INIT(tarn_message);
    message.port = 10;
    message.parcel = parcel;
    message.bytes = 100;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_TIMED_OUT);
    uint64_t before = channel_now_ns();
    assert_status(tarn_channel_send(p->end[0], &message, 50 * MS), TARN_TIMED_OUT);
    assert_true(channel_now_ns() - before >= 50 * MS);
    assert_ok(channel_send(p->end[0], 0, NULL, 0));
    for (int i = 0; i < 5; i++) assert_null(channel_take(p->end[1]));
    assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
    assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
    assert_int_equal(channel_stats(p->end[0]).send_timeouts, 2);
}

static void manual_credit_port_grants_when_asked(void **state) {
    struct pair *p = of(state);
    assert_ok(tarn_channel_open_port(p->end[1], 11, 2, TARN_PORT_MANUAL_CREDIT));
    assert_status(tarn_channel_grant(p->end[1], 11, 1), TARN_BAD_ARGUMENT); // nothing taken yet
    assert_ok(channel_send(p->end[0], 11, NULL, 0));
    assert_ok(channel_send(p->end[0], 11, NULL, 0));
    (void)channel_take(p->end[1]);
    assert_status(channel_try_send(p->end[0], 11, NULL, 0), TARN_TIMED_OUT);
    assert_status(tarn_channel_grant(p->end[1], 11, 2), TARN_BAD_ARGUMENT);
    assert_ok(tarn_channel_grant(p->end[1], 11, 1));
    assert_ok(channel_send(p->end[0], 11, NULL, 0));
    assert_status(channel_try_send(p->end[0], 11, NULL, 0), TARN_TIMED_OUT);
    assert_status(tarn_channel_grant(p->end[1], 0, 1), TARN_BAD_ARGUMENT);
    (void)channel_take(p->end[1]);
    (void)channel_take(p->end[1]);
}

static void slots_are_bounded(void **state) {
    struct pair own = {{channel_arena(4 * MIB), channel_arena(4 * MIB)}, {NULL, NULL}};
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    (void)state;
    desc.slots = 8;
    channel_join(own.arena[0], own.arena[1], &desc, &own.end[0], &own.end[1]);
    assert_ok(tarn_channel_open_port(own.end[1], 0, 100, 0));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++) assert_ok(channel_send(own.end[0], 0, NULL, 0));
        assert_status(channel_try_send(own.end[0], 0, NULL, 0), TARN_TIMED_OUT);
        assert_int_equal(channel_stats(own.end[0]).queued, 8);
        for (int i = 0; i < 8; i++) (void)channel_take(own.end[1]);
    }
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
        channel_end_arena(own.arena[i]);
    }
}

static void parcels_in_flight_are_bounded(void **state) {
    skip_over_ucx();
    struct pair own = {{channel_arena(4 * MIB), channel_arena(4 * MIB)}, {NULL, NULL}};
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    void *got[4];
    (void)state;
    desc.in_flight = 4;
    channel_join(own.arena[0], own.arena[1], &desc, &own.end[0], &own.end[1]);
    assert_ok(tarn_channel_open_port(own.end[1], 0, 100, 0));
    for (int i = 0; i < 4; i++) {
        assert_ok(channel_send(own.end[0], 0, channel_get(own.arena[0], 10), 10));
        got[i] = channel_take(own.end[1]);
    }
    void *fifth = channel_get(own.arena[0], 10);
    assert_status(channel_try_send(own.end[0], 0, fifth, 10), TARN_TIMED_OUT);
    assert_ok(tarn_parcel_free(own.arena[1], got[2]));
    assert_ok(channel_send(own.end[0], 0, fifth, 10));
    got[2] = channel_take(own.end[1]);
    for (int i = 0; i < 4; i++) assert_ok(tarn_parcel_free(own.arena[1], got[i]));
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
        channel_end_arena(own.arena[i]);
    }
}

// ---- MANUAL

static void manual_parcel_freed_right_after_the_send_stays_readable(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    char *sent = (char *)channel_get_manual(p->arena[0], 100);
    memcpy(sent, "still", 6);
    assert_ok(channel_send(p->end[0], 0, sent, 100));
    assert_int_equal(channel_state(p->arena[0], sent), TARN_PARCEL_SHARED);
    assert_ok(tarn_parcel_free(p->arena[0], sent));
    assert_status(tarn_parcel_free(p->arena[0], sent), TARN_BAD_ADDRESS);
    void *other = channel_get(p->arena[0], 100);
    assert_ptr_not_equal(other, sent);
    memset(other, 'x', 100);
    char *got = (char *)channel_take(p->end[1]);
    assert_string_equal(got, "still");
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_ok(tarn_parcel_free(p->arena[0], other));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

static void manual_parcel_can_be_sent_twice(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    void *sent = channel_get_manual(p->arena[0], 100);
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    assert_ok(channel_send(p->end[0], 0, sent, 100));
    assert_ok(channel_send(p->end[0], 0, sent, 50));
    assert_ok(tarn_parcel_query(p->arena[0], sent, &info));
    assert_int_equal(info.peer_holds, 2);
    void *got = channel_take(p->end[1]);
    assert_ptr_equal(channel_take(p->end[1]), got);
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_status(tarn_parcel_free(p->arena[1], got), TARN_BAD_ADDRESS);
    assert_int_equal(channel_stats(p->end[0]).in_flight, 0);
    assert_int_equal(channel_state(p->arena[0], sent), TARN_PARCEL_OWNED);
    assert_ok(tarn_parcel_free(p->arena[0], sent));
}

// ---- there and back

static void parcel_returns_without_a_copy(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    char *parcel = (char *)channel_get(p->arena[0], 5000);
    assert_ok(channel_send(p->end[0], 0, parcel, 5000));
    char *there = (char *)channel_take(p->end[1]);
    memcpy(there, "answer", 7);
    assert_ok(channel_send(p->end[1], 0, there, 5000));
    assert_status(tarn_parcel_free(p->arena[1], there), TARN_BAD_ADDRESS);
    assert_ptr_equal(channel_take(p->end[0]), parcel);
    assert_string_equal(parcel, "answer");
    assert_int_equal(channel_state(p->arena[0], parcel), TARN_PARCEL_OWNED);
    assert_int_equal(channel_stats(p->end[1]).copies, 0);
    assert_ok(tarn_parcel_free(p->arena[0], parcel));
}

static void parcel_with_further_holds_does_not_return(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 10), 10));
    void *there = channel_take(p->end[1]);
    assert_ok(tarn_parcel_hold(p->arena[1], there));
    assert_status(channel_send(p->end[1], 0, there, 10), TARN_BUSY);
    assert_ok(tarn_parcel_free(p->arena[1], there));
    assert_status(channel_send(p->end[1], 0, there, 11), TARN_BAD_ARGUMENT);
    assert_ok(channel_send(p->end[1], 0, there, 10));
    assert_ok(tarn_parcel_free(p->arena[0], channel_take(p->end[0])));
}

static void shared_parcel_that_returns_takes_two_frees(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    void *parcel = channel_get_manual(p->arena[0], 10);
    assert_ok(channel_send(p->end[0], 0, parcel, 10));
    assert_ok(channel_send(p->end[1], 0, channel_take(p->end[1]), 10));
    assert_ptr_equal(channel_take(p->end[0]), parcel);
    assert_ok(tarn_parcel_free(p->arena[0], parcel));
    assert_ok(tarn_parcel_free(p->arena[0], parcel));
    assert_status(tarn_parcel_free(p->arena[0], parcel), TARN_BAD_ADDRESS);
}

static void parcel_of_a_third_side_needs_a_copy(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    tarn_arena *third = channel_arena(4 * MIB);
    tarn_channel *near_end;
    tarn_channel *far_end;
    channel_join(p->arena[1], third, NULL, &near_end, &far_end);
    assert_ok(tarn_channel_open_port(far_end, 0, 4, 0));
    char *parcel = (char *)channel_get(p->arena[0], 10);
    memcpy(parcel, "far", 4);
    assert_ok(channel_send(p->end[0], 0, parcel, 10));
    tarn_message message = TARN_INIT(tarn_message);
    message.parcel = channel_take(p->end[1]);
    message.bytes = 10;
    assert_status(tarn_channel_send(near_end, &message, 0), TARN_UNSUPPORTED);
    message.flags = TARN_MESSAGE_COPY;
    assert_ok(tarn_channel_send(near_end, &message, channel_patience()));
    assert_ok(tarn_parcel_free(p->arena[1], message.parcel));
    char *got = (char *)channel_take(far_end);
    assert_string_equal(got, "far");
    assert_ok(tarn_parcel_free(third, got));
    assert_ok(tarn_channel_close(near_end));
    assert_ok(tarn_channel_close(far_end));
    channel_end_arena(third);
}

// ---- plain memory, nothing, control

static void plain_memory_is_copied_when_asked(void **state) {
    struct pair *p = of(state);
    char plain[300] = "plain";
    tarn_message message = TARN_INIT(tarn_message);
    message.parcel = plain;
    message.bytes = sizeof plain;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_BAD_ADDRESS);
    message.flags = TARN_MESSAGE_COPY;
    assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
    plain[0] = 'X';
    char *got = (char *)channel_take(p->end[1]);
    assert_string_equal(got, "plain");
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_int_equal(channel_stats(p->end[0]).copies, 1);
    assert_int_equal(channel_stats(p->end[0]).copied_bytes, sizeof plain);
}

static void copy_without_room_is_refused(void **state) {
    struct pair *p = of(state);
    void *all = channel_get(p->arena[0], 32 * MIB);
    char plain[10] = "plain";
    tarn_message message = TARN_INIT(tarn_message);
    message.flags = TARN_MESSAGE_COPY;
    message.parcel = plain;
    message.bytes = sizeof plain;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_NO_DEVICE_MEMORY);
    assert_ok(tarn_parcel_free(p->arena[0], all));
    assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
    assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
}

static void copy_of_an_unopened_port_leaves_nothing(void **state) {
    struct pair *p = of(state);
    char plain[10] = "plain";
    tarn_message message = TARN_INIT(tarn_message);
    message.flags = TARN_MESSAGE_COPY;
    message.port = 20;
    message.parcel = plain;
    message.bytes = sizeof plain;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_TIMED_OUT);
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

static void message_without_a_parcel_carries_none(void **state) {
    struct pair *p = of(state);
    tarn_message message = TARN_INIT(tarn_message);
    message.code = UINT64_C(0x123456789abcdef);
    message.bytes = 12345; // garbage beside the NULL
    assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
    const tarn_delivery *d = channel_next(p->end[1]);
    assert_null(d->parcel);
    assert_int_equal(d->bytes, 0);
    assert_null(d->control);
    assert_int_equal(d->control_bytes, 0);
    assert_string_equal(d->name, "");
    assert_int_equal(d->code, UINT64_C(0x123456789abcdef));
    assert_ok(tarn_channel_done(p->end[1], d));
}

static void control_of_any_length_arrives_whole(void **state) {
    struct pair *p = of(state);
    const size_t sizes[] = {1, 8, 400, 424, 425, 432, 433, 65536, 1 << 20};
    unsigned char *control = (unsigned char *)malloc(1 << 20);
    for (size_t i = 0; i < 1 << 20; i++) control[i] = (unsigned char)(i * 7 + (i >> 9));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tarn_message message = TARN_INIT(tarn_message);
        message.name = i % 2 != 0 ? "eight by" : NULL;
        message.control = control;
        message.control_bytes = sizes[i];
        message.parcel = channel_get(p->arena[0], 64);
        message.bytes = 64;
        assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
        const tarn_delivery *d = channel_next(p->end[1]);
        assert_int_equal(d->control_bytes, sizes[i]);
        assert_memory_equal(d->control, control, sizes[i]);
        assert_int_equal((uintptr_t)d->control % 8, 0);
        assert_string_equal(d->name, i % 2 != 0 ? "eight by" : "");
        assert_ok(tarn_parcel_free(p->arena[1], d->parcel));
        assert_ok(tarn_channel_done(p->end[1], d));
    }
    assert_int_equal(channel_stats(p->end[0]).copies, 0); // control bytes are not counted
    free(control);
}

static void names_and_control_are_bounded(void **state) {
    struct pair *p = of(state);
    char name[66];
    char byte = 1;
    memset(name, 'n', sizeof name);
    name[64] = '\0';
    tarn_message message = TARN_INIT(tarn_message);
    message.name = name;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_BAD_ARGUMENT);
    name[63] = '\0';
    assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
    const tarn_delivery *d = channel_next(p->end[1]);
    assert_string_equal(d->name, name);
    assert_ok(tarn_channel_done(p->end[1], d));
    message.control = &byte;
    message.control_bytes = TARN_MESSAGE_CONTROL_MAX + 1;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_BAD_ARGUMENT);
    message.control = NULL;
    message.control_bytes = 1;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_BAD_ARGUMENT);
    message.control_bytes = 0;
    message.flags = 1u << 30;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_BAD_ARGUMENT);
    message.struct_size = 0;
    assert_status(tarn_channel_send(p->end[0], &message, 0), TARN_BAD_STRUCT);
    assert_status(tarn_channel_send(p->end[0], NULL, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_send(NULL, &message, 0), TARN_BAD_ARGUMENT);
}

// ---- receiving

static void messages_arrive_in_order(void **state) {
    struct pair *p = of(state);
    uint64_t next = 0;
    for (uint64_t i = 0; i < 300; i++) {
        tarn_message message = TARN_INIT(tarn_message);
        message.port = (uint32_t)(i % 4);
        message.code = i;
        assert_ok(tarn_channel_send(p->end[0], &message, channel_patience()));
        if (i % 15 == 14) {
            while (next <= i) {
                const tarn_delivery *d = channel_next(p->end[1]);
                assert_int_equal(d->code, next);
                assert_int_equal(d->port, next % 4);
                assert_ok(tarn_channel_done(p->end[1], d));
                next++;
            }
        }
    }
}

// Sends the message `i` of a sequence in which name, control bytes, code and parcel all depend on
// i.
static void send_numbered(struct pair *p, uint64_t i) {
    unsigned char control[900];
    char name[64];
    tarn_message message = TARN_INIT(tarn_message);
    memset(control, (int)(i % 251), sizeof control);
    memset(name, 'a' + (int)(i % 26), sizeof name);
    name[i % sizeof name] = '\0';
    message.code = i;
    message.name = name;
    message.control = control;
    message.control_bytes = (i * 37) % sizeof control; // in the descriptor, and apart
    message.parcel = channel_get(p->arena[0], 4096);
    message.bytes = 1 + i % 4096;
    memset(message.parcel, (int)(i % 253), 4096);
    assert_ok(tarn_channel_send(p->end[0], &message, LONG_ENOUGH));
}

static void assert_numbered(struct pair *p, uint64_t i) {
    const tarn_delivery *d = channel_next(p->end[1]);
    assert_int_equal(d->code, i);
    assert_int_equal(strlen(d->name), i % 64);
    assert_int_equal(d->name[0], i % 64 != 0 ? 'a' + (int)(i % 26) : 0);
    assert_int_equal(d->control_bytes, (i * 37) % 900);
    const unsigned char *control = (const unsigned char *)d->control;
    for (uint64_t at = 0; at < d->control_bytes; at++) assert_int_equal(control[at], i % 251);
    assert_int_equal(d->bytes, 1 + i % 4096);
    assert_int_equal(((const unsigned char *)d->parcel)[0], i % 253);
    assert_int_equal(((const unsigned char *)d->parcel)[d->bytes - 1], i % 253);
    assert_ok(tarn_parcel_free(p->arena[1], d->parcel));
    assert_ok(tarn_channel_done(p->end[1], d));
}

// Rings of four: every position of slots, returns and transits is used many times.
static void messages_keep_their_parts_when_the_rings_wrap(void **state) {
    struct pair *p = of(state);
    struct pair own = {{p->arena[0], p->arena[1]}, {NULL, NULL}};
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.ports = 1;
    desc.slots = 4;
    desc.in_flight = 8;
    channel_join(own.arena[0], own.arena[1], &desc, &own.end[0], &own.end[1]);
    assert_ok(tarn_channel_open_port(own.end[1], 0, 4, 0));
    uint64_t sent = 0;
    uint64_t received = 0;
    for (uint64_t round = 0; round < 100; round++) {
        for (uint64_t i = 0; i < 1 + round % 4; i++) send_numbered(&own, sent++);
        while (received != sent) assert_numbered(&own, received++);
    }
    assert_ok(tarn_channel_flush(own.end[0], LONG_ENOUGH));
    assert_ok(tarn_channel_close(own.end[0]));
    assert_ok(tarn_channel_close(own.end[1]));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    assert_int_equal(channel_arena_stats(p->arena[1]).live_parcels, 0);
}

// Unread messages of a closed peer: each of them is delivered, and each parcel that one returns.
static void parcels_in_unread_messages_survive_a_close(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    void *mine[3];
    const tarn_delivery *d = NULL;
    for (int i = 0; i < 3; i++) {
        mine[i] = channel_get(p->arena[0], 4096);
        assert_ok(channel_send(p->end[0], 0, mine[i], 4096));
        assert_ok(channel_send(p->end[1], 0, channel_take(p->end[1]), 4096));
    }
    assert_ok(tarn_channel_close(p->end[1]));
    p->end[1] = NULL;
    // The end is noticed now, before any message is read.
    assert_int_equal(channel_stats(p->end[0]).gone, -TARN_PEER_GONE);
    assert_int_equal(channel_stats(p->end[0]).in_flight, 3);
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(channel_take(p->end[0]), mine[i]);
        assert_int_equal(channel_state(p->arena[0], mine[i]), TARN_PARCEL_OWNED);
        assert_ok(tarn_parcel_free(p->arena[0], mine[i]));
    }
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_PEER_GONE);
}

// Over UCX unread messages have parcels of the receiver's arena: its close frees every one.
static void close_frees_unread_parcels(void **state) {
    struct pair *p = of(state);
    unsigned char control[900] = {0};
    tarn_message message = TARN_INIT(tarn_message);
    message.control = control;
    message.control_bytes = sizeof control;
    for (int i = 0; i < 5; i++) {
        message.parcel = channel_get(p->arena[0], 4096);
        message.bytes = 4096;
        assert_ok(tarn_channel_send(p->end[0], &message, LONG_ENOUGH));
    }
    const tarn_delivery *d = channel_next(p->end[1]);
    assert_ok(tarn_parcel_free(p->arena[1], d->parcel));
    assert_ok(tarn_channel_done(p->end[1], d));
    while (channel_over_ucx() && channel_arena_stats(p->arena[1]).live_parcels < 8)
        (void)sched_yield(); // four messages, each with two parcels
    assert_ok(tarn_channel_close(p->end[1]));
    p->end[1] = NULL;
    assert_int_equal(channel_arena_stats(p->arena[1]).live_parcels, 0);
}

static void receive_waits_no_longer_than_told(void **state) {
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    assert_status(tarn_channel_receive(p->end[1], 0, &d), TARN_TIMED_OUT);
    uint64_t before = channel_now_ns();
    assert_status(tarn_channel_receive(p->end[1], 30 * MS, &d), TARN_TIMED_OUT);
    assert_true(channel_now_ns() - before >= 30 * MS);
    assert_null(d);
    assert_status(tarn_channel_receive(p->end[1], 0, NULL), TARN_BAD_ARGUMENT);
}

static void delivery_is_done_once(void **state) {
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, NULL, 0));
    const tarn_delivery *d = channel_next(p->end[1]);
    assert_status(tarn_channel_done(p->end[0], d), TARN_BAD_ARGUMENT);
    assert_ok(tarn_channel_done(p->end[1], d));
    assert_status(tarn_channel_done(p->end[1], d), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_done(p->end[1], NULL), TARN_BAD_ARGUMENT);
}

static void ports_are_opened_once_and_in_range(void **state) {
    struct pair *p = of(state);
    assert_status(tarn_channel_open_port(p->end[1], 0, 1, 0), TARN_BUSY);
    assert_status(tarn_channel_open_port(p->end[1], 64, 1, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_open_port(p->end[1], 30, 0, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_open_port(p->end[1], 30, 65537, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_open_port(p->end[1], 30, 1, 8), TARN_BAD_ARGUMENT);
}

static void opening_a_port_again_leaves_its_credits_alone(void **state) {
    struct pair *p = of(state);
    assert_status(tarn_channel_open_port(p->end[1], 0, 4, TARN_PORT_MANUAL_CREDIT), TARN_BUSY);
    for (int i = 0; i < 40; i++) { // more than the 16 credits of the setup
        assert_ok(channel_send(p->end[0], 0, NULL, 0));
        (void)channel_take(p->end[1]);
    }
}

static void flush_waits_until_all_is_back(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    assert_ok(tarn_channel_flush(p->end[0], 0));
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 10), 10));
    assert_status(tarn_channel_flush(p->end[0], 0), TARN_TIMED_OUT);
    void *got = channel_take(p->end[1]);
    assert_status(tarn_channel_flush(p->end[0], 5 * MS), TARN_TIMED_OUT);
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_ok(tarn_channel_flush(p->end[0], LONG_ENOUGH));
}

static void statistics_count_both_directions(void **state) {
    skip_over_ucx();
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 60));
    tarn_channel_stats stats = channel_stats(p->end[0]);
    assert_int_equal(stats.sends, 1);
    assert_int_equal(stats.sent_bytes, 60);
    assert_int_equal(stats.queued, 1);
    assert_int_equal(stats.in_flight, 1);
    assert_int_equal(stats.gone, 0);
    void *got = channel_take(p->end[1]);
    stats = channel_stats(p->end[1]);
    assert_int_equal(stats.receives, 1);
    assert_int_equal(stats.received_bytes, 60);
    assert_int_equal(stats.held, 1);
    assert_int_equal(channel_stats(p->end[0]).queued, 0);
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_int_equal(channel_stats(p->end[1]).held, 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(auto_send_hands_the_parcel_over),
        TEST(received_parcel_is_freed_once_and_at_its_start),
        TEST(many_sends_do_not_grow_the_arena),
        TEST(failed_send_leaves_the_parcel_with_its_owner),
        TEST(full_port_refuses_and_holds_up_no_other),
        TEST(manual_credit_port_grants_when_asked),
        TEST(slots_are_bounded),
        TEST(parcels_in_flight_are_bounded),
        TEST(manual_parcel_freed_right_after_the_send_stays_readable),
        TEST(manual_parcel_can_be_sent_twice),
        TEST(parcel_returns_without_a_copy),
        TEST(parcel_with_further_holds_does_not_return),
        TEST(shared_parcel_that_returns_takes_two_frees),
        TEST(parcel_of_a_third_side_needs_a_copy),
        TEST(plain_memory_is_copied_when_asked),
        TEST(copy_without_room_is_refused),
        TEST(copy_of_an_unopened_port_leaves_nothing),
        TEST(message_without_a_parcel_carries_none),
        TEST(control_of_any_length_arrives_whole),
        TEST(names_and_control_are_bounded),
        TEST(messages_arrive_in_order),
        TEST(messages_keep_their_parts_when_the_rings_wrap),
        TEST(parcels_in_unread_messages_survive_a_close),
        TEST(close_frees_unread_parcels),
        TEST(receive_waits_no_longer_than_told),
        TEST(delivery_is_done_once),
        TEST(ports_are_opened_once_and_in_range),
        TEST(opening_a_port_again_leaves_its_credits_alone),
        TEST(flush_waits_until_all_is_back),
        TEST(statistics_count_both_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
