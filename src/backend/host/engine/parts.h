// SPDX-License-Identifier: Apache-2.0
// Types and functions that the files of the engine share: operations, streams, points, failures,
// waiters, workers. The engine's lock guards all of them unless a comment states otherwise. Each
// file uses only files further down in this list:
//
//   engine.c     open, close, fork
//   stream.c     the slots of streams
//   event.c      the slots of events
//   submit.c     the slots copy, fill, array_map and array_copy
//   run.c        running operations: workers, and threads that wait
//   move.c       moving the bytes of copies, fills and boxes of arrays
//   bulk.c       copies of many bytes, past the cache
//   parallel.c   several threads on one operation
//   tsan.c       the order of work, for the thread sanitizer of a program
//   lock.c       the lock, sleeping and waking; starting workers
//   schedule.c   releasing operations in the schedules late, random and prompt
//   condition.c  conditions: when each is called again
//   queue.c      the states of streams and their operations
//   gate.c       sleeping on a futex
#pragma once

#include "backend/host/engine/engine.h"
#include "backend/host/engine/gate.h"
#include "backend/soft/point.h"
#include "base/list.h"
#include "base/tsan.h"

#define TN_HOST_NO_DEADLINE UINT64_MAX

#define TN_HOST_TICK_NS ((uint64_t)100000000) // see tn_host_schedule_tick()
#define TN_HOST_POLL_NS ((uint64_t)20000)     // see condition.c

// A thread that waits for a stream or a point, on that thread's stack.
struct tn_host_waiter {
    struct tn_host_waiter *next;
    uint64_t target; // of a stream: wait until all operations up to this number are complete
    bool woken;      // removed from its list; the gate is open or about to be opened
    struct tn_host_gate gate;
};

struct tn_host_point {
    struct tn_soft_point base;      // first, so that a pointer to it is one to this struct
    uint64_t seq;                   // of the operation that will pass it
    uint64_t event;                 // the number of its event
    struct tn_host_stream *stream;  // of the record; invalid once passed
    struct tn_host_streams waiting; // streams whose head waits for it
    struct tn_host_waiter *waiters; // threads
};

struct tn_host_event {
    struct tn_host_point *point; // NULL: never recorded
    uint64_t number;
};

enum tn_host_op_kind {
    TN_HOST_OP_COPY,
    TN_HOST_OP_FILL,
    TN_HOST_OP_CALL,
    TN_HOST_OP_RUN,    // calls a function for each of its parts
    TN_HOST_OP_POLL,   // calls a condition until it has passed
    TN_HOST_OP_WAIT,   // waits for a point
    TN_HOST_OP_RECORD, // passes a point
    TN_HOST_OP_REMAP,  // changes the memory mapped in arrays
    TN_HOST_OP_BOX     // copies a box of an array
};

struct tn_host_op {
    struct tn_host_op *next;
    uint64_t seq;
    uint64_t due; // if operations are held: it may run once the engine's clock has this value
    enum tn_host_op_kind kind;
    bool borrowed; // on the stack of the thread that runs it
    bool follows;  // WAIT: takes over the failure behind which the record was dropped
    bool owns_dst; // this side was memory of the platform when the call was made
    bool owns_src;
    void *call; // of a program with TSan: where it submitted the operation, or NULL
    union {
        tarn_backend_copy copy;
        tarn_backend_fill fill;
        struct {
            void (*fn)(void *);
            void *arg;
        } call;
        struct {
            void (*fn)(void *arg, uint64_t part);
            void *arg;
            uint64_t parts;
        } run;
        struct {
            tarn_status (*passed)(void *arg, bool dropped);
            void *arg;
        } poll;
        struct tn_host_point *point;  // a reference
        struct tn_host_remap *remap;  // owned, freed with the operation
        tarn_backend_array_copy *box; // owned
    } u;
};

enum tn_host_stream_state {
    TN_HOST_STREAM_IDLE,    // empty
    TN_HOST_STREAM_WAITING, // in the list of the point that its head waits for
    TN_HOST_STREAM_CHANGED, // in engine->changed
    TN_HOST_STREAM_HELD,    // the schedule chooses when the head runs
    TN_HOST_STREAM_READY,   // in engine->ready: the head needs a worker
    TN_HOST_STREAM_RUNNING, // a thread runs the head, without the lock
    TN_HOST_STREAM_POLLING  // in engine->polls: the head is a condition that has not passed
};

