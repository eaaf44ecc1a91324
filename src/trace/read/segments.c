// SPDX-License-Identifier: Apache-2.0
// The segments of the recorded allocator; see segments.h. PyTorch maps expandable segments by
// handles of 20 MiB, and those of small blocks by handles of 2 MiB.
#include "trace/read/segments.h"

#include "base/error.h"
#include "trace/ranges.h"

#define LARGE_HANDLE (UINT64_C(20) << 20)
#define SMALL_HANDLE (UINT64_C(2) << 20)

static bool is_large(uint64_t bytes) { return bytes % LARGE_HANDLE == 0; }

static uint64_t count_handles(uint64_t bytes, uint64_t handle) {
    return bytes / handle + (bytes % handle != 0);
}

// The segments of a device at one moment, as sums.
struct held_sums {
    uint64_t bytes;       // of all segments
    uint64_t plain;       // number of segments that are device allocations
    uint64_t large_bytes; // mapped into expandable segments of large blocks
    uint64_t small_bytes; // and of small blocks
};

// Contradictory recordings may release more than they held.
static void subtract_held(uint64_t *held, uint64_t bytes) {
    *held -= bytes < *held ? bytes : *held;
}

static void count_call(struct tn_trace_calls *calls, uint64_t bytes, bool is_mapped, bool gets) {
    uint64_t handles = count_handles(bytes, is_large(bytes) ? LARGE_HANDLE : SMALL_HANDLE);
    calls->segment_events++;
    if (gets) {
        *(is_mapped ? &calls->creates : &calls->allocs) += is_mapped ? handles : 1;
        *(is_mapped ? &calls->create_bytes : &calls->alloc_bytes) += bytes;
    } else {
        *(is_mapped ? &calls->releases : &calls->frees) += is_mapped ? handles : 1;
    }
}

// Goes back from the state after an action of segments to the state before it. Returns false if they
// contradict each other.
static bool undo_action(struct held_sums *held, const struct tn_action *action) {
    bool is_mapped = tn_action_maps(action);
    uint64_t counted = is_mapped ? action->size : 1;
    uint64_t *sum = !is_mapped               ? &held->plain
                    : is_large(action->size) ? &held->large_bytes
                                             : &held->small_bytes;
    if (!tn_action_gets(action)) {
        *sum += counted;
        return !__builtin_add_overflow(held->bytes, action->size, &held->bytes);
    }
    subtract_held(sum, counted);
    return !__builtin_sub_overflow(held->bytes, action->size, &held->bytes);
}

// The allocator had to get what it held at the start, too.
static void count_start(struct tn_trace_calls *calls, const struct held_sums *start) {
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

// ---- sums

static bool sum_end(const struct tn_history *history, struct held_sums *sums) {
    *sums = (struct held_sums){0};
    for (size_t i = 0; i < history->segments.count; i++) {
        const struct tn_held_segment *segment = &history->segments.items[i];
        if (segment->device != history->device) continue;
        if (__builtin_add_overflow(sums->bytes, segment->bytes, &sums->bytes)) return false;
        if (!segment->mapped)
            sums->plain++;
        else
            *(segment->is_large ? &sums->large_bytes : &sums->small_bytes) += segment->bytes;
    }
    return true;
}

static tarn_status note_sums(const struct tn_history *history, struct tn_builder *builder,
                             size_t index) {
    return tn_builder_note(builder,
                           "device_traces[%u][%zu]: the segments do not add up; the reserved bytes "
                           "are unknown",
                           history->device, index);
}

static tarn_status walk_sums(const struct tn_history *history, struct tn_builder *builder,
                             struct tn_trace_device *device) {
    struct held_sums end;
    struct tn_trace_calls calls = {0};
    if (!sum_end(history, &end)) return note_sums(history, builder, history->actions.count);
    struct held_sums held = end;
    uint64_t peak = held.bytes;
    for (size_t i = history->actions.count; i-- > 0;) {
        const struct tn_action *action = &history->actions.items[i];
        if (!tn_action_is_segment(action)) continue;
        if (!undo_action(&held, action)) return note_sums(history, builder, i);
        count_call(&calls, action->size, tn_action_maps(action), tn_action_gets(action));
        peak = held.bytes > peak ? held.bytes : peak;
    }
    count_start(&calls, &held);
    device->says_reserved = true;
    device->reserved_at_start = held.bytes;
    device->reserved_peak = peak;
    device->reserved_at_end = end.bytes;
    device->calls = calls;
    return TARN_OK;
}

// ---- places: the ranges of the segments, from the end back to the start

// A value of the map of ranges: an element of the segments at the end, or of the actions.
#define AT_END(index)    ((uint64_t)(index) << 1)
#define AT_ACTION(index) ((uint64_t)(index) << 1 | 1)

static tarn_status undo_ranges(const struct tn_history *history, struct tn_interval *ranges) {
    for (size_t i = 0; i < history->segments.count; i++)
        if (history->segments.items[i].device == history->device)
            TN_TRY(tn_ranges_add(ranges, history->segments.items[i].address,
                                 history->segments.items[i].bytes, AT_END(i)));
    for (size_t i = history->actions.count; i-- > 0;) {
        const struct tn_action *action = &history->actions.items[i];
        if (tn_action_gets(action))
            TN_TRY(tn_ranges_remove(ranges, action->address, action->size));
        else if (tn_action_is_segment(action))
            TN_TRY(tn_ranges_add(ranges, action->address, action->size, AT_ACTION(i)));
    }
    return TARN_OK;
}

static tarn_status add_starting(const struct tn_history *history, struct tn_builder *builder,
                                const struct tn_interval_entry *entry) {
    struct tn_trace_segment segment = {.address = entry->start, .bytes = entry->end - entry->start};
    uint64_t stream;
    if ((entry->value & 1) != 0) {
        const struct tn_action *action = &history->actions.items[entry->value >> 1];
        stream = action->stream;
        segment.mapped = action->kind == TN_ACTION_SEGMENT_UNMAP;
    } else {
        const struct tn_held_segment *held = &history->segments.items[entry->value >> 1];
        stream = held->stream;
        segment.stack = held->stack;
        segment.mapped = held->mapped;
        segment.is_private = held->is_private;
    }
    TN_TRY(tn_builder_stream(builder, stream, &segment.stream));
    return tn_builder_starting_segment(builder, &segment);
}

static tarn_status add_all_starting(const struct tn_history *history, struct tn_builder *builder,
                                    const struct tn_interval *ranges) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(ranges, 0);
    while (tn_interval_step(&at, &entry)) TN_TRY(add_starting(history, builder, &entry));
    return TARN_OK;
}

