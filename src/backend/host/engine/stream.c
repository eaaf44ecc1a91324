// SPDX-License-Identifier: Apache-2.0
// The slots of streams, and waiting for a device. Any thread. See engine.h.
#include <stdlib.h>

#include "backend/host/engine/parts.h"
#include "base/error.h"

tarn_status tn_host_stream_create(void *p, int device, void **stream) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    TN_REFUSE(engine->forked, TARN_FORKED, "device %d belongs to the parent process", device);
    struct tn_host_stream *s = (struct tn_host_stream *)calloc(1, sizeof *s);
    struct tn_soft_failure *failure = (struct tn_soft_failure *)calloc(1, sizeof *failure);
    if (s == NULL || failure == NULL) {
        free(s);
        free(failure);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a stream on device %d", device);
    }
    failure->refs = 1;
    s->engine = engine;
    s->device = device;
    s->failure = failure;
    *stream = s;
    TN_HOST_ENGINE_LOCKED(engine);
    s->number = ++engine->stream_numbers;
    if (tn_tsan_watches()) tn_host_tsan_create(s);
    TN_LIST_ADD(engine->streams, s, all_next, all_prev);
    return TARN_OK;
}

tarn_status tn_host_stream_wrap(void *p, int device, void *native, void **stream) {
    (void)native; // only this engine makes streams of the device
    return tn_host_stream_create(p, device, stream);
}

// By contract all operations are complete. The wait is a safeguard.
void tn_host_stream_destroy(void *p, void *stream) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    tn_host_engine_lock(engine);
    (void)tn_host_stream_await(s, engine->seq, TN_HOST_NO_DEADLINE);
    TARN_ASSERT(s->state == TN_HOST_STREAM_IDLE && s->waiters == NULL);
    TN_LIST_REMOVE(engine->streams, s, all_next, all_prev);
    tn_soft_failure_unref(s->failure);
    tn_host_engine_unlock(engine);
    if (tn_tsan_watches()) tn_host_tsan_destroy(s);
    free(s);
}

tarn_status tn_host_stream_synchronize(void *p, void *stream, uint64_t deadline_ns) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    TN_HOST_ENGINE_LOCKED(engine);
    bool done = tn_host_stream_await(s, engine->seq, deadline_ns);
    if (done && tn_tsan_watches()) tn_host_tsan_learn(s);
    TN_TRY(tn_host_stream_report(s));
    return done ? TARN_OK : TARN_TIMED_OUT;
}

tarn_status tn_host_stream_query(void *p, void *stream) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    TN_HOST_ENGINE_LOCKED(engine);
    tn_host_schedule_query(engine, "stream", s->number);
    TN_TRY(tn_host_stream_report(s));
    if (s->head == NULL) {
        if (tn_tsan_watches()) tn_host_tsan_learn(s);
        return TARN_OK;
    }
    tn_host_schedule_poll(s);
    return TARN_NOT_READY;
}

tarn_status tn_host_stream_peek(void *p, void *stream) {
    TN_HOST_ENGINE_LOCKED(tn_host_engine_of(p));
    const struct tn_host_stream *s = (const struct tn_host_stream *)stream;
    TN_TRY(tn_host_stream_status(s));
    return s->head == NULL ? TARN_OK : TARN_NOT_READY;
}

static tarn_status wait_for_event(void *p, void *stream, void *event, bool follows) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    TN_HOST_ENGINE_LOCKED(engine);
    struct tn_host_point *point = ((const struct tn_host_event *)event)->point;
    TN_TRY(tn_host_stream_status(s));
    // TSan sees the order of a point that has passed, too.
    if (point == NULL ||
        (point->base.passed && !(follows && point->base.failure != NULL) && !tn_tsan_watches()))
        return TARN_OK;
    struct tn_host_op *op = tn_host_op_new(engine, TN_HOST_OP_WAIT);
    TN_REFUSE(op == NULL, TARN_NO_HOST_MEMORY, "out of host memory to wait for an event");
    op->follows = follows;
    point->base.refs++;
    op->u.point = point;
    tn_host_op_enqueue(s, op);
    return TARN_OK;
}

