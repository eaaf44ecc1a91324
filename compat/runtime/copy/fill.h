// SPDX-License-Identifier: Apache-2.0
// Fills. Each call describes its fill and submits it to a stream. Any thread may call.
#pragma once

#include "compat/runtime/copy/copy.h"

// Fills `count` elements. Fails with INVALID_VALUE if `dst` is not memory of a device.
tn_rt_error tn_rt_fill(void *dst, uint32_t value, unsigned element_bytes, size_t count,
                       void *stream, enum tn_rt_copy_call call);

// Fills rows of `width` bytes. Fails with INVALID_VALUE also if an element or the pitch does not
// fit the width.
tn_rt_error tn_rt_fill_2d(void *dst, size_t pitch, uint32_t value, unsigned element_bytes,
                          size_t width, size_t height, void *stream, enum tn_rt_copy_call call);

// A box of bytes in slices of `rows` rows of `pitch` bytes.
struct tn_rt_fill_box {
    void *dst;
    size_t pitch;
    size_t rows;
    size_t width;
    size_t height;
    size_t depth;
};
tn_rt_error tn_rt_fill_3d(const struct tn_rt_fill_box *box, int value, void *stream,
                          enum tn_rt_copy_call call);

// The parameters of a node, in the layout of HIP: rows of `width` elements. With a height of 1 the
// pitch counts for nothing but the limit. CUDA and HIP's driver have another order.
struct tn_rt_fill_rows {
    void *dst;
    unsigned element_bytes;
    size_t height;
    size_t pitch;
    unsigned value;
    size_t width;
};
struct tn_rt_driver_fill {
    void *dst;
    size_t pitch;
    unsigned value;
    unsigned element_bytes;
    size_t width;
    size_t height;
};

// Describe the fill of such a struct, or write it. All fail with INVALID_VALUE if an extent is 0,
// if elements have other than 1, 2 or 4 bytes, or if rows do not fit their pitch or the memory of
// the program.
tn_rt_error tn_rt_read_fill(const void *rows, struct tn_rt_op *op);
tn_rt_error tn_rt_write_fill(const struct tn_rt_op *op, void *rows);
tn_rt_error tn_rt_read_driver_fill(const void *fill, struct tn_rt_op *op);
tn_rt_error tn_rt_write_driver_fill(const struct tn_rt_op *op, void *fill);
