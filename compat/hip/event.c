// SPDX-License-Identifier: Apache-2.0
// See event.h.
#include "compat/hip/event.h"

#include <pthread.h>
#include <stdlib.h>

#include <hip/detail/event.h>

#include "compat/hip/lock.h"

#define RELEASES (hipEventReleaseToDevice | hipEventReleaseToSystem)
#define ALL_FLAGS                                                                                  \
    (hipEventBlockingSync | hipEventDisableTiming | hipEventDisableSystemFence | RELEASES)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what events say of their record

// ---- making and finding

static void destroy(struct tn_face_object *object) {
    struct tn_hip_event *e = (struct tn_hip_event *)object;
    (void)tarn_event_destroy(e->tarn);
    tn_hip_failure_put(e->failure);
    tn_hip_place_clear(&e->place);
    free(e);
}

static hipError_t check_flags(unsigned flags) {
    if ((flags & hipEventInterprocess) != 0) {
        return tn_hip_fail(hipErrorNotSupported,
                           "flags 0x%x: no events between processes (hipEventInterprocess)", flags);
    }
    if ((flags & ~(unsigned)ALL_FLAGS) != 0 || (flags & RELEASES) == RELEASES) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
    }
    return hipSuccess;
}

static hipError_t make(unsigned flags, struct tn_hip_event **event) {
    struct tn_hip_event *e = (struct tn_hip_event *)calloc(1, sizeof *e);
    if (e == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for an event");
    }
    e->device = tn_hip_current();
    e->flags = flags;
    hipError_t error = tn_hip_from(tarn_event_create(e->device->tarn, &e->tarn));
    if (error != hipSuccess) {
        goto err_free;
    }
    if (!tn_face_handle_new(&e->object, TN_HIP_EVENT, destroy)) {
        error = tn_hip_fail(hipErrorOutOfMemory, "no host memory for the handle of an event");
        goto err_destroy;
    }
    *event = e;
    return hipSuccess;

err_destroy:
    (void)tarn_event_destroy(e->tarn);
err_free:
    free(e);
    return error;
}

static hipError_t create(hipEvent_t *event, unsigned flags) {
    struct tn_hip_event *e = NULL;
    if (event == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "event is NULL");
    }
    TN_HIP_TRY(check_flags(flags));
    TN_HIP_TRY(make(flags, &e));
    *event = (hipEvent_t)e->object.handle;
    return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t *event) {
    return TN_HIP_CALL(create(event, hipEventDefault));
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
    return TN_HIP_CALL(create(event, flags));
}

static hipError_t no_event(hipEvent_t handle) {
    return tn_hip_fail(hipErrorInvalidHandle, "%p is no event", (void *)handle);
}

static hipError_t get(hipEvent_t handle, struct tn_hip_event **event) {
    *event = (struct tn_hip_event *)tn_face_handle_get((uintptr_t)handle, TN_HIP_EVENT);
    return *event != NULL ? hipSuccess : no_event(handle);
}

static void put(struct tn_hip_event *event) {
    tn_face_object_put(&event->object);
}

hipError_t tn_hip_event_close(hipEvent_t handle) {
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)handle, TN_HIP_EVENT);
    if (object == NULL) {
        return no_event(handle);
    }
    tn_face_object_put(object);
    return hipSuccess;
}

hipError_t hipEventDestroy(hipEvent_t event) {
    return TN_HIP_CALL(tn_hip_event_close(event));
}

static hipError_t get_both(hipEvent_t event, hipStream_t stream, struct tn_hip_event **e,
                           struct tn_hip_stream **s) {
    TN_HIP_TRY(get(event, e));
    hipError_t error = tn_hip_stream_get(stream, s);
    if (error != hipSuccess) {
        put(*e);
    }
    return error;
}

// ---- recording

static void set_failure(struct tn_hip_event *e, struct tn_hip_failure *failure) {
    (void)atomic_fetch_add_explicit(&failure->refs, 1, memory_order_relaxed);
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_failure *before = e->failure;
    e->failure = failure;
    e->recorded = true;
    (void)pthread_mutex_unlock(&lock);
    tn_hip_failure_put(before);
}

static hipError_t record_on(struct tn_hip_event *e, struct tn_hip_stream *s) {
    if (e->device != s->device) {
        return tn_hip_fail(hipErrorInvalidHandle, "the event is of device %d, the stream of %d",
                           e->device->hip, s->device->hip);
    }
    hipError_t error = hipSuccess;
    if (tn_hip_capture_takes_record(s, &e->place, &error)) {
        return error;
    }
    error = tn_hip_stream_line_up(s);
    if (error == hipSuccess) {
        error = tn_hip_from(tarn_event_record(e->tarn, s->tarn));
    }
    if (error == hipSuccess) {
        tn_hip_stream_gave(s);
        tn_hip_place_clear(&e->place);
        set_failure(e, s->failure);
    }
    return error;
}

