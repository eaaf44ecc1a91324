// SPDX-License-Identifier: Apache-2.0
// Claims about a peer that speaks UCX and breaks our protocol: whatever it says, it loses its
// channel with CORRUPT, told once, and the process goes on. What it says is given to the handler of
// UCX's messages on the ferry's thread, as UCX would.
#include <stdio.h>
#include <stdlib.h>

#include "channel/channel.h"
#include "channel/ucx/link.h"

#include "support/channel.h"

static struct pair *of(void **state) {
    return (struct pair *)*state;
}

struct saying {
    struct tn_link *link;
    enum tn_wire_kind kind;
    const void *header;
    size_t header_bytes;
    size_t bytes; // of data, which is never looked at when all is well
};

static void hear(void *arg) {
    const struct saying *s = (const struct saying *)arg;
    ucp_am_recv_param_t param = {.recv_attr =
                                     UCP_AM_RECV_ATTR_FIELD_REPLY_EP | UCP_AM_RECV_ATTR_FLAG_DATA,
                                 .reply_ep = s->link->ep};
    (void)tn_link_am_handler((void *)(uintptr_t)s->kind, s->header, s->header_bytes, NULL, s->bytes,
                             &param);
}

static void say(void **state, enum tn_wire_kind kind, const void *header, size_t header_bytes,
                size_t bytes) {
    struct saying s = {of(state)->end[0]->link, kind, header, header_bytes, bytes};
    tn_progress_run(hear, &s);
}

// The honest side is told once, and the peer hears that it is out.
static void assert_thrown_out(void **state) {
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    assert_status(tarn_channel_receive(p->end[0], LONG_ENOUGH, &d), TARN_CORRUPT);
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_PEER_GONE);
    assert_status(channel_send(p->end[0], 0, NULL, 0), TARN_PEER_GONE);
    assert_int_equal(channel_stats(p->end[0]).gone, -TARN_CORRUPT);
    assert_status(tarn_channel_receive(p->end[1], LONG_ENOUGH, &d), TARN_PEER_GONE);
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

#define LETTER_BYTES offsetof(struct tn_wire_message, slot.text)

static struct tn_wire_message good_letter(void) {
    struct tn_wire_message letter;
    memset(&letter, 0, sizeof letter);
    letter.slot.kind = TN_DESCRIPTOR_BARE;
    return letter;
}

static void good_letter_is_taken(void **state) {
    struct tn_wire_message letter = good_letter();
    const tarn_delivery *d = NULL;
    letter.slot.code = 77;
    say(state, TN_WIRE_MESSAGE, &letter, LETTER_BYTES, 0);
    assert_ok(tarn_channel_receive(of(state)->end[0], LONG_ENOUGH, &d));
    assert_int_equal(d->code, 77);
    assert_ok(tarn_channel_done(of(state)->end[0], d));
}

// ---- each claim is one wrong letter

#define WRONG_LETTER(name, header_bytes, data_bytes, ...)                                          \
    static void name(void **state) {                                                               \
        struct tn_wire_message letter = good_letter();                                             \
        struct tn_descriptor *slot = &letter.slot;                                                 \
        (void)slot;                                                                                \
        __VA_ARGS__;                                                                               \
        say(state, TN_WIRE_MESSAGE, &letter, header_bytes, data_bytes);                            \
        assert_thrown_out(state);                                                                  \
    }

WRONG_LETTER(letter_cut_short, LETTER_BYTES - 1, 0, )
WRONG_LETTER(letter_without_anything, 0, 0, )
WRONG_LETTER(letter_too_long, sizeof letter + 1, 0, )
WRONG_LETTER(letter_longer_than_its_text, LETTER_BYTES + 8, 0, )
WRONG_LETTER(letter_of_no_kind, LETTER_BYTES, 0, slot->kind = 9)
WRONG_LETTER(letter_that_says_it_landed, LETTER_BYTES, 0, slot->kind = TN_DESCRIPTOR_COPIED)
WRONG_LETTER(letter_that_brings_home, LETTER_BYTES, 0, slot->kind = TN_DESCRIPTOR_RETURNED)
WRONG_LETTER(letter_with_a_long_name, LETTER_BYTES + 64, 0, slot->name_bytes = 64)
WRONG_LETTER(letter_with_endless_control, LETTER_BYTES, 0, slot->control_bytes = UINT64_MAX - 7)
WRONG_LETTER(letter_for_no_port, LETTER_BYTES, 0, slot->port = 64)
WRONG_LETTER(letter_without_a_credit, LETTER_BYTES, 0, slot->port = 5)
WRONG_LETTER(letter_out_of_the_window, LETTER_BYTES, 0, letter.number = 1024)
WRONG_LETTER(letter_far_out_of_the_window, LETTER_BYTES, 0, letter.number = UINT64_MAX)
WRONG_LETTER(parcel_without_data, LETTER_BYTES, 0, slot->kind = TN_DESCRIPTOR_PARCEL;
             slot->bytes = 0)
