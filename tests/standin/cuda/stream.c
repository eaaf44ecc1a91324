// SPDX-License-Identifier: Apache-2.0
// Streams and host functions. The NULL stream of a context is created at its first use. It and the
// blocking streams wait for each other by events.
#include <pthread.h>
#include <stdlib.h>

#include "standin/cuda/parts.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the lists, and `tail`

// ---- life

static void unlink_stream(struct standin_stream *s) {
    (void)pthread_mutex_lock(&lock);
    struct standin_stream **link = &s->context->streams;
    while (*link != NULL && *link != s) link = &(*link)->next;
    if (*link == s) *link = s->next;
    (void)pthread_mutex_unlock(&lock);
}

static void destroy(struct tn_face_object *object) {
    struct standin_stream *s = (struct standin_stream *)object;
    unlink_stream(s);
    (void)tarn_stream_destroy(s->tarn); // waits
    (void)tarn_event_destroy(s->tail);
    while (s->calls != NULL) { // behind a fault
        struct standin_call *call = s->calls;
        s->calls = call->next;
        free(call);
    }
    tn_face_object_put(&s->context->object);
    free(s);
}

static tn_cu_result make(struct standin_context *context, unsigned flags, bool null,
                         struct standin_stream **stream) {
    struct standin_stream *s = calloc(1, sizeof *s);
    if (s == NULL) return TN_CU_OUT_OF_MEMORY;
    s->context = context;
    s->blocking = (flags & TN_CU_STREAM_NON_BLOCKING) == 0;
    s->null = null;
    tn_cu_result result =
        standin_from(tarn_stream_create(context->device->tarn, &s->tarn), context);
    if (result == TN_CU_SUCCESS && !tn_face_handle_new(&s->object, STANDIN_STREAM, destroy)) {
        (void)tarn_stream_destroy(s->tarn);
        result = TN_CU_OUT_OF_MEMORY;
    }
    if (result != TN_CU_SUCCESS) {
        free(s);
        return result;
    }
    tn_face_object_keep(&context->object);
    *stream = s;
    return TN_CU_SUCCESS;
}

static void link_stream(struct standin_stream *s) {
    s->next = s->context->streams;
    s->context->streams = s;
}

tn_cu_result cuStreamCreate(tn_cu_stream *stream, unsigned flags) {
    struct standin_context *context = NULL;
    struct standin_stream *s = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS &&
        (stream == NULL || (flags & ~(unsigned)TN_CU_STREAM_NON_BLOCKING) != 0))
        result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = make(context, flags, false, &s);
    if (result != TN_CU_SUCCESS) return result;
    (void)pthread_mutex_lock(&lock);
    link_stream(s);
    (void)pthread_mutex_unlock(&lock);
    *stream = (tn_cu_stream)s->object.handle;
    return TN_CU_SUCCESS;
}

// A failed context returns its error from every call. Its streams are destroyed with it.
tn_cu_result cuStreamDestroy_v2(tn_cu_stream stream) {
    struct standin_context *context = NULL;
    tn_cu_result result = standin_enter_context(&context);
    if (result != TN_CU_SUCCESS) return result;
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)stream, STANDIN_STREAM);
    if (object == NULL) return TN_CU_INVALID_HANDLE;
    tn_face_object_put(object);
    return TN_CU_SUCCESS;
}

void standin_streams_end(struct standin_context *context) {
    struct standin_stream *s;
    do {
        (void)pthread_mutex_lock(&lock);
        s = context->streams;
        uintptr_t handle = s != NULL ? s->object.handle : 0;
        (void)pthread_mutex_unlock(&lock);
        struct tn_face_object *object = tn_face_handle_close(handle, STANDIN_STREAM);
        if (object != NULL)
            tn_face_object_put(object);
        else
            s = NULL; // somebody is closing it beside us
    } while (s != NULL);
}

// ---- look-up

static tn_cu_result null_stream(struct standin_context *context, struct standin_stream **stream) {
    tn_cu_result result = TN_CU_SUCCESS;
    (void)pthread_mutex_lock(&lock);
    struct standin_stream *s = context->streams;
    while (s != NULL && !s->null) s = s->next;
    if (s == NULL) {
        result = make(context, 0, true, &s);
        if (result == TN_CU_SUCCESS) link_stream(s);
    }
    if (result == TN_CU_SUCCESS) {
        tn_face_object_keep(&s->object);
        *stream = s;
    }
    (void)pthread_mutex_unlock(&lock);
    return result;
}

tn_cu_result standin_stream_get(struct standin_context *context, tn_cu_stream handle,
                                struct standin_stream **stream) {
    if (handle == NULL)
        return context != NULL ? null_stream(context, stream) : TN_CU_INVALID_CONTEXT;
    *stream = (struct standin_stream *)tn_face_handle_get((uintptr_t)handle, STANDIN_STREAM);
    if (*stream == NULL) return TN_CU_INVALID_HANDLE;
    int dead = atomic_load(&(*stream)->context->dead);
    if (dead != 0) standin_stream_put(*stream);
    return (tn_cu_result)dead;
}

