// SPDX-License-Identifier: Apache-2.0
// Claims about what a pool releases by itself or by age: the soft limit, and idle memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

#define PAGE (2 * MIB)
#define HOUR UINT64_C(3600000000000)

struct world {
    struct fake *fake;
    tarn_pool *pool;
};

static struct world growing(uint64_t page_bytes, uint64_t soft_limit) {
    struct world w = {fake_new(page_bytes, 640 * MIB), NULL};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    assert_non_null(w.fake);
    desc.kind = page_bytes != 0 ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.segment_bytes = PAGE;
    desc.soft_limit = soft_limit;
    assert_int_equal(tn_pool_create_over(&desc, &w.fake->source, NULL, &w.pool), TARN_OK);
    return w;
}

static uint64_t held(const struct world *w) {
    return stats_of(w->pool).held_bytes;
}

static void sleep_ms(long ms) {
    struct timespec time = {0, ms * 1000000};
    while (nanosleep(&time, &time) != 0) {
    }
}

static uint64_t collect(const struct world *w, uint64_t idle_ns) {
    uint64_t released = UINT64_MAX;
    assert_int_equal(tarn_pool_collect(w->pool, idle_ns, 0, &released), TARN_OK);
    assert_int_equal(tarn_pool_verify(w->pool), TARN_OK);
    return released;
}

// ---- the soft limit

static void blocks_may_exceed_the_soft_limit(void **state) {
    (void)state;
    for (uint64_t page = 0; page <= PAGE; page += PAGE) {
        struct world w = growing(page, 10 * PAGE);
        tarn_addr a = get(w.pool, 20 * PAGE);
        assert_true(held(&w) >= 20 * PAGE);
        give(w.pool, a);
        end(w.pool);
    }
}

static void growth_above_the_soft_limit_releases_what_is_free(void **state) {
    (void)state;
    for (uint64_t page = 0; page <= PAGE; page += PAGE) {
        struct world w = growing(page, 10 * PAGE);
        tarn_addr blocks[8];
        for (int i = 0; i < 8; i++) {
            blocks[i] = get(w.pool, 4 * PAGE - 1000);
        }
        for (int i = 1; i < 8; i++) {
            give(w.pool, blocks[i]);
        }
        assert_true(held(&w) >= 31 * PAGE);
        tarn_addr large = get(w.pool, 40 * PAGE); // nothing fits it
        assert_true(held(&w) <= 45 * PAGE);
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        give(w.pool, large);
        give(w.pool, blocks[0]);
        end(w.pool);
    }
}

static void memory_is_moved_above_the_soft_limit(void **state) {
    (void)state;
    struct world w = growing(PAGE, 32 * PAGE);
    tarn_addr blocks[32];
    give(w.pool, get(w.pool, 32 * PAGE)); // a need that would allow more
    for (int i = 0; i < 32; i++) {
        blocks[i] = get(w.pool, PAGE);
    }
    for (int i = 0; i < 32; i += 2) {
        give(w.pool, blocks[i]);
    }
    tarn_addr large = get(w.pool, 2 * PAGE);
    assert_int_equal(held(&w), 32 * PAGE);
    give(w.pool, large);
    for (int i = 1; i < 32; i += 2) {
        give(w.pool, blocks[i]);
    }
    end(w.pool);
}

static void a_new_soft_limit_releases_at_once(void **state) {
    (void)state;
    for (uint64_t page = 0; page <= PAGE; page += PAGE) {
        struct world w = growing(page, 0);
        tarn_pool_info info = TARN_INIT(tarn_pool_info);
        tarn_addr keep = get(w.pool, PAGE);
        for (int i = 0; i < 8; i++) {
            give(w.pool, get(w.pool, (uint64_t)(i + 3) * PAGE));
        }
        assert_int_equal(tarn_pool_set_soft_limit(w.pool, 4 * PAGE), TARN_OK);
        assert_true(held(&w) <= 4 * PAGE);
        assert_int_equal(tarn_pool_query(w.pool, &info), TARN_OK);
        assert_int_equal(info.soft_limit, 4 * PAGE);
        assert_int_equal(tarn_pool_set_soft_limit(w.pool, 0), TARN_OK);
        give(w.pool, keep);
        end(w.pool);
    }
}

// ---- idle memory

static void memory_is_released_after_its_age(void **state) {
    (void)state;
    for (uint64_t page = 0; page <= PAGE; page += PAGE) {
        struct world w = growing(page, 0);
        tarn_addr keep = get(w.pool, PAGE);
        give(w.pool, get(w.pool, 30 * PAGE));
        assert_int_equal(collect(&w, HOUR), 0);
        assert_true(held(&w) >= 30 * PAGE);
        (void)collect(&w, 1000000); // ends the window of the peak
        sleep_ms(5);
        (void)collect(&w, 1000000);
        sleep_ms(5);
        (void)collect(&w, 1000000);
        assert_true(held(&w) <= 3 * PAGE);
        give(w.pool, keep);
        end(w.pool);
    }
}

