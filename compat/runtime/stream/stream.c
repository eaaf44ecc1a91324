// SPDX-License-Identifier: Apache-2.0
// See stream.h: makes, looks up and destroys streams. The list's lock also guards the opening of
// NULL streams.
#include "compat/runtime/stream/stream.h"

#include <pthread.h>
#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/stream/policy.h"

static struct tn_rt_stream nulls[TN_RT_DEVICES];
static _Atomic(uint64_t) last_id = TN_RT_DEVICES; // of streams; smaller ones are the NULL streams'

// The thread's stream on each device, with a reference. NULL until the thread uses one.
static _Thread_local struct tn_rt_stream **of_thread;
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT; // for set_up_streams()
static _Atomic(bool) streams_ready;             // it has run

// ---- lifetime

static void close_stream(struct tn_rt_stream *s) {
    TN_FACE_DIFFERS(stream_destroy_busy, tarn_stream_peek(s->tarn) == TARN_NOT_READY);
    (void)tarn_stream_retire(s->tarn); // waits, which no vendor promises
    (void)tarn_event_destroy(s->tail);
    tn_rt_stream_drop_calls(s);
    tn_rt_failure_put(s->failure);
}

// The NULL stream of a device that was lost has a failure from before.
static tn_rt_error open_stream(struct tn_rt_stream *s) {
    struct tn_rt_failure *fresh = NULL;
    if (s->failure == NULL) {
        fresh = (struct tn_rt_failure *)calloc(1, sizeof *fresh);
        TN_RT_REFUSE(fresh == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a stream");
        fresh->refs = 1;
    }
    tarn_stream tarn = TARN_STREAM_NONE;
    tn_rt_error error = tn_rt_error_of(tarn_stream_create(s->device->tarn, &tarn));
    if (error != TN_RT_OK) {
        free(fresh);
        return error;
    }
    if (fresh != NULL) s->failure = fresh;
    s->tarn = tarn;
    return TN_RT_OK;
}

// Called with no reference left. The stream leaves the list before it closes, so that no other
// stream waits for it any more.
static void destroy_stream(struct tn_face_object *object) {
    struct tn_rt_stream *s = (struct tn_rt_stream *)object;
    tn_rt_capture_leave(s);
    tn_rt_streams_remove(s);
    close_stream(s);
    free(s->place_nodes);
    free(s->cu_mask);
    free(s);
}

void tn_rt_stream_put(struct tn_rt_stream *s) {
    if (s->role != TN_RT_STREAM_NULL) tn_face_object_put(&s->object);
}

// The stream is not in the list yet.
static tn_rt_error make_stream(struct tn_face_device *device, enum tn_rt_stream_role role,
                               struct tn_rt_stream **stream) {
    struct tn_rt_stream *s = (struct tn_rt_stream *)calloc(1, sizeof *s);
    TN_RT_REFUSE(s == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a stream");
    s->device = device;
    s->role = role;
    s->blocking = true;
    s->waits = TN_RT_WAITS_AUTO;
    s->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    tn_rt_error error = open_stream(s);
    if (error == TN_RT_OK)
        *stream = s;
    else
        free(s);
    return error;
}

// ---- NULL streams and those of threads

static void end_thread(void *streams) {
    struct tn_rt_stream **mine = (struct tn_rt_stream **)streams;
    for (int i = 0; i < TN_RT_DEVICES; i++)
        if (mine[i] != NULL) tn_face_object_put(&mine[i]->object);
    of_thread = NULL;
    free(mine);
}

static void set_up_streams(void) {
    (void)pthread_key_create(&at_thread_end, end_thread);
    for (int i = 0; i < TN_RT_DEVICES; i++) {
        nulls[i].device = &tn_rt_devices.of[i];
        nulls[i].role = TN_RT_STREAM_NULL;
        nulls[i].waits = TN_RT_WAITS_AUTO;
        nulls[i].id = (uint64_t)i + 1;
    }
    atomic_store_explicit(&streams_ready, true, memory_order_release);
}

struct tn_rt_stream *tn_rt_null_stream(const struct tn_face_device *device) {
    if (!atomic_load_explicit(&streams_ready, memory_order_acquire))
        (void)pthread_once(&once, set_up_streams);
    return &nulls[device->ordinal];
}

tn_rt_error tn_rt_null_stream_open(struct tn_rt_stream *null) {
    if (null->tarn != TARN_STREAM_NONE) return TN_RT_OK;
    tn_rt_error error = TN_RT_OK;
    (void)tn_rt_streams_lock(null->device);
    if (null->tarn == TARN_STREAM_NONE) error = open_stream(null);
    tarn_annotate_stream(null->tarn, 0, "the default stream");
    tn_rt_streams_unlock();
    return error;
}

static tn_rt_error make_thread_streams(void) {
    (void)pthread_once(&once, set_up_streams);
    struct tn_rt_stream **places =
        (struct tn_rt_stream **)calloc(TN_RT_DEVICES, sizeof(struct tn_rt_stream *));
    if (places == NULL || pthread_setspecific(at_thread_end, places) != 0) {
        free(places);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the stream of a thread");
    }
    of_thread = places;
    return TN_RT_OK;
}

static tn_rt_error make_without_handle(struct tn_face_device *device, enum tn_rt_stream_role role,
                                       bool blocking, struct tn_rt_stream **stream) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(make_stream(device, role, &s));
    s->blocking = blocking;
    tarn_annotate_stream(s->tarn, 0,
                         role == TN_RT_STREAM_OF_THREAD ? "the default stream of a thread"
                                                        : "a branch of a graph");
    tn_face_object_begin(&s->object, destroy_stream);
    tn_rt_streams_insert(s);
    *stream = s;
    return TN_RT_OK;
}

tn_rt_error tn_rt_stream_new_branch(struct tn_face_device *device, struct tn_rt_stream **stream) {
    return make_without_handle(device, TN_RT_STREAM_MADE, false, stream);
}

static tn_rt_error get_of_thread(struct tn_face_device *device, struct tn_rt_stream **stream) {
    if (of_thread == NULL) TN_RT_TRY(make_thread_streams());
    struct tn_rt_stream *s = of_thread[device->ordinal];
    if (s != NULL && s->gone) {
        of_thread[device->ordinal] = NULL;
        tn_face_object_put(&s->object);
        s = NULL;
    }
    if (s == NULL)
        TN_RT_TRY(
            make_without_handle(device, TN_RT_STREAM_OF_THREAD, true, &of_thread[device->ordinal]));
    *stream = of_thread[device->ordinal];
    tn_face_object_keep(&(*stream)->object);
    return TN_RT_OK;
}

// ---- handles

static tn_rt_error no_stream(void *handle) {
    return tn_rt_fail(tn_rt_base_policy.dead_handle, "%p is not a stream", handle);
}

_Thread_local bool tn_rt_null_is_of_thread;

tn_rt_error tn_rt_stream_get(void *handle, struct tn_rt_stream **stream) {
    bool is_legacy = tn_rt_stream_policy.legacy_per_thread && handle == TN_RT_STREAM_LEGACY;
    if ((handle == NULL || is_legacy) && tn_rt_null_is_of_thread) handle = TN_RT_STREAM_PER_THREAD;
    if (handle == NULL || handle == TN_RT_STREAM_LEGACY) {
        *stream = tn_rt_null_stream(tn_rt_current());
        return TN_RT_OK;
    }
    if (handle == TN_RT_STREAM_PER_THREAD) return get_of_thread(tn_rt_current(), stream);
    struct tn_face_object *object = tn_face_handle_get((uintptr_t)handle, TN_RT_STREAM);
    *stream = (struct tn_rt_stream *)object;
    return object != NULL ? TN_RT_OK : no_stream(handle);
}

tn_rt_error tn_rt_stream_new(unsigned flags, int priority, uintptr_t *handle) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(make_stream(tn_rt_current(), TN_RT_STREAM_MADE, &s));
    s->object.owner = tn_rt_current_owner();
    s->flags = flags;
    s->blocking = flags == TN_RT_STREAM_BLOCKING;
    s->priority = priority;
    tn_rt_streams_insert(
        s); // before it has a handle: a thread that knows the handle finds it listed
    const tarn_stream tarn =
        s->tarn; // a reset by another thread may end the stream once it has a handle
    uintptr_t made = tn_face_handle_new(&s->object, TN_RT_STREAM, destroy_stream);
    if (made == 0) {
        destroy_stream(&s->object);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the handle of a stream");
    }
    tarn_annotate_stream(tarn, made, NULL);
    *handle = made;
    return TN_RT_OK;
}

