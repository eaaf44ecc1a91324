// SPDX-License-Identifier: Apache-2.0
// Copies memory events into entries; see events.h.
#include "record/events.h"

#include <stdlib.h>

#include "base/atomic.h"
#include "record/recorder.h"
#include "record/texts.h"

// Kinds of events that a recording has.
static const bool is_recorded[TN_MEM_KINDS] = {
    [TN_MEM_HEAP_BEGIN] = true,     [TN_MEM_HEAP_END] = true,     [TN_MEM_HEAP_RESET] = true,
    [TN_MEM_REGION_BEGIN] = true,   [TN_MEM_REGION_END] = true,   [TN_MEM_REGION_RESIZE] = true,
    [TN_MEM_RESOURCE_BEGIN] = true, [TN_MEM_RESOURCE_END] = true, [TN_MEM_SHORTAGE] = true,
    [TN_MEM_MARK] = true,           [TN_MEM_DEVICE] = true};

// The entry has no room for the pool. A refusal without it lacks these facts.
static uint64_t copy_pool(const struct tn_mem_event *event) {
    struct tn_record_pool *pool =
        event->object != 0 ? (struct tn_record_pool *)malloc(sizeof *pool) : NULL;
    if (pool != NULL)
        *pool = (struct tn_record_pool){event->pitch, event->other, event->depth,
                                        event->slice_pitch, event->height};
    return (uint64_t)(uintptr_t)pool;
}

void tn_record_receive(const struct tn_mem_event *event) {
    if (event->kind >= TN_MEM_KINDS || !is_recorded[event->kind]) return;
    // Two copies of Tarn may have handles with one number.
    uint64_t phys = (event->object ^ (uint64_t)event->image << 32) & INT64_MAX;
    bool maps = event->kind == TN_MEM_RESOURCE_BEGIN && event->what == TN_MEM_MAPPING;
    bool has_name = event->kind == TN_MEM_REGION_BEGIN || event->kind == TN_MEM_MARK;
    struct tn_record_entry entry = {.kind = event->kind,
                                    .what = event->what,
                                    .flags = event->flags,
                                    .device = event->device,
                                    .space = event->space,
                                    .text = has_name ? tn_record_text(event->name) : 0,
                                    .addr = event->addr,
                                    .bytes = event->bytes,
                                    .other = maps ? phys : event->other,
                                    .stream = event->stream};
    if (event->kind == TN_MEM_SHORTAGE) entry.other = copy_pool(event);
    tn_record_add(&entry);
}

void tn_record_phase_begin(uint32_t text) {
    if (text >= TN_RECORD_TEXTS) return;
    const struct tn_mem_event event = {
        .kind = TN_MEM_MARK, .device = -1, .name = tn_record_text_at(text)};
    tn_record_receive(&event);
}

uint64_t tn_record_range_begin(uint32_t text) {
    static _Atomic uint32_t last;
    tn_record_phase_begin(text);
    return (uint64_t)text << 32 | (tn_add_relaxed(&last, 1) + 1);
}

void tn_record_range_end(uint64_t range) {
    uint32_t text = (uint32_t)(range >> 32);
    struct tn_record_entry entry = {.kind = TN_RECORD_PHASE_END, .device = -1, .text = text};
    if (text > 0 && text < TN_RECORD_TEXTS) tn_record_add(&entry);
}
