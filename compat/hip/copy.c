// SPDX-License-Identifier: Apache-2.0
// hipMemcpy() and the other one-dimensional copies. See compat/runtime/copy.h.
#include <hip/detail/copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy.h"

_Static_assert((int)hipMemcpyHostToHost == TN_RT_COPY_HOST_TO_HOST &&
                   (int)hipMemcpyHostToDevice == TN_RT_COPY_HOST_TO_DEVICE &&
                   (int)hipMemcpyDeviceToHost == TN_RT_COPY_DEVICE_TO_HOST &&
                   (int)hipMemcpyDeviceToDevice == TN_RT_COPY_ON_DEVICE &&
                   (int)hipMemcpyDefault == TN_RT_COPY_DEFAULT,
               "kinds have the same numbers");

hipError_t hipMemcpy(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, (int)kind, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                               hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, (int)kind, stream, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                          hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, (int)kind, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpy_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        tn_rt_copy_linear(dst, src, sizeBytes, (int)kind, hipStreamPerThread, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyAsync_spt(void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind,
                              hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_copy_linear(dst, src, sizeBytes, (int)kind, tn_hip_spt(stream), TN_RT_COPY_ASYNC));
}

// ---- with the direction in the name

static const hipMemcpyKind to_device = hipMemcpyHostToDevice;
static const hipMemcpyKind to_host = hipMemcpyDeviceToHost;
static const hipMemcpyKind on_device = hipMemcpyDeviceToDevice;

hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t sizeBytes) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, to_device, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t sizeBytes) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, to_host, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, on_device, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t sizeBytes,
                              hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, to_device, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, to_host, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t sizeBytes,
                              hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_linear(dst, src, sizeBytes, on_device, stream, TN_RT_COPY_ASYNC));
}

// ---- between devices

hipError_t hipMemcpyPeer(void *dst, int dstDeviceId, const void *src, int srcDeviceId,
                         size_t sizeBytes) {
    return TN_HIP_CALL(
        tn_rt_copy_peer(dst, dstDeviceId, src, srcDeviceId, sizeBytes, NULL, TN_RT_COPY_PEER));
}

hipError_t hipMemcpyPeerAsync(void *dst, int dstDeviceId, const void *src, int srcDevice,
                              size_t sizeBytes, hipStream_t stream) {
    return TN_HIP_CALL(
        tn_rt_copy_peer(dst, dstDeviceId, src, srcDevice, sizeBytes, stream, TN_RT_COPY_ASYNC));
}
