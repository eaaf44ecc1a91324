// SPDX-License-Identifier: Apache-2.0
// The geometry of arrays. See tiles.h.
#include "algo/tiles.h"

#include <string.h>

#include "base/assert.h"

static uint64_t divide_up(uint64_t a, uint64_t b) {
    TARN_ASSERT(b != 0 && a <= UINT64_MAX - b + 1);
    return (a + b - 1) / b;
}

// ---- levels and bytes

uint32_t tn_tiles_max_levels(const uint64_t size[3]) {
    uint64_t bits = size[0] | size[1] | size[2]; // has the highest bit of the largest size
    uint32_t levels = 1;
    while (bits > 1) {
        bits >>= 1;
        levels++;
    }
    return levels;
}

static uint64_t row_bytes(const struct tn_tiles *t, uint32_t level) {
    return tn_tiles_size(t, level, 0) * t->element_bytes;
}

uint64_t tn_tiles_level_bytes(const struct tn_tiles *t, uint32_t level) {
    return row_bytes(t, level) * tn_tiles_size(t, level, 1) * tn_tiles_size(t, level, 2);
}

// Returns the bytes of levels [from, to) of one layer.
static uint64_t levels_bytes(const struct tn_tiles *t, uint32_t from, uint32_t to) {
    uint64_t sum = 0;
    for (uint32_t level = from; level < to; level++) sum += tn_tiles_level_bytes(t, level);
    return sum;
}

// Returns a * b, or 0 if that exceeds the largest array.
static uint64_t multiply_bytes(uint64_t a, uint64_t b) {
    return a <= TN_TILES_MAX_BYTES && b <= TN_TILES_MAX_BYTES / (a != 0 ? a : 1) ? a * b : 0;
}

bool tn_tiles_init(struct tn_tiles *t, const uint64_t size[3], uint32_t layers, uint32_t levels,
                   uint32_t element_bytes) {
    *t = (struct tn_tiles){.layers = layers != 0 ? layers : 1,
                           .levels = levels != 0 ? levels : 1,
                           .element_bytes = element_bytes,
                           .volume = size[2] != 0};
    uint64_t bytes = multiply_bytes(element_bytes, t->layers);
    for (int axis = 0; axis < 3; axis++) {
        t->size[axis] = size[axis] != 0 ? size[axis] : 1;
        bytes = multiply_bytes(bytes, t->size[axis]);
    }
    if (bytes == 0) return false;
    TARN_ASSERT(t->levels <= tn_tiles_max_levels(t->size));
    t->layer_bytes = levels_bytes(t, 0, t->levels);
    return tn_tiles_bytes(t) <= TN_TILES_MAX_BYTES;
}

uint64_t tn_tiles_bytes(const struct tn_tiles *t) { return t->layers * t->layer_bytes; }

static uint64_t layer_of(const struct tn_tiles *t, const uint64_t at[3]) {
    return t->volume ? 0 : at[2];
}

static uint64_t slice_of(const struct tn_tiles *t, const uint64_t at[3]) {
    return t->volume ? at[2] : 0;
}

// Returns the position of an element in the levels from `base` on of its layer.
static uint64_t linear_from(const struct tn_tiles *t, uint32_t base, uint32_t level,
                            const uint64_t at[3]) {
    TARN_ASSERT(base <= level && level < t->levels);
    uint64_t row = slice_of(t, at) * tn_tiles_size(t, level, 1) + at[1];
    return levels_bytes(t, base, level) + row * row_bytes(t, level) + at[0] * t->element_bytes;
}

uint64_t tn_tiles_linear(const struct tn_tiles *t, uint32_t level, const uint64_t at[3]) {
    return layer_of(t, at) * t->layer_bytes + linear_from(t, 0, level, at);
}

// ---- tiles

static uint64_t tiles_along(const struct tn_tiles *t, uint32_t level, int axis) {
    return divide_up(tn_tiles_size(t, level, axis), t->cut.tile[axis]);
}

// Returns the number of tiles of the levels before `level`, in one layer.
static uint64_t tiles_below(const struct tn_tiles *t, uint32_t level) {
    uint64_t sum = 0;
    for (uint32_t l = 0; l < level; l++)
        sum += tiles_along(t, l, 0) * tiles_along(t, l, 1) * tiles_along(t, l, 2);
    return sum;
}

static uint64_t tail_pages(const struct tn_tiles *t) {
    return t->cut.tail_bytes / t->cut.tile_bytes;
}

void tn_tiles_set_cut(struct tn_tiles *t, const struct tn_tiles_cut *cut) {
    TARN_ASSERT(cut->sparse_levels <= t->levels && cut->tail_bytes % cut->tile_bytes == 0);
    TARN_ASSERT((uint64_t)cut->tile[0] * cut->tile[1] * cut->tile[2] * t->element_bytes ==
                cut->tile_bytes);
    t->cut = *cut;
    t->layer_tail_bytes = levels_bytes(t, cut->sparse_levels, t->levels);
    t->layer_entries = tiles_below(t, cut->sparse_levels) + (cut->single_tail ? 0 : tail_pages(t));
}

