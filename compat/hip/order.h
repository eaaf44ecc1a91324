// SPDX-License-Identifier: Apache-2.0
// Work and its order. A piece of work - a copy, a fill, a host function, a kernel - is described
// once, as a tn_hip_op, by the file that knows it; order.c decides where it goes: into a stream of
// Tarn behind what HIP's rules say must come first (the NULL stream and the blocking streams of a
// device wait for each other), or, while the stream is being captured, into a graph that runs it
// later.
#ifndef TARN_COMPAT_HIP_ORDER_H
#define TARN_COMPAT_HIP_ORDER_H

#include <stdalign.h>

#include "compat/hip/face.h"

struct tn_hip_stream; // stream.h

// Where a piece of work runs. Without a stream (TARN_STREAM_NONE) it is done when run() returns.
struct tn_hip_where {
    struct tn_hip_device *device;
    tarn_stream stream;
    struct tn_hip_stream *owner; // of `stream`, for tn_hip_call(); NULL without one
};

enum tn_hip_work {
    TN_HIP_WORK_COPY,
    TN_HIP_WORK_FILL,
    TN_HIP_WORK_HOST,
    TN_HIP_WORK_KERNEL,
    TN_HIP_WORK_GRAPH
};

#define TN_HIP_PAYLOAD 256

struct tn_hip_op {
    enum tn_hip_work work;
    // Gives the work to where->stream, or does it. May be called several times, by graphs. What it
    // gives must not refer to the payload once run() has returned: a graph may be gone before its
    // work is done.
    hipError_t (*run)(const void *payload, const struct tn_hip_where *where);
    // A graph has copied the payload and will keep it: makes the copy own what it points to. NULL:
    // plain bytes. drop() undoes it.
    hipError_t (*keep)(void *payload);
    void (*drop)(void *payload);
    alignas(16) unsigned char payload[TN_HIP_PAYLOAD];
};

// Gives a piece of work to a stream. hipErrorInvalidHandle: no such stream; what run() says; the
// errors of a capture that has gone wrong.
hipError_t tn_hip_submit(hipStream_t stream, const struct tn_hip_op *op);

// The same, and waits until it is done. While the stream captures:
// hipErrorStreamCaptureUnsupported, or hipErrorStreamCaptureImplicit for the NULL stream.
hipError_t tn_hip_submit_and_wait(hipStream_t stream, const struct tn_hip_op *op);

// A stream held for work that cannot be captured (stream-ordered allocation): ordered as by
// tn_hip_submit(), alive until tn_hip_stream_end(). hipErrorStreamCaptureUnsupported while it
// captures.
struct tn_hip_hold {
    struct tn_hip_where where;
    struct tn_face_object *stream; // order.c's own
};
hipError_t tn_hip_stream_begin(hipStream_t stream, struct tn_hip_hold *hold);
void tn_hip_stream_end(struct tn_hip_hold *hold);

// For run(): has fn(a copy of the `size` bytes at `closure`, aligned) called in stream order, on a
// thread of Tarn's; without a stream here and now, on those bytes themselves. What fn returns,
// other than hipSuccess, is the stream's failure: it comes out at synchronisation, with the text
// that fn left by tn_hip_fail(), and what is called behind it is dropped. fn must not wait for
// streams.
#define TN_HIP_CLOSURE_ALIGNMENT 64
hipError_t tn_hip_call(const struct tn_hip_where *where, hipError_t (*fn)(const void *closure),
                       const void *closure, size_t size);

// Whether the calling thread may now do what a capture forbids (hipMalloc and everything that waits
// for other streams): hipSuccess or hipErrorStreamCaptureUnsupported.
hipError_t tn_hip_capture_allows(void);

// The frame of functions that allocate or free: a capture that forbids waiting refuses them too.
#define TN_HIP_UNCAPTURED_CALL(work)                                                               \
    TN_HIP_CALL(tn_hip_capture_allows() != hipSuccess ? hipErrorStreamCaptureUnsupported : (work))

// Waits for all work of the device, then destroys all its streams and events, also the NULL stream
// and those of threads: those come into being again at their next use, the others are gone.
void tn_hip_order_reset(struct tn_hip_device *device);

// Called by order.c after a wait for a stream (device->hip >= 0), so that pools can give memory
// back: the pools' file says what happens then.
void tn_hip_pool_synchronized(struct tn_hip_device *device);

#endif
