// SPDX-License-Identifier: Apache-2.0
// The segments of the recorded allocator; see segments.h. PyTorch maps expandable segments by
// handles of 20 MiB, and those of small blocks by handles of 2 MiB.
#include "trace/segments.h"

#define LARGE_HANDLE (UINT64_C(20) << 20)
#define SMALL_HANDLE (UINT64_C(2) << 20)

static bool is_large(const struct tn_action *action) {
    return action->size % LARGE_HANDLE == 0;
}

static uint64_t count_handles(uint64_t bytes, uint64_t handle) {
    return bytes / handle + (bytes % handle != 0);
}

static uint64_t handles_of(const struct tn_action *action) {
    return count_handles(action->size, is_large(action) ? LARGE_HANDLE : SMALL_HANDLE);
}

// Contradictory recordings may release more than they held.
static void subtract_held(uint64_t *held, uint64_t bytes) {
    *held -= bytes < *held ? bytes : *held;
}

static void count_call(struct tn_trace_calls *calls, const struct tn_action *action) {
    switch (action->kind) {
    case TN_ACTION_SEGMENT_ALLOC:
        calls->allocs++;
        calls->alloc_bytes += action->size;
        break;
    case TN_ACTION_SEGMENT_FREE:
        calls->frees++;
        break;
    case TN_ACTION_SEGMENT_MAP:
        calls->creates += handles_of(action);
        calls->create_bytes += action->size;
        break;
    case TN_ACTION_SEGMENT_UNMAP:
        calls->releases += handles_of(action);
        break;
    default:
        return;
    }
    calls->segment_events++;
}

// Goes back from the state after the action to the state before it. Returns false if they
// contradict each other.
static bool undo_action(struct tn_segments *held, const struct tn_action *action) {
    uint64_t *mapped = is_large(action) ? &held->large_bytes : &held->small_bytes;
    switch (action->kind) {
    case TN_ACTION_SEGMENT_ALLOC:
        subtract_held(&held->plain, 1);
        return !__builtin_sub_overflow(held->bytes, action->size, &held->bytes);
    case TN_ACTION_SEGMENT_FREE:
        held->plain++;
        return !__builtin_add_overflow(held->bytes, action->size, &held->bytes);
    case TN_ACTION_SEGMENT_MAP:
        subtract_held(mapped, action->size);
        return !__builtin_sub_overflow(held->bytes, action->size, &held->bytes);
    case TN_ACTION_SEGMENT_UNMAP:
        *mapped += action->size;
        return !__builtin_add_overflow(held->bytes, action->size, &held->bytes);
    default:
        return true;
    }
}

// The allocator had to get what it held at the start, too.
static void count_start(struct tn_trace_calls *calls, const struct tn_segments *start) {
    uint64_t plain_bytes = start->bytes;
    uint64_t handles = count_handles(start->large_bytes, LARGE_HANDLE) +
                       count_handles(start->small_bytes, SMALL_HANDLE);
    subtract_held(&plain_bytes, start->large_bytes);
    subtract_held(&plain_bytes, start->small_bytes);
    calls->starting_segments = start->plain + handles;
    calls->allocs += start->plain;
    calls->alloc_bytes += plain_bytes;
    calls->creates += handles;
    calls->create_bytes += start->bytes - plain_bytes;
}

tarn_status tn_segments_walk(const struct tn_history *history, struct tn_builder *builder,
                             struct tn_trace_device *device) {
    struct tn_segments held = history->segments_at_end;
    struct tn_trace_calls calls = {0};
    uint64_t peak = held.bytes;
    for (size_t i = history->action_count; i-- > 0;) {
        const struct tn_action *action = &history->actions[i];
        if (!undo_action(&held, action))
            return tn_builder_note(builder,
                                   "device %u, event %zu: the segments do not add up; "
                                   "the reserved bytes are unknown",
                                   history->device, i);
        count_call(&calls, action);
        peak = held.bytes > peak ? held.bytes : peak;
    }
    count_start(&calls, &held);
    device->says_reserved = true;
    device->reserved_at_start = held.bytes;
    device->reserved_peak = peak;
    device->reserved_at_end = history->segments_at_end.bytes;
    device->calls = calls;
    return TARN_OK;
}
