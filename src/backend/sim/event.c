// SPDX-License-Identifier: Apache-2.0
// The slots of events. An event refers to the point of its last record. Waiting operations refer to
// the same point, so recording the event again or destroying it does not affect them. Any thread.
#include <stdlib.h>

#include "backend/sim/platform.h"
#include "base/error.h"

struct tn_sim_event {
    struct tn_soft_point *point; // NULL: never recorded
};

tarn_status tn_sim_event_create(void *p, void **event) {
    (void)p;
    struct tn_sim_event *e = (struct tn_sim_event *)calloc(1, sizeof *e);
    TN_REFUSE(e == NULL, TARN_NO_HOST_MEMORY, "out of host memory for an event");
    *event = e;
    return TARN_OK;
}

void tn_sim_event_destroy(void *p, void *event) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_event *e = (struct tn_sim_event *)event;
    tn_mutex_lock(&sim->engine.lock);
    tn_soft_point_unref(e->point);
    tn_mutex_unlock(&sim->engine.lock);
    free(e);
}

// The event gets its new point before the operation is submitted, which may release the lock, so
// that later waits refer to the new record. If the submission fails, the old point is restored.
tarn_status tn_sim_event_record(void *p, void *event, void *stream) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_event *e = (struct tn_sim_event *)event;
    struct tn_soft_point *point = (struct tn_soft_point *)calloc(1, sizeof *point);
    TN_REFUSE(point == NULL, TARN_NO_HOST_MEMORY, "out of host memory to record an event");
    point->refs = 2; // of the operation and the event
    const struct tn_sim_op op = {.kind = TN_SIM_OP_RECORD, .of.point = point};
    TN_LOCKED(&sim->engine.lock);
    struct tn_soft_point *old = e->point;
    e->point = point;
    tarn_status status = tn_sim_op_submit_locked(sim, (struct tn_sim_stream *)stream, &op);
    if (status != TARN_OK) {
        e->point = old;
        old = point;
    }
    tn_soft_point_unref(old);
    return status;
}

static tarn_status wait_for_event(void *p, void *stream, void *event, bool follows) {
    struct tn_sim *sim = (struct tn_sim *)p;
    struct tn_sim_stream *s = (struct tn_sim_stream *)stream;
    TN_LOCKED(&sim->engine.lock);
    const struct tn_sim_op op = {.kind = TN_SIM_OP_WAIT,
                                 .follows = follows,
                                 .of.point = ((const struct tn_sim_event *)event)->point};
    tarn_status status;
    if (op.of.point == NULL) {
        status = tn_sim_stream_status(sim, s);
    } else {
        op.of.point->refs++;
        status = tn_sim_op_submit_locked(sim, s, &op);
    }
    return status;
}

tarn_status tn_sim_stream_wait(void *p, void *stream, void *event) {
    return wait_for_event(p, stream, event, false);
}

tarn_status tn_sim_stream_follow(void *p, void *stream, void *event) {
    return wait_for_event(p, stream, event, true);
}

tarn_status tn_sim_event_query(void *p, void *event) {
    struct tn_sim *sim = (struct tn_sim *)p;
    const struct tn_sim_event *e = (const struct tn_sim_event *)event;
    TN_LOCKED(&sim->engine.lock);
    return tn_soft_point_status(e->point, sim->engine.forked);
}

tarn_status tn_sim_event_peek(void *p, void *event) { return tn_sim_event_query(p, event); }

tarn_status tn_sim_event_synchronize(void *p, void *event, uint64_t deadline_ns) {
    struct tn_sim *sim = (struct tn_sim *)p;
    tarn_status status = TARN_OK;
    bool in_time = true;
    TN_LOCKED(&sim->engine.lock);
    struct tn_soft_point *point = ((const struct tn_sim_event *)event)->point;
    if (point != NULL) {
        point->refs++; // another thread may record the event again meanwhile
        while ((status = tn_soft_point_status(point, sim->engine.forked)) == TARN_NOT_READY &&
               in_time)
            in_time = tn_sim_wait_until(sim, deadline_ns);
        tn_soft_point_unref(point);
    }
    return status == TARN_NOT_READY ? TARN_TIMED_OUT : status;
}

tarn_status tn_sim_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns) {
    struct tn_sim *sim = (struct tn_sim *)p;
    TN_LOCKED(&sim->engine.lock);
    return tn_soft_point_elapsed(((const struct tn_sim_event *)start)->point,
                                 ((const struct tn_sim_event *)end)->point, sim->engine.forked,
                                 elapsed_ns);
}
