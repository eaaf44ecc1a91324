// SPDX-License-Identifier: Apache-2.0
// HIP's copies between arrays and linear memory, and between arrays. The file has no state, so any
// thread may call its functions. See compat/runtime/box.h.
#include <hip/detail/array_copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/box.h"

// ---- two dimensions

static const enum tn_rt_copy_call complete = TN_RT_COPY_COMPLETE;
static const enum tn_rt_copy_call async = TN_RT_COPY_ASYNC;

static tn_rt_error to_array(hipArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                            size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                            enum tn_rt_copy_call call) {
    return tn_rt_copy_rows(tn_rt_in_array(dst, x, y), tn_rt_pitched(src, pitch), width, height,
                           (int)kind, stream, call);
}

hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                              size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        to_array(dst, wOffset, hOffset, src, spitch, width, height, kind, NULL, complete));
}

hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                   size_t spitch, size_t width, size_t height, hipMemcpyKind kind,
                                   hipStream_t stream) {
    return TN_HIP_CALL(
        to_array(dst, wOffset, hOffset, src, spitch, width, height, kind, stream, async));
}

hipError_t hipMemcpy2DToArray_spt(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                                  size_t spitch, size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(to_array(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                hipStreamPerThread, complete));
}

hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t dst, size_t wOffset, size_t hOffset,
                                       const void *src, size_t spitch, size_t width, size_t height,
                                       hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(to_array(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                tn_hip_spt(stream), async));
}

static tn_rt_error from_array(void *dst, size_t pitch, hipArray_const_t src, size_t x, size_t y,
                              size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                              enum tn_rt_copy_call call) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, pitch), tn_rt_in_array(src, x, y), width, height,
                           (int)kind, stream, call);
}

hipError_t hipMemcpy2DFromArray(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset,
                                size_t hOffset, size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind, NULL, complete));
}

hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset,
                                     size_t hOffset, size_t width, size_t height,
                                     hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(
        from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream, async));
}

hipError_t hipMemcpy2DFromArray_spt(void *dst, size_t dpitch, hipArray_const_t src, size_t wOffset,
                                    size_t hOffset, size_t width, size_t height,
                                    hipMemcpyKind kind) {
    return TN_HIP_CALL(from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                  hipStreamPerThread, complete));
}

hipError_t hipMemcpy2DFromArrayAsync_spt(void *dst, size_t dpitch, hipArray_const_t src,
                                         size_t wOffset, size_t hOffset, size_t width,
                                         size_t height, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                  tn_hip_spt(stream), async));
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   hipArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t width, size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(tn_rt_copy_rows(tn_rt_in_array(dst, wOffsetDst, hOffsetDst),
                                       tn_rt_in_array(src, wOffsetSrc, hOffsetSrc), width, height,
                                       (int)kind, NULL, complete));
}

// ---- one row

static const hipMemcpyKind any = hipMemcpyDefault;

hipError_t hipMemcpyHtoA(hipArray_t dstArray, size_t dstOffset, const void *srcHost, size_t count) {
    return TN_HIP_CALL(
        to_array(dstArray, dstOffset, 0, srcHost, count, count, 1, any, NULL, complete));
}

hipError_t hipMemcpyAtoH(void *dst, hipArray_t srcArray, size_t srcOffset, size_t count) {
    return TN_HIP_CALL(
        from_array(dst, count, srcArray, srcOffset, 0, count, 1, any, NULL, complete));
}

hipError_t hipMemcpyHtoAAsync(hipArray_t dstArray, size_t dstOffset, const void *srcHost,
                              size_t ByteCount, hipStream_t stream) {
    return TN_HIP_CALL(
        to_array(dstArray, dstOffset, 0, srcHost, ByteCount, ByteCount, 1, any, stream, async));
}

hipError_t hipMemcpyAtoHAsync(void *dstHost, hipArray_t srcArray, size_t srcOffset,
                              size_t ByteCount, hipStream_t stream) {
    return TN_HIP_CALL(
        from_array(dstHost, ByteCount, srcArray, srcOffset, 0, ByteCount, 1, any, stream, async));
}

hipError_t hipMemcpyDtoA(hipArray_t dstArray, size_t dstOffset, hipDeviceptr_t srcDevice,
                         size_t ByteCount) {
    return TN_HIP_CALL(
        to_array(dstArray, dstOffset, 0, srcDevice, ByteCount, ByteCount, 1, any, NULL, complete));
}

hipError_t hipMemcpyAtoD(hipDeviceptr_t dstDevice, hipArray_t srcArray, size_t srcOffset,
                         size_t ByteCount) {
    return TN_HIP_CALL(from_array(dstDevice, ByteCount, srcArray, srcOffset, 0, ByteCount, 1, any,
                                  NULL, complete));
}

hipError_t hipMemcpyAtoA(hipArray_t dstArray, size_t dstOffset, hipArray_t srcArray,
                         size_t srcOffset, size_t ByteCount) {
    return TN_HIP_CALL(tn_rt_copy_rows(tn_rt_in_array(dstArray, dstOffset, 0),
                                       tn_rt_in_array(srcArray, srcOffset, 0), ByteCount, 1, any,
                                       NULL, complete));
}

// ---- a run of elements, which continues in the next row

hipError_t hipMemcpyToArray(hipArray_t dst, size_t wOffset, size_t hOffset, const void *src,
                            size_t count, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        tn_rt_copy_elements(dst, wOffset, hOffset, src, count, (int)kind, true, NULL));
}

hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t srcArray, size_t wOffset, size_t hOffset,
                              size_t count, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        tn_rt_copy_elements(srcArray, wOffset, hOffset, dst, count, (int)kind, false, NULL));
}

hipError_t hipMemcpyFromArray_spt(void *dst, hipArray_const_t srcArray, size_t wOffset,
                                  size_t hOffset, size_t count, hipMemcpyKind kind) {
    return TN_HIP_CALL(tn_rt_copy_elements(srcArray, wOffset, hOffset, dst, count, (int)kind, false,
                                           hipStreamPerThread));
}
