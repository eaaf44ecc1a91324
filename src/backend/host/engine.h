// SPDX-License-Identifier: Apache-2.0
// The engine of the software device: its streams, events, workers, copies, fills and work on
// arrays. One engine is part of each platform. The slots below have the signatures and keep the
// promises of <tarn/backend.h>; they may be called from any thread.
//
// What the engine adds to the contract:
//  - No thread per stream. Streams are queues; at most `workers` threads serve them all. The first
//    work that cannot be done on the spot starts one. A stream that waits for an event costs no
//    thread.
//  - A copy or fill of at most 256 KiB is done by the caller on the spot when its stream is empty.
//  A
//    thread that waits for a stream does the copies and fills that no worker has begun; one with a
//    deadline only if no worker can come. Idle
//    workers help with one of 2 MiB and more that is a single row. Events are
//    recorded and waited for without any thread. Host functions always run on a worker; one that
//    blocks keeps its worker, so as many blocked functions as workers stop all streams.
//  - Rights and mappings are checked when work runs, piece by piece. The first violation makes the
//    stream faulty for good: what is queued behind it is dropped, host functions included, and
//    calls that give it work or ask for its state return DEVICE_FAULT. Giving the work that turns
//    out to violate something returns OK, also when it was done on the spot.
//  - An event that was to be recorded behind the fault counts as passed, at the time of the drop: a
//    stream that waits for it goes on. Asking the event (query, synchronize, elapsed) returns
//    DEVICE_FAULT with the text of the stream's fault, also after the stream is gone.
//  - Without a stream, a copy or fill checks the whole of its ranges first and then moves; what is
//    wrong is returned as its own status (NOT_MAPPED, NO_ACCESS, ...).
//  - A remap of arrays that is dropped behind a fault gives back the references it holds.
//  - After fork, in the child: the parent's queued work does not run there. Calls that need a
//    stream's or event's state return FORKED; destroying and closing work.
#ifndef TARN_BACKEND_HOST_ENGINE_H
#define TARN_BACKEND_HOST_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <tarn/backend.h>

#include "base/lock.h"

struct tn_host_op;
struct tn_host_share;
struct tn_host_stream;
struct tn_host_worker;
struct tn_host_waiter;

// A FIFO of streams linked by their `next`; a stream is in at most one.
struct tn_host_streams {
    struct tn_host_stream *first;
    struct tn_host_stream *last;
};

// What the engine keeps per device.
struct tn_host_engine_device {
    // Operations given and not complete. Counted down by release; device_synchronize pairs with
    // that by acquire, without the lock.
    _Atomic uint64_t pending;
    // Streams with such operations, linked by busy_next and busy_prev.
    struct tn_host_stream *busy_first;
    struct tn_host_stream *busy_last;
};

// Everything is guarded by `lock` unless said otherwise. It is held for some tens of nanoseconds at
// a time: no user function runs, no byte is moved and nobody is woken while it is held.
struct tn_host_engine {
    void *platform; // what the slots get as p; constant
    struct tn_host_engine_device *devices;
    int device_count;
    unsigned worker_spins; // looks before parking; 0 where only one CPU is allowed; constant
    unsigned waiter_spins; // the same of a thread that waits for a stream or event
    unsigned workers_max;  // lowered when the system refuses one more
    unsigned helpers_max;  // of one operation, beside the thread that runs it; constant
    struct tn_spin lock;

    uint64_t seq;                  // number of the last operation given
    struct tn_host_streams ready;  // streams whose head wants a worker
    struct tn_host_streams settle; // streams to look at before the lock is released
    unsigned ready_count;
    struct tn_host_share *shares; // those with places for helpers
    unsigned share_places;        // of all of them
    uint64_t stream_count;
    struct tn_host_stream *streams; // all of them, linked by all_next and all_prev

    struct tn_host_worker *workers; // workers_max places
    unsigned worker_count;          // started
    struct tn_host_worker *idle;    // parked, the last one first: it is the warmest
    unsigned waking;                // woken or started, and not looking for work yet
    bool stopping;
    bool forked; // this is a child: the workers stayed with the parent

    struct tn_host_waiter *wakes; // gates to open once the lock is released
    struct tn_host_op *spare_ops; // for reuse
    unsigned spare_count;
};

// Opens the engine in `engine`. `workers` 0: as many as CPUs are allowed. NO_HOST_MEMORY.
tarn_status tn_host_engine_open(struct tn_host_engine *engine, void *platform, int device_count,
                                unsigned workers);

// Joins the workers. No stream is alive.
void tn_host_engine_close(struct tn_host_engine *engine);

// Around fork(): prepare takes the engine's lock, the other two release it.
void tn_host_engine_fork_prepare(struct tn_host_engine *engine);
void tn_host_engine_fork_parent(struct tn_host_engine *engine);
void tn_host_engine_fork_child(struct tn_host_engine *engine);

// The engine of platform p. Given by the platform.
struct tn_host_engine *tn_host_engine_of(void *p);

// The slots.
tarn_status tn_host_stream_create(void *p, int device, void **stream);
tarn_status tn_host_stream_wrap(void *p, int device, void *native, void **stream);
void tn_host_stream_destroy(void *p, void *stream);
tarn_status tn_host_stream_synchronize(void *p, void *stream);
tarn_status tn_host_stream_query(void *p, void *stream);
tarn_status tn_host_stream_wait(void *p, void *stream, void *event);
tarn_status tn_host_stream_call(void *p, void *stream, void (*fn)(void *), void *arg);
tarn_status tn_host_device_synchronize(void *p, int device);
tarn_status tn_host_stream_synchronize_until(void *p, void *stream, uint64_t deadline_ns);
tarn_status tn_host_event_synchronize_until(void *p, void *event, uint64_t deadline_ns);
tarn_status tn_host_device_synchronize_until(void *p, int device, uint64_t deadline_ns);
tarn_status tn_host_event_create(void *p, void **event);
void tn_host_event_destroy(void *p, void *event);
tarn_status tn_host_event_record(void *p, void *event, void *stream);
tarn_status tn_host_event_query(void *p, void *event);
tarn_status tn_host_event_synchronize(void *p, void *event);
tarn_status tn_host_event_elapsed(void *p, void *start, void *end, int64_t *elapsed_ns);
tarn_status tn_host_copy(void *p, void *stream, const tarn_backend_copy *desc);
tarn_status tn_host_fill(void *p, void *stream, const tarn_backend_fill *desc);
tarn_status tn_host_array_map(void *p, void *stream, const tarn_backend_array_item *items,
                              size_t count);
tarn_status tn_host_array_copy(void *p, void *stream, const tarn_backend_array_copy *desc);

#endif
