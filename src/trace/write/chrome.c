// SPDX-License-Identifier: Apache-2.0
// Writes events for Perfetto and chrome://tracing: a process for each device, with counters of the
// live and the reserved bytes, the lives of its largest blocks, phases and failures. Times count
// from the first event; a recording without times has the number of the event in their place. One
// thread at a time.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/unicode.h"
#include "trace/extension.h"
#include "trace/scratch.h"
#include "trace/write/write.h"

// Viewers become slow with more blocks than this; the counter holds the others. The stacks of all
// shown blocks would be many times as long as the recording, so the stacks of the largest ones
// share some bytes for each event of the recording.
enum { BLOCKS_SHOWN = 10000, STACK_BYTES = 160, STACK_BYTES_LEAST = 4096 };
enum { PHASES_TID = 1, BLOCKS_TID = 2 };

struct chrome {
    struct tn_scratch memory;
    const struct tn_trace *trace;
    const struct tn_write_options *options;
    struct tn_output *output;
    const struct tn_trace_device *device;
    uint64_t pid;
    uint64_t begun_us;
    uint64_t live, reserved;
    uint64_t shown_bytes; // the lives of blocks of at least this size are written
    uint64_t stack_bytes; // and these with their stacks
    uint8_t *shown;       // a flag for each block: its life has begun and not ended
    uint32_t *ends;       // of each event of the device that is a mark
    uint32_t *pending;    // of each text: the number of an end that no mark has taken, or 0
    bool any;             // an event has been written
};

static void put_json_text(struct tn_output *output, const char *text) {
    while (*text != '\0') {
        size_t length = tn_unicode_length(text);
        unsigned char byte = (unsigned char)*text;
        if (length == 0)
            tn_output_print(output, TN_UNICODE_REPLACEMENT);
        else if (byte < 0x20 || byte == 0x7f)
            tn_output_print(output, "\\u%04x", byte);
        else if (byte == '"' || byte == '\\')
            tn_output_print(output, "\\%c", byte);
        else
            tn_output_put(output, text, length);
        text += length > 0 ? length : 1;
    }
}

static uint64_t event_time(const struct chrome *chrome, const struct tn_event *event) {
    if ((chrome->trace->lacks & TN_TRACE_NO_TIMES) != 0)
        return (uint64_t)(event - chrome->trace->events) - chrome->device->first_event;
    return event->time_us > chrome->begun_us ? event->time_us - chrome->begun_us : 0;
}

// Begins an event with the fields that all have.
static void open_chrome_event(struct chrome *chrome, const char *phase, const char *name) {
    tn_output_print(chrome->output, "%s{\"ph\":\"%s\",\"pid\":%" PRIu64 ",\"name\":\"",
                    chrome->any ? ",\n" : "\n", phase, chrome->pid);
    chrome->any = true;
    put_json_text(chrome->output, name);
    tn_output_print(chrome->output, "\"");
}

static void put_name(struct chrome *chrome, const char *what, int tid, const char *name) {
    open_chrome_event(chrome, "M", what);
    tn_output_print(chrome->output, ",\"tid\":%d,\"args\":{\"name\":\"%s\"}}", tid, name);
}

static void put_counter(struct chrome *chrome, uint64_t time) {
    open_chrome_event(chrome, "C", "memory");
    tn_output_print(chrome->output, ",\"ts\":%" PRIu64 ",\"args\":{\"live\":%" PRIu64, time,
                    chrome->live);
    if (chrome->device->says_reserved)
        tn_output_print(chrome->output, ",\"free_inside\":%" PRIu64,
                        chrome->reserved > chrome->live ? chrome->reserved - chrome->live : 0);
    tn_output_print(chrome->output, "}}");
}

// ---- blocks

static void put_call(const struct chrome *chrome, uint32_t index) {
    const struct tn_trace *trace = chrome->trace;
    const struct tn_trace_call *call = &trace->calls[index];
    put_json_text(chrome->output, trace->texts[call->file]);
    tn_output_print(chrome->output, ":%" PRIu32 ":", call->line);
    put_json_text(chrome->output, trace->texts[call->function]);
}

