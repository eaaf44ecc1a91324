// SPDX-License-Identifier: Apache-2.0
// Streams and events by handle. The table holds one reference to each record, and each call that
// uses the record holds another. So a destroy during a call takes effect when that call ends.
#pragma once

#include "core/platform/platform.h"

struct tn_clock_stamp;
struct tn_event_page;
struct tn_vector_clock;

struct tn_stream_or_event {
    struct tarn_device *device;
    void *backend; // its stream or event
    bool is_event;
    bool retired; // of a stream whose end is no wait of the program; set once it is in no table
    _Atomic unsigned refs;      // acq_rel: the last reference destroys
    uint64_t id;                // its handle, from creation on
    struct tn_event_page *page; // of an event that processes share (event_shared.c), else NULL
    struct tn_host_call *calls; // records of host functions that have not run (stream_call.c)
    struct tn_stage *stages;    // sources of copies that have not run (stage.c)
    _Atomic(struct tn_vector_clock *) clock; // of a stream; NULL until needed
    _Atomic(struct tn_clock_stamp *) stamp;  // of an event; NULL until needed
};

// Gets the live stream or event with one more reference. BAD_HANDLE, FORKED; recorded.
tarn_status tn_stream_get(tarn_stream id, struct tn_stream_or_event **stream);
tarn_status tn_event_get(tarn_event id, struct tn_stream_or_event **event);

// tn_stream_get() for a handle that may have ended: no event is emitted then.
tarn_status tn_stream_find(tarn_stream id, struct tn_stream_or_event **stream);

// Drops a reference to either.
void tn_stream_put(struct tn_stream_or_event *object);

static inline void tn_stream_scope_put(struct tn_stream_or_event *const *object) {
    if (*object != NULL) tn_stream_put(*object);
}

// Stands before the declaration of a pointer to a stream or an event, or NULL. The end of the block
// drops a reference.
#define TN_STREAM_HELD __attribute__((cleanup(tn_stream_scope_put)))

// A declaration: a pointer to a stream or an event, held until the end of the block. `step` sets it,
// or returns the status with which the enclosing function returns.
#define TN_STREAM_GET(name, step)                                                                  \
    TN_STREAM_HELD struct tn_stream_or_event *name = NULL;                                         \
    TN_TRY(step)

// Returns the clock of a stream, without a reference, or NULL without host memory.
struct tn_vector_clock *tn_stream_clock(struct tn_stream_or_event *stream);

// tarn_stream_synchronize() and tarn_event_synchronize() for a pool, which may hold its locks:
// release thresholds are not applied.
tarn_status tn_stream_synchronize_quietly(tarn_stream stream);
tarn_status tn_event_synchronize_quietly(tarn_event event);
