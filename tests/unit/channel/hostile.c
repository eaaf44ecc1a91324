// SPDX-License-Identifier: Apache-2.0
// Claims about a peer that breaks the protocol: it loses the channel with CORRUPT, reported once,
// and every parcel of this side comes back. Side 1 writes what no honest side would into its
// mailbox.
#include "channel/channel.h"

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

static struct tn_mailbox *hostile_mailbox(void **state) { return &of(state)->end[1]->own; }

// Fills the hostile side.s next slot as an honest side would for a parcel.
static struct tn_descriptor *next_slot(void **state) {
    struct tn_mailbox *mailbox = hostile_mailbox(state);
    uint64_t sent = tn_load_relaxed(&mailbox->head->sent);
    struct tn_descriptor *d = &mailbox->slots[sent & (mailbox->shape.slots - 1)];
    memset(d, 0, sizeof *d);
    d->kind = TN_DESCRIPTOR_PARCEL;
    d->bytes = 100;
    d->parcel = (struct tn_parcel_ref){3, 1, 8192, 4096};
    return d;
}

static void publish(void **state) { (void)tn_add_seq_cst(&hostile_mailbox(state)->head->sent, 1); }

static void push_return(void **state, uint32_t transit, uint32_t generation) {
    struct tn_mailbox *mailbox = hostile_mailbox(state);
    uint64_t returned = tn_load_relaxed(&mailbox->head->returned);
    tn_store_relaxed(&mailbox->returns[returned & (mailbox->shape.returns - 1)],
                     (uint64_t)generation << 32 | transit);
    tn_store_seq_cst(&mailbox->head->returned, returned + 1);
}

// The honest side gets the error once and has all parcels back, and the peer sees the hang-up.
static void assert_ended(void **state, uint64_t live) {
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    assert_status(channel_send(p->end[0], 0, NULL, 0), TARN_PEER_GONE);
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_PEER_GONE);
    assert_int_equal(channel_stats(p->end[0]).gone, -TARN_CORRUPT);
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, live);
    assert_ok(tarn_arena_verify(p->arena[0]));
    tarn_status status = TARN_OK; // after what it was sent before
    while ((status = tarn_channel_receive(p->end[1], LONG_ENOUGH, &d)) == TARN_OK)
        assert_ok(tarn_parcel_free(p->arena[1], d->parcel));
    assert_int_equal(status, TARN_PEER_GONE);
}

static void assert_receive_ends(void **state) {
    const tarn_delivery *d = NULL;
    publish(state);
    assert_status(tarn_channel_receive(of(state)->end[0], 0, &d), TARN_CORRUPT);
    assert_ended(state, 0);
}

// ---- descriptors

static void honest_descriptor_passes(void **state) {
    struct pair *p = of(state);
    (void)next_slot(state);
    publish(state);
    void *got = channel_take(p->end[0]);
    assert_ptr_equal(got, p->end[0]->peer_arena.base + 8192);
    assert_ok(tarn_parcel_free(p->arena[0], got));
    // Its owner never sent that parcel, so now it throws us out in turn; nobody minds here.
}

static void descriptor_of_an_unknown_kind_is_refused(void **state) {
    next_slot(state)->kind = 3;
    assert_receive_ends(state);
}

static void descriptor_for_an_unknown_port_is_refused(void **state) {
    next_slot(state)->port = 64;
    assert_receive_ends(state);
}

static void descriptor_for_a_closed_port_is_refused(void **state) {
    next_slot(state)->port = 5;
    assert_receive_ends(state);
}

static void descriptor_beyond_the_credits_is_refused(void **state) {
    struct pair *p = of(state);
    for (int i = 0; i < 16; i++) {
        next_slot(state)->kind = TN_DESCRIPTOR_BARE;
        publish(state);
        (void)channel_next(p->end[0]);
    }
    next_slot(state)->kind = TN_DESCRIPTOR_BARE;
    assert_receive_ends(state);
}

static void parcel_behind_the_arena_is_refused(void **state) {
    next_slot(state)->parcel.offset = 32 * MIB;
    assert_receive_ends(state);
}

static void parcel_across_the_end_of_the_arena_is_refused(void **state) {
    struct tn_descriptor *d = next_slot(state);
    d->parcel.offset = 32 * MIB - 4096;
    d->parcel.capacity = 4097;
    assert_receive_ends(state);
}

static void parcel_that_wraps_is_refused(void **state) {
    struct tn_descriptor *d = next_slot(state);
    d->parcel.capacity = UINT64_MAX - 100;
    d->bytes = UINT64_MAX - 100;
    assert_receive_ends(state);
}

static void parcel_off_the_pages_is_refused(void **state) {
    next_slot(state)->parcel.offset = 8192 + 8;
    assert_receive_ends(state);
}

static void more_bytes_than_the_parcel_has_are_refused(void **state) {
    next_slot(state)->bytes = 4097;
    assert_receive_ends(state);
}

