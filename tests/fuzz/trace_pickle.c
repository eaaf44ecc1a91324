// SPDX-License-Identifier: Apache-2.0
// Any bytes as a pickled snapshot: the reader refuses them or builds a trace that can be replayed.
#include "trace/trace.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds) {
    if (!holds)
        abort();
}

static void check_block(const struct tn_trace *trace, uint32_t index, uint32_t device) {
    demand(index < trace->block_count);
    demand(trace->blocks[index].size > 0);
    demand(trace->blocks[index].stream < trace->stream_count);
    demand(trace->streams[trace->blocks[index].stream].device == device);
}

static void check_event(const struct tn_trace *trace, const struct tn_event *event, uint32_t device,
                        uint8_t *live) {
    if (event->kind == TN_EVENT_MARK) {
        demand(event->item < trace->text_count);
        return;
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
