// SPDX-License-Identifier: Apache-2.0
// Claims about streams of a pool that is told what has passed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { A = 11, B = 22, C = 33 };

// Of a large block and of a small one.
static const uint64_t sizes[] = {3 * MIB, 200};

static tarn_pool *tight(void) {
    return fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
}

static void a_block_is_reused_at_once_on_its_own_stream(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        give(pool, a);
        assert_int_equal(get_on(pool, sizes[i], A), a);
        give(pool, a);
        end(pool);
    }
}

static void another_stream_waits_until_it_is_reported(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 6 * MIB, A);
    tarn_addr addr;
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, 0, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(stats_of(pool).pending_bytes, 6 * MIB);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK); // the wrong one
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    assert_int_equal(get_on(pool, 6 * MIB, B), a);
    assert_int_equal(stats_of(pool).pending_bytes, 0);
    give(pool, a);
    end(pool);
}

static void small_blocks_stay_with_their_stream(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a[100];
    for (int i = 0; i < 100; i++) {
        a[i] = get_on(pool, 200, A);
    }
    for (int i = 0; i < 100; i++) {
        give(pool, a[i]);
    }
    for (int i = 0; i < 200; i++) {
        tarn_addr b = get_on(pool, 200, B);
        for (int k = 0; k < 100; k++) {
            assert_int_not_equal(a[k], b);
        }
    }
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void what_is_freed_after_a_report_waits_for_the_next(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 3 * MIB, A);
    tarn_addr b = get_on(pool, 3 * MIB, A);
    tarn_addr addr;
    give(pool, a);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    give(pool, b);
    assert_int_equal(get_on(pool, 3 * MIB, B), a);
    assert_int_equal(tarn_pool_alloc(pool, 3 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    assert_int_equal(get_on(pool, 3 * MIB, B), b);
    give(pool, a);
    give(pool, b);
    end(pool);
}

static void a_stream_reuses_what_waits_and_what_is_young(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 3 * MIB, A);
    tarn_addr b = get_on(pool, 3 * MIB, A);
    tarn_addr addr;
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 3 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY); // marks A
    give(pool, b);
    tarn_addr c = get_on(pool, 3 * MIB, A);
    tarn_addr d = get_on(pool, 3 * MIB, A);
    assert_true((c == a && d == b) || (c == b && d == a));
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    give(pool, c);
    give(pool, d);
    end(pool);
}

static void a_shared_block_waits_for_all_its_streams(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, a, C), TARN_OK);
        give(pool, a);
        assert_int_equal(stats_of(pool).live_blocks, 0);
        assert_true(stats_of(pool).pending_bytes >= sizes[i]);
        assert_int_equal(tarn_pool_free(pool, a), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_BAD_ADDRESS);
        tarn_addr b = get_on(pool, sizes[i], A);
        assert_int_not_equal(b, a); // not even its own stream has it
        assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        assert_true(stats_of(pool).pending_bytes >= sizes[i]);
        assert_int_equal(tarn_pool_passed(pool, C), TARN_OK);
        give(pool, b);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        tarn_addr all = get(pool, 8 * MIB);
        give(pool, all);
        end(pool);
    }
}

static void a_report_before_the_free_does_not_count(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 6 * MIB, A);
    tarn_addr addr;
    assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, A, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    assert_int_equal(get_on(pool, 6 * MIB, A), a);
    give(pool, a);
    end(pool);
}

static void use_on_its_own_or_the_hosts_order_adds_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, a, A), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, a, 0), TARN_OK);
        give(pool, a);
        assert_int_equal(get_on(pool, sizes[i], A), a);
        give(pool, a);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_used_on(pool, a + 1, B), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_used_on(pool, 5, B), TARN_BAD_ADDRESS);
        end(pool);
    }
}

