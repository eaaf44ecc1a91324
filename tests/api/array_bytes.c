// SPDX-License-Identifier: Apache-2.0
// The bytes of arrays, beside a naive model: random boxes go in, out and between arrays of every
// kind, and must be what a plain loop over elements says.
#include "support/array_verbs.h"

#include <stdlib.h>
#include <string.h>

// ---- the model: each level as its own rows, slice after slice, layers like slices

struct level {
    uint64_t size[3]; // the third is slices or layers
    unsigned char *bytes;
};

enum { LEVELS_MOST = 8 };

struct model {
    tarn_array array;
    tarn_array_info info;
    uint32_t levels;
    struct level level[LEVELS_MOST];
};

static unsigned char *at(const struct model *m, uint32_t level, uint64_t x, uint64_t y,
                         uint64_t z) {
    const struct level *l = &m->level[level];
    return l->bytes + ((z * l->size[1] + y) * l->size[0] + x) * m->info.element_bytes;
}

static void model_open(struct model *m, tarn_device *device, const tarn_array_desc *desc) {
    *m = (struct model){.info = TARN_INIT(tarn_array_info)};
    assert_ok(tarn_array_create(device, desc, &m->array));
    assert_ok(tarn_array_query(m->array, &m->info));
    m->levels = m->info.levels != 0 ? m->info.levels : 1;
    assert_true(m->levels <= LEVELS_MOST);
    for (uint32_t i = 0; i < m->levels; i++) {
        tarn_extent e;
        struct level *l = &m->level[i];
        assert_ok(tarn_array_query_level(m->array, i, &e));
        l->size[0] = e.width;
        l->size[1] = e.height != 0 ? e.height : 1;
        l->size[2] = e.depth != 0 ? e.depth : m->info.layers;
        l->bytes = calloc(l->size[0] * l->size[1] * l->size[2], m->info.element_bytes);
        assert_non_null(l->bytes);
    }
}

static void model_close(struct model *m) {
    for (uint32_t i = 0; i < m->levels; i++) free(m->level[i].bytes);
    assert_ok(tarn_array_destroy(m->array));
}

static void back_levels(const struct model *m, uint32_t levels, uint32_t layer, tarn_phys pool,
                        uint64_t *offset) {
    tarn_array_sparse_info cut = TARN_INIT(tarn_array_sparse_info);
    assert_ok(tarn_array_query_sparse(m->array, &cut));
    for (uint32_t i = 0; i < levels; i++) {
        tarn_phys_info info = TARN_INIT(tarn_phys_info);
        tarn_phys_info after = TARN_INIT(tarn_phys_info);
        tarn_array_map_item item = {.array = m->array,
                                    .op = TARN_ARRAY_MAP,
                                    .phys = pool,
                                    .phys_offset = *offset,
                                    .layer = layer,
                                    .level = i};
        assert_ok(tarn_array_query_level(m->array, i, &item.extent));
        item.extent.depth = item.extent.depth != 0 ? item.extent.depth : 1;
        assert_ok(tarn_phys_query(pool, &info));
        assert_ok(tarn_array_map(&item, 1, 0));
        assert_ok(tarn_phys_query(pool, &after));
        *offset += (after.map_refs - info.map_refs) * cut.tile_bytes;
    }
}

// Maps everything a sparse or deferred array consists of.
static void back(struct api *api, const struct model *m) {
    tarn_array_sparse_info cut = TARN_INIT(tarn_array_sparse_info);
    tarn_array_map_item item = {.array = m->array, .op = TARN_ARRAY_MAP};
    uint64_t offset = 0;
    item.phys = make_pool(api, api->device, 4 * m->info.bytes / TILE + 64);
    if ((m->info.flags & TARN_ARRAY_DEFERRED) != 0) {
        item.phys_offset = m->info.memory_alignment;
        assert_ok(tarn_array_map(&item, 1, 0));
    } else if ((m->info.flags & TARN_ARRAY_SPARSE) != 0) {
        assert_ok(tarn_array_query_sparse(m->array, &cut));
        item.part = TARN_ARRAY_TAIL;
        item.tail_bytes = cut.tail_bytes;
        for (uint32_t layer = 0; layer < m->info.layers; layer++) {
            back_levels(m, cut.sparse_levels, layer, item.phys, &offset);
            item.layer = layer;
            item.phys_offset = offset;
            if (cut.tail_bytes != 0 && (layer == 0 || !cut.single_tail)) {
                assert_ok(tarn_array_map(&item, 1, 0));
                offset += cut.tail_bytes;
            }
        }
    }
    assert_ok(tarn_phys_release(item.phys));
}

