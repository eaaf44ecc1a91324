// SPDX-License-Identifier: Apache-2.0
// Events. There are two kinds, which differ in what they say of themselves before their first
// record. Beside the point that was recorded an event knows the point at which it is reset, and one
// behind each wait for it that has not passed; all are events of Tarn. An event belongs to no
// context. Its lock guards what changes; any thread may be here.
#include <pthread.h>
#include <stdlib.h>

#include <acl/detail/event.h>

#include "compat/acl/clock.h"
#include "compat/acl/stream.h"

#define ALL_FLAGS                                                                                  \
    (ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE |                    \
     ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL | ACL_EVENT_IPC)
#define FOREIGN_FLAGS (ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_IPC)

enum kind { OLD_KIND, NEW_KIND };

// FRESH: never recorded. CLEARING: recorded, and no more so once `reset` has passed.
enum state { FRESH, RECORDED, CLEARING };

struct event {
    struct tn_face_object object; // first
    struct tn_acl_device *device;
    tarn_event point;
    enum kind kind;
    uint32_t flags;
    pthread_mutex_t lock; // guards all below
    enum state state;
    tarn_event reset;  // 0 until there is one
    tarn_event *waits; // points behind waits, used again when they have passed
    size_t wait_count;
};

// ---- making and ending

static void destroy(struct tn_face_object *object) {
    struct event *event = (struct event *)object;
    for (size_t i = 0; i < event->wait_count; i++) {
        (void)tarn_event_destroy(event->waits[i]);
    }
    (void)tarn_event_destroy(event->reset);
    (void)tarn_event_destroy(event->point);
    (void)pthread_mutex_destroy(&event->lock);
    free(event->waits);
    free(event);
}

static aclError make(struct tn_acl_device *device, enum kind kind, uint32_t flags,
                     struct event **made) {
    struct event *event = (struct event *)calloc(1, sizeof *event);
    if (event == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for an event");
    }
    event->device = device;
    event->kind = kind;
    event->flags = flags;
    (void)pthread_mutex_init(&event->lock, NULL);
    aclError error =
        tn_acl_from(tarn_event_create(device->tarn, &event->point), ACL_ERROR_RT_NO_EVENT_RESOURCE);
    if (error != ACL_SUCCESS) {
        goto err_free;
    }
    if (!tn_face_handle_new(&event->object, TN_ACL_EVENT, destroy)) {
        error = tn_acl_fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "no room for another event");
        goto err_destroy;
    }
    *made = event;
    return ACL_SUCCESS;

err_destroy:
    (void)tarn_event_destroy(event->point);
err_free:
    (void)pthread_mutex_destroy(&event->lock);
    free(event);
    return error;
}

static aclError check_flags(uint32_t flags) {
    if ((flags & ~ALL_FLAGS) != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x", flags);
    }
    if ((flags & FOREIGN_FLAGS) != 0) {
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "flag 0x%x: no events of the device alone or between processes", flags);
    }
    return ACL_SUCCESS;
}

static aclError create(aclrtEvent *handle, enum kind kind, uint32_t flags) {
    struct tn_acl_context *context = NULL;
    struct event *event = NULL;
    aclError error =
        handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "event is NULL") : check_flags(flags);
    if (error == ACL_SUCCESS) {
        error = tn_acl_context_get(&context);
    }
    if (error == ACL_SUCCESS) {
        error = make(context->device, kind, flags, &event);
        tn_acl_context_put(context);
    }
    if (error == ACL_SUCCESS) {
        *handle = (aclrtEvent)event->object.handle;
    }
    return error;
}

aclError aclrtCreateEvent(aclrtEvent *event) {
    return tn_acl_leave(create(event, OLD_KIND, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE), __func__);
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag) {
    return tn_acl_leave(create(event, OLD_KIND, flag), __func__);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag) {
    return tn_acl_leave(create(event, NEW_KIND, flag), __func__);
}

// ---- finding

static aclError check_context(void) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        tn_acl_context_put(context);
    }
    return error;
}

static aclError find(aclrtEvent handle, struct event **event) {
    *event = (struct event *)tn_face_handle_get((uintptr_t)handle, TN_ACL_EVENT);
    return *event != NULL ? ACL_SUCCESS
                          : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no event", handle);
}

// `output` is what the caller will be told: not NULL either.
static aclError get(aclrtEvent handle, const void *output, struct event **event) {
    if (handle == NULL || output == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                           handle == NULL ? "event" : "the place for the answer");
    }
    aclError error = check_context();
    return error == ACL_SUCCESS ? find(handle, event) : error;
}

