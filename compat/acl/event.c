// SPDX-License-Identifier: Apache-2.0
// Events of two kinds, which differ in the state that they report before their first record. An
// event consists of events of Tarn: the recorded point, the point at which it is reset, and one
// point behind each wait for it that has not passed. An event belongs to no context. Its lock
// guards its state. Any thread may call these functions.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/event.h>

#include "compat/acl/clock.h"
#include "compat/acl/order.h"
#include "compat/face/scope.h"

#define ALL_FLAGS                                                                                  \
    (ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE |                    \
     ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC)

enum event_kind { OLD_KIND, NEW_KIND };

// FRESH: not recorded. CLEARING: recorded, and FRESH again once `reset` has passed.
enum event_state { FRESH, RECORDED, CLEARING };

struct event {
    struct tn_face_object object; // first
    struct tn_face_device *device;
    tarn_event point;
    enum event_kind kind;
    uint32_t flags;
    pthread_mutex_t lock; // guards all below
    enum event_state state;
    tarn_event reset;  // 0 until there is one
    tarn_event *waits; // points behind waits; reused when they have passed
    size_t wait_count;
};

// ---- creating and destroying

static void event_destroy(struct tn_face_object *object) {
    struct event *event = (struct event *)object;
    for (size_t i = 0; i < event->wait_count; i++) (void)tarn_event_destroy(event->waits[i]);
    (void)tarn_event_destroy(event->reset);
    (void)tarn_event_destroy(event->point);
    (void)pthread_mutex_destroy(&event->lock);
    free(event->waits);
    free(event);
}

// Makes an event of the current device. Without a key it is a new one, else that of another
// process.
static aclError make_event(enum event_kind kind, uint32_t flags, const tarn_key *key,
                           aclrtEvent *handle) {
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    struct event *event = (struct event *)calloc(1, sizeof *event);
    TN_ACL_REFUSE(event == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for an event");
    *event = (struct event){.device = device, .kind = kind, .flags = flags};
    (void)pthread_mutex_init(&event->lock, NULL);
    tarn_status status = key != NULL ? tarn_event_import(device->tarn, key, &event->point)
                         : (flags & ACL_EVENT_IPC) != 0
                             ? tarn_event_create_shared(device->tarn, &event->point)
                             : tarn_event_create(device->tarn, &event->point);
    aclError error = key != NULL ? tn_acl_status(status)
                                 : tn_acl_from_new(status, ACL_ERROR_RT_NO_EVENT_RESOURCE);
    if (error == ACL_SUCCESS && !tn_face_handle_new(&event->object, TN_ACL_EVENT, event_destroy))
        error = tn_acl_fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "out of handles for an event");
    if (error == ACL_SUCCESS)
        *handle = (aclrtEvent)event->object.handle;
    else
        event_destroy(&event->object);
    return error;
}

static aclError create_event(aclrtEvent *event, enum event_kind kind, uint32_t flags) {
    uint32_t foreign = ACL_EVENT_DEVICE_USE_ONLY | (kind == OLD_KIND ? ACL_EVENT_IPC : 0);
    TN_ACL_POINTER(event);
    TN_ACL_INVALID((flags & ~ALL_FLAGS) != 0, "flag 0x%x is unknown", flags);
    TN_ACL_UNSUPPORTED((flags & foreign) != 0,
                       "flag 0x%x: events of the device alone, and events between processes of the "
                       "old kind, are not supported",
                       flags);
    return make_event(kind, flags, NULL, event);
}

