// SPDX-License-Identifier: Apache-2.0
// Arrays: their life, their checks, and what the memory mapped in them is held by.
#include "support/array_verbs.h"

#include <string.h>

// ---- life

static void bad_descriptions_are_refused(void **state) {
    struct api *api = *state;
    const uint32_t layered = TARN_ARRAY_LAYERED;
    const uint32_t cube = TARN_ARRAY_CUBE;
    const uint32_t sparse = TARN_ARRAY_SPARSE;
    const struct {
        uint64_t x, y, z;
        uint32_t layers, levels, bytes, flags;
    } bad[] = {
        {0, 8, 0, 0, 0, 4, 0},
        {8, 0, 8, 0, 0, 4, 0},
        {8, 8, 0, 0, 0, 3, 0},
        {8, 8, 0, 0, 0, 0, 0},
        {8, 8, 0, 0, 0, 32, 0},
        {8, 8, 0, 2, 0, 4, 0},
        {8, 8, 8, 2, 0, 4, layered},
        {8, 8, 8, 6, 0, 4, cube},
        {8, 8, 0, 5, 0, 4, cube},
        {8, 8, 0, 12, 0, 4, cube},
        {8, 9, 0, 6, 0, 4, cube},
        {8, 8, 0, 0, 0, 4, cube | layered},
        {8, 8, 0, 8, 0, 4, cube | layered},
        {8, 8, 0, 0, 5, 4, 0},
        {8, 8, 0, 0, 0, 4, 1u << 20},
        {8, 0, 0, 0, 0, 4, sparse},
        {8, 8, 0, 6, 0, 4, sparse | cube},
        {8, 8, 0, 0, 0, 4, sparse | TARN_ARRAY_DEFERRED},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, 0, 0, 0, 1, 0},
    };
    tarn_array array = 7;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tarn_array_desc desc = describe(bad[i].x, bad[i].y, bad[i].z, bad[i].bytes, bad[i].flags);
        desc.layers = bad[i].layers;
        desc.levels = bad[i].levels;
        assert_status(tarn_array_create(api->device, &desc, &array), TARN_BAD_ARGUMENT);
    }
    tarn_array_desc desc = describe(8, 8, 0, 4, 0);
    assert_status(tarn_array_create(NULL, &desc, &array), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_create(api->device, NULL, &array), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_create(api->device, &desc, NULL), TARN_BAD_ARGUMENT);
    desc.struct_size = 3;
    assert_status(tarn_array_create(api->device, &desc, &array), TARN_BAD_STRUCT);
    assert_int_equal(array, 7);
    assert_int_equal(api_stats(api->device).arrays, 0);
}

