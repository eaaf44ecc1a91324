// SPDX-License-Identifier: Apache-2.0
// See order.h and stream.h. A stream's counters are atomic, so any thread may call these functions.
#include "compat/runtime/stream/order.h"

#include <tarn/annotate.h>

#include "compat/runtime/stream/stream.h"
#include "compat/runtime/stream/stream_call.h"

// ---- progress

static void raise_to(_Atomic(uint64_t) *counter, uint64_t value) {
    uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);
    while (now < value && !atomic_compare_exchange_weak_explicit(
                              counter, &now, value, memory_order_release, memory_order_relaxed)) {
    }
}

// Returns true if a function of the stream has failed.
static inline bool has_failed(const struct tn_rt_stream *s) {
    const struct tn_rt_failure *failure = s->failure;
    return failure != NULL &&
           atomic_load_explicit(&failure->error, memory_order_acquire) != TN_RT_OK;
}

// Returns true if all work of the stream has been seen completed, and no function has failed.
static inline bool is_seen_idle(const struct tn_rt_stream *s) {
    return atomic_load_explicit(&s->submitted, memory_order_acquire) ==
               atomic_load_explicit(&s->completed, memory_order_acquire) &&
           !has_failed(s);
}

// `look` is tarn_stream_query() for the program, or tarn_stream_peek() for the runtime. A tool that is
// subscribed does not learn what the runtime sees. The stream then counts as busy until the
// program has waited for it, so that the runtime orders all work by events, which tools see.
static tn_rt_error look_at(struct tn_rt_stream *s, tarn_status (*look)(tarn_stream)) {
    if (is_seen_idle(s)) return TN_RT_OK;
    uint64_t submitted = atomic_load_explicit(&s->submitted, memory_order_acquire);
    tarn_status status = TARN_OK;
    if (submitted != atomic_load_explicit(&s->completed, memory_order_acquire)) {
        status = look(s->tarn);
        if (status == TARN_OK && look == tarn_stream_peek && tarn_annotate_subscribed())
            status = TARN_NOT_READY;
    }
    if (status == TARN_OK) raise_to(&s->completed, submitted);
    tn_rt_error failure =
        tn_rt_failure_check(s->failure); // last: a function fails before its stream completes it
    tn_rt_error error = failure != TN_RT_OK ? failure : tn_rt_error_of(status);
    if (error != TN_RT_OK && error != TN_RT_NOT_READY) tn_rt_device_fail(s->device->ordinal, error);
    return error;
}

tn_rt_error tn_rt_stream_poll(struct tn_rt_stream *s) { return look_at(s, tarn_stream_peek); }

// The worse of two results of look_at().
static tn_rt_error worse_error(tn_rt_error a, tn_rt_error b) {
    return a == TN_RT_OK || (a == TN_RT_NOT_READY && b != TN_RT_OK) ? b : a;
}

// The NULL stream includes the blocking streams of its device.
static tn_rt_error look_at_all(struct tn_rt_stream *s, tarn_status (*look)(tarn_stream)) {
    tn_rt_error error = look_at(s, look);
    if (s->role != TN_RT_STREAM_NULL) return error;
    for (struct tn_rt_stream *b = tn_rt_streams_lock(s->device); b != NULL; b = b->next)
        if (b->blocking) error = worse_error(error, look_at(b, look));
    tn_rt_streams_unlock();
    return error;
}

tn_rt_error tn_rt_stream_poll_ordered(struct tn_rt_stream *s) {
    tn_rt_error error = look_at_all(s, tarn_stream_peek);
    return s->blocking ? worse_error(error, tn_rt_stream_poll(tn_rt_null_stream(s->device)))
                       : error;
}

tn_rt_error tn_rt_stream_query(struct tn_rt_stream *s) { return look_at_all(s, tarn_stream_query); }

// ---- order

static tn_rt_error get_tail(struct tn_rt_stream *s, tarn_event *tail) {
    tarn_event now = atomic_load_explicit(&s->tail, memory_order_acquire);
    tarn_event fresh = 0;
    if (now == 0) {
        TN_RT_TRY(tn_rt_error_of(tarn_event_create(s->device->tarn, &fresh)));
        if (!atomic_compare_exchange_strong(&s->tail, &now, fresh))
            (void)tarn_event_destroy(fresh); // another thread was faster
        else
            now = fresh;
    }
    *tail = now;
    return TN_RT_OK;
}

