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
    assert_int_equal(tn_policy_round(pool, 1, 100), 4); // 8 MiB
    assert_int_equal(tn_policy_round(pool, 4, 100), 4);
    assert_int_equal(tn_policy_round(pool, 5, 100), 8);
    assert_int_equal(tn_policy_round(pool, 5, 7), 5);
    pool->desc.policy = TARN_POOL_MEMORY;
    assert_int_equal(tn_policy_round(pool, 5, 100), 5);
}

static void a_larger_pool_grows_in_larger_steps_up_to_a_limit(void **state) {
    (void)state;
    hold(GIB);
    assert_int_equal(tn_policy_round(pool, 1, 100), 8); // a 64th of it
    hold(GIB + 500 * MIB);
    assert_int_equal(tn_policy_round(pool, 1, 100), 8); // steps are powers of two
    hold(64 * GIB);
    assert_int_equal(tn_policy_round(pool, 1, 100), 16); // 32 MiB
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

static void a_handle_is_a_part_of_the_request_the_pool_and_the_limit(void **state) {
    (void)state;
    assert_int_equal(tn_policy_cap(pool, 1), 8);      // 16 MiB at least
    assert_int_equal(tn_policy_cap(pool, 96), 32);    // a third of the request
    assert_int_equal(tn_policy_cap(pool, 2048), 128); // a 256th of the device
    pool->desc.limit = 3 * GIB;
    assert_int_equal(tn_policy_cap(pool, 96), 4); // a 384th of the limit
    pool->desc.limit = PAGE;
    assert_int_equal(tn_policy_cap(pool, 96), 1);
}

// The slack is the same on every device, so handles that must move do not grow with it.
static void handles_do_not_grow_with_a_device_that_the_pool_leaves_empty(void **state) {
    (void)state;
    hold(32 * GIB);
    for (int policy = TARN_POOL_BALANCED; policy <= TARN_POOL_MEMORY; policy++) {
        if (policy == TARN_POOL_TIME) continue;
        pool->desc.policy = (tarn_pool_policy)policy;
        source.capacity = 80 * GIB;
        uint64_t cap = tn_policy_cap(pool, 2048);
        source.capacity = 16384 * GIB;
        assert_int_equal(tn_policy_cap(pool, 2048), cap);
    }
}

static void the_handles_of_a_large_pool_are_longer(void **state) {
    (void)state;
    uint64_t before = 0;
    for (uint64_t held = 0; held <= 32 * GIB; held += GIB) {
        hold(held);
        uint64_t cap = tn_policy_cap(pool, 1);
        assert_true(cap >= before);
        before = cap;
    }
    assert_int_equal(before, 128);
    pool->desc.policy = TARN_POOL_MEMORY;
    assert_true(tn_policy_cap(pool, 1) < before);
}

static void handles_are_shorter_where_calls_are_cheap(void **state) {
    (void)state;
    hold(32 * GIB);
    uint64_t slow = tn_policy_cap(pool, 1);
    source.costs.create_ns = FAST_NS;
    assert_int_equal(tn_policy_cap(pool, 1), slow / 8); // 2048 to a device in place of 256
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_slack_before_moves_depends_on_the_policy, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(growth_is_rounded_up_where_there_is_room, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(a_larger_pool_grows_in_larger_steps_up_to_a_limit,
                                        make_pool, free_pool),
        cmocka_unit_test_setup_teardown(no_more_is_created_ahead_than_a_handle_costs, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(a_handle_is_a_part_of_the_request_the_pool_and_the_limit,
                                        make_pool, free_pool),
        cmocka_unit_test_setup_teardown(
            handles_do_not_grow_with_a_device_that_the_pool_leaves_empty, make_pool, free_pool),
        cmocka_unit_test_setup_teardown(the_handles_of_a_large_pool_are_longer, make_pool,
                                        free_pool),
        cmocka_unit_test_setup_teardown(handles_are_shorter_where_calls_are_cheap, make_pool,
                                        free_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