static void parcel_of_no_bytes_is_refused(void **state) {
    next_slot(state)->bytes = 0;
    assert_receive_ends(state);
}

static void transit_out_of_the_table_is_refused(void **state) {
    next_slot(state)->parcel.transit = of(state)->end[0]->received.count;
    assert_receive_ends(state);
}

static void parcel_that_is_held_already_is_refused(void **state) {
    struct pair *p = of(state);
    (void)next_slot(state);
    publish(state);
    void *got = channel_take(p->end[0]);
    (void)next_slot(state);
    assert_receive_ends(state);
    assert_ok(tarn_parcel_free(p->arena[0], got));
}

static void name_or_text_too_long_is_refused(void **state) {
    next_slot(state)->name_bytes = 64;
    assert_receive_ends(state);
}

// The peer terminates no text: the name ends where its length says, whatever follows it.
static void unterminated_names_end_at_their_length(void **state) {
    static const uint8_t lengths[] = {63, 3, 0, 62};
    struct pair *p = of(state);
    for (size_t i = 0; i < sizeof lengths; i++) {
        struct tn_descriptor *d = next_slot(state);
        d->kind = TN_DESCRIPTOR_BARE;
        d->name_bytes = lengths[i];
        d->control_bytes = 8;
        memset(d->text, 'x', sizeof d->text);
        publish(state);
        const tarn_delivery *got = channel_next(p->end[0]);
        assert_int_equal(strlen(got->name), lengths[i]);
        assert_int_equal(got->control_bytes, 8);
        assert_memory_equal(got->control, "xxxxxxxx", 8);
        assert_ok(tarn_channel_done(p->end[0], got));
    }
}

// Fills the text to the last byte, and claims one byte more.
static void text_ends_with_the_descriptor(void **state) {
    struct pair *p = of(state);
    struct tn_descriptor *d = next_slot(state);
    d->kind = TN_DESCRIPTOR_BARE;
    d->name_bytes = 63;
    d->control_bytes = TN_DESCRIPTOR_TEXT - 64;
    publish(state);
    const tarn_delivery *got = channel_next(p->end[0]);
    assert_int_equal(got->control_bytes, TN_DESCRIPTOR_TEXT - 64);
    assert_ok(tarn_channel_done(p->end[0], got));
    d = next_slot(state);
    d->kind = TN_DESCRIPTOR_BARE;
    d->name_bytes = 63;
    d->control_bytes = TN_DESCRIPTOR_TEXT - 63;
    assert_receive_ends(state);
}

static void control_that_does_not_fit_is_refused(void **state) {
    struct tn_descriptor *d = next_slot(state);
    d->name_bytes = 1;
    d->control_bytes = TN_DESCRIPTOR_TEXT - 7;
    assert_receive_ends(state);
}

static void huge_control_is_refused(void **state) {
    struct tn_descriptor *d = next_slot(state);
    d->control_bytes = TARN_MESSAGE_CONTROL_MAX + 1;
    d->control_separate = 1;
    d->control = (struct tn_parcel_ref){4, 1, 0, 32 * MIB};
    assert_receive_ends(state);
}

static void control_behind_the_arena_is_refused(void **state) {
    struct tn_descriptor *d = next_slot(state);
    d->control_bytes = 8192;
    d->control_separate = 1;
    d->control = (struct tn_parcel_ref){4, 1, 32 * MIB - 4096, 8192};
    assert_receive_ends(state);
}

static void more_messages_than_slots_are_refused(void **state) {
    tn_store_seq_cst(&hostile_mailbox(state)->head->sent, 1025);
    const tarn_delivery *d = NULL;
    assert_status(tarn_channel_receive(of(state)->end[0], 0, &d), TARN_CORRUPT);
    assert_ended(state, 0);
}

static void parcel_returned_by_a_peer_without_it_is_refused(void **state) {
    struct pair *p = of(state);
    void *mine = channel_get(p->arena[0], 100);
    next_slot(state)->kind = TN_DESCRIPTOR_RETURNED;
    publish(state);
    const tarn_delivery *d = NULL;
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_CORRUPT);
    assert_ended(state, 1);
    assert_ok(tarn_parcel_free(p->arena[0], mine));
}

static void parcel_returned_in_two_messages_is_refused(void **state) {
    struct pair *p = of(state);
    void *mine = channel_get(p->arena[0], 100);
    assert_ok(channel_send(p->end[0], 0, mine, 100));
    struct tn_parcel_ref ref = of(state)->end[0]->own.slots[0].parcel;
    for (int i = 0; i < 2; i++) {
        struct tn_descriptor *d = next_slot(state);
        d->kind = TN_DESCRIPTOR_RETURNED;
        d->parcel = ref;
        publish(state);
    }
    const tarn_delivery *d = NULL;
    assert_ptr_equal(channel_take(p->end[0]), mine);
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_CORRUPT);
    assert_ok(tarn_parcel_free(p->arena[0], mine));
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
}

