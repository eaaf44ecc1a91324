// SPDX-License-Identifier: Apache-2.0
// Overlap of rows, beside a loop over every byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/range.h"

enum { FIELD = 512 };

static bool naive_overlap(const struct tn_rows *a, const struct tn_rows *b) {
    unsigned char seen[FIELD];
    memset(seen, 0, sizeof seen);
    for (uint64_t row = 0; row < a->height; row++) {
        memset(seen + a->addr + row * a->pitch, 1, a->width);
    }
    for (uint64_t row = 0; row < b->height; row++) {
        for (uint64_t i = 0; i < b->width; i++) {
            if (seen[b->addr + row * b->pitch + i] != 0) {
                return true;
            }
        }
    }
    return false;
}

static unsigned below(unsigned *seed, unsigned n) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % n;
}

static struct tn_rows random_rows(unsigned *seed, uint64_t width, uint64_t height) {
    uint64_t pitch = width + below(seed, 12);
    uint64_t span = pitch * (height - 1) + width;
    return (struct tn_rows){below(seed, (unsigned)(FIELD - span)), width, height, pitch};
}

static void rows_overlap_exactly_when_they_share_a_byte(void **state) {
    (void)state;
    unsigned seed = 11;
    unsigned overlaps = 0;
    for (int i = 0; i < 20000; i++) {
        uint64_t width = 1 + below(&seed, 12);
        uint64_t height = 1 + below(&seed, 12);
        struct tn_rows a = random_rows(&seed, width, height);
        struct tn_rows b = random_rows(&seed, width, height);
        bool want = naive_overlap(&a, &b);
        overlaps += want;
        assert_int_equal(tn_range_overlap(&a, &b), want);
        assert_int_equal(tn_range_overlap(&b, &a), want);
    }
    assert_in_range(overlaps, 2000, 18000); // both answers were really tried
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_overlap_exactly_when_they_share_a_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
