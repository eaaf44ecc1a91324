// SPDX-License-Identifier: Apache-2.0
// What the files of the engine share, and nobody else: operations, streams, points, faults,
// waiters, workers. All of it is guarded by the engine's lock unless said otherwise.
//
// The files: engine.c locks, wakes, opens and closes; engine_worker.c is the threads;
// engine_queue.c moves streams from state to state; engine_stream.c and engine_event.c are the
// slots; engine_copy.c is the slots copy and fill; engine_move.c moves the bytes, and
// engine_share.c lets workers help each other with many; engine_array.c is the slots array_map and
// array_copy, and engine_box.c moves the bytes of boxes.
#ifndef TARN_BACKEND_HOST_ENGINE_PARTS_H
#define TARN_BACKEND_HOST_ENGINE_PARTS_H

#include <pthread.h>

#include "backend/host/engine.h"
#include "backend/host/engine_gate.h"

#define TN_HOST_SEQ_NONE    UINT64_MAX
#define TN_HOST_NO_DEADLINE UINT64_MAX

// Somebody who waits for a stream or a point, on the waiting thread's stack.
struct tn_host_waiter {
    struct tn_host_waiter *next;
    uint64_t target; // of a stream: satisfied when every operation up to this one is complete
    bool woken;      // out of its list, the gate open or about to be
    struct tn_host_gate gate;
};

// Why a stream stopped. Shared by the stream and the points that were dropped behind it.
struct tn_host_fault {
    uint64_t refs;
    char text[320]; // written once, before anybody else can see it
};

// What an event stood for when it was recorded: a place in a stream. Shared by the event, the
// operation that will pass it and the streams and threads that wait for it.
struct tn_host_point {
    uint64_t refs;
    bool passed;
    int64_t time_ns;               // of passing
    struct tn_host_fault *fault;   // passed by a drop
    struct tn_host_stream *stream; // where it was recorded; may be gone once passed
    struct tn_host_streams parked;
    struct tn_host_waiter *waiters;
};

struct tn_host_event {
    struct tn_host_point *point; // NULL: never recorded
};

enum tn_host_op_kind {
    TN_HOST_OP_COPY,
    TN_HOST_OP_FILL,
    TN_HOST_OP_CALL,
    TN_HOST_OP_WAIT,   // for a point
    TN_HOST_OP_RECORD, // passes a point
    TN_HOST_OP_REMAP,  // changes what is mapped in arrays
    TN_HOST_OP_BOX     // copies a box of an array
};

struct tn_host_op {
    struct tn_host_op *next;
    uint64_t seq;
    enum tn_host_op_kind kind;
    bool borrowed; // on the stack of the caller who runs it
    union {
        tarn_backend_copy copy;
        tarn_backend_fill fill;
        struct {
            void (*fn)(void *);
            void *arg;
        } call;
        struct tn_host_point *point;  // a reference
        struct tn_host_remap *remap;  // owned, freed with the operation
        tarn_backend_array_copy *box; // owned
    } u;
};

enum tn_host_stream_state {
    TN_HOST_STREAM_IDLE,    // nothing queued
    TN_HOST_STREAM_PARKED,  // in the list of the point that its head waits for
    TN_HOST_STREAM_SETTLE,  // in engine->settle
    TN_HOST_STREAM_READY,   // in engine->ready: the head wants a worker
    TN_HOST_STREAM_RUNNING, // a worker or a caller runs the head, without the lock
};

struct tn_host_stream {
    struct tn_host_engine *engine; // constant
    int device;                    // constant
    enum tn_host_stream_state state;
    bool faulted;
    struct tn_host_fault *fault; // a reference, made with the stream so that a fault cannot fail
    struct tn_host_op *head;     // the oldest operation that is not complete
    struct tn_host_op *tail;
    struct tn_host_waiter *waiters;
    struct tn_host_stream *next, *prev; // in the list that `state` names
    struct tn_host_stream *busy_next, *busy_prev;
    struct tn_host_stream *all_next, *all_prev;
};

// One operation's work, divided by its own means: whoever runs `run` takes parts until there are
// none. On the stack of the thread that runs the operation.
struct tn_host_share {
    struct tn_host_share *next; // in engine->shares while `places` is not 0
    void (*run)(struct tn_host_share *share);
    unsigned places; // for further helpers
    unsigned helpers;
    bool awaited; // the owner waits for the last of them
    struct tn_host_waiter last;
};

struct tn_host_worker {
    struct tn_host_engine *engine;
    pthread_t thread;
    struct tn_host_worker *idle_next;
    struct tn_host_waiter sleep;
};

// engine.c

void tn_host_engine_lock(struct tn_host_engine *engine);
// Settles streams, sends workers to ready ones, unlocks, then opens the gates that are due.
void tn_host_engine_unlock(struct tn_host_engine *engine);
// Has the gate of a waiter opened at unlock. The waiter must be in no list.
void tn_host_wake(struct tn_host_engine *engine, struct tn_host_waiter *waiter);
// Unlocks, waits at the gate, locks again. The waiter is in a list, its gate closed.
void tn_host_engine_sleep(struct tn_host_engine *engine, struct tn_host_waiter *waiter,
                          unsigned spins);
