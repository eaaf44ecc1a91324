// SPDX-License-Identifier: Apache-2.0
// The rules that every trace keeps, whatever was read: numbers lie in their arrays, a block is
// freed once and while it is live, and the devices divide the events. A broken rule aborts.
#pragma once

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

#define SOUND_DEMAND(holds)                                                                        \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: the trace breaks: %s\n", __FILE__, __LINE__, #holds);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

// A stack leads to its outermost call in steps to lower numbers.
static void sound_stack(const struct tn_trace *trace, uint32_t stack) {
    SOUND_DEMAND(stack < trace->call_count);
    const struct tn_trace_call *call = &trace->calls[stack];
    SOUND_DEMAND(stack == 0 || call->caller < stack);
    SOUND_DEMAND(call->function < trace->text_count && call->file < trace->text_count);
}

static void sound_block(const struct tn_trace *trace, uint32_t index, uint32_t device) {
    SOUND_DEMAND(index < trace->block_count);
    const struct tn_block *block = &trace->blocks[index];
    SOUND_DEMAND(block->size > 0);
    SOUND_DEMAND(block->stream < trace->stream_count);
    SOUND_DEMAND(trace->streams[block->stream].device == device);
    SOUND_DEMAND(block->tag < trace->text_count);
    SOUND_DEMAND(block->category < TN_CATEGORY_COUNT);
    sound_stack(trace, block->stack);
}

static void sound_event(const struct tn_trace *trace, const struct tn_event *event, uint32_t device,
                        uint8_t *live) {
    switch (event->kind) {
    case TN_EVENT_MARK:
    case TN_EVENT_MARK_END: SOUND_DEMAND(event->item < trace->text_count); return;
    case TN_EVENT_FAILURE:
        SOUND_DEMAND(event->item < trace->failure_count);
        sound_stack(trace, trace->failures[event->item].stack);
        return;
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN:
        SOUND_DEMAND(event->item < trace->segment_count);
        sound_stack(trace, trace->segments[event->item].stack);
        return;
    case TN_EVENT_FREE_REQUEST:
        sound_block(trace, event->item, device);
        SOUND_DEMAND(live[event->item] == 1);
        return;
    default: break;
    }
    sound_block(trace, event->item, device);
    SOUND_DEMAND(live[event->item] == (event->kind == TN_EVENT_FREE));
    live[event->item]++;
}

static void sound_device(const struct tn_trace *trace, uint32_t number, uint8_t *live) {
    const struct tn_trace_device *device = &trace->devices[number];
    for (size_t i = 0; i < device->starting_count; i++) {
        sound_block(trace, (uint32_t)(device->first_starting + i), number);
        live[device->first_starting + i] = 1;
    }
    for (size_t i = 0; i < device->starting_segment_count; i++)
        SOUND_DEMAND(device->first_starting_segment + i < trace->segment_count);
    for (size_t i = 0; i < device->event_count; i++)
        sound_event(trace, &trace->events[device->first_event + i], number, live);
    SOUND_DEMAND(!device->says_reserved || device->reserved_peak >= device->reserved_at_end);
}

static inline void sound_trace(const struct tn_trace *trace) {
    uint8_t *live = (uint8_t *)calloc(trace->block_count + 1, 1);
    size_t events = 0, samples = 0;
    SOUND_DEMAND(live != NULL);
    for (uint32_t i = 0; i < trace->device_count; i++) {
        SOUND_DEMAND(trace->devices[i].first_event == events);
        SOUND_DEMAND(trace->devices[i].first_sample == samples);
        events += trace->devices[i].event_count;
        samples += trace->devices[i].sample_count;
        SOUND_DEMAND(events <= trace->event_count && samples <= trace->sample_count);
        sound_device(trace, i, live);
    }
    SOUND_DEMAND(events == trace->event_count && samples == trace->sample_count);
    free(live);
}
