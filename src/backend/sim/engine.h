// SPDX-License-Identifier: Apache-2.0
// Streams and events of a simulated platform. There are no threads: the thread that submits an
// operation runs it at once, in virtual time. It is queued only if the stream is busy. A stream is
// busy while one of its host functions runs (on another thread, or submitting to its own stream),
// or while it waits for an event of a busy stream. The thread that ends this state runs the queue.
#pragma once

#include <tarn/backend.h>

#include "backend/soft/point.h"
#include "base/lock.h"

struct tn_sim;
struct tn_sim_stream;

// The first violation stops a stream for good, and the operations behind it are dropped. An
// event whose record is dropped counts as passed, so waiting streams continue; its queries return
// the failure.
struct tn_sim_engine {
    struct tn_mutex lock; // guards all streams, events, points and failures
    struct tn_cond done;  // an operation was completed
    struct tn_sim_stream *streams;
    uint64_t waiting; // number of streams with `waiting`
    bool forked;      // this process is a child: running operations stayed with the parent
};

enum tn_sim_op_kind {
    TN_SIM_OP_COPY,
    TN_SIM_OP_FILL,
    TN_SIM_OP_CALL,
    TN_SIM_OP_RUN,
    TN_SIM_OP_WAIT,
    TN_SIM_OP_RECORD,
    TN_SIM_OP_REMAP,
    TN_SIM_OP_BOX,
};

struct tn_sim_op {
    struct tn_sim_op *next;
    enum tn_sim_op_kind kind;
    bool follows; // WAIT: takes over the failure behind which the record was dropped
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
        struct tn_soft_point *point; // a reference
        struct tn_sim_remap *remap;  // owned
        tarn_backend_array_copy box;
    } of;
};

struct tn_sim_stream {
    struct tn_sim_stream *next, *prev;
    int device;   // constant
    bool running; // a thread runs an operation of it, without the lock
    bool waiting; // the head cannot run yet
    bool failed;
    struct tn_soft_failure
        *failure;       // allocated with the stream, so that recording a failure cannot fail
    uint64_t submitted; // number of operations
    uint64_t done;      // number of these that are complete or dropped
    struct tn_sim_op *head, *tail;
};

void tn_sim_engine_init(struct tn_sim_engine *engine);
void tn_sim_engine_fini(struct tn_sim_engine *engine);
void tn_sim_engine_fork_child(struct tn_sim_engine *engine);

// Submits the operation to the stream, which owns the point or remap in it, even on failure. A
// failure releases no reference of a remap. DEVICE_FAILED: the stream has failed. NO_HOST_MEMORY:
// the operation cannot be queued. FORKED.
tarn_status tn_sim_op_submit(struct tn_sim *sim, struct tn_sim_stream *s,
                             const struct tn_sim_op *op);
// The same under the engine's lock, which it releases while it runs operations.
tarn_status tn_sim_op_submit_locked(struct tn_sim *sim, struct tn_sim_stream *s,
                                    const struct tn_sim_op *op);

// Returns OK, FORKED or DEVICE_FAILED. Under the engine's lock.
tarn_status tn_sim_stream_status(const struct tn_sim *sim, const struct tn_sim_stream *s);

struct tn_sim_violation;

// move.c. Checks and runs a copy or fill. Returns false if it violates a rule.
bool tn_sim_move_run(struct tn_sim *sim, const struct tn_sim_op *op,
                     struct tn_sim_violation *violation);
// Charges the time of a copy of so many bytes, within device memory or over the link.
void tn_sim_charge_copy(struct tn_sim *sim, uint64_t bytes, bool inside);

// array.c. Checks and charges the copy of a box.
bool tn_sim_box_run(struct tn_sim *sim, const tarn_backend_array_copy *copy,
                    struct tn_sim_violation *violation);
tarn_status tn_sim_remap_new(const tarn_backend_array_item *items, size_t count,
                             struct tn_sim_remap **remap);
// Change the owners of tiles, or release the references of the remap. Both free the remap. No lock
// is held.
void tn_sim_remap_run(struct tn_sim *sim, struct tn_sim_remap *remap);
void tn_sim_remap_drop(struct tn_sim_remap *remap);

// Waits until an operation is complete. Returns false if the deadline (CLOCK_MONOTONIC,
// nanoseconds) passed. Under the engine's lock.
bool tn_sim_wait_until(struct tn_sim *sim, uint64_t deadline_ns);
