// SPDX-License-Identifier: Apache-2.0
// Overlap of boxes, beside a loop over every byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/address/range.h"

enum { FIELD = 512 };

static tarn_addr row_of(const struct tn_box *box, uint64_t z, uint64_t y) {
    return box->addr + z * box->slice + y * box->pitch;
}

static bool naive_overlap(const struct tn_box *a, const struct tn_box *b) {
    unsigned char seen[FIELD];
    unsigned shared = 0;
    memset(seen, 0, sizeof seen);
    for (uint64_t z = 0; z < a->depth; z++)
        for (uint64_t y = 0; y < a->height; y++) memset(seen + row_of(a, z, y), 1, a->width);
    for (uint64_t z = 0; z < b->depth; z++) {
        for (uint64_t y = 0; y < b->height; y++)
            for (uint64_t i = 0; i < b->width; i++) shared += seen[row_of(b, z, y) + i];
    }
    return shared != 0;
}

static unsigned below(unsigned *seed, unsigned n) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

static struct tn_box random_box(unsigned *seed, uint64_t width, uint64_t height, uint64_t depth) {
    uint64_t pitch = width + below(seed, 8);
    uint64_t slice = pitch * (height - 1) + width + below(seed, 12);
    uint64_t span = slice * (depth - 1) + pitch * (height - 1) + width;
    tarn_addr addr = below(seed, (unsigned)(FIELD - span));
    return (struct tn_box){addr, width, height, pitch, depth, slice};
}

static void boxes_overlap_exactly_when_they_share_a_byte(void **state) {
    (void)state;
    unsigned seed = 11;
    unsigned overlaps = 0;
    for (int i = 0; i < 20000; i++) {
        uint64_t width = 1 + below(&seed, 12);
        uint64_t height = 1 + below(&seed, 5);
        uint64_t depth = 1 + below(&seed, 4);
        struct tn_box a = random_box(&seed, width, height, depth);
        struct tn_box b = random_box(&seed, width, height, depth);
        assert_true(tn_box_is_sound(&a));
        bool want = naive_overlap(&a, &b);
        overlaps += want;
        assert_int_equal(tn_range_overlap(&a, &b), want);
        assert_int_equal(tn_range_overlap(&b, &a), want);
    }
    assert_in_range(overlaps, 2000, 18000); // both answers were really tried
}

static void a_box_is_sound_while_rows_and_slices_follow_each_other(void **state) {
    (void)state;
    struct tn_box box = {0, 8, 3, 10, 2, 28};
    assert_true(tn_box_is_sound(&box));
    box.slice = 27; // its third row has 8 bytes behind 20
    assert_false(tn_box_is_sound(&box));
    box.depth = 1; // now the slice does not count
    assert_true(tn_box_is_sound(&box));
    box.pitch = 7;
    assert_false(tn_box_is_sound(&box));
    box.height = 1; // nor the pitch
    assert_true(tn_box_is_sound(&box));
    box = (struct tn_box){0, 8, UINT64_MAX, UINT64_MAX / 2, 2, UINT64_MAX};
    assert_false(tn_box_is_sound(&box)); // and nothing is so because it wraps
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_overlap_exactly_when_they_share_a_byte),
        cmocka_unit_test(a_box_is_sound_while_rows_and_slices_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
