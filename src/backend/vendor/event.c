// SPDX-License-Identifier: Apache-2.0
// Events. A vendor's event belongs to one device, and ours to none. A record uses a native event of
// the stream's device, and the next record on another device replaces it. A thread that waits keeps
// the native event that it found. Any thread may call these functions.
#include "backend/vendor/event.h"

#include <stdlib.h>

#include "base/error.h"

// ---- native events

void tn_vendor_mark_release(struct tn_vendor_mark *mark) {
    if (mark == NULL || tn_sub_acq_rel(&mark->refs, 1) != 1) return;
    (void)TN_VENDOR_CALL(mark->vendor, mark->device, event_destroy, mark->native);
    free(mark);
}

// The device is current.
static tarn_status create_mark(struct tn_vendor *vendor, int device, struct tn_vendor_mark **out) {
    struct tn_vendor_mark *mark = calloc(1, sizeof *mark);
    TN_REFUSE(mark == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of an event");
    *mark = (struct tn_vendor_mark){.vendor = vendor, .device = device, .refs = 1};
    tarn_status status =
        tn_vendor_status(vendor, vendor->driver->event_create(vendor->d, &mark->native),
                         TARN_NATIVE, TARN_NO_HANDLES, "an event of device %d", device);
    if (status == TARN_OK)
        *out = mark;
    else
        free(mark);
    return status;
}

struct tn_vendor_mark *tn_vendor_mark_acquire(struct tn_vendor_event *event) {
    TN_LOCKED(&event->lock);
    struct tn_vendor_mark *mark = event->mark;
    if (mark != NULL) (void)tn_add_relaxed(&mark->refs, 1);
    return mark;
}

tarn_status tn_vendor_mark_answer(const struct tn_vendor_mark *mark, struct tn_native answer) {
    if (tn_native_ok(answer)) return TARN_OK;
    tarn_status status = mark->vendor->driver->status_of(answer.code);
    return status == TARN_NOT_READY || status == TARN_TIMED_OUT
               ? status
               : tn_vendor_status(mark->vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                  "an event of device %d", mark->device);
}

// ---- life

tarn_status tn_vendor_event_create(void *p, void **out) {
    struct tn_vendor_event *event = calloc(1, sizeof *event);
    (void)p;
    TN_REFUSE(event == NULL, TARN_NO_HOST_MEMORY, "out of host memory for an event");
    tn_mutex_init(&event->lock, TN_RANK_BACKEND_STREAM, "event of a vendor");
    *out = event;
    return TARN_OK;
}

void tn_vendor_event_destroy(void *p, void *object) {
    struct tn_vendor_event *event = object;
    (void)p;
    tn_vendor_mark_release(event->mark);
    tn_mutex_fini(&event->lock);
    free(event);
}

// ---- record

// Records into the event's native event if it is of the stream's device, else into a new one that
// then replaces it. The stream's device is current.
static tarn_status record_mark(struct tn_vendor_event *event, struct tn_vendor_stream *stream) {
    const struct tn_vendor_driver *driver = stream->vendor->driver;
    struct tn_vendor_mark *mark = tn_vendor_mark_acquire(event);
    bool is_new = mark == NULL || mark->device != stream->device;
    if (is_new) {
        tn_vendor_mark_release(mark);
        TN_TRY(create_mark(stream->vendor, stream->device, &mark));
    }
    tarn_status status = tn_vendor_stream_answer(
        stream, driver->event_record(stream->vendor->d, mark->native, stream->native),
        "recording an event");
    if (status == TARN_OK && is_new) {
        tn_mutex_lock(&event->lock);
        struct tn_vendor_mark *old = event->mark;
        event->mark = mark;
        tn_mutex_unlock(&event->lock);
        mark = old;
    }
    tn_vendor_mark_release(mark);
    return status;
}

tarn_status tn_vendor_event_record(void *p, void *event, void *object) {
    struct tn_vendor_stream *stream = object;
    (void)p;
    TN_TRY(tn_vendor_stream_check(stream));
    TN_VENDOR_CURRENT(stream->vendor, stream->device);
    return record_mark(event, stream);
}

// ---- waits and queries

tarn_status tn_vendor_stream_wait(void *p, void *object, void *event) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_stream *stream = object;
    tarn_status status = tn_vendor_stream_check(stream);
    struct tn_vendor_mark *mark = status == TARN_OK ? tn_vendor_mark_acquire(event) : NULL;
    if (mark == NULL) return status;
    struct tn_native answer =
        TN_VENDOR_CALL(vendor, stream->device, stream_wait, stream->native, mark->native);
    status = tn_vendor_stream_answer(stream, answer, "waiting for an event");
    tn_vendor_mark_release(mark);
    return status;
}

// `call` is the driver's event_query or event_synchronize.
static tarn_status await_event(struct tn_vendor_event *event,
                               struct tn_native (*call)(void *d, void *event)) {
    struct tn_vendor_mark *mark = tn_vendor_mark_acquire(event);
    if (mark == NULL) return TARN_OK; // never recorded
    struct tn_native answer =
        TN_VENDOR_ON(mark->vendor, mark->device, call(mark->vendor->d, mark->native));
    tarn_status status = tn_vendor_mark_answer(mark, answer);
    tn_vendor_mark_release(mark);
    return status;
}

tarn_status tn_vendor_event_query(void *p, void *event) {
    return await_event(event, ((const struct tn_vendor *)p)->driver->event_query);
}

tarn_status tn_vendor_event_await(void *p, void *event) {
    return await_event(event, ((const struct tn_vendor *)p)->driver->event_synchronize);
}

// ---- time

static tarn_status elapsed_between(struct tn_vendor *vendor, const struct tn_vendor_mark *start,
                                   const struct tn_vendor_mark *end, int64_t *ns) {
    TN_REFUSE(start == NULL || end == NULL, TARN_BAD_ARGUMENT, "an event was never recorded");
    TN_REFUSE(start->device != end->device, TARN_UNSUPPORTED,
              "the events are of devices %d and %d, whose clocks differ", start->device,
              end->device);
    float ms = 0;
    struct tn_native answer =
        TN_VENDOR_CALL(vendor, start->device, event_elapsed, start->native, end->native, &ms);
    TN_TRY(tn_vendor_mark_answer(end, answer));
    *ns = (int64_t)((double)ms * 1e6);
    return TARN_OK;
}

tarn_status tn_vendor_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_vendor_mark *first = tn_vendor_mark_acquire(start);
    struct tn_vendor_mark *last = tn_vendor_mark_acquire(end);
    tarn_status status = elapsed_between(p, first, last, elapsed_ns);
    tn_vendor_mark_release(first);
    tn_vendor_mark_release(last);
    return status;
}
