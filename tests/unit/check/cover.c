// SPDX-License-Identifier: Apache-2.0
// Covers: ranges that overlap, and who covers a byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "check/cover.h"
#include "check/written.h"

enum { SPANS = 40, BYTES = 200 };

static void apart_spans_are_found_by_each_byte(void **state) {
    (void)state;
    struct tn_check_cover cover;
    struct tn_check_span a = {10, 20, NULL};
    struct tn_check_span b = {30, 40, NULL};
    tn_check_cover_init(&cover);
    assert_true(tn_check_cover_add(&cover, &a));
    assert_true(tn_check_cover_add(&cover, &b));
    assert_ptr_equal(tn_check_cover_at(&cover, 19), &a);
    assert_null(tn_check_cover_at(&cover, 20));
    assert_ptr_equal(tn_check_cover_before(&cover, 20), &a);
    assert_null(tn_check_cover_before(&cover, 19));
    assert_ptr_equal(tn_check_cover_after(&cover, 10), &b);
    assert_null(tn_check_cover_after(&cover, 30));
    assert_ptr_equal(tn_check_cover_touches(&cover, 20, 31), &b);
    assert_null(tn_check_cover_touches(&cover, 20, 30));
    tn_check_cover_remove(&cover, &a);
    assert_null(tn_check_cover_at(&cover, 15));
    assert_ptr_equal(tn_check_cover_any(&cover), &b);
    tn_check_cover_fini(&cover);
}

static void the_newest_of_overlapping_spans_comes_first(void **state) {
    (void)state;
    struct tn_check_cover cover;
    struct tn_check_span span[3] = {{0, 100, NULL}, {50, 150, NULL}, {60, 70, NULL}};
    tn_check_cover_init(&cover);
    for (int i = 0; i < 3; i++) assert_true(tn_check_cover_add(&cover, &span[i]));
    struct tn_check_span *at = tn_check_cover_at(&cover, 65);
    assert_ptr_equal(at, &span[2]);
    at = tn_check_cover_older(at, 65);
    assert_ptr_equal(at, &span[1]);
    at = tn_check_cover_older(at, 65);
    assert_ptr_equal(at, &span[0]);
    assert_null(tn_check_cover_older(at, 65));
    tn_check_cover_remove(&cover, &span[1]);
    assert_null(tn_check_cover_at(&cover, 120));
    assert_ptr_equal(tn_check_cover_at(&cover, 80), &span[0]);
    assert_int_equal(cover.count, 2);
    tn_check_cover_fini(&cover);
}

// Beside an array that is searched from end to end.
static void many_spans_come_and_go(void **state) {
    (void)state;
    struct tn_check_cover cover;
    struct tn_check_span span[SPANS];
    bool in[SPANS] = {false};
    uint32_t random = 7;
    tn_check_cover_init(&cover);
    for (int round = 0; round < 2000; round++) {
        random = random * 1664525u + 1013904223u;
        unsigned i = (random >> 8) % SPANS;
        if (in[i]) {
            tn_check_cover_remove(&cover, &span[i]);
        } else {
            span[i].lo = (random >> 14) % BYTES;
            span[i].hi = span[i].lo + 1 + (random >> 22) % 30;
            assert_true(tn_check_cover_add(&cover, &span[i]));
        }
        in[i] = !in[i];
        for (uint64_t byte = 0; byte < BYTES; byte++) {
            unsigned expected = 0;
            unsigned count = 0;
            for (int s = 0; s < SPANS; s++)
                expected += in[s] && span[s].lo <= byte && byte < span[s].hi;
            for (struct tn_check_span *s = tn_check_cover_at(&cover, byte); s != NULL;
                 s = tn_check_cover_older(s, byte))
                count++;
            assert_int_equal(count, expected);
        }
    }
    tn_check_cover_fini(&cover);
}

static void written_runs_grow_together(void **state) {
    (void)state;
    struct tn_check_written written = {0};
    uint64_t first = 0;
    uint64_t count = 0;
    assert_false(tn_check_written_covers(&written, 10, 20, &first, &count));
    assert_int_equal(first, 10);
    assert_int_equal(count, 10);
    tn_check_written_add(&written, 10, 20);
    tn_check_written_add(&written, 30, 40);
    tn_check_written_add(&written, 50, 50);
    assert_false(tn_check_written_covers(&written, 10, 40, &first, &count));
    assert_int_equal(first, 20);
    assert_int_equal(count, 10);
    assert_true(tn_check_written_touches(&written, 39, 100));
    assert_false(tn_check_written_touches(&written, 20, 30));
    tn_check_written_add(&written, 18, 31);
    assert_true(tn_check_written_covers(&written, 10, 40, NULL, NULL));
    assert_false(tn_check_written_covers(&written, 5, 45, &first, &count));
    assert_int_equal(first, 5);
    assert_int_equal(count, 10);
    tn_check_written_fini(&written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart_spans_are_found_by_each_byte),
        cmocka_unit_test(the_newest_of_overlapping_spans_comes_first),
        cmocka_unit_test(many_spans_come_and_go),
        cmocka_unit_test(written_runs_grow_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
