// SPDX-License-Identifier: Apache-2.0
// The geometry of arrays, compared with numbers computed by hand and with simple loops.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "algo/tiles.h"

#define KIB UINT64_C(1024)

static struct tn_tiles array_of(uint64_t x, uint64_t y, uint64_t z, uint32_t layers,
                                uint32_t levels, uint32_t bytes) {
    struct tn_tiles t;
    const uint64_t size[3] = {x, y, z};
    assert_true(levels <= tn_tiles_max_levels(size));
    assert_true(tn_tiles_init(&t, size, layers, levels, bytes));
    return t;
}

static void sizes_halve_from_level_to_level_down_to_one(void **state) {
    (void)state;
    struct tn_tiles t = array_of(100, 7, 0, 3, 7, 4);
    assert_int_equal(tn_tiles_size(&t, 1, 0), 50);
    assert_int_equal(tn_tiles_size(&t, 1, 1), 3);
    assert_int_equal(tn_tiles_size(&t, 6, 0), 1);
    assert_int_equal(tn_tiles_size(&t, 6, 1), 1);
    assert_int_equal(tn_tiles_planes(&t, 6), 3); // layers stay
    assert_int_equal(tn_tiles_level_bytes(&t, 1), 50 * 3 * 4);
    t = array_of(8, 8, 8, 0, 4, 1);
    assert_int_equal(tn_tiles_planes(&t, 2), 2);
    assert_int_equal(tn_tiles_bytes(&t), 512 + 64 + 8 + 1);
}

