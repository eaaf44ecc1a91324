// SPDX-License-Identifier: Apache-2.0
// Who does a copy or a fill: a device, and the stream when there is one. It lives on the stack of
// the call that gives the work.
#ifndef TARN_CORE_WORK_EXECUTOR_H
#define TARN_CORE_WORK_EXECUTOR_H

#include "core/work/stream.h"

struct tn_executor {
    struct tarn_device *device;
    struct tn_stream_or_event *stream; // a reference, or NULL
    tarn_stream id;                    // its handle, or TARN_STREAM_NONE
};

// `device` may be NULL with a stream. BAD_ARGUMENT: no device, or not the stream's; BAD_HANDLE;
// FORKED. Recorded.
tarn_status tn_executor_get(struct tarn_device *device, tarn_stream stream,
                            struct tn_executor *executor);
void tn_executor_put(const struct tn_executor *executor);

// What the backend gets: NULL without a stream.
static inline void *tn_executor_stream(const struct tn_executor *executor) {
    return executor->stream != NULL ? executor->stream->backend : NULL;
}

// The ordinals of further devices, -1 for NULL. BAD_ARGUMENT: of another platform. Recorded.
tarn_status tn_executor_peers(const struct tn_executor *executor, tarn_device *const peers[2],
                              int ordinals[2]);

// Counts work that the backend has taken.
void tn_executor_count(const struct tn_executor *executor, uint64_t bytes);

#endif
