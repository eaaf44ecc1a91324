// SPDX-License-Identifier: Apache-2.0
// See order.h and stream.h.
#include "compat/hip/order.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/hip/lock.h"
#include "compat/hip/stream.h"

// ---- how far a stream has come

static void raise_to(_Atomic(uint64_t) *counter, uint64_t value) {
    uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);
    while (now < value && !atomic_compare_exchange_weak_explicit(
                              counter, &now, value, memory_order_release, memory_order_relaxed)) {
    }
}

hipError_t tn_hip_failure_tell(const struct tn_hip_failure *failure) {
    hipError_t error =
        failure != NULL ? atomic_load_explicit(&failure->error, memory_order_acquire) : hipSuccess;
    return error == hipSuccess ? hipSuccess : tn_hip_fail(error, "%s", failure->text);
}

void tn_hip_failure_put(struct tn_hip_failure *failure) {
    if (failure != NULL &&
        atomic_fetch_sub_explicit(&failure->refs, 1, memory_order_acq_rel) == 1) {
        free(failure);
    }
}

hipError_t tn_hip_stream_look(struct tn_hip_stream *s) {
    uint64_t given = atomic_load_explicit(&s->given, memory_order_acquire);
    tarn_status status = TARN_OK;
    if (given != atomic_load_explicit(&s->done, memory_order_acquire)) {
        status = tarn_stream_query(s->tarn);
    }
    if (status == TARN_OK) {
        raise_to(&s->done, given);
    }
    hipError_t failure =
        tn_hip_failure_tell(s->failure); // last: a function fails before its stream is done with it
    return failure != hipSuccess ? failure : tn_hip_from(status);
}

// The worse of two answers of tn_hip_stream_look().
static hipError_t worse(hipError_t a, hipError_t b) {
    return a == hipSuccess || (a == hipErrorNotReady && b != hipSuccess) ? b : a;
}

static hipError_t look_at_blocking(const struct tn_hip_device *device) {
    hipError_t error = hipSuccess;
    for (struct tn_hip_stream *s = tn_hip_streams_lock(device); s != NULL; s = s->next) {
        if (s->blocking) {
            error = worse(error, tn_hip_stream_look(s));
        }
    }
    tn_hip_streams_unlock();
    return error;
}

hipError_t tn_hip_stream_look_around(struct tn_hip_stream *s) {
    hipError_t error = tn_hip_stream_look(s);
    if (s->role == TN_HIP_STREAM_NULL) {
        return worse(error, look_at_blocking(s->device));
    }
    return s->blocking ? worse(error, tn_hip_stream_look(tn_hip_null_stream(s->device))) : error;
}

hipError_t tn_hip_stream_query(struct tn_hip_stream *s) {
    return s->role == TN_HIP_STREAM_NULL ? tn_hip_stream_look_around(s) : tn_hip_stream_look(s);
}

// ---- what comes first

static hipError_t tail_of(struct tn_hip_stream *s, tarn_event *tail) {
    tarn_event now = atomic_load_explicit(&s->tail, memory_order_acquire);
    tarn_event fresh = 0;
    if (now == 0) {
        hipError_t error = tn_hip_from(tarn_event_create(s->device->tarn, &fresh));
        if (error != hipSuccess) {
            return error;
        }
        if (!atomic_compare_exchange_strong(&s->tail, &now, fresh)) {
            (void)tarn_event_destroy(fresh); // another thread was faster
        } else {
            now = fresh;
        }
    }
    *tail = now;
    return hipSuccess;
}

// Has `s` wait for what `first` has pending; `behind` says up to where it does so already. That
// other threads record the same tail meanwhile makes it wait for more, never for less.
static hipError_t go_behind(struct tn_hip_stream *s, struct tn_hip_stream *first,
                            _Atomic(uint64_t) *behind) {
    uint64_t given = atomic_load_explicit(&first->given, memory_order_acquire);
    hipError_t error = tn_hip_stream_look(first);
    if (error != hipErrorNotReady) {
        return error;
    }
    if (atomic_load_explicit(behind, memory_order_acquire) >= given) {
        return hipSuccess;
    }
    tarn_event tail = 0;
    error = tail_of(first, &tail);
    if (error == hipSuccess) {
        error = tn_hip_from(tarn_event_record(tail, first->tarn));
    }
    if (error == hipSuccess) {
        error = tn_hip_from(tarn_stream_wait(s->tarn, tail));
    }
    if (error == hipSuccess) {
        raise_to(behind, given);
    }
    return error;
}

