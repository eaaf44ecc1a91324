// SPDX-License-Identifier: Apache-2.0
// A history: the recorded actions of one device of a snapshot, and the blocks that it held at the
// end. A recording may lack its beginning, so the state at its start is derived. The snapshot
// reader owns it. One thread at a time.
#pragma once

#include "trace/builder.h"

// X(NAME, "as recorded"). Actions before OOM have an address and a size.
#define TN_ACTION_LIST(X)                                                                          \
    X(ALLOC, "alloc")                                                                              \
    X(FREE_REQUESTED, "free_requested")                                                            \
    X(FREE_COMPLETED, "free_completed")                                                            \
    X(SEGMENT_ALLOC, "segment_alloc")                                                              \
    X(SEGMENT_FREE, "segment_free")                                                                \
    X(SEGMENT_MAP, "segment_map")                                                                  \
    X(SEGMENT_UNMAP, "segment_unmap")                                                              \
    X(ANNOTATE, "annotate")                                                                        \
    X(WORKSPACE_SNAPSHOT, "workspace_snapshot")                                                    \
    X(OOM, "oom")                                                                                  \
    X(SNAPSHOT, "snapshot")

#define TN_ACTION_ENUM(name, text) TN_ACTION_##name,
enum tn_action_kind { TN_ACTION_LIST(TN_ACTION_ENUM) TN_ACTION_UNKNOWN };

// Texts and stacks are those of the builder.
struct tn_action {
    uint64_t address; // of OOM: the bytes that the device had free, or UINT64_MAX
    uint64_t size;
    uint64_t stream;
    uint64_t time_us;
    uint64_t where; // its index in the recorded list
    uint32_t stack;
    uint32_t tag;
    enum tn_trace_category category;
    enum tn_action_kind kind;
};

// Returns true if the action is about a segment, is about a mapped one, or gets one.
static inline bool tn_action_is_segment(const struct tn_action *action) {
    return action->kind >= TN_ACTION_SEGMENT_ALLOC && action->kind <= TN_ACTION_SEGMENT_UNMAP;
}
static inline bool tn_action_maps(const struct tn_action *action) {
    return action->kind == TN_ACTION_SEGMENT_MAP || action->kind == TN_ACTION_SEGMENT_UNMAP;
}
static inline bool tn_action_gets(const struct tn_action *action) {
    return action->kind == TN_ACTION_SEGMENT_ALLOC || action->kind == TN_ACTION_SEGMENT_MAP;
}

// A block that was live, or waited for other streams, when the recording ended.
struct tn_held {
    uint64_t address;
    uint64_t size; // requested bytes
    uint64_t occupied;
    uint64_t stream;
    uint32_t device;
    uint32_t stack;
    uint32_t tag;
    enum tn_trace_category category;
    bool waits; // given up, but streams may use it
};

// A segment that the allocator had when the recording ended.
struct tn_held_segment {
    uint64_t address;
    uint64_t bytes;
    uint64_t stream;
    uint32_t device;
    uint32_t stack;
    bool mapped;
    bool is_large;
    bool is_private;
};

// The beginning or the end of a phase that the program announced.
struct tn_phase {
    uint64_t time_us; // phases are sorted by this and the next
    uint64_t order;   // as recorded, because times may be equal
    uint32_t name;
    uint32_t device;
    bool ends;
};

struct tn_history {
    uint32_t device;
    enum tn_trace_device_kind kind;
    bool made_up; // the segments are not those of the recording
    TN_LIST(struct tn_action) actions;
    TN_LIST(struct tn_held) held; // of all devices, as are the segments and the phases
    TN_LIST(struct tn_held_segment) segments;
    TN_LIST(struct tn_phase) phases; // in order of time
};

// Adds the device to the trace. Contradictions become notes, not failures.
tarn_status tn_history_add(const struct tn_history *history, struct tn_builder *builder);
