// SPDX-License-Identifier: Apache-2.0
// The executor of a copy or a fill: a device and possibly a stream. It lives on the stack of the
// call that enqueues the work.
#pragma once

#include "core/address/range.h"
#include "core/work/stream.h"

struct tn_executor {
    struct tarn_device *device;
    struct tn_stream_or_event *stream; // a reference, or NULL
    tarn_stream id;                    // its handle, or TARN_STREAM_NONE
    bool unseen;                       // the work emits no events
};

// `device` may be NULL with a stream. BAD_ARGUMENT: no device, or not the stream's; BAD_HANDLE;
// FORKED; recorded.
tarn_status tn_executor_get(struct tarn_device *device, tarn_stream stream,
                            struct tn_executor *executor);
void tn_executor_put(const struct tn_executor *executor);

// Returns the backend's stream, or NULL.
static inline void *tn_executor_stream(const struct tn_executor *executor) {
    return executor->stream != NULL ? executor->stream->backend : NULL;
}

// Gets the ordinals of further devices, -1 for NULL. BAD_ARGUMENT: one is of another platform;
// recorded.
tarn_status tn_executor_peers(const struct tn_executor *executor, tarn_device *const peers[2],
                              int ordinals[2]);

// Counts work that the backend has accepted.
void tn_executor_count(const struct tn_executor *executor, uint64_t bytes);

// Emits an access that is about to be enqueued. `how`: TN_MEM_READ or TN_MEM_WRITE.
void tn_emit_access(const struct tn_executor *executor, const struct tn_box *box, uint32_t how,
                    const char *call);

// Emits both accesses of a copy that is about to be enqueued; `reader` performs the read. `inside`: the
// bytes stay in memory of devices.
void tn_emit_copy(const struct tn_executor *reader, const struct tn_box *src,
                  const struct tn_executor *writer, const struct tn_box *dst, bool inside,
                  const char *call);

// Checks whether the executor may access the destination of `call` (READ_WRITE) or its source (READ)
// now. A refusal is emitted to subscribers, because it shows a mistake of the program. Fails as
// tn_range_check(), which also writes *is_own. Any thread, without locks of the core.
tarn_status tn_reach_check(const struct tn_executor *executor, const struct tn_box *box,
                           tarn_access need, const struct tn_accessors *accessors, bool *is_own,
                           const char *call);
