// SPDX-License-Identifier: Apache-2.0
// The slots of events. An event refers to a point, the position in a stream where it was recorded
// last. Waiting streams and threads refer to the same point, so recording the event again or
// destroying it does not affect them. Any thread.
#include <stdlib.h>

#include "backend/host/engine/parts.h"
#include "base/error.h"

// Returns OK if the point has passed, else NOT_READY, FORKED or DEVICE_FAULT.
static tarn_status point_status(const struct tn_host_engine *engine,
                                const struct tn_host_point *point) {
    if (!point->passed) {
        return engine->forked ? tn_fail(TARN_FORKED,
                                        "the event was recorded in a stream of the parent process")
                              : TARN_NOT_READY;
    }
    if (point->fault != NULL) {
        return tn_fail(TARN_DEVICE_FAULT, "%s", point->fault->text);
    }
    return TARN_OK;
}

tarn_status tn_host_event_create(void *p, void **event) {
    (void)p;
    struct tn_host_event *e = (struct tn_host_event *)calloc(1, sizeof *e);
    if (e == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for an event");
    }
    *event = e;
    return TARN_OK;
}

void tn_host_event_destroy(void *p, void *event) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_event *e = (struct tn_host_event *)event;
    tn_host_engine_lock(engine);
    tn_host_point_unref(e->point);
    tn_host_engine_unlock(engine);
    free(e);
}

// Returns a point for a new record: the event's own if no other reference exists, else a new one.
// NULL if host memory is exhausted.
static struct tn_host_point *fresh_point(const struct tn_host_event *e) {
    struct tn_host_point *point = e->point;
    if (point != NULL && point->refs == 1) {
        return point;
    }
    point = (struct tn_host_point *)calloc(1, sizeof *point);
    if (point != NULL) {
        point->refs = 1;
    }
    return point;
}

static void set_point(struct tn_host_event *e, struct tn_host_point *point) {
    if (e->point != point) {
        tn_host_point_unref(e->point);
        e->point = point;
    }
    tn_host_fault_unref(point->fault);
    point->fault = NULL;
    point->passed = false;
}

static tarn_status enqueue_record(struct tn_host_event *e, struct tn_host_stream *s) {
    struct tn_host_point *point = fresh_point(e);
    struct tn_host_op *op = point != NULL ? tn_host_op_new(s->engine, TN_HOST_OP_RECORD) : NULL;
    if (op == NULL) {
        if (point != e->point) {
            free(point);
        }
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory to record an event");
    }
    set_point(e, point);
    point->refs++;
    point->stream = s;
    op->u.point = point;
    tn_host_op_enqueue(s, op);
    point->seq = op->seq;
    return TARN_OK;
}

tarn_status tn_host_event_record(void *p, void *event, void *stream) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    tn_host_engine_lock(engine);
    tarn_status status = tn_host_stream_status((const struct tn_host_stream *)stream);
    if (status == TARN_OK) {
        status = enqueue_record((struct tn_host_event *)event, (struct tn_host_stream *)stream);
    }
    tn_host_engine_unlock(engine);
    return status;
}

tarn_status tn_host_event_query(void *p, void *event) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_event *e = (struct tn_host_event *)event;
    tn_host_engine_lock(engine);
    tarn_status status = e->point != NULL ? point_status(engine, e->point) : TARN_OK;
    if (status == TARN_NOT_READY) {
        tn_host_schedule_poll(e->point->stream);
    }
    tn_host_engine_unlock(engine);
    return status;
}

static void await_point(struct tn_host_engine *engine, struct tn_host_point *point,
                        uint64_t deadline_ns) {
    if (!point->passed && !engine->forked) {
        tn_host_schedule_demand(point->stream, point->seq);
    }
    do {
        if (point->passed || engine->forked) {
            return;
        }
    } while (tn_host_stream_help(point->stream, deadline_ns));
    if (deadline_ns != 0) {
        (void)tn_host_engine_await(engine, &point->waiters, 0, deadline_ns);
    }
}

tarn_status tn_host_event_synchronize(void *p, void *event) {
    return tn_host_event_synchronize_until(p, event, TN_HOST_NO_DEADLINE);
}

tarn_status tn_host_event_synchronize_until(void *p, void *event, uint64_t deadline_ns) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    struct tn_host_event *e = (struct tn_host_event *)event;
    tarn_status status = TARN_OK;
    tn_host_engine_lock(engine);
    struct tn_host_point *point = e->point;
    if (point != NULL) {
        point->refs++; // another thread may record the event again meanwhile
        await_point(engine, point, deadline_ns);
        status = point_status(engine, point);
        tn_host_point_unref(point);
    }
    tn_host_engine_unlock(engine);
    return status == TARN_NOT_READY ? TARN_TIMED_OUT : status;
}

tarn_status tn_host_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_host_engine *engine = tn_host_engine_of(p);
    const struct tn_host_event *from = (const struct tn_host_event *)start;
    const struct tn_host_event *to = (const struct tn_host_event *)end;
    tarn_status status;
    tn_host_engine_lock(engine);
    if (from->point == NULL || to->point == NULL) {
        status = tn_fail(TARN_BAD_ARGUMENT, "the %s event was never recorded",
                         from->point == NULL ? "start" : "end");
    } else {
        status = point_status(engine, from->point);
        if (status == TARN_OK) {
            status = point_status(engine, to->point);
        }
    }
    if (status == TARN_OK) {
        *elapsed_ns = to->point->time_ns - from->point->time_ns;
    }
    tn_host_engine_unlock(engine);
    return status;
}
