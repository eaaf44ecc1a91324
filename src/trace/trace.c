// SPDX-License-Identifier: Apache-2.0
// Facts that a trace does not store. No state; any thread may call.
#include "trace/trace.h"

uint64_t tn_trace_peak_live(const struct tn_trace *trace, const struct tn_trace_device *device) {
    uint64_t live = 0, peak = 0;
    for (size_t i = 0; i < device->starting_count; i++)
        if (__builtin_add_overflow(live, trace->blocks[device->first_starting + i].size, &live))
            return UINT64_MAX;
    peak = live;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC &&
            __builtin_add_overflow(live, trace->blocks[event->item].size, &live))
            return UINT64_MAX;
        if (event->kind == TN_EVENT_FREE)
            live -= trace->blocks[event->item].size;
        peak = live > peak ? live : peak;
    }
    return peak;
}
