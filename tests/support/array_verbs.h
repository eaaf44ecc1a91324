// SPDX-License-Identifier: Apache-2.0
// Short verbs for tests of arrays: each asserts that it went well.
#pragma once

#include "support/api.h"

#define KIB  UINT64_C(1024)
#define TILE (64 * KIB) // of the software devices

static inline tarn_array_desc describe(uint64_t width, uint64_t height, uint64_t depth,
                                       uint32_t bytes, uint32_t flags) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    desc.extent = (tarn_extent){width, height, depth};
    desc.element_bytes = bytes;
    desc.flags = flags;
    return desc;
}

static inline tarn_array make(tarn_device *device, const tarn_array_desc *desc) {
    tarn_array array = 0;
    assert_ok(tarn_array_create(device, desc, &array));
    assert_int_not_equal(array, 0);
    return array;
}

// A sparse array of 4 x 3 tiles and a partial column, 1 byte an element.
static inline tarn_array make_sparse(tarn_device *device) {
    tarn_array_desc desc = describe(4 * 256 + 10, 3 * 256, 0, 1, TARN_ARRAY_SPARSE);
    return make(device, &desc);
}

static inline uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Memory for at least so many tiles; each device has its own least amount.
static inline tarn_phys make_pool(struct api *api, tarn_device *device, uint64_t tiles) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_phys phys = 0;
    desc.usage = TARN_USAGE_TILE_POOL;
    assert_ok(tarn_phys_create(device, round_up(tiles * TILE, api->g), &desc, &phys));
    return phys;
}

static inline tarn_array_map_item map_tile(tarn_array array, uint64_t x, uint64_t y, tarn_phys phys,
                                           uint64_t page) {
    return (tarn_array_map_item){.array = array,
                                 .op = phys != 0 ? TARN_ARRAY_MAP : TARN_ARRAY_UNMAP,
                                 .phys = phys,
                                 .phys_offset = page * TILE,
                                 .part = TARN_ARRAY_TILES,
                                 .offset = {x * 256, y * 256, 0},
                                 .extent = {256, 256, 1}};
}

static inline tarn_status map_one(const tarn_array_map_item *item, tarn_stream stream) {
    return tarn_array_map(item, 1, stream);
}

static inline uint32_t map_refs(tarn_phys phys) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(phys, &info));
    return info.map_refs;
}

static inline uint64_t free_memory(tarn_device *device) {
    uint64_t bytes = 0;
    assert_ok(tarn_device_query_memory(device, &bytes, NULL));
    return bytes;
}

// A copy between the box at (x, y) of level 0 and dense rows in host memory.
static inline tarn_array_copy_desc box_of(tarn_array array, uint64_t x, uint64_t y, uint64_t width,
                                          uint64_t height, void *bytes, bool in) {
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
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

static inline void put(struct api *api, tarn_array array, uint64_t x, uint64_t y,
                       unsigned char byte, tarn_stream stream) {
    static unsigned char bytes[256]; // alive until any stream has come there
    bytes[byte] = byte;
    tarn_array_copy_desc desc = box_of(array, x, y, 1, 1, &bytes[byte], true);
    assert_ok(tarn_array_copy(api->device, &desc, stream));
}

static inline unsigned char get(struct api *api, tarn_array array, uint64_t x, uint64_t y) {
    unsigned char byte = 0xee;
    tarn_array_copy_desc desc = box_of(array, x, y, 1, 1, &byte, false);
    assert_ok(tarn_array_copy(api->device, &desc, 0));
    return byte;
}