static void put_stack(const struct chrome *chrome, uint32_t stack) {
    const struct tn_trace *trace = chrome->trace;
    tn_output_print(chrome->output, ",\"owner\":\"");
    if (stack != 0) put_call(chrome, tn_write_owner(chrome->options, stack));
    tn_output_print(chrome->output, "\",\"stack\":\"");
    for (const char *between = ""; stack != 0; stack = trace->calls[stack].caller, between = ";") {
        tn_output_print(chrome->output, "%s", between);
        put_call(chrome, stack);
    }
    tn_output_print(chrome->output, "\"");
}

// The beginning and the end of a block's life have the same name, id and category.
static void put_life(struct chrome *chrome, const char *phase, uint64_t time, uint32_t index) {
    char name[32];
    const struct tn_block *block = &chrome->trace->blocks[index];
    if (block->size < chrome->shown_bytes || chrome->shown[index] == (phase[0] == 'b')) return;
    chrome->shown[index] = phase[0] == 'b';
    (void)snprintf(name, sizeof name, "%" PRIu64 " bytes", block->size);
    open_chrome_event(chrome, phase, name);
    tn_output_print(chrome->output,
                    ",\"cat\":\"block\",\"id\":\"0x%" PRIx32 "\",\"tid\":%d,\"ts\":%" PRIu64, index,
                    BLOCKS_TID, time);
    if (phase[0] == 'b') {
        tn_output_print(chrome->output,
                        ",\"args\":{\"bytes\":%" PRIu64 ",\"address\":\"0x%" PRIx64
                        "\",\"stream\":\"0x%" PRIx64 "\"",
                        block->size, block->id, chrome->trace->streams[block->stream].native);
        if (block->tag != 0) {
            tn_output_print(chrome->output, ",\"tag\":\"");
            put_json_text(chrome->output, chrome->trace->texts[block->tag]);
            tn_output_print(chrome->output, "\"");
        }
        if (block->stack != 0 && block->size >= chrome->stack_bytes)
            put_stack(chrome, block->stack);
        tn_output_print(chrome->output, "}");
    }
    tn_output_print(chrome->output, "}");
}

static int by_size_falling(const void *left, const void *right, void *blocks) {
    const struct tn_block *all = (const struct tn_block *)blocks;
    uint64_t a = all[*(const uint32_t *)left].size, b = all[*(const uint32_t *)right].size;
    return (a < b) - (a > b);
}

// Stores the length of the text of each stack.
static void measure_stacks(const struct tn_trace *trace, uint64_t *lengths) {
    enum { MARKS = 8 }; // around a line number, and its digits
    for (size_t i = 1; i < trace->call_count; i++) {
        const struct tn_trace_call *call = &trace->calls[i];
        lengths[i] = lengths[call->caller] + strlen(trace->texts[call->function]) +
                     strlen(trace->texts[call->file]) + MARKS;
    }
}

// Chooses the sizes from which on blocks, and their stacks, are shown. Blocks of equal
// size are treated alike.
static void choose_sizes(struct chrome *chrome, uint32_t *order, uint64_t *lengths) {
    const struct tn_trace *trace = chrome->trace;
    uint64_t left = STACK_BYTES_LEAST + STACK_BYTES * (uint64_t)trace->event_count;
    for (size_t i = 0; i < trace->block_count; i++) order[i] = (uint32_t)i;
    qsort_r(order, trace->block_count, sizeof *order, by_size_falling, trace->blocks);
    if (trace->block_count > BLOCKS_SHOWN)
        chrome->shown_bytes = trace->blocks[order[BLOCKS_SHOWN]].size + 1;
    measure_stacks(trace, lengths);
    for (size_t i = 0; i < trace->block_count && chrome->stack_bytes == 0; i++) {
        const struct tn_block *block = &trace->blocks[order[i]];
        if (lengths[block->stack] > left) chrome->stack_bytes = block->size + 1;
        left -= lengths[block->stack];
    }
}

