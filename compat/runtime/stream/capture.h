// SPDX-License-Identifier: Apache-2.0
// Captures: the streams of each capture, and the work submitted to them, which becomes nodes of a
// graph. Each capturing stream records its place: the nodes that its next operation depends on. An
// event recorded in the stream keeps a copy of the place, and a stream that waits for the event
// adopts it. tn_rt_plan_lock guards all captures. A thread can check without it whether any is
// active.
#pragma once

#include "compat/runtime/graph/plan.h"
#include "compat/runtime/stream/order.h"

// The mode of a capture: the threads whose unsafe calls it forbids.
enum tn_rt_capture_mode {
    TN_RT_CAPTURE_GLOBAL,       // all threads
    TN_RT_CAPTURE_THREAD_LOCAL, // the thread that began it
    TN_RT_CAPTURE_RELAXED       // none
};

struct tn_rt_capture;

struct tn_rt_place {
    struct tn_rt_capture *capture; // with a reference; NULL outside of captures
    uint32_t *nodes;
    uint32_t count;
    uintptr_t stream; // of an event: the handle of the stream that recorded it
};

// ---- for work

// Fails with CAPTURE_UNSUPPORTED if a policy forbids stream-ordered allocation beside the capture
// of a blocking stream. The capture stays valid.
tn_rt_error tn_rt_capture_check_beside(void);

// Checks work that must wait for the stream or run at once. Returns TN_RT_OK, or the error,
// after which the capture is invalid.
tn_rt_error tn_rt_capture_check_stream(struct tn_rt_stream *stream);

// The same for a wait for a device, which every capture forbids, and for a wait for another stream
// or an event. The second is forbidden by captures that this thread began, unless they are relaxed,
// and by global captures of any thread, unless the mode of this thread is relaxed.
tn_rt_error tn_rt_capture_check_devices(void);
tn_rt_error tn_rt_capture_check_wait(void);

// The same for a query of the stream. Queries of a NULL stream, which waits for no work of a
// capture, are never forbidden.
tn_rt_error tn_rt_capture_check_query(struct tn_rt_stream *stream);

// Returns true if the work becomes a node of a graph, or if a capture elsewhere forbids it; *error
// is then the result. Returns false if the caller should submit the work.
bool tn_rt_capture_work(struct tn_rt_stream *stream, const struct tn_rt_op *op, tn_rt_error *error);

// The same for the record of an event, and for a wait. `recorded` is true if the awaited event was
// ever recorded outside of captures.
bool tn_rt_capture_record(struct tn_rt_stream *stream, struct tn_rt_place *event,
                          tn_rt_error *error);
bool tn_rt_capture_wait(struct tn_rt_stream *stream, const struct tn_rt_place *event, bool recorded,
                        tn_rt_error *error);

// Returns TN_RT_CAPTURED_EVENT if the event was last recorded in a capture that has not ended. The
// capture is invalid then.
tn_rt_error tn_rt_capture_check_event(const struct tn_rt_place *event);

// Forgets the place of an event that was recorded elsewhere or is destroyed.
void tn_rt_place_clear(struct tn_rt_place *place);

// ---- for programs: capture_stream.c

// Begins a capture in a stream. Fails with CAPTURE_UNSUPPORTED if the stream is NULL, with
// INVALID_VALUE if `mode` is not a mode, and with ILLEGAL_STATE if the stream captures already. A
// capture that is invalid is abandoned instead.
tn_rt_error tn_rt_capture_begin(void *stream, unsigned mode);

// The same for a capture that adds nodes to a graph of the program. The first of them depends on
// `count` nodes of `nodes`. Fails with NOT_SUPPORTED if `edges`, the data of edges, is not NULL, if
// the graph is the child of a node, or if it has nodes of another device. Fails with INVALID_VALUE
// also if `graph` is not a graph, if only one of `nodes` and `count` is given, or if a node is not
// in the graph.
tn_rt_error tn_rt_capture_begin_in(void *stream, void *graph, const void *nodes, const void *edges,
                                   size_t count, unsigned mode);

// Ends the capture that began in a stream, and gives the graph to the program. A graph of the
// program stays its own, with the nodes that it has then. Fails with INVALID_VALUE if `graph` is
// NULL, with ILLEGAL_STATE if the stream does not capture, with CAPTURE_UNMATCHED if the capture
// began in another stream, and with CAPTURE_WRONG_THREAD if it began on another thread. With
// CAPTURE_INVALIDATED, CAPTURE_UNJOINED and OUT_OF_MEMORY, the capture has ended, and the graph is
// NULL.
tn_rt_error tn_rt_capture_end(void *stream, void *graph);

// Describes the capture of a stream. Every output but `status` may be NULL, and is written only if
// the status is ACTIVE. The nodes are those that the next operation depends on; the stream owns the
// list. Fails with INVALID_VALUE if `status` is NULL, and with CAPTURE_IMPLICIT if the stream is
// NULL while a blocking stream captures.
enum { TN_RT_CAPTURE_NONE, TN_RT_CAPTURE_ACTIVE, TN_RT_CAPTURE_INVALID };
tn_rt_error tn_rt_capture_describe(void *stream, unsigned *status, unsigned long long *id,
                                   void *graph, void *nodes, size_t *count);
static inline tn_rt_error tn_rt_capture_identify(void *stream, void *status,
                                                 unsigned long long *id) {
    return tn_rt_capture_describe(stream, (unsigned *)status, id, NULL, NULL, NULL);
}
// Lets the next operation of a stream depend on nodes of its capture: also, or with REPLACE only.
enum { TN_RT_CAPTURE_ADD, TN_RT_CAPTURE_REPLACE };
tn_rt_error tn_rt_capture_depend(void *stream, const void *nodes, size_t count, unsigned flags);

// Sets the mode of the calling thread, and receives the one before. Fails with INVALID_VALUE if
// `mode` is NULL, or is not a mode.
tn_rt_error tn_rt_capture_exchange_mode(unsigned *mode);

// ---- for streams

// Removes a stream that is being destroyed: its capture becomes invalid, or ends if it began there.
void tn_rt_capture_leave(struct tn_rt_stream *stream);

// Ends all captures of a device, without a graph.
void tn_rt_capture_end_all(const struct tn_face_device *device);
