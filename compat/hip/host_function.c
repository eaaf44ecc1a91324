// SPDX-License-Identifier: Apache-2.0
// Functions of the program in stream order. See compat/runtime/host_function.h.
#include <hip/detail/stream.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream_call.h"

struct callback {
    hipStreamCallback_t fn;
    hipStream_t stream;
    void *arg;
};

static tn_rt_error call_callback(const void *closure) {
    const struct callback *callback = (const struct callback *)closure;
    callback->fn(callback->stream, hipSuccess, callback->arg);
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipStreamAddCallback, hipStream_t, stream, hipStreamCallback_t, callback, void *,
                userData, unsigned int, flags) {
    const struct callback closure = {callback, stream, userData};
    struct tn_rt_where where;
    TN_RT_REFUSE(callback == NULL, TN_RT_INVALID_VALUE, "callback is NULL");
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x are reserved", flags);
    TN_RT_TRY(tn_rt_stream_begin(stream, &where));
    tn_rt_error error = tn_rt_call(&where, call_callback, &closure, sizeof closure);
    tn_rt_stream_end(&where);
    return error;
}

// The function receives the stream by the handle that means it.
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback,
                                    void *userData, unsigned int flags) {
    return hipStreamAddCallback(tn_hip_spt(stream), callback, userData, flags);
}
