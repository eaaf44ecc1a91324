// SPDX-License-Identifier: Apache-2.0
// The engine of the software device: streams, events, workers, copies, fills and work on arrays.
// Each platform has one engine. Its slots (slots.h) may be called from any thread and keep the
// contract of <tarn/backend.h>. The comment at struct tn_host_engine describes its behaviour beyond
// the contract. Next: parts.h.
#pragma once

#include "backend/host/slots.h"
#include "base/decide.h"
#include "base/lock.h"

// The order in which streams run; the option `schedule`.
enum tn_host_schedule {
    TN_HOST_SCHEDULE_PARALLEL, // as soon as a worker is free
    TN_HOST_SCHEDULE_EAGER,    // a copy or fill on an idle stream runs before its call returns
    TN_HOST_SCHEDULE_LATE,     // only when the program waits for it
    TN_HOST_SCHEDULE_RANDOM,   // when the seed decides (base/decide.h)
    TN_HOST_SCHEDULE_PROMPT    // before the call that submits it returns, if it may run then
};

struct tn_host_op;
struct tn_host_parallel;
struct tn_host_stream;
struct tn_host_worker;
struct tn_host_waiter;

// A FIFO of streams linked by their `next`. A stream is in at most one.
struct tn_host_streams {
    struct tn_host_stream *first;
    struct tn_host_stream *last;
};

struct tn_host_engine_device {
    // Number of submitted operations that are not complete. device_synchronize reads it without the
    // lock, by acquire; completion decrements it by release.
    _Atomic uint64_t pending;
    // Streams with such operations, linked by busy_next and busy_prev.
    struct tn_host_stream *busy_first;
    struct tn_host_stream *busy_last;
};

// Behaviour beyond the contract:
//  - Streams are queues. At most `workers` threads serve all of them. The first operation that
//    needs a worker starts one. A stream that waits for an event or a condition occupies no thread.
//    Workers call conditions that have not passed at intervals of 20 us to 1 ms.
//  - The calling thread runs a copy or fill of at most 256 KiB itself when the stream is empty. A
//    thread that waits for a stream runs its copies and fills that no worker has begun; a wait with
//    a deadline does so only if no worker is available. Idle workers help with a copy or fill of
//    one row and at least 2 MiB. Recording and awaiting events needs no thread. Host functions
//    always run on a worker. A host function that blocks occupies its worker, so `workers` blocked
//    host functions stop all streams.
//  - The schedules late, random and prompt decide when operations run; schedule.c states when.
//    One worker runs everything, and calls that submit, query or wait return when all operations
//    that may run are complete. What a program sees therefore depends only on its calls and the
//    seed. While an operation waits for the program, calls do not wait for it, and a second worker
//    runs all others but those of its kind: a device may run host functions one after another.
//    Operations run in any case when the program has slept for 100 to 200 ms, so that a program that
//    waits in another way makes progress.
//  - Rights and mappings are checked when an operation runs, piece by piece. The first violation
//    stops the stream for good: the operations behind it are dropped, host functions
//    included, and calls that submit work or query the stream return DEVICE_FAILED. The call that
//    submits the violating operation returns OK, even when it ran the operation itself.
//  - An abort drops what a stream has not begun, as a failure does, and leaves it without a failure. A
//    resilient stream drops nothing after a violation; the next wait or query reports it.
//  - An event whose record is dropped counts as passed at that time, so waiting streams continue.
//    Event query, synchronize and elapsed return DEVICE_FAILED with the text of the stream's failure,
//    even after the stream is destroyed.
//  - Without a stream, a copy or fill checks its complete ranges before it moves a byte, and
//    returns the status of the violation (NOT_MAPPED, NO_ACCESS, ...).
//  - A remap of arrays that is dropped behind a failure releases the references it holds.
//  - In the child of a fork, the parent's queued operations do not run. Calls that need the state
//    of a stream or event return FORKED; destroying and closing work.

