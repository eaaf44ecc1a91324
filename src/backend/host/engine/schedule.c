// SPDX-License-Identifier: Apache-2.0
// The schedules late, random and prompt, under the engine's lock: which held operation runs, and when. A
// stream whose head needs the worker is HELD. Its head is due once the engine's clock of calls has
// reached a number that the submission decided, or once something waits for it. In `late`,
// submissions decide nothing, and the youngest of the heads that are due runs first; in `random`,
// the seed decides both, and records of events are held, too; in `prompt`, every head is due, and the
// oldest runs first. Calls return when nothing is due, so
// all this depends on the calls of the program only, not on time.
#include <inttypes.h>
#include <stdio.h>

#include "backend/host/engine/parts.h"
#include "base/clock.h"
#include "base/hostfn.h"
#include "base/thread.h"

#define NEVER UINT64_MAX // due only if something waits for it

// A thread that waits for a function looks at this interval whether the program is at work. After
// as many intervals without work, or with it, the function waits for the caller.
#define SLICE_NS      ((uint64_t)20000000)
#define SLICES_ASLEEP 5u
#define SLICES_AWAKE  100u

// A program at work may take this number of ticks between two calls.
#define TICKS_AWAKE 20u

// ---- the log

static void describe_op(const struct tn_host_op *op, char *text, size_t room) {
    switch (op->kind) {
    case TN_HOST_OP_COPY:
        (void)snprintf(text, room, "copy of %" PRIu64 " byte(s)",
                       op->u.copy.width * op->u.copy.height * op->u.copy.depth);
        break;
    case TN_HOST_OP_FILL:
        (void)snprintf(text, room, "fill of %" PRIu64 " byte(s)",
                       op->u.fill.width * op->u.fill.height * op->u.fill.depth);
        break;
    case TN_HOST_OP_CALL: (void)snprintf(text, room, "host function"); break;
    case TN_HOST_OP_RUN: (void)snprintf(text, room, "kernel"); break;
    case TN_HOST_OP_POLL: (void)snprintf(text, room, "condition"); break;
    case TN_HOST_OP_RECORD:
        (void)snprintf(text, room, "record of event %" PRIu64, op->u.point->event);
        break;
    case TN_HOST_OP_REMAP: (void)snprintf(text, room, "map of an array"); break;
    default: (void)snprintf(text, room, "copy of an array"); break;
    }
}

void tn_host_schedule_log(const char *word, const struct tn_host_stream *s,
                          const struct tn_host_op *op) {
    if (tn_host_schedule_holds(s->engine))
        tn_decide_log(word, false, "%u.%" PRIu64 " stream %" PRIu64, s->engine->decider.number,
                      op->seq, s->number);
}

// ---- what something waits for

static void demand_push(struct tn_host_stream **list, struct tn_host_stream *s, uint64_t seq) {
    if (seq <= s->released) return;
    if (s->demanded <= s->released) {
        s->demand_next = *list;
        *list = s;
    }
    s->demanded = seq > s->demanded ? seq : s->demanded;
}

// Releases the operations of the stream up to number `seq`, and those of other streams that they
// wait for. A list, not recursion: the chain of waits may be long.
static void release(struct tn_host_stream *s, uint64_t seq) {
    struct tn_host_stream *list = NULL;
    demand_push(&list, s, seq);
    while ((s = list) != NULL) {
        list = s->demand_next;
        uint64_t before = s->released;
        TARN_ASSERT(s->demanded > before); // a stream is in the list for something new
        s->released = s->demanded;
        for (struct tn_host_op *op = s->head; op != NULL && op->seq <= s->released; op = op->next)
            if (op->seq > before && op->kind == TN_HOST_OP_WAIT && !op->u.point->base.passed)
                demand_push(&list, op->u.point->stream, op->u.point->seq);
    }
}

// ---- the worker

// Returns the stream of the oldest head that is due and younger than `seq`, or NULL.
static struct tn_host_stream *oldest_due(const struct tn_host_engine *engine, uint64_t seq) {
    struct tn_host_stream *best = NULL;
    for (struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next)
        if (tn_host_stream_is_due(s) && s->head->seq > seq &&
            (best == NULL || s->head->seq < best->head->seq))
            best = s;
    return best;
}

static struct tn_host_stream *pick_due(struct tn_host_engine *engine) {
    unsigned count = 0, choice;
    for (const struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next)
        count += tn_host_stream_is_due(s);
    if (engine->schedule == TN_HOST_SCHEDULE_LATE)
        choice = count - 1;
    else
        choice = count < 2 || engine->schedule == TN_HOST_SCHEDULE_PROMPT
                     ? 0
                     : tn_decide(&engine->decider, TN_DECIDE_FIRST, count,
                                 "one of %u pieces of work runs first", count);
    struct tn_host_stream *s = count > 0 ? oldest_due(engine, 0) : NULL;
    for (; s != NULL && choice > 0; choice--) s = oldest_due(engine, s->head->seq);
    TARN_ASSERT((s != NULL) == (count != 0));
    return s;
}

struct tn_host_stream *tn_host_schedule_pick(struct tn_host_engine *engine) {
    struct tn_host_stream *s;
    if (!tn_host_schedule_holds(engine)) return engine->ready.first;
    if (engine->busy != 0) return NULL; // the second worker is at work
    if (engine->ready.first != NULL) return engine->ready.first;
    while ((s = pick_due(engine)) != NULL && s->head->kind == TN_HOST_OP_RECORD) {
        tn_host_schedule_log("end", s, s->head);
        tn_host_stream_pass(s);
        if (engine->ready.first != NULL) return engine->ready.first;
    }
    return s;
}

