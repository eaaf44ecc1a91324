// SPDX-License-Identifier: Apache-2.0
// The queue of a stream: how operations enter and leave it, and the states of the stream. An
// operation stays at the head until it is complete, so the number of the head shows the stream's
// progress. All functions are called under the engine's lock and never release it.
#include <stdio.h>
#include <stdlib.h>

#include "backend/host/engine/parts.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/list.h"

#define SPARE_OPS 1024u
#define CHECKED   8u // operations of a queue that is checked at every change in debug builds

// For assertions, under the lock. Returns true if the numbers of the first operations rise from the
// head to the tail, and if the state suits the head.
static bool is_sound(const struct tn_host_stream *s) {
    const struct tn_host_op *op = s->head;
    if ((op == NULL) != (s->tail == NULL)) return false;
    if (op == NULL) return s->state == TN_HOST_STREAM_IDLE || s->state == TN_HOST_STREAM_CHANGED;
    if (s->state == TN_HOST_STREAM_WAITING && op->kind != TN_HOST_OP_WAIT) return false;
    if (s->state == TN_HOST_STREAM_POLLING && op->kind != TN_HOST_OP_POLL) return false;
    for (unsigned i = 0; i < CHECKED && op->next != NULL; i++, op = op->next)
        if (op->next->seq <= op->seq) return false;
    return op->seq <= s->tail->seq && s->tail->seq <= s->engine->seq && s->tail->next == NULL;
}

struct tn_host_op *tn_host_op_new(struct tn_host_engine *engine, enum tn_host_op_kind kind) {
    struct tn_host_op *op = engine->spare_ops;
    TARN_ASSERT(tn_spin_is_held(&engine->lock) && (op == NULL) == (engine->spare_count == 0));
    if (op != NULL) {
        engine->spare_ops = op->next;
        engine->spare_count--;
    } else if ((op = (struct tn_host_op *)malloc(sizeof *op)) == NULL) {
        return NULL;
    }
    op->next = NULL;
    op->kind = kind;
    op->borrowed = op->owns_dst = op->owns_src = false;
    return op;
}

static void op_free(struct tn_host_engine *engine, struct tn_host_op *op) {
    if (op->kind == TN_HOST_OP_REMAP)
        free(op->u.remap);
    else if (op->kind == TN_HOST_OP_BOX)
        free(op->u.box);
    if (op->borrowed) return;
    if (engine->spare_count == SPARE_OPS) {
        free(op);
        return;
    }
    op->next = engine->spare_ops;
    engine->spare_ops = op;
    engine->spare_count++;
}

static void queue_append(struct tn_host_stream *s, struct tn_host_op *op) {
    struct tn_host_engine_device *device = &s->engine->devices[s->device];
    TARN_ASSERT(tn_spin_is_held(&s->engine->lock) && !s->engine->forked);
    op->next = NULL;
    op->seq = ++s->engine->seq;
    if (tn_tsan_watches()) tn_host_tsan_submit(s, op);
    if (s->head == NULL) {
        s->head = op;
        TN_QUEUE_ADD(device->busy_first, device->busy_last, s, busy_next, busy_prev);
    } else {
        s->tail->next = op;
    }
    s->tail = op;
    (void)tn_add_relaxed(&device->pending, (uint64_t)1);
}

bool tn_host_stream_passed(const struct tn_host_stream *s, uint64_t seq) {
    return s->head == NULL || s->head->seq > seq;
}

void tn_host_wake(struct tn_host_engine *engine, struct tn_host_waiter *waiter) {
    waiter->woken = true;
    waiter->next = engine->wakes;
    engine->wakes = waiter;
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
    TARN_ASSERT(tn_load_relaxed(&device->pending) != 0 && (op->next == NULL) == (op == s->tail));
    s->head = op->next;
    if (s->head == NULL) {
        s->tail = NULL;
        TN_QUEUE_REMOVE(device->busy_first, device->busy_last, s, busy_next, busy_prev);
    }
    (void)tn_sub_release(&device->pending, (uint64_t)1);
    wake_satisfied(s);
    op_free(s->engine, op);
}

