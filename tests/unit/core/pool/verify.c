// SPDX-License-Identifier: Apache-2.0
// Claims about closed slabs, and about what the self-check notices: each damage is planted through
// internal names, must be reported, and is taken out again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pool/pool.h"
#include "support/pool_verbs.h"

enum { MANY = 600 };

// ---- closed slabs

// Fills several slabs of one class, and empties them so that all are closed.
static void open_and_close(tarn_pool *pool, tarn_addr addr[MANY]) {
    for (int i = 0; i < MANY; i++) addr[i] = get(pool, 256);
    for (int i = 0; i < MANY; i++) give(pool, addr[i]);
    assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
}

static void a_block_of_a_closed_slab_is_not_freed(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr addr[MANY];
    open_and_close(pool, addr);
    assert_int_equal(stats_of(pool).largest_free, 64 * MIB);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(tn_granule_get(&pool->map, addr[i]), 0);
        assert_int_equal(tarn_pool_free(pool, addr[i]), TARN_BAD_ADDRESS);
    }
    assert_int_equal(stats_of(pool).frees, MANY);
    end(pool);
}

static void a_closed_slab_does_not_hide_the_block_in_its_place(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr addr[MANY];
    tarn_block block;
    open_and_close(pool, addr);
    tarn_addr large = get(pool, 64 * MIB);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(tarn_pool_query_block(pool, addr[i], &block), TARN_OK);
        assert_int_equal(block.addr, large);
        if (addr[i] != large) assert_int_equal(tarn_pool_free(pool, addr[i]), TARN_BAD_ADDRESS);
    }
    give(pool, large);
    end(pool);
}

static void a_reset_closes_slabs_with_live_blocks(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr addr[MANY];
    for (int i = 0; i < MANY; i++) addr[i] = get(pool, 256);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(tarn_pool_free(pool, addr[i]), TARN_BAD_ADDRESS);
    tarn_addr again = get(pool, 256); // in a record that is used again
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(tarn_pool_free(pool, addr[i]),
                         addr[i] == again ? TARN_OK : TARN_BAD_ADDRESS);
    }
    end(pool);
}

// ---- the self-check

static void corrupt(tarn_pool *pool) { assert_int_equal(tarn_pool_verify(pool), TARN_CORRUPT); }

static void sound(tarn_pool *pool) { assert_int_equal(tarn_pool_verify(pool), TARN_OK); }

static void wrong_granules_of_free_runs_are_noticed(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr first = get(pool, MIB);
    tarn_addr hole = get(pool, MIB);
    tarn_addr last = get(pool, MIB);
    give(pool, hole);
    sound(pool);
    uint32_t node = tn_granule_get(&pool->map, first);
    for (uint64_t at = 0; at < MIB; at += MIB / 8) {
        tn_granule_put(&pool->map, hole + at, node); // the start of another block
        corrupt(pool);
        tn_granule_put(&pool->map, hole + at, TN_SLAB_BIT | 1); // a slab
        corrupt(pool);
        tn_granule_put(&pool->map, hole + at, pool->range.fit.capacity); // no record at all
        corrupt(pool);
        tn_granule_put(&pool->map, hole + at, 0);
        sound(pool);
    }
    give(pool, first);
    give(pool, last);
    end(pool);
}

static void wrong_granules_of_blocks_are_noticed(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr large = get(pool, MIB);
    tarn_addr small = get(pool, 256);
    tarn_addr slab = small & ~(64 * KIB - 1);
    uint32_t node = tn_granule_get(&pool->map, large);
    uint32_t entry = tn_granule_get(&pool->map, small);
    tn_granule_put(&pool->map, large, 0);
    corrupt(pool);
    tn_granule_put(&pool->map, large, entry);
    corrupt(pool);
    tn_granule_put(&pool->map, large, node);
    for (uint64_t at = TN_SMALL_MAX; at < 64 * KIB; at += TN_SMALL_MAX) {
        tn_granule_put(&pool->map, slab + at, 0);
        corrupt(pool);
        tn_granule_put(&pool->map, slab + at, entry);
        sound(pool);
    }
    give(pool, large);
    give(pool, small);
    end(pool);
}

static void wrong_counts_are_noticed(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr large = get_on(pool, MIB, 7);
    tarn_addr small = get(pool, 256);
    tn_slab *slab = &pool->small.slabs[tn_granule_get(&pool->map, small) & ~TN_SLAB_BIT];
    tn_pool_slot *slot = tn_pool_slot_at(pool, 1);
    pool->range.taken_units++;
    corrupt(pool);
    pool->range.taken_units--;
    slot->bins[0].owner++;
    corrupt(pool);
    slot->bins[0].owner--;
    slab->count--;
    corrupt(pool);
    slab->count++;
    uint32_t in_room = (uint32_t)slab->blocks - 1; // never handed out
    tn_store_relaxed(&slab->states[in_room], tn_small_live(0, 1));
    corrupt(pool);
    tn_store_relaxed(&slab->states[in_room], TN_SMALL_FREE);
    sound(pool);
    give(pool, large);
    give(pool, small);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_of_a_closed_slab_is_not_freed),
        cmocka_unit_test(a_closed_slab_does_not_hide_the_block_in_its_place),
        cmocka_unit_test(a_reset_closes_slabs_with_live_blocks),
        cmocka_unit_test(wrong_granules_of_free_runs_are_noticed),
        cmocka_unit_test(wrong_granules_of_blocks_are_noticed),
        cmocka_unit_test(wrong_counts_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
