// SPDX-License-Identifier: Apache-2.0
// Regions that share bytes or granules: what may be forbidden when one of them ends, against a map
// of every byte.
#include "annotate/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BASE = 1000, RANGE = 256, MOST = 24 };

static bool forbidden[BASE + RANGE + 64];

static void forbid(uint64_t addr, uint64_t bytes) {
    assert_true(bytes != 0);
    assert_true(addr >= BASE && addr + bytes <= BASE + RANGE);
    for (uint64_t i = 0; i < bytes; i++) forbidden[addr + i] = true;
}

// After each end every byte of the ended region's granules is forbidden exactly if no granule-mate
// is live.
static void check_granule(uint64_t granule, unsigned seed) {
    struct tn_overlap overlap = TN_OVERLAP;
    const struct tn_annotate_range heap = {BASE, RANGE, NULL};
    struct tn_annotate_range live[MOST];
    size_t count = 0;
    srand(seed);
    for (int step = 0; step < 400; step++) {
        if (count < MOST && rand() % 2 == 0) {
            uint64_t at = BASE + (uint64_t)(rand() % (RANGE - 40));
            uint64_t bytes = 1 + (uint64_t)(rand() % 40);
            live[count++] = (struct tn_annotate_range){at, bytes, NULL};
            assert_true(tn_overlap_add(&overlap, at, bytes));
            memset(&forbidden[at], 0, bytes);
        } else if (count != 0) {
            // The newest of those that begin there.
            size_t which = (size_t)rand() % count;
            for (size_t i = which + 1; i < count; i++)
                which = live[i].addr == live[which].addr ? i : which;
            const struct tn_annotate_range gone = live[which];
            memmove(&live[which], &live[which + 1], (--count - which) * sizeof live[0]);
            assert_true(tn_overlap_remove(&overlap, gone.addr, granule, &heap, forbid));
            for (uint64_t b = gone.addr; b < gone.addr + gone.bytes; b++) {
                uint64_t low = b / granule * granule;
                bool mate = low < BASE;
                for (size_t i = 0; i < count; i++) {
                    mate = mate ||
                           (live[i].addr < low + granule && low < live[i].addr + live[i].bytes);
                }
                assert_int_equal(forbidden[b], !mate);
            }
        }
        for (size_t i = 0; i < count; i++)
            for (uint64_t b = 0; b < live[i].bytes; b++) assert_false(forbidden[live[i].addr + b]);
    }
    free(overlap.ranges.list);
}

static void what_others_cover_stays_open(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 50; seed++) {
        check_granule(1, seed);
        check_granule(8, seed);
    }
}

static void an_unknown_region_is_not_removed(void **state) {
    struct tn_overlap overlap = TN_OVERLAP;
    const struct tn_annotate_range heap = {BASE, RANGE, NULL};
    (void)state;
    assert_false(tn_overlap_remove(&overlap, BASE, 8, &heap, forbid));
    assert_true(tn_overlap_add(&overlap, BASE + 8, 8));
    assert_false(tn_overlap_remove(&overlap, BASE + 9, 8, &heap, forbid));
    tn_overlap_forget(&overlap, BASE, RANGE);
    assert_false(tn_overlap_remove(&overlap, BASE + 8, 8, &heap, forbid));
    free(overlap.ranges.list);
}

static void the_innermost_heap_is_found(void **state) {
    struct tn_reported_heaps heaps = TN_REPORTED_HEAPS;
    struct tn_annotate_range heap;
    (void)state;
    assert_true(tn_reported_heaps_add(&heaps, &(struct tn_annotate_range){1000, 100, NULL}));
    assert_true(tn_reported_heaps_add(&heaps, &(struct tn_annotate_range){0, 10000, NULL}));
    assert_true(tn_reported_heaps_add(&heaps, &(struct tn_annotate_range){1000, 200, NULL}));
    assert_true(tn_reported_heaps_find(&heaps, 1050, &heap) && heap.bytes == 100);
    assert_true(tn_reported_heaps_find(&heaps, 1150, &heap) && heap.bytes == 200);
    assert_true(tn_reported_heaps_find(&heaps, 1200, &heap) && heap.bytes == 10000);
    assert_false(tn_reported_heaps_find(&heaps, 10000, &heap));
    assert_true(tn_reported_heaps_remove_within(&heaps, 1000, 200, &heap));
    assert_true(tn_reported_heaps_remove_within(&heaps, 1000, 200, &heap));
    assert_false(tn_reported_heaps_remove_within(&heaps, 1000, 200, &heap));
    assert_false(tn_reported_heaps_remove(&heaps, 1000, &heap));
    assert_true(tn_reported_heaps_remove(&heaps, 0, &heap) && heap.bytes == 10000);
    free(heaps.ranges.list);
}