struct tn_host_stream {
    struct tn_host_engine *engine; // constant
    int device;                    // constant
    uint64_t number;               // constant
    enum tn_host_stream_state state;
    bool failed;
    bool resilient;   // a failure does not stop the stream
    bool unreported;  // of a resilient stream: a failure that no call has reported
    uint64_t aborted; // operations up to this number are dropped unless they run
    struct tn_soft_failure
        *failure;            // allocated with the stream, so that recording a failure cannot fail
    struct tn_host_op *head; // the oldest operation that is not complete
    struct tn_host_op *tail;
    struct tn_host_waiter *waiters;
    uint64_t released; // operations up to this number may run whatever the clock says
    uint64_t demanded; // above `released`: in a list of streams to release
    struct tn_host_stream *demand_next;
    void *fibre;                        // TSan's thread for its work, or NULL
    void **helpers;                     // likewise, for each worker that helps
    struct tn_host_stream *next, *prev; // in the list that `state` names
    struct tn_host_stream *busy_next, *busy_prev;
    struct tn_host_stream *all_next, *all_prev;
};

// Work of one operation that several threads divide: each calls `run`, which takes parts until none
// is left. On the stack of the thread that runs the operation.
struct tn_host_parallel {
    struct tn_host_parallel *next; // in engine->parallels while `places` is not 0
    void (*run)(struct tn_host_parallel *parallel);
    unsigned places; // for further helpers
    unsigned helpers;
    bool awaited; // the owner waits for the last helper
    struct tn_host_waiter last;
};

struct tn_host_worker {
    struct tn_host_engine *engine;
    pthread_t thread;
    struct tn_host_worker *idle_next;
    struct tn_host_waiter sleep;
};

static inline void tn_host_streams_push(struct tn_host_streams *list, struct tn_host_stream *s) {
    TN_QUEUE_ADD(list->first, list->last, s, next, prev);
}

static inline void tn_host_streams_remove(struct tn_host_streams *list, struct tn_host_stream *s) {
    TN_QUEUE_REMOVE(list->first, list->last, s, next, prev);
}

static inline struct tn_host_stream *tn_host_streams_pop(struct tn_host_streams *list) {
    struct tn_host_stream *s = list->first;
    if (s != NULL) tn_host_streams_remove(list, s);
    return s;
}

// queue.c. Under the lock.

// Returns true if the schedule decides when operations run.
static inline bool tn_host_schedule_holds(const struct tn_host_engine *engine) {
    return engine->schedule >= TN_HOST_SCHEDULE_LATE;
}

// Returns an operation that is not submitted yet, or NULL if host memory is exhausted.
struct tn_host_op *tn_host_op_new(struct tn_host_engine *engine, enum tn_host_op_kind kind);
// Appends the operation to the stream, which owns it from now on. An operation that needs no worker
// runs when the lock is released.
void tn_host_op_enqueue(struct tn_host_stream *s, struct tn_host_op *op);
// Appends a borrowed operation to an idle stream. The stream is RUNNING; the caller runs its head.
void tn_host_op_enqueue_running(struct tn_host_stream *s, struct tn_host_op *op);
// Removes and frees the head of a RUNNING stream. `failure` describes its failure; NULL: none.
void tn_host_op_finish(struct tn_host_stream *s, const char *failure);
// Returns true if an operation of the stream that has not begun does not run.
bool tn_host_op_is_dropped(const struct tn_host_stream *s, const struct tn_host_op *op);
// A RUNNING stream, whose head is a condition that has not passed, becomes POLLING; and READY again.
void tn_host_stream_set_polling(struct tn_host_stream *s);
void tn_host_stream_poll_again(struct tn_host_stream *s);
// Advances changed streams until each is idle, waiting or ready.
void tn_host_streams_advance(struct tn_host_engine *engine);
// Passes the point that a HELD stream has at its head.
void tn_host_stream_pass(struct tn_host_stream *s);
// Returns true if the stream is HELD, and its head or that of any stream may run now, also beside a
// blocked operation.
bool tn_host_stream_is_due(const struct tn_host_stream *s);
bool tn_host_streams_have_due(const struct tn_host_engine *engine);
// A READY or HELD stream becomes RUNNING; the caller runs its head.
void tn_host_stream_start(struct tn_host_stream *s);
// Returns true if all operations up to number `seq` are complete.
bool tn_host_stream_passed(const struct tn_host_stream *s, uint64_t seq);
// Returns OK, or DEVICE_FAILED or FORKED with a text.
tarn_status tn_host_stream_status(const struct tn_host_stream *s);
// The same for a wait or a query, which also report a failure of a resilient stream, once.
tarn_status tn_host_stream_report(struct tn_host_stream *s);
// Drops the operations of the stream that have not begun, and lets it fail unless `failure` is NULL.
void tn_host_stream_drop(struct tn_host_stream *s, const char *failure);
// Removes all operations without running them. For the child of a fork.
void tn_host_stream_forget(struct tn_host_stream *s);