tn_rt_error tn_rt_stream_close(void *handle) {
    TN_RT_REFUSE(handle == NULL || handle == TN_RT_STREAM_LEGACY ||
                     handle == TN_RT_STREAM_PER_THREAD,
                 TN_RT_INVALID_HANDLE, "%p is not a stream of the program", handle);
    return tn_face_handle_end((uintptr_t)handle, TN_RT_STREAM) ? TN_RT_OK : no_stream(handle);
}

// ---- reset

// Returns the NULL stream to the state before its first use. Its stream of Tarn is replaced only if it
// has failed, because a thread that uses the NULL stream holds no reference to it: the call of such a
// thread then fails. A lost device makes no stream before its last one is destroyed; then the next use
// makes it. Returns the stream to destroy. Called under the lock of the list.
static tarn_stream renew_null(struct tn_rt_stream *null) {
    tarn_stream fresh = TARN_STREAM_NONE;
    null->waits = TN_RT_WAITS_AUTO;
    if (null->tarn == TARN_STREAM_NONE) return TARN_STREAM_NONE;
    tarn_status status = tarn_stream_peek(null->tarn);
    bool failed = status != TARN_OK && status != TARN_NOT_READY;
    if (!failed && tn_rt_failure_check(null->failure) == TN_RT_OK) return TARN_STREAM_NONE;
    if (tarn_stream_create(null->device->tarn, &fresh) != TARN_OK) fresh = TARN_STREAM_NONE;
    tarn_annotate_stream(fresh, 0, "the default stream");
    return atomic_exchange(&null->tarn, fresh);
}

