/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/copy.h
 * Copies and fills of device memory, mappings, pinned and ordinary host memory.
 *
 * With a stream, the call returns at once and the work runs in stream order; ordinary host memory
 * must stay valid and unchanged until then. A vendor's library may wait for the stream if one side
 * is ordinary host memory; pinned memory never waits. With TARN_STREAM_NONE the work is done when
 * the call returns, and the call does not wait for streams.
 *
 * Every byte of a reservation that takes part must be mapped; a range may cross mappings. The
 * source needs READ and the destination READ_WRITE, held by the executing device, by the device
 * that owns the bytes, or by a device named in `peers`. Rights are checked when the call is made
 * and again when the work runs. A violation at run time is a sticky DEVICE_FAILED of the stream.
 *
 * On `host`, a copy of 4 or 8 bytes from and to multiples of its size is one access each to read
 * and to write, which acquires and releases: a thread that uses atomics sees all of it or nothing.
 *
 * Addresses that the library does not know are ordinary host memory, which the caller guarantees to
 * be valid. Addresses of memory that the library has released are refused (TARN_ADDRESS_RETIRED).
 */
#ifndef TARN_COPY_H
#define TARN_COPY_H

#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A CPU pointer as an address. */
#define TARN_ADDR(pointer) ((tarn_addr)(uintptr_t)(pointer))

/**
 * Copies bytes.
 *
 * @param device executes the copy; may be NULL with a stream, which then determines the device
 * @param dst    start of the destination
 * @param src    start of the source
 * @param bytes  length; 0 does nothing
 * @param stream a stream of the device, or TARN_STREAM_NONE
 * @retval TARN_BAD_ARGUMENT   an address is 0, device is NULL without a stream, device and stream
 *                             differ, or source and destination overlap
 * @retval TARN_BAD_HANDLE     stream is not live
 * @retval TARN_BAD_ADDRESS    a range wraps, leaves its memory, is of another platform, or has been
 *                             released
 * @retval TARN_NOT_MAPPED     part of a range in a reservation is not mapped
 * @retval TARN_NO_ACCESS      the rights are missing
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_DEVICE_FAILED  work of the stream failed
 */
TARN_API tarn_status tarn_copy(tarn_device *device, tarn_addr dst, tarn_addr src, uint64_t bytes,
                               tarn_stream stream);

/**
 * A copy of a box: `depth` slices of `height` rows of `width` bytes. Each row begins `pitch` bytes
 * after the previous one, each slice `slice_pitch` bytes after the previous one. A pitch counts if
 * there is more than one row, a slice pitch if there is more than one slice.
 */
typedef struct tarn_copy_desc {
    size_t struct_size;       /**< set by TARN_INIT(tarn_copy_desc) */
    tarn_addr dst;            /**< first byte of the destination */
    tarn_addr src;            /**< first byte of the source */
    uint64_t width;           /**< bytes of a row; 0 does nothing */
    uint64_t height;          /**< rows of a slice; 0 counts as 1 */
    uint64_t dst_pitch;       /**< at least width */
    uint64_t src_pitch;       /**< at least width */
    tarn_device *peers[2];    /**< further devices whose rights count; may be NULL */
    uint64_t depth;           /**< slices; 0 counts as 1 */
    uint64_t dst_slice_pitch; /**< at least the rows of a slice */
    uint64_t src_slice_pitch; /**< at least the rows of a slice */
    uint32_t flags;           /**< 0 or TARN_COPY_TAKE_SOURCE */
    uint32_t zero;            /**< 0; no meaning yet */
} tarn_copy_desc;

/** Bits of tarn_copy_desc.flags. */
enum {
    /** A source in ordinary host memory is read before the call returns: the caller may change it
        at once, and the call does not wait for the stream. The library keeps the bytes until the
        stream has copied them. A source in other memory is read in stream order, as without it. */
    TARN_COPY_TAKE_SOURCE = 1u << 0
};

/**
 * Copies a box. All of it is checked before any of it is copied.
 *
 * @param device as for tarn_copy()
 * @param desc   the copy
 * @param stream as for tarn_copy()
 * @retval TARN_BAD_ARGUMENT desc is NULL, a pitch is below width, the rows do not fit a slice
 *                           pitch, a peer is of another platform, flags are unknown,
 *                           or zero is not 0
 * @retval TARN_BAD_STRUCT   desc has fields that the library does not know
 * @return the statuses of tarn_copy() otherwise
 */
TARN_API tarn_status tarn_copy_box(tarn_device *device, const tarn_copy_desc *desc,
                                   tarn_stream stream);

/**
 * Fills elements with a value.
 *
 * @param device        as for tarn_copy()
 * @param dst           the first element; a multiple of element_bytes
 * @param value         its low element_bytes bytes are written
 * @param element_bytes 1, 2 or 4
 * @param count         number of elements; 0 does nothing
 * @param stream        as for tarn_copy()
 * @retval TARN_BAD_ARGUMENT element_bytes is another value
 * @retval TARN_MISALIGNED   dst is not such a multiple
 * @return the statuses of tarn_copy() otherwise
 */
TARN_API tarn_status tarn_fill(tarn_device *device, tarn_addr dst, uint32_t value,
                               unsigned element_bytes, uint64_t count, tarn_stream stream);

/** A fill of a box: `depth` slices of `height` rows of `width` elements. */
typedef struct tarn_fill_desc {
    size_t struct_size;     /**< set by TARN_INIT(tarn_fill_desc) */
    tarn_addr dst;          /**< the first element */
    uint64_t width;         /**< elements of a row; 0 does nothing */
    uint64_t height;        /**< rows of a slice; 0 counts as 1 */
    uint64_t pitch;         /**< bytes between rows; at least the bytes of a row */
    uint64_t depth;         /**< slices; 0 counts as 1 */
    uint64_t slice_pitch;   /**< bytes between slices; at least the rows of a slice */
    uint32_t value;         /**< its low bytes are written */
    unsigned element_bytes; /**< 1, 2 or 4; 0 counts as 1 */
} tarn_fill_desc;

/**
 * Fills a box.
 *
 * @param device as for tarn_copy()
 * @param desc   the fill
 * @param stream as for tarn_copy()
 * @retval TARN_MISALIGNED desc->dst, or a pitch that counts, is not a multiple of the element size
 * @return the statuses of tarn_copy_box() and tarn_fill() otherwise
 */
TARN_API tarn_status tarn_fill_box(tarn_device *device, const tarn_fill_desc *desc,
                                   tarn_stream stream);

#ifdef __cplusplus
}
#endif
#endif
