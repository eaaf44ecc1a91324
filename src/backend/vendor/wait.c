// SPDX-License-Identifier: Apache-2.0
// Events, and waits with a deadline. If the vendor has waits that end by themselves, they are used. Otherwise
// the state is polled, with pauses that grow from 10 microseconds to 1 millisecond and never pass
// the deadline. Polling costs some CPU time and a delay of up to one pause; a wait without a
// deadline costs neither.
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "base/uncancelled.h"

// ---- events

// A vendor's event belongs to one device, and ours to none. A record uses a native event of
// the stream's device, and the next record on another device replaces it. A thread that waits keeps
// the native event that it found.

// A native event. References: the event, and the threads that wait for it.
struct mark {
    struct tn_vendor *vendor;
    int device;
    void *native;
    _Atomic unsigned refs;
};

struct vendor_event {
    struct tn_mutex lock; // guards `mark`
    struct mark *mark;    // of the last record; NULL: never recorded
};

// NULL does nothing.
static void mark_release(struct mark *mark) {
    if (mark == NULL || tn_sub_acq_rel(&mark->refs, 1) != 1) return;
    (void)TN_VENDOR_CALL(mark->vendor, mark->device, event_destroy, mark->native);
    free(mark);
}

// The device is current.
static tarn_status create_mark(struct tn_vendor *vendor, int device, struct mark **out) {
    struct mark *mark = calloc(1, sizeof *mark);
    TN_REFUSE(mark == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of an event");
    *mark = (struct mark){.vendor = vendor, .device = device, .refs = 1};
    tarn_status status =
        tn_vendor_status(vendor, vendor->driver->event_create(vendor->d, &mark->native),
                         TARN_NATIVE, TARN_NO_HANDLES, "an event of device %d", device);
    if (status == TARN_OK)
        *out = mark;
    else
        free(mark);
    return status;
}

// Returns the mark of the last record with a reference added, or NULL if the event was never
// recorded.
static struct mark *mark_acquire(struct vendor_event *event) {
    TN_LOCKED(&event->lock);
    struct mark *mark = event->mark;
    if (mark != NULL) (void)tn_add_relaxed(&mark->refs, 1);
    return mark;
}

// Converts the result of a query or a wait. Records no text for NOT_READY and TIMED_OUT.
static tarn_status mark_answer(const struct mark *mark, struct tn_native answer) {
    if (tn_native_ok(answer)) return TARN_OK;
    tarn_status status = mark->vendor->driver->status_of(answer.code);
    return status == TARN_NOT_READY || status == TARN_TIMED_OUT
               ? status
               : tn_vendor_status(mark->vendor, answer, TARN_NATIVE, TARN_NATIVE,
                                  "an event of device %d", mark->device);
}

// ---- life

tarn_status tn_vendor_event_create(void *p, void **out) {
    struct vendor_event *event = calloc(1, sizeof *event);
    (void)p;
    TN_REFUSE(event == NULL, TARN_NO_HOST_MEMORY, "out of host memory for an event");
    tn_mutex_init(&event->lock, TN_RANK_BACKEND_STREAM, "event of a vendor");
    *out = event;
    return TARN_OK;
}

void tn_vendor_event_destroy(void *p, void *object) {
    struct vendor_event *event = object;
    (void)p;
    mark_release(event->mark);
    tn_mutex_fini(&event->lock);
    free(event);
}

// ---- record

// Records into the event's native event if it is of the stream's device, else into a new one that
// then replaces it. The stream's device is current.
static tarn_status record_mark(struct vendor_event *event, struct tn_vendor_stream *stream) {
    const struct tn_vendor_driver *driver = stream->vendor->driver;
    struct mark *mark = mark_acquire(event);
    bool is_new = mark == NULL || mark->device != stream->device;
    if (is_new) {
        mark_release(mark);
        TN_TRY(create_mark(stream->vendor, stream->device, &mark));
    }
    tarn_status status = tn_vendor_stream_answer(
        stream, driver->event_record(stream->vendor->d, mark->native, stream->native),
        "recording an event");
    if (status == TARN_OK && is_new) {
        tn_mutex_lock(&event->lock);
        struct mark *old = event->mark;
        event->mark = mark;
        tn_mutex_unlock(&event->lock);
        mark = old;
    }
    mark_release(mark);
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
    struct mark *mark = status == TARN_OK ? mark_acquire(event) : NULL;
    if (mark == NULL) return status;
    struct tn_native answer =
        TN_VENDOR_CALL(vendor, stream->device, stream_wait, stream->native, mark->native);
    status = tn_vendor_stream_answer(stream, answer, "waiting for an event");
    mark_release(mark);
    return status;
}

// `call` is the driver's event_query or event_synchronize.
static tarn_status await_event(struct vendor_event *event,
                               struct tn_native (*call)(void *d, void *event)) {
    struct mark *mark = mark_acquire(event);
    if (mark == NULL) return TARN_OK; // never recorded
    struct tn_native answer =
        TN_VENDOR_ON(mark->vendor, mark->device, call(mark->vendor->d, mark->native));
    tarn_status status = mark_answer(mark, answer);
    mark_release(mark);
    return status;
}

tarn_status tn_vendor_event_query(void *p, void *event) {
    return await_event(event, ((const struct tn_vendor *)p)->driver->event_query);
}

static tarn_status await_without_limit(void *p, void *event) {
    return await_event(event, ((const struct tn_vendor *)p)->driver->event_synchronize);
}

// ---- time

static tarn_status elapsed_between(struct tn_vendor *vendor, const struct mark *start,
                                   const struct mark *end, int64_t *ns) {
    TN_REFUSE(start == NULL || end == NULL, TARN_BAD_ARGUMENT, "an event was never recorded");
    TN_REFUSE(start->device != end->device, TARN_UNSUPPORTED,
              "the events are of devices %d and %d, whose clocks differ", start->device,
              end->device);
    float ms = 0;
    struct tn_native answer =
        TN_VENDOR_CALL(vendor, start->device, event_elapsed, start->native, end->native, &ms);
    TN_TRY(mark_answer(end, answer));
    *ns = (int64_t)((double)ms * 1e6);
    return TARN_OK;
}

tarn_status tn_vendor_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct mark *first = mark_acquire(start);
    struct mark *last = mark_acquire(end);
    tarn_status status = elapsed_between(p, first, last, elapsed_ns);
    mark_release(first);
    mark_release(last);
    return status;
}

