// SPDX-License-Identifier: Apache-2.0
// The geometry of arrays: how large their levels are, where an element lies when the array is one
// run of bytes, and how a sparse array is cut into tiles and mip tails. Pure: numbers in, numbers
// out; nobody owns anything.
//
// Linear: layer after layer, in a layer level after level, in a level row after row; no padding.
//
// Sparse: a tile is a box of elements, row after row, of `tile_bytes`. The large levels consist of
// tiles, those at an edge included whole; the small ones share the mip tail, in pages of
// `tile_bytes`. Each tile and each page is one entry of a table: layer after layer, in a layer
// level after level (tiles numbered x fastest, then y, then z), then its tail; a single tail is
// last of all.
#ifndef TARN_ALGO_TILES_H
#define TARN_ALGO_TILES_H

#include <tarn/base.h>

// Larger arrays are refused, so that no sum of sizes can wrap.
#define TN_TILES_MOST_BYTES ((uint64_t)1 << 46)

// The tiles of tn_tiles_cut_standard().
#define TN_TILES_BYTES ((uint64_t)64 << 10)

// How a sparse array is cut.
struct tn_tiles_cut {
    uint64_t tile_bytes;
    uint32_t tile[3];       // elements
    uint32_t sparse_levels; // the first levels, which consist of tiles; the others are the tail
    uint64_t tail_bytes;    // of one tail, whole pages
    bool single_tail;       // one for all layers; else one for each
};

// Constant once made.
struct tn_tiles {
    uint64_t size[3]; // elements of level 0; 1 where there is no such dimension
    uint32_t layers;
    uint32_t levels;
    uint32_t element_bytes;
    bool volume; // three dimensions: the third coordinate is a slice; else it is a layer
    struct tn_tiles_cut cut; // of a sparse array; else zero
    // Sums over levels, worked out once: of one layer.
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
// at most what tn_tiles_most_levels() says. False: it has more bytes than TN_TILES_MOST_BYTES.
bool tn_tiles_init(struct tn_tiles *t, const uint64_t size[3], uint32_t layers, uint32_t levels,
                   uint32_t element_bytes);

// Makes it sparse. `cut` is what the device says.
void tn_tiles_set_cut(struct tn_tiles *t, const struct tn_tiles_cut *cut);

// The same with the standard shapes: tiles have two dimensions, or three in a volume. A plain array
// (not mipmapped) below the size of a tile becomes a single tail.
void tn_tiles_cut_standard(struct tn_tiles *t, bool plain);

// The most levels an array of these sizes can have.
uint32_t tn_tiles_most_levels(const uint64_t size[3]);

// Elements of a level, in one dimension.
static inline uint64_t tn_tiles_size(const struct tn_tiles *t, uint32_t level, int axis) {
    uint64_t size = t->size[axis] >> level;
    return size != 0 ? size : 1;
}

// How far the third coordinate of a level reaches: slices of a volume, else layers.
static inline uint64_t tn_tiles_planes(const struct tn_tiles *t, uint32_t level) {
    return t->volume ? tn_tiles_size(t, level, 2) : t->layers;
}

// Bytes of a level of one layer, and of everything.
uint64_t tn_tiles_level_bytes(const struct tn_tiles *t, uint32_t level);
uint64_t tn_tiles_bytes(const struct tn_tiles *t);

// Where an element lies in the linear array.
uint64_t tn_tiles_linear(const struct tn_tiles *t, uint32_t level, const uint64_t at[3]);

// Where an element of a sparse array lies.
struct tn_tiles_place {
    uint64_t entry;  // of the table
    uint64_t offset; // bytes into the tile or page
    uint64_t run;    // bytes of the element's row that follow there, its own included; not cut at
                     // the end of the level
};
void tn_tiles_locate(const struct tn_tiles *t, uint32_t level, const uint64_t at[3],
                     struct tn_tiles_place *place);

// Entries of the table of a sparse array.
uint64_t tn_tiles_entries(const struct tn_tiles *t);

// A walk over entries, in the order in which they take memory of a pool.
struct tn_tiles_walk {
    uint64_t first;    // entry
    uint64_t pitch[2]; // entries from row to row, from slice to slice
    uint64_t count[3]; // of the region
    uint64_t next[3];
};

// The tiles of a box of one layer; it is aligned to tiles, but where it ends with the level.
void tn_tiles_walk_box(const struct tn_tiles *t, uint32_t layer, const struct tn_tiles_box *box,
                       struct tn_tiles_walk *walk);
// Whole pages of a layer's tail; layer 0 of a single one.
void tn_tiles_walk_tail(const struct tn_tiles *t, uint32_t layer, uint64_t offset, uint64_t bytes,
                        struct tn_tiles_walk *walk);
// `count` entries from the beginning.
void tn_tiles_walk_all(uint64_t count, struct tn_tiles_walk *walk);

static inline uint64_t tn_tiles_walk_count(const struct tn_tiles_walk *walk) {
    return walk->count[0] * walk->count[1] * walk->count[2];
}

// The next entry; false at the end.
bool tn_tiles_walk_step(struct tn_tiles_walk *walk, uint64_t *entry);

#endif
