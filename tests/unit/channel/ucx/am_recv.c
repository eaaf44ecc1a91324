// SPDX-License-Identifier: Apache-2.0
// Claims about a peer that speaks UCX and breaks the protocol: whatever it sends, it loses its
// channel with CORRUPT, reported once, and the process goes on. The messages are passed to the
// handler of active messages on the progress thread, as UCX would.
#include <stdio.h>
#include <stdlib.h>

#include "channel/channel.h"
#include "channel/ucx/link.h"

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

struct incoming {
    struct tn_link *link;
    enum tn_wire_kind kind;
    const void *header;
    size_t header_bytes;
    size_t bytes; // of data, which is never read
};

static void handle_message(void *arg) {
    const struct incoming *s = (const struct incoming *)arg;
    ucp_am_recv_param_t param = {.recv_attr =
                                     UCP_AM_RECV_ATTR_FIELD_REPLY_EP | UCP_AM_RECV_ATTR_FLAG_DATA,
                                 .reply_ep = s->link->ep};
    (void)tn_link_am_handler((void *)(uintptr_t)s->kind, s->header, s->header_bytes, NULL, s->bytes,
                             &param);
}

static void handle(void **state, enum tn_wire_kind kind, const void *header, size_t header_bytes,
                   size_t bytes) {
    struct incoming s = {of(state)->end[0]->link, kind, header, header_bytes, bytes};
    tn_progress_run(handle_message, &s);
}

// The honest side gets CORRUPT once, and the peer sees the hang-up.
static void assert_ended_as_corrupt(void **state) {
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    assert_status(tarn_channel_receive(p->end[0], LONG_ENOUGH, &d), TARN_CORRUPT);
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_PEER_GONE);
    assert_status(channel_send(p->end[0], 0, NULL, 0), TARN_PEER_GONE);
    assert_int_equal(channel_stats(p->end[0]).gone, -TARN_CORRUPT);
    assert_status(tarn_channel_receive(p->end[1], LONG_ENOUGH, &d), TARN_PEER_GONE);
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

#define MESSAGE_BYTES offsetof(struct tn_wire_message, descriptor.text)

static struct tn_wire_message valid_message(void) {
    struct tn_wire_message message;
    memset(&message, 0, sizeof message);
    message.descriptor.kind = TN_DESCRIPTOR_BARE;
    return message;
}

static void valid_message_is_delivered(void **state) {
    struct tn_wire_message message = valid_message();
    const tarn_delivery *d = NULL;
    message.descriptor.code = 77;
    handle(state, TN_WIRE_MESSAGE, &message, MESSAGE_BYTES, 0);
    assert_ok(tarn_channel_receive(of(state)->end[0], LONG_ENOUGH, &d));
    assert_int_equal(d->code, 77);
    assert_ok(tarn_channel_done(of(state)->end[0], d));
}

// The name is not terminated, and the rest of the text is not zero.
static void unterminated_name_ends_at_its_length(void **state) {
    struct tn_wire_message message = valid_message();
    const tarn_delivery *d = NULL;
    memset(message.descriptor.text, 'x', sizeof message.descriptor.text);
    message.descriptor.name_bytes = 63;
    message.descriptor.control_bytes = 8;
    handle(state, TN_WIRE_MESSAGE, &message, MESSAGE_BYTES + 72, 0);
    assert_ok(tarn_channel_receive(of(state)->end[0], LONG_ENOUGH, &d));
    assert_int_equal(strlen(d->name), 63);
    assert_memory_equal(d->control, "xxxxxxxx", 8);
    assert_ok(tarn_channel_done(of(state)->end[0], d));
}

// ---- one wrong message each

#define WRONG_MESSAGE(name, header_bytes, data_bytes, ...)                                         \
    static void name(void **state) {                                                               \
        struct tn_wire_message message = valid_message();                                          \
        struct tn_descriptor *descriptor = &message.descriptor;                                    \
        (void)descriptor;                                                                          \
        __VA_ARGS__;                                                                               \
        handle(state, TN_WIRE_MESSAGE, &message, header_bytes, data_bytes);                        \
        assert_ended_as_corrupt(state);                                                            \
    }

