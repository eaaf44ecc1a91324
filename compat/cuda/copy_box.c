// SPDX-License-Identifier: Apache-2.0
// Copies of rows and boxes, lists of copies, and memory with rows. See compat/runtime/copy/box.h and copy_rows.h.
#include "compat/runtime/copy/copy_rows.h"

#include <stddef.h>

#include "compat/cuda/face.h"
#include "compat/runtime/memory/memory.h"

// ---- memory with rows

TN_CU_UNCAPTURED(cuMemAllocPitch, tn_rt_memory_alloc_elements, CUdeviceptr *, size_t *, size_t,
                 size_t, unsigned int)

// ---- the driver's descriptions

_Static_assert(sizeof(CUDA_MEMCPY3D) == TN_RT_DRIVER_COPY_BYTES + 2 * sizeof(void *) &&
                   offsetof(CUDA_MEMCPY3D, dstPitch) ==
                       sizeof(struct tn_rt_driver_side) + 2 * sizeof(void *) +
                           offsetof(struct tn_rt_driver_side, pitch) &&
                   sizeof(CUDA_MEMCPY2D) == sizeof(struct tn_rt_driver_rect) &&
                   offsetof(CUDA_MEMCPY2D, dstPitch) ==
                       offsetof(struct tn_rt_driver_rect, dst.pitch),
               "descriptions have the same layout");

TN_RT_TWO_CALLS(copy_rect, tn_rt_driver_copy_rect, TN_RT_COPY_COMPLETE, const void *)

TN_CU_DIRECT(cuMemcpy2D, copy_rect, const CUDA_MEMCPY2D *)
TN_CU_DIRECT(cuMemcpy2DUnaligned, copy_rect, const CUDA_MEMCPY2D *)
TN_CU_STREAM(cuMemcpy2DAsync, copy_rect_async, const CUDA_MEMCPY2D *, CUstream)
TN_CU_PAIR(cuMemcpy3D, tn_rt_driver_copy, TN_RT_COPY_COMPLETE, const CUDA_MEMCPY3D *)

// ---- three dimensions, by the runtime API

_Static_assert(sizeof(struct cudaMemcpy3DParms) == sizeof(struct tn_rt_3d) &&
                   offsetof(struct cudaMemcpy3DParms, dstPtr.ysize) ==
                       offsetof(struct tn_rt_3d, dst.rows) &&
                   offsetof(struct cudaMemcpy3DParms, kind) == offsetof(struct tn_rt_3d, kind) &&
                   sizeof(struct cudaMemcpy3DPeerParms) == sizeof(struct tn_rt_3d_peer) &&
                   offsetof(struct cudaMemcpy3DPeerParms, dstDevice) ==
                       offsetof(struct tn_rt_3d_peer, dst_device),
               "descriptions have the same layout");

TN_CUDART_PAIR(cudaMemcpy3DPeer, tn_rt_copy_3d_peer, TN_RT_COPY_COMPLETE,
               const struct cudaMemcpy3DPeerParms *)

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

TN_CU_STREAM(cuMemcpyBatchAsync, copy_batch, CUdeviceptr *, CUdeviceptr *, size_t *, size_t,
             CUmemcpyAttributes *, size_t *, size_t, CUstream)
TN_CUDART_STREAM(cudaMemcpyBatchAsync, copy_batch, void *const *, const void *const *,
                 const size_t *, size_t, struct cudaMemcpyAttributes *, size_t *, size_t,
                 cudaStream_t)
TN_CU_STREAM(cuMemcpy3DBatchAsync, copy_boxes, size_t, CUDA_MEMCPY3D_BATCH_OP *, unsigned long long,
             CUstream)
TN_CUDART_STREAM(cudaMemcpy3DBatchAsync, copy_boxes, size_t, struct cudaMemcpy3DBatchOp *,
                 unsigned long long, cudaStream_t)
