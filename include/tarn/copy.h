/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/copy.h - moving and filling bytes, between any two of: device memory, mappings, pinned and
 * ordinary host memory.
 *
 * With a stream the call returns at once and the work runs in stream order; ordinary host memory
 * must stay valid and untouched until then. A card's library may wait for the stream when one side
 * is ordinary host memory: pinned memory never waits. With TARN_STREAM_NONE it is done when the
 * call returns, and does not wait for streams.
 *
 * Every byte in a reservation must be mapped; a range may cross mappings. Rights are checked when
 * the call is made and again when the work runs: the source needs READ, the destination READ_WRITE,
 * held by one of: the executing device, the device that owns the bytes, a device named in `peers`.
 * Violations at the call: NOT_MAPPED, NO_ACCESS, BAD_ADDRESS. Violations at run time are the
 * stream's sticky DEVICE_FAULT. Addresses that this library does not know are ordinary host memory,
 * whose validity is the caller's word. Overlap of source and destination is BAD_ARGUMENT.
 */
#ifndef TARN_COPY_H
#define TARN_COPY_H

#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A CPU pointer as an address. */
#define TARN_ADDR(pointer) ((tarn_addr)(uintptr_t)(pointer))

/*
 * Copies `size` bytes; 0 is fine and does nothing. `device` executes it; it may be NULL with a
 * stream, whose device it then is. BAD_ARGUMENT: an address 0, device NULL without stream, device
 * and stream differ, overlap; BAD_HANDLE: stream; BAD_ADDRESS: a range wraps or leaves its memory;
 * NOT_MAPPED; NO_ACCESS; NO_HOST_MEMORY; DEVICE_FAULT.
 */
TARN_API tarn_status tarn_copy(tarn_device *device, tarn_addr dst, tarn_addr src, uint64_t size,
                               tarn_stream stream);

/*
 * A copy of a box: `depth` slices of `height` rows of `width` bytes. Each row begins `pitch` bytes
 * behind the one before, each slice `slice_pitch` bytes. A pitch counts when there are more rows
 * than one, a slice pitch when there are more slices than one.
 */
typedef struct tarn_copy_desc {
    size_t struct_size;
    tarn_addr dst;
    tarn_addr src;
    uint64_t width;
    uint64_t height;    /* 0 counts as 1 */
    uint64_t dst_pitch; /* at least width when height > 1 */
    uint64_t src_pitch;
    tarn_device *peers[2];    /* further devices whose rights count; may be NULL */
    uint64_t depth;           /* 0 counts as 1 */
    uint64_t dst_slice_pitch; /* at least the rows of a slice when depth > 1 */
    uint64_t src_slice_pitch;
} tarn_copy_desc;

/*
 * As tarn_copy(), from a description. All of the box is checked before any of it is copied.
 * BAD_ARGUMENT also: desc NULL, a pitch below width, a slice pitch in which the rows do not fit;
 * BAD_STRUCT.
 */
TARN_API tarn_status tarn_copy_box(tarn_device *device, const tarn_copy_desc *desc,
                                   tarn_stream stream);

/*
 * Fills `count` elements of 1, 2 or 4 bytes with the low bytes of `value`. `dst` is a multiple of
 * the element size. Checks and statuses as tarn_copy(); BAD_ARGUMENT also: another element size;
 * MISALIGNED.
 */
TARN_API tarn_status tarn_fill(tarn_device *device, tarn_addr dst, uint32_t value,
                               unsigned element_bytes, uint64_t count, tarn_stream stream);

/* A fill of a box: `depth` slices of `height` rows of `width` elements. */
typedef struct tarn_fill_desc {
    size_t struct_size;
    tarn_addr dst;
    uint64_t width;         /* elements */
    uint64_t height;        /* 0 counts as 1 */
    uint64_t pitch;         /* bytes between rows; at least those of a row when height > 1 */
    uint64_t depth;         /* 0 counts as 1 */
    uint64_t slice_pitch;   /* bytes between slices; at least the rows of a slice when depth > 1 */
    uint32_t value;         /* its low bytes */
    unsigned element_bytes; /* 1, 2 or 4; 0 counts as 1 */
} tarn_fill_desc;

/* As tarn_fill(), from a description. Checks and statuses as tarn_copy_box(); pitch and slice pitch
 * are multiples of the element size where they count: MISALIGNED. */
TARN_API tarn_status tarn_fill_box(tarn_device *device, const tarn_fill_desc *desc,
                                   tarn_stream stream);

#ifdef __cplusplus
}
#endif
#endif