void tn_rt_streams_reset(const struct tn_face_device *device) {
    struct tn_rt_stream *null = tn_rt_null_stream(device);
    for (struct tn_rt_stream *s = tn_rt_streams_lock(device); s != NULL; s = s->next)
        if (s->role == TN_RT_STREAM_OF_THREAD)
            s->gone = true; // its thread drops it when it next uses it
    tarn_stream failed = renew_null(null);
    tn_rt_streams_unlock();
    if (failed == TARN_STREAM_NONE) return;
    (void)tarn_stream_destroy(failed); // waits
    tn_rt_stream_drop_calls(null);
    tn_rt_failure_clear(null->failure);
}

static void forget_null(struct tn_rt_stream *null) {
    null->tarn = TARN_STREAM_NONE;
    null->tail = 0;
    null->submitted = 0;
    null->completed = 0;
    null->calls = NULL;
    null->failure = NULL;
    null->waits = TN_RT_WAITS_AUTO;
}

// In the child all streams belong to the parent, so they are not destroyed.
static void forget_streams(void) {
    for (int i = 0; i < TN_RT_DEVICES; i++) {
        if (of_thread != NULL) of_thread[i] = NULL;
        forget_null(&nulls[i]);
    }
}

TN_FACE_ON_FORK(TN_RT_LOCK_STREAM, NULL, forget_streams);
