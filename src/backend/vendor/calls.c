// SPDX-License-Identifier: Apache-2.0
// Host functions. Vendors forbid, or leave undefined, calls of their library from within one, and
// ours may be made there. So the vendor's thread only hands a call over to a thread of ours and
// waits until that is done. A thread of ours does one call at a time; there are as many as calls
// were ever under way at once, and they end with the platform.
//
// Work that a vendor cannot queue goes the same way: it is done by a call that waits, on a thread
// of ours, when the stream comes to it.
#include <stdlib.h>
#include <string.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/hostfn.h"

// Owned by its stream's list until it has run; by the vendor's thread while it runs.
struct tn_vendor_call {
    struct tn_vendor_call *next, *prev; // of the stream's list
    struct tn_vendor_call *behind;      // in the queue of the threads
    struct tn_vendor_stream *stream;
    void (*fn)(void *); // of the caller
    void *arg;
    tn_vendor_deferred *work;   // or of ours, over `data`
    void (*direct)(void *data); // or of ours, on the vendor's thread
    uint64_t left;              // calls of it that are to come
    bool done;
    _Alignas(16) unsigned char data[];
};

static void run(struct tn_vendor_call *call) {
    struct tn_vendor_stream *stream = call->stream;
    if (call->work == NULL) {
        tn_hostfn_run(stream->vendor, call->fn, call->arg);
        return;
    }
    struct tn_vendor_scope scope;
    if (!tn_load_acquire(&stream->faulted) &&
        tn_vendor_enter(stream->vendor, stream->device, &scope) == TARN_OK) {
        struct tn_native answer = call->work(stream, call->data);
        tn_vendor_leave(&scope);
        tn_vendor_stream_fault(stream, answer);
    }
}

// ---- threads of ours

static void *thread(void *arg) {
    struct tn_vendor_calls *calls = arg;
    tn_mutex_lock(&calls->lock);
    for (;;) {
        struct tn_vendor_call *call = calls->queue;
        if (call != NULL) {
            calls->queue = call->behind;
            tn_mutex_unlock(&calls->lock);
            run(call);
            tn_mutex_lock(&calls->lock);
            call->done = true;
            tn_cond_broadcast(&calls->done);
        } else if (calls->ending) {
            break;
        } else {
            calls->idle++;
            tn_cond_wait(&calls->given, &calls->lock);
            calls->idle--;
        }
    }
    calls->threads--;
    tn_cond_broadcast(&calls->done);
    tn_mutex_unlock(&calls->lock);
    return NULL;
}

// Under the lock. Whether somebody will serve the queue.
static bool have_server(struct tn_vendor_calls *calls) {
    unsigned waiting = 0;
    for (const struct tn_vendor_call *it = calls->queue; it != NULL; it = it->behind) {
        waiting++;
    }
    if (calls->idle > waiting) {
        return true;
    }
    pthread_t id;
    if (pthread_create(&id, NULL, thread, calls) != 0) {
        return false;
    }
    (void)pthread_detach(id);
    calls->threads++;
    return true;
}

static void enqueue(struct tn_vendor_calls *calls, struct tn_vendor_call *call) {
    struct tn_vendor_call **link = &calls->queue;
    while (*link != NULL) {
        link = &(*link)->behind;
    }
    call->behind = NULL;
    *link = call;
    tn_cond_broadcast(&calls->given);
}

// ---- the vendor's side

static void unlink_call(struct tn_vendor_call *call) {
    struct tn_vendor_stream *stream = call->stream;
    tn_mutex_lock(&stream->lock);
    if (call->prev != NULL) {
        call->prev->next = call->next;
    } else {
        stream->calls = call->next;
    }
    if (call->next != NULL) {
        call->next->prev = call->prev;
    }
    tn_mutex_unlock(&stream->lock);
}

// On a thread of the vendor's, in the order of the stream.
static void hand_over(void *arg) {
    struct tn_vendor_call *call = arg;
    struct tn_vendor_calls *calls = &call->stream->vendor->calls;
    unlink_call(call);
    tn_mutex_lock(&calls->lock);
    bool served = have_server(calls);
    if (served) {
        enqueue(calls, call);
        while (!call->done) {
            tn_cond_wait(&calls->done, &calls->lock);
        }
    }
    tn_mutex_unlock(&calls->lock);
    if (!served) {
        run(call); // no thread to be had: better here than never
    }
    free(call);
}

// ---- giving

static struct tn_vendor_call *new_call(struct tn_vendor_stream *stream, size_t size) {
    struct tn_vendor_call *call = calloc(1, sizeof *call + size);
    if (call == NULL) {
        (void)tn_fail(TARN_NO_HOST_MEMORY, "no memory for a call in a stream");
        return NULL;
    }
    call->stream = stream;
    return call;
}

