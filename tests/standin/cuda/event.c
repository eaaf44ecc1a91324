// SPDX-License-Identifier: Apache-2.0
// Events. An event belongs to the context that was current at its creation, and only streams of
// that context can record it. Any stream may wait for it.
#include <stdlib.h>

#include "standin/cuda/parts.h"

struct event {
    struct tn_face_object object;
    struct standin_context *context; // kept
    tarn_event tarn;
    bool timed;
    _Atomic(bool) recorded;
};

static void destroy(struct tn_face_object *object) {
    struct event *e = (struct event *)object;
    (void)tarn_event_destroy(e->tarn);
    tn_face_object_put(&e->context->object);
    free(e);
}

static tn_cu_result make(struct standin_context *context, unsigned flags, tn_cu_event *event) {
    struct event *e = calloc(1, sizeof *e);
    if (e == NULL) return TN_CU_OUT_OF_MEMORY;
    e->context = context;
    e->timed = (flags & TN_CU_EVENT_DISABLE_TIMING) == 0;
    tn_cu_result result = standin_from(tarn_event_create(context->device->tarn, &e->tarn), context);
    if (result == TN_CU_SUCCESS && !tn_face_handle_new(&e->object, STANDIN_EVENT, destroy)) {
        (void)tarn_event_destroy(e->tarn);
        result = TN_CU_OUT_OF_MEMORY;
    }
    if (result != TN_CU_SUCCESS) {
        free(e);
        return result;
    }
    tn_face_object_keep(&context->object);
    *event = (tn_cu_event)e->object.handle;
    return TN_CU_SUCCESS;
}

tn_cu_result cuEventCreate(tn_cu_event *event, unsigned flags) {
    const unsigned known = TN_CU_EVENT_BLOCKING_SYNC | TN_CU_EVENT_DISABLE_TIMING;
    struct standin_context *context = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS && (event == NULL || (flags & ~known) != 0))
        result = TN_CU_INVALID_VALUE;
    return result == TN_CU_SUCCESS ? make(context, flags, event) : result;
}

tn_cu_result cuEventDestroy_v2(tn_cu_event event) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)event, STANDIN_EVENT);
    if (object == NULL) return TN_CU_INVALID_HANDLE;
    tn_face_object_put(object);
    return TN_CU_SUCCESS;
}

// Begins every call about an existing event.
static tn_cu_result get(tn_cu_event handle, struct event **event) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    *event = (struct event *)tn_face_handle_get((uintptr_t)handle, STANDIN_EVENT);
    if (*event == NULL) return TN_CU_INVALID_HANDLE;
    int dead = atomic_load(&(*event)->context->dead);
    if (dead != 0) tn_face_object_put(&(*event)->object);
    return (tn_cu_result)dead;
}

static tn_cu_result record(struct event *e, struct standin_stream *s) {
    if (e->context != s->context) return TN_CU_INVALID_HANDLE;
    tn_cu_result result = standin_stream_line_up(s);
    if (result == TN_CU_SUCCESS)
        result = standin_from(tarn_event_record(e->tarn, s->tarn), s->context);
    if (result == TN_CU_SUCCESS) atomic_store(&e->recorded, true);
    return result;
}

// A stream and an event, for `use`.
static tn_cu_result with_stream(tn_cu_event event, tn_cu_stream stream,
                                tn_cu_result (*use)(struct event *, struct standin_stream *)) {
    struct standin_context *context = NULL;
    struct event *e = NULL;
    struct standin_stream *s = NULL;
    tn_cu_result result = standin_take(standin_enter_context(&context));
    if (result == TN_CU_SUCCESS) result = get(event, &e);
    if (result != TN_CU_SUCCESS) return result;
    result = standin_stream_get(context, stream, &s);
    if (result == TN_CU_SUCCESS) {
        result = use(e, s);
        standin_stream_put(s);
    }
    tn_face_object_put(&e->object);
    return result;
}

tn_cu_result cuEventRecord(tn_cu_event event, tn_cu_stream stream) {
    return with_stream(event, stream, record);
}

static tn_cu_result wait_in(struct event *e, struct standin_stream *s) {
    tn_cu_result result = standin_stream_line_up(s);
    return result == TN_CU_SUCCESS ? standin_from(tarn_stream_wait(s->tarn, e->tarn), s->context)
                                   : result;
}

tn_cu_result cuStreamWaitEvent(tn_cu_stream stream, tn_cu_event event, unsigned flags) {
    return flags != 0 ? TN_CU_INVALID_VALUE : with_stream(event, stream, wait_in);
}

static tn_cu_result look(tn_cu_event handle, bool wait) {
    struct event *e = NULL;
    tn_cu_result result = get(handle, &e);
    if (result == TN_CU_SUCCESS) {
        result = standin_from(wait ? tarn_event_synchronize(e->tarn, TARN_FOREVER)
                                   : tarn_event_query(e->tarn),
                              e->context);
        tn_face_object_put(&e->object);
    }
    return result;
}

tn_cu_result cuEventQuery(tn_cu_event event) { return look(event, false); }

tn_cu_result cuEventSynchronize(tn_cu_event event) { return look(event, true); }

static tn_cu_result elapsed(struct event *start, struct event *end, float *ms) {
    int64_t ns = 0;
    if (start->context != end->context || !start->timed || !end->timed ||
        !atomic_load(&start->recorded) || !atomic_load(&end->recorded))
        return TN_CU_INVALID_HANDLE;
    tn_cu_result result =
        standin_from(tarn_event_elapsed(start->tarn, end->tarn, &ns), start->context);
    if (result == TN_CU_SUCCESS) *ms = (float)ns / 1e6f;
    return result;
}

tn_cu_result cuEventElapsedTime(float *ms, tn_cu_event start, tn_cu_event end) {
    struct event *s = NULL;
    struct event *e = NULL;
    tn_cu_result result = get(start, &s);
    if (result != TN_CU_SUCCESS) return result;
    result = get(end, &e);
    if (result == TN_CU_SUCCESS) {
        result = ms == NULL ? TN_CU_INVALID_VALUE : elapsed(s, e, ms);
        tn_face_object_put(&e->object);
    }
    tn_face_object_put(&s->object);
    return result;
}
