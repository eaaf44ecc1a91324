/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/copy.h - moving and filling bytes, between any two of: device memory, mappings, pinned and
 * ordinary host memory.
 *
 * With a stream the call returns at once and the work runs in stream order; ordinary host memory
 * must stay valid and untouched until then. With TARN_STREAM_NONE it is done when the call returns,
 * and does not wait for streams.
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

/* A copy of `height` rows of `width` bytes, each row `pitch` bytes behind the one before. */
typedef struct tarn_copy_desc {
    size_t size;
    tarn_addr dst;
    tarn_addr src;
    uint64_t width;
    uint64_t height;    /* 0 counts as 1 */
    uint64_t dst_pitch; /* at least width when height > 1 */
    uint64_t src_pitch;
    tarn_device *peers[2]; /* further devices whose rights count; may be NULL */
} tarn_copy_desc;
#define TARN_COPY_DESC_INIT                                                                        \
    {                                                                                              \
        sizeof(tarn_copy_desc), 0, 0, 0, 0, 0, 0, {                                                \
            NULL, NULL                                                                             \
        }                                                                                          \
    }

/* As tarn_copy(), from a description. BAD_ARGUMENT also: a pitch below width. */
TARN_API tarn_status tarn_copy_2d(tarn_device *device, const tarn_copy_desc *desc,
                                  tarn_stream stream);

/*
 * Fills `count` elements of 1, 2 or 4 bytes with the low bytes of `value`. `dst` is a multiple of
 * the element size. Checks and statuses as tarn_copy(); BAD_ARGUMENT also: another element size;
 * MISALIGNED.
 */
TARN_API tarn_status tarn_fill(tarn_device *device, tarn_addr dst, uint32_t value,
                               unsigned element_bytes, uint64_t count, tarn_stream stream);

/* The same over `height` rows of `width` elements, `pitch` bytes apart. */
TARN_API tarn_status tarn_fill_2d(tarn_device *device, tarn_addr dst, uint64_t pitch,
                                  uint32_t value, unsigned element_bytes, uint64_t width,
                                  uint64_t height, tarn_stream stream);

#ifdef __cplusplus
}
#endif
#endif
