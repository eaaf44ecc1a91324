// SPDX-License-Identifier: Apache-2.0
// Arrays: their life, their checks, what is mapped in them and what holds it; and their bytes
// beside naive models.
#include "support/api.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#define KIB  UINT64_C(1024)
#define TILE (64 * KIB) // of the software devices

// ---- verbs

static tarn_array_desc describe(uint64_t width, uint64_t height, uint64_t depth, uint32_t bytes,
                                uint32_t flags) {
    tarn_array_desc desc = TARN_ARRAY_DESC_INIT;
    desc.extent = (tarn_extent){width, height, depth};
    desc.element_bytes = bytes;
    desc.flags = flags;
    return desc;
}

static tarn_array make(tarn_device *device, const tarn_array_desc *desc) {
    tarn_array array = 0;
    assert_ok(tarn_array_create(device, desc, &array));
    assert_int_not_equal(array, 0);
    return array;
}

// A sparse array of 4 x 3 tiles and a partial column, 1 byte an element.
static tarn_array make_sparse(tarn_device *device) {
    tarn_array_desc desc = describe(4 * 256 + 10, 3 * 256, 0, 1, TARN_ARRAY_SPARSE);
    return make(device, &desc);
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Memory for at least so many tiles; each device has its own least amount.
static tarn_phys make_pool(struct api *api, tarn_device *device, uint64_t tiles) {
    tarn_phys_desc desc = TARN_PHYS_DESC_INIT;
    tarn_phys phys = 0;
    desc.usage = TARN_USAGE_TILE_POOL;
    assert_ok(tarn_phys_create(device, round_up(tiles * TILE, api->g), &desc, &phys));
    return phys;
}

static tarn_array_map_item map_tile(tarn_array array, uint64_t x, uint64_t y, tarn_phys phys,
                                    uint64_t page) {
    return (tarn_array_map_item){.array = array,
                                 .op = phys != 0 ? TARN_ARRAY_MAP : TARN_ARRAY_UNMAP,
                                 .phys = phys,
                                 .phys_offset = page * TILE,
                                 .part = TARN_ARRAY_TILES,
                                 .offset = {x * 256, y * 256, 0},
                                 .extent = {256, 256, 1}};
}

static tarn_status map_one(const tarn_array_map_item *item, tarn_stream stream) {
    return tarn_array_map(item, 1, stream);
}

static uint32_t map_refs(tarn_phys phys) {
    tarn_phys_info info = TARN_PHYS_INFO_INIT;
    assert_ok(tarn_phys_query(phys, &info));
    return info.map_refs;
}

static uint64_t free_memory(tarn_device *device) {
    uint64_t bytes = 0;
    assert_ok(tarn_device_memory(device, &bytes, NULL));
    return bytes;
}

// A copy between the box at (x, y) of level 0 and dense rows in host memory.
static tarn_array_copy_desc box_of(tarn_array array, uint64_t x, uint64_t y, uint64_t width,
                                   uint64_t height, void *bytes, bool in) {
    tarn_array_copy_desc desc = TARN_ARRAY_COPY_DESC_INIT;
    tarn_array_place *there = in ? &desc.dst : &desc.src;
    tarn_array_place *here = in ? &desc.src : &desc.dst;
    there->array = array;
    there->x = x;
    there->y = y;
    here->addr = TARN_ADDR(bytes);
    desc.width = width;
    desc.height = height;
    return desc;
}

static void put(struct api *api, tarn_array array, uint64_t x, uint64_t y, unsigned char byte,
                tarn_stream stream) {
    static unsigned char bytes[256]; // alive until any stream has come there
    bytes[byte] = byte;
    tarn_array_copy_desc desc = box_of(array, x, y, 1, 1, &bytes[byte], true);
    assert_ok(tarn_array_copy(api->device, &desc, stream));
}

static unsigned char get(struct api *api, tarn_array array, uint64_t x, uint64_t y) {
    unsigned char byte = 0xee;
    tarn_array_copy_desc desc = box_of(array, x, y, 1, 1, &byte, false);
    assert_ok(tarn_array_copy(api->device, &desc, 0));
    return byte;
}

// A stream that stands still from close_gate() to open_gate(): a host function waits in it, called
// from a thread of its own because some devices run it at once.
struct gate {
    tarn_stream stream;
    pthread_t thread;
    sem_t inside, open;
};

static void wait_at_gate(void *arg) {
    struct gate *gate = arg;
    (void)sem_post(&gate->inside);
    (void)sem_wait(&gate->open);
}

static void *enter_gate(void *arg) {
    struct gate *gate = arg;
    (void)tarn_stream_call(gate->stream, wait_at_gate, gate);
    return NULL;
}

static void close_gate(struct gate *gate, tarn_stream stream) {
    gate->stream = stream;
    assert_int_equal(sem_init(&gate->inside, 0, 0), 0);
    assert_int_equal(sem_init(&gate->open, 0, 0), 0);
    assert_int_equal(pthread_create(&gate->thread, NULL, enter_gate, gate), 0);
    (void)sem_wait(&gate->inside);
}

static void open_gate(struct gate *gate, tarn_status want) {
    assert_int_equal(sem_post(&gate->open), 0);
    assert_int_equal(pthread_join(gate->thread, NULL), 0);
    assert_status(tarn_stream_synchronize(gate->stream), want);
    (void)sem_destroy(&gate->inside);
    (void)sem_destroy(&gate->open);
}

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
    desc.size = 3;
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
    tarn_array_info info = TARN_ARRAY_INFO_INIT;
    tarn_array_sparse_info sparse = TARN_ARRAY_SPARSE_INFO_INIT;
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
    assert_ok(tarn_array_level_extent(array, 3, &extent));
    assert_int_equal(extent.width, 12);
    assert_int_equal(extent.height, 7);
    assert_int_equal(extent.depth, 0);
    assert_status(tarn_array_level_extent(array, 7, &extent), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_level_extent(array, 0, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_sparse_query(array, &sparse), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_query(array, NULL), TARN_BAD_ARGUMENT);
    info.size = 0;
    assert_status(tarn_array_query(array, &info), TARN_BAD_STRUCT);
    assert_ok(tarn_array_destroy(array));
    info.size = sizeof info;
    assert_status(tarn_array_query(array, &info), TARN_BAD_HANDLE);
    assert_status(tarn_array_destroy(array), TARN_BAD_HANDLE);
    assert_status(tarn_array_level_extent(array, 0, &extent), TARN_BAD_HANDLE);
    assert_status(tarn_array_sparse_query(array, &sparse), TARN_BAD_HANDLE);
    assert_ok(tarn_array_destroy(0));
}

static void a_sparse_array_tells_how_it_is_cut(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(1024, 512, 0, 4, TARN_ARRAY_SPARSE | TARN_ARRAY_LAYERED);
    tarn_array_sparse_info info = TARN_ARRAY_SPARSE_INFO_INIT;
    desc.layers = 2;
    desc.levels = 11;
    tarn_array array = make(api->device, &desc);
    assert_ok(tarn_array_sparse_query(array, &info));
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
    assert_ok(tarn_array_sparse_query(array, &info));
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
    tarn_phys_info info = TARN_PHYS_INFO_INIT;
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
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_status(map_one(&cases[i].item, stream), cases[i].status);
    }
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
    assert_status(map_one(&item, stream), TARN_BAD_ARGUMENT);
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
    tarn_phys_info info = TARN_PHYS_INFO_INIT;
    assert_status(tarn_phys_query(pool, &info), TARN_BAD_HANDLE);
    assert_ok(map_one(&unmap, 0)); // nothing there any more
    assert_ok(tarn_phys_release(other));
    assert_int_equal(map_refs(other), 1);
    assert_ok(tarn_check(api->device));
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

static void a_map_on_its_way_holds_memory_already(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream stream = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    tarn_array_map_item item = map_tile(array, 2, 1, pool, 0);
    assert_ok(map_one(&item, stream));
    memset(&item, 0xff, sizeof item); // the list was copied
    put(api, array, 2 * 256 + 3, 256, 9, stream);
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(map_refs(pool), 1);
    put(api, array, 2 * 256 + 4, 256, 8, 0); // before the stream has mapped it: dropped
    item = map_tile(array, 2, 1, 0, 0);
    open_gate(&gate, TARN_OK);
    if (api->bytes) {
        assert_int_equal(get(api, array, 2 * 256 + 3, 256), 9);
        assert_int_equal(get(api, array, 2 * 256 + 4, 256), 0);
    }
    assert_ok(map_one(&item, stream));
    assert_ok(tarn_stream_synchronize(stream));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

// The order of calls is one, that of the streams another: what is mapped last in time stays, with
// its memory.
static void streams_decide_what_replaces_what(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys late = make_pool(api, api->device, 1);
    tarn_phys early = make_pool(api, api->device, 1);
    tarn_stream slow = 0;
    tarn_stream fast = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &slow));
    assert_ok(tarn_stream_create(api->device, &fast));
    close_gate(&gate, slow);
    tarn_array_map_item item = map_tile(array, 0, 0, late, 0);
    assert_ok(map_one(&item, slow));
    put(api, array, 7, 7, 1, slow);
    item = map_tile(array, 0, 0, early, 0);
    assert_ok(map_one(&item, fast));
    put(api, array, 7, 7, 2, fast);
    assert_ok(tarn_stream_synchronize(fast));
    assert_ok(tarn_phys_release(late));
    assert_ok(tarn_phys_release(early));
    if (api->bytes) {
        assert_int_equal(get(api, array, 7, 7), 2);
    }
    open_gate(&gate, TARN_OK);
    tarn_phys_info info = TARN_PHYS_INFO_INIT;
    assert_int_equal(map_refs(late), 1);
    assert_status(tarn_phys_query(early, &info), TARN_BAD_HANDLE);
    if (api->bytes) {
        assert_int_equal(get(api, array, 7, 7), 1);
    }
    assert_ok(tarn_stream_destroy(slow));
    assert_ok(tarn_stream_destroy(fast));
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

// A stream that is going to fail: behind the gate the mapping has lost its rights.
static void doom(struct api *api, tarn_stream stream, tarn_addr addr) {
    tarn_grant none = api_grant(0, TARN_ACCESS_NONE);
    assert_ok(tarn_fill(api->device, addr, 1, 1, api->g, stream));
    assert_ok(tarn_map_set_access(addr, api->g, &none, 1));
}

static void a_map_dropped_behind_a_fault_gives_its_memory_back(void **state) {
    struct api *api = *state;
    tarn_addr addr = api_map_new(api, api->g);
    tarn_array array = make_sparse(api->device);
    uint64_t before = free_memory(api->device);
    tarn_phys pool = make_pool(api, api->device, 2);
    tarn_stream stream = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    doom(api, stream, addr);
    tarn_array_map_item items[] = {map_tile(array, 0, 0, pool, 0), map_tile(array, 1, 0, pool, 1)};
    assert_ok(tarn_array_map(items, 2, stream));
    put(api, array, 0, 0, 1, stream);
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(map_refs(pool), 2);
    open_gate(&gate, TARN_DEVICE_FAULT);
    assert_int_equal(free_memory(api->device), before);
    assert_status(tarn_array_map(items, 1, stream), TARN_BAD_HANDLE);
    pool = make_pool(api, api->device, 2);
    items[0] = map_tile(array, 0, 0, pool, 0);
    assert_status(tarn_array_map(items, 1, stream), TARN_DEVICE_FAULT);
    assert_int_equal(map_refs(pool), 0);
    assert_ok(tarn_phys_release(pool));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_array_destroy(array));
    api_unmap_all(addr, api->g);
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

static void *destroy_array(void *array) {
    (void)tarn_array_destroy(*(tarn_array *)array);
    return NULL;
}

static void destroying_waits_for_work(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream stream = 0;
    pthread_t thread;
    struct gate gate;
    tarn_array_info info = TARN_ARRAY_INFO_INIT;
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    tarn_array_map_item item = map_tile(array, 0, 0, pool, 0);
    assert_ok(map_one(&item, stream));
    put(api, array, 3, 3, 3, stream);
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(pthread_create(&thread, NULL, destroy_array, &array), 0);
    while (tarn_array_query(array, &info) == TARN_OK) {
        (void)sched_yield(); // its handle goes first
    }
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(api_stats(api->device).arrays, 1);
        (void)sched_yield();
    }
    open_gate(&gate, TARN_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(free_memory(api->device), before);
    assert_ok(tarn_stream_destroy(stream));
}

// ---- deferred

static void a_deferred_array_is_refused_until_it_is_mapped(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(300, 300, 0, 4, TARN_ARRAY_DEFERRED);
    tarn_array array = make(api->device, &desc);
    tarn_array_info info = TARN_ARRAY_INFO_INIT;
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

// The call is good, since a map was given before it; its stream is not the one that maps.
static void a_copy_that_comes_before_the_map_is_a_fault(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(64, 0, 0, 1, TARN_ARRAY_DEFERRED);
    tarn_array array = make(api->device, &desc);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream slow = 0;
    tarn_stream fast = 0;
    struct gate gate;
    tarn_error error;
    assert_ok(tarn_stream_create(api->device, &slow));
    assert_ok(tarn_stream_create(api->device, &fast));
    close_gate(&gate, slow);
    tarn_array_map_item item = {.array = array, .op = TARN_ARRAY_MAP, .phys = pool};
    assert_ok(map_one(&item, slow));
    put(api, array, 5, 0, 1, fast);
    assert_status(tarn_stream_synchronize(fast), TARN_DEVICE_FAULT);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "deferred"));
    unsigned char byte = 0;
    tarn_array_copy_desc copy = box_of(array, 0, 0, 1, 1, &byte, false);
    assert_status(tarn_array_copy(api->device, &copy, 0), TARN_NOT_MAPPED);
    open_gate(&gate, TARN_OK);
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    assert_ok(tarn_stream_destroy(slow));
    assert_ok(tarn_stream_destroy(fast));
    assert_ok(tarn_array_destroy(array));
    assert_ok(tarn_phys_release(pool));
}