static void ended_bytes_wait_for_the_calls_before(void **state) {
    struct tn_ended_bytes ended = TN_ENDED_BYTES;
    (void)state;
    memset(forbidden, 0, sizeof forbidden);
    assert_false(tn_ended_bytes_add(&ended, BASE, 16)); // no call is there
    tn_ended_bytes_queue(&ended, 2);
    tn_ended_bytes_queue(&ended, 1);
    assert_true(tn_ended_bytes_add(&ended, BASE, 16));
    tn_ended_bytes_queue(&ended, 3);
    assert_true(tn_ended_bytes_add(&ended, BASE + 32, 16));
    tn_ended_bytes_pass(&ended, 2, forbid);
    tn_ended_bytes_pass(&ended, 2, forbid);
    assert_false(forbidden[BASE]);
    tn_ended_bytes_pass(&ended, 1, forbid);
    assert_true(forbidden[BASE] && forbidden[BASE + 15]);
    assert_false(forbidden[BASE + 32]);
    tn_ended_bytes_pass(&ended, 3, forbid);
    assert_true(forbidden[BASE + 32]);
    free(ended.calls.list);
    free(ended.ranges.list);
}

static void bytes_that_are_used_again_stay_open(void **state) {
    struct tn_ended_bytes ended = TN_ENDED_BYTES;
    (void)state;
    memset(forbidden, 0, sizeof forbidden);
    tn_ended_bytes_queue(&ended, 1);
    for (uint64_t i = 0; i < 4; i++) assert_true(tn_ended_bytes_add(&ended, BASE + 32 * i, 32));
    // A byte of the second and one of the third, and the middle of the fourth.
    tn_ended_bytes_forget(&ended, BASE + 63, 2, NULL);
    tn_ended_bytes_forget(&ended, BASE + 104, 8, NULL);
    tn_ended_bytes_pass(&ended, 1, forbid);
    for (uint64_t i = 0; i < 128; i++) {
        bool used = i == 63 || i == 64 || (i >= 104 && i < 112);
        assert_int_equal(forbidden[BASE + i], !used);
    }
    free(ended.calls.list);
    free(ended.ranges.list);
}

static unsigned char touched[sizeof forbidden];

static void count_untouched(uint64_t addr, uint64_t bytes) {
    for (uint64_t i = addr; i < addr + bytes; i++) touched[i]++;
}

static void bytes_without_earlier_calls_are_untouched_once(void **state) {
    struct tn_ended_bytes ended = TN_ENDED_BYTES;
    (void)state;
    tn_ended_bytes_forget(&ended, BASE, 8, count_untouched); // no range is there
    for (uint64_t i = 0; i < 8; i++) assert_int_equal(touched[BASE + i], 1);
    memset(touched, 0, sizeof touched);
    tn_ended_bytes_queue(&ended, 1);
    assert_true(tn_ended_bytes_add(&ended, BASE, 16));
    assert_true(tn_ended_bytes_add(&ended, BASE + 24, 8));
    assert_true(tn_ended_bytes_add(&ended, BASE + 32, 8));
    assert_true(tn_ended_bytes_add(&ended, BASE + 48, 16));
    tn_ended_bytes_forget(&ended, BASE + 8, 48, count_untouched);
    for (uint64_t i = 0; i < 64; i++)
        assert_int_equal(touched[BASE + i], (i >= 16 && i < 24) || (i >= 40 && i < 48));
    tn_ended_bytes_forget(&ended, BASE + 20, 8, count_untouched); // what was forgotten is forgotten
    assert_int_equal(touched[BASE + 24], 1);
    free(ended.calls.list);
    free(ended.ranges.list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ended_bytes_wait_for_the_calls_before),
        cmocka_unit_test(bytes_that_are_used_again_stay_open),
        cmocka_unit_test(bytes_without_earlier_calls_are_untouched_once),
        cmocka_unit_test(what_others_cover_stays_open),
        cmocka_unit_test(an_unknown_region_is_not_removed),
        cmocka_unit_test(the_innermost_heap_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
