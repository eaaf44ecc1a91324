// SPDX-License-Identifier: Apache-2.0
// Events, and the waits of streams for them. An event follows the failure of the stream that last
// recorded it. Any thread may call these functions. INVALID_HANDLE: not an event; an unknown stream
// is CONTEXT_DESTROYED.
#pragma once

#include "compat/runtime/graph/op.h"

// Flags of events that the runtime knows. A face may pass others, which have no effect.
enum { TN_RT_EVENT_NO_TIMING = 2, TN_RT_EVENT_SHARED = 4 };

// Makes an event of the current device; ends it. INVALID_VALUE: the output is NULL, or a shared event
// has timing. The face has checked the other flags.
tn_rt_error tn_rt_event_new(void *handle, unsigned flags);
tn_rt_error tn_rt_event_end(void *handle);

// Records an event in a stream of its device, or in the capture of the stream. In a capture an
// EXTERNAL record becomes a node. INVALID_VALUE: other flags.
enum { TN_RT_EVENT_EXTERNAL = 1 };
tn_rt_error tn_rt_event_record_with(void *event, void *stream, unsigned flags);
// Makes later work of the stream wait for the last record; in a capture, EXTERNAL makes a node that
// does it at each launch. INVALID_VALUE: other flags; INVALID_HANDLE for an unknown stream too.
tn_rt_error tn_rt_event_wait(void *stream, void *event, unsigned flags);

// Describe the record of an event and the wait for one, by a pointer to its handle, for a node;
// write the handle. INVALID_VALUE: the handle is NULL.
tn_rt_error tn_rt_read_record(const void *event, struct tn_rt_op *op);
tn_rt_error tn_rt_read_wait(const void *event, struct tn_rt_op *op);
tn_rt_error tn_rt_write_event(const struct tn_rt_op *op, void *event);

// Return NOT_READY while the work before the last record is pending, or wait for it.
tn_rt_error tn_rt_event_query(void *event);
tn_rt_error tn_rt_event_synchronize(void *event);

// Returns the time between two records, in milliseconds. INVALID_VALUE: `ms` is NULL.
tn_rt_error tn_rt_event_elapsed(float *ms, void *start, void *stop);

// Exports an event to other processes by a tarn_key, and opens one of another process.
// INVALID_CONFIGURATION: it is not shared; INVALID_CONTEXT: the key is one of this process;
// INVALID_VALUE: the output is NULL, or not a key.
tn_rt_error tn_rt_event_export(void *event, void *key);
tn_rt_error tn_rt_event_import(void *handle, const void *key);
