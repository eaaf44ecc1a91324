// SPDX-License-Identifier: Apache-2.0
// Streams, and functions of the program in stream order. See
// compat/runtime/stream/stream.h.
#include "compat/runtime/stream/stream.h"

#include "compat/cuda/face.h"
#include "compat/runtime/context/context.h"
#include "compat/runtime/kernel/host_function.h"

_Static_assert((int)CU_STREAM_NON_BLOCKING == TN_RT_STREAM_NON_BLOCKING &&
                   cudaStreamNonBlocking == TN_RT_STREAM_NON_BLOCKING &&
                   (int)cudaLaunchAttributeSynchronizationPolicy == TN_RT_ATTRIBUTE_WAITS &&
                   (int)cudaLaunchAttributePriority == TN_RT_ATTRIBUTE_PRIORITY &&
                   (int)cudaSyncPolicyBlockingSync == TN_RT_WAITS_BLOCKING,
               "flags and attributes have the same numbers");

TN_CU(cuStreamCreate, TN_FACE_EXPRESSION(tn_rt_stream_make(stream, flags, 0)), CUstream *, stream,
      unsigned int, flags)
TN_CU(cuCtxGetStreamPriorityRange, tn_rt_stream_priorities, int *, least, int *, greatest)
TN_CU_BOTH_STREAM(cuStreamGetFlags, cuStreamGetFlags_ptsz, cudaStreamGetFlags,
                  cudaStreamGetFlags_ptsz, tn_rt_stream_flags, CUstream, stream, unsigned int *,
                  flags)

tn_rt_error tn_cu_check_list_stream(const void *stream) {
    bool legacy = stream == NULL ? !tn_rt_null_is_of_thread : stream == CU_STREAM_LEGACY;
    TN_RT_REFUSE(legacy, TN_RT_INVALID_VALUE, "the legacy stream takes no list");
    return TN_RT_OK;
}

// A stream of every program is of the current context.
static tn_rt_error get_context(CUstream stream, CUcontext *ctx) {
    struct tn_rt_stream TN_RT_STREAM_HELD *s = NULL;
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    TN_RT_TRY(tn_rt_stream_get(stream, &s));
    if (s->role != TN_RT_STREAM_MADE) return tn_rt_context_current(ctx);
    *ctx = (CUcontext)tn_rt_context_of(s->object.owner);
    return TN_RT_OK;
}

// No stream is of a part of a device.
static tn_rt_error get_context_2(CUstream stream, CUcontext *ctx, void **part) {
    TN_RT_TRY(get_context(stream, ctx));
    if (part != NULL) *part = NULL;
    return TN_RT_OK;
}

TN_CU_STREAM(cuStreamGetCtx, cuStreamGetCtx_ptsz, get_context, CUstream, stream, CUcontext *,
             context)
TN_CU_STREAM(cuStreamGetCtx_v2, cuStreamGetCtx_v2_ptsz, get_context_2, CUstream, stream,
             CUcontext *, context, void **, part)

// ---- functions of the program

#define CALLBACK(fn) ((tn_rt_callback *)(void (*)(void))(fn))
TN_CU_STREAM(cuStreamAddCallback, cuStreamAddCallback_ptsz,
             TN_FACE_EXPRESSION(tn_rt_add_callback(stream, CALLBACK(callback), data, flags)),
             CUstream, stream, CUstreamCallback, callback, void *, data, unsigned int, flags)
TN_CUDART_STREAM(cudaStreamAddCallback, cudaStreamAddCallback_ptsz,
                 TN_FACE_EXPRESSION(tn_rt_add_callback(stream, CALLBACK(callback), data, flags)),
                 cudaStream_t, stream, cudaStreamCallback_t, callback, void *, data, unsigned int,
                 flags)