static tarn_status prepare_chrome(struct chrome *chrome) {
    const struct tn_trace *trace = chrome->trace;
    struct tn_scratch *memory = &chrome->memory;
    uint32_t *order;
    uint64_t *lengths;
    TN_TAKE(memory, order, trace->block_count);
    TN_TAKE(memory, lengths, trace->call_count);
    TN_TAKE(memory, chrome->shown, trace->block_count);
    TN_TAKE(memory, chrome->ends, trace->event_count);
    TN_TAKE(memory, chrome->pending, trace->text_count);
    TN_REFUSE(memory->failed, TARN_NO_HOST_MEMORY, "out of host memory for a Chrome trace");
    choose_sizes(chrome, order, lengths);
    return TARN_OK;
}

// ---- phases

// Finds the event with which each phase ends: its own end, or the next mark if it has none. The
// walk goes back from the last event, so each mark meets the nearest end that is not taken.
static void find_phase_ends(struct chrome *chrome) {
    const struct tn_event *events = tn_trace_events(chrome->trace, chrome->device);
    size_t count = chrome->device->event_count;
    uint32_t next_mark = count > 0 ? (uint32_t)(count - 1) : 0;
    memset(chrome->pending, 0, chrome->trace->text_count * sizeof *chrome->pending);
    for (size_t i = count; i-- > 0;) {
        if (events[i].kind != TN_EVENT_MARK && events[i].kind != TN_EVENT_MARK_END) continue;
        uint32_t *pending = &chrome->pending[events[i].item];
        if (events[i].kind == TN_EVENT_MARK_END) {
            chrome->ends[i] = *pending; // the end that an outer phase of this name takes
            *pending = (uint32_t)i + 1;
        } else {
            uint32_t end = *pending;
            *pending = end != 0 ? chrome->ends[end - 1] : 0;
            chrome->ends[i] = end != 0 ? end - 1 : next_mark;
            next_mark = (uint32_t)i;
        }
    }
}

static void put_phase(struct chrome *chrome, const struct tn_event *event, uint64_t time) {
    const struct tn_event *events = tn_trace_events(chrome->trace, chrome->device);
    uint64_t end = event_time(chrome, &events[chrome->ends[event - events]]);
    open_chrome_event(chrome, "X", chrome->trace->texts[event->item]);
    tn_output_print(chrome->output,
                    ",\"cat\":\"phase\",\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 "}",
                    PHASES_TID, time, end > time ? end - time : 0);
}

static void put_failure(struct chrome *chrome, const struct tn_event *event, uint64_t time) {
    const struct tn_trace_failure *failure = &chrome->trace->failures[event->item];
    open_chrome_event(chrome, "i", "out of memory");
    tn_output_print(chrome->output,
                    ",\"s\":\"p\",\"tid\":%d,\"ts\":%" PRIu64 ",\"args\":{\"asked\":%" PRIu64,
                    PHASES_TID, time, failure->size);
    if (failure->device_free != UINT64_MAX)
        tn_output_print(chrome->output, ",\"device_free\":%" PRIu64, failure->device_free);
    put_stack(chrome, failure->stack);
    tn_output_print(chrome->output, "}}");
}

// ---- devices

static void put_chrome_event(struct chrome *chrome, const struct tn_event *event) {
    const struct tn_trace *trace = chrome->trace;
    uint64_t time = event_time(chrome, event);
    chrome->live = tn_trace_live_after(trace, event, chrome->live);
    switch (event->kind) {
    case TN_EVENT_ALLOC: put_life(chrome, "b", time, event->item); break;
    case TN_EVENT_FREE: put_life(chrome, "e", time, event->item); break;
    case TN_EVENT_MARK: put_phase(chrome, event, time); return;
    case TN_EVENT_FAILURE: put_failure(chrome, event, time); return;
    case TN_EVENT_SEGMENT: chrome->reserved += trace->segments[event->item].bytes; break;
    case TN_EVENT_SEGMENT_RETURN: chrome->reserved -= trace->segments[event->item].bytes; break;
    default: return;
    }
    put_counter(chrome, time);
}

