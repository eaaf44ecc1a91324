// SPDX-License-Identifier: Apache-2.0
// Running operations, on workers and on threads that wait. A worker takes the stream that has been
// ready longest, runs one operation of it and looks again, so streams share the workers in turn. A
// worker without work sleeps at its own gate. See parts.h.
#include <stdio.h>

#include "backend/host/array.h"
#include "backend/host/engine/parts.h"
#include "base/clock.h"
#include "base/hostfn.h"
#include "base/list.h"

// A call of a condition, as a host function.
struct poll_call {
    const struct tn_host_op *op;
    bool dropped;
    tarn_status status;
};

static void call_condition(void *arg) {
    struct poll_call *call = (struct poll_call *)arg;
    tn_host_in_condition = tn_tsan_watches();
    call->status = call->op->u.poll.passed(call->op->u.poll.arg, call->dropped);
    tn_host_in_condition = false;
}

static tarn_status run_condition(const struct tn_host_stream *s, const struct tn_host_op *op,
                                 bool dropped, char text[TN_SOFT_FAILURE_TEXT]) {
    struct poll_call call = {op, dropped, TARN_OK};
    tn_hostfn_run(s->engine->platform, call_condition, &call);
    if (dropped) return TARN_OK;
    if (call.status != TARN_OK && call.status != TARN_NOT_READY) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)snprintf(text, TN_SOFT_FAILURE_TEXT, "%s: %s", tarn_status_name(call.status),
                       error.message);
    }
    return call.status;
}

// The parts of an operation. It has copies of the operation's fields, because a fork within a part
// frees the operation in the child.
struct part_run {
    struct tn_host_parallel parallel; // first, so that a pointer to it is one to this struct
    struct tn_host_engine *engine;
    struct tn_host_stream *stream;
    void (*fn)(void *arg, uint64_t part);
    void *arg;
    uint64_t parts;
    _Atomic uint64_t taken;
    _Atomic unsigned helpers; // so far
};

// As a host function. `forked` changes only in a process with one thread.
static void take_parts(void *arg) {
    struct part_run *run = (struct part_run *)arg;
    uint64_t part;
    while (!run->engine->forked && (part = tn_add_relaxed(&run->taken, (uint64_t)1)) < run->parts)
        run->fn(run->arg, part);
}

static void help_parts(struct tn_host_parallel *parallel) {
    struct part_run *run = (struct part_run *)parallel;
    struct tn_host_stream *s = run->stream;
    unsigned number = tn_add_relaxed(&run->helpers, 1u);
    void *before = tn_tsan_watches() ? tn_host_tsan_help(s, number) : NULL;
    tn_hostfn_run(run->engine->platform, take_parts, run);
    if (before != NULL) tn_host_tsan_helped(s, before);
}

static void run_parts(struct tn_host_stream *s, const struct tn_host_op *op) {
    struct tn_host_engine *engine = s->engine;
    uint64_t parts = op->u.run.parts;
    unsigned others = engine->workers_max - 1;
    struct part_run run = {
        .parallel = {.run = help_parts,
                     .places = parts - 1 < others ? (unsigned)parts - 1 : others},
        .engine = engine,
        .stream = s,
        .fn = op->u.run.fn,
        .arg = op->u.run.arg,
        .parts = parts};
    if (tn_tsan_watches()) tn_host_tsan_share(s);
    tn_host_parallel_run(engine, &run.parallel);
    if (tn_tsan_watches()) tn_host_tsan_join(s);
}

// Called without the lock. Describes a failure in `text`.
static inline tarn_status op_run(struct tn_host_stream *s, struct tn_host_op *op, bool dropped,
                                 char text[TN_SOFT_FAILURE_TEXT]) {
    void *p = s->engine->platform;
    switch (op->kind) {
    case TN_HOST_OP_CALL: tn_hostfn_run(p, op->u.call.fn, op->u.call.arg); return TARN_OK;
    case TN_HOST_OP_RUN: run_parts(s, op); return TARN_OK;
    case TN_HOST_OP_POLL: return run_condition(s, op, dropped, text);
    case TN_HOST_OP_REMAP:
        if (dropped)
            tn_host_remap_drop((struct tn_host *)p, op->u.remap, true);
        else
            tn_host_remap_run((struct tn_host *)p, op->u.remap);
        return TARN_OK;
    default: return tn_host_move_run(p, op, text, TN_SOFT_FAILURE_TEXT);
    }
}

// The same, and reports the operation to TSan. The threads of the engine move the bytes unseen, and the
// stream is said to have accessed them.
static __attribute__((cold, noinline)) tarn_status
op_run_reported(struct tn_host_stream *s, struct tn_host_op *op, bool dropped,
                char text[TN_SOFT_FAILURE_TEXT]) {
    bool calls =
        op->kind == TN_HOST_OP_CALL || op->kind == TN_HOST_OP_RUN || op->kind == TN_HOST_OP_POLL;
    tarn_status status = TARN_OK;
    if (!calls) {
        TN_TSAN_IGNORED;
        status = op_run(s, op, dropped, text);
    }
    void *before = tn_host_tsan_enter(s, op);
    if (calls)
        status = op_run(s, op, dropped, text);
    else if (status == TARN_OK && op->kind != TN_HOST_OP_REMAP)
        tn_host_move_report(s->engine->platform, op);
    tn_host_tsan_leave(s, op, before);
    return status;
}

