// SPDX-License-Identifier: Apache-2.0
// Shared by capture.c and capture_stream.c only. Callers hold tn_rt_plan_lock unless stated
// otherwise.
#pragma once

#include "compat/runtime/graph/graph.h"
#include "compat/runtime/stream/capture.h"
#include "compat/runtime/stream/stream.h"

struct tn_rt_capture {
    uint32_t refs; // from places and from the list
    unsigned long long id;
    enum tn_rt_capture_mode mode;
    uint64_t thread; // the one that began it
    bool invalid;
    bool over;
    struct tn_face_device *device;
    struct tn_rt_stream *origin; // no reference: a stream leaves before it is destroyed
    struct tn_rt_graph *graph;   // with the reference of its handle, until the end
    bool lent;                   // the graph is the program's; with another reference
    struct tn_rt_capture *next;  // in the list of active captures
};

// Begins a capture, whose mode, thread, device, origin and graph are set: lists it and lets the
// stream take part.
void tn_rt_capture_enter(struct tn_rt_stream *stream, struct tn_rt_capture *capture);

// Ends a capture: all streams leave. The caller gets the graph and its reference.
struct tn_rt_captured {
    struct tn_rt_graph *graph;
    bool lent;
};
struct tn_rt_captured tn_rt_capture_finish(struct tn_rt_capture *capture);

// Removes a stream from its capture, if it captures: the capture becomes invalid, or ends if it
// began there. The caller then gets the graph; else there is none.
struct tn_rt_captured tn_rt_capture_abandon(struct tn_rt_stream *stream);

// Drops the reference, and closes a graph that is not the program's. The caller holds no lock.
void tn_rt_capture_discard(const struct tn_rt_captured *captured);

// Makes the stream's next node depend on the nodes of `named`, which is of the same capture: also,
// or with `replace` instead of those so far. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_capture_update(struct tn_rt_stream *stream, const struct tn_rt_place *named,
                                 bool replace);

// Decides TN_RT_CAPTURE_INVALIDATED.
tn_rt_error tn_rt_capture_invalidated(const struct tn_rt_capture *capture);

// Returns true if a blocking stream of any device captures; needs no lock.
bool tn_rt_capture_is_blocking(void);

// Returns true if the stream is a NULL stream that would wait for a capturing one; needs no lock.
// The second function decides the error for it.
bool tn_rt_capture_is_implied(const struct tn_rt_stream *stream);
tn_rt_error tn_rt_capture_implied(const struct tn_rt_stream *null);

// Returns a number for the calling thread that is never used again. The second function sets the
// thread's capture mode and returns the previous one. Neither needs the lock.
uint64_t tn_rt_capture_thread(void);
enum tn_rt_capture_mode tn_rt_capture_set_mode(enum tn_rt_capture_mode mode);
