// SPDX-License-Identifier: Apache-2.0
// The work of rows about copies and fills that HIP and CUDA have in common: calls of the runtime with
// some arguments fixed. A function whose name ends with _async returns at once; see copy.h and fill.h.
#pragma once

#include "compat/runtime/driver_copy.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/variable.h"

// ---- one row

static inline tn_rt_error tn_rt_copy_sync(void *dst, const void *src, size_t size, int kind) {
    return tn_rt_copy_linear(dst, src, size, kind, NULL, TN_RT_COPY_SYNC);
}
static inline tn_rt_error tn_rt_copy_async(void *dst, const void *src, size_t size, int kind,
                                           void *stream) {
    return tn_rt_copy_linear(dst, src, size, kind, stream, TN_RT_COPY_ASYNC);
}

static inline tn_rt_error tn_rt_copy_devices(void *dst, int to, const void *src, int from,
                                             size_t size) {
    return tn_rt_copy_peer(dst, to, src, from, size, NULL, TN_RT_COPY_PEER);
}
static inline tn_rt_error tn_rt_copy_devices_async(void *dst, int to, const void *src, int from,
                                                   size_t size, void *stream) {
    return tn_rt_copy_peer(dst, to, src, from, size, stream, TN_RT_COPY_ASYNC);
}

// ---- rows of linear memory and of arrays

static inline tn_rt_error tn_rt_copy_2d(void *dst, size_t dst_pitch, const void *src,
                                        size_t src_pitch, size_t width, size_t height, int kind) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, dst_pitch), tn_rt_pitched(src, src_pitch), width,
                           height, kind, NULL, TN_RT_COPY_COMPLETE);
}
static inline tn_rt_error tn_rt_copy_2d_async(void *dst, size_t dst_pitch, const void *src,
                                              size_t src_pitch, size_t width, size_t height,
                                              int kind, void *stream) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, dst_pitch), tn_rt_pitched(src, src_pitch), width,
                           height, kind, stream, TN_RT_COPY_ASYNC);
}

static inline tn_rt_error tn_rt_rows_to(const void *dst, size_t x, size_t y, const void *src,
                                        size_t pitch, size_t width, size_t height, int kind) {
    return tn_rt_copy_rows(tn_rt_in_array(dst, x, y), tn_rt_pitched(src, pitch), width, height,
                           kind, NULL, TN_RT_COPY_COMPLETE);
}
static inline tn_rt_error tn_rt_rows_to_async(const void *dst, size_t x, size_t y, const void *src,
                                              size_t pitch, size_t width, size_t height, int kind,
                                              void *stream) {
    return tn_rt_copy_rows(tn_rt_in_array(dst, x, y), tn_rt_pitched(src, pitch), width, height,
                           kind, stream, TN_RT_COPY_ASYNC);
}

static inline tn_rt_error tn_rt_rows_from(void *dst, size_t pitch, const void *src, size_t x,
                                          size_t y, size_t width, size_t height, int kind) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, pitch), tn_rt_in_array(src, x, y), width, height,
                           kind, NULL, TN_RT_COPY_COMPLETE);
}
static inline tn_rt_error tn_rt_rows_from_async(void *dst, size_t pitch, const void *src, size_t x,
                                                size_t y, size_t width, size_t height, int kind,
                                                void *stream) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, pitch), tn_rt_in_array(src, x, y), width, height,
                           kind, stream, TN_RT_COPY_ASYNC);
}

static inline tn_rt_error tn_rt_rows_between(const void *dst, size_t to_x, size_t to_y,
                                             const void *src, size_t from_x, size_t from_y,
                                             size_t width, size_t height, int kind) {
    return tn_rt_copy_rows(tn_rt_in_array(dst, to_x, to_y), tn_rt_in_array(src, from_x, from_y),
                           width, height, kind, NULL, TN_RT_COPY_COMPLETE);
}

// ---- a part of one row of an array

static inline tn_rt_error tn_rt_row_to(const void *dst, size_t x, const void *src, size_t bytes) {
    return tn_rt_rows_to(dst, x, 0, src, bytes, bytes, 1, TN_RT_COPY_DEFAULT);
}
static inline tn_rt_error tn_rt_row_to_async(const void *dst, size_t x, const void *src,
                                             size_t bytes, void *stream) {
    return tn_rt_rows_to_async(dst, x, 0, src, bytes, bytes, 1, TN_RT_COPY_DEFAULT, stream);
}

static inline tn_rt_error tn_rt_row_from(void *dst, const void *src, size_t x, size_t bytes) {
    return tn_rt_rows_from(dst, bytes, src, x, 0, bytes, 1, TN_RT_COPY_DEFAULT);
}
static inline tn_rt_error tn_rt_row_from_async(void *dst, const void *src, size_t x, size_t bytes,
                                               void *stream) {
    return tn_rt_rows_from_async(dst, bytes, src, x, 0, bytes, 1, TN_RT_COPY_DEFAULT, stream);
}