void tn_host_run_head(struct tn_host_stream *s) {
    struct tn_host_engine *engine = s->engine;
    struct tn_host_op *op = s->head;
    char text[TN_SOFT_FAILURE_TEXT] = "";
    bool dropped = tn_host_op_is_dropped(s, op);
    TARN_ASSERT(s->state == TN_HOST_STREAM_RUNNING);
    tn_host_engine_unlock(engine);
    tarn_status status =
        tn_tsan_watches() ? op_run_reported(s, op, dropped, text) : op_run(s, op, dropped, text);
    tn_host_engine_lock(engine);
    if (engine->forked) return; // the queue is empty already
    TARN_ASSERT(s->head == op); // an operation stays at the head until it is complete
    if (status == TARN_NOT_READY) {
        tn_host_polls_add(s);
        return;
    }
    if (op->kind == TN_HOST_OP_POLL || tn_host_schedule_holds(engine)) tn_host_polls_hasten(engine);
    engine->tick_ns = 0;
    engine->stuck = false;
    tn_host_schedule_log("end", s, op);
    tn_host_op_finish(s, status == TARN_OK ? NULL : text);
}

// Sleeps until another thread wakes the worker, or until the deadline. Returns false if the
// deadline passed.
static bool sleep_until(struct tn_host_worker *worker, uint64_t deadline) {
    struct tn_host_engine *engine = worker->engine;
    tn_host_gate_close(&worker->sleep.gate);
    worker->sleep.woken = false;
    worker->idle_next = engine->idle;
    engine->idle = worker;
    bool open = tn_host_engine_sleep(engine, &worker->sleep, engine->worker_spins, deadline);
    if (!open && !worker->sleep.woken) {
        TN_CHAIN_REMOVE(engine->idle, worker, idle_next);
        return false;
    }
    if (!open) (void)tn_host_engine_sleep(engine, &worker->sleep, 0, TN_HOST_NO_DEADLINE);
    TARN_ASSERT(worker->sleep.woken && engine->waking != 0);
    engine->waking--;
    return true;
}

static void worker_sleep(struct tn_host_worker *worker) {
    struct tn_host_engine *engine = worker->engine;
    uint64_t tick = tn_host_schedule_tick_due(engine);
    bool watches = tn_host_polls_unwatched(engine);
    engine->poll_watched |= watches;
    bool woken =
        sleep_until(worker, watches && engine->poll_due_ns < tick ? engine->poll_due_ns : tick);
    if (watches) engine->poll_watched = false;
    if (!woken && tick != TN_HOST_NO_DEADLINE && tick == engine->tick_ns && tn_now_ns() >= tick) {
        engine->tick_ns = 0;
        tn_host_schedule_tick(engine);
    }
}

// Runs the head of a stream for a worker. It is `busy` until it ends, or until it is found blocked.
static void worker_run(struct tn_host_engine *engine, struct tn_host_stream *s) {
    uint64_t seq = s->head->seq;
    TARN_ASSERT(!tn_host_schedule_holds(engine) || engine->busy == 0);
    tn_host_stream_start(s);
    engine->busy = seq;
    engine->busy_kind = s->head->kind;
    if (s->head->kind != TN_HOST_OP_POLL) tn_host_schedule_log("begin", s, s->head);
    tn_host_run_head(s);
    *(engine->blocked == seq ? &engine->blocked : &engine->busy) = 0;
}

void *tn_host_worker_main(void *arg) {
    struct tn_host_worker *worker = (struct tn_host_worker *)arg;
    struct tn_host_engine *engine = worker->engine;
    TN_TSAN_IGNORED;
    tn_host_engine_lock(engine);
    engine->waking--;
    while (!engine->forked) { // a host function may fork, and return in the child
        tn_host_polls_release(engine);
        tn_host_streams_advance(engine);
        struct tn_host_stream *s = tn_host_schedule_pick(engine);
        if (s != NULL) {
            worker_run(engine, s);
        } else if (tn_host_parallel_help(engine)) {
            continue;
        } else if (engine->stopping) {
            break;
        } else {
            if (engine->busy == 0) tn_host_schedule_settled(engine);
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
        s->head->kind == TN_HOST_OP_RUN || s->head->kind == TN_HOST_OP_POLL ||
        tn_host_schedule_holds(s->engine))
        return false;
    if (deadline_ns != TN_HOST_NO_DEADLINE &&
        (worker_is_available(s->engine) || tn_now_ns() >= deadline_ns))
        return false;
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
        if (tn_host_stream_passed(s, seq)) return true;
    } while (tn_host_stream_help(s, deadline_ns));
    return deadline_ns != 0 && tn_host_engine_await(s->engine, &s->waiters, seq, deadline_ns);
}
