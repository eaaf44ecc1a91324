// SPDX-License-Identifier: Apache-2.0
// Host functions, functions in parts, and conditions in streams.
#pragma once

#include "core/work/stream.h"

// Enqueues fn(arg). Statuses of the backend, and NO_HOST_MEMORY; recorded.
tarn_status tn_host_call_enqueue(struct tn_stream_or_event *stream, void (*fn)(void *), void *arg);

// Enqueues fn(arg, part) for each part; see tarn_stream_run().
tarn_status tn_run_enqueue(struct tn_stream_or_event *stream, void (*fn)(void *arg, uint64_t part),
                           void *arg, uint64_t parts);

// Enqueues a condition; see tarn_stream_wait_until().
tarn_status tn_condition_enqueue(struct tn_stream_or_event *stream,
                                 tarn_status (*passed)(void *arg, bool dropped), void *arg);

// Returns a new number for the events of a function.
uint64_t tn_host_call_number(void);

// Frees the records of host functions that the stream will not run any more. Its work is over.
void tn_host_call_drop_all(struct tn_stream_or_event *stream);
