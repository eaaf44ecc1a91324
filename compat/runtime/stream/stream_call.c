// SPDX-License-Identifier: Apache-2.0
// See stream_call.h. One lock guards the lists of pending calls of all streams. No function is
// called under it. TSan of a program ignores it, because it would make order between all work.
#include "compat/runtime/stream/stream_call.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/stream/stream.h"
#include "src/base/list.h"
#include "src/base/tsan.h"

// ---- failures

tn_rt_error tn_rt_failure_check(const struct tn_rt_failure *failure) {
    tn_rt_error error =
        failure != NULL ? atomic_load_explicit(&failure->error, memory_order_acquire) : TN_RT_OK;
    return error == TN_RT_OK ? TN_RT_OK : tn_rt_fail(error, "%s", failure->text);
}

void tn_rt_failure_clear(struct tn_rt_failure *failure) {
    atomic_store_explicit(&failure->error, TN_RT_OK, memory_order_relaxed);
    atomic_store(&failure->written, false);
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
    tarn_stream on;                // the stream's, or that of a graph's branch
    tn_rt_error (*fn)(const void *closure);
    tn_rt_error (*part_fn)(void *closure, uint64_t part); // of a call in parts
    _Atomic(bool) begun;
    _Atomic(uint64_t) left; // parts that have not ended
    unsigned char *closure; // aligned, behind the call
};

static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;

static void insert_call(struct tn_rt_call *call) {
    TN_TSAN_IGNORED;
    TN_FACE_LOCKED(&calls_lock);
    call->next = call->stream->calls;
    if (call->next != NULL) call->next->previous = call;
    call->stream->calls = call;
}

static void unlink_call(struct tn_rt_call *call) {
    if (call->previous != NULL)
        call->previous->next = call->next;
    else
        call->stream->calls = call->next;
    if (call->next != NULL) call->next->previous = call->previous;
}

static void remove_call(struct tn_rt_call *call) {
    TN_TSAN_IGNORED;
    TN_FACE_LOCKED(&calls_lock);
    unlink_call(call);
}

// Removes a call that could not be submitted. Returns false if a reset of the device has dropped it.
static bool withdraw_call(const struct tn_rt_stream *s, struct tn_rt_call *call) {
    TN_TSAN_IGNORED;
    TN_FACE_LOCKED(&calls_lock);
    const struct tn_rt_call *listed = s->calls;
    while (listed != NULL && listed != call) listed = listed->next;
    if (listed != NULL) unlink_call(call);
    return listed != NULL;
}

static void free_call(struct tn_rt_call *call) {
    TN_TSAN_IGNORED;
    tn_rt_failure_put(call->failure);
    free(call);
}

// Calls of a graph's branches share the failure of the launching stream; the first one that fails
// writes it. Work behind the call is dropped, where the platform can.
static void keep_failure(const struct tn_rt_call *call, tn_rt_error error) {
    struct tn_rt_failure *failure = call->failure;
    if (error == TN_RT_OK) return;
    TN_TSAN_IGNORED;
    if (!atomic_exchange(&failure->written, true)) {
        (void)snprintf(failure->text, sizeof failure->text, "%s", tn_rt_text());
        atomic_store_explicit(&failure->error, error, memory_order_release);
    }
    (void)tarn_stream_fail(call->on, tn_rt_text());
}

static bool has_failed(const struct tn_rt_failure *failure) {
    return atomic_load_explicit(&failure->error, memory_order_relaxed) != TN_RT_OK;
}

static void run_call(void *arg) {
    struct tn_rt_call *call = (struct tn_rt_call *)arg;
    remove_call(call);
    if (!has_failed(call->failure)) keep_failure(call, call->fn(call->closure));
    free_call(call);
}

static void run_part(void *arg, uint64_t part) {
    struct tn_rt_call *call = (struct tn_rt_call *)arg;
    if (!atomic_exchange(&call->begun, true)) remove_call(call);
    if (!has_failed(call->failure)) keep_failure(call, call->part_fn(call->closure, part));
    if (atomic_fetch_sub_explicit(&call->left, 1, memory_order_acq_rel) == 1) free_call(call);
}

static tn_rt_error submit_call(const struct tn_rt_where *where, const struct tn_rt_call *like,
                               const void *closure, size_t size) {
    const uintptr_t mask = TN_RT_CLOSURE_ALIGNMENT - 1;
    struct tn_rt_call *call = (struct tn_rt_call *)malloc(sizeof *call + mask + size);
    TN_RT_REFUSE(call == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a call with %zu bytes",
                 size);
    *call = *like;
    call->closure = (unsigned char *)(((uintptr_t)(call + 1) + mask) & ~mask);
    call->stream = where->owner;
    call->failure = where->failure;
    call->on = where->stream;
    (void)atomic_fetch_add_explicit(&call->failure->refs, 1, memory_order_relaxed);
    memcpy(call->closure, closure, size);
    insert_call(call);
    tn_rt_error error = tn_rt_error_of(
        like->part_fn == NULL ? tarn_stream_call(where->stream, run_call, call)
                              : tarn_stream_run(where->stream, run_part, call, like->left));
    if (error != TN_RT_OK && withdraw_call(where->owner, call)) free_call(call);
    return error;
}

tn_rt_error tn_rt_call(const struct tn_rt_where *where, tn_rt_error (*fn)(const void *closure),
                       const void *closure, size_t size) {
    if (where->stream == TARN_STREAM_NONE) return fn(closure);
    const struct tn_rt_call like = {.fn = fn};
    return submit_call(where, &like, closure, size);
}

tn_rt_error tn_rt_call_parts(const struct tn_rt_where *where,
                             tn_rt_error (*fn)(void *closure, uint64_t part), void *closure,
                             size_t size, uint64_t parts) {
    if (where->stream == TARN_STREAM_NONE) {
        for (uint64_t part = 0; part < parts; part++) TN_RT_TRY(fn(closure, part));
        return TN_RT_OK;
    }
    const struct tn_rt_call like = {.part_fn = fn, .left = parts};
    return submit_call(where, &like, closure, size);
}

void tn_rt_stream_drop_calls(struct tn_rt_stream *s) {
    TN_TSAN_IGNORED;
    (void)pthread_mutex_lock(&calls_lock);
    struct tn_rt_call *calls = s->calls;
    s->calls = NULL;
    (void)pthread_mutex_unlock(&calls_lock);
    TN_CHAIN_DRAIN(struct tn_rt_call, call, calls, next) free_call(call);
}

TN_FACE_ON_FORK(TN_RT_LOCK_CALLS, &calls_lock, NULL);
