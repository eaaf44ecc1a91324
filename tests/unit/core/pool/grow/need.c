// SPDX-License-Identifier: Apache-2.0
// Claims about the need of a pool over time. The tests set what blocks take, and the clock.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/pool/grow/need.h"
#include "unit/core/pool/fake.h"

enum { IDLE = 800, WINDOW = IDLE / TN_NEED_PARTS };

static tarn_pool *pool;

static int make_pool(void **state) {
    (void)state;
    if (fake_pool(fake_new(UINT64_C(2) << 20, UINT64_C(1) << 30), TARN_POOL_BALANCED, &pool) !=
        TARN_OK) {
        return -1;
    }
    memset(&pool->growth.need, 0, sizeof pool->growth.need);
    tn_need_init(&pool->growth.need, 0);
    pool->growth.need.idle_ns = IDLE;
    return 0;
}

static int destroy_pool(void **state) {
    (void)state;
    pool->range.taken_units = 0;
    return tarn_pool_destroy(pool) == TARN_OK ? 0 : -1;
}

// Sets what the blocks take now, and what they took at most within the present window.
static void take(uint64_t units, uint64_t peak) {
    pool->range.taken_units = units;
    pool->range.peak_taken_units = peak;
}

static void the_need_is_the_peak_and_a_request_counts_on_what_is_taken(void **state) {
    (void)state;
    take(10, 50);
    assert_int_equal(tn_need_units(pool, 0), 50);
    assert_int_equal(tn_need_units(pool, 40), 50);
    assert_int_equal(tn_need_units(pool, 45), 55);
}

static void a_peak_is_forgotten_after_the_idle_age_and_not_before(void **state) {
    (void)state;
    take(10, 50);
    tn_need_roll(pool, WINDOW);
    assert_int_equal(pool->range.peak_taken_units, 10);
    for (uint64_t now = WINDOW; now < WINDOW + IDLE; now++) {
        tn_need_roll(pool, now);
        assert_int_equal(tn_need_units(pool, 0), 50);
    }
    tn_need_roll(pool, WINDOW + IDLE);
    assert_int_equal(tn_need_units(pool, 0), 10);
}

static void a_pool_that_is_never_collected_forgets_nothing(void **state) {
    (void)state;
    pool->growth.need.idle_ns = 0;
    take(10, 50);
    for (uint64_t now = 0; now < 100 * IDLE; now += WINDOW) {
        tn_need_roll(pool, now);
    }
    assert_int_equal(pool->growth.need.count, 1);
    assert_int_equal(tn_need_units(pool, 0), 50);
}

// There is no room for so many windows, so the two oldest become one.
static void a_longer_age_loses_no_peak(void **state) {
    (void)state;
    take(10, 70);
    uint64_t now = 0;
    for (unsigned i = 0; i < TN_NEED_PARTS; i++) {
        tn_need_roll(pool, now += WINDOW);
    }
    pool->growth.need.idle_ns = 10 * IDLE;
    for (unsigned i = 0; i < TN_NEED_PARTS - 1; i++) {
        tn_need_roll(pool, now += 10 * WINDOW);
        assert_true(pool->growth.need.count <= TN_NEED_WINDOWS);
        assert_int_equal(tn_need_units(pool, 0), 70);
    }
}

static void the_need_is_lowered_in_all_windows_but_not_below_what_is_taken(void **state) {
    (void)state;
    take(10, 70);
    tn_need_roll(pool, WINDOW);
    take(10, 60);
    tn_need_lower(pool, 20);
    assert_int_equal(tn_need_units(pool, 0), 20);
    tn_need_lower(pool, 30); // it never rises
    assert_int_equal(tn_need_units(pool, 0), 20);
    tn_need_lower(pool, 5);
    assert_int_equal(tn_need_units(pool, 0), 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_need_is_the_peak_and_a_request_counts_on_what_is_taken,
                                        make_pool, destroy_pool),
        cmocka_unit_test_setup_teardown(a_peak_is_forgotten_after_the_idle_age_and_not_before,
                                        make_pool, destroy_pool),
        cmocka_unit_test_setup_teardown(a_pool_that_is_never_collected_forgets_nothing, make_pool,
                                        destroy_pool),
        cmocka_unit_test_setup_teardown(a_longer_age_loses_no_peak, make_pool, destroy_pool),
        cmocka_unit_test_setup_teardown(
            the_need_is_lowered_in_all_windows_but_not_below_what_is_taken, make_pool,
            destroy_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