// ---- random boxes

static uint32_t dice_state;

static uint64_t dice(uint64_t below) {
    dice_state = dice_state * 1664525u + 1013904223u;
    return (dice_state >> 8) % below;
}

struct box {
    uint32_t level;
    uint64_t at[3];
    uint64_t extent[3];
};

static struct box random_box(const struct model *m, const uint64_t most[3]) {
    struct box box = {.level = (uint32_t)dice(m->levels)};
    for (int i = 0; i < 3; i++) {
        uint64_t size = m->level[box.level].size[i];
        uint64_t limit = size < most[i] ? size : most[i];
        box.extent[i] = 1 + dice(limit);
        box.at[i] = dice(size - box.extent[i] + 1);
    }
    return box;
}

static tarn_array_place place_of(const struct model *m, const struct box *box) {
    return (tarn_array_place){
        .array = m->array, .level = box->level, .x = box->at[0], .y = box->at[1], .z = box->at[2]};
}

static tarn_array_copy_desc desc_of(const struct box *box) {
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    desc.width = box->extent[0];
    desc.height = box->extent[1];
    desc.depth = box->extent[2];
    return desc;
}

static unsigned char linear[8 << 20]; // with pitches of its own

static tarn_array_place random_linear(const struct model *m, const struct box *box) {
    tarn_array_place place = {.addr = TARN_ADDR(linear) + dice(16)};
    if (dice(2) == 0) {
        place.pitch = box->extent[0] * m->info.element_bytes + dice(20);
        if (dice(2) == 0) place.slice_pitch = place.pitch * box->extent[1] + dice(20);
    }
    return place;
}

static unsigned char *in_linear(const struct model *m, const struct box *box,
                                const tarn_array_place *place, uint64_t y, uint64_t z) {
    uint64_t pitch = place->pitch != 0 ? place->pitch : box->extent[0] * m->info.element_bytes;
    uint64_t slice = place->slice_pitch != 0 ? place->slice_pitch : pitch * box->extent[1];
    unsigned char *row = (unsigned char *)(uintptr_t)place->addr + z * slice + y * pitch;
    assert_true(row + pitch <= linear + sizeof linear);
    return row;
}

static const uint64_t any[3] = {400, 60, 8};

static void random_put(struct api *api, const struct model *m, tarn_stream stream) {
    struct box box = random_box(m, any);
    tarn_array_copy_desc desc = desc_of(&box);
    desc.dst = place_of(m, &box);
    desc.src = random_linear(m, &box);
    uint64_t bytes = box.extent[0] * m->info.element_bytes;
    for (uint64_t z = 0; z < box.extent[2]; z++) {
        for (uint64_t y = 0; y < box.extent[1]; y++) {
            unsigned char *row = in_linear(m, &box, &desc.src, y, z);
            for (uint64_t i = 0; i < bytes; i++) row[i] = (unsigned char)dice(256);
            memcpy(at(m, box.level, box.at[0], box.at[1] + y, box.at[2] + z), row, bytes);
        }
    }
    assert_ok(tarn_array_copy(api->device, &desc, stream));
    assert_ok(stream != 0 ? tarn_stream_synchronize(stream, TARN_FOREVER) : TARN_OK);
}

static void assert_box(struct api *api, const struct model *m, const struct box *box,
                       tarn_stream stream) {
    tarn_array_copy_desc desc = desc_of(box);
    desc.src = place_of(m, box);
    desc.dst = random_linear(m, box);
    assert_ok(tarn_array_copy(api->device, &desc, stream));
    assert_ok(stream != 0 ? tarn_stream_synchronize(stream, TARN_FOREVER) : TARN_OK);
    for (uint64_t z = 0; z < box->extent[2]; z++) {
        for (uint64_t y = 0; y < box->extent[1]; y++) {
            assert_memory_equal(in_linear(m, box, &desc.dst, y, z),
                                at(m, box->level, box->at[0], box->at[1] + y, box->at[2] + z),
                                box->extent[0] * m->info.element_bytes);
        }
    }
}

