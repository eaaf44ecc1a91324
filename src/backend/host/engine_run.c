// SPDX-License-Identifier: Apache-2.0
// Running operations, on workers and on threads that wait. A worker takes the stream that has been
// ready longest, runs one operation of it and looks again, so streams share the workers in turn. A
// worker without work sleeps at its own gate. See engine_parts.h.
#include "backend/host/array.h"
#include "backend/host/engine_parts.h"
#include "base/clock.h"
#include "base/hostfn.h"

// Called without the lock. No other thread reads the text before `faulted` is set, and only one
// thread runs a stream.
static tarn_status op_run(struct tn_host_stream *s, struct tn_host_op *op) {
    void *p = s->engine->platform;
    switch (op->kind) {
    case TN_HOST_OP_CALL:
        tn_hostfn_run(p, op->u.call.fn, op->u.call.arg);
        return TARN_OK;
    case TN_HOST_OP_REMAP:
        if (s->faulted) {
            tn_host_remap_drop((struct tn_host *)p, op->u.remap, true);
        } else {
            tn_host_remap_run((struct tn_host *)p, op->u.remap);
        }
        return TARN_OK;
    default:
        return tn_host_move_run(p, op, s->fault->text, sizeof s->fault->text);
    }
}

void tn_host_run_head(struct tn_host_stream *s) {
    struct tn_host_engine *engine = s->engine;
    struct tn_host_op *op = s->head;
    tn_host_engine_unlock(engine);
    tarn_status status = op_run(s, op);
    tn_host_engine_lock(engine);
    if (!engine->forked) { // else the queue is empty already
        tn_host_op_finish(s, status == TARN_OK);
    }
}

static void worker_sleep(struct tn_host_worker *worker) {
    struct tn_host_engine *engine = worker->engine;
    uint64_t deadline =
        tn_host_schedule_holds(engine) ? tn_now_ns() + TN_HOST_TICK_NS : TN_HOST_NO_DEADLINE;
    tn_host_gate_close(&worker->sleep.gate);
    worker->sleep.woken = false;
    worker->idle_next = engine->idle;
    engine->idle = worker;
    bool open = tn_host_engine_sleep(engine, &worker->sleep, engine->worker_spins, deadline);
    if (!open && !worker->sleep.woken) {
        engine->idle = NULL; // a schedule with a deadline has one worker
        tn_host_schedule_tick(engine);
        return;
    }
    if (!open) {
        (void)tn_host_engine_sleep(engine, &worker->sleep, 0, TN_HOST_NO_DEADLINE);
    }
    engine->waking--;
}

void *tn_host_worker_main(void *arg) {
    struct tn_host_worker *worker = (struct tn_host_worker *)arg;
    struct tn_host_engine *engine = worker->engine;
    tn_host_engine_lock(engine);
    engine->waking--;
    while (!engine->forked) { // a host function may fork, and return in the child
        tn_host_streams_advance(engine);
        struct tn_host_stream *s = tn_host_schedule_pick(engine);
        if (s != NULL) {
            tn_host_stream_start(s);
            tn_host_run_head(s);
        } else if (tn_host_parallel_help(engine)) {
            continue;
        } else if (engine->stopping) {
            break;
        } else {
            worker_sleep(worker);
        }
    }
    tn_host_engine_unlock(engine);
    return NULL;
}

// Returns true if a worker is awake, can be woken or can be started.
static bool worker_is_available(const struct tn_host_engine *engine) {
    return engine->idle != NULL || engine->waking != 0 ||
           engine->worker_count < engine->workers_max;
}

// Waking a worker on another CPU takes tens of microseconds, and the waiting thread is awake. A
// wait with a deadline could miss it during a long copy, so it helps only when no worker can run
// the head.
bool tn_host_stream_help(struct tn_host_stream *s, uint64_t deadline_ns) {
    if (s->state != TN_HOST_STREAM_READY || s->head->kind == TN_HOST_OP_CALL ||
        tn_host_schedule_holds(s->engine)) {
        return false;
    }
    if (deadline_ns != TN_HOST_NO_DEADLINE &&
        (worker_is_available(s->engine) || tn_now_ns() >= deadline_ns)) {
        return false;
    }
    struct tn_host_engine *engine = s->engine;
    tn_host_stream_start(s);
    tn_host_run_head(s);
    tn_host_streams_advance(engine);
    return true;
}

bool tn_host_stream_await(struct tn_host_stream *s, uint64_t seq, uint64_t deadline_ns) {
    tn_host_schedule_demand(s, seq);
    // After helping the lock is held, and an operation that is not complete keeps the stream alive.
    do {
        if (tn_host_stream_passed(s, seq)) {
            return true;
        }
    } while (tn_host_stream_help(s, deadline_ns));
    return deadline_ns != 0 && tn_host_engine_await(s->engine, &s->waiters, seq, deadline_ns);
}
