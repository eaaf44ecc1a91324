/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/array.h - arrays: elements known by coordinates, not by addresses.
 *
 * An array has one, two or three dimensions, or layers of one or two, and may carry smaller levels
 * of itself (mipmaps). It is reached by copies only. Where its bytes are is the platform's affair,
 * and one of three kinds of memory stands behind it:
 *  - dense: its own, taken from the device when the array is created;
 *  - deferred: none until the whole array is mapped to physical memory, in one piece;
 *  - sparse: none until its tiles are mapped to physical memory, each by itself. A tile is a box of
 * elements. Levels too small for tiles form the mip tail, which is mapped in pages as large as a
 * tile. What is not mapped reads as zero and swallows writes.
 * Physical memory for arrays is created with TARN_USAGE_TILE_POOL on the array's device. It need
 * not be mapped at an address; rights of its mappings do not matter to arrays. Several tiles, of
 * several arrays, may be mapped to the same bytes.
 */
#ifndef TARN_ARRAY_H
#define TARN_ARRAY_H

#include <tarn/phys.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle to an array: slot and generation, never the same number twice. 0 is never valid. */
typedef uint64_t tarn_array;

/* Bits of tarn_array_desc.flags. */
enum {
    TARN_ARRAY_LAYERED = 1u << 0, /* of one or two dimensions, many times */
    TARN_ARRAY_CUBE = 1u << 1,    /* layers are faces of cubes: six, or with LAYERED a multiple */
    TARN_ARRAY_SPARSE = 1u << 2,
    TARN_ARRAY_DEFERRED = 1u << 3
};

/* Elements in each dimension. 0: there is no such dimension. */
typedef struct tarn_extent {
    uint64_t width;
    uint64_t height;
    uint64_t depth;
} tarn_extent;

/* What to create. */
typedef struct tarn_array_desc {
    size_t struct_size;
    tarn_extent extent;     /* of level 0; height 0: one dimension; depth 0: at most two */
    uint32_t layers;        /* 0 counts as 1; more than 1 for LAYERED and CUBE only */
    uint32_t levels;        /* 0: a plain array; else a mipmapped one with so many levels */
    uint32_t element_bytes; /* 1, 2, 4, 8 or 16 */
    uint32_t flags;         /* TARN_ARRAY_ bits */
} tarn_array_desc;

/*
 * Creates an array on the device. The size of a dimension in level n is that of level 0 divided by
 * 2^n, rounded down, at least 1; layers stay as many. A dense array takes memory of the device,
 * with undefined contents; a sparse or deferred one takes none. BAD_ARGUMENT: device, desc or array
 * NULL, width 0, height 0 with a depth, a depth together with layers or a cube, more than one layer
 * without LAYERED or CUBE, a cube that is not square or whose layers are no multiple of 6 (exactly
 * 6 without LAYERED), element_bytes, more levels than it takes to reach 1 in every dimension, an
 * unknown flag, SPARSE together with DEFERRED, CUBE or one dimension, more than 2^46 bytes;
 * BAD_STRUCT; UNSUPPORTED: no TARN_FEATURE_ARRAYS; NO_DEVICE_MEMORY; NO_HOST_MEMORY: for records,
 * in proportion to the tiles; NO_HANDLES; NO_ADDRESS_SPACE; NO_MAPPINGS.
 */
TARN_API tarn_status tarn_array_create(tarn_device *device, const tarn_array_desc *desc,
                                       tarn_array *array);

/*
 * Destroys the array when all work of its platform is done, for which it waits; the references that
 * its mapped tiles hold on physical memory are dropped. 0 is fine. BAD_HANDLE; FORKED.
 */
TARN_API tarn_status tarn_array_destroy(tarn_array array);

typedef struct tarn_array_info {
    size_t struct_size;
    tarn_extent extent; /* the following are as created, `layers` at least 1 */
    uint32_t layers;
    uint32_t levels;
    uint32_t element_bytes;
    uint32_t flags;
    int ordinal;               /* of its device */
    uint64_t bytes;            /* of all elements of all levels and layers */
    uint64_t memory_bytes;     /* deferred: what is mapped, from its offset on; else 0 */
    uint64_t memory_alignment; /* deferred: of that offset; else 0 */
} tarn_array_info;

/* Fills `info` up to info->struct_size. BAD_HANDLE, FORKED, BAD_ARGUMENT, BAD_STRUCT. */
TARN_API tarn_status tarn_array_query(tarn_array array, tarn_array_info *info);

/* The elements of one level, of one layer. BAD_HANDLE; FORKED; BAD_ARGUMENT: extent NULL, no such
 * level. */
TARN_API tarn_status tarn_array_query_level(tarn_array array, uint32_t level, tarn_extent *extent);

/*
 * How a sparse array is cut. Level n consists of tiles when n < sparse_levels; the others are the
 * mip tail. (Interfaces that tell a "first level of the tail" mean sparse_levels, and 0 for plain
 * arrays.)
 */
typedef struct tarn_array_sparse_info {
    size_t struct_size;
    tarn_extent tile;       /* elements; depth 1 in arrays of two dimensions */
    uint64_t tile_bytes;    /* of physical memory for a tile, also one cut by an edge */
    uint32_t sparse_levels; /* 0 to levels */
    uint64_t tail_bytes;    /* of one tail, a multiple of tile_bytes; 0: there is none */
    bool single_tail;       /* one tail for all layers: it is that of layer 0. So it is in a plain
                               array too small for tiles; else each layer has its own */
} tarn_array_sparse_info;

/* Fills `info` up to info->struct_size. BAD_HANDLE; FORKED; BAD_ARGUMENT: also an array that is not
 * sparse; BAD_STRUCT. */
