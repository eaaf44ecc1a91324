// SPDX-License-Identifier: Apache-2.0
// Copies as vendors' drivers describe them: each side has a pointer for each kind of memory, and a type
// that selects one of them. The policy has the numbers of the types and the room in the layout.
#pragma once

#include "compat/runtime/copy/box.h"

// A side of three dimensions. The policy's `driver_copy_room` lies between `array` and `pitch`.
struct tn_rt_driver_side {
    size_t x, y, z, level;
    int type;
    const void *host, *device, *array;
    size_t pitch, rows;
};
// Two of them, source first, and width, height and depth.
enum { TN_RT_DRIVER_COPY_BYTES = 2 * sizeof(struct tn_rt_driver_side) + 3 * sizeof(size_t) };

struct tn_rt_driver_rect {
    struct tn_rt_driver_rect_side {
        size_t x, y;
        int type;
        const void *host, *device, *array;
        size_t pitch;
    } src, dst;
    size_t width, height;
};

// Copy a box in the order of a stream. Both fail with INVALID_VALUE if `copy` is NULL, a level is
// not 0, or a type of memory is unknown. Otherwise the errors are those of tn_rt_copy_padded_box().
tn_rt_error tn_rt_driver_copy(const void *copy, void *stream, enum tn_rt_copy_call call);
tn_rt_error tn_rt_driver_copy_rect(const void *rect, void *stream, enum tn_rt_copy_call call);

// Convert the description of a node in three dimensions, with the same errors.
tn_rt_error tn_rt_read_driver_copy(const void *copy, struct tn_rt_op *op);
tn_rt_error tn_rt_write_driver_copy(const struct tn_rt_op *op, void *copy);