void tn_tiles_cut_standard(struct tn_tiles *t, bool plain) {
    struct tn_tiles_cut cut = {.tile_bytes = TN_TILES_BYTES};
    // The standard shape for elements of one byte. Each doubling of the element halves one side;
    // the axes are in the order in which they are halved.
    static const uint32_t shape[2][3] = {{256, 256, 1}, {64, 32, 32}};
    static const int order[2][4] = {{1, 0, 1, 0}, {0, 2, 1, 0}};
    memcpy(cut.tile, shape[t->volume], sizeof cut.tile);
    for (uint32_t bytes = 1, i = 0; bytes < t->element_bytes; bytes *= 2, i++)
        cut.tile[order[t->volume][i]] /= 2;
    while (cut.sparse_levels < t->levels && tn_tiles_size(t, cut.sparse_levels, 0) >= cut.tile[0] &&
           tn_tiles_size(t, cut.sparse_levels, 1) >= cut.tile[1] &&
           tn_tiles_size(t, cut.sparse_levels, 2) >= cut.tile[2])
        cut.sparse_levels++;
    cut.single_tail = plain && cut.sparse_levels == 0;
    uint64_t tail = levels_bytes(t, cut.sparse_levels, t->levels);
    tail = cut.single_tail ? tail * t->layers : tail;
    cut.tail_bytes = divide_up(tail, cut.tile_bytes) * cut.tile_bytes;
    tn_tiles_set_cut(t, &cut);
}

static uint64_t first_of_level(const struct tn_tiles *t, uint64_t layer, uint32_t level) {
    return layer * t->layer_entries + tiles_below(t, level);
}

static uint64_t first_of_tail(const struct tn_tiles *t, uint64_t layer) {
    return t->cut.single_tail ? t->layers * t->layer_entries
                              : layer * t->layer_entries + tiles_below(t, t->cut.sparse_levels);
}

uint64_t tn_tiles_entries(const struct tn_tiles *t) {
    return t->layers * t->layer_entries + (t->cut.single_tail ? tail_pages(t) : 0);
}

// ---- positions of elements

void tn_tiles_locate(const struct tn_tiles *t, uint32_t level, const uint64_t at[3],
                     struct tn_tiles_place *place) {
    uint64_t layer = layer_of(t, at);
    if (level >= t->cut.sparse_levels) {
        uint64_t offset = linear_from(t, t->cut.sparse_levels, level, at);
        uint64_t row = (tn_tiles_size(t, level, 0) - at[0]) * t->element_bytes;
        if (t->cut.single_tail) offset += layer * t->layer_tail_bytes;
        place->entry = first_of_tail(t, layer) + offset / t->cut.tile_bytes;
        place->offset = offset % t->cut.tile_bytes;
        uint64_t page = t->cut.tile_bytes - place->offset;
        place->run = row < page ? row : page;
        TARN_ASSERT(place->run != 0 && place->entry < tn_tiles_entries(t));
        return;
    }
    uint64_t slice = slice_of(t, at);
    uint64_t x = at[0] % t->cut.tile[0];
    uint64_t row = slice % t->cut.tile[2] * t->cut.tile[1] + at[1] % t->cut.tile[1];
    uint64_t tiles = slice / t->cut.tile[2] * tiles_along(t, level, 1) + at[1] / t->cut.tile[1];
    place->entry =
        first_of_level(t, layer, level) + tiles * tiles_along(t, level, 0) + at[0] / t->cut.tile[0];
    place->offset = (row * t->cut.tile[0] + x) * t->element_bytes;
    place->run = (t->cut.tile[0] - x) * t->element_bytes;
    TARN_ASSERT(place->entry < first_of_tail(t, layer) && place->offset < t->cut.tile_bytes);
    TARN_ASSERT(place->run <= t->cut.tile_bytes - place->offset); // a row stays in its tile
}

// ---- walks

void tn_tiles_walk_box(const struct tn_tiles *t, uint32_t layer, const struct tn_tiles_box *box,
                       struct tn_tiles_walk *walk) {
    uint64_t lo[3];
    *walk = (struct tn_tiles_walk){
        .pitch = {tiles_along(t, box->level, 0),
                  tiles_along(t, box->level, 0) * tiles_along(t, box->level, 1)}};
    TARN_ASSERT(layer < t->layers && box->level < t->cut.sparse_levels);
    for (int axis = 0; axis < 3; axis++) {
        TARN_ASSERT(box->extent[axis] <= tn_tiles_size(t, box->level, axis) - box->at[axis]);
        lo[axis] = box->at[axis] / t->cut.tile[axis];
        walk->count[axis] =
            divide_up(box->at[axis] + box->extent[axis], t->cut.tile[axis]) - lo[axis];
    }
    walk->first = first_of_level(t, layer, box->level) + lo[0] + lo[1] * walk->pitch[0] +
                  lo[2] * walk->pitch[1];
}

void tn_tiles_walk_tail(const struct tn_tiles *t, uint32_t layer, uint64_t offset, uint64_t bytes,
                        struct tn_tiles_walk *walk) {
    TARN_ASSERT(offset % t->cut.tile_bytes == 0 && bytes % t->cut.tile_bytes == 0);
    TARN_ASSERT(bytes <= t->cut.tail_bytes && offset <= t->cut.tail_bytes - bytes);
    tn_tiles_walk_all(bytes / t->cut.tile_bytes, walk);
    walk->first = first_of_tail(t, layer) + offset / t->cut.tile_bytes;
}

void tn_tiles_walk_all(uint64_t count, struct tn_tiles_walk *walk) {
    *walk = (struct tn_tiles_walk){.count = {count, 1, 1}};
}

bool tn_tiles_walk_step(struct tn_tiles_walk *walk, uint64_t *entry) {
    uint64_t *next = walk->next;
    if (next[2] == walk->count[2]) return false;
    TARN_ASSERT(next[0] < walk->count[0] && next[1] < walk->count[1]);
    *entry = walk->first + next[0] + next[1] * walk->pitch[0] + next[2] * walk->pitch[1];
    if (++next[0] == walk->count[0]) {
        next[0] = 0;
        if (++next[1] == walk->count[1]) {
            next[1] = 0;
            next[2]++;
        }
    }
    return true;
}