WRONG_MESSAGE(message_cut_short, MESSAGE_BYTES - 1, 0, )
WRONG_MESSAGE(message_without_anything, 0, 0, )
WRONG_MESSAGE(message_too_long, sizeof message + 1, 0, )
WRONG_MESSAGE(message_longer_than_its_text, MESSAGE_BYTES + 8, 0, )
WRONG_MESSAGE(message_of_an_unknown_kind, MESSAGE_BYTES, 0, descriptor->kind = 9)
WRONG_MESSAGE(message_that_claims_a_copy, MESSAGE_BYTES, 0, descriptor->kind = TN_DESCRIPTOR_COPIED)
WRONG_MESSAGE(message_that_returns_a_parcel, MESSAGE_BYTES, 0,
              descriptor->kind = TN_DESCRIPTOR_RETURNED)
WRONG_MESSAGE(message_with_a_long_name, MESSAGE_BYTES + 64, 0, descriptor->name_bytes = 64)
WRONG_MESSAGE(message_with_endless_control, MESSAGE_BYTES, 0,
              descriptor->control_bytes = UINT64_MAX - 7)
WRONG_MESSAGE(message_for_an_unknown_port, MESSAGE_BYTES, 0, descriptor->port = 64)
WRONG_MESSAGE(message_without_a_credit, MESSAGE_BYTES, 0, descriptor->port = 5)
WRONG_MESSAGE(message_out_of_the_window, MESSAGE_BYTES, 0, message.number = 1024)
WRONG_MESSAGE(message_far_out_of_the_window, MESSAGE_BYTES, 0, message.number = UINT64_MAX)
WRONG_MESSAGE(parcel_without_data, MESSAGE_BYTES, 0, descriptor->kind = TN_DESCRIPTOR_PARCEL;
              descriptor->bytes = 0)
WRONG_MESSAGE(parcel_of_another_length, MESSAGE_BYTES, 5, descriptor->kind = TN_DESCRIPTOR_PARCEL;
              descriptor->bytes = 6)
WRONG_MESSAGE(parcel_larger_than_any, MESSAGE_BYTES, 33 * MIB,
              descriptor->kind = TN_DESCRIPTOR_PARCEL;
              descriptor->bytes = 33 * MIB)
WRONG_MESSAGE(data_without_a_parcel, MESSAGE_BYTES, 5, )
WRONG_MESSAGE(missing_separate_control, MESSAGE_BYTES, 0, descriptor->control_separate = 1)

static void message_sent_twice(void **state) {
    struct tn_wire_message message = valid_message();
    message.number = 3; // waits for 0 to 2
    handle(state, TN_WIRE_MESSAGE, &message, MESSAGE_BYTES, 0);
    handle(state, TN_WIRE_MESSAGE, &message, MESSAGE_BYTES, 0);
    assert_ended_as_corrupt(state);
}

// ---- the other kinds

static void control_out_of_order(void **state) {
    struct tn_wire_control control = {5000};
    handle(state, TN_WIRE_CONTROL, &control, sizeof control, 100);
    assert_ended_as_corrupt(state);
}

static void control_of_no_length(void **state) {
    struct tn_wire_control control = {0};
    handle(state, TN_WIRE_CONTROL, &control, sizeof control, 0);
    assert_ended_as_corrupt(state);
}

static void update_of_messages_never_sent(void **state) {
    struct tn_wire_update update = {.consumed = 1};
    handle(state, TN_WIRE_UPDATE, &update, offsetof(struct tn_wire_update, grant), 0);
    assert_ended_as_corrupt(state);
}

static void update_with_more_credits_than_it_has(void **state) {
    struct tn_wire_update update = {.grants = TN_WIRE_GRANTS + 1};
    handle(state, TN_WIRE_UPDATE, &update, sizeof update, 0);
    assert_ended_as_corrupt(state);
}

static void update_for_an_unknown_port(void **state) {
    struct tn_wire_update update = {.grants = 1, .grant = {{64, 1}}};
    handle(state, TN_WIRE_UPDATE, &update, offsetof(struct tn_wire_update, grant[1]), 0);
    assert_ended_as_corrupt(state);
}