static tarn_status give_native(struct tn_vendor_stream *stream, struct tn_vendor_call *call) {
    struct tn_vendor *vendor = stream->vendor;
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, stream->device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer =
        vendor->driver->stream_call(vendor->d, stream->native, hand_over, call);
    tn_vendor_leave(&scope);
    return tn_vendor_stream_answer(stream, answer, "a host function");
}

static void link_call(struct tn_vendor_call *call) {
    struct tn_vendor_stream *stream = call->stream;
    tn_mutex_lock(&stream->lock);
    call->next = stream->calls;
    if (call->next != NULL) {
        call->next->prev = call;
    }
    stream->calls = call;
    tn_mutex_unlock(&stream->lock);
}

static tarn_status give(struct tn_vendor_stream *stream, struct tn_vendor_call *call) {
    link_call(call);
    tarn_status status = give_native(stream, call);
    if (status != TARN_OK) {
        unlink_call(call);
        free(call);
    }
    return status;
}

static tarn_status check(struct tn_vendor_stream *stream) {
    if (stream->vendor->driver->stream_call == NULL) {
        return tn_fail(TARN_UNSUPPORTED, "%s of this version has no host functions",
                       stream->vendor->driver->name);
    }
    return tn_vendor_stream_check(stream);
}

tarn_status tn_vendor_stream_call(void *p, void *object, void (*fn)(void *), void *arg) {
    struct tn_vendor_stream *stream = object;
    (void)p;
    tarn_status status = check(stream);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_vendor_call *call = new_call(stream, 0);
    if (call == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    call->fn = fn;
    call->arg = arg;
    return give(stream, call);
}

// Without host functions the caller waits for its turn, and does it himself.
static tarn_status do_now(struct tn_vendor_stream *stream, tn_vendor_deferred *work,
                          const void *data) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_stream_synchronize(stream->vendor, stream);
    if (status == TARN_OK) {
        status = tn_vendor_enter(stream->vendor, stream->device, &scope);
    }
    if (status == TARN_OK) {
        struct tn_native answer = work(stream, data);
        tn_vendor_leave(&scope);
        status = tn_vendor_stream_answer(stream, answer, "a copy or a fill");
    }
    return status;
}

tarn_status tn_vendor_defer(struct tn_vendor_stream *stream, tn_vendor_deferred *work,
                            const void *data, size_t size) {
    if (stream->vendor->driver->stream_call == NULL) {
        return do_now(stream, work, data);
    }
    tarn_status status = check(stream);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_vendor_call *call = new_call(stream, size);
    if (call == NULL) {
        return TARN_NO_HOST_MEMORY;
    }
    call->work = work;
    memcpy(call->data, data, size);
    return give(stream, call);
}

// ---- on the vendor's own threads

struct tn_vendor_call *tn_vendor_direct_create(struct tn_vendor_stream *stream,
                                               void (*fn)(void *data), const void *data,
                                               size_t size, uint64_t times) {
    struct tn_vendor_call *call = new_call(stream, size);
    if (call != NULL) {
        call->direct = fn;
        call->left = times;
        memcpy(call->data, data, size);
        link_call(call);
    }
    return call;
}

static void run_direct(void *arg) {
    struct tn_vendor_call *call = arg;
    call->direct(call->data);
    if (--call->left == 0) {
        unlink_call(call);
        free(call);
    }
}

struct tn_native tn_vendor_direct_enqueue(struct tn_vendor_call *call) {
    const struct tn_vendor_stream *stream = call->stream;
    return stream->vendor->driver->stream_call(stream->vendor->d, stream->native, run_direct, call);
}

void tn_vendor_direct_destroy(struct tn_vendor_call *call) {
    unlink_call(call);
    free(call);
}

// What a stream that has failed will not come to any more. Nothing of it runs.
void tn_vendor_calls_drop(struct tn_vendor_stream *stream) {
    while (stream->calls != NULL) {
        struct tn_vendor_call *call = stream->calls;
        stream->calls = call->next;
        free(call);
    }
}

// ---- life

void tn_vendor_calls_init(struct tn_vendor_calls *calls) {
    tn_mutex_init(&calls->lock, TN_RANK_BACKEND_STREAM, "host functions");
    tn_cond_init(&calls->given);
    tn_cond_init(&calls->done);
}

// Nothing is under way. Returns when the last thread has let go of the lock.
void tn_vendor_calls_fini(struct tn_vendor_calls *calls) {
    tn_mutex_lock(&calls->lock);
    calls->ending = true;
    tn_cond_broadcast(&calls->given);
    while (calls->threads > 0) {
        tn_cond_wait(&calls->done, &calls->lock);
    }
    tn_mutex_unlock(&calls->lock);
    tn_mutex_fini(&calls->lock);
    tn_cond_fini(&calls->given);
    tn_cond_fini(&calls->done);
}
