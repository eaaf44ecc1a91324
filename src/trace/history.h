// SPDX-License-Identifier: Apache-2.0
// A history: the recorded actions of one device of a snapshot, and the blocks that it held at the
// end. A recording may lack its beginning, so the state at its start is derived. The snapshot
// reader owns it. One thread at a time.
#ifndef TARN_TRACE_HISTORY_H
#define TARN_TRACE_HISTORY_H

#include "trace/builder.h"

// X(NAME, "as recorded")
#define TN_ACTION_LIST(X)                                                                          \
    X(ALLOC, "alloc")                                                                              \
    X(FREE_REQUESTED, "free_requested")                                                            \
    X(FREE_COMPLETED, "free_completed")                                                            \
    X(SEGMENT_ALLOC, "segment_alloc")                                                              \
    X(SEGMENT_FREE, "segment_free")                                                                \
    X(SEGMENT_MAP, "segment_map")                                                                  \
    X(SEGMENT_UNMAP, "segment_unmap")                                                              \
    X(OOM, "oom")                                                                                  \
    X(SNAPSHOT, "snapshot")

enum tn_action_kind {
#define TN_ACTION_ENUM(name, text) TN_ACTION_##name,
    TN_ACTION_LIST(TN_ACTION_ENUM)
#undef TN_ACTION_ENUM
        TN_ACTION_UNKNOWN
};

struct tn_action {
    uint64_t address;
    uint64_t size;
    uint64_t stream;
    uint64_t time_us;
    enum tn_action_kind kind;
};

// A block that was live, or waited for other streams, when the recording ended.
struct tn_held {
    uint64_t address;
    uint64_t size; // requested bytes
    uint64_t stream;
    uint32_t device;
};

// The segments of a device at one moment.
struct tn_segments {
    uint64_t bytes;       // of all segments
    uint64_t plain;       // number of segments that are device allocations
    uint64_t large_bytes; // mapped into expandable segments of large blocks
    uint64_t small_bytes; // and of small blocks
};

// A phase that the program announced.
struct tn_phase {
    uint64_t time_us;
    const char *name; // not terminated
    size_t name_length;
    uint32_t device;
};

struct tn_history {
    uint32_t device;
    const struct tn_action *actions;
    size_t action_count;
    const struct tn_held *held; // of all devices, as are the phases
    size_t held_count;
    const struct tn_phase *phases; // in order of time
    size_t phase_count;
    struct tn_segments segments_at_end;
};

// Adds the device to the trace. Contradictions become notes, not failures.
tarn_status tn_history_add(const struct tn_history *history, struct tn_builder *builder);

#endif
