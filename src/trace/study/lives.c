// SPDX-License-Identifier: Apache-2.0
// Lives of blocks and levels of devices; see lives.h. One pass over the events each.
#include "trace/study/lives.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { PYTORCH_ROUNDING = 512 };

static void add_device_lives(const struct tn_trace *trace, const struct tn_trace_device *device,
                             struct tn_life *lives) {
    for (size_t i = 0; i < device->starting_count; i++) lives[device->first_starting + i].born = 0;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        uint32_t moment = (uint32_t)(i + 1);
        if (event->kind == TN_EVENT_ALLOC)
            lives[event->item].born = moment;
        else if (event->kind == TN_EVENT_FREE_REQUEST)
            lives[event->item].given = moment;
        else if (event->kind == TN_EVENT_FREE)
            lives[event->item].freed = moment;
    }
}

struct tn_life *tn_lives_make(const struct tn_trace *trace) {
    struct tn_life *lives = (struct tn_life *)calloc(trace->block_count + 1, sizeof *lives);
    if (lives == NULL) return NULL;
    memset(lives, 0xff, trace->block_count * sizeof *lives); // TN_NEVER
    for (size_t i = 0; i < trace->device_count; i++)
        add_device_lives(trace, &trace->devices[i], lives);
    return lives;
}

uint64_t tn_reserved_after(const struct tn_trace *trace, const struct tn_event *event,
                           uint64_t reserved) {
    if (event->kind == TN_EVENT_SEGMENT) return reserved + trace->segments[event->item].bytes;
    if (event->kind != TN_EVENT_SEGMENT_RETURN) return reserved;
    uint64_t bytes = trace->segments[event->item].bytes;
    return reserved - (bytes < reserved ? bytes : reserved);
}

// Some readers have segments, but no sums of them.
uint64_t tn_reserved_at_start(const struct tn_trace *trace, const struct tn_trace_device *device,
                              bool *known) {
    uint64_t sum = 0;
    *known = device->says_reserved || device->starting_segment_count > 0 ||
             tn_trace_count(trace, device, TN_EVENT_SEGMENT) > 0;
    for (size_t i = 0; i < device->starting_segment_count; i++)
        sum += trace->segments[device->first_starting_segment + i].bytes;
    return device->says_reserved ? device->reserved_at_start : sum;
}

tarn_status tn_levels_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                           struct tn_levels *levels) {
    bool known;
    uint64_t live = tn_trace_live_at_start(trace, device);
    uint64_t reserved = tn_reserved_at_start(trace, device, &known);
    *levels = (struct tn_levels){.count = device->event_count + 1};
    levels->live = (uint64_t *)calloc(levels->count, sizeof *levels->live);
    levels->reserved = known ? (uint64_t *)calloc(levels->count, sizeof *levels->live) : NULL;
    if (levels->live == NULL || (known && levels->reserved == NULL)) {
        tn_levels_release(levels);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the levels of %zu events",
                       device->event_count);
    }
    for (size_t i = 0; i < levels->count; i++) {
        if (i > 0) {
            const struct tn_event *event = &trace->events[device->first_event + i - 1];
            live = tn_trace_live_after(trace, event, live);
            reserved = tn_reserved_after(trace, event, reserved);
        }
        levels->live[i] = live;
        if (live > levels->live[levels->peak]) levels->peak = i;
        if (!known) continue;
        levels->reserved[i] = reserved;
        if (reserved > levels->reserved[levels->peak_reserved]) levels->peak_reserved = i;
    }
    return TARN_OK;
}

void tn_levels_release(struct tn_levels *levels) {
    free(levels->live);
    free(levels->reserved);
    *levels = (struct tn_levels){0};
}

uint64_t tn_block_occupied(const struct tn_trace *trace, const struct tn_block *block) {
    if (block->occupied != 0) return block->occupied;
    uint64_t rounded = (block->size + PYTORCH_ROUNDING - 1) & ~(uint64_t)(PYTORCH_ROUNDING - 1);
    return trace->origin == TN_TRACE_SNAPSHOT && rounded > block->size ? rounded : block->size;
}
