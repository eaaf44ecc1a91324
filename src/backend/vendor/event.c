// SPDX-License-Identifier: Apache-2.0
// Events. A vendor's event belongs to a device, ours to none: it gets one of the vendor's when it
// is recorded, of the device of that stream, and another when it is next recorded elsewhere. Who
// waits keeps the one that he found.
#include <stdlib.h>

#include "backend/vendor/event.h"
#include "base/error.h"

void tn_vendor_mark_release(struct tn_vendor_mark *mark) {
    if (mark == NULL || tn_sub_acq_rel(&mark->refs, 1) != 1) {
        return;
    }
    struct tn_vendor_scope scope;
    if (tn_vendor_enter(mark->vendor, mark->device, &scope) == TARN_OK) {
        (void)mark->vendor->driver->event_destroy(mark->vendor->d, mark->native);
        tn_vendor_leave(&scope);
    }
    free(mark);
}

// The device is current.
static tarn_status new_mark(struct tn_vendor *vendor, int device, struct tn_vendor_mark **out) {
    struct tn_vendor_mark *mark = calloc(1, sizeof *mark);
    if (mark == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of an event");
    }
    *mark = (struct tn_vendor_mark){.vendor = vendor, .device = device, .refs = 1};
    struct tn_native answer = vendor->driver->event_create(vendor->d, &mark->native);
    if (!tn_native_ok(answer)) {
        free(mark);
        return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_HANDLES,
                                "an event of device %d", device);
    }
    *out = mark;
    return TARN_OK;
}

struct tn_vendor_mark *tn_vendor_mark_acquire(struct tn_vendor_event *event) {
    tn_mutex_lock(&event->lock);
    struct tn_vendor_mark *mark = event->mark;
    if (mark != NULL) {
        (void)tn_add_relaxed(&mark->refs, 1);
    }
    tn_mutex_unlock(&event->lock);
    return mark;
}

// ---- life

tarn_status tn_vendor_event_create(void *p, void **out) {
    struct tn_vendor_event *event = calloc(1, sizeof *event);
    (void)p;
    if (event == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for an event");
    }
    tn_mutex_init(&event->lock, TN_RANK_BACKEND_STREAM, "event of a card");
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

// Records into `mark`, the event's own or a new one.
static tarn_status record_native(struct tn_vendor_stream *stream,
                                 const struct tn_vendor_mark *mark) {
    struct tn_native answer =
        stream->vendor->driver->event_record(stream->vendor->d, mark->native, stream->native);
    return tn_vendor_stream_answer(stream, answer, "recording an event");
}

static tarn_status record(struct tn_vendor_event *event, struct tn_vendor_stream *stream) {
    struct tn_vendor_mark *mark = tn_vendor_mark_acquire(event);
    if (mark != NULL && mark->device == stream->device) {
        tarn_status status = record_native(stream, mark);
        tn_vendor_mark_release(mark);
        return status;
    }
    tn_vendor_mark_release(mark);
    struct tn_vendor_mark *made = NULL;
    tarn_status status = new_mark(stream->vendor, stream->device, &made);
    if (status != TARN_OK) {
        return status;
    }
    status = record_native(stream, made);
    if (status != TARN_OK) {
        tn_vendor_mark_release(made);
        return status;
    }
    tn_mutex_lock(&event->lock);
    struct tn_vendor_mark *old = event->mark;
    event->mark = made;
    tn_mutex_unlock(&event->lock);
    tn_vendor_mark_release(old);
    return TARN_OK;
}

tarn_status tn_vendor_event_record(void *p, void *event, void *object) {
    struct tn_vendor_stream *stream = object;
    struct tn_vendor_scope scope;
    (void)p;
    tarn_status status = tn_vendor_stream_check(stream);
    if (status == TARN_OK) {
        status = tn_vendor_enter(stream->vendor, stream->device, &scope);
    }
    if (status == TARN_OK) {
        status = record(event, stream);
        tn_vendor_leave(&scope);
    }
    return status;
}

// ---- waiting in a stream

tarn_status tn_vendor_stream_wait(void *p, void *object, void *event) {
    struct tn_vendor_stream *stream = object;
    struct tn_vendor_scope scope;
    (void)p;
    tarn_status status = tn_vendor_stream_check(stream);
    struct tn_vendor_mark *mark = status == TARN_OK ? tn_vendor_mark_acquire(event) : NULL;
    if (mark == NULL) {
        return status;
    }
    status = tn_vendor_enter(stream->vendor, stream->device, &scope);
    if (status == TARN_OK) {
        struct tn_native answer =
            stream->vendor->driver->stream_wait(stream->vendor->d, stream->native, mark->native);
        tn_vendor_leave(&scope);
        status = tn_vendor_stream_answer(stream, answer, "waiting for an event");
    }
    tn_vendor_mark_release(mark);
    return status;
}

// ---- asking and waiting

tarn_status tn_vendor_mark_answer(const struct tn_vendor_mark *mark, struct tn_native answer) {
    if (tn_native_ok(answer)) {
        return TARN_OK;
    }
    tarn_status status = mark->vendor->driver->status_of(answer.code);
    return status == TARN_NOT_READY || status == TARN_TIMED_OUT
               ? status
               : tn_vendor_status(mark->vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                  "an event of device %d", mark->device);
}

typedef struct tn_native event_question(void *d, void *event);

static tarn_status ask(struct tn_vendor_event *event, event_question *question) {
    struct tn_vendor_scope scope;
    struct tn_vendor_mark *mark = tn_vendor_mark_acquire(event);
    if (mark == NULL) {
        return TARN_OK; // never recorded: holds nobody
    }
    tarn_status status = tn_vendor_enter(mark->vendor, mark->device, &scope);
    if (status == TARN_OK) {
        struct tn_native answer = question(mark->vendor->d, mark->native);
        tn_vendor_leave(&scope);
        status = tn_vendor_mark_answer(mark, answer);
    }
    tn_vendor_mark_release(mark);
    return status;
}

tarn_status tn_vendor_event_query(void *p, void *event) {
    const struct tn_vendor *vendor = p;
    return ask(event, vendor->driver->event_query);
}

tarn_status tn_vendor_event_synchronize(void *p, void *event) {
    const struct tn_vendor *vendor = p;
    return ask(event, vendor->driver->event_synchronize);
}

// ---- time

static tarn_status elapsed(struct tn_vendor *vendor, const struct tn_vendor_mark *start,
                           const struct tn_vendor_mark *end, int64_t *ns) {
    struct tn_vendor_scope scope;
    if (start == NULL || end == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "an event was never recorded");
    }
    if (start->device != end->device) {
        return tn_fail(TARN_UNSUPPORTED, "the events are of devices %d and %d, whose clocks differ",
                       start->device, end->device);
    }
    tarn_status status = tn_vendor_enter(vendor, start->device, &scope);
    if (status == TARN_OK) {
        struct tn_native answer =
            vendor->driver->event_elapsed(vendor->d, start->native, end->native, ns);
        tn_vendor_leave(&scope);
        status = tn_vendor_mark_answer(end, answer);
    }
    return status;
}

tarn_status tn_vendor_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_vendor_mark *first = tn_vendor_mark_acquire(start);
    struct tn_vendor_mark *last = tn_vendor_mark_acquire(end);
    int64_t ns = 0;
    tarn_status status = elapsed(p, first, last, &ns);
    if (status == TARN_OK) {
        *elapsed_ns = ns;
    }
    tn_vendor_mark_release(first);
    tn_vendor_mark_release(last);
    return status;
}
