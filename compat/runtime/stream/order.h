// SPDX-License-Identifier: Apache-2.0
// Work and its order. Each piece of work is described as a tn_rt_op by the file that implements it.
// If its stream captures, order.c adds it to the graph. Otherwise order.c submits it to a stream of Tarn, behind the work that
// precedes it by the legacy rule for the NULL stream; see stream.h.
#pragma once

#include "compat/runtime/graph/op.h"
#include "compat/runtime/stream/policy.h"

// The handles of streams that every program has: the NULL stream of the current device, whose other
// handle is NULL, and the calling thread's stream on that device.
#define TN_RT_STREAM_LEGACY     ((void *)1)
#define TN_RT_STREAM_PER_THREAD ((void *)2)

// While it is true, NULL means the stream of the calling thread for its calls, and with the policy
// `legacy_per_thread` so does the other handle of the NULL stream.
extern _Thread_local bool tn_rt_null_is_of_thread;

// Sets it while the enclosing block runs.
#define TN_RT_OF_THREAD                                                                            \
    __attribute__((cleanup(tn_rt_leave_thread), unused)) bool of_thread_before =                   \
        tn_rt_null_is_of_thread;                                                                   \
    tn_rt_null_is_of_thread = true
static inline void tn_rt_leave_thread(const bool *before) { tn_rt_null_is_of_thread = *before; }

// Submits a piece of work to a stream. Returns the result of run(),
// the policy's `dead_handle` for an unknown stream, or the error of an invalid capture.
tn_rt_error tn_rt_submit(void *stream, const struct tn_rt_op *op);

// The same, and waits until the work is complete. Fails with CAPTURE_UNSUPPORTED while the stream
// captures. The caller has checked that no capture forbids the call.
tn_rt_error tn_rt_submit_and_wait(void *stream, const struct tn_rt_op *op);

// The place of work in the order of several streams: it runs on `home`, after the work submitted
// earlier to `others`, and their later work waits for it.
struct tn_rt_order {
    struct tn_rt_stream *home;
    struct tn_rt_stream *others[2]; // NULL: none
};

// The same as the two functions above, for streams to which the caller holds references.
tn_rt_error tn_rt_submit_to(const struct tn_rt_order *order, const struct tn_rt_op *op);
tn_rt_error tn_rt_submit_to_and_wait(const struct tn_rt_order *order, const struct tn_rt_op *op);

// Returns true if work precedes the next piece of work in this order.
bool tn_rt_order_is_busy(const struct tn_rt_order *order);

// Brackets work that is not captured, such as allocation from pools. Between begin and end
// the stream stays alive, and work on where->stream is ordered as by tn_rt_submit().
// TN_RT_CAPTURE_UNSUPPORTED while the stream captures.
tn_rt_error tn_rt_stream_begin(void *stream, struct tn_rt_where *where);
void tn_rt_stream_end(const struct tn_rt_where *where);

// The same for a stream to which the caller holds a reference. The end is tn_rt_stream_submitted(),
// or tn_rt_stream_marked() for allocations and frees, which enqueue nothing.
tn_rt_error tn_rt_stream_begin_on(struct tn_rt_stream *stream, struct tn_rt_where *where);

// Query a stream, or wait for it or for all streams of a device. A query returns NOT_READY while
// work is pending. All return the failure of a stream. A capture may forbid the call, and is
// invalid then.
tn_rt_error tn_rt_query(void *stream);
tn_rt_error tn_rt_synchronize(void *stream);
tn_rt_error tn_rt_synchronize_device(struct tn_face_device *device);

// The error of a call for which an unknown stream is TN_RT_INVALID_HANDLE, as vendors have it for
// pools and for waits.
static inline tn_rt_error tn_rt_invalid_stream(tn_rt_error error) {
    return error == TN_RT_CONTEXT_DESTROYED ? TN_RT_INVALID_HANDLE : error;
}

// Returns TN_RT_OK if the calling thread may now make the calls that a capture can forbid, such as
// allocations and frees. Else TN_RT_CAPTURE_UNSUPPORTED, and the captures that forbid it are
// invalid. The second function forbids calls that only the policy `capture_forbids_settings`
// forbids.
tn_rt_error tn_rt_capture_allows(void);
static inline tn_rt_error tn_rt_capture_allows_settings(void) {
    return tn_rt_stream_policy.capture_forbids_settings ? tn_rt_capture_allows() : TN_RT_OK;
}

// The same for synchronous copies and fills, which every capture forbids. Fails with
// CAPTURE_IMPLICIT while there is a capture that does.
tn_rt_error tn_rt_capture_check_synchronous(void);