static hipError_t null_goes_behind(struct tn_hip_stream *null) {
    hipError_t error = tn_hip_null_stream_open(null);
    if (error != hipSuccess) {
        return error;
    }
    for (struct tn_hip_stream *s = tn_hip_streams_lock(null->device); s != NULL; s = s->next) {
        if (s->blocking) {
            error = worse(error, go_behind(null, s, &s->ahead));
        }
    }
    tn_hip_streams_unlock();
    return error;
}

hipError_t tn_hip_stream_line_up(struct tn_hip_stream *s) {
    TN_HIP_TRY(tn_hip_failure_tell(s->failure));
    if (s->role == TN_HIP_STREAM_NULL) {
        return null_goes_behind(s);
    }
    return s->blocking ? go_behind(s, tn_hip_null_stream(s->device), &s->behind) : hipSuccess;
}

hipError_t tn_hip_stream_wait(struct tn_hip_stream *s) {
    hipError_t error = tn_hip_stream_query(s);
    if (error == hipSuccess) {
        return hipSuccess;
    }
    // A stream that has failed is waited for too: what it was given may still be running.
    error = s->role == TN_HIP_STREAM_NULL ? null_goes_behind(s) : hipSuccess;
    error = worse(error, tn_hip_from(tarn_stream_synchronize(s->tarn)));
    error = worse(error, tn_hip_stream_query(s));
    return error == hipErrorNotReady ? hipSuccess : error; // another thread has given more
}

void tn_hip_stream_gave(struct tn_hip_stream *s) {
    (void)atomic_fetch_add_explicit(&s->given, 1, memory_order_release);
}

// ---- work

static struct tn_hip_where where_of(struct tn_hip_stream *s) {
    return (struct tn_hip_where){s->device, s->tarn, s};
}

static hipError_t give(struct tn_hip_stream *s, const struct tn_hip_op *op) {
    TN_HIP_TRY(tn_hip_stream_line_up(s));
    struct tn_hip_where where = where_of(s);
    hipError_t error = op->run(op->payload, &where);
    tn_hip_stream_gave(s); // also when it failed: part of it may be in the stream
    return error;
}

hipError_t tn_hip_submit(hipStream_t stream, const struct tn_hip_op *op) {
    struct tn_hip_stream *s = NULL;
    hipError_t error = tn_hip_stream_get(stream, &s);
    if (error == hipSuccess) {
        if (!tn_hip_capture_takes(s, op, &error)) {
            error = give(s, op);
        }
        tn_hip_stream_put(s);
    }
    return error;
}

// With nothing pending the caller does the work itself: no queue, no wake.
static hipError_t give_and_wait(struct tn_hip_stream *s, const struct tn_hip_op *op) {
    TN_HIP_TRY(tn_hip_capture_refuses(s));
    TN_HIP_TRY(tn_hip_capture_allows());
    hipError_t error = tn_hip_stream_look_around(s);
    if (error == hipSuccess) {
        struct tn_hip_where where = {s->device, TARN_STREAM_NONE, NULL};
        return op->run(op->payload, &where);
    }
    if (error == hipErrorNotReady) {
        error = give(s, op);
    }
    return error == hipSuccess ? tn_hip_stream_wait(s) : error;
}

hipError_t tn_hip_submit_and_wait(hipStream_t stream, const struct tn_hip_op *op) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_stream_get(stream, &s));
    hipError_t error = give_and_wait(s, op);
    tn_hip_stream_put(s);
    return error;
}