static void put(struct event *event) {
    tn_face_object_put(&event->object);
}

static aclError get_both(aclrtEvent handle, aclrtStream stream, struct event **event,
                         struct tn_acl_order *order) {
    aclError error = handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "event is NULL")
                                    : tn_acl_order_get(stream, order);
    if (error == ACL_SUCCESS) {
        error = find(handle, event);
        if (error != ACL_SUCCESS) {
            tn_acl_order_put(order);
        }
    }
    return error;
}

static aclError destroy_event(aclrtEvent handle) {
    aclError error =
        handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "event is NULL") : check_context();
    if (error != ACL_SUCCESS) {
        return error;
    }
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)handle, TN_ACL_EVENT);
    if (object == NULL) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no event", handle);
    }
    tn_face_object_put(object);
    return ACL_SUCCESS;
}

aclError aclrtDestroyEvent(aclrtEvent event) {
    return tn_acl_leave(destroy_event(event), __func__);
}

// ---- recording and resetting

typedef aclError event_step(struct event *event, const struct tn_acl_order *order);

// Takes a step of an event in a stream, under the event's lock.
static aclError in_stream(aclrtEvent handle, aclrtStream stream, event_step *take) {
    struct event *event = NULL;
    struct tn_acl_order order;
    aclError error = get_both(handle, stream, &event, &order);
    if (error == ACL_SUCCESS) {
        (void)pthread_mutex_lock(&event->lock);
        error = take(event, &order);
        (void)pthread_mutex_unlock(&event->lock);
        put(event);
        tn_acl_order_put(&order);
    }
    return error;
}

static aclError record(struct event *event, const struct tn_acl_order *order) {
    aclError error =
        tn_acl_from(tarn_event_record(event->point, order->stream), ACL_ERROR_RT_PARAM_INVALID);
    if (error == ACL_SUCCESS) {
        event->state = RECORDED;
    }
    return error;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    return tn_acl_leave(in_stream(event, stream, record), __func__);
}

