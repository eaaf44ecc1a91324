// SPDX-License-Identifier: Apache-2.0
// Claims about a trim: what is released, and that the need falls with it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

#define PAGE (2 * MIB)

struct world {
    struct fake *fake;
    tarn_pool *pool;
};

static struct world growing(uint64_t page_bytes) {
    struct world w = {fake_new(page_bytes, 640 * MIB), NULL};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    assert_non_null(w.fake);
    desc.kind = page_bytes != 0 ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.segment_bytes = PAGE;
    assert_int_equal(tn_pool_create_over(&desc, &w.fake->source, NULL, &w.pool), TARN_OK);
    return w;
}

static uint64_t held(const struct world *w) { return stats_of(w->pool).held_bytes; }

static void free_memory_beyond_the_bytes_to_keep_is_released(void **state) {
    (void)state;
    for (uint64_t page = 0; page <= PAGE; page += PAGE) {
        struct world w = growing(page);
        uint64_t released = 0;
        tarn_addr keep = get(w.pool, PAGE);
        for (uint64_t i = 0; i < 8; i++) give(w.pool, get(w.pool, (i + 3) * PAGE));
        uint64_t before = held(&w);
        assert_int_equal(tarn_pool_trim(w.pool, 4 * PAGE, 0, &released), TARN_OK);
        assert_true(held(&w) <= 4 * PAGE);
        assert_int_equal(released, before - held(&w));
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        give(w.pool, keep);
        end(w.pool);
    }
}

// The need falls with the memory: scattered free pages are moved again after that.
static void a_trim_ends_the_memory_of_a_peak(void **state) {
    (void)state;
    struct world w = growing(PAGE);
    give(w.pool, get(w.pool, 300 * PAGE));
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(held(&w), 0);
    tarn_addr blocks[32];
    for (int i = 0; i < 32; i++) blocks[i] = get(w.pool, 4 * PAGE);
    for (int i = 0; i < 32; i += 2) give(w.pool, blocks[i]);
    tarn_addr large = get(w.pool, 64 * PAGE);
    assert_true(held(&w) <= 144 * PAGE);
    give(w.pool, large);
    for (int i = 1; i < 32; i += 2) give(w.pool, blocks[i]);
    end(w.pool);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    uint64_t released = 7;
    tarn_pool *pool = fixed(BASE, MIB, TARN_RULE_GPU_256);
    assert_int_equal(tarn_pool_set_limit(NULL, 1), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_set_limit(pool, 1), TARN_UNSUPPORTED);
    assert_int_equal(tarn_pool_trim(NULL, 1, 0, &released), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_trim(pool, 1, 64, &released), TARN_BAD_ARGUMENT);
    assert_int_equal(released, 7);
    assert_int_equal(tarn_pool_trim(pool, 1, TARN_NO_WAIT, &released), TARN_OK);
    assert_int_equal(released, 0);
    end(pool);
}

// Fails each call of a trim in turn.
static void any_failing_call_of_a_trim_changes_no_block(void **state) {
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct world w = growing(PAGE);
        tarn_addr blocks[8];
        for (int i = 0; i < 8; i++) blocks[i] = get(w.pool, 4 * PAGE - 1000);
        for (int i = 1; i < 8; i += 2) give(w.pool, blocks[i]);
        w.fake->calls = 0;
        w.fake->fail_at = n;
        assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
        failed = w.fake->calls >= n;
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        for (int i = 0; i < 8; i += 2) {
            assert_true(fake_is_backed(w.fake, blocks[i], 3 * PAGE));
            give(w.pool, blocks[i]);
        }
        end(w.pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_memory_beyond_the_bytes_to_keep_is_released),
        cmocka_unit_test(a_trim_ends_the_memory_of_a_peak),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(any_failing_call_of_a_trim_changes_no_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
