// SPDX-License-Identifier: Apache-2.0
// The set of addresses that regions ever had.
#include "core/address/past.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void ranges_that_touch_are_one(void **state) {
    (void)state;
    struct tn_past past = {0};
    for (uint64_t i = 0; i < 100; i++) tn_past_add(&past, 4096 * (i + 1), 4096 * (i + 2));
    tn_past_add(&past, UINT64_C(1) << 40, (UINT64_C(1) << 40) + 4096); // moves the last one
    assert_int_equal(tn_interval_count(&past.map), 1);
    assert_true(tn_past_overlaps(&past, 4096, 4097));
    assert_true(tn_past_overlaps(&past, 101 * 4096 - 1, 101 * 4096));
    assert_false(tn_past_overlaps(&past, 101 * 4096, 102 * 4096));
    assert_false(tn_past_overlaps(&past, 0, 4096));
    tn_interval_fini(&past.map);
}

static void removing_leaves_both_sides(void **state) {
    (void)state;
    struct tn_past past = {0};
    tn_past_add(&past, 4096, 10 * 4096);
    tn_past_remove(&past, 4 * 4096, 5 * 4096); // also of the range that was added last
    assert_true(tn_past_overlaps(&past, 4 * 4096 - 1, 4 * 4096));
    assert_false(tn_past_overlaps(&past, 4 * 4096, 5 * 4096));
    assert_true(tn_past_overlaps(&past, 5 * 4096, 5 * 4096 + 1));
    tn_interval_fini(&past.map);
}

// Against a table with one flag for each of 64 pages.
static void random_changes_agree_with_a_table(void **state) {
    (void)state;
    struct tn_past past = {0};
    bool was[64] = {false};
    unsigned seed = 12345;
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1103515245 + 12345;
        unsigned lo = seed >> 8 & 63;
        unsigned hi = lo + 1 + (seed >> 16 & 7);
        hi = hi > 64 ? 64 : hi;
        bool add = (seed >> 20 & 3) != 0;
        for (unsigned page = lo; page < hi; page++) was[page] = add;
        if (add)
            tn_past_add(&past, (lo + 1) * 4096, (hi + 1) * 4096);
        else
            tn_past_remove(&past, (lo + 1) * 4096, (hi + 1) * 4096);
        for (unsigned page = 0; page < 64; page++) {
            assert_int_equal(tn_past_overlaps(&past, (page + 1) * 4096, (page + 2) * 4096),
                             was[page]);
        }
        assert_true(tn_past_check(&past));
    }
    tn_interval_fini(&past.map);
}

static void the_check_finds_damage(void **state) {
    (void)state;
    struct tn_past past = {0};
    for (uint64_t page = 1; page < 9; page += 2) tn_past_add(&past, page * 4096, (page + 1) * 4096);
    assert_true(tn_past_check(&past));
    past.hi = past.lo; // an empty range
    assert_false(tn_past_check(&past));
    past.hi += 4096;
    assert_int_equal(tn_interval_insert(&past.map, 2 * 4096, 3 * 4096, 0), TARN_OK);
    assert_false(tn_past_check(&past)); // two ranges touch
    tn_interval_fini(&past.map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_that_touch_are_one),
        cmocka_unit_test(removing_leaves_both_sides),
        cmocka_unit_test(random_changes_agree_with_a_table),
        cmocka_unit_test(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
