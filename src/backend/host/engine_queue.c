// SPDX-License-Identifier: Apache-2.0
// The queue of a stream: how operations get in, run, and leave, and how the stream changes its
// state meanwhile. An operation stays at the head until it is complete, so the head's number tells
// how far the stream has come. All functions are called under the engine's lock.
#include <stdlib.h>

#include "backend/host/array.h"
#include "backend/host/engine_parts.h"
#include "base/assert.h"
#include "base/atomic.h"
#include "base/clock.h"
#include "base/hostfn.h"

#define SPARE_OPS 1024u

struct tn_host_op *tn_host_op_new(struct tn_host_engine *engine, enum tn_host_op_kind kind) {
    struct tn_host_op *op = engine->spare_ops;
    if (op != NULL) {
        engine->spare_ops = op->next;
        engine->spare_count--;
    } else if ((op = (struct tn_host_op *)malloc(sizeof *op)) == NULL) {
        return NULL;
    }
    op->next = NULL;
    op->kind = kind;
    op->borrowed = false;
    return op;
}

static void op_free(struct tn_host_engine *engine, struct tn_host_op *op) {
    if (op->kind == TN_HOST_OP_REMAP) {
        free(op->u.remap);
    } else if (op->kind == TN_HOST_OP_BOX) {
        free(op->u.box);
    }
    if (op->borrowed) {
        return;
    }
    if (engine->spare_count == SPARE_OPS) {
        free(op);
        return;
    }
    op->next = engine->spare_ops;
    engine->spare_ops = op;
    engine->spare_count++;
}

static void busy_add(struct tn_host_engine_device *device, struct tn_host_stream *s) {
    s->busy_next = NULL;
    s->busy_prev = device->busy_last;
    if (s->busy_prev != NULL) {
        s->busy_prev->busy_next = s;
    } else {
        device->busy_first = s;
    }
    device->busy_last = s;
}

static void busy_remove(struct tn_host_engine_device *device, struct tn_host_stream *s) {
    if (s->busy_prev != NULL) {
        s->busy_prev->busy_next = s->busy_next;
    } else {
        device->busy_first = s->busy_next;
    }
    if (s->busy_next != NULL) {
        s->busy_next->busy_prev = s->busy_prev;
    } else {
        device->busy_last = s->busy_prev;
    }
}

static void append(struct tn_host_stream *s, struct tn_host_op *op) {
    struct tn_host_engine_device *device = &s->engine->devices[s->device];
    op->next = NULL;
    op->seq = ++s->engine->seq;
    if (s->head == NULL) {
        s->head = op;
        busy_add(device, s);
    } else {
        s->tail->next = op;
    }
    s->tail = op;
    (void)tn_add_relaxed(&device->pending, (uint64_t)1);
}

bool tn_host_stream_passed(const struct tn_host_stream *s, uint64_t seq) {
    return s->head == NULL || s->head->seq > seq;
}

static void wake_satisfied(struct tn_host_stream *s) {
    struct tn_host_waiter **link = &s->waiters;
    while (*link != NULL) {
        struct tn_host_waiter *waiter = *link;
        if (tn_host_stream_passed(s, waiter->target)) {
            *link = waiter->next;
            tn_host_wake(s->engine, waiter);
        } else {
            link = &waiter->next;
        }
    }
}

static void complete_head(struct tn_host_stream *s) {
    struct tn_host_engine_device *device = &s->engine->devices[s->device];
    struct tn_host_op *op = s->head;
    s->head = op->next;
    if (s->head == NULL) {
        s->tail = NULL;
        busy_remove(device, s);
    }
    (void)tn_sub_release(&device->pending, (uint64_t)1);
    wake_satisfied(s);
    op_free(s->engine, op);
}

static void set_settle(struct tn_host_stream *s) {
    s->state = TN_HOST_STREAM_SETTLE;
    tn_host_streams_push(&s->engine->settle, s);
}

static void set_ready(struct tn_host_stream *s) {
    s->state = TN_HOST_STREAM_READY;
    tn_host_streams_push(&s->engine->ready, s);
    s->engine->ready_count++;
}

static void set_running(struct tn_host_stream *s) {
    s->state = TN_HOST_STREAM_RUNNING;
    tn_host_streams_remove(&s->engine->ready, s);
    s->engine->ready_count--;
}

