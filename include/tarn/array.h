/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/array.h
 * Arrays: elements addressed by coordinates.
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 *
 * An array has one, two or three dimensions, or layers of one or two, and may carry smaller levels
 * of itself (mipmaps). Its elements have no addresses; copies move them. An array is backed by one
 * of three kinds of memory:
 *  - dense: separate memory, allocated from the device when the array is created;
 *  - deferred: no memory until the complete array is mapped to physical memory in one piece;
 *  - sparse: no memory until its tiles are mapped to physical memory one by one. A tile is a box of
 *    elements. Levels too small for tiles form the mip tail, which is mapped in pages of the size
 *    of a tile. Unmapped parts read as zero and ignore writes.
 *
 * Physical memory for arrays is created with TARN_USAGE_TILE_POOL on the array's device. It need
 * not be mapped at an address, and rights of its mappings do not affect arrays. Several tiles, also
 * of several arrays, may be mapped to the same bytes.
 */
#ifndef TARN_ARRAY_H
#define TARN_ARRAY_H

#include <tarn/phys.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A handle to an array. Its number is never used again. 0 is never valid. */
typedef uint64_t tarn_array;

/** Bits of tarn_array_desc.flags. */
enum {
    TARN_ARRAY_LAYERED = 1u << 0, /**< layers of one or two dimensions */
    TARN_ARRAY_CUBE = 1u << 1,    /**< layers are faces of cubes: six, or with LAYERED a multiple */
    TARN_ARRAY_SPARSE = 1u << 2,  /**< mapped by tiles */
    TARN_ARRAY_DEFERRED = 1u << 3 /**< mapped as a whole */
};

/** Elements in each dimension. A dimension that does not exist is 0. */
typedef struct tarn_extent {
    uint64_t width;  /**< x */
    uint64_t height; /**< y */
    uint64_t depth;  /**< z */
} tarn_extent;

/** An array to create. */
typedef struct tarn_array_desc {
    size_t struct_size;     /**< set by TARN_INIT(tarn_array_desc) */
    tarn_extent extent;     /**< of level 0; height 0 means one dimension, depth 0 means at most
                                two */
    uint32_t layers;        /**< 0 counts as 1; more than 1 for LAYERED and CUBE only */
    uint32_t levels;        /**< number of levels of a mipmapped array; 0 means a plain array */
    uint32_t element_bytes; /**< 1, 2, 4, 8 or 16 */
    uint32_t flags;         /**< TARN_ARRAY_ bits */
} tarn_array_desc;

/**
 * Creates an array. A dimension in level n has the size of that in level 0 divided by 2^n, rounded
 * down, at least 1; the number of layers is the same in each level. A dense array allocates device
 * memory with undefined contents. A sparse or deferred array allocates none.
 *
 * @param device the device
 * @param desc   the array
 * @param array  receives the handle
 * @retval TARN_BAD_ARGUMENT     device, desc or array is NULL; width is 0, or height is 0 with a
 *                               depth; a depth together with layers or a cube; several layers
 *                               without LAYERED or CUBE; a cube that is not square, or whose layers
 *                               are not a multiple of 6 (exactly 6 without LAYERED); an unknown
 *                               element_bytes; more levels than reach 1 in every dimension; an
 *                               unknown flag; SPARSE together with DEFERRED, CUBE or one dimension;
 *                               more than 2^46 bytes
 * @retval TARN_BAD_STRUCT       desc has fields that the library does not know
 * @retval TARN_UNSUPPORTED      the device does not have TARN_FEATURE_ARRAYS
 * @retval TARN_NO_DEVICE_MEMORY the device does not have enough capacity left
 * @retval TARN_NO_HOST_MEMORY   no memory for the records, which grow with the number of tiles
 * @retval TARN_NO_HANDLES       no handles are left
 * @retval TARN_NO_ADDRESS_SPACE no range of addresses is free
 * @retval TARN_NO_MAPPINGS      the kernel's budget of mappings is exhausted
 */
TARN_API tarn_status tarn_array_create(tarn_device *device, const tarn_array_desc *desc,
                                       tarn_array *array);

/**
 * Waits for all work of the array's platform and destroys the array. The references of its mapped
 * tiles to physical memory are dropped.
 *
 * @param array the array; 0 does nothing
 * @retval TARN_BAD_HANDLE not a live array
 * @retval TARN_BUSY       the call is made inside a host function of the platform
 */
TARN_API tarn_status tarn_array_destroy(tarn_array array);

