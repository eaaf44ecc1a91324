// SPDX-License-Identifier: Apache-2.0
// Boxes of two and three dimensions: the common form of vendors' descriptions of copies, of linear
// memory and of arrays.
#pragma once

#include "compat/runtime/copy/copy.h"

// One side of the copy of a box: its memory or array, and the position of the box in it.
struct tn_rt_side {
    bool is_array;
    const void *array;
    tarn_addr base; // of linear memory, like the next two
    uint64_t pitch; // bytes from row to row
    uint64_t rows;  // of a slice; 0: as many as needed
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
    int kind;
    tarn_device *peers[2]; // as in tarn_copy_desc
};

// Copies a box, which may be empty, in the order of a stream. Fails with INVALID_VALUE if a side is
// NULL or the box leaves its rows, slices or memory, with INVALID_PITCH if the pitch is below the
// width, and with INVALID_HANDLE if an array is unknown. Rows of 0 are allowed for a single slice
// only.
tn_rt_error tn_rt_copy_box(const struct tn_rt_box *box, void *stream, enum tn_rt_copy_call call);

// The same for a description in which a pitch or a number of rows of 0 is as large as needed.
tn_rt_error tn_rt_copy_padded_box(struct tn_rt_box *box, void *stream, enum tn_rt_copy_call call);

// Copies rows, of which each side has a pitch or is an array. Fails with INVALID_DIRECTION if
// `kind` is not a kind.
tn_rt_error tn_rt_copy_rows(struct tn_rt_side dst, struct tn_rt_side src, uint64_t width,
                            uint64_t height, int kind, void *stream, enum tn_rt_copy_call call);
static inline struct tn_rt_side tn_rt_pitched(const void *base, uint64_t pitch) {
    return (struct tn_rt_side){.base = TARN_ADDR(base), .pitch = pitch};
}
static inline struct tn_rt_side tn_rt_in_array(const void *array, uint64_t x, uint64_t y) {
    return (struct tn_rt_side){.is_array = true, .array = array, .x = x, .y = y};
}

// The description of a copy in three dimensions, and of one between two devices, in the layouts
// that CUDA and HIP share. A side has an array or a pointer. Positions in arrays count elements,
// and so does the width if a side is an array.
struct tn_rt_3d_side {
    const void *array;
    size_t pos[3];
    void *ptr;
    size_t pitch;
    size_t used;
    size_t rows;
};
struct tn_rt_3d {
    struct tn_rt_3d_side src;
    struct tn_rt_3d_side dst;
    size_t extent[3];
    int kind;
};
struct tn_rt_3d_peer {
    struct tn_rt_3d_side src;
    int src_device;
    struct tn_rt_3d_side dst;
    int dst_device;
    size_t extent[3];
};
tn_rt_error tn_rt_copy_3d(const void *description, void *stream, enum tn_rt_copy_call call);
tn_rt_error tn_rt_copy_3d_peer(const void *description, void *stream, enum tn_rt_copy_call call);

// Describes the copy of a struct tn_rt_3d for a node. It accepts rows behind the slice, and memory
// that a launch refuses. Fails with INVALID_PITCH if a pitch is below the used bytes of a row, and
// with INVALID_DIRECTION if the kind is not one.
tn_rt_error tn_rt_read_3d(const void *description, struct tn_rt_op *op);

// Writes the struct tn_rt_3d of a node. Of a row, the pitches are 0.
tn_rt_error tn_rt_write_3d(const struct tn_rt_op *op, void *description);

// The first function does the same for a struct tn_rt_box, by the rules of tn_rt_copy_padded_box(),
// and fails with INVALID_VALUE only.
tn_rt_error tn_rt_read_box(const void *box, struct tn_rt_op *op);
tn_rt_error tn_rt_write_box(const struct tn_rt_op *op, void *box);

// ---- copy_elements.c

// Copies `bytes` of whole elements from the byte `x` of row `y` of an array on, which continue in
// the next row, to linear memory, or from there.
tn_rt_error tn_rt_copy_elements(const void *array, size_t x, size_t y, const void *linear,
                                size_t bytes, int kind, bool to_array, void *stream);

// ---- copy_batch.c: several copies by one call, each of its own, in the order of the list

// When a source may be read, and an attribute of copies, in the layout that CUDA and HIP share.
enum { TN_RT_READ_IN_ORDER = 1, TN_RT_READ_NOW, TN_RT_READ_ANY };
struct tn_rt_copy_attribute {
    unsigned order;
    struct tn_rt_location hints[2];
    unsigned flags;
};

struct tn_rt_batch {
    void *const *dsts;
    void *const *srcs;
    const size_t *sizes;
    size_t count;
    const void *attributes;
    const size_t *first; // of each attribute: its first copy
    size_t attribute_count;
};

// *failed, if not NULL, receives the number of the copy that failed, or SIZE_MAX.
tn_rt_error tn_rt_copy_batch(const struct tn_rt_batch *batch, size_t *failed, void *stream);

// The same for a list of boxes in this layout.
enum { TN_RT_OPERAND_POINTER = 1, TN_RT_OPERAND_ARRAY };
struct tn_rt_operand {
    unsigned type;
    union {
        struct {
            void *ptr;
            size_t row;  // 0: the width
            size_t rows; // 0: the height
            struct tn_rt_location hint;
        } linear;
        struct {
            const void *array;
            size_t pos[3];
        } array;
    };
};
struct tn_rt_batch_box {
    struct tn_rt_operand src;
    struct tn_rt_operand dst;
    size_t extent[3];
    unsigned order;
    unsigned flags;
};
tn_rt_error tn_rt_copy_boxes(size_t count, const void *list, size_t *failed,
                             unsigned long long flags, void *stream);
