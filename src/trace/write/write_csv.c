// SPDX-License-Identifier: Apache-2.0
// Writes a table with a row for each starting block and each event. Lines end with CR and LF, and
// fields are quoted, as RFC 4180 has it. One thread at a time.
#include <inttypes.h>
#include <string.h>

#include "trace/write/write.h"

struct csv_out {
    const struct tn_trace *trace;
    const struct tn_write_options *options;
    struct tn_output *output;
    const struct tn_trace_device *device;
    uint64_t live;
};

// The columns of a row. Those of other kinds of event stay empty.
struct csv_row {
    const char *kind;
    const struct tn_event *event; // NULL for a starting block
    const uint64_t *id;
    const uint64_t *bytes;
    const uint32_t *stream;
    uint32_t text;
    uint32_t stack;
};

static void put_csv_text(struct tn_output *output, const char *text) {
    for (;;) {
        size_t plain = strcspn(text, "\"");
        tn_output_put(output, text, plain);
        if (text[plain] == '\0')
            return;
        tn_output_put(output, "\"\"", 2);
        text += plain + 1;
    }
}

static void put_csv_call(const struct csv_out *csv, uint32_t index) {
    const struct tn_trace *trace = csv->trace;
    const struct tn_trace_call *call = &trace->calls[index];
    put_csv_text(csv->output, trace->texts[call->function]);
    tn_output_print(csv->output, " (");
    put_csv_text(csv->output, trace->texts[call->file]);
    tn_output_print(csv->output, ":%" PRIu32 ")", call->line);
}

// The innermost call is first: "forward (model.py:12); train (train.py:40)".
static void put_csv_stack(const struct csv_out *csv, uint32_t stack) {
    const struct tn_trace *trace = csv->trace;
    for (const char *between = ""; stack != 0; stack = trace->calls[stack].caller, between = "; ") {
        tn_output_put(csv->output, between, strlen(between));
        put_csv_call(csv, stack);
    }
}

static void put_csv_row(const struct csv_out *csv, const struct csv_row *row) {
    struct tn_output *output = csv->output;
    if (csv->device->kind == TN_DEVICE_HOST)
        tn_output_print(output, "host,%s,", row->kind);
    else
        tn_output_print(output, "%" PRIu32 ",%s,", csv->device->number, row->kind);
    if (row->event != NULL)
        tn_output_print(output, "%" PRIu64 ",%" PRIu64, row->event->where, row->event->time_us);
    else
        tn_output_put(output, ",", 1);
    tn_output_put(output, ",", 1);
    if (row->id != NULL)
        tn_output_print(output, "%" PRIu64, *row->id);
    tn_output_put(output, ",", 1);
    if (row->bytes != NULL)
        tn_output_print(output, "%" PRIu64, *row->bytes);
    tn_output_put(output, ",", 1);
    if (row->stream != NULL)
        tn_output_print(output, "%" PRIu64, csv->trace->streams[*row->stream].native);
    tn_output_print(output, ",%" PRIu64 ",\"", csv->live);
    put_csv_text(output, csv->trace->texts[row->text]);
    tn_output_print(output, "\",\"");
    put_csv_stack(csv, row->stack);
    tn_output_print(output, "\",\"");
    if (row->stack != 0)
        put_csv_call(csv, tn_write_owner(csv->options, row->stack));
    tn_output_print(output, "\"\r\n");
}

static void put_csv_block(struct csv_out *csv, const char *kind, const struct tn_event *event,
                          uint32_t index) {
    const struct tn_block *block = &csv->trace->blocks[index];
    bool is_alloc = event == NULL || event->kind == TN_EVENT_ALLOC;
    csv->live += event == NULL ? block->size : 0;
    const struct csv_row row = {.kind = kind,
                                .event = event,
                                .id = &block->id,
                                .bytes = &block->size,
                                .stream = &block->stream,
                                .text = block->tag,
                                .stack = is_alloc ? block->stack : 0};
    put_csv_row(csv, &row);
}

static void put_csv_event(struct csv_out *csv, const struct tn_event *event) {
    static const char *const kinds[] = {[TN_EVENT_ALLOC] = "alloc",
                                        [TN_EVENT_FREE] = "free",
                                        [TN_EVENT_FREE_REQUEST] = "free_request",
                                        [TN_EVENT_MARK] = "mark",
                                        [TN_EVENT_MARK_END] = "mark_end",
                                        [TN_EVENT_FAILURE] = "failure",
                                        [TN_EVENT_SEGMENT] = "segment",
                                        [TN_EVENT_SEGMENT_RETURN] = "segment_return"};
    const struct tn_trace *trace = csv->trace;
    struct csv_row row = {.kind = kinds[event->kind], .event = event};
    csv->live = tn_trace_live_after(trace, event, csv->live);
    switch (event->kind) {
    case TN_EVENT_MARK:
    case TN_EVENT_MARK_END:
        row.text = event->item;
        break;
    case TN_EVENT_FAILURE:
        row.bytes = &trace->failures[event->item].size;
        row.stream = &trace->failures[event->item].stream;
        row.stack = trace->failures[event->item].stack;
        break;
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN:
        row.id = &trace->segments[event->item].address;
        row.bytes = &trace->segments[event->item].bytes;
        row.stream = &trace->segments[event->item].stream;
        row.stack = trace->segments[event->item].stack;
        break;
    default:
        put_csv_block(csv, row.kind, event, event->item);
        return;
    }
    put_csv_row(csv, &row);
}

tarn_status tn_write_csv(const struct tn_trace *trace, const struct tn_write_options *options,
                         struct tn_output *output) {
    tn_output_print(output,
                    "device,event,index,time_us,id,bytes,stream,live_bytes,text,stack,owner\r\n");
    for (size_t d = 0; d < trace->device_count; d++) {
        const struct tn_trace_device *device = &trace->devices[d];
        struct csv_out csv = {
            .trace = trace, .options = options, .output = output, .device = device};
        if (!tn_write_selects(options, device))
            continue;
        for (size_t i = 0; i < device->starting_count; i++)
            put_csv_block(&csv, "start", NULL, (uint32_t)(device->first_starting + i));
        for (size_t i = 0; i < device->event_count; i++) {
            tn_trace_report_event(TN_STAGE_WRITE, trace, device, i);
            put_csv_event(&csv, &trace->events[device->first_event + i]);
        }
    }
    return TARN_OK;
}