// ---- threads

enum { THREADS = 4, ROUNDS = 60 };

struct crowd {
    struct api *api;
    tarn_phys pool[THREADS];
    _Atomic tarn_array shared; // destroyed and made anew by the first of them
};

struct member {
    struct crowd *crowd;
    pthread_t thread;
    uint32_t number;
    bool good;
};

static bool either(tarn_status status, tarn_status other) {
    return status == TARN_OK || status == other;
}

// One of many things that anybody may do to an array that may be gone. Whatever is mapped where,
// each thread writes columns of its own.
static bool act(struct member *m, uint32_t turn, tarn_stream stream) {
    struct crowd *crowd = m->crowd;
    static unsigned char zero[64 * 4];
    tarn_array array = crowd->shared;
    bool unmap = turn % 5 == 0;
    tarn_array_map_item item =
        map_tile(array, turn % 4, turn / 4 % 3, unmap ? 0 : crowd->pool[turn % THREADS],
                 unmap ? 0 : turn % 2);
    tarn_array_copy_desc copy =
        box_of(array, turn % 4 * 256 + m->number * 64, turn % 600, 64, 4, zero, true);
    return either(map_one(&item, turn % 3 == 0 ? 0 : stream), TARN_BAD_HANDLE) &&
           either(tarn_array_copy(crowd->api->device, &copy, turn % 3 == 1 ? 0 : stream),
                  TARN_BAD_HANDLE);
}

