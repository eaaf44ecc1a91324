// SPDX-License-Identifier: Apache-2.0
// Copies of one row. See compat/runtime/copy_rows.h.
#include "compat/runtime/copy_rows.h"

#include "compat/cuda/face.h"
#include "compat/runtime/block.h"
#include "compat/runtime/context.h"

_Static_assert((int)cudaMemcpyHostToDevice == TN_RT_COPY_HOST_TO_DEVICE &&
                   (int)cudaMemcpyDeviceToHost == TN_RT_COPY_DEVICE_TO_HOST &&
                   (int)cudaMemcpyDefault == TN_RT_COPY_DEFAULT,
               "kinds have the same numbers");

// ---- the driver: the addresses decide the direction, unless the name does

static tn_rt_error copy_any(void *dst, const void *src, size_t size) {
    return tn_rt_copy_sync(dst, src, size, TN_RT_COPY_DEFAULT);
}

static tn_rt_error copy_any_async(void *dst, const void *src, size_t size, void *stream) {
    return tn_rt_copy_async(dst, src, size, TN_RT_COPY_DEFAULT, stream);
}

static tn_rt_error check_side(const void *ptr, size_t size) {
    struct tn_rt_block block;
    TN_RT_REFUSE(size != 0 && !tn_rt_block_query(ptr, &block), TN_RT_INVALID_VALUE,
                 "%p is not in %s", ptr, tn_rt_policy.memory_name);
    return TN_RT_OK;
}

static tn_rt_error copy_to(void *dst, const void *src, size_t size) {
    TN_RT_TRY(check_side(dst, size));
    return copy_any(dst, src, size);
}

static tn_rt_error copy_from(void *dst, const void *src, size_t size) {
    TN_RT_TRY(check_side(src, size));
    return copy_any(dst, src, size);
}

static tn_rt_error copy_on(void *dst, const void *src, size_t size) {
    TN_RT_TRY(check_side(dst, size));
    return copy_from(dst, src, size);
}

static tn_rt_error copy_to_async(void *dst, const void *src, size_t size, void *stream) {
    TN_RT_TRY(check_side(dst, size));
    return copy_any_async(dst, src, size, stream);
}

static tn_rt_error copy_from_async(void *dst, const void *src, size_t size, void *stream) {
    TN_RT_TRY(check_side(src, size));
    return copy_any_async(dst, src, size, stream);
}

static tn_rt_error copy_on_async(void *dst, const void *src, size_t size, void *stream) {
    TN_RT_TRY(check_side(dst, size));
    return copy_from_async(dst, src, size, stream);
}

TN_CU_DIRECT(cuMemcpy, copy_any, CUdeviceptr, CUdeviceptr, size_t)
TN_CU_DIRECT(cuMemcpyHtoD, copy_to, CUdeviceptr, const void *, size_t)
TN_CU_DIRECT(cuMemcpyDtoH, copy_from, void *, CUdeviceptr, size_t)
TN_CU_DIRECT(cuMemcpyDtoD, copy_on, CUdeviceptr, CUdeviceptr, size_t)
TN_CU_STREAM(cuMemcpyAsync, copy_any_async, CUdeviceptr, CUdeviceptr, size_t, CUstream)
TN_CU_STREAM(cuMemcpyHtoDAsync, copy_to_async, CUdeviceptr, const void *, size_t, CUstream)
TN_CU_STREAM(cuMemcpyDtoHAsync, copy_from_async, void *, CUdeviceptr, size_t, CUstream)
TN_CU_STREAM(cuMemcpyDtoDAsync, copy_on_async, CUdeviceptr, CUdeviceptr, size_t, CUstream)

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

static tn_rt_error copy_contexts(void *dst, void *to, const void *src, void *from, size_t size) {
    return copy_between(dst, to, src, from, size, NULL, TN_RT_COPY_PEER);
}

static tn_rt_error copy_contexts_async(void *dst, void *to, const void *src, void *from,
                                       size_t size, void *stream) {
    return copy_between(dst, to, src, from, size, stream, TN_RT_COPY_ASYNC);
}

TN_CU_DIRECT(cuMemcpyPeer, copy_contexts, CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t)
TN_CU_STREAM(cuMemcpyPeerAsync, copy_contexts_async, CUdeviceptr, CUcontext, CUdeviceptr, CUcontext,
             size_t, CUstream)