static void pages_in_flight_are_not_moved(void **state) {
    (void)state;
    struct fake *fake = fake_new(2 * MIB, 16 * MIB);
    tarn_pool *pool;
    tarn_addr addr;
    assert_int_equal(fake_pool(fake, 0, &pool), TARN_OK);
    tarn_addr a = get_on(pool, 12 * MIB, A);
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 8 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_true(fake_is_backed(fake, a, 12 * MIB));
    assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
    assert_true(fake_is_backed(fake, a, 12 * MIB));
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    tarn_addr b = get_on(pool, 16 * MIB, B);
    assert_true(fake_is_backed(fake, b, 16 * MIB));
    give(pool, b);
    end(pool);
}

static void more_streams_than_slots_take_turns(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    for (tarn_stream s = 1; s <= 1000; s++) {
        tarn_addr a = get_on(pool, 100 * KIB, s);
        give(pool, a);
        assert_int_equal(tarn_pool_passed(pool, s), TARN_OK);
    }
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    tarn_addr blocks[TN_POOL_SLOTS];
    unsigned count = 0;
    while (tarn_pool_alloc(pool, 100 * KIB, 2000 + count, &blocks[count]) == TARN_OK) {
        count++;
    }
    assert_int_equal(count, TN_POOL_SLOTS - 1);
    assert_int_equal(tarn_pool_alloc(pool, 1, 9999, &blocks[count]), TARN_NO_HANDLES);
    while (count > 0) {
        give(pool, blocks[--count]);
    }
    end(pool);
}

static void a_stream_that_a_block_waits_for_keeps_its_slot(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr live = get(pool, 256);
    tarn_addr next = get(pool, 256);
    for (unsigned i = 0; i < TN_POOL_SLOTS - 1; i++) {
        assert_int_equal(tarn_pool_used_on(pool, live, 2000 + i), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, live, 2000 + i), TARN_OK);
    }
    assert_int_equal(tarn_pool_used_on(pool, next, 9999), TARN_NO_HANDLES);
    give(pool, live);
    assert_int_equal(tarn_pool_used_on(pool, next, 9999), TARN_NO_HANDLES); // it waits still
    for (unsigned i = 0; i < TN_POOL_SLOTS - 1; i++) {
        assert_int_equal(tarn_pool_passed(pool, 2000 + i), TARN_OK);
    }
    for (unsigned i = 0; i < 3 * TN_POOL_SLOTS; i++) { // many more take their turns
        tarn_addr block = get(pool, 256);
        assert_int_equal(tarn_pool_used_on(pool, block, 5000 + i), TARN_OK);
        give(pool, block);
        assert_int_equal(tarn_pool_passed(pool, 5000 + i), TARN_OK);
    }
    give(pool, next);
    end(pool);
}

static void a_reset_forgets_streams(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
        tarn_addr b = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, b, B), TARN_OK);
        give(pool, b);
        assert_int_equal(tarn_pool_reset(pool), TARN_OK);
        assert_int_equal(stats_of(pool).pending_bytes, 0);
        a = get(pool, 8 * MIB);
        give(pool, a);
        end(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_reused_at_once_on_its_own_stream),
        cmocka_unit_test(another_stream_waits_until_it_is_reported),
        cmocka_unit_test(small_blocks_stay_with_their_stream),
        cmocka_unit_test(what_is_freed_after_a_report_waits_for_the_next),
        cmocka_unit_test(a_stream_reuses_what_waits_and_what_is_young),
        cmocka_unit_test(a_shared_block_waits_for_all_its_streams),
        cmocka_unit_test(a_report_before_the_free_does_not_count),
        cmocka_unit_test(use_on_its_own_or_the_hosts_order_adds_nothing),
        cmocka_unit_test(pages_in_flight_are_not_moved),
        cmocka_unit_test(more_streams_than_slots_take_turns),
        cmocka_unit_test(a_stream_that_a_block_waits_for_keeps_its_slot),
        cmocka_unit_test(a_reset_forgets_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
