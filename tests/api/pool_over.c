// SPDX-License-Identifier: Apache-2.0
// Pools over blocks of vendors' allocators: the rule follows from where the block came from. The
// worked examples are those of AscendCL's "Secondary Memory Allocation".
#include "support/api.h"
#include "support/pool_verbs.h"

static const uint64_t lengths[] = {1, 31, 32, 33, 1000};
#define LENGTHS (sizeof lengths / sizeof lengths[0])

static tarn_pool *over(const char *allocator, tarn_addr base, uint64_t bytes) {
    tarn_pool *pool = NULL;
    assert_ok(tarn_pool_create_over(allocator, base, bytes, &pool));
    return pool;
}

static void occupies(const char *allocator, const uint64_t want[LENGTHS]) {
    tarn_rule rule;
    assert_ok(tarn_rule_find(allocator, &rule));
    for (size_t i = 0; i < LENGTHS; i++) {
        uint64_t got = 0;
        assert_ok(tarn_rule_occupied(&rule, lengths[i], &got));
        assert_int_equal(got, want[i]);
    }
}

static void segments_occupy_what_the_table_says(void **state) {
    const uint64_t padded[LENGTHS] = {64, 64, 64, 96, 1056};
    const uint64_t bare[LENGTHS] = {32, 32, 32, 64, 1024};
    (void)state;
    occupies("aclrtMalloc", padded);
    occupies("aclrtMallocHost", padded);
    occupies("acldvppMalloc", padded);
    occupies("mixed", padded);
    occupies("aclrtMalloc+950", bare);
}

// The pool may put blocks where it likes, so that all five fit into the least that holds them in
// order is not promised; that they keep the rule is, and that none is lost.
static void blocks_keep_the_rule_of_their_allocator(void **state) {
    static const char *const allocators[] = {
#define NAME(name, RULE) name,
        TARN_ALLOCATOR_LIST(NAME)
#undef NAME
    };
    (void)state;
    for (size_t a = 0; a < sizeof allocators / sizeof allocators[0]; a++) {
        tarn_rule rule;
        tarn_addr at[LENGTHS];
        tarn_pool *pool = over(allocators[a], BASE, MIB);
        assert_ok(tarn_rule_find(allocators[a], &rule));
        for (size_t i = 0; i < LENGTHS; i++) {
            at[i] = get(pool, lengths[i]);
            assert_int_equal(at[i] % rule.start, 0);
            for (size_t j = 0; j < i; j++) {
                uint64_t mine = 0;
                uint64_t other = 0;
                assert_ok(tarn_rule_occupied(&rule, lengths[i], &mine));
                assert_ok(tarn_rule_occupied(&rule, lengths[j], &other));
                assert_true(at[i] + mine <= at[j] || at[j] + other <= at[i]);
            }
        }
        for (size_t i = 0; i < LENGTHS; i++) give(pool, at[i]);
        end(pool);
    }
}

// Random lengths and frees, on bases of any alignment, until the pool is full: starts aligned as
// absolute addresses, slack behind each, all inside, none on another.
static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

struct segment {
    tarn_addr at;
    uint64_t occupied;
};

static void check_segment(const tarn_rule *rule, tarn_addr base, uint64_t bytes,
                          const struct segment *all, size_t count, size_t which) {
    const struct segment *one = &all[which];
    assert_int_equal(one->at % rule->start, 0);
    assert_true(one->at >= base && one->at + one->occupied <= base + bytes);
    for (size_t i = 0; i < count; i++) {
        if (i != which && all[i].occupied != 0) {
            assert_true(one->at + one->occupied <= all[i].at ||
                        all[i].at + all[i].occupied <= one->at);
        }
    }
}

static void churn(const char *allocator, tarn_addr base, uint64_t seed) {
    enum { SEGMENTS = 64, STEPS = 1500 };
    const uint64_t bytes = 96 * KIB;
    struct segment all[SEGMENTS] = {{0, 0}};
    tarn_rule rule;
    assert_ok(tarn_rule_find(allocator, &rule));
    tarn_pool *pool = over(allocator, base, bytes);
    for (int step = 0; step < STEPS; step++) {
        size_t which = next(&seed) % SEGMENTS;
        uint64_t length = 1 + next(&seed) % (next(&seed) % 8 == 0 ? 20000 : 2000);
        if (all[which].occupied != 0) {
            give(pool, all[which].at);
            all[which].occupied = 0;
        } else if (tarn_pool_alloc(pool, length, 0, &all[which].at) == TARN_OK) {
            assert_ok(tarn_rule_occupied(&rule, length, &all[which].occupied));
            check_segment(&rule, base, bytes, all, SEGMENTS, which);
        }
    }
    for (size_t i = 0; i < SEGMENTS; i++)
        if (all[i].occupied != 0) give(pool, all[i].at);
    end(pool);
}

static void random_segments_keep_start_slack_and_bounds(void **state) {
    static const char *const allocators[] = {"aclrtMalloc", "acldvppMalloc", "aclrtMalloc+950",
                                             "hipMalloc"};
    (void)state;
    for (size_t a = 0; a < sizeof allocators / sizeof allocators[0]; a++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            churn(allocators[a], BASE + (seed - 1) * 33, seed);
}

static void an_unknown_allocator_is_named(void **state) {
    tarn_pool *pool = (tarn_pool *)&pool;
    tarn_rule rule;
    tarn_error error;
    (void)state;
    assert_status(tarn_pool_create_over("malloc", BASE, MIB, &pool), TARN_BAD_ARGUMENT);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "\"malloc\""));
    assert_ptr_equal(pool, &pool);
    assert_status(tarn_pool_create_over(NULL, BASE, MIB, &pool), TARN_BAD_ARGUMENT);
    assert_status(tarn_pool_create_over("aclrtMalloc", BASE, 0, &pool), TARN_BAD_ARGUMENT);
    assert_status(tarn_rule_find("aclrtMalloc", NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_rule_find("", &rule), TARN_BAD_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_occupy_what_the_table_says),
        cmocka_unit_test(blocks_keep_the_rule_of_their_allocator),
        cmocka_unit_test(random_segments_keep_start_slack_and_bounds),
        cmocka_unit_test(an_unknown_allocator_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
