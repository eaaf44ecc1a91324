// SPDX-License-Identifier: Apache-2.0
// See stream_call.h. One lock guards the lists of pending calls of all streams. No function is
// called under it.
#include "compat/runtime/stream_call.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/stream.h"

// ---- failures

tn_rt_error tn_rt_failure_check(const struct tn_rt_failure *failure) {
    tn_rt_error error =
        failure != NULL ? atomic_load_explicit(&failure->error, memory_order_acquire) : TN_RT_OK;
    return error == TN_RT_OK ? TN_RT_OK : tn_rt_fail(error, "%s", failure->text);
}

void tn_rt_failure_put(struct tn_rt_failure *failure) {
    if (failure != NULL && atomic_fetch_sub_explicit(&failure->refs, 1, memory_order_acq_rel) == 1)
        free(failure);
}

// ---- calls

// Tarn never calls the functions that a failed stream drops, so each call is in its stream's list
// until it runs.
struct tn_rt_call {
    struct tn_rt_call *next, *previous;
    struct tn_rt_stream *stream;   // outlives the call: destroying it waits
    struct tn_rt_failure *failure; // with a reference
    tn_rt_error (*fn)(const void *closure);
    alignas(TN_RT_CLOSURE_ALIGNMENT) unsigned char closure[];
};

static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;

static void insert_call(struct tn_rt_call *call) {
    TN_FACE_LOCKED(&calls_lock);
    call->next = call->stream->calls;
    if (call->next != NULL) call->next->previous = call;
    call->stream->calls = call;
}

static void remove_call(struct tn_rt_call *call) {
    TN_FACE_LOCKED(&calls_lock);
    if (call->previous != NULL)
        call->previous->next = call->next;
    else
        call->stream->calls = call->next;
    if (call->next != NULL) call->next->previous = call->previous;
}

static void free_call(struct tn_rt_call *call) {
    tn_rt_failure_put(call->failure);
    free(call);
}

// Calls of a graph's branches share the failure of the launching stream; the first one that fails
// writes it.
static void run_call(void *arg) {
    struct tn_rt_call *call = (struct tn_rt_call *)arg;
    struct tn_rt_failure *failure = call->failure;
    remove_call(call);
    if (atomic_load_explicit(&failure->error, memory_order_relaxed) == TN_RT_OK) {
        tn_rt_error error = call->fn(call->closure);
        if (error != TN_RT_OK && !atomic_exchange(&failure->written, true)) {
            (void)snprintf(failure->text, sizeof failure->text, "%s", tn_rt_text());
            atomic_store_explicit(&failure->error, error, memory_order_release);
        }
    }
    free_call(call);
}

tn_rt_error tn_rt_call(const struct tn_rt_where *where, tn_rt_error (*fn)(const void *closure),
                       const void *closure, size_t size) {
    if (where->stream == TARN_STREAM_NONE) return fn(closure);
    size_t aligned = (size + TN_RT_CLOSURE_ALIGNMENT - 1) & ~((size_t)TN_RT_CLOSURE_ALIGNMENT - 1);
    struct tn_rt_call *call =
        (struct tn_rt_call *)aligned_alloc(TN_RT_CLOSURE_ALIGNMENT, sizeof *call + aligned);
    TN_RT_REFUSE(call == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a call with %zu bytes",
                 size);
    *call = (struct tn_rt_call){NULL, NULL, where->owner, where->failure, fn};
    (void)atomic_fetch_add_explicit(&call->failure->refs, 1, memory_order_relaxed);
    memcpy(call->closure, closure, size);
    insert_call(call);
    tn_rt_error error = tn_rt_from(tarn_stream_call(where->stream, run_call, call));
    if (error != TN_RT_OK) {
        remove_call(call);
        free_call(call);
    }
    return error;
}

void tn_rt_stream_drop_calls(struct tn_rt_stream *s) {
    (void)pthread_mutex_lock(&calls_lock);
    struct tn_rt_call *call = s->calls;
    s->calls = NULL;
    (void)pthread_mutex_unlock(&calls_lock);
    while (call != NULL) {
        struct tn_rt_call *next = call->next;
        free_call(call);
        call = next;
    }
}

TN_FACE_ON_FORK(TN_RT_LOCK_CALLS, &calls_lock, NULL);
