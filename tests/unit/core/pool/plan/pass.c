// SPDX-License-Identifier: Apache-2.0
// Claims about the memory that a pool holds for a plan: a pool that learns one never holds more than one
// that does not, and a plan of another run is given back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

#define PAGE (2 * MIB)

enum { BLOCKS = 120, LIVE = 12, ROUNDS = 8 };

static tarn_pool *pool_of(tarn_pool_kind kind, const tarn_plan *given, bool learns,
                          struct fake **fake) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    *fake = fake_new(kind == TARN_POOL_EXPANDABLE ? PAGE : 0, UINT64_C(8) << 30);
    desc.kind = kind;
    desc.segment_bytes = 16 * MIB;
    desc.plan = given;
    desc.flags = learns ? TARN_POOL_LEARN : 0;
    assert_int_equal(tn_pool_create_over(&desc, &(*fake)->source, NULL, &pool), TARN_OK);
    return pool;
}

// Runs a pass of blocks at random, of which LIVE live at the same time. Returns the most bytes that the
// pool holds in it.
static uint64_t run_pass(tarn_pool *pool, uint64_t seed) {
    tarn_addr addrs[LIVE] = {0};
    assert_int_equal(tarn_pool_mark(pool), TARN_OK);
    assert_int_equal(tarn_pool_reset_peaks(pool, TARN_PEAK_HELD), TARN_OK);
    for (int i = 0; i < BLOCKS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        tarn_addr *addr = &addrs[seed >> 40 & 15 ? (unsigned)i % LIVE : (seed >> 45) % LIVE];
        if (*addr != 0) give(pool, *addr);
        *addr = get(pool, MIB + (seed >> 33) % (24 * MIB));
    }
    for (int i = 0; i < LIVE; i++)
        if (addrs[i] != 0) give(pool, addrs[i]);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    return stats_of(pool).peak_held_bytes;
}

// From the pass on in which the plan is followed to its end, the device is not called.
static void a_pool_that_learns_holds_no_more_than_one_that_does_not(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (int k = 0; k < 2; k++) {
            tarn_pool_kind kind = k == 0 ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
            struct fake *one, *two;
            tarn_pool *plain = pool_of(kind, NULL, false, &one);
            tarn_pool *learns = pool_of(kind, NULL, true, &two);
            uint64_t held = 0, calls = 0;
            for (int round = 0; round < ROUNDS; round++) {
                uint64_t without = run_pass(plain, seed);
                if (round == 3) calls = two->calls;
                held = run_pass(learns, seed);
                assert_true(held <= without);
            }
            assert_int_equal(stats_of(learns).plans, 1);
            if (kind == TARN_POOL_EXPANDABLE) {
                assert_int_equal(two->calls, calls);
                assert_true(held <= stats_of(learns).plan_bytes + PAGE);
                assert_int_equal(stats_of(learns).late, 0);
            }
            end(plain);
            end(learns);
        }
    }
}

// ---- a plan of another run

// Each step keeps 10 MiB until the end of the pass, and needs 30 MiB for a moment.
enum { STEPS = 64, KEPT = 10, BRIEF = 30 };

// Returns a plan that the next call destroys.
static const tarn_plan *make_plan(void) {
    static tarn_plan *plan;
    tarn_plan_block blocks[2 * STEPS];
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    for (uint64_t i = 0; i < STEPS; i++) {
        blocks[2 * i] = (tarn_plan_block){KEPT * MIB, 3 * i, UINT64_MAX, 0, 0};
        blocks[2 * i + 1] = (tarn_plan_block){BRIEF * MIB, 3 * i + 1, 3 * i + 2, 0, 0};
    }
    desc.blocks = blocks;
    desc.count = 2 * STEPS;
    tarn_plan_destroy(plan);
    plan = NULL;
    assert_int_equal(tarn_plan_create(&desc, &plan), TARN_OK);
    return plan;
}

static uint64_t run_steps(tarn_pool *pool, int steps) {
    tarn_addr kept[STEPS];
    assert_int_equal(tarn_pool_mark(pool), TARN_OK);
    assert_int_equal(tarn_pool_reset_peaks(pool, TARN_PEAK_HELD), TARN_OK);
    for (int i = 0; i < steps; i++) {
        kept[i] = get(pool, KEPT * MIB);
        give(pool, get(pool, BRIEF * MIB));
    }
    for (int i = 0; i < steps; i++) give(pool, kept[i]);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    return stats_of(pool).peak_held_bytes;
}

static void a_plan_of_a_longer_run_is_given_back_after_one_pass(void **state) {
    (void)state;
    struct fake *one, *two;
    tarn_pool *plain = pool_of(TARN_POOL_EXPANDABLE, NULL, false, &one);
    tarn_pool *planned = pool_of(TARN_POOL_EXPANDABLE, make_plan(), false, &two);
    for (int round = 0; round < 4; round++) {
        uint64_t without = run_steps(plain, STEPS / 4);
        uint64_t held = run_steps(planned, STEPS / 4);
        assert_true(round == 0 ? held > 2 * without : held <= without);
    }
    end(plain);
    end(planned);
}

static void a_plan_that_rests_returns_when_a_pass_makes_its_requests(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pool = pool_of(TARN_POOL_EXPANDABLE, make_plan(), false, &fake);
    for (int round = 0; round < 3; round++) (void)run_steps(pool, STEPS / 4);
    assert_int_equal(stats_of(pool).plan_bytes, 0);
    (void)run_steps(pool, STEPS);
    assert_int_equal(stats_of(pool).plan_bytes, 0);
    uint64_t planned = stats_of(pool).planned;
    (void)run_steps(pool, STEPS);
    assert_true(stats_of(pool).plan_bytes > 0);
    assert_int_equal(stats_of(pool).planned - planned, 2 * STEPS);
    end(pool);
}

static void a_plan_that_has_paid_stays_over_some_shorter_passes(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pool = pool_of(TARN_POOL_EXPANDABLE, make_plan(), false, &fake);
    (void)run_steps(pool, STEPS);
    uint64_t calls = fake->calls;
    for (int round = 0; round < 12; round++) (void)run_steps(pool, round % 4 == 3 ? STEPS : 4);
    assert_int_equal(fake->calls, calls);
    for (int round = 0; round < 6; round++) (void)run_steps(pool, 4);
    assert_int_equal(stats_of(pool).plan_bytes, 0);
    end(pool);
}

// Whichever call of the device fails, no block is refused and nothing is lost.
static void a_plan_that_moves_survives_each_failing_call(void **state) {
    (void)state;
    bool failed = true;
    for (uint64_t call = 1; failed; call++) {
        struct fake *fake;
        tarn_pool *pool = pool_of(TARN_POOL_EXPANDABLE, NULL, true, &fake);
        for (int round = 0; round < 2; round++) (void)run_pass(pool, 5);
        fake->fail_at = fake->calls + call;
        uint64_t last = fake->fail_at;
        for (int round = 0; round < 3; round++) (void)run_pass(pool, 5);
        failed = fake->calls >= last;
        assert_int_equal(stats_of(pool).refusals, 0);
        end(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_that_learns_holds_no_more_than_one_that_does_not),
        cmocka_unit_test(a_plan_of_a_longer_run_is_given_back_after_one_pass),
        cmocka_unit_test(a_plan_that_rests_returns_when_a_pass_makes_its_requests),
        cmocka_unit_test(a_plan_that_has_paid_stays_over_some_shorter_passes),
        cmocka_unit_test(a_plan_that_moves_survives_each_failing_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