// Fresh memory may hold anything.
static void clear_all(struct api *api, const struct model *m) {
    memset(linear, 0, sizeof linear);
    for (uint32_t i = 0; i < m->levels; i++) {
        const uint64_t *size = m->level[i].size;
        const struct box whole = {i, {0, 0, 0}, {size[0], size[1], size[2]}};
        tarn_array_copy_desc desc = desc_of(&whole);
        assert_true(size[0] * size[1] * size[2] * m->info.element_bytes <= sizeof linear);
        desc.dst = place_of(m, &whole);
        desc.src.addr = TARN_ADDR(linear);
        assert_ok(tarn_array_copy(api->device, &desc, 0));
    }
}

static void assert_all(struct api *api, const struct model *m) {
    for (uint32_t i = 0; i < m->levels; i++) {
        const uint64_t *size = m->level[i].size;
        for (uint64_t z = 0; z < size[2]; z++) {
            const struct box slice = {i, {0, 0, z}, {size[0], size[1], 1}};
            assert_box(api, m, &slice, 0);
        }
    }
}

static void random_between(struct api *api, const struct model *to, const struct model *from,
                           tarn_stream stream) {
    struct box source = random_box(from, any);
    struct box target = random_box(to, source.extent);
    tarn_array_copy_desc desc = desc_of(&target);
    if (to->array == from->array && source.level == target.level) return; // they could overlap
    desc.dst = place_of(to, &target);
    desc.src = place_of(from, &source);
    assert_ok(tarn_array_copy(api->device, &desc, stream));
    for (uint64_t z = 0; z < target.extent[2]; z++) {
        for (uint64_t y = 0; y < target.extent[1]; y++) {
            memcpy(at(to, target.level, target.at[0], target.at[1] + y, target.at[2] + z),
                   at(from, source.level, source.at[0], source.at[1] + y, source.at[2] + z),
                   target.extent[0] * to->info.element_bytes);
        }
    }
}

// ---- the claims

// Kinds of one element size: the first of each row gets and gives what the others do.
struct shape {
    tarn_extent extent;
    uint32_t layers, levels, flags;
};

