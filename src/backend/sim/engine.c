// SPDX-License-Identifier: Apache-2.0
// How work of a stream gets done: at once, or from its queue once nothing is in the way. Functions
// here are under the engine's lock and leave it while they run something.
#include "backend/sim/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/sim/platform.h"
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

// The condition may have waiters, who stayed with the parent.
void tn_sim_engine_fork_child(struct tn_sim_engine *engine) {
    tn_cond_init(&engine->done);
    engine->forked = true;
}

void tn_sim_point_unref(struct tn_sim_point *point) {
    if (point != NULL && --point->refs == 0) {
        free(point);
    }
}

static void pass_point(struct tn_sim *sim, struct tn_sim_point *point,
                       const struct tn_sim_stream *fault) {
    point->passed = true;
    point->time_ns = tn_sim_now(sim);
    if (fault != NULL) {
        point->faulted = true;
        (void)snprintf(point->text, sizeof point->text, "%s", fault->text);
    }
    tn_sim_point_unref(point);
}

// ---- one operation

// What needs the lock to be left. A remap is dropped here too, because that gives references back.
static bool work(struct tn_sim *sim, const struct tn_sim_stream *s, const struct tn_sim_op *op,
                 struct tn_sim_violation *violation) {
    switch (op->kind) {
    case TN_SIM_OP_CALL:
        tn_hostfn_run(sim, op->of.call.fn, op->of.call.arg);
        return true;
    case TN_SIM_OP_REMAP:
        if (s->faulted) {
            tn_sim_remap_drop(op->of.remap);
        } else {
            tn_sim_remap_run(sim, op->of.remap);
        }
        return true;
    case TN_SIM_OP_BOX:
        return tn_sim_box_run(sim, &op->of.box, violation);
    default:
        return tn_sim_move_run(sim, op, violation);
    }
}

static void run_unlocked(struct tn_sim *sim, struct tn_sim_stream *s, const struct tn_sim_op *op) {
    struct tn_sim_violation violation;
    s->running = true;
    tn_mutex_unlock(&sim->engine.lock);
    bool good = work(sim, s, op, &violation);
    tn_mutex_lock(&sim->engine.lock);
    s->running = false;
    if (!good) {
        s->faulted = true;
        (void)snprintf(s->text, sizeof s->text, "%s", violation.text);
    }
}

// Runs an operation whose time has come, and lets go of what it refers to.
static void run(struct tn_sim *sim, struct tn_sim_stream *s, const struct tn_sim_op *op) {
    switch (op->kind) {
    case TN_SIM_OP_RECORD:
        pass_point(sim, op->of.point, NULL);
        break;
    case TN_SIM_OP_WAIT:
        tn_sim_point_unref(op->of.point);
        break;
    case TN_SIM_OP_CALL:
    case TN_SIM_OP_COPY:
    case TN_SIM_OP_FILL:
    case TN_SIM_OP_REMAP:
    case TN_SIM_OP_BOX:
        run_unlocked(sim, s, op);
        break;
    }
    s->done++;
}

// Lets go of an operation that will not run.
static void drop(struct tn_sim *sim, struct tn_sim_stream *s, const struct tn_sim_op *op) {
    if (op->kind == TN_SIM_OP_RECORD) {
        pass_point(sim, op->of.point, s);
    } else if (op->kind == TN_SIM_OP_WAIT) {
        tn_sim_point_unref(op->of.point);
    } else if (op->kind == TN_SIM_OP_REMAP) {
        run_unlocked(sim, s, op);
    }
    s->done++;
}

// ---- queues

static bool must_wait(const struct tn_sim_op *op) {
    return op->kind == TN_SIM_OP_WAIT && !op->of.point->passed;
}

static struct tn_sim_op *pop(struct tn_sim_stream *s) {
    struct tn_sim_op *op = s->head;
    s->head = op->next;
    if (s->head == NULL) {
        s->tail = NULL;
    }
    return op;
}

static void set_parked(struct tn_sim *sim, struct tn_sim_stream *s, bool parked) {
    if (s->parked != parked) {
        s->parked = parked;
        sim->engine.parked += parked ? 1 : (uint64_t)-1;
    }
}

// Does what is queued until the stream is empty, busy or has to wait. True: anything was done.
static bool pump(struct tn_sim *sim, struct tn_sim_stream *s) {
    bool any = false;
    while (!s->running && s->head != NULL && (s->faulted || !must_wait(s->head))) {
        struct tn_sim_op *op = pop(s);
        if (s->faulted) {
            drop(sim, s, op);
        } else {
            run(sim, s, op);
        }
        free(op);
        any = true;
    }
    if (!s->running) {
        set_parked(sim, s, s->head != NULL);
    }
    return any;
}

// After some work: goes on with this stream, and with those that waited for an event.
static void pump_all(struct tn_sim *sim, struct tn_sim_stream *s) {
    (void)pump(sim, s);
    while (sim->engine.parked > 0) {
        struct tn_sim_stream *it = sim->engine.streams;
        while (it != NULL && (!it->parked || !pump(sim, it))) {
            it = it->next;
        }
        if (it == NULL) {
            break;
        }
    }
    tn_cond_broadcast(&sim->engine.done);
}

static tarn_status append(struct tn_sim *sim, struct tn_sim_stream *s, const struct tn_sim_op *op) {
    struct tn_sim_op *own = (struct tn_sim_op *)malloc(sizeof *own);
    if (own == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory to queue work");
    }
    *own = *op;
    own->next = NULL;
    if (s->tail != NULL) {
        s->tail->next = own;
    } else {
        s->head = own;
    }
    s->tail = own;
    s->given++;
    if (!s->running) {
        set_parked(sim, s, true);
    }
    return TARN_OK;
}

static tarn_status give_locked(struct tn_sim *sim, struct tn_sim_stream *s,
                               const struct tn_sim_op *op) {
    if (sim->engine.forked) {
        return tn_fail(TARN_FORKED, "the stream belongs to the parent process");
    }
    if (s->faulted) {
        return tn_fail(TARN_DEVICE_FAULT, "%s", s->text);
    }
    if (s->running || s->head != NULL || must_wait(op)) {
        return append(sim, s, op);
    }
    s->given++;
    run(sim, s, op);
    pump_all(sim, s);
    return TARN_OK;
}

tarn_status tn_sim_op_submit(struct tn_sim *sim, struct tn_sim_stream *s,
                             const struct tn_sim_op *op) {
    bool has_point = op->kind == TN_SIM_OP_WAIT || op->kind == TN_SIM_OP_RECORD;
    tn_mutex_lock(&sim->engine.lock);
    tarn_status status = give_locked(sim, s, op);
    if (status != TARN_OK && has_point) {
        tn_sim_point_unref(op->of.point);
    } else if (status != TARN_OK && op->kind == TN_SIM_OP_REMAP) {
        free(op->of.remap);
    }
    tn_mutex_unlock(&sim->engine.lock);
    return status;
}
