// SPDX-License-Identifier: Apache-2.0
// Waits with a deadline. Where the vendor has waits that end by themselves, they are used. Most
// have not: then the question is asked again and again, with pauses that grow from 10 microseconds
// to 1 millisecond, and never past the deadline. That costs a little of a CPU and up to a pause of
// delay, where a wait without a deadline costs neither.
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "backend/vendor/event.h"
#include "base/clock.h"
#include "base/error.h"

enum { SHORTEST_NS = 10000, LONGEST_NS = 1000000 };

static void pause_for(uint64_t ns) {
    const struct timespec time = {0, (long)ns};
    (void)nanosleep(&time, NULL);
}

// ---- asking again and again

typedef tarn_status question(void *p, void *object);

static tarn_status poll_until(void *p, void *object, question *ask, uint64_t deadline_ns) {
    for (uint64_t nap = SHORTEST_NS;; nap = nap * 2 < LONGEST_NS ? nap * 2 : LONGEST_NS) {
        tarn_status status = ask(p, object);
        uint64_t now = tn_now_ns();
        if (status != TARN_NOT_READY) {
            return status;
        }
        if (now >= deadline_ns) {
            return TARN_TIMED_OUT;
        }
        pause_for(deadline_ns - now < nap ? deadline_ns - now : nap);
    }
}

// ---- the vendor's own waits

// At least the time that is left, in milliseconds.
static int32_t left_ms(uint64_t deadline_ns) {
    uint64_t now = tn_now_ns();
    uint64_t left = now < deadline_ns ? (deadline_ns - now + 999999) / 1000000 : 0;
    return left < INT32_MAX ? (int32_t)left : INT32_MAX;
}

static tarn_status wait_stream(struct tn_vendor_stream *stream, uint64_t deadline_ns) {
    struct tn_vendor *vendor = stream->vendor;
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_stream_check(stream);
    if (status == TARN_OK) {
        status = tn_vendor_enter(vendor, stream->device, &scope);
    }
    if (status != TARN_OK) {
        return status;
    }
    do {
        struct tn_native answer =
            vendor->driver->stream_synchronize_for(vendor->d, stream->native, left_ms(deadline_ns));
        status = tn_vendor_stream_wait_answer(stream, answer);
    } while (status == TARN_TIMED_OUT && tn_now_ns() < deadline_ns);
    tn_vendor_leave(&scope);
    return status;
}

static tarn_status wait_mark(struct tn_vendor_mark *mark, uint64_t deadline_ns) {
    struct tn_vendor *vendor = mark->vendor;
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, mark->device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    do {
        struct tn_native answer =
            vendor->driver->event_synchronize_for(vendor->d, mark->native, left_ms(deadline_ns));
        status = tn_vendor_mark_answer(mark, answer);
    } while (status == TARN_TIMED_OUT && tn_now_ns() < deadline_ns);
    tn_vendor_leave(&scope);
    return status;
}

static tarn_status wait_event(struct tn_vendor_event *event, uint64_t deadline_ns) {
    struct tn_vendor_mark *mark = tn_vendor_mark_acquire(event);
    if (mark == NULL) {
        return TARN_OK;
    }
    tarn_status status = wait_mark(mark, deadline_ns);
    tn_vendor_mark_release(mark);
    return status;
}

// ---- one stream, one event

tarn_status tn_vendor_stream_synchronize_until(void *p, void *stream, uint64_t deadline_ns) {
    const struct tn_vendor *vendor = p;
    if (deadline_ns == UINT64_MAX) {
        return tn_vendor_stream_synchronize(p, stream);
    }
    return vendor->driver->stream_synchronize_for != NULL
               ? wait_stream(stream, deadline_ns)
               : poll_until(p, stream, tn_vendor_stream_query, deadline_ns);
}

tarn_status tn_vendor_event_synchronize_until(void *p, void *event, uint64_t deadline_ns) {
    const struct tn_vendor *vendor = p;
    if (deadline_ns == UINT64_MAX) {
        return tn_vendor_event_synchronize(p, event);
    }
    return vendor->driver->event_synchronize_for != NULL
               ? wait_event(event, deadline_ns)
               : poll_until(p, event, tn_vendor_event_query, deadline_ns);
}

// ---- a device: an event behind all that its streams have been given by now

struct fence {
    struct fence *next;
    struct tn_vendor_stream *stream; // a reference
    void *event;                     // NULL: none yet
};

static void free_fences(struct tn_vendor *vendor, struct fence *fences) {
    while (fences != NULL) {
        struct fence *fence = fences;
        fences = fence->next;
        if (fence->event != NULL) {
            tn_vendor_event_destroy(vendor, fence->event);
        }
        tn_vendor_stream_release(fence->stream);
        free(fence);
    }
}

// The streams of the device, with a reference each. Nothing runs in those that have failed.
static tarn_status list_streams(struct tn_vendor *vendor, int device, struct fence **fences) {
    tarn_status status = TARN_OK;
    tn_mutex_lock(&vendor->lock);
    for (struct tn_vendor_stream *it = vendor->streams; it != NULL; it = it->next) {
        if (it->device != device || tn_load_acquire(&it->faulted)) {
            continue;
        }
        struct fence *fence = calloc(1, sizeof *fence);
        if (fence == NULL) {
            status = tn_fail(TARN_NO_HOST_MEMORY, "no memory to wait for device %d", device);
            break;
        }
        it->refs++;
        *fence = (struct fence){*fences, it, NULL};
        *fences = fence;
    }
    tn_mutex_unlock(&vendor->lock);
    return status;
}

static tarn_status record_fences(struct tn_vendor *vendor, struct fence *fences) {
    tarn_status status = TARN_OK;
    for (struct fence *it = fences; it != NULL && status == TARN_OK; it = it->next) {
        status = tn_vendor_event_create(vendor, &it->event);
        if (status == TARN_OK) {
            status = tn_vendor_event_record(vendor, it->event, it->stream);
        }
        status = status == TARN_DEVICE_FAULT ? TARN_OK : status; // that is its stream's to tell
    }
    return status;
}

tarn_status tn_vendor_device_synchronize_until(void *p, int device, uint64_t deadline_ns) {
    struct tn_vendor *vendor = p;
    struct fence *fences = NULL;
    if (deadline_ns == UINT64_MAX) {
        return tn_vendor_device_synchronize(p, device);
    }
    tarn_status status = list_streams(vendor, device, &fences);
    if (status == TARN_OK) {
        status = record_fences(vendor, fences);
    }
    for (const struct fence *it = fences; it != NULL && status == TARN_OK; it = it->next) {
        status = tn_vendor_event_synchronize_until(vendor, it->event, deadline_ns);
        status = status == TARN_DEVICE_FAULT ? TARN_OK : status;
    }
    free_fences(vendor, fences);
    return status;
}