// Makes `s` wait for the pending work of `first`. *waited is the number of pieces of work of
// `first` that it waits for already. Another thread may record the same tail meanwhile; then `s`
// waits for more, never for less.
static tn_rt_error wait_for_stream(struct tn_rt_stream *s, struct tn_rt_stream *first,
                                   _Atomic(uint64_t) *waited) {
    uint64_t submitted = atomic_load_explicit(&first->submitted, memory_order_acquire);
    tn_rt_error error = tn_rt_stream_poll(first);
    if (error != TN_RT_NOT_READY) return error;
    if (atomic_load_explicit(waited, memory_order_acquire) >= submitted) return TN_RT_OK;
    tarn_event tail = 0;
    TN_RT_TRY(get_tail(first, &tail));
    TN_RT_TRY(tn_rt_error_of(tarn_event_record(tail, first->tarn)));
    TN_RT_TRY(tn_rt_error_of(tarn_stream_wait(s->tarn, tail, 0)));
    tn_rt_stream_submitted(s); // the wait
    raise_to(waited, submitted);
    return TN_RT_OK;
}

static tn_rt_error wait_for_blocking(struct tn_rt_stream *null) {
    tn_rt_error error = TN_RT_OK;
    TN_RT_TRY(tn_rt_null_stream_open(null));
    for (struct tn_rt_stream *s = tn_rt_streams_lock(null->device); s != NULL; s = s->next)
        if (s->blocking) error = worse_error(error, wait_for_stream(null, s, &s->waited_by_null));
    tn_rt_streams_unlock();
    return error;
}

tn_rt_error tn_rt_stream_order_next(struct tn_rt_stream *s) {
    if (has_failed(s)) return tn_rt_failure_check(s->failure);
    if (s->role == TN_RT_STREAM_NULL) return wait_for_blocking(s);
    struct tn_rt_stream *null = tn_rt_null_stream(s->device);
    return !s->blocking || is_seen_idle(null) ? TN_RT_OK
                                              : wait_for_stream(s, null, &s->waited_on_null);
}

// An idle stream is synchronised too, because pools release memory at a synchronisation. So is a
// failed one: work submitted before the failure may still run.
tn_rt_error tn_rt_stream_wait(struct tn_rt_stream *s) {
    tn_rt_error error = s->role == TN_RT_STREAM_NULL ? wait_for_blocking(s) : TN_RT_OK;
    tn_rt_error own = tn_rt_error_of(tarn_stream_synchronize(s->tarn, TARN_FOREVER));
    error = worse_error(error, has_failed(s) ? tn_rt_failure_check(s->failure) : own);
    error = worse_error(error, tn_rt_stream_query(s));
    return error == TN_RT_NOT_READY ? TN_RT_OK : error; // another thread has submitted more work
}

void tn_rt_stream_submitted(struct tn_rt_stream *s) {
    (void)atomic_fetch_add_explicit(&s->submitted, 1, memory_order_release);
}

void tn_rt_stream_marked(struct tn_rt_stream *s) {
    if (tarn_annotate_subscribed()) tn_rt_stream_submitted(s);
}

// ---- work

static struct tn_rt_where where_of(struct tn_rt_stream *s) {
    return (struct tn_rt_where){s->device, s->tarn, s, s->failure, NULL};
}

static tn_rt_error submit_op(struct tn_rt_stream *s, const struct tn_rt_op *op) {
    TN_RT_TRY(tn_rt_stream_order_next(s));
    struct tn_rt_where where = where_of(s);
    tn_rt_error error = op->run(op, &where);
    if (error != TN_RT_OK && has_failed(s)) error = tn_rt_failure_check(s->failure);
    tn_rt_stream_submitted(s); // after an error too: part of it may be in the stream
    return error;
}

// Makes `s` wait for the pending work of `first`, by the legacy rule too.
static tn_rt_error join_stream(struct tn_rt_stream *s, struct tn_rt_stream *first) {
    _Atomic(uint64_t) waited = 0;
    tn_rt_error error = tn_rt_stream_poll_ordered(first);
    if (error != TN_RT_NOT_READY) return error;
    TN_RT_TRY(tn_rt_stream_order_next(first));
    if (s->role == TN_RT_STREAM_NULL) TN_RT_TRY(tn_rt_null_stream_open(s));
    return wait_for_stream(s, first, &waited);
}