// ---- returns

static void assert_send_ends(void **state) {
    struct pair *p = of(state);
    void *parcel = channel_get(p->arena[0], 100);
    assert_status(channel_send(p->end[0], 0, parcel, 100), TARN_PEER_GONE);
    assert_int_equal(channel_state(p->arena[0], parcel), TARN_PARCEL_OWNED);
    assert_ok(tarn_parcel_free(p->arena[0], parcel));
    const tarn_delivery *d = NULL;
    assert_status(tarn_channel_receive(p->end[0], 0, &d), TARN_CORRUPT);
    assert_ended(state, 0);
}

static void return_never_due_is_refused(void **state) {
    push_return(state, 0, 1);
    assert_send_ends(state);
}

static void return_out_of_the_table_is_refused(void **state) {
    push_return(state, UINT32_MAX, 0);
    assert_send_ends(state);
}

static void return_made_twice_is_refused(void **state) {
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 100));
    struct tn_parcel_ref ref = p->end[0]->own.slots[0].parcel;
    push_return(state, ref.transit, ref.generation);
    push_return(state, ref.transit, ref.generation);
    assert_send_ends(state);
}

static void return_of_an_earlier_use_is_refused(void **state) {
    struct pair *p = of(state);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 100));
    struct tn_parcel_ref ref = p->end[0]->own.slots[0].parcel;
    push_return(state, ref.transit, ref.generation);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 100));
    assert_int_equal(p->end[0]->own.slots[1].parcel.transit, ref.transit);
    push_return(state, ref.transit, ref.generation);
    assert_send_ends(state);
}

static void more_returns_than_parcels_are_refused(void **state) {
    tn_store_seq_cst(&hostile_mailbox(state)->head->returned, 4097);
    assert_send_ends(state);
}

// ---- counters

static void credits_beyond_any_depth_are_refused(void **state) {
    tn_store_relaxed(&hostile_mailbox(state)->granted[0], 65537u);
    assert_send_ends(state);
}

static void consuming_what_was_not_sent_is_refused(void **state) {
    struct pair *p = of(state);
    tn_store_seq_cst(&hostile_mailbox(state)->head->consumed, 1);
    assert_status(channel_send(p->end[0], 0, NULL, 0), TARN_PEER_GONE);
    assert_int_equal(channel_stats(p->end[0]).gone, -TARN_CORRUPT);
}

static void liar_about_sleep_never_blocks_a_send(void **state) {
    struct pair *p = of(state);
    for (uint32_t i = 0; i < 2000; i++) { // it never reads, and the socket is full long before
        tn_store_seq_cst(&hostile_mailbox(state)->head->asleep, (i + 1) << 8 | 0xff);
        tn_store_relaxed(&hostile_mailbox(state)->granted[0], 16 + i);
        tn_store_seq_cst(&hostile_mailbox(state)->head->consumed, i);
        assert_ok(channel_send(p->end[0], 0, NULL, 0));
    }
    assert_int_equal(channel_stats(p->end[0]).wakes, 2000); // once for each sleep
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(honest_descriptor_passes),
        TEST(descriptor_of_an_unknown_kind_is_refused),
        TEST(descriptor_for_an_unknown_port_is_refused),
        TEST(descriptor_for_a_closed_port_is_refused),
        TEST(descriptor_beyond_the_credits_is_refused),
        TEST(parcel_behind_the_arena_is_refused),
        TEST(parcel_across_the_end_of_the_arena_is_refused),
        TEST(parcel_that_wraps_is_refused),
        TEST(parcel_off_the_pages_is_refused),
        TEST(more_bytes_than_the_parcel_has_are_refused),
        TEST(parcel_of_no_bytes_is_refused),
        TEST(transit_out_of_the_table_is_refused),
        TEST(parcel_that_is_held_already_is_refused),
        TEST(name_or_text_too_long_is_refused),
        TEST(unterminated_names_end_at_their_length),
        TEST(text_ends_with_the_descriptor),
        TEST(control_that_does_not_fit_is_refused),
        TEST(huge_control_is_refused),
        TEST(control_behind_the_arena_is_refused),
        TEST(more_messages_than_slots_are_refused),
        TEST(parcel_returned_by_a_peer_without_it_is_refused),
        TEST(parcel_returned_in_two_messages_is_refused),
        TEST(return_never_due_is_refused),
        TEST(return_out_of_the_table_is_refused),
        TEST(return_made_twice_is_refused),
        TEST(return_of_an_earlier_use_is_refused),
        TEST(more_returns_than_parcels_are_refused),
        TEST(credits_beyond_any_depth_are_refused),
        TEST(consuming_what_was_not_sent_is_refused),
        TEST(liar_about_sleep_never_blocks_a_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
