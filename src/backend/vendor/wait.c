// SPDX-License-Identifier: Apache-2.0
// Waits with a deadline. If the vendor has waits that end by themselves, they are used. Otherwise
// the state is polled, with pauses that grow from 10 microseconds to 1 millisecond and never pass
// the deadline. Polling costs some CPU time and a delay of up to one pause; a wait without a
// deadline costs neither.
#include <stdlib.h>

#include "backend/vendor/event.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/uncancelled.h"

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

// The remaining time in milliseconds, rounded up.
static int32_t left_ms(uint64_t deadline_ns) {
    uint64_t now = tn_now_ns();
    uint64_t left = now < deadline_ns ? (deadline_ns - now + 999999) / 1000000 : 0;
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

static tarn_status wait_mark(const struct tn_vendor_mark *mark, uint64_t deadline_ns) {
    struct tn_vendor *vendor = mark->vendor;
    tarn_status status;
    TN_VENDOR_CURRENT(vendor, mark->device);
    do {
        status = tn_vendor_mark_answer(mark, vendor->driver->event_synchronize_for(
                                                 vendor->d, mark->native, left_ms(deadline_ns)));
    } while (status == TARN_TIMED_OUT && tn_now_ns() < deadline_ns);
    return status;
}

static tarn_status wait_event(struct tn_vendor_event *event, uint64_t deadline_ns) {
    struct tn_vendor_mark *mark = tn_vendor_mark_acquire(event);
    if (mark == NULL) return TARN_OK; // never recorded
    tarn_status status = wait_mark(mark, deadline_ns);
    tn_vendor_mark_release(mark);
    return status;
}

// ---- one stream, one event

tarn_status tn_vendor_stream_synchronize(void *p, void *stream, uint64_t deadline_ns) {
    const struct tn_vendor *vendor = p;
    if (deadline_ns == UINT64_MAX) return tn_vendor_stream_await(p, stream);
    return vendor->driver->stream_synchronize_for != NULL
               ? wait_stream(stream, deadline_ns)
               : poll_until(p, stream, tn_vendor_stream_query, deadline_ns);
}

tarn_status tn_vendor_event_synchronize(void *p, void *event, uint64_t deadline_ns) {
    const struct tn_vendor *vendor = p;
    if (deadline_ns == UINT64_MAX) return tn_vendor_event_await(p, event);
    return vendor->driver->event_synchronize_for != NULL
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
    while (fences != NULL) {
        struct fence *fence = fences;
        fences = fence->next;
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

// A stream that is idle needs no event: a card passes one some microseconds later even then.
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
