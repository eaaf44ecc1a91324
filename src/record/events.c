// SPDX-License-Identifier: Apache-2.0
// Copies memory events into entries; see events.h.
#include "record/events.h"

#include <stdbool.h>

#include "record/recorder.h"
#include "record/texts.h"

// Kinds of events that a recording has.
static bool is_recorded(unsigned kind) {
    switch (kind) {
    case TN_MEM_HEAP_BEGIN:
    case TN_MEM_HEAP_END:
    case TN_MEM_HEAP_RESET:
    case TN_MEM_REGION_BEGIN:
    case TN_MEM_REGION_END:
    case TN_MEM_REGION_RESIZE:
    case TN_MEM_RESOURCE_BEGIN:
    case TN_MEM_RESOURCE_END:
    case TN_MEM_SHORTAGE:
    case TN_MEM_MARK: return true;
    default: return false;
    }
}

// Two copies of Tarn may have handles with one number.
static uint64_t phys_of(const struct tn_mem_event *event) {
    return (event->object ^ (uint64_t)event->image << 32) & INT64_MAX;
}

void tn_record_receive(const struct tn_mem_event *event) {
    if (!is_recorded(event->kind)) return;
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
                                    .other = maps ? phys_of(event) : event->other,
                                    .stream = event->stream};
    tn_record_add(&entry);
}

void tn_record_phase_end(uint32_t text) {
    struct tn_record_entry entry = {.kind = TN_RECORD_PHASE_END, .device = -1, .text = text};
    tn_record_add(&entry);
}