WRONG_LETTER(parcel_of_another_length, LETTER_BYTES, 5, slot->kind = TN_DESCRIPTOR_PARCEL;
             slot->bytes = 6)
WRONG_LETTER(parcel_larger_than_any, LETTER_BYTES, 33 * MIB, slot->kind = TN_DESCRIPTOR_PARCEL;
             slot->bytes = 33 * MIB)
WRONG_LETTER(data_without_a_parcel, LETTER_BYTES, 5, )
WRONG_LETTER(no_control_apart, LETTER_BYTES, 0, slot->control_separate = 1)

static void letter_said_twice(void **state) {
    struct tn_wire_message letter = good_letter();
    letter.number = 3; // waits for 0 to 2
    say(state, TN_WIRE_MESSAGE, &letter, LETTER_BYTES, 0);
    say(state, TN_WIRE_MESSAGE, &letter, LETTER_BYTES, 0);
    assert_thrown_out(state);
}

// ---- the other kinds

static void control_out_of_its_turn(void **state) {
    struct tn_wire_control control = {5000};
    say(state, TN_WIRE_CONTROL, &control, sizeof control, 100);
    assert_thrown_out(state);
}

static void control_of_no_length(void **state) {
    struct tn_wire_control control = {0};
    say(state, TN_WIRE_CONTROL, &control, sizeof control, 0);
    assert_thrown_out(state);
}

static void news_of_messages_never_sent(void **state) {
    struct tn_wire_update news = {.consumed = 1};
    say(state, TN_WIRE_UPDATE, &news, offsetof(struct tn_wire_update, grant), 0);
    assert_thrown_out(state);
}

static void news_with_more_credits_than_it_has(void **state) {
    struct tn_wire_update news = {.grants = TN_WIRE_GRANTS + 1};
    say(state, TN_WIRE_UPDATE, &news, sizeof news, 0);
    assert_thrown_out(state);
}

static void news_for_no_port(void **state) {
    struct tn_wire_update news = {.grants = 1, .grant = {{64, 1}}};
    say(state, TN_WIRE_UPDATE, &news, offsetof(struct tn_wire_update, grant[1]), 0);
    assert_thrown_out(state);
}

static void more_credits_than_a_port_can_have(void **state) {
    struct tn_wire_update news = {.grants = 1, .grant = {{9, 1000000}}};
    tarn_message message = TARN_INIT(tarn_message);
    message.port = 9;
    say(state, TN_WIRE_UPDATE, &news, offsetof(struct tn_wire_update, grant[1]), 0);
    assert_status(tarn_channel_send(of(state)->end[0], &message, LONG_ENOUGH), TARN_PEER_GONE);
    assert_thrown_out(state);
}

static void farewell_before_what_it_ends(void **state) {
    struct tn_wire_close farewell = {1000000};
    say(state, TN_WIRE_CLOSE, &farewell, sizeof farewell, 0);
    assert_thrown_out(state);
}

static void second_hello(void **state) {
    struct tn_wire_hello hello = {
        TN_WIRE_MAGIC, TN_WIRE_VERSION, TN_DESCRIPTOR_BYTES, 1, 1, 1, 1, 1};
    say(state, TN_WIRE_HELLO, &hello, sizeof hello, 0);
    assert_thrown_out(state);
}

static void second_ready(void **state) {
    say(state, TN_WIRE_READY, NULL, 0, 0);
    assert_thrown_out(state);
}

// ---- the same, said by a peer over UCX

