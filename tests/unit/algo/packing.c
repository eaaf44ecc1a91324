// SPDX-License-Identifier: Apache-2.0
// Placements, compared with a look at every pair of blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "algo/packing.h"

enum { MOST = 400 };

static tn_packing_block blocks[MOST];
static uint64_t offsets[MOST];

static uint64_t next(uint64_t *random) {
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *random >> 33;
}

static bool count_tries(void *arg, const tn_packing *best) {
    return best->tries < *(const uint64_t *)arg;
}

static tn_packing solve(size_t count, uint64_t tries) {
    tn_packing result;
    tn_packing_go_on *go_on = tries != 0 ? count_tries : NULL;
    assert_int_equal(tn_packing_solve(blocks, count, go_on, &tries, offsets, &result), TARN_OK);
    return result;
}

static uint64_t peak_live(size_t count) {
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t live = 0;
        for (size_t k = 0; k < count; k++)
            if (blocks[k].begin <= blocks[i].begin && blocks[i].begin < blocks[k].end)
                live += blocks[k].size;
        most = live > most ? live : most;
    }
    return most;
}

static void no_two_blocks_that_meet_overlap(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 50; round++) {
        size_t count = next(&random) % MOST;
        uint64_t times = 1 + next(&random) % 100;
        for (size_t i = 0; i < count; i++) {
            uint64_t begin = next(&random) % times;
            uint64_t end = begin + 1 + next(&random) % times;
            blocks[i] = (tn_packing_block){1 + next(&random) % 1000, begin, end};
        }
        tn_packing result = solve(count, (uint64_t)round);
        assert_true(tn_packing_check(blocks, count, offsets, result.height));
        assert_int_equal(peak_live(count), result.bound);
        assert_true(result.height >= result.bound);
    }
}

static void blocks_that_live_all_the_time_lie_at_the_bottom(void **state) {
    (void)state;
    blocks[0] = (tn_packing_block){5, 2, 4};
    blocks[1] = (tn_packing_block){7, 1, 9};
    blocks[2] = (tn_packing_block){3, 1, 9};
    blocks[3] = (tn_packing_block){4, 1, 2};
    tn_packing result = solve(4, 0);
    assert_int_equal(offsets[1], 0);
    assert_int_equal(offsets[2], 7);
    assert_int_equal(offsets[0], 10);
    assert_int_equal(offsets[3], 10);
    assert_int_equal(result.height, 15);
    assert_int_equal(result.tries, 1); // the bound is reached
    for (size_t i = 0; i < 20; i++) blocks[i] = (tn_packing_block){i + 1, 1, 9};
    blocks[20] = (tn_packing_block){100, 3, 4};
    result = solve(21, 0);
    for (size_t i = 0; i < 21; i++) assert_int_equal(offsets[i], i * (i + 1) / 2);
}

static void long_lives_lie_at_the_bottom_where_that_costs_nothing(void **state) {
    (void)state;
    blocks[0] = (tn_packing_block){2, 50, 51};
    blocks[1] = (tn_packing_block){3, 1, 99};
    blocks[2] = (tn_packing_block){5, 0, 100};
    tn_packing result = solve(3, 0);
    assert_int_equal(offsets[2], 0);
    assert_int_equal(offsets[1], 5);
    assert_int_equal(offsets[0], 8);
    assert_int_equal(result.bound, 10);
    blocks[0] = (tn_packing_block){4, 0, 1};
    blocks[1] = (tn_packing_block){4, 1, 99};
    result = solve(2, 0);
    assert_int_equal(result.bound, 4);
    assert_int_equal(result.height, 4);
}

static void offsets_have_the_grain_of_the_sizes(void **state) {
    (void)state;
    uint64_t random = 5;
    for (size_t i = 0; i < MOST; i++) {
        uint64_t begin = next(&random) % 100;
        blocks[i] = (tn_packing_block){256 * (1 + next(&random) % 99), begin,
                                       begin + 1 + next(&random) % 30};
    }
    tn_packing first = solve(MOST, 0), result = solve(MOST, 500);
    assert_true(result.height < first.height);
    for (size_t i = 0; i < MOST; i++) assert_int_equal(offsets[i] % 256, 0);
}

static void nothing_has_no_height(void **state) {
    (void)state;
    tn_packing result = solve(0, 5);
    assert_int_equal(result.height, 0);
    assert_int_equal(result.bound, 0);
}

// Divides a rectangle of time and memory until it consists of `count` blocks.
static void divide_rectangle(size_t count, uint64_t *random) {
    blocks[0] = (tn_packing_block){100000, 0, 1000};
    for (size_t i = 1; i < count; i++) {
        tn_packing_block *block = &blocks[next(random) % i];
        blocks[i] = *block;
        if (next(random) % 2 == 0 && block->end - block->begin > 1) {
            block->end = block->begin + 1 + next(random) % (block->end - block->begin - 1);
            blocks[i].begin = block->end;
        } else if (block->size > 1) {
            block->size = 1 + next(random) % (block->size - 1);
            blocks[i].size -= block->size;
        }
    }
}

// A perfect placement exists: the rectangle before it was divided.
static void repair_finds_a_perfect_placement(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 10; round++) {
        divide_rectangle(60, &random);
        tn_packing first = solve(60, 1), searched = solve(60, 8000);
        assert_int_equal(first.bound, 100000);
        assert_true(searched.height <= first.height);
        assert_int_equal(searched.height, 100000);
    }
}

static void search_ends_when_told(void **state) {
    (void)state;
    uint64_t random = 3;
    divide_rectangle(200, &random);
    assert_int_equal(solve(200, 0).tries, 2 * 4 * 2); // each solver, order and fit
    assert_int_equal(solve(200, 1).tries, 1);
    assert_int_equal(solve(200, 50).tries, 50);
}

static void the_check_finds_damage(void **state) {
    (void)state;
    uint64_t random = 5;
    divide_rectangle(20, &random);
    uint64_t height = solve(20, 1).height;
    assert_true(tn_packing_check(blocks, 20, offsets, height));
    assert_false(tn_packing_check(blocks, 20, offsets, height + 1));
    for (size_t i = 0; i < 20; i++) {
        uint64_t before = offsets[i];
        offsets[i] = UINT64_MAX; // the end wraps
        assert_false(tn_packing_check(blocks, 20, offsets, height));
        offsets[i] = before;
    }
    const tn_packing_block pair[] = {{4, 0, 9}, {4, 8, 20}};
    assert_false(tn_packing_check(pair, 2, (const uint64_t[]){0, 3}, 7));
    assert_true(tn_packing_check(pair, 2, (const uint64_t[]){0, 4}, 8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_blocks_that_meet_overlap),
        cmocka_unit_test(blocks_that_live_all_the_time_lie_at_the_bottom),
        cmocka_unit_test(long_lives_lie_at_the_bottom_where_that_costs_nothing),
        cmocka_unit_test(offsets_have_the_grain_of_the_sizes),
        cmocka_unit_test(nothing_has_no_height),
        cmocka_unit_test(repair_finds_a_perfect_placement),
        cmocka_unit_test(search_ends_when_told),
        cmocka_unit_test(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
