// SPDX-License-Identifier: Apache-2.0
// The slots of events. An event refers to the point of its last record. Waiting operations refer to
// the same point, so recording the event again or destroying it does not affect them. Any thread.
#include <stdlib.h>

#include "backend/sim/platform.h"
#include "base/error.h"

struct tn_sim_event {
    struct tn_sim_point *point; // NULL: never recorded
};

tarn_status tn_sim_event_create(void *p, void **event) {
    (void)p;
    struct tn_sim_event *e = (struct tn_sim_event *)calloc(1, sizeof *e);
    if (e == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for an event");
    }
    *event = e;
    return TARN_OK;
}

void tn_sim_event_destroy(void *p, void *event) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_event *e = (struct tn_sim_event *)event;
    tn_mutex_lock(&sim->engine.lock);
    tn_sim_point_unref(e->point);
    tn_mutex_unlock(&sim->engine.lock);
    free(e);
}

static struct tn_sim_point *new_point(void) {
    struct tn_sim_point *point = (struct tn_sim_point *)malloc(sizeof *point);
    if (point != NULL) {
        point->refs = 1; // of the operation
        point->passed = false;
        point->faulted = false;
        point->time_ns = 0;
        point->text[0] = '\0';
    }
    return point;
}

// The event gets its new point before the operation is submitted, so later waits refer to the new
// record. If the submission fails, the old point is restored.
static struct tn_sim_point *exchange_point(struct tn_sim *sim, struct tn_sim_event *e,
                                           struct tn_sim_point *point) {
    tn_mutex_lock(&sim->engine.lock);
    struct tn_sim_point *old = e->point;
    e->point = point;
    tn_mutex_unlock(&sim->engine.lock);
    return old;
}

static void point_unref(struct tn_sim *sim, struct tn_sim_point *point) {
    tn_mutex_lock(&sim->engine.lock);
    tn_sim_point_unref(point);
    tn_mutex_unlock(&sim->engine.lock);
}

tarn_status tn_sim_event_record(void *p, void *event, void *stream) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_event *e = (struct tn_sim_event *)event;
    struct tn_sim_op op = {.kind = TN_SIM_OP_RECORD};
    op.of.point = new_point();
    if (op.of.point == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory to record an event");
    }
    op.of.point->refs++; // of the event
    struct tn_sim_point *old = exchange_point(sim, e, op.of.point);
    tarn_status status = tn_sim_op_submit(sim, (struct tn_sim_stream *)stream, &op);
    if (status != TARN_OK) {
        old = exchange_point(sim, e, old);
    }
    point_unref(sim, old);
    return status;
}

// Returns the event's point with one more reference, or NULL if it was never recorded.
static struct tn_sim_point *hold_point(struct tn_sim *sim, const struct tn_sim_event *e) {
    tn_mutex_lock(&sim->engine.lock);
    struct tn_sim_point *point = e->point;
    if (point != NULL) {
        point->refs++;
    }
    tn_mutex_unlock(&sim->engine.lock);
    return point;
}

tarn_status tn_sim_stream_wait(void *p, void *stream, void *event) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_op op = {.kind = TN_SIM_OP_WAIT};
    op.of.point = hold_point(sim, (const struct tn_sim_event *)event);
    if (op.of.point == NULL) {
        tarn_status status = tn_sim_stream_query(p, stream);
        return status == TARN_NOT_READY ? TARN_OK : status;
    }
    return tn_sim_op_submit(sim, (struct tn_sim_stream *)stream, &op);
}

// Returns OK if the point has passed, else NOT_READY, FORKED or DEVICE_FAULT. Under the lock.
static tarn_status point_status(const struct tn_sim *sim, const struct tn_sim_point *point) {
    if (point == NULL) {
        return TARN_OK;
    }
    if (!point->passed) {
        return sim->engine.forked
                   ? tn_fail(TARN_FORKED, "the event was recorded in the parent process")
                   : TARN_NOT_READY;
    }
    return point->faulted ? tn_fail(TARN_DEVICE_FAULT, "%s", point->text) : TARN_OK;
}

tarn_status tn_sim_event_query(void *p, void *event) {
    struct tn_sim *sim = (struct tn_sim *)p;
    const struct tn_sim_event *e = (const struct tn_sim_event *)event;
    tn_mutex_lock(&sim->engine.lock);
    tarn_status status = point_status(sim, e->point);
    tn_mutex_unlock(&sim->engine.lock);
    return status;
}

tarn_status tn_sim_event_synchronize(void *p, void *event) {
    return tn_sim_event_synchronize_until(p, event, UINT64_MAX);
}

tarn_status tn_sim_event_synchronize_until(void *p, void *event, uint64_t deadline_ns) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_point *point = hold_point(sim, (const struct tn_sim_event *)event);
    tarn_status status;
    bool in_time = true;
    tn_mutex_lock(&sim->engine.lock);
    while ((status = point_status(sim, point)) == TARN_NOT_READY && in_time) {
        in_time = tn_sim_wait_until(sim, deadline_ns);
    }
    tn_sim_point_unref(point);
    tn_mutex_unlock(&sim->engine.lock);
    return status == TARN_NOT_READY ? TARN_TIMED_OUT : status;
}

static tarn_status elapsed(const struct tn_sim *sim, const struct tn_sim_point *start,
                           const struct tn_sim_point *end, int64_t *elapsed_ns) {
    if (start == NULL || end == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "the %s event was never recorded",
                       start == NULL ? "first" : "second");
    }
    tarn_status status = point_status(sim, start);
    if (status == TARN_OK) {
        status = point_status(sim, end);
    }
    if (status == TARN_OK) {
        *elapsed_ns = (int64_t)(end->time_ns - start->time_ns);
    }
    return status;
}

tarn_status tn_sim_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tn_mutex_lock(&sim->engine.lock);
    tarn_status status = elapsed(sim, ((const struct tn_sim_event *)start)->point,
                                 ((const struct tn_sim_event *)end)->point, elapsed_ns);
    tn_mutex_unlock(&sim->engine.lock);
    return status;
}
