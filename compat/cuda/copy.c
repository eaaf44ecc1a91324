// SPDX-License-Identifier: Apache-2.0
// Copies of one row. See compat/runtime/copy/copy_rows.h.
#include "compat/runtime/copy/copy_rows.h"

#include "compat/cuda/face.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/policy.h"

_Static_assert((int)cudaMemcpyHostToDevice == TN_RT_COPY_HOST_TO_DEVICE &&
                   (int)cudaMemcpyDeviceToHost == TN_RT_COPY_DEVICE_TO_HOST &&
                   (int)cudaMemcpyDefault == TN_RT_COPY_DEFAULT,
               "kinds have the same numbers");

// ---- the driver: the addresses decide the direction, unless the name does

static tn_rt_error copy_any(void *dst, const void *src, size_t size, void *stream,
                            enum tn_rt_copy_call call) {
    return tn_rt_copy_linear(dst, src, size, TN_RT_COPY_DEFAULT, stream, call);
}

static tn_rt_error check_side(const void *ptr, size_t size, bool write) {
    struct tn_rt_block block;
    TN_RT_REFUSE(size != 0 && !tn_rt_block_reach(ptr, size, write, &block), TN_RT_INVALID_VALUE,
                 "%p is not in %s", ptr, tn_rt_memory_policy.memory_name);
    return TN_RT_OK;
}

static tn_rt_error copy_to(void *dst, const void *src, size_t size, void *stream,
                           enum tn_rt_copy_call call) {
    TN_RT_TRY(check_side(dst, size, true));
    return copy_any(dst, src, size, stream, call);
}

static tn_rt_error copy_from(void *dst, const void *src, size_t size, void *stream,
                             enum tn_rt_copy_call call) {
    TN_RT_TRY(check_side(src, size, false));
    return copy_any(dst, src, size, stream, call);
}

static tn_rt_error copy_on(void *dst, const void *src, size_t size, void *stream,
                           enum tn_rt_copy_call call) {
    TN_RT_TRY(check_side(dst, size, true));
    return copy_from(dst, src, size, stream, call);
}

TN_CU_PAIR(cuMemcpy, cuMemcpy_ptds, cuMemcpyAsync, cuMemcpyAsync_ptsz, copy_any, TN_RT_COPY_SYNC,
           CUdeviceptr, dst, CUdeviceptr, src, size_t, bytes)
TN_CU_PAIR(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds, cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz,
           copy_to, TN_RT_COPY_SYNC, CUdeviceptr, dst, const void *, src, size_t, bytes)
TN_CU_PAIR(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds, cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz,
           copy_from, TN_RT_COPY_SYNC, void *, dst, CUdeviceptr, src, size_t, bytes)
TN_CU_PAIR(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds, cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz,
           copy_on, TN_RT_COPY_SYNC, CUdeviceptr, dst, CUdeviceptr, src, size_t, bytes)

// ---- between devices

// The driver names devices by contexts; NULL is the current one.
static tn_rt_error device_of(void *ctx, int *device) {
    tn_rt_error error =
        ctx != NULL ? tn_rt_context_device(ctx, device) : tn_rt_context_ordinal(device);
    return error == TN_RT_INVALID_CONTEXT ? TN_RT_INVALID_VALUE : error;
}

static tn_rt_error copy_between(void *dst, void *to, const void *src, void *from, size_t size,
                                void *stream, enum tn_rt_copy_call call) {
    int devices[2] = {-1, -1};
    TN_RT_TRY(device_of(to, &devices[0]));
    TN_RT_TRY(device_of(from, &devices[1]));
    return tn_rt_copy_peer(dst, devices[0], src, devices[1], size, stream, call);
}

TN_CU_PAIR(cuMemcpyPeer, cuMemcpyPeer_ptds, cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz, copy_between,
           TN_RT_COPY_PEER, CUdeviceptr, dst, CUcontext, dst_context, CUdeviceptr, src, CUcontext,
           src_context, size_t, bytes)