// ---- waits

enum { PAUSE_MIN_NS = 10000, PAUSE_MAX_NS = 1000000 };

// `query` is tn_vendor_stream_query or tn_vendor_event_query.
static tarn_status poll_until(void *p, void *object, tarn_status (*query)(void *p, void *object),
                              uint64_t deadline_ns) {
    for (uint64_t pause = PAUSE_MIN_NS;;
         pause = pause * 2 < PAUSE_MAX_NS ? pause * 2 : PAUSE_MAX_NS) {
        tarn_status status = query(p, object);
        uint64_t now = tn_now_ns();
        if (status != TARN_NOT_READY) return status;
        if (now >= deadline_ns) return TARN_TIMED_OUT;
        uint64_t left = deadline_ns - now;
        const struct timespec time = {0, (long)(left < pause ? left : pause)};
        TN_UNCANCELLED;
        (void)nanosleep(&time, NULL);
    }
}

// ---- the vendor's own waits

// The remaining time in milliseconds, rounded up. At least 1, because AscendCL refuses a limit of 0, and
// the deadline may pass just before the call.
static int32_t left_ms(uint64_t deadline_ns) {
    uint64_t now = tn_now_ns();
    uint64_t left = now < deadline_ns ? (deadline_ns - now + 999999) / 1000000 : 1;
    return left < INT32_MAX ? (int32_t)left : INT32_MAX;
}

static tarn_status wait_stream(struct tn_vendor_stream *stream, uint64_t deadline_ns) {
    struct tn_vendor *vendor = stream->vendor;
    tarn_status status;
    TN_TRY(tn_vendor_stream_check(stream));
    TN_VENDOR_CURRENT(vendor, stream->device);
    do {
        status = tn_vendor_stream_wait_answer(
            stream, vendor->driver->stream_synchronize_for(vendor->d, stream->native,
                                                           left_ms(deadline_ns)));
    } while (status == TARN_TIMED_OUT && tn_now_ns() < deadline_ns);
    return status;
}