static inline tn_rt_error tn_rt_row_between(const void *dst, size_t to, const void *src,
                                            size_t from, size_t bytes) {
    return tn_rt_rows_between(dst, to, 0, src, from, 0, bytes, 1, TN_RT_COPY_DEFAULT);
}

// ---- boxes: descriptions that the runtime reads

#define TN_RT_BOX_CALLS(name, work)                                                                \
    static inline tn_rt_error name(const void *copy) {                                             \
        return work(copy, NULL, TN_RT_COPY_COMPLETE);                                              \
    }                                                                                              \
    static inline tn_rt_error name##_async(const void *copy, void *stream) {                       \
        return work(copy, stream, TN_RT_COPY_ASYNC);                                               \
    }

TN_RT_BOX_CALLS(tn_rt_copy_params, tn_rt_copy_3d)
TN_RT_BOX_CALLS(tn_rt_copy_peer_params, tn_rt_copy_3d_peer)
TN_RT_BOX_CALLS(tn_rt_copy_driver_box, tn_rt_driver_copy)
TN_RT_BOX_CALLS(tn_rt_copy_driver_rect, tn_rt_driver_copy_rect)

// ---- lists of copies

static inline tn_rt_error tn_rt_copy_list(const void *dsts, const void *srcs, const size_t *sizes,
                                          size_t count, const void *attributes, const size_t *first,
                                          size_t attribute_count, size_t *failed, void *stream) {
    const struct tn_rt_batch batch = {
        (void *const *)dsts, (void *const *)srcs, sizes, count, attributes, first, attribute_count};
    return tn_rt_copy_batch(&batch, failed, stream);
}

// ---- fills of one row with a value of a type

#define TN_RT_FILLS(name, element, bytes)                                                          \
    static inline tn_rt_error name(void *dst, element value, size_t count) {                       \
        return tn_rt_fill(dst, (uint32_t)value, bytes, count, NULL, TN_RT_FILL_SYNC);              \
    }                                                                                              \
    static inline tn_rt_error name##_async(void *dst, element value, size_t count, void *stream) { \
        return tn_rt_fill(dst, (uint32_t)value, bytes, count, stream, TN_RT_FILL_ASYNC);           \
    }

TN_RT_FILLS(tn_rt_fill_bytes, int, 1)
TN_RT_FILLS(tn_rt_fill_8, unsigned char, 1)
TN_RT_FILLS(tn_rt_fill_16, unsigned short, 2)
TN_RT_FILLS(tn_rt_fill_32, unsigned, 4)

// The same for rows: `work` is tn_rt_fill_2d(), or has its parameters.
#define TN_RT_ROW_FILLS(name, element, bytes, work)                                                \
    static tn_rt_error name(void *dst, size_t pitch, element value, size_t width, size_t height) { \
        return work(dst, pitch, (uint32_t)value, bytes, width, height, NULL, TN_RT_FILL_SYNC);     \
    }                                                                                              \
    static tn_rt_error name##_async(void *dst, size_t pitch, element value, size_t width,          \
                                    size_t height, void *stream) {                                 \
        return work(dst, pitch, (uint32_t)value, bytes, width, height, stream, TN_RT_FILL_ASYNC);  \
    }

// ---- variables of kernels: the parameters of each direction, and the copy that they describe

#define TN_RT_TO   const void *symbol, const void *src, size_t size, size_t offset, int kind
#define TN_RT_FROM void *dst, const void *symbol, size_t size, size_t offset, int kind
#define TN_RT_COPY_TO                                                                              \
    &(const struct tn_rt_symbol_copy) { symbol, src, size, offset, kind, true }
#define TN_RT_COPY_FROM                                                                            \
    &(const struct tn_rt_symbol_copy) { symbol, dst, size, offset, kind, false }

#define TN_RT_SYMBOL_CALLS(way, WAY)                                                               \
    static inline tn_rt_error tn_rt_symbol_##way(TN_RT_##WAY) {                                    \
        return tn_rt_symbol_copy(TN_RT_COPY_##WAY, NULL, TN_RT_COPY_SYNC);                         \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_##way##_async(TN_RT_##WAY, void *stream) {              \
        return tn_rt_symbol_copy(TN_RT_COPY_##WAY, stream, TN_RT_COPY_ASYNC);                      \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_add_##way(void *node, void *graph, const void *before,  \
                                                     size_t count, TN_RT_##WAY) {                  \
        const struct tn_rt_spot spot = {node, graph, before, count};                               \
        return tn_rt_symbol_node_add(&spot, TN_RT_COPY_##WAY);                                     \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_set_##way(void *node, TN_RT_##WAY) {                    \
        return tn_rt_symbol_node_set(node, TN_RT_COPY_##WAY);                                      \
    }                                                                                              \
    static inline tn_rt_error tn_rt_symbol_change_##way(void *exec, void *node, TN_RT_##WAY) {     \
        return tn_rt_symbol_node_change(exec, node, TN_RT_COPY_##WAY);                             \
    }

TN_RT_SYMBOL_CALLS(to, TO)
TN_RT_SYMBOL_CALLS(from, FROM)
