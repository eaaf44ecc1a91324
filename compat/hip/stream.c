// SPDX-License-Identifier: Apache-2.0
// HIP's functions about streams, functions of the program in stream order, and all work of a device.
// See compat/runtime/stream.h.
#include <hip/detail/stream.h>
#include <hip/detail/stream_attribute.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"
#include "compat/runtime/stream_call.h"

_Static_assert(hipStreamNonBlocking == TN_RT_STREAM_NON_BLOCKING, "flags have the same numbers");

// ---- queries

TN_HIP_FUNCTION(hipStreamGetFlags, hipStream_t, stream, unsigned int *, flags) {
    TN_RT_TRY(tn_rt_check_pointer(stream, "stream"));
    return tn_rt_stream_flags(stream, flags);
}

// NULL is an error here, unless it means the stream of the thread.
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
    return hipStreamGetFlags(tn_hip_spt(stream), flags);
}

int hipGetStreamDeviceId(hipStream_t stream) {
    hipDevice_t device = -1;
    (void)hipStreamGetDevice(stream, &device);
    return device;
}

// ---- all streams of a device

hipError_t hipDeviceSynchronize(void) {
    return TN_HIP_CALL(tn_rt_synchronize_device(tn_rt_current()));
}

// ---- attributes, and streams that may use some compute units only

_Static_assert(sizeof(hipStreamAttrValue) == 64 && sizeof(hipAccessPolicyWindow) == 32 &&
                   (int)hipStreamAttributeSynchronizationPolicy == TN_RT_ATTRIBUTE_WAITS &&
                   (int)hipStreamAttributePriority == TN_RT_ATTRIBUTE_PRIORITY &&
                   (int)hipSyncPolicyBlockingSync == TN_RT_WAITS_BLOCKING,
               "programs compiled for HIP 7 pass these sizes and numbers");

TN_HIP_ROW(hipExtStreamCreateWithCUMask, tn_rt_stream_make_masked, hipStream_t *, uint32_t,
           const uint32_t *)
TN_HIP_ROW(hipExtStreamGetCUMask, tn_rt_stream_mask, hipStream_t, uint32_t, uint32_t *)

// ---- functions of the program

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