/** The answer of tarn_array_query(). */
typedef struct tarn_array_info {
    size_t struct_size;        /**< set by TARN_INIT(tarn_array_info) */
    tarn_extent extent;        /**< as created */
    uint32_t layers;           /**< as created, at least 1 */
    uint32_t levels;           /**< as created */
    uint32_t element_bytes;    /**< as created */
    uint32_t flags;            /**< as created */
    int ordinal;               /**< of its device */
    uint64_t bytes;            /**< of all elements of all levels and layers */
    uint64_t memory_bytes;     /**< deferred: length of the memory that it is mapped to */
    uint64_t memory_alignment; /**< deferred: alignment of the offset in that memory */
} tarn_array_info;

/**
 * Queries an array.
 *
 * @param array the array
 * @param info  filled up to info->struct_size, which the caller sets
 * @retval TARN_BAD_HANDLE   not a live array
 * @retval TARN_BAD_ARGUMENT info is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_array_query(tarn_array array, tarn_array_info *info);

/**
 * Queries the elements of one layer of a level.
 *
 * @param array  the array
 * @param level  the level
 * @param extent receives its size
 * @retval TARN_BAD_HANDLE   not a live array
 * @retval TARN_BAD_ARGUMENT extent is NULL, or no such level
 */
TARN_API tarn_status tarn_array_query_level(tarn_array array, uint32_t level, tarn_extent *extent);

/**
 * The division of a sparse array. Levels below sparse_levels consist of tiles; the others are the
 * mip tail. Interfaces with a "first level of the tail" mean sparse_levels, and 0 for plain arrays.
 */
typedef struct tarn_array_sparse_info {
    size_t struct_size;     /**< set by TARN_INIT(tarn_array_sparse_info) */
    tarn_extent tile;       /**< elements of a tile; depth 1 in arrays of two dimensions */
    uint64_t tile_bytes;    /**< physical memory of a tile, also of one at an edge */
    uint32_t sparse_levels; /**< 0 to levels */
    uint64_t tail_bytes;    /**< of one tail, a multiple of tile_bytes; 0 without a tail */
    /** All layers share one tail, that of layer 0. This is also true of a plain array that is too
     * small for tiles. Otherwise each layer has its own tail. */
    bool single_tail;
} tarn_array_sparse_info;

/**
 * Queries the division of a sparse array.
 *
 * @param array the array
 * @param info  filled up to info->struct_size, which the caller sets
 * @retval TARN_BAD_HANDLE   not a live array
 * @retval TARN_BAD_ARGUMENT info is NULL, or the array is not sparse
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_array_query_sparse(tarn_array array, tarn_array_sparse_info *info);

/** The operation of an item. */
typedef enum tarn_array_op {
    TARN_ARRAY_MAP = 1,  /**< maps */
    TARN_ARRAY_UNMAP = 2 /**< unmaps */
} tarn_array_op;

/** The part of a sparse array that an item is about. */
typedef enum tarn_array_part {
    TARN_ARRAY_TILES = 0, /**< a box of tiles in a level */
    TARN_ARRAY_TAIL = 1   /**< a range of the mip tail */
} tarn_array_part;

/** One operation of tarn_array_map(). The fields from `part` on are ignored for a deferred
 * array. */
typedef struct tarn_array_map_item {
    tarn_array array;     /**< the array */
    uint32_t op;          /**< a tarn_array_op: map or unmap */
    tarn_phys phys;       /**< the memory to map; 0 to unmap */
    uint64_t phys_offset; /**< to map: a multiple of tile_bytes, or of memory_alignment */
    uint32_t part;        /**< a tarn_array_part: tiles or tail */
    uint32_t layer;       /**< below the array's layers; 0 for a single tail */
    uint32_t level;       /**< TILES: below sparse_levels */
    uint64_t offset[3];   /**< TILES: x, y, z of the first element, multiples of the tile's size */
    tarn_extent extent;   /**< TILES: multiples of the tile's size, or up to the edge of the level;
                               not 0, depth 1 in two dimensions */
    uint64_t tail_offset; /**< TAIL: a multiple of tile_bytes */
    uint64_t tail_bytes;  /**< TAIL: a multiple of tile_bytes */
} tarn_array_map_item;

