// SPDX-License-Identifier: Apache-2.0
// Claims about how long a wait looks before it sleeps, and about the thread that then leads.
#include "channel/wait_set.c"

#include <unistd.h>

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

static void wait_in_vain(tarn_channel *end, int times) {
    const tarn_delivery *d = NULL;
    for (int i = 0; i < times; i++)
        assert_status(tarn_channel_receive(end, MS, &d), TARN_TIMED_OUT);
}

static void long_waits_end_the_looking(void **state) {
    tarn_channel *end = of(state)->end[1];
    end->spin_ns = 30000; // whatever this machine has
    wait_in_vain(end, 20);
    assert_true(tn_load_relaxed(&end->wait_ns) > end->spin_ns);
    assert_true(channel_stats(end).sleeps > 0);
}

static void waits_that_succeed_at_once_are_no_waits(void **state) {
    struct pair *p = of(state);
    uint32_t before = tn_load_relaxed(&p->end[1]->wait_ns);
    for (int i = 0; i < 10; i++) {
        assert_ok(channel_send(p->end[0], 0, NULL, 0));
        assert_null(channel_take(p->end[1]));
    }
    assert_int_equal(tn_load_relaxed(&p->end[1]->wait_ns), before);
}

static void who_says_how_long_is_obeyed(void **state) {
    struct pair own = {{channel_arena(4 * MIB), channel_arena(4 * MIB)}, {NULL, NULL}};
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    (void)state;
    desc.spin_ns = 12345;
    channel_join(own.arena[0], own.arena[1], &desc, &own.end[0], &own.end[1]);
    assert_int_equal(own.end[0]->spin_ns, 12345);
    assert_true(own.end[0]->spins_always);
    for (int i = 0; i < 2; i++) assert_ok(tarn_channel_close(own.end[i]));
    desc.flags = TARN_CHANNEL_NO_SPIN;
    channel_join(own.arena[0], own.arena[1], &desc, &own.end[0], &own.end[1]);
    assert_int_equal(own.end[0]->spin_ns, 0);
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
        channel_end_arena(own.arena[i]);
    }
}

// Only a thread that sleeps in the set can lead. Descriptor 0 is as good as any other.
static void leaving_wakes_a_thread_that_can_lead(void **state) {
    tarn_channel *end = of(state)->end[1];
    struct tn_wait_set *set = &end->arena->wait_set;
    struct tn_waiter elsewhere;
    struct tn_waiter here;
    struct tn_waiter leaving;
    int input = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    assert_int_equal(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), 0);
    tn_wait_set_enter(set, &elsewhere, end, TN_WAIT_MESSAGE, 0);
    tn_wait_set_enter(set, &here, end, TN_WAIT_MESSAGE, -1);
    tn_wait_set_enter(set, &leaving, end, TN_WAIT_MESSAGE, -1);
    tn_wait_set_leave(set, &leaving);
    assert_false(elsewhere.woken);
    assert_true(here.woken);
    tn_wait_set_leave(set, &here);
    assert_false(elsewhere.woken);
    tn_wait_set_leave(set, &elsewhere);
    (void)close(STDIN_FILENO);
    if (input >= 0) {
        assert_int_equal(dup2(input, STDIN_FILENO), STDIN_FILENO);
        (void)close(input);
    }
}

// While any waits, every parcel that comes back takes a lock.
static void waiters_for_room_are_counted_until_they_leave(void **state) {
    struct tn_wait_set *set = &of(state)->arena[1]->wait_set;
    struct tn_waiter waiter;
    for (int i = 0; i < 3; i++) {
        tn_wait_set_enter(set, &waiter, NULL, 0, -1);
        assert_int_equal(tn_load_relaxed(&set->for_room), 1);
        tn_wait_set_leave(set, &waiter);
        assert_int_equal(tn_load_relaxed(&set->for_room), 0);
    }
}

static void a_set_with_wrong_links_or_counts_is_not_sound(void **state) {
    struct tn_wait_set *set = &of(state)->arena[1]->wait_set;
    struct tn_waiter waiters[2];
    tn_wait_set_enter(set, &waiters[0], of(state)->end[1], TN_WAIT_MESSAGE, -1);
    tn_wait_set_enter(set, &waiters[1], NULL, 0, -1);
    assert_true(is_sound(set));
    tn_store_relaxed(&set->for_room, 2);
    assert_false(is_sound(set));
    tn_store_relaxed(&set->for_room, 1);
    waiters[1].prev = NULL;
    assert_false(is_sound(set));
    waiters[1].prev = &waiters[0];
    set->last = &waiters[0]; // not the last one
    assert_false(is_sound(set));
    set->last = &waiters[1];
    assert_true(is_sound(set));
    for (int i = 0; i < 2; i++) tn_wait_set_leave(set, &waiters[i]);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(long_waits_end_the_looking),
        TEST(waits_that_succeed_at_once_are_no_waits),
        cmocka_unit_test(who_says_how_long_is_obeyed),
        TEST(leaving_wakes_a_thread_that_can_lead),
        TEST(waiters_for_room_are_counted_until_they_leave),
        TEST(a_set_with_wrong_links_or_counts_is_not_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