static aclError reset(struct event *event, const struct tn_acl_order *order) {
    aclError error = ACL_SUCCESS;
    if (event->reset == 0) {
        error = tn_acl_from(tarn_event_create(event->device->tarn, &event->reset),
                            ACL_ERROR_RT_NO_EVENT_RESOURCE);
    }
    if (error == ACL_SUCCESS) {
        error =
            tn_acl_from(tarn_event_record(event->reset, order->stream), ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS && event->state == RECORDED) {
        event->state = CLEARING;
    }
    return error;
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
    return tn_acl_leave(in_stream(event, stream, reset), __func__);
}

// ---- waiting in a stream

// A point that nobody looks at any more, to be recorded behind a wait; a new one if need be.
static aclError free_point(struct event *event, tarn_event *point) {
    for (size_t i = 0; i < event->wait_count; i++) {
        if (tarn_event_query(event->waits[i]) != TARN_NOT_READY) {
            *point = event->waits[i];
            return ACL_SUCCESS;
        }
    }
    tarn_event *more =
        (tarn_event *)realloc(event->waits, (event->wait_count + 1) * sizeof *event->waits);
    if (more == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for another wait");
    }
    event->waits = more;
    aclError error =
        tn_acl_from(tarn_event_create(event->device->tarn, point), ACL_ERROR_RT_NO_EVENT_RESOURCE);
    if (error == ACL_SUCCESS) {
        event->waits[event->wait_count++] = *point;
    }
    return error;
}

static aclError wait_in_stream(struct event *event, const struct tn_acl_order *order) {
    tarn_event point = 0;
    aclError error = free_point(event, &point);
    if (error == ACL_SUCCESS) {
        error =
            tn_acl_from(tarn_stream_wait(order->stream, event->point), ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_event_record(point, order->stream), ACL_ERROR_RT_PARAM_INVALID);
    }
    return error;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return tn_acl_leave(in_stream(event, stream, wait_in_stream), __func__);
}

// ---- asking

static bool is_recorded(struct event *event) {
    (void)pthread_mutex_lock(&event->lock);
    if (event->state == CLEARING && tarn_event_query(event->reset) == TARN_OK) {
        event->state = FRESH;
    }
    bool recorded = event->state != FRESH;
    (void)pthread_mutex_unlock(&event->lock);
    return recorded;
}

// OK: complete.
static aclError told(tarn_status status, bool *complete) {
    *complete = status == TARN_OK;
    return status == TARN_NOT_READY ? ACL_SUCCESS : tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
}

// Without a record the old kind is not ready, the new one complete.
static aclError query(aclrtEvent handle, const void *output, bool *complete) {
    struct event *event = NULL;
    aclError error = get(handle, output, &event);
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (is_recorded(event)) {
        error = told(tarn_event_query(event->point), complete);
    } else {
        *complete = event->kind == NEW_KIND;
    }
    put(event);
    return error;
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status) {
    bool complete = false;
    aclError error = query(event, status, &complete);
    if (error == ACL_SUCCESS) {
        *status = complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status) {
    bool complete = false;
    aclError error = query(event, status, &complete);
    if (error == ACL_SUCCESS) {
        *status =
            complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    }
    return tn_acl_leave(error, __func__);
}

static aclError query_waits(struct event *event, bool *complete) {
    aclError error = ACL_SUCCESS;
    *complete = true;
    (void)pthread_mutex_lock(&event->lock);
    for (size_t i = 0; error == ACL_SUCCESS && *complete && i < event->wait_count; i++) {
        error = told(tarn_event_query(event->waits[i]), complete);
    }
    (void)pthread_mutex_unlock(&event->lock);
    return error;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status) {
    struct event *found = NULL;
    bool complete = false;
    aclError error = get(event, status, &found);
    if (error == ACL_SUCCESS) {
        error = query_waits(found, &complete);
        put(found);
    }
    if (error == ACL_SUCCESS) {
        *status = complete ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    }
    return tn_acl_leave(error, __func__);
}

static aclError synchronize(aclrtEvent handle, int32_t ms) {
    struct event *event = NULL;
    aclError error = get(handle, &event, &event);
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (is_recorded(event)) {
        tarn_status status = tarn_event_synchronize_for(event->point, tn_acl_wait_limit(ms));
        error = tn_acl_waited(status, ms, ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    }
    put(event);
    return error;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
    return tn_acl_leave(synchronize(event, -1), __func__);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
    aclError error = event == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "event is NULL")
                                   : tn_acl_wait_check(timeout);
    if (error == ACL_SUCCESS) {
        error = synchronize(event, timeout);
    }
    return tn_acl_leave(error, __func__);
}

// ---- time

static aclError check_time(struct event *event, const char *which) {
    if (!is_recorded(event)) {
        return tn_acl_fail(ACL_ERROR_RT_INTERNAL_ERROR, "the %s event is not recorded", which);
    }
    if ((event->flags & ACL_EVENT_TIME_LINE) == 0) {
        return tn_acl_fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                           "the %s event was made without ACL_EVENT_TIME_LINE", which);
    }
    return ACL_SUCCESS;
}

static aclError told_time(tarn_status status) {
    return status == TARN_NOT_READY
               ? tn_acl_fail(ACL_ERROR_RT_EVENT_NOT_COMPLETE, "an event has not passed")
               : tn_acl_from(status, ACL_ERROR_RT_INTERNAL_ERROR);
}

static aclError elapsed(struct event *start, struct event *end, float *ms) {
    int64_t ns = 0;
    aclError error = check_time(start, "start");
    if (error == ACL_SUCCESS) {
        error = check_time(end, "end");
    }
    if (error == ACL_SUCCESS) {
        error = told_time(tarn_event_elapsed(start->point, end->point, &ns));
    }
    if (error == ACL_SUCCESS) {
        *ms = (float)((double)ns / 1e6);
    }
    return error;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent) {
    struct event *start = NULL;
    struct event *end = NULL;
    aclError error = endEvent == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "endEvent is NULL")
                                      : get(startEvent, ms, &start);
    if (error == ACL_SUCCESS) {
        error = find(endEvent, &end);
        if (error == ACL_SUCCESS) {
            error = elapsed(start, end, ms);
            put(end);
        }
        put(start);
    }
    return tn_acl_leave(error, __func__);
}

static aclError timestamp(struct event *event, uint64_t *us) {
    int64_t ns = 0;
    aclError error = check_time(event, "asked");
    if (error == ACL_SUCCESS) {
        error = told_time(tn_acl_clock_time(event->device, event->point, &ns));
    }
    if (error == ACL_SUCCESS) {
        *us = (uint64_t)ns / 1000;
    }
    return error;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp_us) {
    struct event *found = NULL;
    aclError error = get(event, timestamp_us, &found);
    if (error == ACL_SUCCESS) {
        error = timestamp(found, timestamp_us);
        put(found);
    }
    return tn_acl_leave(error, __func__);
}