static void put_samples(struct chrome *chrome) {
    for (size_t i = 0; i < chrome->device->sample_count; i++) {
        const struct tn_trace_sample *sample =
            &chrome->trace->samples[chrome->device->first_sample + i];
        uint64_t time = sample->time_us;
        chrome->live = sample->live;
        chrome->reserved = sample->reserved;
        put_counter(chrome, time > chrome->begun_us ? time - chrome->begun_us : 0);
    }
}

static void put_chrome_device(struct chrome *chrome) {
    const struct tn_trace_device *device = chrome->device;
    const struct tn_event *events = tn_trace_events(chrome->trace, device);
    char name[32];
    (void)snprintf(name, sizeof name, "%s %" PRIu32,
                   device->kind == TN_DEVICE_HOST ? "host memory" : "device", device->number);
    put_name(chrome, "process_name", 0, name);
    put_name(chrome, "thread_name", PHASES_TID, "phases");
    put_name(chrome, "thread_name", BLOCKS_TID, "blocks");
    chrome->live = tn_trace_live_at_start(chrome->trace, device);
    find_phase_ends(chrome);
    put_counter(chrome, 0);
    for (size_t i = 0; i < device->starting_count; i++)
        put_life(chrome, "b", 0, (uint32_t)(device->first_starting + i));
    for (size_t i = 0; i < device->event_count; i++) {
        tn_trace_report_event(TN_STAGE_WRITE, chrome->trace, device, i);
        put_chrome_event(chrome, &events[i]);
    }
    put_samples(chrome);
    uint64_t end =
        device->event_count > 0 ? event_time(chrome, &events[device->event_count - 1]) : 0;
    for (size_t i = 0; i < chrome->trace->block_count; i++)
        if (chrome->shown[i]) put_life(chrome, "e", end, (uint32_t)i);
}

// Writes the recording itself behind the events, since viewers may stop at a key that they do not
// know.
static tarn_status put_recording(const struct chrome *chrome) {
    struct tn_output *nested = NULL;
    tn_output_print(chrome->output, "\n],\n\"" TN_CHROME_RECORDING "\":\"");
    TN_TRY(tn_output_nest(chrome->output, &nested));
    TN_TRY(tn_output_close(nested, tn_write_binary(chrome->trace, chrome->options, nested)));
    tn_output_print(chrome->output, "\"");
    return TARN_OK;
}

// Returns the time of the first event of all devices.
static uint64_t first_time(const struct tn_trace *trace) {
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < trace->event_count; i++)
        if (trace->events[i].time_us < first) first = trace->events[i].time_us;
    for (size_t i = 0; i < trace->sample_count; i++)
        if (trace->samples[i].time_us < first) first = trace->samples[i].time_us;
    return first;
}

tarn_status tn_write_chrome(const struct tn_trace *trace, const struct tn_write_options *options,
                            struct tn_output *output) {
    struct chrome chrome = {
        .trace = trace, .options = options, .output = output, .begun_us = first_time(trace)};
    tarn_status status = prepare_chrome(&chrome);
    tn_output_print(output, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    for (size_t i = 0; i < trace->device_count && status == TARN_OK; i++) {
        chrome.device = &trace->devices[i];
        chrome.pid = i + 1;
        chrome.live = 0;
        chrome.reserved = chrome.device->reserved_at_start;
        if (tn_write_selects(options, chrome.device)) put_chrome_device(&chrome);
    }
    tn_scratch_release(&chrome.memory);
    if (status == TARN_OK) status = put_recording(&chrome);
    tn_output_print(output, "\n}\n");
    return status;
}
