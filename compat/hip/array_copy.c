// SPDX-License-Identifier: Apache-2.0
// HIP's copies between arrays and linear memory, and between arrays. The file has no state, so any
// thread may call its functions. See box.h.
#include <hip/detail/array_copy.h>

#include "compat/hip/array.h"
#include "compat/hip/copy.h"
#include "compat/hip/face.h"
#include "compat/runtime/box.h"

static struct tn_rt_side array_side(const char *name, hipArray_const_t array, size_t x, size_t y) {
    return (struct tn_rt_side){.name = name, .is_array = true, .array = array, .x = x, .y = y};
}

static struct tn_rt_side linear_side(const char *name, const void *base, size_t pitch) {
    return (struct tn_rt_side){.name = name, .base = TARN_ADDR(base), .pitch = pitch};
}

static tn_rt_error copy_rows(const struct tn_rt_side *dst, const struct tn_rt_side *src,
                             size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                             bool wait) {
    struct tn_rt_box box = {.dst = *dst, .src = *src, .width = width, .height = height, .depth = 1};
    TN_RT_TRY(tn_rt_copy_kind((int)kind));
    return tn_rt_box_submit(&box, stream, wait);
}

// ---- two dimensions

static tn_rt_error to_array(hipArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                            size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                            bool wait) {
    struct tn_rt_side to = array_side("destination", dst, x, y);
    struct tn_rt_side from = linear_side("source", src, pitch);
    return copy_rows(&to, &from, width, height, kind, stream, wait);
}

hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        to_array(dst, wOffset, hOffset, src, spitch, width, height, kind, NULL, true));
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                   size_t spitch, size_t width, size_t height, hipMemcpyKind kind,
                                   hipStream_t stream) {
    return TN_HIP_CALL(
        to_array(dst, wOffset, hOffset, src, spitch, width, height, kind, stream, false));
}

hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                  size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(to_array(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                hipStreamPerThread, true));
}

hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t wOffset, size_t hOffset,
                                       const void *src, size_t spitch, size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(to_array(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                tn_hip_spt(stream), false));
}

static tn_rt_error from_array(void *dst, size_t pitch, hipArray_const_t src, size_t x, size_t y,
                              size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                              bool wait) {
    struct tn_rt_side to = linear_side("destination", dst, pitch);
    struct tn_rt_side from = array_side("source", src, x, y);
    return copy_rows(&to, &from, width, height, kind, stream, wait);
}

hipError_t hipMemcpy2DFromArray(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset,
                                size_t hOffset, size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind, NULL, true));
}

hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset,
                                     size_t hOffset, size_t width, size_t height,
                                     hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(
        from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream, false));
}

hipError_t hipMemcpy2DFromArray_spt(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset,
                                    size_t hOffset, size_t width, size_t height,
                                    hipMemcpyKind kind) {
    return TN_HIP_CALL(from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                  hipStreamPerThread, true));
}

hipError_t hipMemcpy2DFromArrayAsync_spt(void *dst, size_t dpitch, hipArray_const_t src,
                                         size_t wOffset, size_t hOffset, size_t width,
                                         size_t height, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                  tn_hip_spt(stream), false));
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   hipArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t width, size_t height, hipMemcpyKind kind) {
    struct tn_rt_side to = array_side("destination", dst, wOffsetDst, hOffsetDst);
    struct tn_rt_side from = array_side("source", src, wOffsetSrc, hOffsetSrc);
    return TN_HIP_CALL(copy_rows(&to, &from, width, height, kind, NULL, true));
}

// ---- one row

static const hipMemcpyKind any = hipMemcpyDefault;

hipError_t hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t count) {
    return TN_HIP_CALL(to_array(dstArray, dstOffset, 0, srcHost, count, count, 1, any, NULL, true));
}

hipError_t hipMemcpyAtoH(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count) {
    return TN_HIP_CALL(from_array(dst, count, srcArray, srcOffset, 0, count, 1, any, NULL, true));
}

hipError_t hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void *srcHost,
                              size_t ByteCount, hipStream_t stream) {
    return TN_HIP_CALL(
        to_array(dstArray, dstOffset, 0, srcHost, ByteCount, ByteCount, 1, any, stream, false));
}

hipError_t hipMemcpyAtoHAsync(void *dstHost, hipArray_t srcArray, size_t srcOffset,
                              size_t ByteCount, hipStream_t stream) {
    return TN_HIP_CALL(
        from_array(dstHost, ByteCount, srcArray, srcOffset, 0, ByteCount, 1, any, stream, false));
}

hipError_t hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice,
                         size_t ByteCount) {
    return TN_HIP_CALL(
        to_array(dstArray, dstOffset, 0, srcDevice, ByteCount, ByteCount, 1, any, NULL, true));
}

hipError_t hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset,
                         size_t ByteCount) {
    return TN_HIP_CALL(
        from_array(dstDevice, ByteCount, srcArray, srcOffset, 0, ByteCount, 1, any, NULL, true));
}

hipError_t hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray,
                         size_t srcOffset, size_t ByteCount) {
    struct tn_rt_side to = array_side("destination", dstArray, dstOffset, 0);
    struct tn_rt_side from = array_side("source", srcArray, srcOffset, 0);
    return TN_HIP_CALL(copy_rows(&to, &from, ByteCount, 1, any, NULL, true));
}

