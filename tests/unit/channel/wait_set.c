// SPDX-License-Identifier: Apache-2.0
// Claims about how long a wait looks before it sleeps.
#include "channel/wait_set.h"

#include "channel/channel.h"

#include "support/channel.h"

static struct pair *of(void **state) {
    return (struct pair *)*state;
}

static void wait_in_vain(tarn_channel *end, int times) {
    const tarn_delivery *d = NULL;
    for (int i = 0; i < times; i++) {
        assert_status(tarn_channel_receive(end, MS, &d), TARN_TIMED_OUT);
    }
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
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
    }
    desc.flags = TARN_CHANNEL_NO_SPIN;
    channel_join(own.arena[0], own.arena[1], &desc, &own.end[0], &own.end[1]);
    assert_int_equal(own.end[0]->spin_ns, 0);
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
        channel_end_arena(own.arena[i]);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(long_waits_end_the_looking),
        TEST(waits_that_succeed_at_once_are_no_waits),
        cmocka_unit_test(who_says_how_long_is_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
