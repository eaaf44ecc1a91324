// SPDX-License-Identifier: Apache-2.0
// hipMemcpy2D(), hipMemcpy3D(), similar functions, and lists of copies. See compat/runtime/box.h.
#include <stddef.h>

#include <hip/detail/copy_batch.h>
#include <hip/detail/copy_box.h>

#include "compat/hip/face.h"
#include "compat/runtime/driver_copy.h"

static const enum tn_rt_copy_call complete = TN_RT_COPY_COMPLETE;
static const enum tn_rt_copy_call async = TN_RT_COPY_ASYNC;

// ---- two dimensions

static tn_rt_error copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                           size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream,
                           enum tn_rt_copy_call call) {
    return tn_rt_copy_rows(tn_rt_pitched(dst, dst_pitch), tn_rt_pitched(src, src_pitch), width,
                           height, (int)kind, stream, call);
}

hipError_t hipMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(copy_2d(dst, dpitch, src, spitch, width, height, kind, NULL, complete));
}

hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
    return TN_HIP_CALL(copy_2d(dst, dpitch, src, spitch, width, height, kind, stream, async));
}

hipError_t hipMemcpy2D_spt(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height, hipMemcpyKind kind) {
    return TN_HIP_CALL(
        copy_2d(dst, dpitch, src, spitch, width, height, kind, hipStreamPerThread, complete));
}

hipError_t hipMemcpy2DAsync_spt(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
    return TN_HIP_CALL(
        copy_2d(dst, dpitch, src, spitch, width, height, kind, tn_hip_spt(stream), async));
}

// ---- the driver's descriptions

_Static_assert(sizeof(HIP_MEMCPY3D) == TN_RT_DRIVER_COPY_BYTES &&
                   offsetof(HIP_MEMCPY3D, dstPitch) ==
                       sizeof(struct tn_rt_driver_side) +
                           offsetof(struct tn_rt_driver_side, pitch) &&
                   sizeof(hip_Memcpy2D) == sizeof(struct tn_rt_driver_rect) &&
                   offsetof(hip_Memcpy2D, dstPitch) ==
                       offsetof(struct tn_rt_driver_rect, dst.pitch),
               "descriptions have the same layout");

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *pCopy) {
    return TN_HIP_CALL(tn_rt_driver_copy(pCopy, NULL, TN_RT_COPY_COMPLETE));
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *pCopy, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_driver_copy(pCopy, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D *pCopy) {
    return TN_HIP_CALL(tn_rt_driver_copy_rect(pCopy, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *pCopy, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_driver_copy_rect(pCopy, stream, TN_RT_COPY_ASYNC));
}

// Unlike the functions above, this one calls an array that is NULL a bad value.
TN_HIP_FUNCTION(hipDrvMemcpy2DUnaligned, const hip_Memcpy2D *, pCopy) {
    TN_RT_TRY(tn_rt_check_pointer(pCopy, "pCopy"));
    TN_RT_TRY(pCopy->srcMemoryType == hipMemoryTypeArray
                  ? tn_rt_check_pointer(pCopy->srcArray, "srcArray")
                  : TN_RT_OK);
    TN_RT_TRY(pCopy->dstMemoryType == hipMemoryTypeArray
                  ? tn_rt_check_pointer(pCopy->dstArray, "dstArray")
                  : TN_RT_OK);
    return tn_rt_driver_copy_rect(pCopy, NULL, TN_RT_COPY_COMPLETE);
}

// ---- three dimensions

_Static_assert(sizeof(hipMemcpy3DParms) == sizeof(struct tn_rt_3d) &&
                   offsetof(hipMemcpy3DParms, dstPtr.ysize) ==
                       offsetof(struct tn_rt_3d, dst.rows) &&
                   offsetof(hipMemcpy3DParms, kind) == offsetof(struct tn_rt_3d, kind) &&
                   sizeof(hipMemcpy3DPeerParms) == sizeof(struct tn_rt_3d_peer) &&
                   offsetof(hipMemcpy3DPeerParms, dstDevice) ==
                       offsetof(struct tn_rt_3d_peer, dst_device),
               "descriptions have the same layout");

hipError_t hipMemcpy3D(const hipMemcpy3DParms *p) {
    return TN_HIP_CALL(tn_rt_copy_3d(p, NULL, complete));
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_3d(p, stream, async));
}

hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms *p) {
    return TN_HIP_CALL(tn_rt_copy_3d(p, hipStreamPerThread, complete));
}

hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms *p, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_3d(p, tn_hip_spt(stream), async));
}

hipError_t hipMemcpy3DPeer(const hipMemcpy3DPeerParms *p) {
    return TN_HIP_CALL(tn_rt_copy_3d_peer(p, NULL, complete));
}

hipError_t hipMemcpy3DPeerAsync(const hipMemcpy3DPeerParms *p, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_3d_peer(p, stream, async));
}

// ---- lists of copies

_Static_assert(sizeof(hipMemcpyAttributes) == sizeof(struct tn_rt_copy_attribute) &&
                   sizeof(hipMemcpy3DOperand) == sizeof(struct tn_rt_operand) &&
                   sizeof(hipMemcpy3DBatchOp) == sizeof(struct tn_rt_batch_box) &&
                   offsetof(hipMemcpy3DBatchOp, srcAccessOrder) ==
                       offsetof(struct tn_rt_batch_box, order) &&
                   (int)hipMemcpySrcAccessOrderDuringApiCall == TN_RT_READ_NOW &&
                   (int)hipMemcpyOperandTypeArray == TN_RT_OPERAND_ARRAY,
               "programs compiled for HIP 7 pass this layout");

hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                               hipMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                               size_t *failIdx, hipStream_t stream) {
    const struct tn_rt_batch batch = {dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs};
    return TN_HIP_CALL(tn_rt_copy_batch(&batch, failIdx, stream));
}

hipError_t hipMemcpy3DBatchAsync(size_t numOps, hipMemcpy3DBatchOp *opList, size_t *failIdx,
                                 unsigned long long flags, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_copy_boxes(opList, numOps, failIdx, flags, stream));
}
