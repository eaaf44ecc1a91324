// SPDX-License-Identifier: Apache-2.0
// Facts that a trace does not store. No state; any thread may call.
#include "trace/trace.h"

#include <string.h>

#include "trace/progress.h"

void (*tn_trace_progress)(enum tn_trace_stage stage, uint64_t done, uint64_t total);

const char *tn_category_name(enum tn_trace_category category) {
    static const char *const names[] = {TN_CATEGORY_LIST(TN_TEXT_OF)};
    return names[category];
}

uint64_t tn_trace_event_number(const struct tn_trace *trace, const struct tn_trace_device *device,
                               size_t index) {
    uint64_t number = index - device->first_event + 1;
    for (size_t i = device->first_event; i < index && trace->made_count > 0; i++)
        number -=
            (trace->events[i].kind == TN_EVENT_ALLOC || trace->events[i].kind == TN_EVENT_FREE) &&
            trace->events[i].item >= trace->block_count - trace->made_count;
    return number;
}

uint64_t tn_trace_live_at_start(const struct tn_trace *trace,
                                const struct tn_trace_device *device) {
    uint64_t live = 0;
    for (size_t i = 0; i < device->starting_count; i++)
        live += trace->blocks[device->first_starting + i].size;
    return live;
}

uint64_t tn_trace_live_after(const struct tn_trace *trace, const struct tn_event *event,
                             uint64_t live) {
    if (event->kind == TN_EVENT_ALLOC) return live + trace->blocks[event->item].size;
    return event->kind == TN_EVENT_FREE ? live - trace->blocks[event->item].size : live;
}

struct tn_trace_peak tn_trace_peak(const struct tn_trace *trace,
                                   const struct tn_trace_device *device) {
    uint64_t live = tn_trace_live_at_start(trace, device);
    struct tn_trace_peak peak = {.live = live};
    for (size_t i = 0; i < device->event_count; i++) {
        live = tn_trace_live_after(trace, &trace->events[device->first_event + i], live);
        if (live > peak.live) peak = (struct tn_trace_peak){.live = live, .moment = i + 1};
    }
    return peak;
}

size_t tn_trace_count(const struct tn_trace *trace, const struct tn_trace_device *device,
                      enum tn_event_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < device->event_count; i++)
        count += trace->events[device->first_event + i].kind == kind;
    return count;
}

struct tn_trace_device *tn_trace_find_device(const struct tn_trace *trace, uint64_t number) {
    for (size_t i = 0; i < tn_trace_accelerators(trace); i++)
        if (trace->devices[i].number == number) return &trace->devices[i];
    return NULL;
}

const char *tn_trace_setting(const struct tn_trace *trace, const char *name) {
    for (size_t i = 0; i < trace->setting_count; i++)
        if (strcmp(trace->texts[trace->settings[i].name], name) == 0)
            return trace->texts[trace->settings[i].value];
    return NULL;
}

bool tn_trace_mentions(const struct tn_trace *trace, const char *part) {
    for (size_t i = 0; i < trace->text_count; i++)
        if (strstr(trace->texts[i], part) != NULL) return true;
    return false;
}