static void more_credits_than_a_port_can_have(void **state) {
    struct tn_wire_update update = {.grants = 1, .grant = {{9, 1000000}}};
    tarn_message message = TARN_INIT(tarn_message);
    message.port = 9;
    handle(state, TN_WIRE_UPDATE, &update, offsetof(struct tn_wire_update, grant[1]), 0);
    assert_status(tarn_channel_send(of(state)->end[0], &message, LONG_ENOUGH), TARN_PEER_GONE);
    assert_ended_as_corrupt(state);
}

static void close_after_too_many_messages(void **state) {
    struct tn_wire_close close_message = {1000000};
    handle(state, TN_WIRE_CLOSE, &close_message, sizeof close_message, 0);
    assert_ended_as_corrupt(state);
}

static void second_hello(void **state) {
    struct tn_wire_hello hello = {
        TN_WIRE_MAGIC, TN_WIRE_VERSION, TN_DESCRIPTOR_BYTES, 1, 1, 1, 1, 1};
    handle(state, TN_WIRE_HELLO, &hello, sizeof hello, 0);
    assert_ended_as_corrupt(state);
}

static void second_ready(void **state) {
    handle(state, TN_WIRE_READY, NULL, 0, 0);
    assert_ended_as_corrupt(state);
}

// ---- the first hello: a link that is connecting, whose endpoint is made up

struct first_hello {
    struct tn_link *link;
    const struct tn_wire_hello *hello;
    enum tn_link_state state;
    tarn_status status;
};

// One job, so that the thread never steps the link.
static void handle_first_hello(void *arg) {
    struct first_hello *f = (struct first_hello *)arg;
    ucp_am_recv_param_t param = {.recv_attr = UCP_AM_RECV_ATTR_FIELD_REPLY_EP,
                                 .reply_ep = (ucp_ep_h)(void *)f->link};
    f->link->ep = param.reply_ep;
    tn_progress_add_link(f->link);
    (void)tn_link_am_handler((void *)(uintptr_t)TN_WIRE_HELLO, f->hello, sizeof *f->hello, NULL, 0,
                             &param);
    f->state = tn_link_state(f->link);
    f->status = f->link->status;
    tn_progress_remove_link(f->link);
}

static void assert_first_hello(void **state, const struct tn_wire_hello *hello,
                               enum tn_link_state next, tarn_status status) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    struct first_hello f = {.hello = hello};
    desc.arena = of(state)->arena[0];
    desc.ports = desc.slots = desc.in_flight = 4;
    assert_ok(tn_link_make(&desc, &f.link));
    tn_progress_run(handle_first_hello, &f);
    assert_int_equal(f.state, next);
    assert_int_equal(f.status, status);
    tn_link_free(f.link);
}

static void first_hello_is_checked(void **state) {
    const struct tn_wire_hello valid = {
        TN_WIRE_MAGIC, TN_WIRE_VERSION, TN_DESCRIPTOR_BYTES, 64, 1024, 4096, 1, 1 << 20};
    struct tn_wire_hello hello = valid;
    assert_first_hello(state, &hello, TN_LINK_HELLO_RECEIVED, TARN_OK);
    hello.magic++;
    assert_first_hello(state, &hello, TN_LINK_CLOSING, TARN_UNSUPPORTED);
    hello = valid;
    hello.version++;
    assert_first_hello(state, &hello, TN_LINK_CLOSING, TARN_UNSUPPORTED);
    hello = valid;
    hello.descriptor_bytes /= 2;
    assert_first_hello(state, &hello, TN_LINK_CLOSING, TARN_UNSUPPORTED);
    hello = valid;
    hello.slots = 1000;
    assert_first_hello(state, &hello, TN_LINK_CLOSING, TARN_CORRUPT);
    hello = valid;
    hello.largest = 0;
    assert_first_hello(state, &hello, TN_LINK_CLOSING, TARN_CORRUPT);
}

// ---- the same from a peer over UCX

static void post_over_the_wire(void *arg) {
    const struct incoming *s = (const struct incoming *)arg;
    struct tn_outbound *outbound = tn_outbound_new(s->link);
    memcpy(&outbound->wire, s->header, s->header_bytes);
    tn_link_post(s->link, s->kind, outbound, s->header_bytes);
}