/**
 * Maps and unmaps tiles, ranges of tails, and deferred arrays, in the order of the items and in
 * stream order. With TARN_STREAM_NONE the call does this before it returns, and does not wait for
 * streams. Tiles take memory from phys_offset on, tile_bytes each: x fastest, then y, then z.
 *
 * All items are checked before any is enqueued; a call that fails changes nothing. The list is
 * copied. Mapping a mapped part replaces it, and unmapping an unmapped part does nothing. The
 * contents of the physical memory do not change.
 *
 * From the call on, each tile and page holds a mapping reference to `phys`; a deferred array holds
 * one in total. So `phys` may be released right after the call. The reference is dropped when the
 * stream replaces or unmaps the tile, when the array is destroyed, or when the item is discarded
 * after a failure of its stream.
 *
 * @param items  the operations
 * @param count  their number
 * @param stream a stream of the arrays' device, or TARN_STREAM_NONE
 * @retval TARN_BAD_HANDLE       the stream, an array or a phys is not live; the stream is checked
 *                               first
 * @retval TARN_BAD_DEVICE       an array is of another device than the stream or the first array,
 *                               or the memory is not on the array's device
 * @retval TARN_BAD_ARGUMENT     items is NULL or count is 0; an unknown op or part; an array
 *                               neither sparse nor deferred; an unmap with a phys; a phys without
 *                               TARN_USAGE_TILE_POOL; no such level, layer or tail; a box or range
 *                               that is empty or leaves its level or tail
 * @retval TARN_MISALIGNED       an offset or length is misaligned
 * @retval TARN_BAD_ADDRESS      the memory ends before the tiles do
 * @retval TARN_NO_HOST_MEMORY   no memory for the records
 * @retval TARN_NO_HANDLES       more than 2^32 references to one phys
 * @retval TARN_NO_MAPPINGS      the memory cannot be made accessible
 * @retval TARN_NO_ADDRESS_SPACE the memory cannot be made accessible
 * @retval TARN_SYSTEM           the memory cannot be made accessible
 * @retval TARN_DEVICE_FAILED    work of the stream failed
 */
TARN_API tarn_status tarn_array_map(const tarn_array_map_item *items, size_t count,
                                    tarn_stream stream);

/** One side of a copy: a box in a level of an array, or in linear memory. */
typedef struct tarn_array_place {
    tarn_array array;     /**< the array; 0 means linear memory */
    uint32_t level;       /**< array: the level */
    uint64_t x;           /**< array: x of the first element in the level */
    uint64_t y;           /**< array: y of the first element */
    uint64_t z;           /**< array: its slice, or the first layer */
    tarn_addr addr;       /**< linear: the first element, at any alignment */
    uint64_t pitch;       /**< linear: bytes from row to row; 0: rows are contiguous */
    uint64_t slice_pitch; /**< linear: bytes from slice to slice; 0: slices are contiguous */
} tarn_array_place;

/** A copy from or to an array. */
typedef struct tarn_array_copy_desc {
    size_t struct_size;    /**< set by TARN_INIT(tarn_array_copy_desc) */
    tarn_array_place dst;  /**< destination */
    tarn_array_place src;  /**< source */
    uint64_t width;        /**< elements; 0 does nothing */
    uint64_t height;       /**< rows; 0 counts as 1 */
    uint64_t depth;        /**< slices or layers; 0 counts as 1 */
    tarn_device *peers[2]; /**< further devices whose rights to linear memory count; may be NULL */
} tarn_array_copy_desc;

/**
 * Copies a box of elements between an array and linear memory, or between two arrays with elements
 * of one size. The rules of tarn_copy() for linear memory, rights and time hold; arrays may be of
 * any device of the platform. Where a sparse array has no memory, the source reads as zero and
 * writes to the destination are dropped.
 *
 * A deferred array must be mapped by an earlier call, else TARN_NOT_MAPPED. In a stream this can
 * also be detected when the copy runs, and is then a failure of the stream.
 *
 * @param device as for tarn_copy()
 * @param desc   the copy
 * @param stream as for tarn_copy()
 * @retval TARN_BAD_HANDLE   the stream or an array is not live
 * @retval TARN_BAD_ARGUMENT device is NULL without a stream, or desc is NULL; device and stream
 *                           differ; no side is an array, or an array or peer is of another
 *                           platform; elements of different sizes; no such level, or a box that
 *                           leaves it; a linear address 0; a pitch below the bytes of a row, or a
 *                           slice pitch below those of a slice; boxes of one array that overlap
 * @retval TARN_BAD_STRUCT   desc has fields that the library does not know
 * @retval TARN_NOT_MAPPED   a deferred array, or linear memory, is not mapped
 * @return the statuses of tarn_copy() otherwise
 */
TARN_API tarn_status tarn_array_copy(tarn_device *device, const tarn_array_copy_desc *desc,
                                     tarn_stream stream);

#ifdef __cplusplus
}
#endif
#endif
