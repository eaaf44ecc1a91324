// SPDX-License-Identifier: Apache-2.0
// Functions that Tarn calls in stream order, and the failure that one of them leaves on its stream.
#pragma once

#include <stdalign.h>
#include <stdatomic.h>

#include "compat/runtime/stream/order.h"

// The permanent error of a stream, left by a host function or kernel. The stream shares it with the
// events that were recorded on it, and with its calls, which may run on branches of a graph.
struct tn_rt_failure {
    _Atomic(uint32_t) refs;
    _Atomic(bool) written; // one call writes it
    char text[TN_RT_TEXT]; // written before `error`
    _Atomic(tn_rt_error) error;
};

// Returns TN_RT_OK, or decides the failure's error. NULL means no failure.
tn_rt_error tn_rt_failure_check(const struct tn_rt_failure *failure);

// Ends the failure of a stream that works again.
void tn_rt_failure_clear(struct tn_rt_failure *failure);

// Drops a reference. NULL is allowed.
void tn_rt_failure_put(struct tn_rt_failure *failure);

// For run() of an op: calls fn(a copy of the `size` bytes at `closure`, aligned) in stream order,
// on a thread of Tarn. With TARN_STREAM_NONE it calls fn(closure) at once. If fn fails, its error
// and the text that it passed to tn_rt_fail() become the stream's failure. Synchronisation reports
// the failure, and later work of the stream is dropped: calls always, other work if the platform
// has tarn_stream_fail(). fn must not wait for streams.
#define TN_RT_CLOSURE_ALIGNMENT 64
tn_rt_error tn_rt_call(const struct tn_rt_where *where, tn_rt_error (*fn)(const void *closure),
                       const void *closure, size_t size);

// The same in parts, which run in parallel and share the copy of the closure: see tarn_stream_run().
// Each part runs, even if another has failed; the first failure counts.
tn_rt_error tn_rt_call_parts(const struct tn_rt_where *where,
                             tn_rt_error (*fn)(void *closure, uint64_t part), void *closure,
                             size_t size, uint64_t parts);

// Frees the calls that a failed stream has dropped. The stream is idle.
void tn_rt_stream_drop_calls(struct tn_rt_stream *stream);
