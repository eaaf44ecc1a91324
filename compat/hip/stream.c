// SPDX-License-Identifier: Apache-2.0
// HIP's functions about streams and about all work of a device.
#include <hip/detail/stream.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream.h"

#define LOWEST_PRIORITY  1
#define HIGHEST_PRIORITY (-1)

static int clamp_priority(int priority) {
    return priority > LOWEST_PRIORITY    ? LOWEST_PRIORITY
           : priority < HIGHEST_PRIORITY ? HIGHEST_PRIORITY
                                         : priority;
}

static tn_rt_error create_stream(hipStream_t *stream, unsigned flags, int priority) {
    TN_RT_TRY(tn_rt_check_pointer(stream, "stream"));
    TN_RT_REFUSE(flags != hipStreamDefault && flags != hipStreamNonBlocking, TN_RT_INVALID_VALUE,
                 "flags 0x%x, 0 and 1 are defined", flags);
    uintptr_t handle = 0;
    TN_RT_TRY(tn_rt_stream_new(tn_rt_current(), flags, clamp_priority(priority), &handle));
    *stream = (hipStream_t)handle;
    return TN_RT_OK;
}

hipError_t hipStreamCreate(hipStream_t *stream) {
    return TN_HIP_CALL(create_stream(stream, hipStreamDefault, 0));
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
    return TN_HIP_CALL(create_stream(stream, flags, 0));
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
    return TN_HIP_CALL(create_stream(stream, flags, priority));
}

static tn_rt_error get_priorities(int *lowest, int *highest) {
    if (lowest != NULL) *lowest = LOWEST_PRIORITY;
    if (highest != NULL) *highest = HIGHEST_PRIORITY;
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

// Writes one property of a stream to the output that is not NULL.
static tn_rt_error get_property(hipStream_t stream, unsigned *flags, int *priority,
                                hipDevice_t *device) {
    struct tn_rt_stream *s = NULL;
    TN_RT_REFUSE(flags == NULL && priority == NULL && device == NULL, TN_RT_INVALID_VALUE,
                 "the output is NULL");
    TN_RT_TRY(tn_rt_stream_get(stream, &s));
    if (flags != NULL)
        *flags = s->flags;
    else if (priority != NULL)
        *priority = s->priority;
    else
        *device = s->device->ordinal;
    tn_rt_stream_put(s);
    return TN_RT_OK;
}

static tn_rt_error get_flags(hipStream_t stream, unsigned *flags) {
    TN_RT_TRY(tn_rt_check_pointer(stream, "stream"));
    return get_property(stream, flags, NULL, NULL);
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
    return TN_HIP_CALL(get_flags(stream, flags));
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
    return TN_HIP_CALL(get_property(stream, NULL, priority, NULL));
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
    return TN_HIP_CALL(get_property(stream, NULL, NULL, device));
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