// In an order, the other streams are NULL streams, which never capture, or belong to the caller,
// who has seen that they do not capture.
static tn_rt_error enter_order(const struct tn_rt_order *order) {
    for (size_t i = 0; i < 2 && order->others[i] != NULL; i++) {
        TN_RT_TRY(tn_rt_capture_check_stream(order->others[i]));
        TN_RT_TRY(join_stream(order->home, order->others[i]));
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_submit_to(const struct tn_rt_order *order, const struct tn_rt_op *op) {
    tn_rt_error error = TN_RT_OK;
    if (tn_rt_capture_work(order->home, op, &error)) return error;
    TN_RT_TRY(enter_order(order));
    TN_RT_TRY(submit_op(order->home, op));
    for (size_t i = 0; i < 2 && order->others[i] != NULL; i++)
        TN_RT_TRY(join_stream(order->others[i], order->home));
    return TN_RT_OK;
}

tn_rt_error tn_rt_submit(void *stream, const struct tn_rt_op *op) {
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    return tn_rt_submit_to(&(const struct tn_rt_order){s, {NULL}}, op);
}

static tn_rt_error poll_order(const struct tn_rt_order *order) {
    tn_rt_error error = tn_rt_stream_poll_ordered(order->home);
    for (size_t i = 0; i < 2 && order->others[i] != NULL; i++)
        error = worse_error(error, tn_rt_stream_poll_ordered(order->others[i]));
    return error;
}

bool tn_rt_order_is_busy(const struct tn_rt_order *order) {
    return poll_order(order) == TN_RT_NOT_READY;
}

// With nothing pending the calling thread does the work itself, without a queue and a wake.
tn_rt_error tn_rt_submit_to_and_wait(const struct tn_rt_order *order, const struct tn_rt_op *op) {
    TN_RT_TRY(tn_rt_function_check());
    TN_RT_TRY(tn_rt_capture_check_stream(order->home));
    tn_rt_error error = poll_order(order);
    if (error == TN_RT_OK) {
        struct tn_rt_where where = {.device = order->home->device, .stream = TARN_STREAM_NONE};
        return op->run(op, &where);
    }
    if (error == TN_RT_NOT_READY) error = enter_order(order);
    if (error == TN_RT_OK) error = submit_op(order->home, op);
    return error == TN_RT_OK ? tn_rt_stream_wait(order->home) : error;
}

tn_rt_error tn_rt_submit_and_wait(void *stream, const struct tn_rt_op *op) {
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    return tn_rt_submit_to_and_wait(&(const struct tn_rt_order){s, {NULL}}, op);
}

tn_rt_error tn_rt_stream_begin_on(struct tn_rt_stream *s, struct tn_rt_where *where) {
    if (s->role == TN_RT_STREAM_NULL || atomic_load(&s->capturing))
        TN_RT_TRY(tn_rt_capture_check_stream(s));
    TN_RT_TRY(tn_rt_stream_order_next(s));
    *where = where_of(s);
    return TN_RT_OK;
}

tn_rt_error tn_rt_stream_begin(void *stream, struct tn_rt_where *where) {
    struct tn_rt_stream *s = NULL;
    TN_RT_TRY(tn_rt_stream_get(stream, &s));
    tn_rt_error error = tn_rt_stream_begin_on(s, where);
    if (error != TN_RT_OK) tn_rt_stream_put(s);
    return error;
}

void tn_rt_stream_end(const struct tn_rt_where *where) {
    tn_rt_stream_submitted(where->owner);
    tn_rt_stream_put(where->owner);
}

// ---- programs that wait

// `poll` is tn_rt_stream_query() or tn_rt_stream_wait().
static tn_rt_error poll_stream(void *stream, tn_rt_error (*poll)(struct tn_rt_stream *)) {
    TN_RT_GET_STREAM(s, tn_rt_stream_get(stream, &s));
    TN_RT_TRY(tn_rt_capture_check_query(s));
    return poll(s);
}

tn_rt_error tn_rt_query(void *stream) { return poll_stream(stream, tn_rt_stream_query); }

tn_rt_error tn_rt_synchronize(void *stream) {
    TN_RT_TRY(tn_rt_function_check());
    return poll_stream(stream, tn_rt_stream_wait);
}

tn_rt_error tn_rt_synchronize_device(struct tn_face_device *device) {
    TN_RT_TRY(tn_rt_function_check());
    TN_RT_TRY(tn_rt_not_last_error(tn_rt_capture_check_devices()));
    TN_RT_TRY(tn_rt_error_of(tarn_device_synchronize(device->tarn, TARN_FOREVER)));
    tn_rt_error error = look_at(tn_rt_null_stream(device), tarn_stream_query);
    struct tn_rt_stream *s = tn_rt_streams_lock(device);
    for (; s != NULL && (error == TN_RT_OK || error == TN_RT_NOT_READY); s = s->next)
        error = look_at(s, tarn_stream_query);
    tn_rt_streams_unlock();
    return error == TN_RT_NOT_READY ? TN_RT_OK : error; // work submitted meanwhile
}