// Puts the calling thread into a list of waiters, and waits for one of two things: that somebody
// takes it out and wakes it, or that the deadline passes. False: that. The lock is left meanwhile;
// after true the list may be gone.
bool tn_host_engine_await(struct tn_host_engine *engine, struct tn_host_waiter **list,
                          uint64_t target, uint64_t deadline_ns);

static inline void tn_host_streams_push(struct tn_host_streams *list, struct tn_host_stream *s) {
    s->next = NULL;
    s->prev = list->last;
    if (list->last != NULL) {
        list->last->next = s;
    } else {
        list->first = s;
    }
    list->last = s;
}

static inline void tn_host_streams_remove(struct tn_host_streams *list, struct tn_host_stream *s) {
    if (s->prev != NULL) {
        s->prev->next = s->next;
    } else {
        list->first = s->next;
    }
    if (s->next != NULL) {
        s->next->prev = s->prev;
    } else {
        list->last = s->prev;
    }
}

static inline struct tn_host_stream *tn_host_streams_pop(struct tn_host_streams *list) {
    struct tn_host_stream *s = list->first;
    if (s != NULL) {
        tn_host_streams_remove(list, s);
    }
    return s;
}

// engine_worker.c

// Starts a first worker if there is none. SYSTEM.
tarn_status tn_host_workers_need(struct tn_host_engine *engine);
// Wakes or starts as many as there are ready streams that nobody comes for.
void tn_host_workers_send(struct tn_host_engine *engine);
// Ends and joins all. Not under the lock.
void tn_host_workers_stop(struct tn_host_engine *engine);

// engine_queue.c

// A fresh operation, not given yet; NULL when host memory is exhausted.
struct tn_host_op *tn_host_op_new(struct tn_host_engine *engine, enum tn_host_op_kind kind);
// Appends the operation to the stream, which takes it over. What needs no worker happens at unlock.
void tn_host_give(struct tn_host_stream *s, struct tn_host_op *op);
// Appends a borrowed operation to an idle stream and runs it here and now.
void tn_host_give_and_run(struct tn_host_stream *s, struct tn_host_op *op);
// Takes the stream that has been ready the longest; it is RUNNING then. NULL: none.
struct tn_host_stream *tn_host_next_ready(struct tn_host_engine *engine);
// Runs the head of a stream in state RUNNING; leaves the lock meanwhile.
void tn_host_run_head(struct tn_host_stream *s);
// Runs the head here, instead of waiting for a worker to come, if it is a copy or fill that nobody
// has begun; with a deadline only if no worker can come. False: nothing was done, and the lock was
// never left.
bool tn_host_help(struct tn_host_stream *s, uint64_t deadline_ns);
// Takes streams through everything that needs no worker, until each is idle, parked or ready.
void tn_host_settle(struct tn_host_engine *engine);
// Whether all operations up to number `seq` are complete.
bool tn_host_stream_passed(const struct tn_host_stream *s, uint64_t seq);
// Waits until they are; the stream may be gone after that. False: the deadline has passed before.
bool tn_host_stream_await(struct tn_host_stream *s, uint64_t seq, uint64_t deadline_ns);
// Forgets all operations without running them: for the child of a fork.
void tn_host_stream_forget(struct tn_host_stream *s);

// engine_share.c

// Runs the share, with the help of idle workers. Not under the lock. `run` and `places` are set.
void tn_host_share_run(struct tn_host_engine *engine, struct tn_host_share *share);
// For a worker with nothing else to do; leaves the lock meanwhile. False: nobody needs help.
bool tn_host_share_help(struct tn_host_engine *engine);

// engine_event.c

void tn_host_point_pass(struct tn_host_engine *engine, struct tn_host_point *point,
                        struct tn_host_fault *fault);
void tn_host_point_unref(struct tn_host_point *point);
void tn_host_fault_unref(struct tn_host_fault *fault);

// engine_stream.c

// What a call on the stream has to say first: OK, DEVICE_FAULT or FORKED, with a text.
tarn_status tn_host_stream_status(const struct tn_host_stream *s);

// engine_copy.c

// Up to here the caller does it when the stream is empty: waking a worker would cost it more.
#define TN_HOST_ON_THE_SPOT_BYTES ((uint64_t)256 << 10)
#define TN_HOST_ON_THE_SPOT_ROWS  ((uint64_t)1 << 10)

// Gives the operation to the stream: run here and now if it is `small` and the stream empty, else
// queued in a copy of it. What the operation owns goes with it, unless this fails; the fault of one
// that ran is the stream's. Not under the lock. DEVICE_FAULT, FORKED, NO_HOST_MEMORY, SYSTEM.
tarn_status tn_host_give_or_run(struct tn_host_stream *s, struct tn_host_op *op, bool small);

// engine_box.c. Not under the lock.

// As the two below, of a box.
tarn_status tn_host_box_run(void *p, const tarn_backend_array_copy *copy, char *text, size_t size);
tarn_status tn_host_box_now(void *p, const tarn_backend_array_copy *copy);

// engine_move.c. Not under the lock.

// Runs a copy or fill piece by piece. A violation ends it, and is told in `text`.
tarn_status tn_host_move_run(void *p, const struct tn_host_op *op, char *text, size_t size);
// Checks all of it first; when that fails nothing has been moved.
tarn_status tn_host_move_now(void *p, const struct tn_host_op *op);

#endif
