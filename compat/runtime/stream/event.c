// SPDX-License-Identifier: Apache-2.0
// See event.h. One lock guards changes of the members that describe
// the last record of an event. It is held for a few loads and stores.
#include "compat/runtime/stream/event.h"

#include <pthread.h>
#include <stdlib.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/base/handle.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/stream/policy.h"
#include "compat/runtime/stream/stream.h"
#include "compat/runtime/stream/stream_call.h"

struct tn_rt_event {
    struct tn_face_object object;
    struct tn_face_device *device;
    unsigned flags;
    tarn_event tarn;
    // Of the last record, changed under the lock below. A thread that reads `failure` without the
    // lock only compares it.
    _Atomic(bool) recorded;
    _Atomic(struct tn_rt_failure *) failure; // of the stream; NULL before the first record
    struct tn_rt_place place;                // in a capture; under tn_rt_plan_lock
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- lifetime

static void destroy_event(struct tn_face_object *object) {
    struct tn_rt_event *e = (struct tn_rt_event *)object;
    (void)tarn_event_destroy(e->tarn);
    tn_rt_failure_put(e->failure);
    tn_rt_place_clear(&e->place);
    free(e);
}

static tarn_status open_event(tarn_device *device, unsigned flags, const tarn_key *key,
                              tarn_event *event) {
    if (key != NULL) return tarn_event_import(device, key, event);
    return (flags & TN_RT_EVENT_SHARED) != 0 ? tarn_event_create_shared(device, event)
                                             : tarn_event_create(device, event);
}

// Writes the handle. `key` is that of an event of another process, or NULL.
static tn_rt_error make_event(unsigned flags, const tarn_key *key, void *handle) {
    struct tn_rt_event *e = (struct tn_rt_event *)calloc(1, sizeof *e);
    TN_RT_REFUSE(e == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for an event");
    e->object.owner = tn_rt_current_owner();
    e->device = tn_rt_current();
    e->flags = flags;
    tarn_status status = open_event(e->device->tarn, flags, key, &e->tarn);
    tn_rt_error error = tn_rt_error_of(status);
    if (status == TARN_BAD_ARGUMENT || status == TARN_BAD_HANDLE) // of the key
        error = status == TARN_BAD_ARGUMENT ? TN_RT_INVALID_CONTEXT : TN_RT_INVALID_VALUE;
    if (error != TN_RT_OK) goto err_free;
    uintptr_t made = tn_face_handle_new(&e->object, TN_RT_EVENT, destroy_event);
    if (made == 0) {
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for the handle of an event");
        goto err_destroy;
    }
    tn_rt_give(handle, made);
    return TN_RT_OK;

err_destroy:
    (void)tarn_event_destroy(e->tarn);
err_free:
    free(e);
    return error;
}

tn_rt_error tn_rt_event_new(void *handle, unsigned flags) {
    TN_RT_TRY(tn_rt_check_pointer(handle, "event"));
    TN_RT_REFUSE((flags & TN_RT_EVENT_SHARED) != 0 && (flags & TN_RT_EVENT_NO_TIMING) == 0,
                 TN_RT_INVALID_VALUE,
                 "flags 0x%x: an event between processes has no timing (flag 0x%x)", flags,
                 TN_RT_EVENT_NO_TIMING);
    return make_event(flags, NULL, handle);
}

static tn_rt_error no_event(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_HANDLE, "%p is not an event", handle);
}

static tn_rt_error get_event(void *handle, struct tn_rt_event **event) {
    *event = (struct tn_rt_event *)tn_face_handle_get((uintptr_t)handle, TN_RT_EVENT);
    return *event != NULL ? TN_RT_OK : no_event(handle);
}

tn_rt_error tn_rt_event_end(void *handle) {
    if (handle == NULL) return no_event(handle);
    return tn_face_handle_end((uintptr_t)handle, TN_RT_EVENT)
               ? TN_RT_OK
               : tn_rt_fail(tn_rt_base_policy.dead_handle, "%p is not an event", handle);
}

// ---- recording

// A further record on the same stream changes nothing.
static void set_failure(struct tn_rt_event *e, struct tn_rt_failure *failure) {
    if (e->failure == failure) return;
    (void)atomic_fetch_add_explicit(&failure->refs, 1, memory_order_relaxed);
    (void)pthread_mutex_lock(&lock);
    struct tn_rt_failure *before = e->failure;
    e->failure = failure;
    e->recorded = true;
    (void)pthread_mutex_unlock(&lock);
    tn_rt_failure_put(before);
}

static tn_rt_error check_device(const struct tn_rt_event *e, const struct tn_face_device *device) {
    TN_RT_REFUSE(e->device != device, TN_RT_INVALID_HANDLE,
                 "the event is of device %d, the stream of device %d", e->device->ordinal,
                 device->ordinal);
    return TN_RT_OK;
}

// Records the event behind the work of a stream, whose functions leave `failure`.
static tn_rt_error record_behind(struct tn_rt_event *e, tarn_stream stream,
                                 struct tn_rt_failure *failure) {
    TN_RT_TRY(tn_rt_error_of(tarn_event_record(e->tarn, stream)));
    tn_rt_place_clear(&e->place);
    set_failure(e, failure);
    return TN_RT_OK;
}

static tn_rt_error record_on(struct tn_rt_event *e, struct tn_rt_stream *s) {
    tn_rt_error error = TN_RT_OK;
    TN_RT_TRY(check_device(e, s->device));
    TN_RT_REFUSE(tn_rt_stream_policy.events_have_contexts && s->role == TN_RT_STREAM_MADE &&
                     s->object.owner != e->object.owner,
                 TN_RT_INVALID_HANDLE, "the event and the stream are of two contexts");
    if (tn_rt_capture_record(s, &e->place, &error)) return error;
    TN_RT_TRY(tn_rt_stream_order_next(s));
    TN_RT_TRY(record_behind(e, s->tarn, s->failure));
    tn_rt_stream_submitted(s);
    return TN_RT_OK;
}

static tn_rt_error run_record(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    TN_RT_TRY(check_device(op->event, where->device));
    return record_behind(op->event, where->stream, where->failure);
}

static tn_rt_error run_wait(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    return tn_rt_error_of(tarn_stream_wait(where->stream, op->event->tarn, 0));
}

static tn_rt_error keep_event(struct tn_rt_op *op) {
    tn_face_object_keep(&op->event->object);
    return TN_RT_OK;
}

static void drop_event(struct tn_rt_op *op) { tn_face_object_put(&op->event->object); }

static struct tn_rt_op op_of(struct tn_rt_event *e, bool waits) {
    return (struct tn_rt_op){.work = waits ? TN_RT_WORK_EVENT_WAIT : TN_RT_WORK_EVENT_RECORD,
                             .run = waits ? run_wait : run_record,
                             .keep = keep_event,
                             .drop = drop_event,
                             .event = e};
}

// Outside of a capture, an external record or wait is an error or, by the policy, a plain one. Returns true
// with the error if it became a node, or is an error.
static bool capture_external(struct tn_rt_event *e, struct tn_rt_stream *s, bool waits,
                             tn_rt_error *error) {
    const struct tn_rt_op op = op_of(e, waits);
    if (atomic_load(&s->capturing) && tn_rt_capture_work(s, &op, error)) return true;
    TN_FACE_DIFFERS(event_wait_external, waits);
    if (tn_rt_stream_policy.external_needs_capture)
        *error = tn_rt_fail(TN_RT_ILLEGAL_STATE, "an external record or wait outside of a capture");
    return *error != TN_RT_OK;
}

static tn_rt_error check_flags(unsigned flags) {
    TN_RT_REFUSE(flags > TN_RT_EVENT_EXTERNAL, TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    return TN_RT_OK;
}

tn_rt_error tn_rt_event_record_with(void *event, void *stream, unsigned flags) {
    tn_rt_error error = TN_RT_OK;
    TN_RT_TRY(check_flags(flags));
    TN_RT_GET(tn_rt_event, e, get_event(event, &e));
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    return flags != 0 && capture_external(e, s, false, &error) ? error : record_on(e, s);
}

static tn_rt_error wait_on(struct tn_rt_stream *s, const struct tn_rt_event *e) {
    tn_rt_error error = TN_RT_OK;
    if (tn_rt_capture_wait(s, &e->place, e->recorded, &error)) return error;
    TN_RT_TRY(tn_rt_stream_order_next(s));
    error = tn_rt_error_of(tarn_stream_wait(s->tarn, e->tarn, 0));
    tn_rt_stream_submitted(s);
    return error;
}

tn_rt_error tn_rt_event_wait(void *stream, void *event, unsigned flags) {
    tn_rt_error error = TN_RT_OK;
    TN_RT_TRY(check_flags(flags));
    TN_RT_GET(tn_rt_event, e, tn_rt_invalid_stream(get_event(event, &e)));
    TN_RT_GET_STREAM(s, tn_rt_invalid_stream(tn_rt_stream_get(stream, &s)));
    return flags != 0 && capture_external(e, s, true, &error) ? error : wait_on(s, e);
}

// ---- nodes

// The caller gets the reference of the op.
static tn_rt_error read_event(const void *handle, bool waits, struct tn_rt_op *op) {
    void *event;
    struct tn_rt_event *e = NULL;
    memcpy(&event, handle, sizeof event);
    TN_RT_TRY(tn_rt_check_pointer(event, "event"));
    TN_RT_TRY(get_event(event, &e));
    *op = op_of(e, waits);
    return TN_RT_OK;
}

tn_rt_error tn_rt_read_record(const void *event, struct tn_rt_op *op) {
    return read_event(event, false, op);
}

tn_rt_error tn_rt_read_wait(const void *event, struct tn_rt_op *op) {
    return read_event(event, true, op);
}

tn_rt_error tn_rt_write_event(const struct tn_rt_op *op, void *event) {
    tn_rt_give(event, op->event->object.handle);
    return TN_RT_OK;
}

// ---- queries

// Waits for the event, or only queries it. A failure of the stream takes precedence.
static tn_rt_error poll_event(void *event, bool wait) {
    TN_RT_GET(tn_rt_event, e, get_event(event, &e));
    TN_RT_TRY(tn_rt_capture_check_event(&e->place));
    if (wait || tn_rt_stream_policy.capture_forbids_event_query)
        TN_RT_TRY(tn_rt_capture_check_wait());
    tn_rt_error error = tn_rt_error_of(wait ? tarn_event_synchronize(e->tarn, TARN_FOREVER)
                                            : tarn_event_query(e->tarn));
    TN_FACE_LOCKED(&lock);
    tn_rt_error failure = tn_rt_failure_check(e->failure);
    return failure != TN_RT_OK ? failure : error;
}

tn_rt_error tn_rt_event_query(void *event) { return poll_event(event, false); }

tn_rt_error tn_rt_event_synchronize(void *event) {
    TN_RT_TRY(tn_rt_function_check());
    return poll_event(event, true);
}

static tn_rt_error check_timing(struct tn_rt_event *e, const char *which) {
    TN_RT_REFUSE((e->flags & TN_RT_EVENT_NO_TIMING) != 0, TN_RT_INVALID_HANDLE,
                 "the %s event has no timing", which);
    TN_RT_TRY(tn_rt_capture_check_event(&e->place));
    return e->recorded ? TN_RT_OK
                       : tn_rt_fail(TN_RT_INVALID_HANDLE, "the %s event was never recorded", which);
}

tn_rt_error tn_rt_event_elapsed(float *ms, void *start, void *stop) {
    int64_t ns = 0;
    TN_RT_TRY(tn_rt_check_pointer(ms, "ms"));
    TN_RT_GET(tn_rt_event, a, get_event(start, &a));
    TN_RT_GET(tn_rt_event, b, get_event(stop, &b));
    TN_RT_TRY(check_timing(a, "start"));
    TN_RT_TRY(check_timing(b, "stop"));
    TN_RT_REFUSE(a->device != b->device, TN_RT_INVALID_HANDLE,
                 "the events are of devices %d and %d", a->device->ordinal, b->device->ordinal);
    TN_RT_TRY(tn_rt_error_of(tarn_event_elapsed(a->tarn, b->tarn, &ns)));
    *ms = (float)((double)ns / 1e6);
    return TN_RT_OK;
}

// ---- events between processes

tn_rt_error tn_rt_event_export(void *event, void *key) {
    tarn_key made;
    TN_RT_TRY(tn_rt_check_pointer(key, "handle"));
    TN_RT_GET(tn_rt_event, e, get_event(event, &e));
    TN_RT_TRY(tn_rt_error_or(tarn_event_export(e->tarn, &made), TN_RT_INVALID_CONFIGURATION));
    memcpy(key, &made, sizeof made);
    return TN_RT_OK;
}

tn_rt_error tn_rt_event_import(void *handle, const void *key) {
    tarn_key given;
    TN_RT_TRY(tn_rt_check_pointer(handle, "event"));
    memcpy(&given, key, sizeof given);
    return make_event(TN_RT_EVENT_SHARED | TN_RT_EVENT_NO_TIMING, &given, handle);
}

TN_FACE_ON_FORK(TN_RT_LOCK_EVENT, &lock, NULL);
