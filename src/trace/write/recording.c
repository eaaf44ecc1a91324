// SPDX-License-Identifier: Apache-2.0
// Writes a trace in memory as a binary trace: all definitions, then each device. One thread at a
// time.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/write/binary.h"
#include "trace/write/write.h"

#define COUNT(fields) (sizeof(fields) / sizeof *(fields))

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
        uint64_t fields[] = {call->caller, call->function, call->file, call->line};
        tn_binary_fields(out->binary, TN_RECORD_CALL, fields, COUNT(fields));
    }
    for (size_t i = 0; i < trace->device_count; i++) {
        const struct tn_trace_device *device = &trace->devices[i];
        uint64_t fields[] = {device->number, device->kind, device->memory_bytes};
        tn_binary_fields(out->binary, TN_RECORD_DEVICE, fields, COUNT(fields));
    }
    for (size_t i = 0; i < trace->stream_count; i++) {
        uint64_t fields[] = {trace->streams[i].device, trace->streams[i].native};
        tn_binary_fields(out->binary, TN_RECORD_STREAM, fields, COUNT(fields));
    }
    for (size_t i = 0; i < trace->setting_count; i++) {
        uint64_t fields[] = {trace->settings[i].name, trace->settings[i].value};
        tn_binary_fields(out->binary, TN_RECORD_SETTING, fields, COUNT(fields));
    }
}

enum { BLOCK_FIELDS = 7, SEGMENT_FIELDS = 5 };

static void block_fields(const struct tn_block *block, uint64_t fields[BLOCK_FIELDS]) {
    const uint64_t all[] = {block->id,    block->size, block->occupied, block->stream,
                            block->stack, block->tag,  block->category};
    memcpy(fields, all, sizeof all);
}

static void segment_fields(const struct tn_trace_segment *segment,
                           uint64_t fields[SEGMENT_FIELDS]) {
    uint64_t flags = (segment->mapped ? 1 : 0) | (segment->is_private ? 2 : 0);
    const uint64_t all[] = {segment->address, segment->bytes, segment->stream, segment->stack,
                            flags};
    memcpy(fields, all, sizeof all);
}

static void put_start(struct binary_out *out, const struct tn_trace_device *device) {
    uint64_t fields[BLOCK_FIELDS];
    for (size_t i = 0; i < device->starting_segment_count; i++) {
        segment_fields(&out->trace->segments[device->first_starting_segment + i], fields);
        tn_binary_fields(out->binary, TN_RECORD_STARTING_SEGMENT, fields, SEGMENT_FIELDS);
    }
    for (size_t i = 0; i < device->starting_count; i++) {
        out->numbers[device->first_starting + i] = out->next_number++;
        block_fields(&out->trace->blocks[device->first_starting + i], fields);
        tn_binary_fields(out->binary, TN_RECORD_STARTING_BLOCK, fields, BLOCK_FIELDS);
    }
}

// Readers know the record of each kind of event by this table.
static const enum tn_record records[] = {[TN_EVENT_ALLOC] = TN_RECORD_ALLOC,
                                         [TN_EVENT_FREE] = TN_RECORD_FREE,
                                         [TN_EVENT_FREE_REQUEST] = TN_RECORD_FREE_REQUEST,
                                         [TN_EVENT_MARK] = TN_RECORD_MARK,
                                         [TN_EVENT_MARK_END] = TN_RECORD_MARK_END,
                                         [TN_EVENT_FAILURE] = TN_RECORD_FAILURE,
                                         [TN_EVENT_SEGMENT] = TN_RECORD_SEGMENT,
                                         [TN_EVENT_SEGMENT_RETURN] = TN_RECORD_SEGMENT_RETURN};

static void put_event(struct binary_out *out, uint32_t device, const struct tn_event *event) {
    const struct tn_trace *trace = out->trace;
    uint64_t fields[BLOCK_FIELDS] = {0};
    size_t count = 1;
    switch (event->kind) {
    case TN_EVENT_ALLOC:
        out->numbers[event->item] = out->next_number++;
        block_fields(&trace->blocks[event->item], fields);
        count = BLOCK_FIELDS;
        break;
    case TN_EVENT_MARK:
    case TN_EVENT_MARK_END:
        fields[0] = device;
        fields[1] = event->item;
        count = 2;
        break;
    case TN_EVENT_FAILURE: {
        const struct tn_trace_failure *failure = &trace->failures[event->item];
        const uint64_t all[] = {failure->size, failure->device_free, failure->stream,
                                failure->stack};
        memcpy(fields, all, sizeof all);
        count = COUNT(all);
        break;
    }
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN:
        segment_fields(&trace->segments[event->item], fields);
        count = SEGMENT_FIELDS;
        break;
    default: fields[0] = out->numbers[event->item]; break;
    }
    tn_binary_event(out->binary, records[event->kind], event->time_us, event->where, fields, count);
}

static void put_samples(const struct binary_out *out, uint32_t index) {
    const struct tn_trace_device *device = &out->trace->devices[index];
    for (size_t i = 0; i < device->sample_count; i++) {
        const struct tn_trace_sample *sample = &out->trace->samples[device->first_sample + i];
        uint64_t fields[4 + TN_CATEGORY_COUNT] = {sample->time_us, index, sample->live,
                                                  sample->reserved};
        memcpy(fields + 4, sample->by_category, sizeof sample->by_category);
        tn_binary_fields(out->binary, TN_RECORD_SAMPLE, fields, COUNT(fields));
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
    tn_binary_fields(out->binary, TN_RECORD_RESERVED, fields, COUNT(fields));
}

tarn_status tn_write_binary(const struct tn_trace *trace, const struct tn_write_options *options,
                            struct tn_output *output) {
    struct binary_out out = {.trace = trace};
    TN_TRY(tn_binary_begin(output, &out.binary));
    out.numbers = (uint64_t *)calloc(trace->block_count + 1, sizeof *out.numbers);
    if (out.numbers == NULL) {
        (void)tn_binary_end(out.binary, false);
        return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a binary trace");
    }
    const char *origin = tn_trace_format_name(trace->origin);
    uint64_t about[] = {trace->lacks, trace->note_count};
    tn_binary_bytes(out.binary, TN_RECORD_ORIGIN, origin, strlen(origin));
    tn_binary_fields(out.binary, TN_RECORD_ABOUT, about, COUNT(about));
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