static void memory_in_use_within_the_age_stays(void **state) {
    (void)state;
    struct world w = growing(PAGE, 0);
    give(w.pool, get(w.pool, 30 * PAGE));
    (void)collect(&w, HOUR);
    sleep_ms(2);
    assert_int_equal(collect(&w, HOUR), 0);
    assert_true(held(&w) >= 30 * PAGE);
    assert_int_equal(tarn_pool_set_soft_limit(w.pool, 40 * PAGE), TARN_OK);
    assert_int_equal(collect(&w, HOUR), 0);
    end(w.pool);
}

// The need falls with the memory: scattered free pages are moved again after that.
static void idle_memory_ends_the_memory_of_a_peak(void **state) {
    (void)state;
    struct world w = growing(PAGE, 0);
    give(w.pool, get(w.pool, 100 * PAGE));
    for (int i = 0; i < 3; i++) {
        (void)collect(&w, 1000);
        sleep_ms(1);
    }
    assert_int_equal(held(&w), 0);
    tarn_addr blocks[32];
    for (int i = 0; i < 32; i++) {
        blocks[i] = get(w.pool, PAGE);
    }
    for (int i = 0; i < 32; i += 2) {
        give(w.pool, blocks[i]);
    }
    tarn_addr large = get(w.pool, 16 * PAGE);
    assert_true(held(&w) <= 36 * PAGE);
    give(w.pool, large);
    for (int i = 1; i < 32; i += 2) {
        give(w.pool, blocks[i]);
    }
    end(w.pool);
}

static void any_age_may_follow_another(void **state) {
    (void)state;
    struct world w = growing(PAGE, 0);
    for (uint64_t i = 0; i < 100; i++) {
        give(w.pool, get(w.pool, (1 + i * 7 % 30) * PAGE));
        (void)collect(&w, i % 3 == 0 ? 1 : i % 3 == 1 ? 8000 : HOUR);
    }
    end(w.pool);
}

// ---- arguments

static void bad_arguments_are_refused(void **state) {
    (void)state;
    uint64_t released = 7;
    tarn_pool *pool = fixed(BASE, MIB, TARN_RULE_GPU_256);
    assert_int_equal(tarn_pool_set_soft_limit(NULL, 1), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_set_soft_limit(pool, 1), TARN_UNSUPPORTED);
    assert_int_equal(tarn_pool_collect(NULL, 1, 0, &released), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_collect(pool, 0, 0, &released), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_collect(pool, 1, 64, &released), TARN_BAD_ARGUMENT);
    assert_int_equal(released, 7);
    assert_int_equal(tarn_pool_collect(pool, 1, TARN_NO_WAIT, &released), TARN_OK);
    assert_int_equal(released, 0);
    end(pool);
}

// Fails each call of a growth above the soft limit in turn.
static void any_failing_call_above_the_soft_limit_changes_no_block(void **state) {
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct world w = growing(PAGE, 10 * PAGE);
        tarn_addr blocks[8] = {0};
        tarn_addr large = 0;
        w.fake->fail_at = n;
        for (int i = 0; i < 8; i++) {
            (void)tarn_pool_alloc(w.pool, 4 * PAGE - 1000, 0, &blocks[i]);
        }
        for (int i = 1; i < 8; i++) {
            give(w.pool, blocks[i]);
        }
        (void)tarn_pool_alloc(w.pool, 40 * PAGE, 0, &large);
        failed = w.fake->calls >= n;
        assert_true(blocks[0] == 0 || fake_is_backed(w.fake, blocks[0], 3 * PAGE));
        assert_true(large == 0 || fake_is_backed(w.fake, large, 40 * PAGE));
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        give(w.pool, blocks[0]);
        give(w.pool, large);
        end(w.pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_may_exceed_the_soft_limit),
        cmocka_unit_test(growth_above_the_soft_limit_releases_what_is_free),
        cmocka_unit_test(memory_is_moved_above_the_soft_limit),
        cmocka_unit_test(a_new_soft_limit_releases_at_once),
        cmocka_unit_test(memory_is_released_after_its_age),
        cmocka_unit_test(memory_in_use_within_the_age_stays),
        cmocka_unit_test(idle_memory_ends_the_memory_of_a_peak),
        cmocka_unit_test(any_age_may_follow_another),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(any_failing_call_above_the_soft_limit_changes_no_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
