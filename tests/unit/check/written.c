// SPDX-License-Identifier: Apache-2.0
// Written bytes beside an array of flags: runs, rows and removals in any order.
#include "check/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 256, ROUNDS = 2000, STEPS = 30 };

static struct tn_check_written written;
static bool flag[BYTES]; // true: written
static unsigned random_state = 1;

static unsigned roll(unsigned below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static uint64_t count_unwritten(uint64_t lo, uint64_t hi, uint64_t *first) {
    uint64_t count = 0;
    for (uint64_t at = hi; at-- > lo;) {
        count += !flag[at];
        *first = flag[at] ? *first : at;
    }
    return count;
}

static struct tn_check_rows roll_rows(void) {
    struct tn_check_rows rows = {.lo = roll(40), .bytes = 1 + roll(6), .count = 1 + roll(12)};
    rows.pitch = roll(3) == 0 ? rows.bytes : 8 + roll(2) * 4;
    return rows;
}

static void set_rows(const struct tn_check_rows *rows) {
    for (uint64_t i = 0; i < rows->count; i++)
        memset(flag + rows->lo + i * rows->pitch, true, rows->bytes);
}

static bool all_rows_set(const struct tn_check_rows *rows) {
    uint64_t first = 0;
    bool all = true;
    for (uint64_t i = 0; i < rows->count; i++) {
        uint64_t lo = rows->lo + i * rows->pitch;
        all = all && count_unwritten(lo, lo + rows->bytes, &first) == 0;
    }
    return all;
}

static void step(void) {
    uint64_t lo = roll(BYTES), first = 0, found_first = 0, found = 0;
    uint64_t hi = lo + roll((unsigned)(BYTES - lo) + 1);
    const struct tn_check_rows rows = roll_rows();
    switch (roll(7)) {
    case 6: // from the first unwritten byte to the next written one
        if (tn_check_written_covers(&written, lo, hi, &found_first, NULL)) break;
        found = tn_check_written_gap_end(&written, found_first, hi);
        assert_true(found > found_first && found <= hi);
        assert_int_equal(count_unwritten(found_first, found, &first), found - found_first);
        assert_true(found == hi || flag[found]);
        break;
    case 0:
        hi = hi - lo > 20 ? lo + 20 : hi;
        tn_check_written_add(&written, lo, hi);
        memset(flag + lo, true, hi - lo);
        break;
    case 1:
        tn_check_written_add_rows(&written, &rows);
        set_rows(&rows);
        assert_true(tn_check_written_covers_rows(&written, &rows));
        break;
    case 2:
        if (tn_check_written_covers_rows(&written, &rows)) assert_true(all_rows_set(&rows));
        break;
    case 3:
        hi = lo == hi ? hi + 1 : hi;
        assert_int_equal(tn_check_written_touches(&written, lo, hi),
                         count_unwritten(lo, hi, &first) != hi - lo);
        break;
    case 4:
        hi = hi - lo > 20 ? lo + 20 : hi;
        tn_check_written_remove(&written, lo, hi);
        memset(flag + lo, false, hi - lo);
        break;
    default:
        assert_int_equal(tn_check_written_covers(&written, lo, hi, &found_first, &found),
                         count_unwritten(lo, hi, &first) == 0);
        assert_int_equal(found, count_unwritten(lo, hi, &first));
        assert_int_equal(found_first, first);
        break;
    }
}

static void runs_and_rows_are_the_bytes_written(void **state) {
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        memset(flag, 0, sizeof flag);
        for (unsigned i = 0; i < STEPS; i++) step();
        tn_check_written_fini(&written);
    }
}

static void parts_of_rows_are_covered_at_once(void **state) {
    (void)state;
    const struct tn_check_rows all = {.lo = 1 << 20, .bytes = 8, .pitch = 4096, .count = 1 << 30};
    struct tn_check_rows part = {
        .lo = all.lo + 5 * 4096 + 3, .bytes = 5, .pitch = 4096, .count = 7};
    tn_check_written_add_rows(&written, &all);
    assert_true(tn_check_written_covers_rows(&written, &all));
    assert_true(tn_check_written_covers_rows(&written, &part));
    assert_true(tn_check_written_touches(&written, all.lo + 4096 + 7, all.lo + 4096 + 9));
    assert_false(tn_check_written_touches(&written, all.lo + 4096 + 8, all.lo + 8192));
    part.bytes = 6;
    assert_false(tn_check_written_covers_rows(&written, &part));
    part.bytes = 5;
    part.count = 1 << 30; // beyond the last row
    assert_false(tn_check_written_covers_rows(&written, &part));
    part.count = 1;
    part.pitch = 5;
    assert_true(tn_check_written_covers_rows(&written, &part));
    part.lo = all.lo - 4096;
    assert_false(tn_check_written_covers_rows(&written, &part));
    tn_check_written_fini(&written);
}

static void a_run_that_grows_at_either_end_stays_one_run(void **state) {
    (void)state;
    tn_check_written_add(&written, 20, 30);
    tn_check_written_add(&written, 10, 20);
    tn_check_written_add(&written, 30, 40);
    assert_null(written.more);
    assert_int_equal(written.run[0].lo, 10);
    assert_int_equal(written.run[0].hi, 40);
    assert_int_equal(written.run[1].hi, 0);
    tn_check_written_fini(&written);
}

static void two_runs_become_one_when_the_gap_is_filled(void **state) {
    (void)state;
    tn_check_written_add(&written, 50, 60);
    tn_check_written_add(&written, 10, 20);
    assert_false(tn_check_written_covers(&written, 10, 60, NULL, NULL));
    tn_check_written_add(&written, 20, 50);
    assert_null(written.more);
    assert_true(tn_check_written_covers(&written, 10, 60, NULL, NULL));
    assert_int_equal(written.run[1].hi, 0);
    tn_check_written_fini(&written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_rows_are_the_bytes_written),
        cmocka_unit_test(parts_of_rows_are_covered_at_once),
        cmocka_unit_test(a_run_that_grows_at_either_end_stays_one_run),
        cmocka_unit_test(two_runs_become_one_when_the_gap_is_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