static void say_over_the_wire(void *arg) {
    const struct saying *s = (const struct saying *)arg;
    struct tn_outbound *crossing = tn_outbound_new(s->link);
    memcpy(&crossing->wire, s->header, s->header_bytes);
    tn_link_post(s->link, s->kind, crossing, s->header_bytes);
}

static void wrong_messages_over_the_wire_end_the_channel(void **state) {
    struct pair *p = of(state);
    struct tn_wire_message letter = good_letter();
    struct tn_wire_update news = {.consumed = 99};
    const struct saying wrong[] = {
        {NULL, TN_WIRE_MESSAGE, &letter, LETTER_BYTES - 1, 0},
        {NULL, TN_WIRE_UPDATE, &news, offsetof(struct tn_wire_update, grant), 0},
        {NULL, TN_WIRE_CONTROL, &letter, 3, 0},
        {NULL, TN_WIRE_HELLO, &letter, 8, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct pair own = {{p->arena[0], p->arena[1]}, {NULL, NULL}};
        const tarn_delivery *d = NULL;
        struct saying s = wrong[i];
        channel_join(own.arena[0], own.arena[1], NULL, &own.end[0], &own.end[1]);
        s.link = own.end[1]->link;
        tn_progress_run(say_over_the_wire, &s);
        assert_status(tarn_channel_receive(own.end[0], LONG_ENOUGH, &d), TARN_CORRUPT);
        assert_status(tarn_channel_receive(own.end[1], LONG_ENOUGH, &d), TARN_PEER_GONE);
        assert_ok(tarn_channel_close(own.end[0]));
        assert_ok(tarn_channel_close(own.end[1]));
    }
}

// ---- anything at all

static uint64_t draw(uint64_t below) {
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void say_anything(void **state) {
    unsigned char bytes[700];
    struct tn_wire_message letter = good_letter();
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &letter, sizeof letter);
    for (uint64_t changes = draw(4); changes > 0; changes--) {
        bytes[draw(LETTER_BYTES)] = (unsigned char)draw(256);
    }
    say(state, (enum tn_wire_kind)(1 + draw(TN_WIRE_END - 1)), bytes,
        draw(2) == 0 ? LETTER_BYTES : draw(sizeof bytes), 0);
}

static void random_headers_end_the_channel_at_worst(void **state) {
    struct pair *p = of(state);
    for (int round = 0; round < 100; round++) {
        struct pair own = {{p->arena[0], p->arena[1]}, {NULL, NULL}};
        void *own_state = &own;
        channel_join(own.arena[0], own.arena[1], NULL, &own.end[0], &own.end[1]);
        assert_ok(tarn_channel_open_port(own.end[0], 0, 16, 0));
        for (int i = 0; i < 20; i++) {
            say_anything(&own_state);
        }
        assert_ok(tarn_channel_close(own.end[1]));
        assert_ok(tarn_channel_close(own.end[0]));
        assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    }
}

int main(void) {
    (void)setenv("TARN_TEST_CHANNEL", "ucx", 1);
    (void)channel_over_ucx(); // ends here where there is none
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(good_letter_is_taken),
        TEST(letter_cut_short),
        TEST(letter_without_anything),
        TEST(letter_too_long),
        TEST(letter_longer_than_its_text),
        TEST(letter_of_no_kind),
        TEST(letter_that_says_it_landed),
        TEST(letter_that_brings_home),
        TEST(letter_with_a_long_name),
        TEST(letter_with_endless_control),
        TEST(letter_for_no_port),
        TEST(letter_without_a_credit),
        TEST(letter_out_of_the_window),
        TEST(letter_far_out_of_the_window),
        TEST(parcel_without_data),
        TEST(parcel_of_another_length),
        TEST(parcel_larger_than_any),
        TEST(data_without_a_parcel),
        TEST(no_control_apart),
        TEST(letter_said_twice),
        TEST(control_out_of_its_turn),
        TEST(control_of_no_length),
        TEST(news_of_messages_never_sent),
        TEST(news_with_more_credits_than_it_has),
        TEST(news_for_no_port),
        TEST(more_credits_than_a_port_can_have),
        TEST(farewell_before_what_it_ends),
        TEST(second_hello),
        TEST(second_ready),
        TEST(wrong_messages_over_the_wire_end_the_channel),
        TEST(random_headers_end_the_channel_at_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
