// SPDX-License-Identifier: Apache-2.0
// Boxes of two and three dimensions: the common form of vendors' descriptions of copies, of linear
// memory and of arrays.
#ifndef TARN_COMPAT_RUNTIME_BOX_H
#define TARN_COMPAT_RUNTIME_BOX_H

#include "compat/runtime/order.h"

// One side of the copy of a box: its memory or array, and the position of the box in it.
struct tn_rt_side {
    const char *name; // for texts: "source", "destination"
    bool is_array;
    const void *array;
    tarn_addr base; // of linear memory, like the next two
    uint64_t pitch; // bytes from row to row
    uint64_t rows;  // of a slice; 0: as many as needed, allowed for a single slice only
    uint64_t x;     // bytes
    uint64_t y;
    uint64_t z;
};

struct tn_rt_box {
    struct tn_rt_side dst;
    struct tn_rt_side src;
    uint64_t width; // bytes
    uint64_t height;
    uint64_t depth;
    tarn_device *peers[2]; // as in tarn_copy_desc
};

// Makes *op the copy of a box, which may be empty. TN_RT_INVALID_VALUE: a side is NULL, or the box
// leaves its rows, slices or memory; TN_RT_INVALID_PITCH: the pitch is below the width;
// TN_RT_INVALID_HANDLE: unknown array.
tn_rt_error tn_rt_box_op(const struct tn_rt_box *box, struct tn_rt_op *op);

// Makes the op and submits it to a stream, as tn_rt_copy_submit().
tn_rt_error tn_rt_box_submit(const struct tn_rt_box *box, void *stream, bool wait);

#endif