static void set_changed(struct tn_host_stream *s) {
    TARN_ASSERT(s->state != TN_HOST_STREAM_CHANGED && tn_spin_is_held(&s->engine->lock));
    s->state = TN_HOST_STREAM_CHANGED;
    tn_host_streams_push(&s->engine->changed, s);
}

static void set_ready(struct tn_host_stream *s) {
    TARN_ASSERT(s->head != NULL && s->state != TN_HOST_STREAM_READY);
    s->state = TN_HOST_STREAM_READY;
    tn_host_streams_push(&s->engine->ready, s);
    s->engine->ready_count++;
}

void tn_host_stream_set_polling(struct tn_host_stream *s) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_RUNNING && s->head->kind == TN_HOST_OP_POLL);
    s->state = TN_HOST_STREAM_POLLING;
    tn_host_streams_push(&s->engine->polls, s);
}

void tn_host_stream_poll_again(struct tn_host_stream *s) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_POLLING);
    tn_host_streams_remove(&s->engine->polls, s);
    set_ready(s);
}

bool tn_host_stream_is_due(const struct tn_host_stream *s) {
    return s->state == TN_HOST_STREAM_HELD &&
           (s->engine->blocked == 0 || s->head->kind != s->engine->blocked_kind) &&
           (s->head->seq <= s->released || s->head->due <= s->engine->clock);
}

bool tn_host_streams_have_due(const struct tn_host_engine *engine) {
    if (!tn_host_schedule_holds(engine)) return false;
    const struct tn_host_stream *s = engine->streams;
    while (s != NULL && !tn_host_stream_is_due(s)) s = s->all_next;
    return s != NULL;
}

void tn_host_stream_pass(struct tn_host_stream *s) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_HELD && s->head->kind == TN_HOST_OP_RECORD);
    s->released = s->head->seq > s->released ? s->head->seq : s->released;
    set_changed(s);
    tn_host_streams_advance(s->engine);
}

static void leave_ready(struct tn_host_stream *s) {
    if (s->state == TN_HOST_STREAM_READY) {
        TARN_ASSERT(s->engine->ready_count != 0);
        tn_host_streams_remove(&s->engine->ready, s);
        s->engine->ready_count--;
    }
}

void tn_host_stream_start(struct tn_host_stream *s) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_READY || s->state == TN_HOST_STREAM_HELD);
    TARN_ASSERT(is_sound(s));
    leave_ready(s);
    s->state = TN_HOST_STREAM_RUNNING;
}

// `failure` is not NULL if the record is dropped.
static void point_pass(struct tn_host_engine *engine, struct tn_host_point *point,
                       struct tn_soft_failure *failure) {
    tn_soft_point_pass(&point->base, tn_now_ns(), failure);
    struct tn_host_stream *s;
    while ((s = tn_host_streams_pop(&point->waiting)) != NULL) set_changed(s);
    TN_CHAIN_DRAIN(struct tn_host_waiter, waiter, point->waiters, next)
        tn_host_wake(engine, waiter);
}

tarn_status tn_host_stream_status(const struct tn_host_stream *s) {
    return tn_soft_stream_status(s->failed ? s->failure : NULL, s->engine->forked);
}

tarn_status tn_host_stream_report(struct tn_host_stream *s) {
    tarn_status status = tn_host_stream_status(s);
    if (status == TARN_OK && s->unreported) {
        s->unreported = false;
        status = tn_fail(TARN_DEVICE_FAILED, "%s", s->failure->text);
    }
    return status;
}

static void set_failed(struct tn_host_stream *s, const char *failure) {
    (void)snprintf(s->failure->text, sizeof s->failure->text, "%s", failure);
    s->failed |= !s->resilient;
    s->unreported |= s->resilient;
}

// ---- advancing

