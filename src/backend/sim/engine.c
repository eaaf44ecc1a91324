// SPDX-License-Identifier: Apache-2.0
// Runs the operations of streams: at once, or from the queue. The static functions need the
// engine's lock and release it while they run an operation. See engine.h.
#include "backend/sim/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/sim/reach.h"
#include "base/error.h"
#include "base/hostfn.h"

void tn_sim_engine_init(struct tn_sim_engine *engine) {
    *engine = (struct tn_sim_engine){0};
    tn_mutex_init(&engine->lock, TN_RANK_BACKEND_STREAM, "sim streams");
    tn_cond_init(&engine->done);
}

void tn_sim_engine_fini(struct tn_sim_engine *engine) {
    TARN_ASSERT(engine->streams == NULL);
    tn_cond_fini(&engine->done);
    tn_mutex_fini(&engine->lock);
}

bool tn_sim_wait_until(struct tn_sim *sim, uint64_t deadline_ns) {
    return tn_cond_wait_until(&sim->engine.done, &sim->engine.lock, deadline_ns);
}

// The old condition may have waiters, which exist only in the parent.
void tn_sim_engine_fork_child(struct tn_sim_engine *engine) {
    tn_cond_init(&engine->done);
    engine->forked = true;
}

tarn_status tn_sim_stream_status(const struct tn_sim *sim, const struct tn_sim_stream *s) {
    return tn_soft_stream_status(s->failed ? s->failure : NULL, sim->engine.forked);
}

// ---- one operation

struct part_run {
    const struct tn_sim *sim;
    const struct tn_sim_op *op;
};

// As a host function. There are no threads, so the parts run one after another.
static void run_parts(void *arg) {
    const struct part_run *run = (const struct part_run *)arg;
    const struct tn_sim_op *op = run->op;
    for (uint64_t part = 0; part < op->of.run.parts && !run->sim->engine.forked; part++)
        op->of.run.fn(op->of.run.arg, part);
}

// Called without the lock. Dropping a remap calls the owners of its references, so it happens here.
static bool op_execute(struct tn_sim *sim, const struct tn_sim_stream *s,
                       const struct tn_sim_op *op, struct tn_sim_violation *violation) {
    switch (op->kind) {
    case TN_SIM_OP_CALL: tn_hostfn_run(sim, op->of.call.fn, op->of.call.arg); return true;
    case TN_SIM_OP_RUN: tn_hostfn_run(sim, run_parts, &(struct part_run){sim, op}); return true;
    case TN_SIM_OP_REMAP:
        if (s->failed)
            tn_sim_remap_drop(op->of.remap);
        else
            tn_sim_remap_run(sim, op->of.remap);
        return true;
    case TN_SIM_OP_BOX: return tn_sim_box_run(sim, &op->of.box, violation);
    default: return tn_sim_move_run(sim, op, violation);
    }
}

static void set_failed(struct tn_sim_stream *s, const char *text) {
    s->failed = true;
    (void)snprintf(s->failure->text, sizeof s->failure->text, "%s", text);
}

static void op_run_unlocked(struct tn_sim *sim, struct tn_sim_stream *s,
                            const struct tn_sim_op *op) {
    struct tn_sim_violation violation;
    s->running = true;
    tn_mutex_unlock(&sim->engine.lock);
    bool succeeded = op_execute(sim, s, op, &violation);
    tn_mutex_lock(&sim->engine.lock);
    s->running = false;
    if (!succeeded) set_failed(s, violation.text);
}

// Runs an operation, or drops it behind a failure, and releases its references.
static void op_complete(struct tn_sim *sim, struct tn_sim_stream *s, const struct tn_sim_op *op) {
    if (op->kind == TN_SIM_OP_RECORD) {
        tn_soft_point_pass(op->of.point, tn_sim_now(sim), s->failed ? s->failure : NULL);
        tn_soft_point_unref(op->of.point);
    } else if (op->kind == TN_SIM_OP_WAIT) {
        if (op->follows && op->of.point->failure != NULL && !s->failed)
            set_failed(s, op->of.point->failure->text);
        tn_soft_point_unref(op->of.point);
    } else if (!s->failed || op->kind == TN_SIM_OP_REMAP) {
        op_run_unlocked(sim, s, op);
    }
    s->done++;
}

// ---- queues

static bool must_wait(const struct tn_sim_op *op) {
    return op->kind == TN_SIM_OP_WAIT && !op->of.point->passed;
}

static void set_waiting(struct tn_sim *sim, struct tn_sim_stream *s, bool waiting) {
    if (s->waiting != waiting) {
        s->waiting = waiting;
        sim->engine.waiting += waiting ? 1 : (uint64_t)-1;
    }
}

// Runs queued operations until the stream is empty, busy or waiting. Returns true if it ran any.
static bool stream_run_queue(struct tn_sim *sim, struct tn_sim_stream *s) {
    bool any = false;
    while (!s->running && s->head != NULL && (s->failed || !must_wait(s->head))) {
        struct tn_sim_op *op = s->head;
        s->head = op->next;
        if (s->head == NULL) s->tail = NULL;
        op_complete(sim, s, op);
        free(op);
        any = true;
    }
    if (!s->running) set_waiting(sim, s, s->head != NULL);
    return any;
}

// Continues this stream, and the streams that waited for its events. The search begins again after
// each progress, because running an operation releases the lock, so the list may have changed.
static void streams_continue(struct tn_sim *sim, struct tn_sim_stream *s) {
    (void)stream_run_queue(sim, s);
    while (sim->engine.waiting > 0) {
        struct tn_sim_stream *it = sim->engine.streams;
        while (it != NULL && (!it->waiting || !stream_run_queue(sim, it))) it = it->next;
        if (it == NULL) break;
    }
    tn_cond_broadcast(&sim->engine.done);
}

static tarn_status queue_append(struct tn_sim *sim, struct tn_sim_stream *s,
                                const struct tn_sim_op *op) {
    struct tn_sim_op *own = (struct tn_sim_op *)malloc(sizeof *own);
    TN_REFUSE(own == NULL, TARN_NO_HOST_MEMORY, "out of host memory to queue an operation");
    *own = *op;
    own->next = NULL;
    if (s->tail != NULL)
        s->tail->next = own;
    else
        s->head = own;
    s->tail = own;
    s->submitted++;
    if (!s->running) set_waiting(sim, s, true);
    return TARN_OK;
}

static tarn_status submit(struct tn_sim *sim, struct tn_sim_stream *s, const struct tn_sim_op *op) {
    TN_TRY(tn_sim_stream_status(sim, s));
    if (s->running || s->head != NULL || must_wait(op)) return queue_append(sim, s, op);
    s->submitted++;
    op_complete(sim, s, op);
    streams_continue(sim, s);
    return TARN_OK;
}

tarn_status tn_sim_op_submit_locked(struct tn_sim *sim, struct tn_sim_stream *s,
                                    const struct tn_sim_op *op) {
    tarn_status status = submit(sim, s, op);
    if (status != TARN_OK && (op->kind == TN_SIM_OP_WAIT || op->kind == TN_SIM_OP_RECORD))
        tn_soft_point_unref(op->of.point);
    else if (status != TARN_OK && op->kind == TN_SIM_OP_REMAP)
        free(op->of.remap);
    return status;
}

tarn_status tn_sim_op_submit(struct tn_sim *sim, struct tn_sim_stream *s,
                             const struct tn_sim_op *op) {
    TN_LOCKED(&sim->engine.lock);
    return tn_sim_op_submit_locked(sim, s, op);
}