// Schedules the opening of a waiter's gate for when the lock is released. The waiter is in no list.
void tn_host_wake(struct tn_host_engine *engine, struct tn_host_waiter *waiter);

// submit.c. Under the lock. Queues a copy of the operation for a worker; the stream takes over its
// resources, unless the call fails. NO_HOST_MEMORY, SYSTEM.
tarn_status tn_host_op_queue(struct tn_host_stream *s, const struct tn_host_op *work);

// schedule.c. Under the lock. The first five do nothing in schedules that hold nothing; they may
// release the lock meanwhile, and the streams may be destroyed by then.

// An operation was submitted: the last one of the stream.
void tn_host_schedule_submitted(struct tn_host_stream *s);
// A thread waits for the operations of the stream up to number `seq`.
void tn_host_schedule_demand(struct tn_host_stream *s, uint64_t seq);
// A thread waits for the operations of all streams of a device up to number `seq`.
void tn_host_schedule_demand_device(struct tn_host_engine *engine, int device, uint64_t seq);
// A query begins, and has found the stream busy.
void tn_host_schedule_query(struct tn_host_engine *engine, const char *what, uint64_t number);
void tn_host_schedule_poll(struct tn_host_stream *s);
// The worker had nothing to do for TN_HOST_TICK_NS.
void tn_host_schedule_tick(struct tn_host_engine *engine);
// Returns the time when the worker will have been idle for TN_HOST_TICK_NS if it runs no operation
// before, or TN_HOST_NO_DEADLINE.
uint64_t tn_host_schedule_tick_due(struct tn_host_engine *engine);
// Returns the stream to run next, or NULL.
struct tn_host_stream *tn_host_schedule_pick(struct tn_host_engine *engine);
// The worker has nothing to run: wakes the threads that wait for that.
void tn_host_schedule_settled(struct tn_host_engine *engine);
// Logs the begin or the end of an operation.
void tn_host_schedule_log(const char *word, const struct tn_host_stream *s,
                          const struct tn_host_op *op);

// condition.c. Under the lock.

// A condition was submitted, or has passed: others may pass soon.
void tn_host_polls_hasten(struct tn_host_engine *engine);
// The condition at the head of the stream has not passed.
void tn_host_polls_add(struct tn_host_stream *s);
// Makes the streams with conditions ready, if these are due.
void tn_host_polls_release(struct tn_host_engine *engine);
// Returns true if conditions wait and no sleeping worker has taken the watch.
bool tn_host_polls_unwatched(const struct tn_host_engine *engine);

// lock.c

void tn_host_engine_lock(struct tn_host_engine *engine);
// Advances streams, wakes or starts workers for ready ones, unlocks, then opens the gates due.
void tn_host_engine_unlock(struct tn_host_engine *engine);

static inline struct tn_host_engine *tn_host_engine_hold(struct tn_host_engine *engine) {
    tn_host_engine_lock(engine);
    return engine;
}

static inline void tn_host_engine_let_go(struct tn_host_engine *const *engine) {
    tn_host_engine_unlock(*engine);
}

// A declaration: holds the lock until the end of the block.
#define TN_HOST_ENGINE_LOCKED(engine)                                                              \
    __attribute__((cleanup(tn_host_engine_let_go),                                                 \
                   unused)) struct tn_host_engine *const engine_locked_here =                      \
        tn_host_engine_hold(engine)