void standin_stream_put(struct standin_stream *stream) { tn_face_object_put(&stream->object); }

// ---- the NULL stream and the others

// Under the lock. Work that is enqueued in `later` from now on waits for the work of `earlier`.
static tarn_status follow(struct standin_stream *later, struct standin_stream *earlier) {
    tarn_status status = TARN_OK;
    if (earlier->tail == 0)
        status = tarn_event_create(earlier->context->device->tarn, &earlier->tail);
    if (status == TARN_OK) status = tarn_event_record(earlier->tail, earlier->tarn);
    return status == TARN_OK ? tarn_stream_wait(later->tarn, earlier->tail) : status;
}

tn_cu_result standin_stream_line_up(struct standin_stream *stream) {
    tarn_status status = TARN_OK;
    (void)pthread_mutex_lock(&lock);
    for (struct standin_stream *s = stream->context->streams; s != NULL && status == TARN_OK;
         s = s->next)
        if (s != stream && s->blocking && stream->blocking && (s->null || stream->null))
            status = follow(stream, s);
    (void)pthread_mutex_unlock(&lock);
    return standin_from(status, stream->context);
}

tn_cu_result standin_stream_begin(struct standin_context *context, tn_cu_stream handle,
                                  struct standin_stream **stream) {
    tn_cu_result result = standin_stream_get(context, handle, stream);
    if (result != TN_CU_SUCCESS) return result;
    result = (*stream)->context != context ? TN_CU_INVALID_HANDLE : standin_stream_line_up(*stream);
    if (result != TN_CU_SUCCESS) standin_stream_put(*stream);
    return result;
}

// ---- waits

static tn_cu_result wait_or_query(tn_cu_stream handle, bool wait) {
    struct standin_context *context = NULL;
    struct standin_stream *s = NULL;
    tn_cu_result result = standin_enter_context(&context);
    if (result == TN_CU_SUCCESS) result = standin_stream_get(context, handle, &s);
    if (result == TN_CU_SUCCESS) {
        result = standin_from(wait ? tarn_stream_synchronize(s->tarn, TARN_FOREVER)
                                   : tarn_stream_query(s->tarn),
                              s->context);
        standin_stream_put(s);
    }
    return result;
}

tn_cu_result cuStreamSynchronize(tn_cu_stream stream) { return wait_or_query(stream, true); }

tn_cu_result cuStreamQuery(tn_cu_stream stream) { return wait_or_query(stream, false); }

tn_cu_result standin_streams_wait(struct standin_context *context) {
    tarn_status status = tarn_device_synchronize(context->device->tarn, TARN_FOREVER);
    (void)pthread_mutex_lock(&lock);
    for (struct standin_stream *s = context->streams; s != NULL && status == TARN_OK; s = s->next)
        status = tarn_stream_query(s->tarn) == TARN_DEVICE_FAILED ? TARN_DEVICE_FAILED : TARN_OK;
    (void)pthread_mutex_unlock(&lock);
    return standin_from(status, context);
}

// ---- host functions

static void unlink_call(struct standin_call *call) {
    (void)pthread_mutex_lock(&lock);
    struct standin_call **link = &call->stream->calls;
    while (*link != call) link = &(*link)->next;
    *link = call->next;
    (void)pthread_mutex_unlock(&lock);
}

static void run_call(void *arg) {
    struct standin_call call = *(struct standin_call *)arg;
    unlink_call(arg);
    free(arg);
    if (call.of_driver)
        call.fn(call.arg);
    else
        standin_run_host_function(call.fn, call.arg);
}

tn_cu_result standin_stream_call(struct standin_stream *stream, void (*fn)(void *), void *arg,
                                 bool of_driver) {
    struct standin_call *call = calloc(1, sizeof *call);
    if (call == NULL) return TN_CU_OUT_OF_MEMORY;
    *call = (struct standin_call){NULL, stream, fn, arg, of_driver};
    (void)pthread_mutex_lock(&lock);
    call->next = stream->calls;
    stream->calls = call;
    (void)pthread_mutex_unlock(&lock);
    tarn_status status = tarn_stream_call(stream->tarn, run_call, call);
    if (status != TARN_OK) {
        unlink_call(call);
        free(call);
    }
    return standin_from(status, stream->context);
}

tn_cu_result cuLaunchHostFunc(tn_cu_stream stream, tn_cu_host_fn fn, void *arg) {
    struct standin_context *context = NULL;
    struct standin_stream *s = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && fn == NULL) result = TN_CU_INVALID_VALUE;
    if (result == TN_CU_SUCCESS) result = standin_stream_begin(context, stream, &s);
    if (result == TN_CU_SUCCESS) {
        result = standin_stream_call(s, fn, arg, false);
        standin_stream_put(s);
    }
    return result;
}

TN_FACE_ON_FORK(STANDIN_FORK_STREAM, &lock, NULL);
