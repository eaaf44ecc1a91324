// SPDX-License-Identifier: Apache-2.0
// HIP's functions about streams and about all work of a device.
#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"

_Static_assert(hipStreamNonBlocking == TN_RT_STREAM_NON_BLOCKING, "flags have the same numbers");

hipError_t hipStreamCreate(hipStream_t *stream) {
    return TN_HIP_CALL(tn_rt_stream_make(stream, TN_RT_STREAM_BLOCKING, 0));
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
    return TN_HIP_CALL(tn_rt_stream_make(stream, flags, 0));
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
    return TN_HIP_CALL(tn_rt_stream_make(stream, flags, priority));
}

static tn_rt_error get_priorities(int *lowest, int *highest) {
    if (lowest != NULL) *lowest = TN_RT_PRIORITY_LOWEST;
    if (highest != NULL) *highest = TN_RT_PRIORITY_HIGHEST;
    return TN_RT_OK;
}

hipError_t hipDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
    return TN_HIP_CALL(get_priorities(leastPriority, greatestPriority));
}

hipError_t hipStreamDestroy(hipStream_t stream) { return TN_HIP_CALL(tn_rt_stream_close(stream)); }

// ---- progress

hipError_t hipStreamQuery(hipStream_t stream) { return TN_HIP_CALL(tn_rt_query(stream)); }

hipError_t hipStreamSynchronize(hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_synchronize(stream));
}

// ---- queries

static tn_rt_error get_flags(hipStream_t stream, unsigned *flags) {
    TN_RT_TRY(tn_rt_check_pointer(stream, "stream"));
    return tn_rt_stream_property(stream, TN_RT_STREAM_FLAGS, flags);
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
    return TN_HIP_CALL(get_flags(stream, flags));
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
    return TN_HIP_CALL(tn_rt_stream_property(stream, TN_RT_STREAM_PRIORITY, priority));
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
    return TN_HIP_CALL(tn_rt_stream_property(stream, TN_RT_STREAM_DEVICE, device));
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
