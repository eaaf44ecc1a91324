// SPDX-License-Identifier: Apache-2.0
// Boxes of two and three dimensions: what the descriptions of HIP's copies come down to, of linear
// memory and of arrays.
#ifndef TARN_COMPAT_HIP_BOX_H
#define TARN_COMPAT_HIP_BOX_H

#include "compat/hip/order.h"

// Where the box is on one side.
struct tn_hip_side {
    const char *name; // for texts: "source", "destination"
    bool is_array;
    hipArray_const_t array;
    tarn_addr base; // of linear memory, with the next two
    uint64_t pitch; // bytes from row to row
    uint64_t rows;  // of a slice; 0: as many as needed, for a single slice only
    uint64_t x;     // bytes
    uint64_t y;
    uint64_t z;
};

struct tn_hip_box {
    struct tn_hip_side dst;
    struct tn_hip_side src;
    uint64_t width; // bytes
    uint64_t height;
    uint64_t depth;
    tarn_device *peers[2]; // as in tarn_copy_desc
};

// Makes *op the copy of a box. hipErrorInvalidValue: NULL, a box that sticks out of its rows or
// slices, or wraps; hipErrorInvalidPitchValue: a pitch below the width; hipErrorInvalidHandle: no
// such array. An empty box is fine.
hipError_t tn_hip_box_op(const struct tn_hip_box *box, struct tn_hip_op *op);

// Makes the op and gives it to a stream, as tn_hip_copy_give().
hipError_t tn_hip_box_give(const struct tn_hip_box *box, hipStream_t stream, bool wait);

// The first of them when a side is an array, and the box not empty: array_copy.c.
hipError_t tn_hip_box_op_array(const struct tn_hip_box *box, struct tn_hip_op *op);

// Where the box begins on a side of linear memory, checked as said, and how far slices are apart.
hipError_t tn_hip_side_place(const struct tn_hip_box *box, const struct tn_hip_side *side,
                             tarn_addr *addr, uint64_t *slice);

#endif