static tarn_status wait_mark(const struct mark *mark, uint64_t deadline_ns) {
    struct tn_vendor *vendor = mark->vendor;
    tarn_status status;
    TN_VENDOR_CURRENT(vendor, mark->device);
    do {
        status = mark_answer(mark, vendor->driver->event_synchronize_for(vendor->d, mark->native,
                                                                         left_ms(deadline_ns)));
    } while (status == TARN_TIMED_OUT && tn_now_ns() < deadline_ns);
    return status;
}

static tarn_status wait_event(struct vendor_event *event, uint64_t deadline_ns) {
    struct mark *mark = mark_acquire(event);
    if (mark == NULL) return TARN_OK; // never recorded
    tarn_status status = wait_mark(mark, deadline_ns);
    mark_release(mark);
    return status;
}

// ---- one stream, one event

tarn_status tn_vendor_stream_synchronize(void *p, void *stream, uint64_t deadline_ns) {
    const struct tn_vendor *vendor = p;
    if (deadline_ns == UINT64_MAX) return tn_vendor_stream_await(p, stream);
    return vendor->driver->stream_synchronize_for != NULL && tn_now_ns() < deadline_ns
               ? wait_stream(stream, deadline_ns)
               : poll_until(p, stream, tn_vendor_stream_query, deadline_ns);
}

tarn_status tn_vendor_event_synchronize(void *p, void *event, uint64_t deadline_ns) {
    const struct tn_vendor *vendor = p;
    if (deadline_ns == UINT64_MAX) return await_without_limit(p, event);
    return vendor->driver->event_synchronize_for != NULL && tn_now_ns() < deadline_ns
               ? wait_event(event, deadline_ns)
               : poll_until(p, event, tn_vendor_event_query, deadline_ns);
}

// ---- a device: an event behind everything that was enqueued in its streams so far

struct fence {
    struct fence *next;
    struct tn_vendor_stream *stream; // a reference
    void *event;                     // NULL: none is needed
};

static void free_fences(struct tn_vendor *vendor, struct fence *fences) {
    TN_CHAIN_DRAIN(struct fence, fence, fences, next) {
        if (fence->event != NULL) tn_vendor_event_destroy(vendor, fence->event);
        tn_vendor_stream_release(fence->stream);
        free(fence);
    }
}

// Collects the streams of the device, with a reference each. Nothing runs in those that have
// failed.
static tarn_status list_streams(struct tn_vendor *vendor, int device, struct fence **fences) {
    tarn_status status = TARN_OK;
    TN_LOCKED(&vendor->lock);
    for (struct tn_vendor_stream *it = vendor->streams; it != NULL; it = it->next) {
        if (it->device != device || tn_load_acquire(&it->failed)) continue;
        struct fence *fence = calloc(1, sizeof *fence);
        if (fence == NULL) {
            status =
                tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a wait for device %d", device);
            break;
        }
        it->refs++;
        *fence = (struct fence){*fences, it, NULL};
        *fences = fence;
    }
    return status;
}

// A stream that is idle needs no event: a GPU passes one some microseconds later even then.
static tarn_status record_fences(struct tn_vendor *vendor, struct fence *fences) {
    tarn_status status = TARN_OK;
    for (struct fence *it = fences; it != NULL && status == TARN_OK; it = it->next) {
        if (tn_vendor_stream_query(vendor, it->stream) == TARN_OK) continue;
        status = tn_vendor_event_create(vendor, &it->event);
        if (status == TARN_OK) status = tn_vendor_event_record(vendor, it->event, it->stream);
        status = status == TARN_DEVICE_FAILED ? TARN_OK : status; // its stream reports it
    }
    return status;
}

tarn_status tn_vendor_device_synchronize(void *p, int device, uint64_t deadline_ns) {
    struct tn_vendor *vendor = p;
    struct fence *fences = NULL;
    if (deadline_ns == UINT64_MAX) return tn_vendor_device_await(p, device);
    tarn_status status = list_streams(vendor, device, &fences);
    if (status == TARN_OK) status = record_fences(vendor, fences);
    for (const struct fence *it = fences; it != NULL && status == TARN_OK; it = it->next) {
        if (it->event == NULL) continue;
        status = tn_vendor_event_synchronize(vendor, it->event, deadline_ns);
        status = status == TARN_DEVICE_FAILED ? TARN_OK : status;
    }
    free_fences(vendor, fences);
    return status;
}