// Does what the head is about when that needs no worker: true when the head is then complete,
// false when the stream has been put where it must wait.
static bool settle_head(struct tn_host_stream *s) {
    struct tn_host_op *op = s->head;
    if (op->kind == TN_HOST_OP_RECORD) {
        tn_host_point_pass(s->engine, op->u.point, s->faulted ? s->fault : NULL);
        tn_host_point_unref(op->u.point);
        return true;
    }
    if (op->kind == TN_HOST_OP_WAIT) {
        if (!op->u.point->passed && !s->faulted) {
            s->state = TN_HOST_STREAM_PARKED;
            tn_host_streams_push(&op->u.point->parked, s);
            return false;
        }
        tn_host_point_unref(op->u.point);
        return true;
    }
    // Dropping a remap calls others to give references back, for which the lock must be left.
    if (!s->faulted || op->kind == TN_HOST_OP_REMAP) {
        set_ready(s);
        return false;
    }
    return true; // dropped
}

// A list, not recursion: passing a point may free any number of streams, one behind the other.
void tn_host_settle(struct tn_host_engine *engine) {
    struct tn_host_stream *s;
    while ((s = tn_host_streams_pop(&engine->settle)) != NULL) {
        s->state = TN_HOST_STREAM_IDLE;
        while (s->head != NULL && settle_head(s)) {
            complete_head(s);
        }
    }
}

void tn_host_give(struct tn_host_stream *s, struct tn_host_op *op) {
    append(s, op);
    if (s->state == TN_HOST_STREAM_IDLE) {
        set_settle(s);
    }
}

void tn_host_give_and_run(struct tn_host_stream *s, struct tn_host_op *op) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_IDLE && op->borrowed);
    append(s, op);
    s->state = TN_HOST_STREAM_RUNNING;
    tn_host_run_head(s);
}

struct tn_host_stream *tn_host_next_ready(struct tn_host_engine *engine) {
    tn_host_settle(engine);
    struct tn_host_stream *s = engine->ready.first;
    if (s != NULL) {
        set_running(s);
    }
    return s;
}

// Without the lock. Nobody reads the text before `faulted` is set, and only one thread runs a
// stream.
static tarn_status run_op(struct tn_host_stream *s, struct tn_host_op *op) {
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
    case TN_HOST_OP_BOX:
        return tn_host_box_run(p, op->u.box, s->fault->text, sizeof s->fault->text);
    default:
        return tn_host_move_run(p, op, s->fault->text, sizeof s->fault->text);
    }
}

void tn_host_run_head(struct tn_host_stream *s) {
    struct tn_host_engine *engine = s->engine;
    struct tn_host_op *op = s->head;
    tn_host_engine_unlock(engine);
    tarn_status status = run_op(s, op);
    tn_host_engine_lock(engine);
    if (engine->forked) {
        return; // the queue has been forgotten
    }
    s->faulted |= status != TARN_OK;
    complete_head(s);
    set_settle(s);
}

// Could a worker run what is ready? One is awake or can be, or one more can be started.
static bool worker_can_come(const struct tn_host_engine *engine) {
    return engine->idle != NULL || engine->waking != 0 ||
           engine->worker_count < engine->workers_max;
}

// Waking a worker on another CPU takes tens of microseconds; the one who waits is awake. But who
// has a deadline would miss it over a long copy, and helps only if nothing would happen otherwise.
bool tn_host_help(struct tn_host_stream *s, uint64_t deadline_ns) {
    if (s->state != TN_HOST_STREAM_READY || s->head->kind == TN_HOST_OP_CALL) {
        return false;
    }
    if (deadline_ns != TN_HOST_NO_DEADLINE &&
        (worker_can_come(s->engine) || tn_now_ns() >= deadline_ns)) {
        return false;
    }
    set_running(s);
    tn_host_run_head(s);
    tn_host_settle(s->engine);
    return true;
}

bool tn_host_stream_await(struct tn_host_stream *s, uint64_t seq, uint64_t deadline_ns) {
    // After helping the lock is held, and what is not complete keeps the stream alive.
    do {
        if (tn_host_stream_passed(s, seq)) {
            return true;
        }
    } while (tn_host_help(s, deadline_ns));
    return deadline_ns != 0 && tn_host_engine_await(s->engine, &s->waiters, seq, deadline_ns);
}

void tn_host_stream_forget(struct tn_host_stream *s) {
    while (s->head != NULL) {
        struct tn_host_op *op = s->head;
        s->head = op->next;
        if (op->kind == TN_HOST_OP_WAIT || op->kind == TN_HOST_OP_RECORD) {
            op->u.point->parked = (struct tn_host_streams){NULL, NULL};
            op->u.point->waiters = NULL;
            tn_host_point_unref(op->u.point);
        }
        op_free(s->engine, op);
    }
    s->tail = NULL;
    s->waiters = NULL;
    s->state = TN_HOST_STREAM_IDLE;
}
