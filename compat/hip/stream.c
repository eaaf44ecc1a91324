// SPDX-License-Identifier: Apache-2.0
// See stream.h: making, finding and destroying streams.
#include "compat/hip/stream.h"

#include <pthread.h>
#include <stdlib.h>

#include <hip/detail/stream.h>

#include "compat/hip/event.h"
#include "compat/hip/lock.h"

// Guards the lists and the making of NULL streams. No stream is destroyed under it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_hip_stream *lists[TN_HIP_DEVICES];
static struct tn_hip_stream nulls[TN_HIP_DEVICES];

// One reference for each device; made with the first. NULL: no stream of this thread yet.
static _Thread_local struct tn_hip_stream **of_thread;
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT; // set_up()

// ---- lists

struct tn_hip_stream *tn_hip_streams_lock(const struct tn_hip_device *device) {
    (void)pthread_mutex_lock(&lock);
    return lists[device->hip];
}

void tn_hip_streams_unlock(void) {
    (void)pthread_mutex_unlock(&lock);
}

static void list_add(struct tn_hip_stream *s) {
    struct tn_hip_stream **first = &lists[s->device->hip];
    (void)pthread_mutex_lock(&lock);
    s->next = *first;
    if (s->next != NULL) {
        s->next->previous = s;
    }
    *first = s;
    (void)pthread_mutex_unlock(&lock);
}

static void list_remove(struct tn_hip_stream *s) {
    (void)pthread_mutex_lock(&lock);
    if (s->previous != NULL) {
        s->previous->next = s->next;
    } else {
        lists[s->device->hip] = s->next;
    }
    if (s->next != NULL) {
        s->next->previous = s->previous;
    }
    (void)pthread_mutex_unlock(&lock);
}

// ---- making and destroying

static void close_stream(struct tn_hip_stream *s) {
    (void)tarn_stream_destroy(s->tarn); // waits
    (void)tarn_event_destroy(s->tail);
    tn_hip_stream_drop_calls(s);
    tn_hip_failure_put(s->failure);
}

// What each stream needs of Tarn, and of its own.
static hipError_t open_stream(struct tn_hip_stream *s) {
    struct tn_hip_failure *failure = (struct tn_hip_failure *)calloc(1, sizeof *failure);
    if (failure == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a stream");
    }
    failure->refs = 1;
    tarn_stream tarn = TARN_STREAM_NONE;
    hipError_t error = tn_hip_from(tarn_stream_create(s->device->tarn, &tarn));
    if (error != hipSuccess) {
        free(failure);
        return error;
    }
    s->failure = failure;
    s->tarn = tarn;
    return hipSuccess;
}

// With no reference left. Out of the list before it closes: nobody may wait for it any more.
static void destroy(struct tn_face_object *object) {
    struct tn_hip_stream *s = (struct tn_hip_stream *)object;
    tn_hip_capture_leave(s);
    list_remove(s);
    close_stream(s);
    free(s->place_names);
    free(s);
}

void tn_hip_stream_put(struct tn_hip_stream *s) {
    if (s->role != TN_HIP_STREAM_NULL) {
        tn_face_object_put(&s->object);
    }
}

// Not in the list yet.
static hipError_t make(struct tn_hip_device *device, enum tn_hip_stream_role role,
                       struct tn_hip_stream **stream) {
    struct tn_hip_stream *s = (struct tn_hip_stream *)calloc(1, sizeof *s);
    if (s == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a stream");
    }
    s->device = device;
    s->role = role;
    s->blocking = true;
    hipError_t error = open_stream(s);
    if (error != hipSuccess) {
        free(s);
        return error;
    }
    *stream = s;
    return hipSuccess;
}

// ---- streams that are always there

static void end_thread(void *streams) {
    struct tn_hip_stream **mine = (struct tn_hip_stream **)streams;
    for (int i = 0; i < TN_HIP_DEVICES; i++) {
        if (mine[i] != NULL) {
            tn_face_object_put(&mine[i]->object);
        }
    }
    of_thread = NULL;
    free(mine);
}

static void set_up(void) {
    (void)pthread_key_create(&at_thread_end, end_thread);
    for (int i = 0; i < TN_HIP_DEVICES; i++) {
        nulls[i].device = &tn_hip_face.devices[i];
        nulls[i].role = TN_HIP_STREAM_NULL;
    }
}

struct tn_hip_stream *tn_hip_null_stream(const struct tn_hip_device *device) {
    (void)pthread_once(&once, set_up);
    return &nulls[device->hip];
}