static void *live(void *arg) {
    struct member *m = arg;
    struct crowd *crowd = m->crowd;
    tarn_stream stream = 0;
    m->good = tarn_stream_create(crowd->api->device, &stream) == TARN_OK;
    for (uint32_t turn = 0; turn < ROUNDS && m->good; turn++) {
        m->good = act(m, turn * 7 + m->number * 13, stream);
        if (m->number == 0 && turn % 10 == 9) {
            tarn_array old = crowd->shared;
            crowd->shared = make_sparse(crowd->api->device);
            m->good &= tarn_array_destroy(old) == TARN_OK;
        }
    }
    m->good &= tarn_stream_destroy(stream) == TARN_OK;
    return NULL;
}

static void threads_may_share_arrays_and_destroy_them_any_time(void **state) {
    struct crowd crowd = {.api = *state};
    struct member members[THREADS];
    crowd.shared = make_sparse(crowd.api->device);
    for (int i = 0; i < THREADS; i++) {
        crowd.pool[i] = make_pool(crowd.api, crowd.api->device, 2);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        members[i] = (struct member){.crowd = &crowd, .number = i};
        assert_int_equal(pthread_create(&members[i].thread, NULL, live, &members[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(members[i].thread, NULL), 0);
        assert_true(members[i].good);
    }
    assert_ok(tarn_array_destroy(crowd.shared));
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(map_refs(crowd.pool[i]), 0);
        assert_ok(tarn_phys_release(crowd.pool[i]));
    }
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
        CLAIM(a_map_on_its_way_holds_memory_already),
        CLAIM(streams_decide_what_replaces_what),
        CLAIM(a_map_dropped_behind_a_fault_gives_its_memory_back),
        CLAIM(destroying_drops_what_is_mapped),
        CLAIM(destroying_waits_for_work),
        CLAIM(a_deferred_array_is_refused_until_it_is_mapped),
        CLAIM(a_copy_that_comes_before_the_map_is_a_fault),
        CLAIM(threads_may_share_arrays_and_destroy_them_any_time),
    };
#undef CLAIM
    return cmocka_run_group_tests(tests, NULL, NULL);
}