// Executes the head if it needs no worker. Returns true if the head is complete, false if the
// stream has entered the state in which it waits.
static bool advance_head(struct tn_host_stream *s) {
    struct tn_host_op *op = s->head;
    if (op->kind == TN_HOST_OP_RECORD) {
        if (s->engine->schedule == TN_HOST_SCHEDULE_RANDOM && op->seq > s->released &&
            !tn_host_op_is_dropped(s, op)) {
            s->state = TN_HOST_STREAM_HELD;
            return false;
        }
        if (tn_tsan_watches()) tn_host_tsan_pass(s, op);
        point_pass(s->engine, op->u.point, s->failed ? s->failure : NULL);
        tn_soft_point_unref(&op->u.point->base);
        return true;
    }
    if (op->kind == TN_HOST_OP_WAIT) {
        const struct tn_soft_failure *failure = op->u.point->base.failure;
        if (!op->u.point->base.passed && !tn_host_op_is_dropped(s, op)) {
            s->state = TN_HOST_STREAM_WAITING;
            tn_host_streams_push(&op->u.point->waiting, s);
            return false;
        }
        if (tn_tsan_watches()) tn_host_tsan_pass(s, op);
        if (op->follows && failure != NULL && !tn_host_op_is_dropped(s, op))
            set_failed(s, failure->text);
        tn_soft_point_unref(&op->u.point->base);
        return true;
    }
    // Dropping a remap or a condition calls functions, which must not happen under the lock.
    if (!tn_host_op_is_dropped(s, op) || op->kind == TN_HOST_OP_REMAP ||
        op->kind == TN_HOST_OP_POLL) {
        if (tn_host_schedule_holds(s->engine) && !tn_host_op_is_dropped(s, op))
            s->state = TN_HOST_STREAM_HELD;
        else
            set_ready(s);
        return false;
    }
    return true; // dropped
}

// A loop, not recursion: passing one point may unblock any number of streams in a chain.
void tn_host_streams_advance(struct tn_host_engine *engine) {
    struct tn_host_stream *s;
    while ((s = tn_host_streams_pop(&engine->changed)) != NULL) {
        TARN_ASSERT(s->state == TN_HOST_STREAM_CHANGED);
        s->state = TN_HOST_STREAM_IDLE;
        while (s->head != NULL && advance_head(s)) complete_head(s);
        TARN_ASSERT(is_sound(s) && (s->head != NULL) == (s->state != TN_HOST_STREAM_IDLE));
    }
}

void tn_host_op_enqueue(struct tn_host_stream *s, struct tn_host_op *op) {
    queue_append(s, op);
    if (s->state == TN_HOST_STREAM_IDLE) set_changed(s);
}

void tn_host_op_enqueue_running(struct tn_host_stream *s, struct tn_host_op *op) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_IDLE && s->head == NULL && op->borrowed);
    queue_append(s, op);
    s->state = TN_HOST_STREAM_RUNNING;
}

bool tn_host_op_is_dropped(const struct tn_host_stream *s, const struct tn_host_op *op) {
    return s->failed || op->seq <= s->aborted;
}

void tn_host_op_finish(struct tn_host_stream *s, const char *failure) {
    TARN_ASSERT(s->state == TN_HOST_STREAM_RUNNING && is_sound(s));
    if (failure != NULL) set_failed(s, failure);
    complete_head(s);
    set_changed(s);
}

void tn_host_stream_drop(struct tn_host_stream *s, const char *failure) {
    if (failure != NULL) set_failed(s, failure);
    s->aborted = s->engine->seq;
    switch (s->state) {
    case TN_HOST_STREAM_WAITING:
        tn_host_streams_remove(&s->head->u.point->waiting, s);
        set_changed(s);
        break;
    case TN_HOST_STREAM_POLLING: tn_host_stream_poll_again(s); break;
    case TN_HOST_STREAM_READY:
    case TN_HOST_STREAM_HELD:
        leave_ready(s);
        set_changed(s);
        break;
    default: // its head runs, or it is advanced anyway
        break;
    }
}

void tn_host_stream_forget(struct tn_host_stream *s) {
    TN_CHAIN_DRAIN(struct tn_host_op, op, s->head, next) {
        if (op->kind == TN_HOST_OP_WAIT || op->kind == TN_HOST_OP_RECORD) {
            op->u.point->waiting = (struct tn_host_streams){NULL, NULL};
            op->u.point->waiters = NULL;
            tn_soft_point_unref(&op->u.point->base);
        }
        op_free(s->engine, op);
    }
    s->tail = NULL;
    s->waiters = NULL;
    s->state = TN_HOST_STREAM_IDLE;
}
