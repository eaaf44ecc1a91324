// SPDX-License-Identifier: Apache-2.0
// What capture.c and capture_hip.c share, and nobody else. All under the capture's lock unless said
// otherwise.
#ifndef TARN_COMPAT_HIP_CAPTURE_PARTS_H
#define TARN_COMPAT_HIP_CAPTURE_PARTS_H

#include "compat/hip/capture.h"
#include "compat/hip/graph.h"
#include "compat/hip/stream.h"

struct tn_hip_capture {
    uint32_t refs; // of places, and of the list
    unsigned long long id;
    hipStreamCaptureMode mode;
    uint64_t thread; // that began it
    bool invalid;
    bool over;
    struct tn_hip_device *device;
    struct tn_hip_stream *origin; // not a reference: a stream that goes leaves
    struct tn_hip_graph *graph;   // its handle's reference, until it is told
    struct tn_hip_capture *next;  // of those going on
};

// Begins: the stream takes part, and its capture, whose mode, thread, device, origin and graph are
// set, is counted and listed.
void tn_hip_capture_enter(struct tn_hip_stream *stream, struct tn_hip_capture *capture);

// Ends: all streams leave. The graph is the caller's, to tell or close.
struct tn_hip_graph *tn_hip_capture_finish(struct tn_hip_capture *capture);

// hipErrorStreamCaptureInvalidated, with its text.
hipError_t tn_hip_capture_invalidated(const struct tn_hip_capture *capture);

// Whether the stream is a NULL stream that would wait for a capturing one, without the lock; and
// the error that says so.
bool tn_hip_capture_is_implied(const struct tn_hip_stream *stream);
hipError_t tn_hip_capture_implied(const struct tn_hip_stream *null);

// The calling thread, by a number that is never used again; and sets its mode and returns the one
// before. Without the lock.
uint64_t tn_hip_capture_thread(void);
hipStreamCaptureMode tn_hip_capture_set_mode(hipStreamCaptureMode mode);

#endif
