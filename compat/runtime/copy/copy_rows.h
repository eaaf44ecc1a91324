// SPDX-License-Identifier: Apache-2.0
// The work of rows about copies and fills that HIP and CUDA have in common: calls of the runtime with
// some arguments fixed. The last parameters of most are the stream and when the call returns, see copy.h.
#pragma once

#include "compat/face/row.h"
#include "compat/runtime/copy/driver_copy.h"
#include "compat/runtime/copy/fill.h"

// The work of two functions of which the first returns by the rule `sync`, and the second has a stream,
// named so, and returns at once. They have the same parameters before the stream.
#define TN_RT_SYNC(work, sync, ...)                                                                \
    TN_FACE_EXPRESSION(work(TN_FACE_ARGUMENTS(__VA_ARGS__), NULL, sync))
#define TN_RT_ASYNC(work, ...)                                                                     \
    TN_FACE_EXPRESSION(work(TN_FACE_ARGUMENTS(__VA_ARGS__), stream, TN_RT_COPY_ASYNC))

// ---- rows of linear memory and of arrays

static inline tn_rt_error tn_rt_copy_2d(void *dst, size_t dst_pitch, const void *src,
                                        size_t src_pitch, size_t width, size_t height, int kind,
                                        void *stream, enum tn_rt_copy_call call) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, dst_pitch), tn_rt_pitched(src, src_pitch), width,
                           height, kind, stream, call);
}

static inline tn_rt_error tn_rt_rows_to(const void *dst, size_t x, size_t y, const void *src,
                                        size_t pitch, size_t width, size_t height, int kind,
                                        void *stream, enum tn_rt_copy_call call) {
    return tn_rt_copy_rows(tn_rt_in_array(dst, x, y), tn_rt_pitched(src, pitch), width, height,
                           kind, stream, call);
}

static inline tn_rt_error tn_rt_rows_from(void *dst, size_t pitch, const void *src, size_t x,
                                          size_t y, size_t width, size_t height, int kind,
                                          void *stream, enum tn_rt_copy_call call) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, pitch), tn_rt_in_array(src, x, y), width, height,
                           kind, stream, call);
}

static inline tn_rt_error tn_rt_rows_between(const void *dst, size_t to_x, size_t to_y,
                                             const void *src, size_t from_x, size_t from_y,
                                             size_t width, size_t height, int kind) {
    return tn_rt_copy_rows(tn_rt_in_array(dst, to_x, to_y), tn_rt_in_array(src, from_x, from_y),
                           width, height, kind, NULL, TN_RT_COPY_COMPLETE);
}

// ---- a part of one row of an array

static inline tn_rt_error tn_rt_part_to(const void *dst, size_t x, const void *src, size_t bytes,
                                        void *stream, enum tn_rt_copy_call call) {
    return tn_rt_rows_to(dst, x, 0, src, bytes, bytes, 1, TN_RT_COPY_DEFAULT, stream, call);
}

static inline tn_rt_error tn_rt_part_from(void *dst, const void *src, size_t x, size_t bytes,
                                          void *stream, enum tn_rt_copy_call call) {
    return tn_rt_rows_from(dst, bytes, src, x, 0, bytes, 1, TN_RT_COPY_DEFAULT, stream, call);
}

static inline tn_rt_error tn_rt_row_between(const void *dst, size_t to, const void *src,
                                            size_t from, size_t bytes) {
    return tn_rt_rows_between(dst, to, 0, src, from, 0, bytes, 1, TN_RT_COPY_DEFAULT);
}

// ---- lists of copies

static inline tn_rt_error tn_rt_copy_list(const void *dsts, const void *srcs, const size_t *sizes,
                                          size_t count, const void *attributes, const size_t *first,
                                          size_t attribute_count, size_t *failed, void *stream) {
    const struct tn_rt_batch batch = {
        (void *const *)dsts, (void *const *)srcs, sizes, count, attributes, first, attribute_count};
    return tn_rt_copy_batch(&batch, failed, stream);
}

// ---- fills of one row with elements of a width

#define TN_RT_FILL(bits)                                                                           \
    static inline tn_rt_error tn_rt_fill_##bits(void *dst, uint32_t value, size_t count,           \
                                                void *stream, enum tn_rt_copy_call call) {         \
        return tn_rt_fill(dst, value, bits / 8, count, stream, call);                              \
    }

TN_RT_FILL(8)
TN_RT_FILL(16)
TN_RT_FILL(32)

// The same for rows: `work` is tn_rt_fill_2d(), or has its parameters.
#define TN_RT_ROW_FILL(name, bytes, work)                                                          \
    static tn_rt_error name(void *dst, size_t pitch, uint32_t value, size_t width, size_t height,  \
                            void *stream, enum tn_rt_copy_call call) {                             \
        return work(dst, pitch, value, bytes, width, height, stream, call);                        \
    }