// `lock` guards all fields not marked otherwise. A thread holds it for some tens of nanoseconds: it
// calls no user function, moves no byte and wakes no thread under it.
struct tn_host_engine {
    void *platform; // `p` of the slots; constant
    struct tn_host_engine_device *devices;
    int device_count;
    unsigned
        worker_spins; // polls of a gate before sleeping; 0 if only one CPU is allowed; constant
    unsigned waiter_spins; // the same for a thread that waits for a stream or event
    unsigned workers_max;  // lowered when the system refuses to start one more
    unsigned yields;       // polls that leave the CPU to other threads, behind those; constant
    unsigned helpers_max;  // threads of one operation beside the one that runs it; constant
    void *(*worker_main)(void *worker); // constant
    struct tn_spin lock;

    uint64_t seq;                   // number of the operation submitted last
    struct tn_host_streams ready;   // streams whose head needs a worker
    struct tn_host_streams changed; // streams to advance before the lock is released
    unsigned ready_count;
    struct tn_host_parallel *parallels; // those with places for helpers
    unsigned parallel_places;           // sum of their places
    uint64_t stream_count;
    struct tn_host_stream *streams; // all of them, linked by all_next and all_prev

    struct tn_host_worker *workers; // one more than workers_max was at first
    unsigned worker_count;          // started
    struct tn_host_worker *idle;    // sleeping; the one that slept last is first, its cache is warm
    unsigned waking;                // woken or started, and not looking for work yet
    bool stopping;
    bool forked; // this process is a child: the workers stayed with the parent

    enum tn_host_schedule schedule; // constant
    struct tn_decider decider;      // of RANDOM
    uint64_t clock;                 // calls so far; operations fall due by it
    uint64_t aged;                  // operations up to this number are released at the next tick
    uint64_t tick_ns;               // when the next tick is due; 0: not decided yet
    unsigned ticks;                 // since the last call while the program was at work
    uint64_t stream_numbers;        // of streams and events, in order of creation
    uint64_t event_numbers;
    bool awaited;       // the last call waits, so time is no input of the program
    uint64_t busy;      // the number of the operation that runs, if not blocked; or 0
    uint64_t blocked;   // that of one which waits for the program, or 0
    unsigned busy_kind; // the kinds of both; none like the blocked one runs meanwhile
    unsigned blocked_kind;
    bool stuck;                      // `busy` waits for the program, too
    struct tn_host_waiter *settlers; // threads that wait until nothing may run

    struct tn_host_streams polls; // streams whose head is a condition that has not passed
    uint64_t poll_due_ns;         // when these are called again
    uint64_t poll_interval_ns;
    bool poll_watched; // a worker sleeps until then

    struct tn_host_waiter *wakes; // gates to open once the lock is released
    struct tn_host_op *spare_ops; // for reuse
    unsigned spare_count;
};

// Opens the engine in `engine`. Zero `workers` selects the number of allowed CPUs. NO_HOST_MEMORY.
tarn_status tn_host_engine_open(struct tn_host_engine *engine, void *platform, int device_count,
                                unsigned workers);

// Sets the order in which streams run, before the first stream is created. Without this call it is
// PARALLEL. LATE, RANDOM and PROMPT use one worker, and a second one while the first is blocked.
void tn_host_engine_set_schedule(struct tn_host_engine *engine, enum tn_host_schedule schedule,
                                 uint64_t seed);

// Joins the workers. No stream is alive.
void tn_host_engine_close(struct tn_host_engine *engine);

// Called around fork(): prepare acquires the engine's lock, the other two release it.
void tn_host_engine_fork_prepare(struct tn_host_engine *engine);
void tn_host_engine_fork_parent(struct tn_host_engine *engine);
void tn_host_engine_fork_child(struct tn_host_engine *engine);

// The engine is the first member of a platform.
static inline struct tn_host_engine *tn_host_engine_of(void *p) {
    return (struct tn_host_engine *)p;
}
