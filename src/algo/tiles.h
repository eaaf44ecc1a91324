// SPDX-License-Identifier: Apache-2.0
// The geometry of arrays: the sizes of levels, the position of an element in linear memory, and the
// tiles and mip tails of sparse arrays. Pure functions of numbers; the structs are constant once
// made.
//
// A linear array consists of layers, a layer of levels, a level of rows, without padding.
#pragma once

#include <tarn/base.h>

// Larger arrays are refused, so that sums of sizes cannot overflow.
#define TN_TILES_MAX_BYTES ((uint64_t)1 << 46)

// Bytes of a tile of tn_tiles_cut_standard().
#define TN_TILES_BYTES ((uint64_t)64 << 10)

// The tiles of a sparse array. A tile is a box of elements with `tile_bytes` bytes, row after row.
// The large levels consist of tiles; tiles at an edge are complete. The small levels share the mip
// tail, in pages of `tile_bytes`. Each tile and each page is one entry of a table, in this order:
// the layers; in a layer the levels (tiles of a level in order of x, then y, then z), then its
// tail. A single tail comes last.
struct tn_tiles_cut {
    uint64_t tile_bytes;
    uint32_t tile[3];       // elements
    uint32_t sparse_levels; // number of levels that consist of tiles; the others are the tail
    uint64_t tail_bytes;    // of one tail, in complete pages
    bool single_tail;       // all layers share one tail; else each has one
};

// Constant once made.
struct tn_tiles {
    uint64_t size[3]; // elements of level 0; 1 for a missing dimension
    uint32_t layers;
    uint32_t levels;
    uint32_t element_bytes;
    bool volume; // three dimensions: the third coordinate is a slice, else it is a layer
    struct tn_tiles_cut cut; // of a sparse array, else zero
    // Sums over the levels of one layer.
    uint64_t layer_bytes;
    uint64_t layer_tail_bytes; // of the elements in the tail
    uint64_t layer_entries;    // of the table; without a single tail
};

// A box of one level of one layer.
struct tn_tiles_box {
    uint32_t level;
    uint64_t at[3];
    uint64_t extent[3];
};

// Describes an array that is not sparse. Zeros count as 1; size[2] != 0 makes a volume. `levels` is
// at most tn_tiles_max_levels(). Returns false if it has more bytes than TN_TILES_MAX_BYTES.
bool tn_tiles_init(struct tn_tiles *t, const uint64_t size[3], uint32_t layers, uint32_t levels,
                   uint32_t element_bytes);

// Makes the array sparse, with tiles as the device describes them.
void tn_tiles_set_cut(struct tn_tiles *t, const struct tn_tiles_cut *cut);

// The same with tiles of the standard shapes: two dimensions, or three in a volume. A `plain` array
// has no mipmap; if it is smaller than a tile, it is a single tail.
void tn_tiles_cut_standard(struct tn_tiles *t, bool plain);

// Returns the largest number of levels of an array of this size.
uint32_t tn_tiles_max_levels(const uint64_t size[3]);

// Returns the elements of a level in one dimension.
static inline uint64_t tn_tiles_size(const struct tn_tiles *t, uint32_t level, int axis) {
    uint64_t size = t->size[axis] >> level;
    return size != 0 ? size : 1;
}

// Returns the extent of the third coordinate of a level: slices of a volume, else layers.
static inline uint64_t tn_tiles_planes(const struct tn_tiles *t, uint32_t level) {
    return t->volume ? tn_tiles_size(t, level, 2) : t->layers;
}

// Return the bytes of a level of one layer, and of the complete array.
uint64_t tn_tiles_level_bytes(const struct tn_tiles *t, uint32_t level);
uint64_t tn_tiles_bytes(const struct tn_tiles *t);

// Returns the position of an element in a linear array.
uint64_t tn_tiles_linear(const struct tn_tiles *t, uint32_t level, const uint64_t at[3]);

// The position of an element of a sparse array.
struct tn_tiles_place {
    uint64_t entry;  // of the table
    uint64_t offset; // bytes into the tile or page
    uint64_t run; // bytes from the element to the end of its row in the tile; may exceed the level
};
void tn_tiles_locate(const struct tn_tiles *t, uint32_t level, const uint64_t at[3],
                     struct tn_tiles_place *place);

// Returns the number of table entries of a sparse array.
uint64_t tn_tiles_entries(const struct tn_tiles *t);

// A walk over table entries, in the order in which they use the memory of a handle.
struct tn_tiles_walk {
    uint64_t first;    // entry
    uint64_t pitch[2]; // entries from row to row, from slice to slice
    uint64_t count[3]; // of the region
    uint64_t next[3];
};

// Walks the tiles of a box of one layer. The box is aligned to tiles, except at the end of the
// level.
void tn_tiles_walk_box(const struct tn_tiles *t, uint32_t layer, const struct tn_tiles_box *box,
                       struct tn_tiles_walk *walk);
// Walks complete pages of a layer's tail. A single tail belongs to layer 0.
void tn_tiles_walk_tail(const struct tn_tiles *t, uint32_t layer, uint64_t offset, uint64_t bytes,
                        struct tn_tiles_walk *walk);
// Walks `count` entries from the beginning.
void tn_tiles_walk_all(uint64_t count, struct tn_tiles_walk *walk);

static inline uint64_t tn_tiles_walk_count(const struct tn_tiles_walk *walk) {
    return walk->count[0] * walk->count[1] * walk->count[2];
}

// Returns the next entry. Returns false at the end.
bool tn_tiles_walk_step(struct tn_tiles_walk *walk, uint64_t *entry);
