// SPDX-License-Identifier: Apache-2.0
// Streams and events by handle. Each record is counted: the table holds one reference, each call
// that uses it another, so that a destroy beside a running call takes effect when that call is
// over.
#ifndef TARN_CORE_WORK_STREAM_H
#define TARN_CORE_WORK_STREAM_H

#include <tarn/stream.h>

#include "core/platform/platform.h"

struct tn_order {
    struct tarn_device *device;
    void *backend; // its stream or event
    bool is_event;
    _Atomic unsigned refs; // acq_rel: the last one destroys
    uint64_t id;           // its handle, from creation on
    struct tn_call *calls; // host functions that are told of and have not run (stream_call.c)
};

// The live stream or event with one more reference. BAD_HANDLE, FORKED: recorded.
tarn_status tn_stream_get(tarn_stream id, struct tn_order **stream);
tarn_status tn_event_get(tarn_event id, struct tn_order **event);
void tn_order_put(struct tn_order *order);

// tarn_event_synchronize() for a pool that holds its locks: release thresholds are not applied.
tarn_status tn_event_synchronize_quietly(tarn_event event);

// Forgets host functions that the stream will not run any more. Its work is over.
void tn_stream_drop_calls(struct tn_order *stream);

// Around fork(): the table's lock.
void tn_stream_fork_prepare(void);
void tn_stream_fork_done(void);

#endif
