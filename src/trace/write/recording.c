// SPDX-License-Identifier: Apache-2.0
// Writes a trace in memory as a binary trace: all definitions, then each device. One thread at a
// time.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/write/binary.h"
#include "trace/write/write.h"

struct binary_out {
    const struct tn_trace *trace;
    struct tn_binary *binary;
    uint64_t *numbers; // of the blocks in the file, where they count as they come
    uint64_t next_number;
};

static void put_definitions(const struct binary_out *out) {
    const struct tn_trace *trace = out->trace;
    for (size_t i = 1; i < trace->text_count; i++)
        tn_binary_bytes(out->binary, TN_RECORD_TEXT, trace->texts[i], strlen(trace->texts[i]));
    for (size_t i = 1; i < trace->call_count; i++) {
        const struct tn_trace_call *call = &trace->calls[i];
        tn_binary_fields(out->binary, TN_RECORD_CALL,
                         TN_FIELDS(call->caller, call->function, call->file, call->line));
    }
    for (size_t i = 0; i < trace->device_count; i++) {
        const struct tn_trace_device *device = &trace->devices[i];
        tn_binary_fields(out->binary, TN_RECORD_DEVICE,
                         TN_FIELDS(device->number, device->kind, device->memory_bytes));
    }
    for (size_t i = 0; i < trace->stream_count; i++)
        tn_binary_fields(out->binary, TN_RECORD_STREAM,
                         TN_FIELDS(trace->streams[i].device, trace->streams[i].native));
    for (size_t i = 0; i < trace->setting_count; i++)
        tn_binary_fields(out->binary, TN_RECORD_SETTING,
                         TN_FIELDS(trace->settings[i].name, trace->settings[i].value));
}

#define BLOCK_FIELDS(block)                                                                        \
    TN_FIELDS((block)->id, (block)->size, (block)->occupied, (block)->stream, (block)->stack,      \
              (block)->tag, (block)->category)
#define SEGMENT_FIELDS(segment)                                                                    \
    TN_FIELDS((segment)->address, (segment)->bytes, (segment)->stream, (segment)->stack,           \
              ((segment)->mapped ? 1 : 0) | ((segment)->is_private ? 2 : 0))

static void put_start(struct binary_out *out, const struct tn_trace_device *device) {
    for (size_t i = 0; i < device->starting_segment_count; i++)
        tn_binary_fields(out->binary, TN_RECORD_STARTING_SEGMENT,
                         SEGMENT_FIELDS(&out->trace->segments[device->first_starting_segment + i]));
    for (size_t i = 0; i < device->starting_count; i++) {
        out->numbers[device->first_starting + i] = out->next_number++;
        tn_binary_fields(out->binary, TN_RECORD_STARTING_BLOCK,
                         BLOCK_FIELDS(&out->trace->blocks[device->first_starting + i]));
    }
}

static void put_event_fields(const struct binary_out *out, const struct tn_event *event,
                             const uint64_t *fields, size_t count) {
    _Static_assert(TN_RECORD_SEGMENT_RETURN - TN_RECORD_ALLOC == (int)TN_EVENT_SEGMENT_RETURN,
                   "the records of events have the order of their kinds");
    tn_binary_event(out->binary, (enum tn_record)(TN_RECORD_ALLOC + event->kind), event->time_us,
                    event->where, fields, count);
}

static void put_event(struct binary_out *out, uint32_t device, const struct tn_event *event) {
    const struct tn_trace *trace = out->trace;
    const struct tn_trace_failure *failure;
    switch (event->kind) {
    case TN_EVENT_ALLOC:
        out->numbers[event->item] = out->next_number++;
        put_event_fields(out, event, BLOCK_FIELDS(&trace->blocks[event->item]));
        break;
    case TN_EVENT_MARK:
    case TN_EVENT_MARK_END: put_event_fields(out, event, TN_FIELDS(device, event->item)); break;
    case TN_EVENT_FAILURE:
        failure = &trace->failures[event->item];
        put_event_fields(out, event,
                         TN_FIELDS(failure->size, failure->device_free, failure->stream,
                                   failure->stack, failure->why.failed, failure->why.cause,
                                   failure->why.held, failure->why.limit, failure->why.free,
                                   failure->why.largest, failure->why.waiting));
        break;
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN:
        put_event_fields(out, event, SEGMENT_FIELDS(&trace->segments[event->item]));
        break;
    default: put_event_fields(out, event, TN_FIELDS(out->numbers[event->item])); break;
    }
}

static void put_samples(const struct binary_out *out, uint32_t index) {
    const struct tn_trace_device *device = &out->trace->devices[index];
    for (size_t i = 0; i < device->sample_count; i++) {
        const struct tn_trace_sample *sample = &out->trace->samples[device->first_sample + i];
        uint64_t fields[4 + TN_CATEGORY_COUNT] = {sample->time_us, index, sample->live,
                                                  sample->reserved};
        memcpy(fields + 4, sample->by_category, sizeof sample->by_category);
        tn_binary_fields(out->binary, TN_RECORD_SAMPLE, fields, sizeof fields / sizeof *fields);
    }
}

static void put_device(struct binary_out *out, uint32_t index) {
    const struct tn_trace_device *device = &out->trace->devices[index];
    put_start(out, device);
    for (size_t i = 0; i < device->event_count; i++) {
        tn_trace_report_event(TN_STAGE_WRITE, out->trace, device, i);
        put_event(out, index, &out->trace->events[device->first_event + i]);
    }
    put_samples(out, index);
    if (!device->says_reserved) return;
    uint64_t fields[4 + sizeof device->calls / sizeof(uint64_t)] = {
        index, device->reserved_at_start, device->reserved_peak, device->reserved_at_end};
    memcpy(fields + 4, &device->calls, sizeof device->calls);
    tn_binary_fields(out->binary, TN_RECORD_RESERVED, fields, sizeof fields / sizeof *fields);
}

tarn_status tn_write_binary(const struct tn_trace *trace, const struct tn_write_options *options,
                            struct tn_output *output) {
    struct binary_out out = {.trace = trace};
    TN_TRY(tn_binary_writer_open(output, &out.binary));
    out.numbers = (uint64_t *)calloc(trace->block_count + 1, sizeof *out.numbers);
    if (out.numbers == NULL) {
        (void)tn_binary_end(out.binary, false);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a binary trace");
    }
    const char *origin = tn_trace_format_name(trace->origin);
    tn_binary_bytes(out.binary, TN_RECORD_ORIGIN, origin, strlen(origin));
    tn_binary_fields(out.binary, TN_RECORD_ABOUT, TN_FIELDS(trace->lacks, trace->note_count));
    for (size_t i = 0; i < TN_TRACE_NOTES; i++)
        if (trace->notes[i] != NULL)
            tn_binary_bytes(out.binary, TN_RECORD_CONTRADICTION, trace->notes[i],
                            strlen(trace->notes[i]));
    put_definitions(&out);
    for (uint32_t i = 0; i < trace->device_count; i++)
        if (tn_write_selects(options, &trace->devices[i])) put_device(&out, i);
    free(out.numbers);
    return tn_binary_end(out.binary, true);
}
