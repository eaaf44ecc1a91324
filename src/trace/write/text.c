// SPDX-License-Identifier: Apache-2.0
// Writes a text trace: allocations, frees and marks of one device. Earlier readers refuse every
// other kind of line, so the text holds nothing else; binary traces hold everything. One thread at
// a time.
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/write/write.h"

struct text_out {
    const struct tn_trace *trace;
    struct tn_output *output;
    uint64_t begun_us;
    uint64_t next_id;
    uint64_t *ids; // of each block
};

// Finds the only device to write.
static tarn_status choose_device(const struct tn_trace *trace,
                                 const struct tn_write_options *options,
                                 const struct tn_trace_device **device) {
    size_t count = 0;
    for (size_t i = 0; i < trace->device_count; i++) {
        if (!tn_write_selects(options, &trace->devices[i]) ||
            (trace->devices[i].kind == TN_DEVICE_HOST && count > 0))
            continue;
        *device = &trace->devices[i];
        count++;
    }
    TN_REFUSE(count > 1, TARN_UNSUPPORTED,
              "a text trace holds one device, and the recording has %zu: choose one", count);
    return TARN_OK;
}

static void put_alloc(struct text_out *text, uint64_t time, uint32_t block) {
    text->ids[block] = text->next_id++;
    tn_output_print(text->output, "a %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", time, text->ids[block],
                    text->trace->blocks[block].size);
}

// Labels have one line of limited length.
static void put_mark(struct text_out *text, uint64_t time, const char *label) {
    enum { LABEL_MAX = 900 };
    tn_output_print(text->output, "m %" PRIu64 " ", time);
    for (size_t i = 0; i < LABEL_MAX && label[i] != '\0'; i++)
        tn_output_byte(text->output, label[i] == '\n' ? ' ' : (uint8_t)label[i]);
    if (label[0] == '\0') tn_output_byte(text->output, '?');
    tn_output_byte(text->output, '\n');
}

// Returns the lowest time of the device. Threads may record their times out of order.
static uint64_t first_time(const struct tn_event *events, size_t count) {
    uint64_t first = count > 0 ? events[0].time_us : 0;
    for (size_t i = 0; i < count; i++)
        first = events[i].time_us < first ? events[i].time_us : first;
    return first;
}

// Returns true if a text trace has a line for one of the events.
static bool has_lines(const struct tn_event *events, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == TN_EVENT_ALLOC || events[i].kind == TN_EVENT_FREE ||
            events[i].kind == TN_EVENT_MARK)
            return true;
    return false;
}

static void put_text_event(struct text_out *text, const struct tn_event *event) {
    uint64_t time = event->time_us - text->begun_us;
    if (event->kind == TN_EVENT_ALLOC)
        put_alloc(text, time, event->item);
    else if (event->kind == TN_EVENT_FREE)
        tn_output_print(text->output, "f %" PRIu64 " %" PRIu64 "\n", time, text->ids[event->item]);
    else if (event->kind == TN_EVENT_MARK)
        put_mark(text, time, text->trace->texts[event->item]);
}

tarn_status tn_write_text(const struct tn_trace *trace, const struct tn_write_options *options,
                          struct tn_output *output) {
    const struct tn_trace_device *device = NULL;
    struct text_out text = {.trace = trace, .output = output};
    TN_TRY(choose_device(trace, options, &device));
    const struct tn_event *events = tn_trace_events(trace, device);
    TN_REFUSE(device->starting_count == 0 && !has_lines(events, device->event_count),
              TARN_UNSUPPORTED, "a text trace holds blocks and marks, and the device has none");
    text.ids = (uint64_t *)calloc(trace->block_count + 1, sizeof *text.ids);
    TN_REFUSE(text.ids == NULL, TARN_NO_HOST_MEMORY, "out of host memory for a text trace");
    if (trace->origin != TN_TRACE_TEXT) text.begun_us = first_time(events, device->event_count);
    for (size_t i = 0; i < device->starting_count; i++)
        put_alloc(&text, 0, (uint32_t)(device->first_starting + i));
    for (size_t i = 0; i < device->event_count; i++) {
        tn_trace_report_event(TN_STAGE_WRITE, trace, device, i);
        put_text_event(&text, &events[i]);
    }
    free(text.ids);
    return TARN_OK;
}
