// SPDX-License-Identifier: Apache-2.0
// Claims about the policies of expandable pools, as numbers. The pool is a record with the fields
// that a policy reads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/pool/grow/policy.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

enum { PAGE = 2 << 20, FAST_NS = 1000 };

static tn_pool_source source;
static tarn_pool *pool;

static int make_pool(void **state) {
    (void)state;
    source = (tn_pool_source){.page_bytes = PAGE, .capacity = 64 * GIB};
    pool = (tarn_pool *)calloc(1, sizeof *pool);
    if (pool != NULL) {
        pool->growth.source = &source;
        pool->desc.policy = TARN_POOL_BALANCED;
    }
    return pool != NULL ? 0 : -1;
}

static int free_pool(void **state) {
    (void)state;
    free(pool);
    return 0;
}

static void hold(uint64_t bytes) { tn_store_relaxed(&source.held_bytes, bytes); }

static void the_slack_before_moves_depends_on_the_policy(void **state) {
    (void)state;
    assert_int_equal(tn_policy_goal(pool, 1000 * MIB), 1100 * MIB);
    pool->desc.policy = TARN_POOL_MEMORY;
    assert_int_equal(tn_policy_goal(pool, 1000 * MIB), 1005 * MIB);
    pool->desc.policy = TARN_POOL_TIME;
    assert_int_equal(tn_policy_goal(pool, 1000 * MIB), UINT64_MAX);
}

static void growth_is_rounded_up_where_there_is_room(void **state) {
    (void)state;
    hold(GIB);
    assert_int_equal(tn_policy_round(pool, 1, 100), 24); // 48 MiB
    assert_int_equal(tn_policy_round(pool, 24, 100), 24);
    assert_int_equal(tn_policy_round(pool, 25, 100), 48);
    assert_int_equal(tn_policy_round(pool, 25, 47), 25);
    pool->desc.policy = TARN_POOL_TIME;
    assert_int_equal(tn_policy_round(pool, 17, 100), 24); // 16 MiB each
    pool->desc.policy = TARN_POOL_MEMORY;
    assert_int_equal(tn_policy_round(pool, 17, 100), 17);
}

static void a_long_growth_is_exact_where_handles_move(void **state) {
    (void)state;
    hold(GIB);
    assert_int_equal(tn_policy_round(pool, 47, 100), 48);
    assert_int_equal(tn_policy_round(pool, 49, 100), 49);
}

// Where handles move, and there alone.
static void the_steps_and_handles_of_a_small_pool_leave_slack(void **state) {
    (void)state;
    assert_int_equal(tn_policy_round(pool, 1, 100), 2); // 4 MiB
    assert_int_equal(tn_policy_handle(pool, 16), 4);    // 8 MiB and a 28th
    hold(160 * MIB);
    assert_int_equal(tn_policy_round(pool, 1, 100), 10);
    assert_int_equal(tn_policy_handle(pool, 16), 16);
    pool->desc.policy = TARN_POOL_TIME;
    hold(0);
    assert_int_equal(tn_policy_round(pool, 1, 100), 8);
}

static void a_larger_pool_grows_in_larger_steps_up_to_a_limit(void **state) {
    (void)state;
    hold(5 * GIB);
    assert_int_equal(tn_policy_round(pool, 1, 200), 25); // a 100th of it
    hold(64 * GIB);
    assert_int_equal(tn_policy_round(pool, 1, 200), 128); // 256 MiB
}

// Where memory takes as long as a handle, nothing is created ahead.
static void no_more_is_created_ahead_than_a_handle_costs(void **state) {
    (void)state;
    source.costs.create_ns = 72000;
    source.costs.gib_ns = 72000 * 1024 / 4; // 4 MiB cost as much as a handle
    assert_int_equal(tn_policy_round(pool, 1, 100), 2);
    source.costs.gib_ns = 72000 * 1024; // 1 MiB
    assert_int_equal(tn_policy_round(pool, 1, 100), 1);
}

