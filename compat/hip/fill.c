// SPDX-License-Identifier: Apache-2.0
// hipMemset() and similar functions. See compat/runtime/fill.h.
#include <hip/detail/fill.h>

#include "compat/hip/face.h"
#include "compat/runtime/fill.h"

// ---- one row

hipError_t hipMemset(void *dst, int value, size_t sizeBytes) {
    return TN_HIP_CALL(tn_rt_fill(dst, (uint32_t)value, 1, sizeBytes, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetAsync(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_fill(dst, (uint32_t)value, 1, sizeBytes, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemset_spt(void *dst, int value, size_t sizeBytes) {
    return TN_HIP_CALL(
        tn_rt_fill(dst, (uint32_t)value, 1, sizeBytes, hipStreamPerThread, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetAsync_spt(void *dst, int value, size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_fill(dst, (uint32_t)value, 1, sizeBytes, tn_hip_spt(stream), TN_RT_FILL_ASYNC));
}

hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count) {
    return TN_HIP_CALL(tn_rt_fill(dest, value, 1, count, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count) {
    return TN_HIP_CALL(tn_rt_fill(dest, value, 2, count, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count) {
    return TN_HIP_CALL(tn_rt_fill(dest, (uint32_t)value, 4, count, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count,
                            hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_fill(dest, value, 1, count, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count,
                             hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_fill(dest, value, 2, count, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_fill(dst, (uint32_t)value, 4, count, stream, TN_RT_FILL_ASYNC));
}

// ---- boxes

hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, pitch, (uint32_t)value, 1, width, height, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, pitch, (uint32_t)value, 1, width, height, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemset2D_spt(void *dst, size_t pitch, int value, size_t width, size_t height) {
    return TN_HIP_CALL(tn_rt_fill_2d(dst, pitch, (uint32_t)value, 1, width, height,
                                     hipStreamPerThread, TN_RT_FILL_SYNC));
}

hipError_t hipMemset2DAsync_spt(void *dst, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_fill_2d(dst, pitch, (uint32_t)value, 1, width, height,
                                     tn_hip_spt(stream), TN_RT_FILL_ASYNC));
}

hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t dstPitch, unsigned char value, size_t width,
                         size_t height) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, dstPitch, value, 1, width, height, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t dstPitch, unsigned short value, size_t width,
                          size_t height) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, dstPitch, value, 2, width, height, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t dstPitch, unsigned int value, size_t width,
                          size_t height) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, dstPitch, value, 4, width, height, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t dstPitch, unsigned char value,
                              size_t width, size_t height, hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, dstPitch, value, 1, width, height, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t dstPitch, unsigned short value,
                               size_t width, size_t height, hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, dstPitch, value, 2, width, height, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t dstPitch, unsigned int value,
                               size_t width, size_t height, hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_fill_2d(dst, dstPitch, value, 4, width, height, stream, TN_RT_FILL_ASYNC));
}

static tn_rt_error fill_3d(const hipPitchedPtr *to, int value, const hipExtent *extent,
                           hipStream_t stream, enum tn_rt_fill_call call) {
    const struct tn_rt_fill_box box = {to->ptr,       to->pitch,      to->ysize,
                                       extent->width, extent->height, extent->depth};
    return tn_rt_fill_3d(&box, value, stream, call);
}

hipError_t hipMemset3D(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
    return TN_HIP_CALL(fill_3d(&pitchedDevPtr, value, &extent, NULL, TN_RT_FILL_SYNC));
}

hipError_t hipMemset3DAsync(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent,
                            hipStream_t stream) {
    return TN_HIP_CALL(fill_3d(&pitchedDevPtr, value, &extent, stream, TN_RT_FILL_ASYNC));
}

hipError_t hipMemset3D_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent) {
    return TN_HIP_CALL(
        fill_3d(&pitchedDevPtr, value, &extent, hipStreamPerThread, TN_RT_FILL_SYNC));
}

hipError_t hipMemset3DAsync_spt(hipPitchedPtr pitchedDevPtr, int value, hipExtent extent,
                                hipStream_t stream) {
    return TN_HIP_CALL(
        fill_3d(&pitchedDevPtr, value, &extent, tn_hip_spt(stream), TN_RT_FILL_ASYNC));
}
