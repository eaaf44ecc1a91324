// SPDX-License-Identifier: Apache-2.0
// Host functions. Vendors forbid calls of their library from within one, and ours may make such
// calls. So the vendor's thread hands a call over to a thread of the platform and waits until it
// has finished. Such a thread runs one call at a time. The platform starts a thread only if all
// others are busy, and ends them when it closes. Copies and fills that a vendor cannot queue are
// deferred work, which runs in the same way.
#include <stdlib.h>
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/hostfn.h"
#include "base/list.h"

// In its stream's list until it runs, then owned by the vendor's thread.
struct tn_vendor_call {
    struct tn_vendor_call *next, *prev; // in the stream's list
    struct tn_vendor_call *behind;      // in the queue of the threads
    struct tn_vendor_stream *stream;
    void (*fn)(void *); // the caller's function
    void *arg;
    tn_vendor_deferred *work;   // or deferred work with `data`
    void (*direct)(void *data); // or a function that runs on the vendor's thread
    uint64_t left;              // remaining calls of `direct`
    bool done;
    _Alignas(16) unsigned char data[];
};

static void run_call(struct tn_vendor_call *call) {
    struct tn_vendor_stream *stream = call->stream;
    struct tn_vendor_scope scope;
    if (call->work == NULL)
        tn_hostfn_run(stream->vendor, call->fn, call->arg);
    else if (!tn_load_acquire(&stream->failed) &&
             tn_vendor_enter(stream->vendor, stream->device, &scope) == TARN_OK)
        tn_vendor_stream_fail(stream, tn_vendor_leave(&scope, call->work(stream, call->data)));
}

// ---- the platform's threads

static void *run_thread(void *arg) {
    struct tn_vendor_calls *calls = arg;
    tn_mutex_lock(&calls->lock);
    for (;;) {
        struct tn_vendor_call *call = calls->queue;
        if (call != NULL) {
            calls->queue = call->behind;
            tn_mutex_unlock(&calls->lock);
            run_call(call);
            tn_mutex_lock(&calls->lock);
            call->done = true;
            tn_cond_broadcast(&calls->done);
        } else if (calls->ending) {
            break;
        } else {
            calls->idle++;
            tn_cond_wait(&calls->enqueued, &calls->lock);
            calls->idle--;
        }
    }
    calls->threads--;
    tn_cond_broadcast(&calls->done);
    tn_mutex_unlock(&calls->lock);
    return NULL;
}

// Under the lock. Appends the call to the queue, and starts a thread if all of them are busy.
// Returns false if no thread can be started.
static bool enqueue_call(struct tn_vendor_calls *calls, struct tn_vendor_call *call) {
    unsigned waiting = 0;
    struct tn_vendor_call **link = &calls->queue;
    for (; *link != NULL; link = &(*link)->behind) waiting++;
    if (calls->idle <= waiting) {
        pthread_t id;
        if (pthread_create(&id, NULL, run_thread, calls) != 0) return false;
        (void)pthread_detach(id);
        calls->threads++;
    }
    call->behind = NULL;
    *link = call;
    tn_cond_broadcast(&calls->enqueued);
    return true;
}

// ---- the vendor's threads

static void unlink_call(struct tn_vendor_call *call) {
    struct tn_vendor_stream *stream = call->stream;
    TN_LOCKED(&stream->lock);
    TN_LIST_REMOVE(stream->calls, call, next, prev);
}

void tn_vendor_call_drop(struct tn_vendor_call *call) {
    unlink_call(call);
    free(call);
}

// Called by the vendor in the order of the stream.
static void hand_over(void *arg) {
    struct tn_vendor_call *call = arg;
    struct tn_vendor_calls *calls = &call->stream->vendor->calls;
    unlink_call(call);
    tn_mutex_lock(&calls->lock);
    bool enqueued = enqueue_call(calls, call);
    while (enqueued && !call->done) tn_cond_wait(&calls->done, &calls->lock);
    tn_mutex_unlock(&calls->lock);
    if (!enqueued) run_call(call); // no thread could be started, and the call must not be lost
    free(call);
}

static void run_direct(void *arg) {
    struct tn_vendor_call *call = arg;
    call->direct(call->data);
    if (--call->left == 0) tn_vendor_call_drop(call);
}

// ---- submission