static void a_growth_is_divided_into_equal_handles(void **state) {
    (void)state;
    hold(512 * MIB);
    assert_int_equal(tn_policy_handle(pool, 1), 1);
    assert_int_equal(tn_policy_handle(pool, 47), 47); // up to half as long again as 70 MiB
    assert_int_equal(tn_policy_handle(pool, 70), 35);
    pool->desc.limit = PAGE;
    assert_int_equal(tn_policy_handle(pool, 96), 1);
}

static void a_short_block_is_a_small_part_of_the_limit(void **state) {
    (void)state;
    assert_int_equal(tn_policy_short(pool), MIB / 4);
    pool->desc.limit = 512 * MIB;
    assert_int_equal(tn_policy_short(pool), MIB / 8);
    pool->desc.limit = 32 * MIB;
    assert_int_equal(tn_policy_short(pool), MIB / 16);
}

// The policy promises the same on every device, so the handles do not grow with it.
static void handles_are_equal_on_every_device_with_room(void **state) {
    (void)state;
    hold(2 * GIB);
    for (int policy = TARN_POOL_BALANCED; policy <= TARN_POOL_MEMORY; policy++) {
        pool->desc.policy = (tarn_pool_policy)policy;
        source.capacity = 64 * GIB;
        uint64_t pages = tn_policy_handle(pool, 2048);
        source.capacity = 16384 * GIB;
        if (policy != TARN_POOL_TIME) assert_int_equal(tn_policy_handle(pool, 2048), pages);
    }
}

static void handles_are_shorter_where_the_room_ends(void **state) {
    (void)state;
    pool->desc.policy = TARN_POOL_TIME;
    assert_int_equal(tn_policy_handle(pool, 512), 256); // a 128th of the device
    hold(16 * GIB);
    assert_int_equal(tn_policy_handle(pool, 512), 128); // room for three quarters: a half
    hold(63 * GIB);
    assert_int_equal(tn_policy_handle(pool, 512), 74);   // a 448th
    assert_int_equal(tn_policy_handle(pool, 4096), 164); // a 25th of the growth
}

static void the_handles_of_a_large_pool_are_longer(void **state) {
    (void)state;
    uint64_t before = 0;
    source.capacity = 16384 * GIB;
    for (uint64_t held = 0; held <= 32 * GIB; held += GIB) {
        hold(held);
        uint64_t pages = tn_policy_handle(pool, 4096);
        assert_true(pages >= before);
        before = pages;
    }
    pool->desc.policy = TARN_POOL_MEMORY;
    assert_true(tn_policy_handle(pool, 4096) < before);
}

static void handles_are_shorter_where_calls_are_cheap(void **state) {
    (void)state;
    hold(32 * GIB);
    uint64_t slow = tn_policy_handle(pool, 512);
    source.costs.create_ns = FAST_NS;
    assert_true(tn_policy_handle(pool, 512) < slow / 7); // 2048 to a device in place of 256
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_slack_before_moves_depends_on_the_policy, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(growth_is_rounded_up_where_there_is_room, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(a_long_growth_is_exact_where_handles_move, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(the_steps_and_handles_of_a_small_pool_leave_slack,
                                        make_pool, free_pool),
        cmocka_unit_test_setup_teardown(a_larger_pool_grows_in_larger_steps_up_to_a_limit,
                                        make_pool, free_pool),
        cmocka_unit_test_setup_teardown(no_more_is_created_ahead_than_a_handle_costs, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(a_growth_is_divided_into_equal_handles, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(a_short_block_is_a_small_part_of_the_limit, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(handles_are_equal_on_every_device_with_room, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(handles_are_shorter_where_the_room_ends, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(the_handles_of_a_large_pool_are_longer, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(handles_are_shorter_where_calls_are_cheap, make_pool,
                                        free_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
