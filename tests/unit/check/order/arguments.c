// SPDX-License-Identifier: Apache-2.0
// Claims about the blocks that kernels have as arguments.
#include "check/order/arguments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct tn_check_arguments arguments;
static uint64_t seen[TN_CHECK_ARGUMENTS]; // starts of the visited blocks
static unsigned seen_count;
static unsigned seen_most; // the visitor stops after so many

static int fresh(void **state) {
    (void)state;
    memset(&arguments, 0, sizeof arguments);
    return 0;
}

static void add(uint32_t space, uint64_t lo, uint64_t hi) {
    tn_check_arguments_add(&arguments, space, lo, hi, &(struct tn_check_touch){0});
}

static bool visit(void *arg, const struct tn_check_touch *touch, uint64_t lo, uint64_t hi,
                  uint64_t was) {
    (void)arg;
    assert_int_equal(was, lo);
    (void)touch;
    assert_true(lo < hi);
    seen[seen_count++] = lo;
    return seen_count < seen_most;
}

static unsigned count_in(uint32_t space, uint64_t lo, uint64_t hi) {
    seen_count = 0;
    seen_most = TN_CHECK_ARGUMENTS + 1;
    tn_check_arguments_visit(&arguments, space, lo, hi, visit, NULL);
    return seen_count;
}

static void blocks_inside_the_range_are_visited_and_no_others(void **state) {
    (void)state;
    add(0, 100, 200);
    assert_int_equal(count_in(0, 100, 200), 1);
    assert_int_equal(count_in(0, 50, 250), 1);
    assert_int_equal(count_in(0, 101, 250), 0);
    assert_int_equal(count_in(0, 50, 199), 0);
    assert_int_equal(count_in(1, 50, 250), 0);
}

static void the_visitor_can_stop(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 5; i++) add(0, i * 10, i * 10 + 5);
    seen_count = 0;
    seen_most = 2;
    tn_check_arguments_visit(&arguments, 0, 0, 100, visit, NULL);
    assert_int_equal(seen_count, 2);
}

static void each_overlapped_block_is_forgotten(void **state) {
    (void)state;
    add(0, 0, 10);
    add(0, 10, 20);
    add(0, 20, 30);
    add(1, 10, 20);
    tn_check_arguments_forget(&arguments, 0, 9, 11);
    assert_int_equal(count_in(0, 0, 100), 1);
    assert_int_equal(seen[0], 20);
    assert_int_equal(count_in(1, 0, 100), 1);
    tn_check_arguments_forget(&arguments, 0, 10, 20); // these touch the one that is left
    tn_check_arguments_forget(&arguments, 0, 30, 40);
    assert_int_equal(count_in(0, 0, 100), 1);
}

static void the_oldest_block_makes_room(void **state) {
    (void)state;
    for (uint64_t i = 0; i <= TN_CHECK_ARGUMENTS; i++) add(0, i * 10, i * 10 + 5);
    assert_int_equal(count_in(0, 0, UINT64_MAX), TN_CHECK_ARGUMENTS);
    assert_int_equal(count_in(0, 0, 5), 0);
    assert_int_equal(count_in(0, 10, 15), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(blocks_inside_the_range_are_visited_and_no_others, fresh),
        cmocka_unit_test_setup(the_visitor_can_stop, fresh),
        cmocka_unit_test_setup(each_overlapped_block_is_forgotten, fresh),
        cmocka_unit_test_setup(the_oldest_block_makes_room, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