// Creates a call with its own copy of `data` in the stream's list. Returns NULL, recorded, if there
// is no memory.
static struct tn_vendor_call *create_call(struct tn_vendor_stream *stream, const void *data,
                                          size_t size) {
    struct tn_vendor_call *call = calloc(1, sizeof *call + size);
    if (call == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a call in a stream");
        return NULL;
    }
    call->stream = stream;
    if (size > 0) memcpy(call->data, data, size);
    TN_LOCKED(&stream->lock);
    TN_LIST_ADD(stream->calls, call, next, prev);
    return call;
}

static tarn_status enqueue_native(struct tn_vendor_call *call) {
    struct tn_vendor_stream *stream = call->stream;
    const struct tn_vendor *vendor = stream->vendor;
    TN_VENDOR_CURRENT(stream->vendor, stream->device);
    return tn_vendor_stream_answer(
        stream, vendor->driver->stream_call(vendor->d, stream->native, hand_over, call),
        "a host function");
}

static tarn_status submit_call(struct tn_vendor_call *call) {
    tarn_status status = enqueue_native(call);
    if (status != TARN_OK) tn_vendor_call_drop(call);
    return status;
}

tarn_status tn_vendor_stream_call(void *p, void *object, void (*fn)(void *), void *arg) {
    const struct tn_vendor_driver *driver = ((const struct tn_vendor *)p)->driver;
    struct tn_vendor_stream *stream = object;
    TN_REFUSE(driver->stream_call == NULL, TARN_UNSUPPORTED,
              "this version of %s has no host functions", driver->name);
    TN_TRY(tn_vendor_stream_check(stream));
    struct tn_vendor_call *call = create_call(stream, NULL, 0);
    if (call == NULL) return TARN_NO_HOST_MEMORY;
    call->fn = fn;
    call->arg = arg;
    return submit_call(call);
}

// Without host functions the caller waits for the stream and does the work itself.
static tarn_status do_now(struct tn_vendor_stream *stream, tn_vendor_deferred *work,
                          const void *data) {
    struct tn_vendor *vendor = stream->vendor;
    TN_VENDOR_CURRENT(vendor, stream->device);
    TN_TRY(tn_vendor_stream_wait_answer(
        stream, vendor->driver->stream_synchronize(vendor->d, stream->native)));
    return tn_vendor_stream_answer(stream, work(stream, data), "a copy or a fill");
}

tarn_status tn_vendor_defer(struct tn_vendor_stream *stream, tn_vendor_deferred *work,
                            const void *data, size_t size) {
    TN_TRY(tn_vendor_stream_check(stream));
    if (stream->vendor->driver->stream_call == NULL) return do_now(stream, work, data);
    struct tn_vendor_call *call = create_call(stream, data, size);
    if (call == NULL) return TARN_NO_HOST_MEMORY;
    call->work = work;
    return submit_call(call);
}

struct tn_vendor_call *tn_vendor_direct_create(struct tn_vendor_stream *stream,
                                               void (*fn)(void *data), const void *data,
                                               size_t size, uint64_t times) {
    struct tn_vendor_call *call = create_call(stream, data, size);
    if (call != NULL) {
        call->direct = fn;
        call->left = times;
    }
    return call;
}

struct tn_native tn_vendor_direct_enqueue(struct tn_vendor_call *call) {
    const struct tn_vendor_stream *stream = call->stream;
    return stream->vendor->driver->stream_call(stream->vendor->d, stream->native, run_direct, call);
}

// Frees the calls that a failed stream will never run.
void tn_vendor_calls_drop(struct tn_vendor_stream *stream) {
    TN_CHAIN_DRAIN(struct tn_vendor_call, call, stream->calls, next) free(call);
}

// ---- life

void tn_vendor_calls_init(struct tn_vendor_calls *calls) {
    tn_mutex_init(&calls->lock, TN_RANK_BACKEND_STREAM, "host functions");
    tn_cond_init(&calls->enqueued);
    tn_cond_init(&calls->done);
}

// No call is running. Returns when the last thread has released the lock.
void tn_vendor_calls_fini(struct tn_vendor_calls *calls) {
    tn_mutex_lock(&calls->lock);
    calls->ending = true;
    tn_cond_broadcast(&calls->enqueued);
    while (calls->threads > 0) tn_cond_wait(&calls->done, &calls->lock);
    tn_mutex_unlock(&calls->lock);
    tn_mutex_fini(&calls->lock);
    tn_cond_fini(&calls->enqueued);
    tn_cond_fini(&calls->done);
}