static void copies_are_what_a_loop_says(struct api *api, uint32_t element_bytes,
                                        const struct shape *shapes, size_t count) {
    struct model models[8];
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    dice_state = element_bytes;
    for (size_t i = 0; i < count; i++) {
        tarn_array_desc desc = TARN_INIT(tarn_array_desc);
        desc.extent = shapes[i].extent;
        desc.layers = shapes[i].layers;
        desc.levels = shapes[i].levels;
        desc.flags = shapes[i].flags;
        desc.element_bytes = element_bytes;
        model_open(&models[i], api->device, &desc);
        back(api, &models[i]);
        clear_all(api, &models[i]);
    }
    for (int turn = 0; turn < 300 && api->bytes; turn++) {
        const struct model *m = &models[dice(count)];
        struct box box = random_box(m, any);
        switch (dice(3)) {
        case 0: random_put(api, m, dice(2) * stream); break;
        case 1: assert_box(api, m, &box, dice(2) * stream); break;
        default:
            random_between(api, m, &models[dice(count)], stream);
            assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
            break;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (api->bytes) assert_all(api, &models[i]);
        model_close(&models[i]);
    }
    assert_ok(tarn_stream_destroy(stream));
}

static void flat_arrays_hold_what_was_put_in(void **state) {
    static const struct shape shapes[] = {
        {{500, 0, 0}, 0, 0, 0},
        {{333, 0, 0}, 5, 3, TARN_ARRAY_LAYERED | TARN_ARRAY_DEFERRED},
        {{90, 70, 0}, 0, 7, 0},
        {{64, 64, 0}, 6, 2, TARN_ARRAY_CUBE | TARN_ARRAY_DEFERRED},
        {{40, 40, 0}, 12, 0, TARN_ARRAY_CUBE | TARN_ARRAY_LAYERED},
        {{300, 280, 0}, 0, 5, TARN_ARRAY_SPARSE},
        {{270, 140, 0}, 3, 8, TARN_ARRAY_SPARSE | TARN_ARRAY_LAYERED},
        {{100, 33, 0}, 2, 0, TARN_ARRAY_SPARSE | TARN_ARRAY_LAYERED},
    };
    copies_are_what_a_loop_says(*state, 4, shapes, 8);
    copies_are_what_a_loop_says(*state, 1, shapes, 8);
}

static void volumes_hold_what_was_put_in(void **state) {
    static const struct shape shapes[] = {
        {{30, 20, 10}, 0, 4, 0},
        {{50, 30, 20}, 0, 0, TARN_ARRAY_DEFERRED},
        {{70, 40, 35}, 0, 3, TARN_ARRAY_SPARSE},
        {{20, 15, 17}, 0, 0, TARN_ARRAY_SPARSE},
    };
    copies_are_what_a_loop_says(*state, 16, shapes, 4);
    copies_are_what_a_loop_says(*state, 2, shapes, 4);
    copies_are_what_a_loop_says(*state, 8, shapes, 4);
}

// Over 16 MiB, which some devices copy in a way of its own.
static void assert_large_copies(struct api *api, uint32_t flags, tarn_stream stream) {
    enum { WIDTH = 2100, HEIGHT = 2000, BYTES = 4 * WIDTH * HEIGHT };
    tarn_array_desc desc = describe(WIDTH, HEIGHT, 0, 4, flags);
    struct model m;
    unsigned char *back_again = calloc(1, BYTES);
    assert_non_null(back_again);
    model_open(&m, api->device, &desc);
    back(api, &m);
    for (uint64_t i = 0; i < BYTES; i++) m.level[0].bytes[i] = (unsigned char)(i * 7 + i / 999);
    tarn_array_copy_desc in = TARN_INIT(tarn_array_copy_desc);
    in.dst.array = m.array;
    in.src.addr = TARN_ADDR(m.level[0].bytes);
    in.width = WIDTH;
    in.height = HEIGHT;
    tarn_array_copy_desc out = in;
    out.src = in.dst;
    out.dst = in.src;
    out.dst.addr = TARN_ADDR(back_again);
    assert_ok(tarn_array_copy(NULL, &in, stream));
    assert_ok(tarn_array_copy(NULL, &out, stream));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    if (api->bytes) assert_memory_equal(back_again, m.level[0].bytes, BYTES);
    model_close(&m);
    free(back_again);
}

static void large_copies_go_through_streams_too(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_large_copies(api, 0, stream);
    assert_large_copies(api, TARN_ARRAY_DEFERRED, stream);
    assert_large_copies(api, TARN_ARRAY_SPARSE, stream);
    assert_ok(tarn_stream_destroy(stream));
}

// Runs of linear memory end anywhere when its pitch is odd, also within an element.
static void odd_pitches_cut_no_element(void **state) {
    struct api *api = *state;
    static const uint32_t kinds[2] = {0, TARN_ARRAY_SPARSE};
    for (int i = 0; i < 2; i++) {
        tarn_array_desc desc = TARN_INIT(tarn_array_desc);
        struct model m;
        desc.extent = (tarn_extent){130, 5000, 0};
        desc.element_bytes = 16;
        desc.flags = kinds[i];
        model_open(&m, api->device, &desc);
        back(api, &m);
        const uint64_t pitch = 130 * 16 - 7 + 10 * 16;
        tarn_array_copy_desc copy = TARN_INIT(tarn_array_copy_desc);
        copy.dst.array = m.array;
        copy.src.addr = TARN_ADDR(linear);
        copy.src.pitch = pitch;
        copy.width = 130;
        copy.height = 3500;
        for (uint64_t at = 0; at < sizeof linear; at++) linear[at] = (unsigned char)(at % 249);
        assert_ok(tarn_array_copy(api->device, &copy, 0));
        static unsigned char back_again[3500 * 130 * 16];
        copy.src = copy.dst;
        copy.dst = (tarn_array_place){.addr = TARN_ADDR(back_again)};
        assert_ok(tarn_array_copy(api->device, &copy, 0));
        for (uint64_t y = 0; y < 3500 && api->bytes; y++)
            assert_memory_equal(back_again + y * 130 * 16, linear + y * pitch, 130 * 16);
        model_close(&m);
    }
}

// ---- holes and aliases

static void holes_read_zero_and_swallow_writes(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = 0;
    tarn_array_copy_desc copy = TARN_INIT(tarn_array_copy_desc);
    unsigned char row[1024];
    desc.extent = (tarn_extent){1024, 256, 0};
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_SPARSE;
    assert_ok(tarn_array_create(api->device, &desc, &array));
    tarn_phys pool = make_pool(api, api->device, 2);
    tarn_array_map_item items[2] = {map_tile(array, 0, 0, pool, 0), map_tile(array, 2, 0, pool, 1)};
    assert_ok(tarn_array_map(items, 2, 0));
    memset(row, 0x55, sizeof row);
    copy.dst = (tarn_array_place){.array = array, .y = 100};
    copy.src.addr = TARN_ADDR(row);
    copy.width = 1024;
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    memset(row, 0xff, sizeof row);
    copy.src = copy.dst;
    copy.dst = (tarn_array_place){.addr = TARN_ADDR(row)};
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    for (int i = 0; i < 1024 && api->bytes; i++)
        assert_int_equal(row[i], i / 256 % 2 == 0 ? 0x55 : 0);
    // What was dropped stays dropped when memory comes.
    items[0] = map_tile(array, 1, 0, pool, 0);
    items[1] = map_tile(array, 0, 0, 0, 0);
    assert_ok(tarn_array_map(items, 2, 0));
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    for (int i = 0; i < 1024 && api->bytes; i++)
        assert_int_equal(row[i], i / 256 == 1 || i / 256 == 2 ? 0x55 : 0);
    assert_ok(tarn_phys_release(pool));
    assert_ok(tarn_array_destroy(array));
}

static void tiles_of_the_same_memory_are_one(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array arrays[2] = {0, 0};
    desc.extent = (tarn_extent){512, 256, 0};
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_SPARSE;
    assert_ok(tarn_array_create(api->device, &desc, &arrays[0]));
    assert_ok(tarn_array_create(api->device, &desc, &arrays[1]));
    tarn_phys pool = make_pool(api, api->device, 1);
    const tarn_array_map_item items[] = {map_tile(arrays[0], 0, 0, pool, 0),
                                         map_tile(arrays[0], 1, 0, pool, 0),
                                         map_tile(arrays[1], 1, 0, pool, 0)};
    assert_ok(tarn_array_map(items, 3, 0));
    unsigned char byte = 77;
    tarn_array_copy_desc copy = TARN_INIT(tarn_array_copy_desc);
    copy.dst = (tarn_array_place){.array = arrays[0], .x = 9, .y = 9};
    copy.src.addr = TARN_ADDR(&byte);
    copy.width = 1;
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    byte = 0;
    copy.dst = copy.src;
    copy.src = (tarn_array_place){.array = arrays[1], .x = 256 + 9, .y = 9};
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    assert_true(!api->bytes || byte == 77);
    // From a tile to itself, under its other name: nothing changes, nothing breaks.
    copy.dst = (tarn_array_place){.array = arrays[0]};
    copy.src = (tarn_array_place){.array = arrays[0], .x = 256};
    copy.width = 256;
    copy.height = 256;
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    assert_ok(tarn_phys_release(pool));
    assert_ok(tarn_array_destroy(arrays[0]));
    assert_ok(tarn_array_destroy(arrays[1]));
}

// The same bytes, at an address: tiles do not need it, and do not mind.
static void memory_of_tiles_may_be_mapped_too(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = 0;
    tarn_addr addr = 0;
    desc.extent = (tarn_extent){256, 256, 0};
    desc.element_bytes = 1;
    desc.flags = TARN_ARRAY_SPARSE;
    assert_ok(tarn_array_create(api->device, &desc, &array));
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_ok(tarn_phys_query(pool, &info));
    assert_ok(tarn_space_reserve(api->device, info.bytes, 0, 0, &addr));
    assert_ok(tarn_map(addr, info.bytes, pool)); // without rights
    const tarn_array_map_item item = map_tile(array, 0, 0, pool, 0);
    assert_ok(tarn_array_map(&item, 1, 0));
    unsigned char byte = 33;
    tarn_array_copy_desc copy = TARN_INIT(tarn_array_copy_desc);
    copy.dst.array = array;
    copy.src.addr = TARN_ADDR(&byte);
    copy.width = 1;
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    copy.src.addr = addr;
    assert_status(tarn_array_copy(api->device, &copy, 0), TARN_NO_ACCESS);
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ);
    assert_ok(tarn_map_set_access(addr, info.bytes, &grant, 1));
    byte = 0;
    assert_ok(tarn_copy(api->device, TARN_ADDR(&byte), addr, 1, 0));
    assert_true(!api->bytes || byte == 33);
    assert_ok(tarn_phys_release(pool));
    assert_ok(tarn_array_destroy(array));
    api_unmap_all(addr, info.bytes);
}