static void an_array_tells_what_it_is(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(100, 60, 0, 8, TARN_ARRAY_LAYERED | TARN_ARRAY_DEFERRED);
    desc.layers = 3;
    desc.levels = 7;
    tarn_array array = make(api->peer, &desc);
    tarn_array_info info = TARN_INIT(tarn_array_info);
    tarn_array_sparse_info sparse = TARN_INIT(tarn_array_sparse_info);
    tarn_extent extent;
    assert_ok(tarn_array_query(array, &info));
    assert_int_equal(info.extent.width, 100);
    assert_int_equal(info.extent.height, 60);
    assert_int_equal(info.extent.depth, 0);
    assert_int_equal(info.layers, 3);
    assert_int_equal(info.levels, 7);
    assert_int_equal(info.element_bytes, 8);
    assert_int_equal(info.flags, desc.flags);
    assert_int_equal(info.ordinal, 1);
    assert_int_equal(info.bytes, 3 * 8 * (100 * 60 + 50 * 30 + 25 * 15 + 12 * 7 + 6 * 3 + 3 + 1));
    assert_true(info.memory_bytes >= info.bytes && info.memory_bytes % info.memory_alignment == 0);
    assert_ok(tarn_array_query_level(array, 3, &extent));
    assert_int_equal(extent.width, 12);
    assert_int_equal(extent.height, 7);
    assert_int_equal(extent.depth, 0);
    assert_status(tarn_array_query_level(array, 7, &extent), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_query_level(array, 0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_query_sparse(array, &sparse), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_query(array, NULL), TARN_BAD_ARGUMENT);
    info.struct_size = 0;
    assert_status(tarn_array_query(array, &info), TARN_BAD_STRUCT);
    assert_ok(tarn_array_destroy(array));
    info.struct_size = sizeof info;
    assert_status(tarn_array_query(array, &info), TARN_BAD_HANDLE);
    assert_status(tarn_array_destroy(array), TARN_BAD_HANDLE);
    assert_status(tarn_array_query_level(array, 0, &extent), TARN_BAD_HANDLE);
    assert_status(tarn_array_query_sparse(array, &sparse), TARN_BAD_HANDLE);
    assert_ok(tarn_array_destroy(0));
}

static void a_sparse_array_tells_how_it_is_cut(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(1024, 512, 0, 4, TARN_ARRAY_SPARSE | TARN_ARRAY_LAYERED);
    tarn_array_sparse_info info = TARN_INIT(tarn_array_sparse_info);
    desc.layers = 2;
    desc.levels = 11;
    tarn_array array = make(api->device, &desc);
    assert_ok(tarn_array_query_sparse(array, &info));
    assert_int_equal(info.tile.width, 128);
    assert_int_equal(info.tile.height, 128);
    assert_int_equal(info.tile.depth, 1);
    assert_int_equal(info.tile_bytes, TILE);
    assert_int_equal(info.sparse_levels, 3); // down to 256 x 128
    assert_int_equal(info.tail_bytes, TILE); // 128 x 64 and below
    assert_false(info.single_tail);
    assert_ok(tarn_array_destroy(array));
    desc = describe(100, 90, 0, 1, TARN_ARRAY_SPARSE);
    array = make(api->device, &desc);
    assert_ok(tarn_array_query_sparse(array, &info));
    assert_true(info.single_tail);
    assert_int_equal(info.sparse_levels, 0);
    assert_int_equal(info.tail_bytes, TILE);
    assert_ok(tarn_array_destroy(array));
}

static void only_dense_arrays_take_memory_of_the_device(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array_desc desc = describe(1024, 1024, 0, 4, 0);
    tarn_array dense = make(api->device, &desc);
    assert_true(before - free_memory(api->device) >= 4096 * KIB);
    assert_ok(tarn_array_destroy(dense));
    desc.flags = TARN_ARRAY_DEFERRED;
    tarn_array deferred = make(api->device, &desc);
    desc.flags = TARN_ARRAY_SPARSE;
    tarn_array sparse = make(api->device, &desc);
    assert_int_equal(free_memory(api->device), before);
    assert_ok(tarn_array_destroy(deferred));
    assert_ok(tarn_array_destroy(sparse));
    desc = describe(UINT64_C(1) << 40, 0, 0, 1, 0);
    assert_status(tarn_array_create(api->device, &desc, &dense), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(free_memory(api->device), before);
}

static void a_device_with_arrays_cannot_be_closed(void **state) {
    (void)state;
    tarn_device *device = api_open(0, "memory=256M");
    tarn_array_desc desc = describe(8, 8, 0, 4, 0);
    tarn_array array = make(device, &desc);
    assert_status(tarn_device_close(device), TARN_BUSY);
    assert_ok(tarn_array_destroy(array));
    assert_ok(tarn_device_close(device));
}

// ---- checks of maps

static void bad_parts_are_refused(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(600, 512, 0, 1, TARN_ARRAY_SPARSE | TARN_ARRAY_LAYERED);
    desc.layers = 2;
    desc.levels = 10;
    tarn_array array = make(api->device, &desc); // 3 x 2 tiles, 300 x 256 is 2 x 1, then the tail
    tarn_phys pool = make_pool(api, api->device, 16);
    const tarn_array_map_item good = map_tile(array, 0, 0, pool, 0);
    const struct {
        tarn_status status;
        uint32_t layer, level;
        uint64_t at[3];
        tarn_extent extent;
    } cases[] = {
        {TARN_OK, 1, 0, {512, 0, 0}, {88, 512, 1}},
        {TARN_OK, 0, 1, {256, 0, 0}, {44, 256, 1}},
        {TARN_BAD_ARGUMENT, 2, 0, {0, 0, 0}, {256, 256, 1}},
        {TARN_BAD_ARGUMENT, 0, 2, {0, 0, 0}, {150, 128, 1}},
        {TARN_BAD_ARGUMENT, 0, 10, {0, 0, 0}, {1, 1, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {768, 0, 0}, {256, 256, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {512, 0, 0}, {256, 256, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {0, 0, 0}, {UINT64_MAX, 256, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {0, 0, 0}, {0, 256, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {0, 0, 0}, {256, 0, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {0, 0, 0}, {256, 256, 0}},
        {TARN_BAD_ARGUMENT, 0, 0, {0, 0, 1}, {256, 256, 1}},
        {TARN_BAD_ARGUMENT, 0, 0, {0, 0, 0}, {256, 256, 2}},
        {TARN_MISALIGNED, 0, 0, {128, 0, 0}, {256, 256, 1}},
        {TARN_MISALIGNED, 0, 0, {0, 1, 0}, {256, 256, 1}},
        {TARN_MISALIGNED, 0, 0, {0, 0, 0}, {300, 256, 1}},
        {TARN_MISALIGNED, 0, 0, {256, 256, 0}, {344, 255, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tarn_array_map_item item = good;
        item.layer = cases[i].layer;
        item.level = cases[i].level;
        memcpy(item.offset, cases[i].at, sizeof item.offset);
        item.extent = cases[i].extent;
        assert_status(map_one(&item, 0), cases[i].status);
    }
    assert_int_equal(map_refs(pool), 2 + 1);
    const struct {
        tarn_status status;
        uint32_t layer;
        uint64_t offset, bytes;
    } tails[] = {
        {TARN_OK, 0, 0, TILE},
        {TARN_BAD_ARGUMENT, 2, 0, TILE},
        {TARN_BAD_ARGUMENT, 0, 0, 0},
        {TARN_BAD_ARGUMENT, 0, TILE, TILE},
        {TARN_BAD_ARGUMENT, 0, 0, 2 * TILE},
        {TARN_MISALIGNED, 0, 4, TILE - 4},
        {TARN_MISALIGNED, 0, 0, TILE / 2},
    };
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        tarn_array_map_item item = good;
        item.part = TARN_ARRAY_TAIL;
        item.layer = tails[i].layer;
        item.tail_offset = tails[i].offset;
        item.tail_bytes = tails[i].bytes;
        assert_status(map_one(&item, 0), tails[i].status);
    }
    assert_int_equal(map_refs(pool), 2 + 1 + 1);
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(map_refs(pool), 0);
    assert_ok(tarn_phys_release(pool));
}

static void bad_memory_is_refused(void **state) {
    struct api *api = *state;
    tarn_array array = make_sparse(api->device);
    tarn_array foreign = make_sparse(api->peer);
    tarn_array_desc plain = describe(512, 512, 0, 1, 0);
    tarn_array dense = make(api->device, &plain);
    tarn_stream stream = 0;
    tarn_phys pool = make_pool(api, api->device, 4);
    tarn_phys far = make_pool(api, api->peer, 4);
    tarn_phys unmeant = 0;
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_create(api->device, round_up(TILE, api->g), NULL, &unmeant));
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_phys_query(pool, &info));
    uint64_t pages = info.bytes / TILE;
    const struct {
        tarn_status status;
        tarn_array_map_item item;
    } cases[] = {
        {TARN_BAD_HANDLE, map_tile(array + 1, 0, 0, pool, 0)},
        {TARN_BAD_HANDLE, map_tile(array, 0, 0, pool + 1, 0)},
        {TARN_BAD_HANDLE, map_tile(pool, 0, 0, pool, 0)},
        {TARN_BAD_ARGUMENT, map_tile(dense, 0, 0, pool, 0)},
        {TARN_BAD_ARGUMENT, map_tile(array, 0, 0, unmeant, 0)},
        {TARN_BAD_DEVICE, map_tile(array, 0, 0, far, 0)},
        {TARN_BAD_DEVICE, map_tile(foreign, 0, 0, far, 0)},
        {TARN_BAD_ADDRESS, map_tile(array, 0, 0, pool, pages)},
        {TARN_BAD_ADDRESS, map_tile(array, 0, 0, pool, UINT64_MAX / TILE)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_status(map_one(&cases[i].item, stream), cases[i].status);
    tarn_array_map_item item = map_tile(array, 0, 0, pool, 0);
    item.phys_offset = TILE / 2;
    assert_status(map_one(&item, stream), TARN_MISALIGNED);
    item = map_tile(array, 0, 0, 0, 0);
    item.op = TARN_ARRAY_MAP;
    assert_status(map_one(&item, stream), TARN_BAD_HANDLE);
    item = map_tile(array, 0, 0, pool, 0);
    item.op = TARN_ARRAY_UNMAP;
    assert_status(map_one(&item, stream), TARN_BAD_ARGUMENT);
    item = map_tile(array, 0, 0, 0, 1);
    assert_ok(map_one(&item, stream)); // to unmap, the offset means nothing
    item = map_tile(array, 0, 0, pool, 0);
    item.op = (tarn_array_op)3;
    assert_status(map_one(&item, stream), TARN_BAD_ARGUMENT);
    item = map_tile(array, 0, 0, pool, 0);
    item.part = (tarn_array_part)2;
    assert_status(map_one(&item, stream), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_map(NULL, 1, stream), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_map(&item, 0, stream), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_map(&item, 1, stream + 1), TARN_BAD_HANDLE);
    assert_int_equal(map_refs(pool), 0);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_phys_release(unmeant));
    assert_ok(tarn_phys_release(far));
    assert_ok(tarn_phys_release(pool));
    assert_ok(tarn_array_destroy(dense));
    assert_ok(tarn_array_destroy(foreign));
    assert_ok(tarn_array_destroy(array));
}

static void a_list_with_one_bad_item_does_nothing(void **state) {
    struct api *api = *state;
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 4);
    tarn_array_map_item items[] = {map_tile(array, 0, 0, pool, 0), map_tile(array, 1, 0, pool, 1),
                                   map_tile(array, 0, 0, 0, 0), map_tile(array, 1, 1, pool, 2)};
    items[3].level = 9;
    assert_status(tarn_array_map(items, 4, 0), TARN_BAD_ARGUMENT);
    assert_int_equal(map_refs(pool), 0);
    put(api, array, 0, 0, 5, 0);
    items[3].level = 0;
    assert_ok(tarn_array_map(items, 4, 0));
    assert_int_equal(map_refs(pool), 2); // in order: the first was unmapped again
    if (api->bytes) {
        put(api, array, 0, 0, 6, 0);
        put(api, array, 256, 0, 7, 0);
        assert_int_equal(get(api, array, 0, 0), 0);
        assert_int_equal(get(api, array, 256, 0), 7);
    }
    assert_ok(tarn_array_destroy(array));
    assert_ok(tarn_phys_release(pool));
}

// ---- what is mapped holds

static void tiles_keep_released_memory_alive(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 4);
    tarn_phys other = make_pool(api, api->device, 4);
    uint64_t both = before - free_memory(api->device);
    tarn_array_map_item items[] = {map_tile(array, 0, 0, pool, 0), map_tile(array, 0, 1, pool, 1)};
    assert_ok(tarn_array_map(items, 2, 0));
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(map_refs(pool), 2); // the handle is good as long as it is mapped
    assert_int_equal(api_stats(api->device).tiles, 2);
    assert_status(tarn_phys_release(pool), TARN_BAD_HANDLE);
    tarn_array_map_item replace = map_tile(array, 0, 0, other, 0);
    assert_ok(map_one(&replace, 0));
    assert_int_equal(map_refs(pool), 1);
    assert_int_equal(before - free_memory(api->device), both);
    tarn_array_map_item unmap = map_tile(array, 0, 1, 0, 0);
    assert_ok(map_one(&unmap, 0));
    assert_int_equal(before - free_memory(api->device), both / 2);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_status(tarn_phys_query(pool, &info), TARN_BAD_HANDLE);
    assert_ok(map_one(&unmap, 0)); // nothing there any more
    assert_ok(tarn_phys_release(other));
    assert_int_equal(map_refs(other), 1);
    assert_ok(tarn_platform_verify(api->device));
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

static void destroying_drops_what_is_mapped(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 12);
    tarn_array_map_item all = map_tile(array, 0, 0, pool, 0);
    all.extent = (tarn_extent){1024, 768, 1};
    assert_ok(map_one(&all, 0));
    assert_ok(map_one(&all, 0));
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(map_refs(pool), 12);
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

// ---- deferred

static void a_deferred_array_is_refused_until_it_is_mapped(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(300, 300, 0, 4, TARN_ARRAY_DEFERRED);
    tarn_array array = make(api->device, &desc);
    tarn_array_info info = TARN_INIT(tarn_array_info);
    uint32_t word = 0x12345678;
    uint32_t back = 0;
    tarn_array_copy_desc in = box_of(array, 299, 299, 1, 1, &word, true);
    tarn_array_copy_desc out = box_of(array, 299, 299, 1, 1, &back, false);
    assert_ok(tarn_array_query(array, &info));
    tarn_phys pool = make_pool(api, api->device, 8);
    assert_true(info.memory_alignment + info.memory_bytes <= 8 * TILE);
    assert_status(tarn_array_copy(api->device, &in, 0), TARN_NOT_MAPPED);
    // Its part is ignored.
    tarn_array_map_item item = {.array = array, .op = TARN_ARRAY_MAP, .phys = pool, .level = 99};
    item.part = (tarn_array_part)77;
    item.phys_offset = info.memory_alignment / 2;
    assert_status(map_one(&item, 0), TARN_MISALIGNED);
    item.phys_offset = info.memory_alignment;
    assert_ok(map_one(&item, 0));
    assert_int_equal(map_refs(pool), 1);
    assert_ok(tarn_array_copy(api->device, &in, 0));
    assert_ok(tarn_array_copy(api->device, &out, 0));
    assert_true(!api->bytes || back == word);
    item.op = TARN_ARRAY_UNMAP;
    item.phys = 0;
    item.phys_offset = 0;
    assert_ok(map_one(&item, 0));
    assert_int_equal(map_refs(pool), 0);
    assert_status(tarn_array_copy(api->device, &out, 0), TARN_NOT_MAPPED);
    assert_ok(tarn_array_destroy(array));
    assert_ok(tarn_phys_release(pool));
}

int main(void) {
#define CLAIM(test) cmocka_unit_test_setup_teardown(test, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        CLAIM(bad_descriptions_are_refused),
        CLAIM(an_array_tells_what_it_is),
        CLAIM(a_sparse_array_tells_how_it_is_cut),
        CLAIM(only_dense_arrays_take_memory_of_the_device),
        CLAIM(a_device_with_arrays_cannot_be_closed),
        CLAIM(bad_parts_are_refused),
        CLAIM(bad_memory_is_refused),
        CLAIM(a_list_with_one_bad_item_does_nothing),
        CLAIM(tiles_keep_released_memory_alive),
        CLAIM(destroying_drops_what_is_mapped),
        CLAIM(a_deferred_array_is_refused_until_it_is_mapped),
    };
#undef CLAIM
    if (!api_device_has(TARN_FEATURE_ARRAYS)) return api_cannot("arrays");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
