// SPDX-License-Identifier: Apache-2.0
// hipMemcpy2D(), hipMemcpy3D(), similar functions, and lists of copies. See compat/runtime/copy/box.h and copy_rows.h.
#include <stddef.h>

#include <hip/detail/copy_batch.h>
#include <hip/detail/copy_box.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/copy_rows.h"

// ---- the driver's descriptions

_Static_assert(sizeof(HIP_MEMCPY3D) == TN_RT_DRIVER_COPY_BYTES &&
                   offsetof(HIP_MEMCPY3D, dstPitch) ==
                       sizeof(struct tn_rt_driver_side) +
                           offsetof(struct tn_rt_driver_side, pitch) &&
                   sizeof(hip_Memcpy2D) == sizeof(struct tn_rt_driver_rect) &&
                   offsetof(hip_Memcpy2D, dstPitch) ==
                       offsetof(struct tn_rt_driver_rect, dst.pitch),
               "descriptions have the same layout");

TN_HIP_PAIR(hipDrvMemcpy3D, hipDrvMemcpy3DAsync, tn_rt_driver_copy, TN_RT_COPY_COMPLETE,
            const HIP_MEMCPY3D *, pCopy)
TN_HIP_PAIR(hipMemcpyParam2D, hipMemcpyParam2DAsync, tn_rt_driver_copy_rect, TN_RT_COPY_SYNC,
            const hip_Memcpy2D *, pCopy)

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

TN_HIP_PAIR(hipMemcpy3DPeer, hipMemcpy3DPeerAsync, tn_rt_copy_3d_peer, TN_RT_COPY_COMPLETE,
            const hipMemcpy3DPeerParms *, p)

// ---- lists of copies

_Static_assert(sizeof(hipMemcpyAttributes) == sizeof(struct tn_rt_copy_attribute) &&
                   sizeof(hipMemcpy3DOperand) == sizeof(struct tn_rt_operand) &&
                   sizeof(hipMemcpy3DBatchOp) == sizeof(struct tn_rt_batch_box) &&
                   offsetof(hipMemcpy3DBatchOp, srcAccessOrder) ==
                       offsetof(struct tn_rt_batch_box, order) &&
                   (int)hipMemcpySrcAccessOrderDuringApiCall == TN_RT_READ_NOW &&
                   (int)hipMemcpyOperandTypeArray == TN_RT_OPERAND_ARRAY,
               "programs compiled for HIP 7 pass this layout");

TN_HIP_ROW(hipMemcpyBatchAsync, tn_rt_copy_list, void **, dsts, void **, srcs, size_t *, sizes,
           size_t, count, hipMemcpyAttributes *, attrs, size_t *, attrsIdxs, size_t, numAttrs,
           size_t *, failIdx, hipStream_t, stream)
TN_HIP_ROW(hipMemcpy3DBatchAsync, tn_rt_copy_boxes, size_t, numOps, hipMemcpy3DBatchOp *, opList,
           size_t *, failIdx, unsigned long long, flags, hipStream_t, stream)