static void an_array_has_as_many_levels_as_its_longest_side_can_halve(void **state) {
    (void)state;
    const struct {
        uint64_t size[3];
        uint32_t levels;
    } cases[] = {
        {{1, 0, 0}, 1}, {{2, 1, 0}, 2}, {{255, 3, 0}, 8}, {{1, 256, 7}, 9}, {{3, 5, 64}, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tn_tiles_max_levels(cases[i].size), cases[i].levels);
}

static void an_array_that_is_too_large_is_refused_without_wrapping(void **state) {
    (void)state;
    struct tn_tiles t;
    const uint64_t most[3] = {UINT64_C(1) << 46, 0, 0};
    const uint64_t wide[3] = {UINT64_MAX, 0, 0};
    const uint64_t wraps[3] = {UINT64_C(1) << 32, UINT64_C(1) << 32, 16};
    assert_true(tn_tiles_init(&t, most, 1, 1, 1));
    assert_int_equal(tn_tiles_bytes(&t), TN_TILES_MAX_BYTES);
    assert_false(tn_tiles_init(&t, most, 1, 2, 1)); // the second level is too much
    assert_false(tn_tiles_init(&t, most, 2, 1, 1));
    assert_false(tn_tiles_init(&t, most, 1, 1, 2));
    assert_false(tn_tiles_init(&t, wide, 1, 1, 16));
    assert_false(tn_tiles_init(&t, wraps, UINT32_MAX, 1, 16));
}

static void tiles_have_the_standard_shapes(void **state) {
    (void)state;
    static const uint32_t flat[5][3] = {
        {256, 256, 1}, {256, 128, 1}, {128, 128, 1}, {128, 64, 1}, {64, 64, 1}};
    static const uint32_t deep[5][3] = {
        {64, 32, 32}, {32, 32, 32}, {32, 32, 16}, {32, 16, 16}, {16, 16, 16}};
    for (unsigned i = 0; i < 5; i++) {
        struct tn_tiles t = array_of(512, 512, 0, 1, 1, 1u << i);
        tn_tiles_cut_standard(&t, true);
        assert_memory_equal(t.cut.tile, flat[i], sizeof flat[i]);
        t = array_of(64, 64, 64, 1, 1, 1u << i);
        tn_tiles_cut_standard(&t, true);
        assert_memory_equal(t.cut.tile, deep[i], sizeof deep[i]);
        assert_int_equal(t.cut.tile[0] * t.cut.tile[1] * t.cut.tile[2] << i, t.cut.tile_bytes);
    }
}

static void levels_below_a_tile_are_the_tail(void **state) {
    (void)state;
    struct tn_tiles t = array_of(1024, 600, 0, 2, 11, 1);
    tn_tiles_cut_standard(&t, false);
    assert_int_equal(t.cut.sparse_levels, 2); // 1024 x 600, 512 x 300; 256 x 150 is too low
    uint64_t tail = 0;
    for (uint32_t level = 2; level < 11; level++) tail += tn_tiles_level_bytes(&t, level);
    assert_int_equal(t.cut.tail_bytes, 64 * KIB);
    assert_true(tail < 64 * KIB);
    assert_false(t.cut.single_tail);
    assert_int_equal(tn_tiles_entries(&t), 2 * (4 * 3 + 2 * 2 + 1));
    // The depth counts in a volume.
    t = array_of(128, 128, 32, 0, 3, 1);
    tn_tiles_cut_standard(&t, false);
    assert_int_equal(t.cut.sparse_levels, 1);
    // The tail is empty.
    t = array_of(512, 256, 0, 1, 1, 1);
    tn_tiles_cut_standard(&t, false);
    assert_int_equal(t.cut.tail_bytes, 0);
    assert_int_equal(tn_tiles_entries(&t), 2);
}

static void a_small_plain_array_is_one_tail_for_all_layers(void **state) {
    (void)state;
    struct tn_tiles t = array_of(255, 256, 0, 3, 0, 1);
    tn_tiles_cut_standard(&t, true);
    assert_true(t.cut.single_tail);
    assert_int_equal(t.cut.sparse_levels, 0);
    assert_int_equal(t.cut.tail_bytes, 192 * KIB); // 3 * 65280 bytes
    assert_int_equal(tn_tiles_entries(&t), 3);
    // With mipmaps each layer has its own tail.
    tn_tiles_cut_standard(&t, false);
    assert_false(t.cut.single_tail);
    assert_int_equal(t.cut.tail_bytes, 64 * KIB);
    assert_int_equal(tn_tiles_entries(&t), 3);
}

// ---- places

// Calls visit for every element.
static void each_element(const struct tn_tiles *t,
                         void (*visit)(const struct tn_tiles *, uint32_t, const uint64_t *, void *),
                         void *arg) {
    for (uint32_t level = 0; level < t->levels; level++) {
        uint64_t at[3];
        for (at[2] = 0; at[2] < tn_tiles_planes(t, level); at[2]++) {
            for (at[1] = 0; at[1] < tn_tiles_size(t, level, 1); at[1]++)
                for (at[0] = 0; at[0] < tn_tiles_size(t, level, 0); at[0]++)
                    visit(t, level, at, arg);
        }
    }
}

struct cover {
    unsigned char *taken;
    uint64_t bytes;
};

static void take(struct cover *cover, uint64_t offset, uint32_t bytes) {
    assert_true(offset + bytes <= cover->bytes);
    for (uint32_t i = 0; i < bytes; i++) {
        assert_int_equal(cover->taken[offset + i], 0);
        cover->taken[offset + i] = 1;
    }
}

static void take_linear(const struct tn_tiles *t, uint32_t level, const uint64_t *at, void *arg) {
    take(arg, tn_tiles_linear(t, level, at), t->element_bytes);
}

static void take_sparse(const struct tn_tiles *t, uint32_t level, const uint64_t *at, void *arg) {
    struct tn_tiles_place place;
    tn_tiles_locate(t, level, at, &place);
    assert_true(place.entry < tn_tiles_entries(t));
    assert_true(place.run >= t->element_bytes && place.run % t->element_bytes == 0);
    assert_true(place.offset + place.run <= t->cut.tile_bytes);
    take(arg, place.entry * t->cut.tile_bytes + place.offset, t->element_bytes);
    // The next element of the row lies behind the run.
    if (place.run > t->element_bytes && at[0] + 1 < tn_tiles_size(t, level, 0)) {
        const uint64_t next[3] = {at[0] + 1, at[1], at[2]};
        struct tn_tiles_place after;
        tn_tiles_locate(t, level, next, &after);
        assert_int_equal(after.entry, place.entry);
        assert_int_equal(after.offset, place.offset + t->element_bytes);
    }
}

static void assert_covered_once(const struct tn_tiles *t, bool sparse) {
    struct cover cover = {.bytes =
                              sparse ? tn_tiles_entries(t) * t->cut.tile_bytes : tn_tiles_bytes(t)};
    cover.taken = calloc(1, cover.bytes);
    assert_non_null(cover.taken);
    each_element(t, sparse ? take_sparse : take_linear, &cover);
    for (uint64_t i = 0; i < cover.bytes && !sparse; i++)
        assert_int_equal(cover.taken[i], 1); // no padding
    free(cover.taken);
}

static void every_element_has_bytes_of_its_own(void **state) {
    (void)state;
    const struct {
        uint64_t size[3];
        uint32_t layers, levels, bytes;
    } cases[] = {
        {{300, 0, 0}, 1, 1, 4},   {{130, 70, 0}, 2, 8, 8},  {{65, 64, 0}, 3, 0, 16},
        {{40, 33, 20}, 1, 6, 16}, {{70, 40, 35}, 0, 3, 1},  {{200, 250, 0}, 2, 0, 1},
        {{17, 5, 3}, 1, 5, 2},    {{256, 129, 0}, 1, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t *size = cases[i].size;
        struct tn_tiles t =
            array_of(size[0], size[1], size[2], cases[i].layers, cases[i].levels, cases[i].bytes);
        assert_covered_once(&t, false);
        tn_tiles_cut_standard(&t, cases[i].levels == 0);
        assert_covered_once(&t, true);
    }
}

// ---- walks

static void a_walk_numbers_x_first_then_y_then_z(void **state) {
    (void)state;
    struct tn_tiles t = array_of(64 * 3, 32 * 4, 32 * 2, 0, 1, 1);
    struct tn_tiles_walk walk;
    const struct tn_tiles_box box = {0, {64, 32, 0}, {128, 64, 64}};
    static const uint64_t want[] = {4, 5, 7, 8, 16, 17, 19, 20};
    uint64_t entry = 0;
    tn_tiles_cut_standard(&t, true);
    tn_tiles_walk_box(&t, 0, &box, &walk);
    assert_int_equal(tn_tiles_walk_count(&walk), 8);
    for (size_t i = 0; i < 8; i++) {
        assert_true(tn_tiles_walk_step(&walk, &entry));
        assert_int_equal(entry, want[i]);
    }
    assert_false(tn_tiles_walk_step(&walk, &entry));
}

// A walk of a box returns exactly the entries of its elements.
static void walks_and_places_agree(void **state) {
    (void)state;
    struct tn_tiles t = array_of(300, 260, 0, 3, 9, 4);
    tn_tiles_cut_standard(&t, false);
    assert_int_equal(t.cut.sparse_levels, 2);
    struct tn_tiles_walk walk;
    const struct tn_tiles_box edge = {0, {256, 128, 0}, {44, 132, 1}}; // cut at both edges
    const uint64_t places[2][3] = {{299, 200, 1}, {256, 259, 1}};
    uint64_t entry = 0;
    tn_tiles_walk_box(&t, 1, &edge, &walk);
    assert_int_equal(tn_tiles_walk_count(&walk), 2);
    for (int i = 0; i < 2; i++) {
        struct tn_tiles_place place;
        tn_tiles_locate(&t, 0, places[i], &place);
        assert_true(tn_tiles_walk_step(&walk, &entry));
        assert_int_equal(entry, place.entry);
    }
    const uint64_t last[3] = {0, 0, 2};
    struct tn_tiles_place place;
    tn_tiles_walk_tail(&t, 2, 0, t.cut.tail_bytes, &walk);
    tn_tiles_locate(&t, 8, last, &place);
    assert_true(tn_tiles_walk_step(&walk, &entry));
    assert_int_equal(entry, place.entry);
    assert_int_equal(entry + 1, tn_tiles_entries(&t));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_halve_from_level_to_level_down_to_one),
        cmocka_unit_test(an_array_has_as_many_levels_as_its_longest_side_can_halve),
        cmocka_unit_test(an_array_that_is_too_large_is_refused_without_wrapping),
        cmocka_unit_test(tiles_have_the_standard_shapes),
        cmocka_unit_test(levels_below_a_tile_are_the_tail),
        cmocka_unit_test(a_small_plain_array_is_one_tail_for_all_layers),
        cmocka_unit_test(every_element_has_bytes_of_its_own),
        cmocka_unit_test(a_walk_numbers_x_first_then_y_then_z),
        cmocka_unit_test(walks_and_places_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
