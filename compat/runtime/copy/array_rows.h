// SPDX-License-Identifier: Apache-2.0
// The work of rows about arrays that HIP and CUDA have in common. See array.h.
#pragma once

#include <string.h>

#include "compat/runtime/copy/array.h"
#include "compat/runtime/copy/policy.h"

// ---- creation

// Reads a shape whose element is described by channels.
static inline tn_rt_error tn_rt_shape_read(const void *channels, size_t width, size_t height,
                                           size_t depth, unsigned flags,
                                           struct tn_rt_shape *shape) {
    *shape = (struct tn_rt_shape){.width = width, .height = height, .depth = depth, .flags = flags};
    tn_rt_error error = tn_rt_channels_read(channels, shape);
    bool named =
        error == TN_RT_INVALID_VALUE && channels != NULL && tn_rt_copy_policy.channels_named;
    return named ? TN_RT_INVALID_CHANNELS : error;
}

static inline tn_rt_error tn_rt_array_make_box(void *array, const void *channels, size_t width,
                                               size_t height, size_t depth, unsigned flags) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_shape_read(channels, width, height, depth, flags, &shape));
    return tn_rt_array_make(array, &shape);
}

// The descriptor of an array without a depth.
struct tn_rt_flat_shape {
    size_t width;
    size_t height;
    unsigned format;
    unsigned channels;
};

static inline tn_rt_error tn_rt_array_make_flat(void *array, const void *desc) {
    struct tn_rt_flat_shape flat;
    TN_RT_TRY(tn_rt_check_pointer(desc, "the description"));
    memcpy(&flat, desc, sizeof flat);
    const struct tn_rt_shape shape = {.width = flat.width,
                                      .height = flat.height,
                                      .format = flat.format,
                                      .channels = flat.channels};
    return tn_rt_array_make(array, &shape);
}

// ---- queries

static inline tn_rt_error tn_rt_array_flat_shape(void *desc, const void *array) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_check_pointer(desc, "pArrayDescriptor"));
    TN_RT_TRY(tn_rt_array_shape(&shape, array));
    const struct tn_rt_flat_shape flat = {shape.width, shape.height, shape.format, shape.channels};
    memcpy(desc, &flat, sizeof flat);
    return TN_RT_OK;
}

static inline tn_rt_error tn_rt_array_info(void *channels, void *extent, unsigned *flags,
                                           const void *array) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_array_shape(&shape, array));
    const size_t own[3] = {shape.width, shape.height, shape.depth};
    if (channels != NULL) tn_rt_channels_write(channels, &shape);
    if (extent != NULL) memcpy(extent, own, sizeof own);
    if (flags != NULL) *flags = shape.flags;
    return TN_RT_OK;
}

static inline tn_rt_error tn_rt_array_channels(void *channels, const void *array) {
    TN_RT_TRY(tn_rt_check_pointer(channels, "desc"));
    return tn_rt_array_info(channels, NULL, NULL, array);
}

// ---- sparse and deferred arrays

#define TN_RT_ARRAY_LAYOUT(name, is_mipmap)                                                        \
    static inline tn_rt_error tn_rt_##name##_sparse_layout(void *out, const void *array) {         \
        return tn_rt_array_sparse(out, array, is_mipmap);                                          \
    }                                                                                              \
    static inline tn_rt_error tn_rt_##name##_memory_needs(void *out, const void *array,            \
                                                          int device) {                            \
        return tn_rt_array_needs(out, array, is_mipmap, device);                                   \
    }

TN_RT_ARRAY_LAYOUT(array, false)
TN_RT_ARRAY_LAYOUT(mipmap, true)
