// SPDX-License-Identifier: Apache-2.0
// Copies of rows and boxes, lists of copies, and memory with rows. See compat/runtime/copy/box.h and copy_rows.h.
#include "compat/runtime/copy/copy_rows.h"

#include <stddef.h>

#include "compat/cuda/face.h"
#include "compat/runtime/memory/memory.h"

// ---- memory with rows

TN_CU_UNCAPTURED(cuMemAllocPitch_v2, tn_rt_memory_alloc_elements, CUdeviceptr *, address, size_t *,
                 pitch, size_t, width, size_t, height, unsigned int, element)

// ---- the driver's descriptions

_Static_assert(sizeof(CUDA_MEMCPY3D) == TN_RT_DRIVER_COPY_BYTES + 2 * sizeof(void *) &&
                   offsetof(CUDA_MEMCPY3D, dstPitch) ==
                       sizeof(struct tn_rt_driver_side) + 2 * sizeof(void *) +
                           offsetof(struct tn_rt_driver_side, pitch) &&
                   sizeof(CUDA_MEMCPY2D) == sizeof(struct tn_rt_driver_rect) &&
                   offsetof(CUDA_MEMCPY2D, dstPitch) ==
                       offsetof(struct tn_rt_driver_rect, dst.pitch),
               "descriptions have the same layout");

TN_CU_PAIR(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds, cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz,
           tn_rt_driver_copy_rect, TN_RT_COPY_COMPLETE, const CUDA_MEMCPY2D *, copy)
TN_CU_STREAM(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned_v2_ptds,
             TN_FACE_EXPRESSION(tn_rt_driver_copy_rect(copy, NULL, TN_RT_COPY_COMPLETE)),
             const CUDA_MEMCPY2D *, copy)
TN_CU_PAIR(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds, cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2_ptsz,
           tn_rt_driver_copy, TN_RT_COPY_COMPLETE, const CUDA_MEMCPY3D *, copy)

// ---- three dimensions, by the runtime API

_Static_assert(sizeof(struct cudaMemcpy3DParms) == sizeof(struct tn_rt_3d) &&
                   offsetof(struct cudaMemcpy3DParms, dstPtr.ysize) ==
                       offsetof(struct tn_rt_3d, dst.rows) &&
                   offsetof(struct cudaMemcpy3DParms, kind) == offsetof(struct tn_rt_3d, kind) &&
                   sizeof(struct cudaMemcpy3DPeerParms) == sizeof(struct tn_rt_3d_peer) &&
                   offsetof(struct cudaMemcpy3DPeerParms, dstDevice) ==
                       offsetof(struct tn_rt_3d_peer, dst_device),
               "descriptions have the same layout");

TN_CUDART_PAIR(cudaMemcpy3DPeer, cudaMemcpy3DPeer_ptds, cudaMemcpy3DPeerAsync,
               cudaMemcpy3DPeerAsync_ptsz, tn_rt_copy_3d_peer, TN_RT_COPY_COMPLETE,
               const struct cudaMemcpy3DPeerParms *, copy)

// ---- lists of copies

_Static_assert(sizeof(struct cudaMemcpyAttributes) == sizeof(struct tn_rt_copy_attribute) &&
                   sizeof(struct cudaMemcpy3DOperand) == sizeof(struct tn_rt_operand) &&
                   sizeof(struct cudaMemcpy3DBatchOp) == sizeof(struct tn_rt_batch_box) &&
                   offsetof(struct cudaMemcpy3DBatchOp, srcAccessOrder) ==
                       offsetof(struct tn_rt_batch_box, order) &&
                   sizeof(CUmemcpyAttributes) == sizeof(struct tn_rt_copy_attribute) &&
                   sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(struct tn_rt_batch_box),
               "lists have the same layout");

static tn_rt_error copy_batch(const void *dsts, const void *srcs, const size_t *sizes, size_t count,
                              const void *attributes, const size_t *first, size_t attribute_count,
                              void *stream) {
    TN_RT_TRY(tn_cu_check_list_stream(stream));
    return tn_rt_copy_list(dsts, srcs, sizes, count, attributes, first, attribute_count, NULL,
                           stream);
}

static tn_rt_error copy_boxes(size_t count, const void *list, unsigned long long flags,
                              void *stream) {
    TN_RT_TRY(tn_cu_check_list_stream(stream));
    return tn_rt_copy_boxes(count, list, NULL, flags, stream);
}

TN_CU_STREAM(cuMemcpyBatchAsync_v2, cuMemcpyBatchAsync_v2_ptsz, copy_batch, CUdeviceptr *, dst,
             CUdeviceptr *, src, size_t *, sizes, size_t, count, CUmemcpyAttributes *, attributes,
             size_t *, indices, size_t, attribute_count, CUstream, stream)
TN_CUDART_STREAM(cudaMemcpyBatchAsync, cudaMemcpyBatchAsync_ptsz, copy_batch, void *const *, dst,
                 const void *const *, src, const size_t *, sizes, size_t, count,
                 struct cudaMemcpyAttributes *, attributes, size_t *, indices, size_t,
                 attribute_count, cudaStream_t, stream)
TN_CU_STREAM(cuMemcpy3DBatchAsync_v2, cuMemcpy3DBatchAsync_v2_ptsz, copy_boxes, size_t, count,
             CUDA_MEMCPY3D_BATCH_OP *, list, unsigned long long, flags, CUstream, stream)
TN_CUDART_STREAM(cudaMemcpy3DBatchAsync, cudaMemcpy3DBatchAsync_ptsz, copy_boxes, size_t, count,
                 struct cudaMemcpy3DBatchOp *, list, unsigned long long, flags, cudaStream_t,
                 stream)