tarn_status tn_host_stream_wait(void *p, void *stream, void *event) {
    return wait_for_event(p, stream, event, false);
}

tarn_status tn_host_stream_follow(void *p, void *stream, void *event) {
    return wait_for_event(p, stream, event, true);
}

// Queues an operation that only a worker runs.
static tarn_status queue_for_worker(void *stream, const struct tn_host_op *op) {
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    struct tn_host_engine *engine = s->engine;
    TN_HOST_ENGINE_LOCKED(engine);
    TN_TRY(tn_host_stream_status(s));
    if (op->kind == TN_HOST_OP_POLL) tn_host_polls_hasten(engine);
    return tn_host_op_queue(s, op);
}

tarn_status tn_host_stream_call(void *p, void *stream, void (*fn)(void *), void *arg) {
    const struct tn_host_op op = {.kind = TN_HOST_OP_CALL, .u.call = {fn, arg}};
    (void)p;
    return queue_for_worker(stream, &op);
}

tarn_status tn_host_stream_run(void *p, void *stream, void (*fn)(void *arg, uint64_t part),
                               void *arg, uint64_t parts) {
    const struct tn_host_op op = {.kind = TN_HOST_OP_RUN, .u.run = {fn, arg, parts}};
    (void)p;
    return queue_for_worker(stream, &op);
}

tarn_status tn_host_stream_wait_until(void *p, void *stream,
                                      tarn_status (*passed)(void *arg, bool dropped), void *arg) {
    const struct tn_host_op op = {.kind = TN_HOST_OP_POLL, .u.poll = {passed, arg}};
    (void)p;
    return queue_for_worker(stream, &op);
}

static tarn_status drop_work(void *p, void *stream, const char *failure) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_stream *s = (struct tn_host_stream *)stream;
    TN_HOST_ENGINE_LOCKED(engine);
    TN_TRY(tn_host_stream_status(s));
    tn_host_stream_drop(s, failure);
    return TARN_OK;
}

tarn_status tn_host_stream_abort(void *p, void *stream) { return drop_work(p, stream, NULL); }

tarn_status tn_host_stream_fail(void *p, void *stream, const char *text) {
    return drop_work(p, stream, text);
}

tarn_status tn_host_stream_set_resilient(void *p, void *stream, bool resilient) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    TN_HOST_ENGINE_LOCKED(engine);
    ((struct tn_host_stream *)stream)->resilient = resilient;
    return TARN_OK;
}

// Returns a stream with an operation up to number `seq` that is not complete, or NULL.
static struct tn_host_stream *unfinished_stream(const struct tn_host_engine_device *device,
                                                uint64_t seq) {
    struct tn_host_stream *s = device->busy_first;
    while (s != NULL && tn_host_stream_passed(s, seq)) s = s->busy_next;
    return s;
}

tarn_status tn_host_device_synchronize(void *p, int device, uint64_t deadline_ns) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_engine_device *d = &engine->devices[device];
    if (tn_load_acquire(&d->pending) == 0) {
        if (tn_tsan_watches()) tn_host_tsan_learn(d);
        return TARN_OK; // the common case, as every unmap calls this
    }
    TN_HOST_ENGINE_LOCKED(engine);
    uint64_t seq = engine->seq;
    struct tn_host_stream *s;
    tn_host_schedule_demand_device(engine, device, seq);
    bool in_time = true;
    while (in_time && (s = unfinished_stream(d, seq)) != NULL) {
        // The stream may be destroyed after the wait, so the search starts again.
        in_time = tn_host_stream_await(s, seq, deadline_ns);
    }
    if (in_time && tn_tsan_watches()) tn_host_tsan_learn(d);
    return in_time ? TARN_OK : TARN_TIMED_OUT;
}
