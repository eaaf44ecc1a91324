// SPDX-License-Identifier: Apache-2.0
// Releasing operations in the schedules late and random, under the engine's lock. A released
// operation has a ticket; the one worker runs ready heads in the order of their tickets. Decisions
// depend on what was submitted and released, never on what has run, so that a program of one thread
// sees the same order each time.
#include "backend/host/engine/parts.h"
#include "base/clock.h"

static uint64_t next_random(struct tn_host_engine *engine) {
    uint64_t x = engine->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    engine->random = x;
    return x >> 33;
}

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
        s->released = s->demanded;
        for (struct tn_host_op *op = s->head; op != NULL && op->seq <= s->released; op = op->next) {
            if (op->seq <= before) continue;
            op->ticket = ++s->engine->tickets;
            if (op->kind == TN_HOST_OP_WAIT && !op->u.point->base.passed)
                demand_push(&list, op->u.point->stream, op->u.point->seq);
        }
        tn_host_stream_resume(s);
    }
}

// Returns the number of the first operation that is not released, or 0.
static uint64_t first_held(const struct tn_host_stream *s) {
    const struct tn_host_op *op = s->head;
    while (op != NULL && op->seq <= s->released) op = op->next;
    return op != NULL ? op->seq : 0;
}

// Releases one operation of a stream chosen at random. Returns false if none is held.
static bool release_any(struct tn_host_engine *engine) {
    unsigned count = 0;
    for (struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next)
        count += first_held(s) != 0;
    if (count == 0) return false;
    uint64_t choice = next_random(engine) % count;
    struct tn_host_stream *s = engine->streams;
    while (first_held(s) == 0 || choice-- != 0) s = s->all_next;
    release(s, first_held(s));
    return true;
}

void tn_host_schedule_submitted(struct tn_host_engine *engine) {
    if (engine->schedule == TN_HOST_SCHEDULE_RANDOM) {
        while (next_random(engine) % 2 != 0 && release_any(engine)) {
        }
    }
}

void tn_host_schedule_demand(struct tn_host_stream *s, uint64_t seq) {
    struct tn_host_engine *engine = s->engine;
    if (engine->schedule == TN_HOST_SCHEDULE_RANDOM) {
        uint64_t held;
        while ((held = first_held(s)) != 0 && held <= seq && release_any(engine)) {
        }
    }
    if (tn_host_schedule_holds(engine)) release(s, seq);
}

void tn_host_schedule_demand_device(struct tn_host_engine *engine, int device, uint64_t seq) {
    if (!tn_host_schedule_holds(engine)) return;
    struct tn_host_stream *s = engine->devices[device].busy_last;
    for (; s != NULL; s = s->busy_prev) tn_host_schedule_demand(s, seq);
}

void tn_host_schedule_poll(struct tn_host_stream *s) {
    uint64_t held = tn_host_schedule_holds(s->engine) ? first_held(s) : 0;
    if (held != 0) release(s, held);
}

void tn_host_schedule_tick(struct tn_host_engine *engine) {
    for (struct tn_host_stream *s = engine->streams; s != NULL; s = s->all_next)
        release(s, engine->aged);
    engine->aged = engine->seq;
}

uint64_t tn_host_schedule_tick_due(struct tn_host_engine *engine) {
    if (!tn_host_schedule_holds(engine)) return TN_HOST_NO_DEADLINE;
    if (engine->tick_ns == 0) engine->tick_ns = tn_now_ns() + TN_HOST_TICK_NS;
    return engine->tick_ns;
}

struct tn_host_stream *tn_host_schedule_pick(const struct tn_host_engine *engine) {
    struct tn_host_stream *best = engine->ready.first;
    if (!tn_host_schedule_holds(engine)) return best;
    for (struct tn_host_stream *s = best; s != NULL; s = s->next)
        best = s->head->ticket < best->head->ticket ? s : best;
    return best;
}
