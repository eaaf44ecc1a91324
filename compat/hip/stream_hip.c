// SPDX-License-Identifier: Apache-2.0
// What HIP's functions ask of streams, and of all streams of a device.
#include <hip/detail/stream.h>

#include "compat/hip/stream.h"

#define LEAST_PRIORITY    1
#define GREATEST_PRIORITY (-1)

static int clamp(int priority) {
    return priority > LEAST_PRIORITY      ? LEAST_PRIORITY
           : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                          : priority;
}

static hipError_t create(hipStream_t *stream, unsigned flags, int priority) {
    if (stream == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "stream is NULL");
    }
    if (flags != hipStreamDefault && flags != hipStreamNonBlocking) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x, 0 and 1 are defined", flags);
    }
    return tn_hip_stream_new(tn_hip_current(), flags, clamp(priority), stream);
}

hipError_t hipStreamCreate(hipStream_t *stream) {
    return TN_HIP_CALL(create(stream, hipStreamDefault, 0));
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
    return TN_HIP_CALL(create(stream, flags, 0));
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
    return TN_HIP_CALL(create(stream, flags, priority));
}

hipError_t hipDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && leastPriority != NULL) {
        *leastPriority = LEAST_PRIORITY;
    }
    if (error == hipSuccess && greatestPriority != NULL) {
        *greatestPriority = GREATEST_PRIORITY;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipStreamDestroy(hipStream_t stream) {
    return TN_HIP_CALL(tn_hip_stream_close(stream));
}

hipError_t hipStreamQuery(hipStream_t stream) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = tn_hip_stream_get(stream, &s);
    }
    if (error == hipSuccess) {
        error = tn_hip_capture_refuses(s);
        if (error == hipSuccess) {
            error = tn_hip_stream_query(s);
        }
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = tn_hip_stream_get(stream, &s);
    }
    if (error == hipSuccess) {
        error = tn_hip_capture_refuses(s);
        if (error == hipSuccess) {
            error = tn_hip_stream_wait(s);
        }
        if (error == hipSuccess) {
            tn_hip_pool_synchronized(s->device);
        }
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

// What the functions that only ask begin with: the stream, and that the output is not NULL.
static hipError_t ask(hipStream_t stream, const void *output, struct tn_hip_stream **s) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && output == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the answer shall go is NULL");
    }
    return error == hipSuccess ? tn_hip_stream_get(stream, s) : error;
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = ask(stream, flags, &s);
    if (error == hipSuccess) {
        *flags = s->flags;
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = ask(stream, priority, &s);
    if (error == hipSuccess) {
        *priority = s->priority;
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = ask(stream, device, &s);
    if (error == hipSuccess) {
        *device = s->device->hip;
        tn_hip_stream_put(s);
    }
    return tn_hip_leave(error, __func__);
}

int hipGetStreamDeviceId(hipStream_t stream) {
    hipDevice_t device = -1;
    (void)hipStreamGetDevice(stream, &device);
    return device;
}

// ---- the whole device

static hipError_t first_failure(const struct tn_hip_device *device) {
    hipError_t error = tn_hip_stream_look(tn_hip_null_stream(device));
    struct tn_hip_stream *s = tn_hip_streams_lock(device);
    for (; s != NULL && (error == hipSuccess || error == hipErrorNotReady); s = s->next) {
        error = tn_hip_stream_look(s);
    }
    tn_hip_streams_unlock();
    return error == hipErrorNotReady ? hipSuccess : error; // given meanwhile
}

static hipError_t synchronize(struct tn_hip_device *device) {
    TN_HIP_TRY(tn_hip_capture_refuses_device(device));
    TN_HIP_TRY(tn_hip_capture_allows());
    TN_HIP_TRY(tn_hip_from(tarn_device_synchronize(device->tarn)));
    tn_hip_pool_synchronized(device);
    hipError_t error = first_failure(device);
    return error;
}

hipError_t hipDeviceSynchronize(void) {
    return TN_HIP_CALL(synchronize(tn_hip_current()));
}
