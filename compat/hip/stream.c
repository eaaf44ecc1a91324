// SPDX-License-Identifier: Apache-2.0
// HIP's functions about streams, functions of the program in stream order, and all work of a device.
// See compat/runtime/stream/stream.h.
#include <hip/detail/stream.h>
#include <hip/detail/stream_attribute.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/kernel/host_function.h"
#include "compat/runtime/stream/stream.h"

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

TN_HIP_ROW(hipExtStreamCreateWithCUMask, tn_rt_stream_make_masked, hipStream_t *, stream, uint32_t,
           cuMaskSize, const uint32_t *, cuMask)
TN_HIP_ROW(hipExtStreamGetCUMask, tn_rt_stream_mask, hipStream_t, stream, uint32_t, cuMaskSize,
           uint32_t *, cuMask)

// ---- functions of the program

TN_HIP_ROW(hipStreamAddCallback,
           TN_FACE_EXPRESSION(tn_rt_add_callback(stream, (tn_rt_callback *)(void (*)(void))callback,
                                                 userData, flags)),
           hipStream_t, stream, hipStreamCallback_t, callback, void *, userData, unsigned int,
           flags)

// The function receives the stream by the handle that means it.
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback,
                                    void *userData, unsigned int flags) {
    return hipStreamAddCallback(tn_hip_spt(stream), callback, userData, flags);
}
