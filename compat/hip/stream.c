// SPDX-License-Identifier: Apache-2.0
// HIP's functions about streams and about all work of a device.
#include <hip/detail/stream.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"

_Static_assert(hipStreamNonBlocking == TN_RT_STREAM_NON_BLOCKING, "flags have the same numbers");

static tn_rt_error create_stream(hipStream_t *stream, unsigned flags) {
    return tn_rt_stream_make(stream, flags, 0);
}

static tn_rt_error create_blocking(hipStream_t *stream) {
    return create_stream(stream, TN_RT_STREAM_BLOCKING);
}

TN_HIP_ROW(hipStreamCreate, create_blocking, hipStream_t *)
TN_HIP_ROW(hipStreamCreateWithFlags, create_stream, hipStream_t *, unsigned int)
TN_HIP_ROW(hipStreamCreateWithPriority, tn_rt_stream_make, hipStream_t *, unsigned int, int)

TN_HIP_FUNCTION(hipDeviceGetStreamPriorityRange, int *, leastPriority, int *, greatestPriority) {
    if (leastPriority != NULL) *leastPriority = tn_rt_policy.lowest_priority;
    if (greatestPriority != NULL) *greatestPriority = tn_rt_policy.highest_priority;
    return TN_RT_OK;
}

// ---- queries

TN_HIP_FUNCTION(hipStreamGetFlags, hipStream_t, stream, unsigned int *, flags) {
    TN_RT_TRY(tn_rt_check_pointer(stream, "stream"));
    return tn_rt_stream_property(stream, TN_RT_STREAM_FLAGS, flags);
}

// NULL is an error here, unless it means the stream of the thread.
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
    return hipStreamGetFlags(tn_hip_spt(stream), flags);
}

static tn_rt_error get_priority(hipStream_t stream, int *priority) {
    return tn_rt_stream_property(stream, TN_RT_STREAM_PRIORITY, priority);
}

static tn_rt_error get_device(hipStream_t stream, int *device) {
    return tn_rt_stream_property(stream, TN_RT_STREAM_DEVICE, device);
}

TN_HIP_SPT_ROW(hipStreamGetPriority, get_priority, hipStream_t, int *)
TN_HIP_ROW(hipStreamGetDevice, get_device, hipStream_t, hipDevice_t *)

int hipGetStreamDeviceId(hipStream_t stream) {
    hipDevice_t device = -1;
    (void)hipStreamGetDevice(stream, &device);
    return device;
}

// ---- all streams of a device

hipError_t hipDeviceSynchronize(void) {
    return TN_HIP_CALL(tn_rt_synchronize_device(tn_rt_current()));
}
