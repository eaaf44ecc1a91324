// SPDX-License-Identifier: Apache-2.0
// Streams and events of a simulated platform. There are no threads: work is done at once, by the
// caller who gives it, in no real time and some virtual time. Only when a stream is busy, because
// one of its host functions is running on another thread (or gives work to its own stream), or
// because it waits for an event that such a stream has yet to reach, is work queued; whoever ends
// the obstacle does it.
//
// The first violation makes a stream faulty for good; what is queued behind it is dropped. An event
// that was to be recorded there counts as passed, so that others go on; asking it tells the fault.
#ifndef TARN_BACKEND_SIM_ENGINE_H
#define TARN_BACKEND_SIM_ENGINE_H

#include <tarn/backend.h>

#include "base/lock.h"

struct tn_sim;
struct tn_sim_stream;

#define TN_SIM_FAULT_TEXT 256

struct tn_sim_engine {
    struct tn_mutex lock; // guards all streams, events and points
    struct tn_cond done;  // some work was completed
    struct tn_sim_stream *streams;
    uint64_t parked; // streams whose head waits for an event
    bool forked;     // this is a child: what was running stays with the parent
};

// A place in a stream where an event was recorded. Shared by the event, the work that will pass it
// and the work that waits for it.
struct tn_sim_point {
    unsigned refs;
    bool passed;
    bool faulted;
    uint64_t time_ns; // virtual, of passing
    char text[TN_SIM_FAULT_TEXT];
};

enum tn_sim_op_kind {
    TN_SIM_OP_COPY,
    TN_SIM_OP_FILL,
    TN_SIM_OP_CALL,
    TN_SIM_OP_WAIT,
    TN_SIM_OP_RECORD,
    TN_SIM_OP_REMAP,
    TN_SIM_OP_BOX,
};

struct tn_sim_op {
    struct tn_sim_op *next;
    enum tn_sim_op_kind kind;
    union {
        tarn_backend_copy copy;
        tarn_backend_fill fill;
        struct {
            void (*fn)(void *);
            void *arg;
        } call;
        struct tn_sim_point *point; // a reference
        struct tn_sim_remap *remap; // owned
        tarn_backend_array_copy box;
    } of;
};

struct tn_sim_stream {
    struct tn_sim_stream *next, *prev;
    int device;   // constant
    bool running; // some thread is at it, without the lock
    bool parked;  // the head waits for a point
    bool faulted;
    uint64_t given; // operations
    uint64_t done;  // of these, complete or dropped
    struct tn_sim_op *head, *tail;
    char text[TN_SIM_FAULT_TEXT];
};

void tn_sim_engine_init(struct tn_sim_engine *engine);
void tn_sim_engine_fini(struct tn_sim_engine *engine);
void tn_sim_engine_fork_child(struct tn_sim_engine *engine);

// Gives the operation to the stream; a point or remap in it is taken over, also when this fails,
// which gives back no reference of a remap.
// DEVICE_FAULT: the stream is faulty. NO_HOST_MEMORY: it has to be queued and cannot be.
tarn_status tn_sim_op_submit(struct tn_sim *sim, struct tn_sim_stream *s,
                             const struct tn_sim_op *op);

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
// Changes what is mapped in arrays, or gives up the references held for that. No lock is held. Both
// free the remap.
void tn_sim_remap_run(struct tn_sim *sim, struct tn_sim_remap *remap);
void tn_sim_remap_drop(struct tn_sim_remap *remap);

// Waits until some work is complete, or the deadline (CLOCK_MONOTONIC, nanoseconds). False: it has
// passed. Under the engine's lock.
bool tn_sim_wait_until(struct tn_sim *sim, uint64_t deadline_ns);

// Drops a reference. Under the engine's lock.
void tn_sim_point_unref(struct tn_sim_point *point);

#endif