aclError aclrtCreateEvent(aclrtEvent *event) {
    return TN_ACL_CALL(create_event(event, OLD_KIND, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
}

TN_ACL_ROW(aclrtCreateEventWithFlag, TN_FACE_EXPRESSION(create_event(event, OLD_KIND, flag)),
           aclrtEvent *, event, uint32_t, flag)

TN_ACL_ROW(aclrtCreateEventExWithFlag, TN_FACE_EXPRESSION(create_event(event, NEW_KIND, flag)),
           aclrtEvent *, event, uint32_t, flag)

TN_ACL_FUNCTION(aclrtDestroyEvent, aclrtEvent, event) {
    TN_ACL_POINTER(event);
    TN_ACL_TRY(tn_acl_current_device(NULL));
    TN_ACL_INVALID(!tn_face_handle_end((uintptr_t)event, TN_ACL_EVENT), "%p is not an event",
                   event);
    return ACL_SUCCESS;
}

// ---- events by handle

static aclError find_event(aclrtEvent handle, struct event **event) {
    *event = (struct event *)tn_face_handle_get((uintptr_t)handle, TN_ACL_EVENT);
    return *event != NULL ? ACL_SUCCESS
                          : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is not an event", handle);
}

// For a query, whose output must not be NULL either.
static aclError get_event(aclrtEvent handle, const void *output, struct event **event) {
    TN_ACL_TRY(tn_acl_check_pointer(handle, "event"));
    TN_ACL_TRY(tn_acl_check_pointer(output, "the output"));
    TN_ACL_TRY(tn_acl_current_device(NULL));
    return find_event(handle, event);
}

// ---- recording and resetting

typedef aclError event_step(struct event *event, const struct tn_acl_order *order);

// Runs a step of an event in a stream, under the event's lock.
static aclError run_in_stream(aclrtEvent handle, aclrtStream stream, event_step *step) {
    TN_ACL_TRY(tn_acl_check_pointer(handle, "event"));
    TN_ACL_ORDER(order, stream);
    TN_ACL_GET(event, event, find_event(handle, &event));
    TN_FACE_LOCKED(&event->lock);
    return step(event, &order);
}

static aclError record_event(struct event *event, const struct tn_acl_order *order) {
    TN_ACL_TRY(tn_acl_status(tarn_event_record(event->point, order->stream)));
    event->state = RECORDED;
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtRecordEvent, TN_FACE_EXPRESSION(run_in_stream(event, stream, record_event)),
           aclrtEvent, event, aclrtStream, stream)

static aclError reset_event(struct event *event, const struct tn_acl_order *order) {
    if (event->reset == 0) {
        TN_ACL_TRY(tn_acl_from_new(tarn_event_create(event->device->tarn, &event->reset),
                                   ACL_ERROR_RT_NO_EVENT_RESOURCE));
    }
    TN_ACL_TRY(tn_acl_status(tarn_event_record(event->reset, order->stream)));
    if (event->state == RECORDED) event->state = CLEARING;
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtResetEvent, TN_FACE_EXPRESSION(run_in_stream(event, stream, reset_event)),
           aclrtEvent, event, aclrtStream, stream)

// ---- waiting in a stream

// Returns a point to record behind a wait: one whose wait has passed, else a new one.
static aclError find_free_point(struct event *event, tarn_event *point) {
    for (size_t i = 0; i < event->wait_count; i++) {
        if (tarn_event_peek(event->waits[i]) != TARN_NOT_READY) {
            *point = event->waits[i];
            return ACL_SUCCESS;
        }
    }
    tarn_event *more =
        (tarn_event *)realloc(event->waits, (event->wait_count + 1) * sizeof *event->waits);
    TN_ACL_REFUSE(more == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for another wait");
    event->waits = more;
    TN_ACL_TRY(tn_acl_from_new(tarn_event_create(event->device->tarn, point),
                               ACL_ERROR_RT_NO_EVENT_RESOURCE));
    event->waits[event->wait_count++] = *point;
    return ACL_SUCCESS;
}

static aclError wait_in_stream(struct event *event, const struct tn_acl_order *order) {
    tarn_event point = 0;
    TN_ACL_TRY(find_free_point(event, &point));
    TN_ACL_TRY(tn_acl_status(tarn_stream_wait(order->stream, event->point, 0)));
    return tn_acl_status(tarn_event_record(point, order->stream));
}

TN_ACL_ROW(aclrtStreamWaitEvent, TN_FACE_EXPRESSION(run_in_stream(event, stream, wait_in_stream)),
           aclrtStream, stream, aclrtEvent, event)

// ---- recording and waiting with flags

// Records and waits of the outside belong to captured graphs.
static aclError check_external(uint32_t flag) {
    TN_ACL_INVALID(flag > ACL_EVENT_WAIT_EXTERNAL, "flag 0x%x is neither 0 nor external 1", flag);
    TN_ACL_UNSUPPORTED(flag != 0, "flag 1: events outside of a graph are not supported");
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtRecordEventWithFlag, aclrtEvent, event, aclrtStream, stream, uint32_t, flag) {
    TN_ACL_POINTER(event);
    TN_ACL_TRY(check_external(flag));
    return run_in_stream(event, stream, record_event);
}

TN_ACL_FUNCTION(aclrtStreamWaitEventWithFlag, aclrtStream, stream, aclrtEvent, event, uint32_t,
                timeout, uint32_t, flag) {
    TN_ACL_POINTER(event);
    TN_ACL_INVALID(flag == ACL_EVENT_WAIT_EXTERNAL && timeout != 0,
                   "timeout %u: with the external flag it is 0", timeout);
    TN_ACL_TRY(check_external(flag));
    TN_ACL_UNSUPPORTED(timeout != 0, "timeout %u: a wait of a stream has no limit here", timeout);
    return run_in_stream(event, stream, wait_in_stream);
}

TN_ACL_FUNCTION(aclrtStreamWaitEventWithTimeout, aclrtStream, stream, aclrtEvent, event, int32_t,
                timeout) {
    TN_ACL_POINTER(event);
    TN_ACL_INVALID(timeout < -1 || timeout == 0, "timeout %d is neither -1 nor above 0", timeout);
    TN_ACL_UNSUPPORTED(timeout > 0, "timeout %d: a wait of a stream has no limit here", timeout);
    return run_in_stream(event, stream, wait_in_stream);
}

// ---- queries

static bool is_recorded(struct event *event) {
    TN_FACE_LOCKED(&event->lock);
    if (event->state == CLEARING && tarn_event_peek(event->reset) == TARN_OK) event->state = FRESH;
    // Records of other processes do not change the state; a point without a record has passed.
    return event->state != FRESH || (event->flags & ACL_EVENT_IPC) != 0;
}

static aclError query_point(tarn_event point, bool *complete) {
    tarn_status status = tarn_event_query(point);
    *complete = status == TARN_OK;
    return status == TARN_NOT_READY ? ACL_SUCCESS : tn_acl_status(status);
}

// Writes one of two values of a status. The two kinds of status have the same size. Without a
// record the old kind is not ready and the new kind is complete.
static aclError put_status(aclrtEvent handle, void *status, uint32_t complete, uint32_t not_ready) {
    TN_ACL_GET(event, event, get_event(handle, status, &event));
    bool is_complete = event->kind == NEW_KIND;
    if (is_recorded(event)) TN_ACL_TRY(query_point(event->point, &is_complete));
    memcpy(status, is_complete ? &complete : &not_ready, sizeof complete);
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtQueryEvent,
           TN_FACE_EXPRESSION(put_status(event, status, ACL_EVENT_STATUS_COMPLETE,
                                         ACL_EVENT_STATUS_NOT_READY)),
           aclrtEvent, event, aclrtEventStatus *, status)

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status) {
    return TN_ACL_CALL(put_status(event, status, ACL_EVENT_RECORDED_STATUS_COMPLETE,
                                  ACL_EVENT_RECORDED_STATUS_NOT_READY));
}

TN_ACL_FUNCTION(aclrtQueryEventWaitStatus, aclrtEvent, event, aclrtEventWaitStatus *, status) {
    bool complete = true;
    TN_ACL_GET(event, found, get_event(event, status, &found));
    TN_FACE_LOCKED(&found->lock);
    for (size_t i = 0; complete && i < found->wait_count; i++)
        TN_ACL_TRY(query_point(found->waits[i], &complete));
    *status = complete ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return ACL_SUCCESS;
}

static aclError synchronize_event(aclrtEvent handle, int32_t ms) {
    TN_FACE_HELD struct event *event = NULL;
    TN_ACL_TRY(tn_acl_check_pointer(handle, "event"));
    TN_ACL_TRY(tn_acl_wait_check(ms));
    TN_ACL_TRY(tn_acl_current_device(NULL));
    TN_ACL_TRY(find_event(handle, &event));
    if (!is_recorded(event)) return ACL_SUCCESS;
    tarn_status status = tarn_event_synchronize(event->point, tn_acl_wait_limit(ms));
    return tn_acl_wait_result(status, ms, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
}

TN_ACL_ROW(aclrtSynchronizeEvent, TN_FACE_EXPRESSION(synchronize_event(event, -1)), aclrtEvent,
           event)

TN_ACL_ROW(aclrtSynchronizeEventWithTimeout, synchronize_event, aclrtEvent, event, int32_t, timeout)

// ---- time

static aclError check_time(struct event *event, const char *which) {
    TN_ACL_REFUSE(!is_recorded(event), ACL_ERROR_RT_INTERNAL_ERROR, "%s is not recorded", which);
    TN_ACL_REFUSE((event->flags & ACL_EVENT_TIME_LINE) == 0, ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                  "%s was created without ACL_EVENT_TIME_LINE", which);
    return ACL_SUCCESS;
}

static aclError time_result(tarn_status status) {
    return status == TARN_NOT_READY
               ? tn_acl_fail(ACL_ERROR_RT_EVENT_NOT_COMPLETE, "an event has not passed")
               : tn_acl_from(status, ACL_ERROR_RT_INTERNAL_ERROR);
}

TN_ACL_FUNCTION(aclrtEventElapsedTime, float *, ms, aclrtEvent, startEvent, aclrtEvent, endEvent) {
    int64_t ns = 0;
    TN_ACL_POINTER(endEvent);
    TN_ACL_GET(event, start, get_event(startEvent, ms, &start));
    TN_ACL_GET(event, end, find_event(endEvent, &end));
    TN_ACL_TRY(check_time(start, "startEvent"));
    TN_ACL_TRY(check_time(end, "endEvent"));
    TN_ACL_TRY(time_result(tarn_event_elapsed(start->point, end->point, &ns)));
    *ms = (float)((double)ns / 1e6);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtEventGetTimestamp, aclrtEvent, event, uint64_t *, timestamp_us) {
    int64_t ns = 0;
    TN_ACL_GET(event, found, get_event(event, timestamp_us, &found));
    TN_ACL_TRY(check_time(found, "event"));
    TN_ACL_TRY(time_result(tn_acl_clock_time(found->device, found->point, &ns)));
    *timestamp_us = (uint64_t)ns / 1000;
    return ACL_SUCCESS;
}

// ---- events between processes

_Static_assert(sizeof(aclrtIpcEventHandle) == sizeof(tarn_key), "a handle holds a key");

TN_ACL_FUNCTION(aclrtIpcGetEventHandle, aclrtEvent, event, aclrtIpcEventHandle *, handle) {
    tarn_key key;
    TN_ACL_GET(event, found, get_event(event, handle, &found));
    TN_ACL_TRY(tn_acl_status(tarn_event_export(found->point, &key)));
    memcpy(handle->reserved, key.bytes, sizeof key.bytes);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtIpcOpenEventHandle, aclrtIpcEventHandle, handle, aclrtEvent *, event) {
    tarn_key key;
    TN_ACL_POINTER(event);
    memcpy(key.bytes, handle.reserved, sizeof key.bytes);
    return make_event(NEW_KIND, ACL_EVENT_IPC, &key, event);
}