static hipError_t record(hipEvent_t event, hipStream_t stream, unsigned flags) {
    struct tn_hip_event *e = NULL;
    struct tn_hip_stream *s = NULL;
    if (flags == hipEventRecordExternal) {
        return tn_hip_fail(hipErrorNotSupported, "no external records (hipEventRecordExternal)");
    }
    if (flags != hipEventRecordDefault) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
    }
    TN_HIP_TRY(get_both(event, stream, &e, &s));
    hipError_t error = record_on(e, s);
    tn_hip_stream_put(s);
    put(e);
    return error;
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    return TN_HIP_CALL(record(event, stream, hipEventRecordDefault));
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
    return TN_HIP_CALL(record(event, stream, flags));
}

static bool was_recorded(const struct tn_hip_event *e) {
    (void)pthread_mutex_lock(&lock);
    bool recorded = e->recorded;
    (void)pthread_mutex_unlock(&lock);
    return recorded;
}

static hipError_t wait_on(struct tn_hip_stream *s, const struct tn_hip_event *e) {
    hipError_t error = hipSuccess;
    if (tn_hip_capture_takes_wait(s, &e->place, was_recorded(e), &error)) {
        return error;
    }
    error = tn_hip_stream_line_up(s);
    if (error == hipSuccess) {
        error = tn_hip_from(tarn_stream_wait(s->tarn, e->tarn));
        tn_hip_stream_gave(s);
    }
    return error;
}

static hipError_t wait_for(hipStream_t stream, hipEvent_t event, unsigned flags) {
    struct tn_hip_event *e = NULL;
    struct tn_hip_stream *s = NULL;
    if (flags == hipEventWaitExternal) {
        return tn_hip_fail(hipErrorNotSupported, "no external waits (hipEventWaitExternal)");
    }
    if (flags != hipEventWaitDefault) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x", flags);
    }
    TN_HIP_TRY(get_both(event, stream, &e, &s));
    hipError_t error = wait_on(s, e);
    tn_hip_stream_put(s);
    put(e);
    return error;
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    return TN_HIP_CALL(wait_for(stream, event, flags));
}

// ---- asking

static hipError_t failure_of(struct tn_hip_event *e) {
    (void)pthread_mutex_lock(&lock);
    hipError_t error = tn_hip_failure_tell(e->failure);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// What `look`, tarn_event_query or tarn_event_synchronize, says; a failed function comes before it.
static hipError_t ask(hipEvent_t event, tarn_status (*look)(tarn_event)) {
    struct tn_hip_event *e = NULL;
    TN_HIP_TRY(get(event, &e));
    hipError_t error = tn_hip_capture_refuses_event(&e->place);
    if (error == hipSuccess) {
        error = tn_hip_from(look(e->tarn));
        hipError_t failure = failure_of(e);
        error = failure != hipSuccess ? failure : error;
    }
    if (error == hipSuccess && look == tarn_event_synchronize) {
        tn_hip_pool_synchronized(e->device);
    }
    put(e);
    return error;
}

hipError_t hipEventQuery(hipEvent_t event) {
    return TN_HIP_CALL(ask(event, tarn_event_query));
}

hipError_t hipEventSynchronize(hipEvent_t event) {
    return TN_HIP_CALL(ask(event, tarn_event_synchronize));
}

static hipError_t has_time(struct tn_hip_event *e, const char *which) {
    if ((e->flags & hipEventDisableTiming) != 0) {
        return tn_hip_fail(hipErrorInvalidHandle, "the %s event has no timing", which);
    }
    TN_HIP_TRY(tn_hip_capture_refuses_event(&e->place));
    return was_recorded(e)
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidHandle, "the %s event was never recorded", which);
}

static hipError_t elapsed_between(struct tn_hip_event *a, struct tn_hip_event *b, float *ms) {
    int64_t ns = 0;
    TN_HIP_TRY(has_time(a, "start"));
    TN_HIP_TRY(has_time(b, "stop"));
    if (a->device != b->device) {
        return tn_hip_fail(hipErrorInvalidHandle, "the events are of devices %d and %d",
                           a->device->hip, b->device->hip);
    }
    TN_HIP_TRY(tn_hip_from(tarn_event_elapsed(a->tarn, b->tarn, &ns)));
    *ms = (float)((double)ns / 1e6);
    return hipSuccess;
}

static hipError_t elapsed(hipEvent_t start, hipEvent_t stop, float *ms) {
    struct tn_hip_event *a = NULL;
    struct tn_hip_event *b = NULL;
    if (ms == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "ms is NULL");
    }
    TN_HIP_TRY(get(start, &a));
    hipError_t error = get(stop, &b);
    if (error == hipSuccess) {
        error = elapsed_between(a, b, ms);
        put(b);
    }
    put(a);
    return error;
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop) {
    return TN_HIP_CALL(elapsed(start, stop, ms));
}

TN_FACE_ON_FORK(TN_HIP_LOCK_EVENT, &lock, NULL);