static void wrong_messages_over_the_wire_end_the_channel(void **state) {
    struct pair *p = of(state);
    struct tn_wire_message message = valid_message();
    struct tn_wire_update update = {.consumed = 99};
    const struct incoming wrong[] = {
        {NULL, TN_WIRE_MESSAGE, &message, MESSAGE_BYTES - 1, 0},
        {NULL, TN_WIRE_UPDATE, &update, offsetof(struct tn_wire_update, grant), 0},
        {NULL, TN_WIRE_CONTROL, &message, 3, 0},
        {NULL, TN_WIRE_HELLO, &message, 8, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct pair own = {{p->arena[0], p->arena[1]}, {NULL, NULL}};
        const tarn_delivery *d = NULL;
        struct incoming s = wrong[i];
        channel_join(own.arena[0], own.arena[1], NULL, &own.end[0], &own.end[1]);
        s.link = own.end[1]->link;
        tn_progress_run(post_over_the_wire, &s);
        assert_status(tarn_channel_receive(own.end[0], LONG_ENOUGH, &d), TARN_CORRUPT);
        assert_status(tarn_channel_receive(own.end[1], LONG_ENOUGH, &d), TARN_PEER_GONE);
        assert_ok(tarn_channel_close(own.end[0]));
        assert_ok(tarn_channel_close(own.end[1]));
    }
}

// ---- random headers

static uint64_t draw(uint64_t below) {
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void handle_random_header(void **state) {
    unsigned char bytes[700];
    struct tn_wire_message message = valid_message();
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &message, sizeof message);
    for (uint64_t changes = draw(4); changes > 0; changes--)
        bytes[draw(MESSAGE_BYTES)] = (unsigned char)draw(256);
    handle(state, (enum tn_wire_kind)(1 + draw(TN_WIRE_END - 1)), bytes,
           draw(2) == 0 ? MESSAGE_BYTES : draw(sizeof bytes), 0);
}

static void random_headers_end_the_channel_at_worst(void **state) {
    struct pair *p = of(state);
    for (int round = 0; round < 100; round++) {
        struct pair own = {{p->arena[0], p->arena[1]}, {NULL, NULL}};
        void *own_state = &own;
        channel_join(own.arena[0], own.arena[1], NULL, &own.end[0], &own.end[1]);
        assert_ok(tarn_channel_open_port(own.end[0], 0, 16, 0));
        for (int i = 0; i < 20; i++) handle_random_header(&own_state);
        assert_ok(tarn_channel_close(own.end[1]));
        assert_ok(tarn_channel_close(own.end[0]));
        assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    }
}

int main(void) {
    (void)setenv("TARN_TEST_CHANNEL", "ucx", 1);
    (void)channel_over_ucx(); // exits here without UCX
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(valid_message_is_delivered),
        TEST(unterminated_name_ends_at_its_length),
        TEST(message_cut_short),
        TEST(message_without_anything),
        TEST(message_too_long),
        TEST(message_longer_than_its_text),
        TEST(message_of_an_unknown_kind),
        TEST(message_that_claims_a_copy),
        TEST(message_that_returns_a_parcel),
        TEST(message_with_a_long_name),
        TEST(message_with_endless_control),
        TEST(message_for_an_unknown_port),
        TEST(message_without_a_credit),
        TEST(message_out_of_the_window),
        TEST(message_far_out_of_the_window),
        TEST(parcel_without_data),
        TEST(parcel_of_another_length),
        TEST(parcel_larger_than_any),
        TEST(data_without_a_parcel),
        TEST(missing_separate_control),
        TEST(message_sent_twice),
        TEST(control_out_of_order),
        TEST(control_of_no_length),
        TEST(update_of_messages_never_sent),
        TEST(update_with_more_credits_than_it_has),
        TEST(update_for_an_unknown_port),
        TEST(more_credits_than_a_port_can_have),
        TEST(close_after_too_many_messages),
        TEST(first_hello_is_checked),
        TEST(second_hello),
        TEST(second_ready),
        TEST(wrong_messages_over_the_wire_end_the_channel),
        TEST(random_headers_end_the_channel_at_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