hipError_t tn_hip_null_stream_open(struct tn_hip_stream *null) {
    if (null->tarn != TARN_STREAM_NONE) {
        return hipSuccess;
    }
    hipError_t error = hipSuccess;
    (void)pthread_mutex_lock(&lock);
    if (null->tarn == TARN_STREAM_NONE) {
        error = open_stream(null);
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

static hipError_t make_places(void) {
    (void)pthread_once(&once, set_up);
    struct tn_hip_stream **places =
        (struct tn_hip_stream **)calloc(TN_HIP_DEVICES, sizeof(struct tn_hip_stream *));
    if (places == NULL || pthread_setspecific(at_thread_end, places) != 0) {
        free(places);
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for the stream of a thread");
    }
    of_thread = places;
    return hipSuccess;
}

static hipError_t make_of_thread(struct tn_hip_device *device) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(make(device, TN_HIP_STREAM_OF_THREAD, &s));
    s->object.destroy = destroy;
    atomic_store_explicit(&s->object.refs, 1, memory_order_relaxed);
    list_add(s);
    of_thread[device->hip] = s;
    return hipSuccess;
}

static hipError_t get_of_thread(struct tn_hip_device *device, struct tn_hip_stream **stream) {
    hipError_t error = of_thread == NULL ? make_places() : hipSuccess;
    if (error != hipSuccess) {
        return error;
    }
    struct tn_hip_stream *s = of_thread[device->hip];
    if (s != NULL && s->gone) {
        of_thread[device->hip] = NULL;
        tn_face_object_put(&s->object);
        s = NULL;
    }
    error = s == NULL ? make_of_thread(device) : hipSuccess;
    if (error == hipSuccess) {
        *stream = of_thread[device->hip];
        tn_face_object_keep(&(*stream)->object);
    }
    return error;
}

// ---- finding

static bool is_null(hipStream_t handle) {
    return handle == NULL || handle == hipStreamLegacy;
}

static hipError_t no_stream(hipStream_t handle) {
    return tn_hip_fail(hipErrorInvalidHandle, "%p is no stream", (void *)handle);
}

hipError_t tn_hip_stream_get(hipStream_t handle, struct tn_hip_stream **stream) {
    if (is_null(handle)) {
        *stream = tn_hip_null_stream(tn_hip_current());
        return hipSuccess;
    }
    if (handle == hipStreamPerThread) {
        return get_of_thread(tn_hip_current(), stream);
    }
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_HIP_STREAM);
    *stream = (struct tn_hip_stream *)object;
    return object != NULL ? hipSuccess : no_stream(handle);
}

hipError_t tn_hip_stream_new(struct tn_hip_device *device, unsigned flags, int priority,
                             hipStream_t *handle) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(make(device, TN_HIP_STREAM_MADE, &s));
    s->flags = flags;
    s->blocking = flags == hipStreamDefault;
    s->priority = priority;
    list_add(s); // before it has a name: whoever knows the name finds it in the list
    if (!tn_face_handle_new(&s->object, TN_HIP_STREAM, destroy)) {
        destroy(&s->object);
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for the handle of a stream");
    }
    *handle = (hipStream_t)s->object.handle;
    return hipSuccess;
}

hipError_t tn_hip_stream_close(hipStream_t handle) {
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)handle, TN_HIP_STREAM);
    if (object == NULL) {
        return no_stream(handle);
    }
    tn_face_object_put(object);
    return hipSuccess;
}

// ---- all at once

// As if it had not been needed yet.
static void forget_null(struct tn_hip_stream *null) {
    null->tarn = TARN_STREAM_NONE;
    null->tail = 0;
    null->given = 0;
    null->done = 0;
    null->calls = NULL;
    null->failure = NULL;
}

// Threads drop the streams that are gone when they next look.
static void forget_of_threads(const struct tn_hip_device *device) {
    for (struct tn_hip_stream *s = tn_hip_streams_lock(device); s != NULL; s = s->next) {
        if (s->role == TN_HIP_STREAM_OF_THREAD) {
            s->gone = true;
        }
    }
    tn_hip_streams_unlock();
}

static void close_events(const struct tn_hip_device *device) {
    uint32_t cursor = 0;
    struct tn_face_object *object;
    while ((object = tn_face_handle_next(TN_HIP_EVENT, &cursor)) != NULL) {
        if (((struct tn_hip_event *)object)->device == device) {
            (void)tn_hip_event_close((hipEvent_t)object->handle);
        }
        tn_face_object_put(object);
    }
}

static void close_streams(const struct tn_hip_device *device) {
    uint32_t cursor = 0;
    struct tn_face_object *object;
    while ((object = tn_face_handle_next(TN_HIP_STREAM, &cursor)) != NULL) {
        if (((struct tn_hip_stream *)object)->device == device) {
            (void)tn_hip_stream_close((hipStream_t)object->handle);
        }
        tn_face_object_put(object);
    }
}

void tn_hip_order_reset(struct tn_hip_device *device) {
    tn_hip_capture_end_all(device);
    (void)tarn_device_synchronize(device->tarn);
    close_events(device);
    close_streams(device);
    forget_of_threads(device);
    close_stream(tn_hip_null_stream(device));
    forget_null(tn_hip_null_stream(device));
}

// In the child all streams belong to the parent, so they are not destroyed.
static void forget_streams(void) {
    for (int i = 0; i < TN_HIP_DEVICES; i++) {
        lists[i] = NULL;
        if (of_thread != NULL) {
            of_thread[i] = NULL;
        }
        forget_null(&nulls[i]);
    }
}

TN_FACE_ON_FORK(TN_HIP_LOCK_STREAM, &lock, forget_streams);