static tarn_status walk_ranges(const struct tn_history *history, struct tn_builder *builder) {
    struct tn_interval ranges;
    tn_interval_init(&ranges);
    tarn_status status = undo_ranges(history, &ranges);
    if (status == TARN_OK)
        status = add_all_starting(history, builder, &ranges);
    else if (status == TARN_BUSY)
        status = tn_builder_note(builder,
                                 "device %u: the segments overlap or are returned twice; their "
                                 "places at the start are unknown",
                                 history->device);
    else
        status = tn_fail(status, "%s: out of host memory for the segments", builder->name);
    tn_interval_fini(&ranges);
    return status;
}

tarn_status tn_segments_walk(const struct tn_history *history, struct tn_builder *builder,
                             struct tn_trace_device *device) {
    TN_TRY(walk_sums(history, builder, device));
    return device->says_reserved ? walk_ranges(history, builder) : TARN_OK;
}

// ---- a finished device

static void sum_samples(const struct tn_trace *trace, struct tn_trace_device *device) {
    for (size_t i = 0; i < device->sample_count; i++) {
        uint64_t reserved = trace->samples[device->first_sample + i].reserved;
        if (reserved == 0) continue;
        if (!device->says_reserved) device->reserved_at_start = reserved;
        if (reserved > device->reserved_peak) device->reserved_peak = reserved;
        device->reserved_at_end = reserved;
        device->says_reserved = true;
    }
}

tarn_status tn_segments_sum(struct tn_builder *builder, struct tn_trace_device *device) {
    const struct tn_trace *trace = &builder->trace;
    struct tn_trace_device sums = *device;
    uint64_t held = 0;
    bool adds_up = true;
    for (size_t i = 0; i < device->starting_segment_count; i++) {
        const struct tn_trace_segment *segment =
            &trace->segments[device->first_starting_segment + i];
        adds_up &= !__builtin_add_overflow(held, segment->bytes, &held);
        count_call(&sums.calls, segment->bytes, segment->mapped, true);
    }
    sums.calls.starting_segments = sums.calls.segment_events;
    sums.calls.segment_events = 0;
    sums.reserved_at_start = sums.reserved_peak = held;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        bool comes = event->kind == TN_EVENT_SEGMENT;
        if (!comes && event->kind != TN_EVENT_SEGMENT_RETURN) continue;
        const struct tn_trace_segment *segment = &trace->segments[event->item];
        adds_up &= !(comes ? __builtin_add_overflow(held, segment->bytes, &held)
                           : __builtin_sub_overflow(held, segment->bytes, &held));
        count_call(&sums.calls, segment->bytes, segment->mapped, comes);
        sums.reserved_peak = held > sums.reserved_peak ? held : sums.reserved_peak;
    }
    if (!adds_up)
        return tn_builder_note(builder, "device %u: the segments do not add up", device->number);
    if (sums.calls.segment_events + sums.calls.starting_segments > 0) {
        *device = sums;
        device->reserved_at_end = held;
        device->says_reserved = true;
    } else {
        sum_samples(trace, device);
    }
    return TARN_OK;
}
