// SPDX-License-Identifier: Apache-2.0
// The shape of arrays of software devices: kinds, properties, and the entries of items.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/soft/shape.h"

static struct tn_soft_shape shape_of(uint32_t flags, uint32_t width, uint32_t height,
                                     uint32_t levels) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    struct tn_soft_shape shape;
    desc.extent.width = width;
    desc.extent.height = height;
    desc.layers = 1;
    desc.levels = levels;
    desc.element_bytes = 4;
    desc.flags = flags;
    tn_soft_shape_init(&shape, &desc);
    return shape;
}

static void a_dense_array_has_no_table(void **state) {
    struct tn_soft_shape shape = shape_of(0, 100, 10, 1);
    tarn_backend_array_info info;
    (void)state;
    assert_int_equal(shape.kind, TN_SOFT_DENSE);
    assert_int_equal(shape.entries, 0);
    assert_int_equal(tn_tiles_bytes(&shape.tiles), 4000);
    tn_soft_shape_info(&shape, &info);
    assert_int_equal(info.memory_bytes, 0);
    assert_int_equal(info.tile_bytes, 0);
}

static void a_deferred_array_is_one_entry_of_rounded_memory(void **state) {
    struct tn_soft_shape shape = shape_of(TARN_ARRAY_DEFERRED, 20000, 1, 1);
    const tarn_backend_array_item item = {.part = TARN_ARRAY_TILES};
    tarn_backend_array_info info;
    uint64_t entry = 7;
    (void)state;
    assert_int_equal(shape.kind, TN_SOFT_DEFERRED);
    assert_int_equal(shape.entries, 1);
    tn_soft_shape_info(&shape, &info);
    assert_int_equal(info.memory_bytes, 2 * TN_TILES_BYTES); // 80000 bytes
    assert_int_equal(info.memory_alignment, TN_TILES_BYTES);
    struct tn_tiles_walk walk = tn_soft_shape_walk(&shape, &item);
    assert_int_equal(tn_tiles_walk_count(&walk), 1);
    assert_true(tn_tiles_walk_step(&walk, &entry));
    assert_int_equal(entry, 0);
    assert_false(tn_tiles_walk_step(&walk, &entry));
}

static void memory_of_whole_pages_is_not_rounded(void **state) {
    struct tn_soft_shape shape = shape_of(TARN_ARRAY_DEFERRED, 32768, 1, 1);
    tarn_backend_array_info info;
    (void)state;
    tn_soft_shape_info(&shape, &info);
    assert_int_equal(info.memory_bytes, 2 * TN_TILES_BYTES);
}

// 512 x 512 elements of 4 bytes: 4 x 4 tiles of 128 x 128, then 2 x 2, then 1, then the tail.
static void items_of_a_sparse_array_name_its_tiles_and_its_tail(void **state) {
    struct tn_soft_shape shape = shape_of(TARN_ARRAY_SPARSE, 512, 512, 10);
    tarn_backend_array_info info;
    uint64_t entry = 0;
    (void)state;
    assert_int_equal(shape.kind, TN_SOFT_SPARSE);
    assert_int_equal(shape.entries, 16 + 4 + 1 + 1);
    tn_soft_shape_info(&shape, &info);
    assert_int_equal(info.tile_bytes, TN_TILES_BYTES);
    assert_int_equal(info.tile[0], 128);
    assert_int_equal(info.tile[1], 128);
    assert_int_equal(info.tile[2], 1);
    assert_int_equal(info.sparse_levels, 3);
    assert_int_equal(info.tail_bytes, TN_TILES_BYTES);
    assert_false(info.single_tail);
    assert_int_equal(info.memory_bytes, 0);

    const tarn_backend_array_item tiles = {
        .part = TARN_ARRAY_TILES, .level = 0, .offset = {128, 256, 0}, .extent = {256, 128, 1}};
    struct tn_tiles_walk walk = tn_soft_shape_walk(&shape, &tiles);
    assert_int_equal(tn_tiles_walk_count(&walk), 2);
    assert_true(tn_tiles_walk_step(&walk, &entry));
    assert_int_equal(entry, 2 * 4 + 1);
    assert_true(tn_tiles_walk_step(&walk, &entry));
    assert_int_equal(entry, 2 * 4 + 2);

    const tarn_backend_array_item tail = {
        .part = TARN_ARRAY_TAIL, .tail_offset = 0, .tail_bytes = TN_TILES_BYTES};
    walk = tn_soft_shape_walk(&shape, &tail);
    assert_int_equal(tn_tiles_walk_count(&walk), 1);
    assert_true(tn_tiles_walk_step(&walk, &entry));
    assert_int_equal(entry, 21);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dense_array_has_no_table),
        cmocka_unit_test(a_deferred_array_is_one_entry_of_rounded_memory),
        cmocka_unit_test(memory_of_whole_pages_is_not_rounded),
        cmocka_unit_test(items_of_a_sparse_array_name_its_tiles_and_its_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
