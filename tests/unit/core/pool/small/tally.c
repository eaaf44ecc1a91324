// SPDX-License-Identifier: Apache-2.0
// Claims about the counts of threads and their totals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/pool/small/tally.h"

static tn_pool_tally tally, other;
static tn_pool_totals totals;

static int fresh(void **state) {
    (void)state;
    memset(&tally, 0, sizeof tally);
    memset(&other, 0, sizeof other);
    memset(&totals, 0, sizeof totals);
    return 0;
}

static void assert_peak(const tn_pool_peak *counted, int64_t now, int64_t peak) {
    assert_int_equal(tn_load_relaxed(&counted->now), now);
    assert_int_equal(tn_load_relaxed(&counted->peak), peak);
}

static void the_peak_of_one_thread_is_exact(void **state) {
    (void)state;
    (void)tn_pool_tally_alloc(&tally, 0, 100, 128);
    (void)tn_pool_tally_free(&tally, 0, 100, 128);
    (void)tn_pool_tally_alloc(&tally, 0, 30, 32);
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.live, 30, 100);
    assert_peak(&totals.used, 32, 128);
    (void)tn_pool_tally_alloc(&tally, 0, 80, 96); // on top of the 30 that were folded
    (void)tn_pool_tally_free(&tally, 0, 30, 32);
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.live, 80, 110);
    assert_peak(&totals.used, 96, 128);
}

static void a_fold_empties_the_tally(void **state) {
    (void)state;
    (void)tn_pool_tally_alloc(&tally, 3, 100, 128);
    (void)tn_pool_tally_alloc(&tally, 3, 100, 128);
    tn_pool_tally_fold(&tally, &totals);
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.live, 200, 200);
    assert_int_equal(tn_load_relaxed(&totals.tag[3].allocs), 2);
    (void)tn_pool_tally_alloc(&tally, 3, 100, 128);
    assert_int_equal(tn_load_relaxed(&tally.tag[3].allocs), 1); // since the last fold
}

static void a_thread_folds_before_it_hides_more_than_a_64th_of_the_peak(void **state) {
    (void)state;
    assert_true(tn_pool_tally_alloc(&tally, 0, 6400, 6400));
    tn_pool_tally_fold(&tally, &totals);
    assert_false(tn_pool_tally_alloc(&tally, 0, 60, 60));
    assert_false(tn_pool_tally_free(&tally, 0, 60, 60));
    assert_false(tn_pool_tally_alloc(&tally, 0, 100, 100));
    assert_true(tn_pool_tally_alloc(&tally, 0, 1, 1));
    tn_pool_tally_fold(&tally, &totals);
    assert_false(tn_pool_tally_free(&tally, 0, 101, 101));
    assert_true(tn_pool_tally_free(&tally, 0, 1, 1));
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.live, 6399, 6501);
}

static void a_thread_folds_after_a_number_of_calls(void **state) {
    (void)state;
    assert_true(tn_pool_tally_alloc(&tally, 0, 1 << 20, 1 << 20));
    tn_pool_tally_fold(&tally, &totals);
    for (int i = 1; i < TN_FOLD_EVERY; i++) assert_false(tn_pool_tally_alloc(&tally, 2, 1, 1));
    assert_true(tn_pool_tally_alloc(&tally, 2, 1, 1));
    tn_pool_tally_fold(&tally, &totals);
    for (int i = 1; i < TN_FOLD_EVERY; i++) assert_false(tn_pool_tally_free(&tally, 2, 1, 1));
    assert_true(tn_pool_tally_free(&tally, 2, 1, 1));
}

// A block may be freed by another thread than the one that allocated it.
static void the_tallies_of_threads_add_up(void **state) {
    (void)state;
    (void)tn_pool_tally_alloc(&tally, 0, 100, 100);
    (void)tn_pool_tally_free(&other, 0, 100, 100);
    tn_pool_tally_fold(&other, &totals);
    assert_peak(&totals.live, -100, 0);
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.live, 0, 0);
    (void)tn_pool_tally_alloc(&tally, 0, 10, 10);
    (void)tn_pool_tally_alloc(&other, 0, 20, 20);
    tn_pool_tally_fold(&tally, &totals);
    tn_pool_tally_fold(&other, &totals);
    assert_peak(&totals.live, 30, 30);
}

static void each_tag_is_counted_by_itself(void **state) {
    (void)state;
    (void)tn_pool_tally_alloc(&tally, 0, 100, 100);
    (void)tn_pool_tally_alloc(&tally, TARN_POOL_TAGS - 1, 7, 8);
    (void)tn_pool_tally_free(&tally, 0, 60, 60);
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.tag[0].live, 40, 100);
    assert_peak(&totals.tag[TARN_POOL_TAGS - 1].live, 7, 7);
    assert_int_equal(tn_load_relaxed(&totals.tag[0].allocs), 1);
    assert_int_equal(tn_load_relaxed(&totals.tag[0].frees), 1);
    assert_int_equal(tn_load_relaxed(&totals.tag[TARN_POOL_TAGS - 1].frees), 0);
    assert_peak(&totals.live, 47, 107);
}

static void an_extension_gains_bytes_without_a_block(void **state) {
    (void)state;
    (void)tn_pool_tally_alloc(&tally, 5, 100, 128);
    tn_pool_tally_fold(&tally, &totals);
    tn_pool_tally_extend(&tally, 5, 50, 64);
    tn_pool_tally_fold(&tally, &totals);
    assert_peak(&totals.live, 150, 150);
    assert_peak(&totals.used, 192, 192);
    assert_peak(&totals.tag[5].live, 150, 150);
    assert_int_equal(tn_load_relaxed(&totals.tag[5].allocs), 1);
}

static void a_reset_drops_live_blocks_and_keeps_peaks(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) (void)tn_pool_tally_alloc(&tally, 1, 100, 100);
    (void)tn_pool_tally_free(&tally, 1, 100, 100);
    tn_pool_tally_fold(&tally, &totals);
    tn_pool_totals_reset(&totals);
    assert_peak(&totals.live, 0, 300);
    assert_peak(&totals.used, 0, 300);
    assert_peak(&totals.tag[1].live, 0, 300);
    assert_int_equal(tn_load_relaxed(&totals.tag[1].allocs), 3);
    assert_int_equal(tn_load_relaxed(&totals.tag[1].frees), 1);
    assert_int_equal(tn_load_relaxed(&totals.tag[1].dropped), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_peak_of_one_thread_is_exact, fresh),
        cmocka_unit_test_setup(a_fold_empties_the_tally, fresh),
        cmocka_unit_test_setup(a_thread_folds_before_it_hides_more_than_a_64th_of_the_peak, fresh),
        cmocka_unit_test_setup(a_thread_folds_after_a_number_of_calls, fresh),
        cmocka_unit_test_setup(the_tallies_of_threads_add_up, fresh),
        cmocka_unit_test_setup(each_tag_is_counted_by_itself, fresh),
        cmocka_unit_test_setup(an_extension_gains_bytes_without_a_block, fresh),
        cmocka_unit_test_setup(a_reset_drops_live_blocks_and_keeps_peaks, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