void tn_host_schedule_settled(struct tn_host_engine *engine) {
    struct tn_host_waiter *waiter;
    while ((waiter = engine->settlers) != NULL) {
        engine->settlers = waiter->next;
        tn_host_wake(engine, waiter);
    }
}

// ---- calls

static bool is_unsettled(const struct tn_host_engine *engine) {
    return engine->busy != 0 || engine->ready_count != 0 || tn_host_streams_have_due(engine);
}

// The operation that runs waits for the program. Another worker takes over, unless one has done so
// already.
static void block(struct tn_host_engine *engine) {
    tn_decide_log("time", true, "a host function waits for the program");
    engine->stuck = engine->blocked != 0;
    if (engine->stuck) return;
    TARN_ASSERT(engine->busy != 0);
    engine->blocked = engine->busy;
    engine->blocked_kind = engine->busy_kind;
    engine->busy = 0;
}

// Waits until nothing is due any more. A function may wait for what the caller does next; it is
// left alone then. `waits`: the calling thread waits next.
static void settle(struct tn_host_engine *engine, bool waits) {
    unsigned asleep = 0, awake = 0;
    engine->clock++;
    engine->ticks = 0;
    engine->aged = 0;
    engine->awaited = waits;
    if (tn_hostfn_inside(engine->platform)) return;
    tn_host_polls_hasten(engine);
    tn_host_polls_release(engine);
    tn_host_streams_advance(engine);
    while (!engine->forked && !engine->stuck && is_unsettled(engine)) {
        if (tn_host_engine_await(engine, &engine->settlers, 0, tn_now_ns() + SLICE_NS)) continue;
        *(tn_threads_sleep(NULL, 0) ? &asleep : &awake) += 1;
        if (asleep < SLICES_ASLEEP && awake < SLICES_AWAKE) continue;
        asleep = awake = 0;
        if (engine->busy == 0) break;
        block(engine);
    }
}

static uint64_t due_of(struct tn_host_stream *s, const struct tn_host_op *op) {
    static const uint64_t calls[] = {0, 1, 2, 4, 8, NEVER};
    struct tn_host_engine *engine = s->engine;
    char text[64] = "";
    if (engine->schedule == TN_HOST_SCHEDULE_LATE) return NEVER;
    if (engine->schedule == TN_HOST_SCHEDULE_PROMPT) return 0;
    if (tn_decide_logs()) describe_op(op, text, sizeof text);
    uint64_t wait = calls[tn_decide(&engine->decider, TN_DECIDE_DELAY, sizeof calls / sizeof *calls,
                                    "%u.%" PRIu64 " %s on stream %" PRIu64, engine->decider.number,
                                    op->seq, text, s->number)];
    return wait == NEVER ? NEVER : engine->clock + 1 + wait;
}

void tn_host_schedule_submitted(struct tn_host_stream *s) {
    if (!tn_host_schedule_holds(s->engine)) return;
    s->tail->due = due_of(s, s->tail);
    settle(s->engine, false);
}

void tn_host_schedule_demand(struct tn_host_stream *s, uint64_t seq) {
    if (!tn_host_schedule_holds(s->engine)) return;
    tn_decide_log("call", true, "%u wait for stream %" PRIu64, s->engine->decider.number,
                  s->number);
    release(s, seq);
    settle(s->engine, true);
}

void tn_host_schedule_demand_device(struct tn_host_engine *engine, int device, uint64_t seq) {
    if (!tn_host_schedule_holds(engine)) return;
    tn_decide_log("call", true, "%u wait for device %d", engine->decider.number, device);
    struct tn_host_stream *s = engine->devices[device].busy_last;
    for (; s != NULL; s = s->busy_prev) release(s, seq);
    settle(engine, true);
}

void tn_host_schedule_query(struct tn_host_engine *engine, const char *what, uint64_t number) {
    if (!tn_host_schedule_holds(engine)) return;
    tn_decide_log("call", true, "%u query of %s %" PRIu64, engine->decider.number, what, number);
    settle(engine, false);
}

// Returns the number of the first operation that is not released, or 0.
static uint64_t first_held(const struct tn_host_stream *s) {
    const struct tn_host_op *op = s->head;
    while (op != NULL && op->seq <= s->released) op = op->next;
    return op != NULL ? op->seq : 0;
}

void tn_host_schedule_poll(struct tn_host_stream *s) {
    uint64_t held = tn_host_schedule_holds(s->engine) ? first_held(s) : 0;
    if (held == 0) return;
    release(s, held);
    settle(s->engine, false);
}

// ---- time

void tn_host_schedule_tick(struct tn_host_engine *engine) {
    if (++engine->ticks < TICKS_AWAKE && !tn_threads_sleep(NULL, 0)) return;
    for (struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next) {
        if (s->head != NULL && s->head->seq <= engine->aged && s->head->seq > s->released)
            tn_decide_log("time", false, "the program made no call for a time");
        release(s, engine->aged);
    }
    engine->aged = engine->seq;
}

uint64_t tn_host_schedule_tick_due(struct tn_host_engine *engine) {
    if (!tn_host_schedule_holds(engine)) return TN_HOST_NO_DEADLINE;
    if (engine->tick_ns == 0) engine->tick_ns = tn_now_ns() + TN_HOST_TICK_NS;
    return engine->tick_ns;
}
