// SPDX-License-Identifier: Apache-2.0
// Events, and the waits of streams for them. An event follows the failure of the stream that last
// recorded it. Any thread may call these functions. They fail with INVALID_HANDLE if a handle is
// not an event, and with CONTEXT_DESTROYED if a stream is unknown.
#pragma once

#include "compat/runtime/graph/op.h"

// Flags of events that the runtime knows. A face may pass others, which have no effect.
enum { TN_RT_EVENT_NO_TIMING = 2, TN_RT_EVENT_SHARED = 4 };

// The first function makes an event of the current device, and fails with INVALID_VALUE if the
// output is NULL, or if a shared event has timing. The face has checked the other flags. The second
// function ends an event.
tn_rt_error tn_rt_event_new(void *handle, unsigned flags);
tn_rt_error tn_rt_event_end(void *handle);

// Records an event in a stream of its device, or in the capture of the stream. In a capture an
// EXTERNAL record becomes a node. Fails with INVALID_VALUE if there are other flags.
enum { TN_RT_EVENT_EXTERNAL = 1 };
tn_rt_error tn_rt_event_record_with(void *event, void *stream, unsigned flags);
// Makes later work of the stream wait for the last record. In a capture, EXTERNAL makes a node that
// does it at each launch. Fails with INVALID_VALUE if there are other flags, and with
// INVALID_HANDLE for an unknown stream, too.
tn_rt_error tn_rt_event_wait(void *stream, void *event, unsigned flags);

// The first two functions describe the record of an event and the wait for one, by a pointer to its
// handle, for a node. The third one writes the handle. All fail with INVALID_VALUE if the handle is
// NULL.
tn_rt_error tn_rt_read_record(const void *event, struct tn_rt_op *op);
tn_rt_error tn_rt_read_wait(const void *event, struct tn_rt_op *op);
tn_rt_error tn_rt_write_event(const struct tn_rt_op *op, void *event);

// The first function returns NOT_READY while the work before the last record is pending, and the
// second one waits for that work.
tn_rt_error tn_rt_event_query(void *event);
tn_rt_error tn_rt_event_synchronize(void *event);

// Returns the time between two records, in milliseconds. Fails with INVALID_VALUE if `ms` is NULL.
tn_rt_error tn_rt_event_elapsed(float *ms, void *start, void *stop);

// The first function exports an event to other processes by a tarn_key, and fails with
// INVALID_CONFIGURATION if the event is not shared. The second one opens an event of another
// process. It fails with INVALID_CONTEXT if the key is one of this process, and with INVALID_VALUE
// if the output is NULL, or `key` is not a key.
tn_rt_error tn_rt_event_export(void *event, void *key);
tn_rt_error tn_rt_event_import(void *handle, const void *key);