hipError_t tn_hip_stream_begin(hipStream_t stream, struct tn_hip_hold *hold) {
    struct tn_hip_stream *s = NULL;
    TN_HIP_TRY(tn_hip_stream_get(stream, &s));
    hipError_t error = tn_hip_capture_refuses(s);
    if (error == hipSuccess) {
        error = tn_hip_stream_line_up(s);
    }
    if (error != hipSuccess) {
        tn_hip_stream_put(s);
        return error;
    }
    *hold = (struct tn_hip_hold){where_of(s), &s->object};
    return hipSuccess;
}

void tn_hip_stream_end(struct tn_hip_hold *hold) {
    tn_hip_stream_gave(hold->where.owner);
    tn_hip_stream_put(hold->where.owner);
}

// ---- functions called in stream order

// Tarn never calls what a failed stream drops, so each call is in its stream's list until it runs.
struct tn_hip_call {
    struct tn_hip_call *next, *previous;
    struct tn_hip_stream *stream; // outlives the call: destroying it waits
    hipError_t (*fn)(const void *closure);
    alignas(TN_HIP_CLOSURE_ALIGNMENT) unsigned char closure[];
};

static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER; // guards the lists of all streams

static void link_call(struct tn_hip_call *call) {
    (void)pthread_mutex_lock(&calls_lock);
    call->next = call->stream->calls;
    if (call->next != NULL) {
        call->next->previous = call;
    }
    call->stream->calls = call;
    (void)pthread_mutex_unlock(&calls_lock);
}

static void unlink_call(struct tn_hip_call *call) {
    (void)pthread_mutex_lock(&calls_lock);
    if (call->previous != NULL) {
        call->previous->next = call->next;
    } else {
        call->stream->calls = call->next;
    }
    if (call->next != NULL) {
        call->next->previous = call->previous;
    }
    (void)pthread_mutex_unlock(&calls_lock);
}

// One call of a stream runs at a time, so the text has one writer.
static void fail_stream(struct tn_hip_failure *failure, hipError_t error) {
    (void)snprintf(failure->text, sizeof failure->text, "%s", tn_hip_text());
    atomic_store_explicit(&failure->error, error, memory_order_release);
}

static void run_call(void *arg) {
    struct tn_hip_call *call = (struct tn_hip_call *)arg;
    struct tn_hip_failure *failure = call->stream->failure;
    unlink_call(call);
    if (atomic_load_explicit(&failure->error, memory_order_relaxed) == hipSuccess) {
        hipError_t error = call->fn(call->closure);
        if (error != hipSuccess) {
            fail_stream(failure, error);
        }
    }
    free(call);
}

hipError_t tn_hip_call(const struct tn_hip_where *where, hipError_t (*fn)(const void *closure),
                       const void *closure, size_t size) {
    if (where->stream == TARN_STREAM_NONE) {
        return fn(closure);
    }
    size_t aligned =
        (size + TN_HIP_CLOSURE_ALIGNMENT - 1) & ~((size_t)TN_HIP_CLOSURE_ALIGNMENT - 1);
    struct tn_hip_call *call =
        (struct tn_hip_call *)aligned_alloc(TN_HIP_CLOSURE_ALIGNMENT, sizeof *call + aligned);
    if (call == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for a call with %zu bytes", size);
    }
    *call = (struct tn_hip_call){NULL, NULL, where->owner, fn};
    memcpy(call->closure, closure, size);
    link_call(call);
    hipError_t error = tn_hip_from(tarn_stream_call(where->stream, run_call, call));
    if (error != hipSuccess) {
        unlink_call(call);
        free(call);
    }
    return error;
}

void tn_hip_stream_drop_calls(struct tn_hip_stream *s) {
    (void)pthread_mutex_lock(&calls_lock);
    struct tn_hip_call *call = s->calls;
    s->calls = NULL;
    (void)pthread_mutex_unlock(&calls_lock);
    while (call != NULL) {
        struct tn_hip_call *next = call->next;
        free(call);
        call = next;
    }
}

TN_FACE_ON_FORK(TN_HIP_LOCK_CALLS, &calls_lock, NULL);