// Unlocks, waits at the gate, locks again. The waiter is in a list and its gate is closed. Returns
// false if the deadline passed first; another thread may be about to open the gate then.
bool tn_host_engine_sleep(struct tn_host_engine *engine, struct tn_host_waiter *waiter,
                          unsigned spins, uint64_t deadline_ns);
// Adds the calling thread to a list of waiters and waits until another thread removes and wakes it,
// or until the deadline. Returns false if the deadline passed. Releases the lock meanwhile; after
// true the list may be freed.
bool tn_host_engine_await(struct tn_host_engine *engine, struct tn_host_waiter **list,
                          uint64_t target, uint64_t deadline_ns);
// Starts a first worker if there is none. Under the lock. SYSTEM.
tarn_status tn_host_workers_require(struct tn_host_engine *engine);
// Ends and joins all workers. Not under the lock.
void tn_host_workers_stop(struct tn_host_engine *engine);

// parallel.c

// Runs the work with the help of idle workers, alone if there are no places. Not under the lock.
// `run` and `places` are set.
// After a fork within the work, only the thread that called fork() returns in the child.
void tn_host_parallel_run(struct tn_host_engine *engine, struct tn_host_parallel *parallel);
// Helps one operation; for a worker without a ready stream. Returns false if none needs help.
// Releases the lock meanwhile.
bool tn_host_parallel_help(struct tn_host_engine *engine);

// move.c. Not under the lock.

// Runs a copy, fill or box piece by piece. A violation ends it and is described in `text`.
tarn_status tn_host_move_run(void *p, const struct tn_host_op *op, char *text, size_t size);
// Checks the complete ranges first: a failure has moved no byte.
tarn_status tn_host_move_now(void *p, const struct tn_host_op *op);

// Reports the accesses of a copy, fill or box to TSan.
void tn_host_move_report(void *p, const struct tn_host_op *op);

// tsan.c. Called only if the program has TSan.

__attribute__((cold)) void tn_host_tsan_create(struct tn_host_stream *s);
__attribute__((cold)) void tn_host_tsan_destroy(struct tn_host_stream *s);
// The calling thread submits the operation.
__attribute__((cold)) void tn_host_tsan_submit(struct tn_host_stream *s, struct tn_host_op *op);
// Makes the calling thread continue as the stream, which runs the operation, and as itself again.
// The first function returns the fibre for the second.
__attribute__((cold)) void *tn_host_tsan_enter(struct tn_host_stream *s, struct tn_host_op *op);
__attribute__((cold)) void tn_host_tsan_leave(struct tn_host_stream *s, struct tn_host_op *op,
                                              void *before);
// The stream completes a record of an event or a wait for one.
__attribute__((cold)) void tn_host_tsan_pass(struct tn_host_stream *s, struct tn_host_op *op);
// Other threads may help with the operation that the stream runs, and have helped.
__attribute__((cold)) void tn_host_tsan_share(struct tn_host_stream *s);
__attribute__((cold)) void tn_host_tsan_join(struct tn_host_stream *s);
// The calling thread helps, as number `number` of at most one fewer than there are workers, and has
// helped. The first function returns NULL to the thread that runs the operation.
__attribute__((cold)) void *tn_host_tsan_help(struct tn_host_stream *s, unsigned number);
__attribute__((cold)) void tn_host_tsan_helped(struct tn_host_stream *s, void *before);

// The calling thread has seen that the work of a stream, a point or a device is complete.
__attribute__((cold)) void tn_host_tsan_learn(void *clock);

// The calling thread runs a condition, whose copies are like atomics and race with nothing. Kept only if
// the program has TSan.
extern _Thread_local bool tn_host_in_condition;

// run.c. Under the lock, which these functions release while they run an operation.

// The thread function of workers. Not under the lock.
void *tn_host_worker_main(void *worker);
// Runs the head of a stream in state RUNNING.
void tn_host_run_head(struct tn_host_stream *s);
// Runs the head of the stream if it is a copy or fill that no thread has begun; with a deadline
// only if no worker is available. Returns false if it ran nothing and kept the lock throughout.
bool tn_host_stream_help(struct tn_host_stream *s, uint64_t deadline_ns);
// Waits until all operations up to number `seq` are complete. Returns false if the deadline passed.
// The stream may be destroyed afterwards.
bool tn_host_stream_await(struct tn_host_stream *s, uint64_t seq, uint64_t deadline_ns);