TARN_API tarn_status tarn_array_query_sparse(tarn_array array, tarn_array_sparse_info *info);

/* What an item of tarn_array_map() does. */
typedef enum tarn_array_op { TARN_ARRAY_MAP = 1, TARN_ARRAY_UNMAP = 2 } tarn_array_op;

/* And to which part of a sparse array. */
typedef enum tarn_array_part { TARN_ARRAY_TILES = 0, TARN_ARRAY_TAIL = 1 } tarn_array_part;

typedef struct tarn_array_map_item {
    tarn_array array;
    tarn_array_op op;
    tarn_phys phys;       /* to map; 0 to unmap, where phys_offset is ignored */
    uint64_t phys_offset; /* bytes; a multiple of tile_bytes, or of memory_alignment */
    /* The rest is ignored for a deferred array, which is mapped whole. */
    tarn_array_part part;
    uint32_t layer;       /* below the array's layers; 0 for a single tail */
    uint32_t level;       /* of TILES; below sparse_levels */
    uint64_t offset[3];   /* of TILES: x, y, z of the first element, multiples of the tile's */
    tarn_extent extent;   /* of TILES: none is 0, depth 1 in two dimensions. Multiples of the tile's
                             size, or up to the edge of the level */
    uint64_t tail_offset; /* of TAIL: bytes, multiples of tile_bytes */
    uint64_t tail_bytes;
} tarn_array_map_item;

/*
 * Maps and unmaps tiles, pages of tails and deferred arrays, in the order of the items, when the
 * stream comes to it; with TARN_STREAM_NONE when the call returns, not waiting for streams. Tiles
 * take memory from phys_offset on, `tile_bytes` each: x fastest, then y, then z.
 *
 * All items are checked before anything is given to the stream; a call that fails has done nothing.
 * The list is copied. Mapping what is mapped replaces it; unmapping what is not does nothing. The
 * contents of the physical memory are not touched.
 *
 * From the call on each tile and page to be mapped holds a mapping reference on `phys`, a deferred
 * array one for all of it, so that it may be released right after the call. The reference goes when
 * the tile is replaced, unmapped, or goes with its array, not before the stream has come there; and
 * when the item is dropped behind a fault of its stream.
 *
 * BAD_HANDLE: an array or a phys is not a live one, or the stream, which is looked at first;
 * FORKED; BAD_DEVICE: an array is of another device than the stream or the first array, or the
 * memory is not on the array's device; BAD_ARGUMENT: items NULL, count 0, op or part unknown, an
 * array neither sparse nor deferred, a phys to unmap from, a phys without TARN_USAGE_TILE_POOL,
 * no such level, layer or tail, a box or tail range that is empty or leaves its level or tail;
 * MISALIGNED: offsets and sizes; BAD_ADDRESS: the memory ends before the tiles do; NO_HOST_MEMORY;
 * NO_HANDLES: more than 2^32 references to one phys; NO_MAPPINGS, NO_ADDRESS_SPACE, SYSTEM: the
 * memory cannot be made reachable; DEVICE_FAULT.
 */
TARN_API tarn_status tarn_array_map(const tarn_array_map_item *items, size_t count,
                                    tarn_stream stream);

/* Where one side of a copy is: a box in a level of an array, or in linear memory. */
typedef struct tarn_array_place {
    tarn_array array; /* 0: linear memory */
    uint32_t level;
    uint64_t x; /* of the first element in the level */
    uint64_t y;
    uint64_t z;           /* a slice; in an array with layers the first layer */
    tarn_addr addr;       /* linear: of the first element, any alignment */
    uint64_t pitch;       /* linear: bytes from row to row; 0: rows follow each other */
    uint64_t slice_pitch; /* linear: bytes from slice to slice; 0: slices follow each other */
} tarn_array_place;

typedef struct tarn_array_copy_desc {
    size_t struct_size;
    tarn_array_place dst;
    tarn_array_place src;
    uint64_t width;        /* elements */
    uint64_t height;       /* rows; 0 counts as 1 */
    uint64_t depth;        /* slices or layers; 0 counts as 1 */
    tarn_device *peers[2]; /* further devices whose rights on linear memory count; may be NULL */
} tarn_array_copy_desc;

/*
 * Copies a box of elements between an array and linear memory, or between two arrays with elements
 * of one size. At least one side is an array. `device` executes it and may be NULL with a stream,
 * as in tarn_copy(), whose rules for linear memory, rights and time hold here; arrays may be of any
 * device of the platform. Width 0 does nothing. Where a sparse array has no memory the source reads
 * as zero, and what goes to the destination is dropped.
 *
 * A deferred array must be mapped: NOT_MAPPED when, in the order of calls, it is not; in a stream
 * it can also turn out when the copy runs, and is then the stream's fault.
 *
 * BAD_HANDLE: stream or array; FORKED; BAD_ARGUMENT: device NULL without a stream, desc NULL,
 * device and stream differ, no side or a side of another platform is an array, elements of
 * different size, no such level, a box that leaves its level, a linear address 0, a pitch below the
 * bytes of a row, a slice pitch below those of a slice, boxes of one array that overlap, a peer of
 * another platform; BAD_STRUCT; BAD_ADDRESS, NOT_MAPPED, NO_ACCESS: of linear memory, as
 * tarn_copy(); NO_HOST_MEMORY; DEVICE_FAULT.
 */
TARN_API tarn_status tarn_array_copy(tarn_device *device, const tarn_array_copy_desc *desc,
                                     tarn_stream stream);

#ifdef __cplusplus
}
#endif
#endif
