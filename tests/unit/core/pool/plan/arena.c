// SPDX-License-Identifier: Apache-2.0
// Claims about the arena of a plan: what its check notices, and what a plan leaves alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pool/plan/plan.h"
#include "support/pool_verbs.h"

// A pool over a fixed range that follows the plan of these blocks.
static tarn_pool *planned(uint64_t bytes, const tarn_plan_block *blocks, size_t count) {
    tarn_plan *plan = NULL;
    tarn_plan_desc making = TARN_INIT(tarn_plan_desc);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    making.blocks = blocks;
    making.count = count;
    assert_int_equal(tarn_plan_create(&making, &plan), TARN_OK);
    desc.plan = plan;
    desc.kind = TARN_POOL_FIXED;
    desc.base = 1024 * MIB;
    desc.bytes = bytes;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    tarn_plan_destroy(plan);
    return pool;
}

static void wrong_records_of_places_are_noticed(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 9, 0, 0}, {MIB, 1, 9, 0, 0}};
    tarn_pool *pool = planned(64 * MIB, blocks, 2);
    tarn_addr first = get(pool, MIB), second = get(pool, MIB);
    struct tn_pool_plan *followed = pool->plan;
    uint32_t node = tn_granule_get(&pool->map, second), rank = followed->owners[node];
    assert_int_equal(stats_of(pool).planned, 2);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    followed->live++;
    assert_int_equal(tarn_pool_verify(pool), TARN_CORRUPT);
    followed->live--;
    followed->owners[node] = rank + 1;
    assert_int_equal(tarn_pool_verify(pool), TARN_CORRUPT);
    followed->owners[node] = rank;
    followed->follow->nodes[rank] = tn_granule_get(&pool->map, first);
    assert_int_equal(tarn_pool_verify(pool), TARN_CORRUPT);
    followed->follow->nodes[rank] = node;
    followed->follow->groups[0][0] = 0;
    assert_int_equal(tarn_pool_verify(pool), TARN_CORRUPT);
    followed->follow->groups[0][0] = 1;
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    give(pool, first);
    give(pool, second);
    end(pool);
}

// A fixed range below 8 MiB has no classes, whatever slabs the plan has.
static void a_plan_joins_no_classes_where_a_pool_has_none(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{16 * KIB, 0, UINT64_MAX, 0, 0}, {15 * KIB, 1, 2, 0, 0}};
    tarn_pool *pool = planned(4 * MIB, blocks, 2);
    for (unsigned c = 0; c < TN_CLASSES; c++)
        assert_int_equal(tn_load_relaxed(&pool->classes.serving[c]), c);
    assert_int_equal(pool->small.max, 0);
    assert_int_equal(pool->small.room, 0);
    assert_null(pool->small.slabs);
    assert_null(tn_load_relaxed(&pool->small.alone));
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_records_of_places_are_noticed),
        cmocka_unit_test(a_plan_joins_no_classes_where_a_pool_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