// ---- checks

static void copies_are_checked(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = 0;
    tarn_array wider = 0;
    tarn_stream stream = 0;
    static unsigned char bytes[4096];
    desc.extent = (tarn_extent){20, 10, 0};
    desc.element_bytes = 2;
    desc.flags = TARN_ARRAY_LAYERED;
    desc.layers = 3;
    desc.levels = 2;
    assert_ok(tarn_array_create(api->device, &desc, &array));
    desc.element_bytes = 4;
    assert_ok(tarn_array_create(api->device, &desc, &wider));
    assert_ok(tarn_stream_create(api->peer, &stream));
    tarn_array_copy_desc good = TARN_INIT(tarn_array_copy_desc);
    good.dst = (tarn_array_place){.array = array, .x = 4, .y = 2, .z = 1};
    good.src.addr = TARN_ADDR(bytes);
    good.width = 16;
    good.height = 8;
    good.depth = 2;
    assert_ok(tarn_array_copy(api->device, &good, 0));
    assert_ok(tarn_array_copy(NULL, &good, stream)); // any device of the platform may do it
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
#define REFUSED(status, ...)                                                                       \
    do {                                                                                           \
        tarn_array_copy_desc bad = good;                                                           \
        __VA_ARGS__;                                                                               \
        assert_status(tarn_array_copy(api->device, &bad, 0), status);                              \
    } while (0)
    REFUSED(TARN_OK, bad.width = 0);
    REFUSED(TARN_BAD_ARGUMENT, bad.dst.x = 5);
    REFUSED(TARN_BAD_ARGUMENT, bad.dst.y = 3);
    REFUSED(TARN_BAD_ARGUMENT, bad.dst.z = 2);
    REFUSED(TARN_BAD_ARGUMENT, bad.dst.level = 1);
    REFUSED(TARN_BAD_ARGUMENT, bad.dst.level = 2);
    REFUSED(TARN_BAD_ARGUMENT, bad.width = UINT64_MAX);
    REFUSED(TARN_BAD_ARGUMENT, bad.src.addr = 0);
    REFUSED(TARN_BAD_ARGUMENT, bad.src.pitch = 31);
    REFUSED(TARN_BAD_ARGUMENT, bad.src.slice_pitch = 255);
    REFUSED(TARN_BAD_ARGUMENT, bad.src.pitch = UINT64_MAX / 2);
    REFUSED(TARN_BAD_ARGUMENT, bad.dst = bad.src);
    REFUSED(TARN_BAD_ARGUMENT, bad.src = (tarn_array_place){.array = wider});
    REFUSED(TARN_BAD_ARGUMENT, bad.src = bad.dst; bad.src.x = 3);
    REFUSED(TARN_BAD_HANDLE, bad.dst.array += 1);
    REFUSED(TARN_BAD_STRUCT, bad.struct_size = 4);
    REFUSED(TARN_BAD_ADDRESS, bad.src.addr = UINT64_MAX - 100);
    REFUSED(TARN_OK, bad.src = bad.dst; bad.src.z = 0; bad.depth = 1);
#undef REFUSED
    assert_status(tarn_array_copy(api->device, NULL, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_copy(NULL, &good, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_copy(api->device, &good, stream), TARN_BAD_ARGUMENT);
    assert_status(tarn_array_copy(NULL, &good, stream + 1), TARN_BAD_HANDLE);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_array_destroy(wider));
    assert_ok(tarn_array_destroy(array));
}

int main(void) {
#define CLAIM(test) cmocka_unit_test_setup_teardown(test, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        CLAIM(flat_arrays_hold_what_was_put_in),    CLAIM(volumes_hold_what_was_put_in),
        CLAIM(large_copies_go_through_streams_too), CLAIM(odd_pitches_cut_no_element),
        CLAIM(holes_read_zero_and_swallow_writes),  CLAIM(tiles_of_the_same_memory_are_one),
        CLAIM(memory_of_tiles_may_be_mapped_too),   CLAIM(copies_are_checked),
    };
#undef CLAIM
    if (!api_device_has(TARN_FEATURE_ARRAYS)) return api_cannot("arrays");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
