// SPDX-License-Identifier: Apache-2.0
// Any bytes as a pickled snapshot: the reader refuses them or builds a trace that can be replayed.
#include "trace/trace.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds) {
    if (!holds)
        abort();
}

// A stack leads to its outermost call in steps to lower numbers.
static void check_stack(const struct tn_trace *trace, uint32_t stack) {
    demand(stack < trace->call_count);
    const struct tn_trace_call *call = &trace->calls[stack];
    demand(stack == 0 || call->caller < stack);
    demand(call->function < trace->text_count && call->file < trace->text_count);
}

static void check_block(const struct tn_trace *trace, uint32_t index, uint32_t device) {
    demand(index < trace->block_count);
    demand(trace->blocks[index].size > 0);
    demand(trace->blocks[index].stream < trace->stream_count);
    demand(trace->streams[trace->blocks[index].stream].device == device);
    demand(trace->blocks[index].tag < trace->text_count);
    demand(trace->blocks[index].category < TN_CATEGORY_COUNT);
    check_stack(trace, trace->blocks[index].stack);
}

static void check_event(const struct tn_trace *trace, const struct tn_event *event, uint32_t device,
                        uint8_t *live) {
    switch (event->kind) {
    case TN_EVENT_MARK:
    case TN_EVENT_MARK_END:
        demand(event->item < trace->text_count);
        return;
    case TN_EVENT_FAILURE:
        demand(event->item < trace->failure_count);
        check_stack(trace, trace->failures[event->item].stack);
        return;
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN:
        demand(event->item < trace->segment_count);
        check_stack(trace, trace->segments[event->item].stack);
        return;
    case TN_EVENT_FREE_REQUEST:
        check_block(trace, event->item, device);
        demand(live[event->item] == 1);
        return;
    default:
        break;
    }
    check_block(trace, event->item, device);
    demand(live[event->item] == (event->kind == TN_EVENT_FREE));
    live[event->item]++;
}

static void check(const struct tn_trace *trace) {
    uint8_t *live = (uint8_t *)calloc(trace->block_count + 1, 1);
    size_t next = 0;
    demand(live != NULL);
    for (uint32_t d = 0; d < trace->device_count; d++) {
        const struct tn_trace_device *device = &trace->devices[d];
        demand(device->first_event == next);
        next += device->event_count;
        for (size_t i = 0; i < device->starting_count; i++) {
            check_block(trace, (uint32_t)(device->first_starting + i), d);
            live[device->first_starting + i] = 1;
        }
        for (size_t i = device->first_event; i < next; i++)
            check_event(trace, &trace->events[i], d, live);
        demand(!device->says_reserved || device->reserved_peak >= device->reserved_at_end);
    }
    demand(next == trace->event_count);
    free(live);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    if (size == 0 || data[0] != 0x80)
        return 0;
    if (tn_trace_read_memory("fuzz", data, size, &limits, &trace) == TARN_OK) {
        check(&trace);
        tn_trace_release(&trace);
    }
    return 0;
}
