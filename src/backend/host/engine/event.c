// SPDX-License-Identifier: Apache-2.0
// The slots of events. An event refers to a point, the position in a stream where it was recorded
// last. Waiting streams and threads refer to the same point, so recording the event again or
// destroying it does not affect them. Any thread.
#include <stdlib.h>

#include "backend/host/engine/parts.h"
#include "base/error.h"

tarn_status tn_host_event_create(void *p, void **event) {
    struct tn_host_event *e = (struct tn_host_event *)calloc(1, sizeof *e);
    TN_REFUSE(e == NULL, TARN_NO_HOST_MEMORY, "out of host memory for an event");
    *event = e;
    TN_HOST_ENGINE_LOCKED(tn_host_engine_of(p));
    e->number = ++tn_host_engine_of(p)->event_numbers;
    return TARN_OK;
}

void tn_host_event_destroy(void *p, void *event) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_event *e = (struct tn_host_event *)event;
    tn_host_engine_lock(engine);
    tn_soft_point_unref((struct tn_soft_point *)e->point);
    tn_host_engine_unlock(engine);
    free(e);
}

// The event's own point is used again if it has no other reference.
static tarn_status enqueue_record(struct tn_host_event *e, struct tn_host_stream *s) {
    struct tn_host_point *point = e->point;
    if (tn_host_schedule_holds(s->engine)) TN_TRY(tn_host_workers_require(s->engine));
    if (point == NULL || point->base.refs != 1) point = calloc(1, sizeof *point);
    struct tn_host_op *op = point != NULL ? tn_host_op_new(s->engine, TN_HOST_OP_RECORD) : NULL;
    if (op == NULL) {
        if (point != e->point) free(point);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory to record an event");
    }
    if (e->point != point) {
        tn_soft_point_unref((struct tn_soft_point *)e->point);
        e->point = point;
    }
    TARN_ASSERT(point->waiters == NULL && point->waiting.first == NULL); // else it has a reference
    tn_soft_failure_unref(point->base.failure);
    point->base.failure = NULL;
    point->base.passed = false;
    point->base.refs = 2; // of the event and the operation
    point->stream = s;
    op->u.point = point;
    tn_host_op_enqueue(s, op);
    point->seq = op->seq;
    point->event = e->number;
    if (s->engine->schedule == TN_HOST_SCHEDULE_RANDOM) tn_host_schedule_submitted(s);
    return TARN_OK;
}

tarn_status tn_host_event_record(void *p, void *event, void *stream) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    TN_HOST_ENGINE_LOCKED(engine);
    TN_TRY(tn_host_stream_status((const struct tn_host_stream *)stream));
    return enqueue_record((struct tn_host_event *)event, (struct tn_host_stream *)stream);
}

tarn_status tn_host_event_query(void *p, void *event) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_event *e = (struct tn_host_event *)event;
    TN_HOST_ENGINE_LOCKED(engine);
    tn_host_schedule_query(engine, "event", e->number);
    tarn_status status =
        tn_soft_point_status((const struct tn_soft_point *)e->point, engine->forked);
    if (status == TARN_NOT_READY)
        tn_host_schedule_poll(e->point->stream);
    else if (e->point != NULL && tn_tsan_watches())
        tn_host_tsan_learn(e->point);
    return status;
}

tarn_status tn_host_event_peek(void *p, void *event) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    TN_HOST_ENGINE_LOCKED(engine);
    return tn_soft_point_status(
        (const struct tn_soft_point *)((const struct tn_host_event *)event)->point, engine->forked);
}

static void await_point(struct tn_host_engine *engine, struct tn_host_point *point,
                        uint64_t deadline_ns) {
    if (!point->base.passed && !engine->forked) tn_host_schedule_demand(point->stream, point->seq);
    do {
        if (point->base.passed || engine->forked) return;
    } while (tn_host_stream_help(point->stream, deadline_ns));
    if (deadline_ns != 0) (void)tn_host_engine_await(engine, &point->waiters, 0, deadline_ns);
}

tarn_status tn_host_event_synchronize(void *p, void *event, uint64_t deadline_ns) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_event *e = (struct tn_host_event *)event;
    TN_HOST_ENGINE_LOCKED(engine);
    struct tn_host_point *point = e->point;
    if (point == NULL) return TARN_OK;
    point->base.refs++; // another thread may record the event again meanwhile
    await_point(engine, point, deadline_ns);
    tarn_status status = tn_soft_point_status(&point->base, engine->forked);
    if (status != TARN_NOT_READY && tn_tsan_watches()) tn_host_tsan_learn(point);
    tn_soft_point_unref(&point->base);
    return status == TARN_NOT_READY ? TARN_TIMED_OUT : status;
}

tarn_status tn_host_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    TN_HOST_ENGINE_LOCKED(engine);
    return tn_soft_point_elapsed(
        (const struct tn_soft_point *)((const struct tn_host_event *)start)->point,
        (const struct tn_soft_point *)((const struct tn_host_event *)end)->point, engine->forked,
        elapsed_ns);
}