// ---- a run of elements, which continues in the next row

struct elements {
    struct tn_rt_copy head;
    tarn_array_place at; // of the first
    tarn_addr linear;
    uint64_t count;
    uint64_t row;   // elements
    uint64_t bytes; // of an element
    tarn_device *peer;
    bool to_array;
};
_Static_assert(sizeof(struct elements) <= TN_RT_PAYLOAD, "a run of elements fits an op");

// Describes the next piece that is a box: the rest of a row, or complete rows. Returns the number
// of its elements.
static uint64_t next_piece(const struct elements *copy, uint64_t done, tarn_array_copy_desc *desc) {
    uint64_t from = copy->at.x + done;
    uint64_t left = copy->count - done;
    tarn_array_place place = copy->at;
    tarn_array_place linear = {.addr = copy->linear + done * copy->bytes};
    place.x = from % copy->row;
    place.y += from / copy->row;
    bool complete = place.x == 0 && left >= copy->row;
    desc->height = complete ? left / copy->row : 1;
    desc->width = complete ? copy->row : copy->row - place.x < left ? copy->row - place.x : left;
    desc->dst = copy->to_array ? place : linear;
    desc->src = copy->to_array ? linear : place;
    return desc->width * desc->height;
}

static tn_rt_error run_elements(const void *payload, const struct tn_rt_where *where) {
    const struct elements *copy = (const struct elements *)payload;
    tarn_array_copy_desc desc = TARN_INIT(tarn_array_copy_desc);
    tarn_status status = TARN_OK;
    desc.peers[0] = copy->peer;
    for (uint64_t done = 0; done < copy->count && status == TARN_OK;) {
        done += next_piece(copy, done, &desc);
        status = tarn_array_copy(where->device->tarn, &desc, where->stream);
    }
    return tn_rt_copy_ran(&copy->head, where, status);
}

// `copy` has the members that do not depend on the array.
static tn_rt_error check_elements(const struct tn_rt_array *array, size_t x, size_t y, size_t count,
                                  struct elements *copy) {
    const struct tn_rt_shape *shape = &array->shape;
    uint64_t rows = shape->height == 0 ? 1 : shape->height;
    copy->bytes = tn_rt_element_bytes(shape->format, shape->channels);
    copy->row = shape->width;
    copy->count = count / copy->bytes;
    copy->at = (tarn_array_place){
        .array = array->tarn, .level = array->level, .x = x / copy->bytes, .y = y};
    TN_RT_REFUSE(x % copy->bytes != 0 || count % copy->bytes != 0, TN_RT_INVALID_VALUE,
                 "%zu bytes from %zu on, elements have %llu bytes", count, x,
                 (unsigned long long)copy->bytes);
    TN_RT_REFUSE(
        y >= rows || copy->at.x >= copy->row || copy->count > (rows - y) * copy->row - copy->at.x,
        TN_RT_INVALID_VALUE, "%zu bytes from %zu on in row %zu of %llu rows of %llu bytes", count,
        x, y, (unsigned long long)rows, (unsigned long long)(copy->row * copy->bytes));
    return TN_RT_OK;
}

static tn_rt_error describe_elements(hipArray_const_t handle, size_t x, size_t y,
                                     const void *linear, size_t count, bool to,
                                     struct elements *copy) {
    struct tn_rt_array *array = NULL;
    *copy = (struct elements){
        .linear = TARN_ADDR(linear), .peer = tn_rt_current()->tarn, .to_array = to};
    if (count == 0) return TN_RT_OK;
    TN_RT_REFUSE(linear == NULL, TN_RT_INVALID_VALUE, "%s is NULL", to ? "src" : "dst");
    copy->head.linear[0] = copy->linear;
    TN_RT_TRY(tn_rt_array_get(handle, &array));
    copy->head.array[1] = array->device;
    tn_rt_error error = check_elements(array, x, y, count, copy);
    tn_rt_array_put(array);
    return error;
}

static tn_rt_error copy_elements(hipArray_const_t array, size_t x, size_t y, const void *linear,
                                 size_t count, hipMemcpyKind kind, bool to, hipStream_t stream) {
    struct tn_rt_op op = {.work = TN_RT_WORK_COPY, .run = run_elements, .keep = tn_rt_copy_keep};
    TN_RT_TRY(tn_rt_copy_kind((int)kind));
    TN_RT_TRY(describe_elements(array, x, y, linear, count, to, (struct elements *)op.payload));
    return tn_rt_copy_submit(&op, stream, TN_RT_COPY_COMPLETE);
}

hipError_t hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                            size_t count, hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_elements(dst, wOffset, hOffset, src, count, kind, true, NULL));
}

hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t srcArray, size_t wOffset, size_t hOffset,
                              size_t count, hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_elements(srcArray, wOffset, hOffset, dst, count, kind, false, NULL));
}

hipError_t hipMemcpyFromArray_spt(void *dst, hipArray_const_t srcArray, size_t wOffset,
                                  size_t hOffset, size_t count, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        copy_elements(srcArray, wOffset, hOffset, dst, count, kind, false, hipStreamPerThread));
}
