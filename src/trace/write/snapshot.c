// SPDX-License-Identifier: Apache-2.0
// Writes a memory snapshot that PyTorch's viewer opens. The viewer computes the addresses of blocks
// by adding up sizes, so the blocks of a segment tile it; and it goes back from the end, so each
// event lies in a segment that exists then. placement.c provides addresses for which both hold. One
// thread at a time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algo/pickler.h"
#include "base/error.h"
#include "trace/extension.h"
#include "trace/scratch.h"
#include "trace/write/placement.h"
#include "trace/write/write.h"

enum { DEVICES_MAX = 256, ROUNDED = 512, LARGE = 2 << 20, HANDLE = 20 << 20 };

// The keys that recur are written once and remembered.
#define KEY_LIST(X)                                                                                \
    X(ACTION, "action")                                                                            \
    X(ACTIVE_SIZE, "active_size")                                                                  \
    X(ADDR, "addr")                                                                                \
    X(ADDRESS, "address")                                                                          \
    X(ALLOCATED_SIZE, "allocated_size")                                                            \
    X(BLOCKS, "blocks")                                                                            \
    X(CATEGORY, "category")                                                                        \
    X(DEVICE, "device")                                                                            \
    X(DEVICE_FREE, "device_free")                                                                  \
    X(FILENAME, "filename")                                                                        \
    X(FRAMES, "frames")                                                                            \
    X(IS_EXPANDABLE, "is_expandable")                                                              \
    X(LINE, "line")                                                                                \
    X(MADE_UP, TN_SNAPSHOT_MADE_UP)                                                                \
    X(NAME, "name")                                                                                \
    X(REQUESTED_SIZE, "requested_size")                                                            \
    X(SEGMENT_POOL_ID, "segment_pool_id")                                                          \
    X(SEGMENT_TYPE, "segment_type")                                                                \
    X(SIZE, "size")                                                                                \
    X(STAGE, "stage")                                                                              \
    X(STATE, "state")                                                                              \
    X(STREAM, "stream")                                                                            \
    X(TARN_STREAM, TN_SNAPSHOT_STREAM)                                                             \
    X(TIME_US, "time_us")                                                                          \
    X(TOTAL_SIZE, "total_size")                                                                    \
    X(USER_METADATA, "user_metadata")

#define KEY_ENUM(name, text) KEY_##name,
enum key { KEY_LIST(KEY_ENUM) KEYS };

// A device of the file: the number of its list of events, and where its blocks are.
struct placed {
    const struct tn_trace_device *device;
    uint32_t number;
    bool is_timed; // its events have times
    struct tn_placement placement;
};

struct snapshot_out {
    const struct tn_trace *trace;
    struct tn_pickler pickler;
    struct placed *placed;
    size_t placed_count;
    uint32_t lists;   // of events: the highest number of a device plus 1
    size_t held;      // segments and events, without which no reader takes the file
    uint32_t *texts;  // how each text is remembered, or 0
    uint32_t *calls;  // the frame of each call
    uint32_t *stacks; // the list of frames of each stack
    uint32_t keys[KEYS];
};

// ---- values

// Writes a value again that has been remembered. Returns false if it has not.
static bool put_again(struct snapshot_out *out, uint32_t remembered) {
    if (remembered != 0) tn_pickler_again(&out->pickler, remembered);
    return remembered != 0;
}

static void put_key(struct snapshot_out *out, enum key key) {
    static const char *const names[] = {KEY_LIST(TN_TEXT_OF)};
    if (put_again(out, out->keys[key])) return;
    tn_pickler_text(&out->pickler, names[key]);
    out->keys[key] = tn_pickler_remember(&out->pickler);
}

static void put_number(struct snapshot_out *out, enum key key, uint64_t number) {
    put_key(out, key);
    tn_pickler_number(&out->pickler, number);
}

// A text that the trace does not have.
static void put_constant(struct snapshot_out *out, enum key key, const char *text) {
    put_key(out, key);
    tn_pickler_text(&out->pickler, text);
}

static void put_text_value(struct snapshot_out *out, uint32_t text) {
    if (put_again(out, out->texts[text])) return;
    tn_pickler_text(&out->pickler, out->trace->texts[text]);
    out->texts[text] = tn_pickler_remember(&out->pickler);
}

static void put_text(struct snapshot_out *out, enum key key, uint32_t text) {
    put_key(out, key);
    put_text_value(out, text);
}

static void put_frame(struct snapshot_out *out, uint32_t index) {
    const struct tn_trace_call *call = &out->trace->calls[index];
    if (put_again(out, out->calls[index])) return;
    tn_pickler_open_dict(&out->pickler);
    put_text(out, KEY_NAME, call->function);
    put_text(out, KEY_FILENAME, call->file);
    put_number(out, KEY_LINE, call->line);
    tn_pickler_close_dict(&out->pickler);
    out->calls[index] = tn_pickler_remember(&out->pickler);
}

static void put_frames(struct snapshot_out *out, uint32_t stack) {
    size_t count;
    put_key(out, KEY_FRAMES);
    if (put_again(out, out->stacks[stack])) return;
    tn_pickler_open_list(&out->pickler, &count);
    for (uint32_t at = stack; at != 0; at = out->trace->calls[at].caller) {
        tn_pickler_item(&out->pickler, &count);
        put_frame(out, at);
    }
    tn_pickler_close_list(&out->pickler, count);
    out->stacks[stack] = tn_pickler_remember(&out->pickler);
}

static uint64_t native_stream(const struct snapshot_out *out, uint32_t stream) {
    return out->trace->streams[stream].native;
}

// The text and the category that a program gave a block.
static void put_labels(struct snapshot_out *out, const struct tn_block *block) {
    if (block->tag != 0) put_text(out, KEY_USER_METADATA, block->tag);
    if (block->category != TN_CATEGORY_NONE)
        put_constant(out, KEY_CATEGORY, tn_category_name((enum tn_trace_category)block->category));
}

// ---- segments: the state at the end

// A segment at the end, with mapped neighbours joined.
struct run {
    uint64_t start, end;
    uint64_t stream; // as recorded
    uint32_t stack;
    bool mapped, is_private, made_up;
};

// Writes a block of a segment, or free bytes if it is NULL, and counts it.
static void put_block(struct snapshot_out *out, const struct run *run, uint64_t address,
                      uint64_t size, const struct tn_block *block, bool waits, size_t *count) {
    const char *state = block == NULL ? "inactive"
                        : waits       ? "active_pending_free"
                                      : "active_allocated";
    tn_pickler_item(&out->pickler, count);
    tn_pickler_open_dict(&out->pickler);
    put_number(out, KEY_ADDRESS, address);
    put_number(out, KEY_SIZE, size);
    put_number(out, KEY_REQUESTED_SIZE, block != NULL ? block->size : 0);
    put_constant(out, KEY_STATE, state);
    put_frames(out, block != NULL ? block->stack : 0);
    if (block != NULL) put_labels(out, block);
    if (block != NULL && native_stream(out, block->stream) != run->stream)
        put_number(out, KEY_TARN_STREAM, native_stream(out, block->stream));
    tn_pickler_close_dict(&out->pickler);
}

// Returns the bytes that a block occupies: as recorded, or rounded up as PyTorch does it, if there is
// room for it.
static uint64_t occupied_bytes(const struct tn_trace *trace, const struct tn_block *block,
                               uint64_t room) {
    if (block->occupied >= block->size && block->occupied <= room) return block->occupied;
    if (trace->origin != TN_TRACE_SNAPSHOT) return block->size;
    uint64_t rounded = block->size + (ROUNDED - block->size % ROUNDED) % ROUNDED;
    return rounded >= block->size && rounded <= room ? rounded : block->size;
}

// The sums of a segment, which precede its blocks.
static void put_sums(struct snapshot_out *out, const struct placed *placed, const struct run *run) {
    struct tn_interval_entry entry;
    uint64_t requested = 0;
    struct tn_interval_cursor at = tn_interval_seek(&placed->placement.live, run->start);
    while (tn_interval_step(&at, &entry) && entry.start < run->end)
        requested += entry.end - entry.start;
    put_number(out, KEY_TOTAL_SIZE, run->end - run->start);
    put_number(out, KEY_ALLOCATED_SIZE, requested);
    put_number(out, KEY_ACTIVE_SIZE, requested);
    put_number(out, KEY_REQUESTED_SIZE, requested);
}

static void put_blocks(struct snapshot_out *out, const struct placed *placed,
                       const struct run *run) {
    const struct tn_interval *live = &placed->placement.live;
    struct tn_interval_entry entry, next;
    uint64_t at = run->start;
    size_t count;
    put_key(out, KEY_BLOCKS);
    tn_pickler_open_list(&out->pickler, &count);
    while (tn_interval_next(live, at, &entry) && entry.start < run->end) {
        const struct tn_block *block = &out->trace->blocks[entry.value];
        bool has_next = tn_interval_next(live, entry.end, &next) && next.start < run->end;
        uint64_t room = (has_next ? next.start : run->end) - entry.start;
        if (entry.start > at) put_block(out, run, at, entry.start - at, NULL, false, &count);
        at = entry.start + occupied_bytes(out->trace, block, room);
        put_block(out, run, entry.start, at - entry.start, block,
                  placed->placement.waiting[entry.value] != 0, &count);
    }
    if (at < run->end) put_block(out, run, at, run->end - at, NULL, false, &count);
    tn_pickler_close_list(&out->pickler, count);
}

static void put_segment(struct snapshot_out *out, const struct placed *placed,
                        const struct run *run) {
    uint64_t bytes = run->end - run->start;
    bool is_large = run->mapped ? bytes % HANDLE == 0 : bytes > LARGE;
    tn_pickler_open_dict(&out->pickler);
    put_key(out, KEY_DEVICE);
    tn_pickler_signed(&out->pickler,
                      placed->device->kind == TN_DEVICE_HOST ? -1 : (int64_t)placed->number);
    put_number(out, KEY_ADDRESS, run->start);
    put_sums(out, placed, run);
    put_number(out, KEY_STREAM, run->stream);
    put_constant(out, KEY_SEGMENT_TYPE, is_large ? "large" : "small");
    put_key(out, KEY_SEGMENT_POOL_ID);
    tn_pickler_pair(&out->pickler, 0, run->is_private ? 1 : 0);
    put_key(out, KEY_IS_EXPANDABLE);
    tn_pickler_bool(&out->pickler, run->mapped);
    if (run->made_up) {
        put_key(out, KEY_MADE_UP);
        tn_pickler_bool(&out->pickler, true);
    }
    put_frames(out, run->stack);
    put_blocks(out, placed, run);
    tn_pickler_close_dict(&out->pickler);
}

static struct run run_of(const struct snapshot_out *out, const struct placed *placed,
                         const struct tn_interval_entry *entry) {
    struct run run = {.start = entry->start, .end = entry->end};
    if (entry->value == UINT64_MAX) { // made up: the stream of its first block
        struct tn_interval_entry block;
        run.made_up = true;
        if (tn_interval_next(&placed->placement.live, entry->start, &block))
            run.stream = native_stream(out, out->trace->blocks[block.value].stream);
        return run;
    }
    const struct tn_trace_segment *segment = &out->trace->segments[entry->value];
    run.stream = native_stream(out, segment->stream);
    run.stack = segment->stack;
    run.mapped = segment->mapped;
    run.is_private = segment->is_private;
    return run;
}

static bool joins(const struct run *run, const struct run *next) {
    return run->end == next->start && run->mapped && next->mapped && run->stream == next->stream &&
           run->is_private == next->is_private;
}

static void put_segments(struct snapshot_out *out, const struct placed *placed, size_t *count) {
    struct tn_interval_entry entry;
    struct tn_interval_cursor at = tn_interval_seek(&placed->placement.segments, 0);
    bool more = tn_interval_step(&at, &entry);
    while (more) {
        struct run run = run_of(out, placed, &entry), next;
        for (more = tn_interval_step(&at, &entry); more; more = tn_interval_step(&at, &entry)) {
            next = run_of(out, placed, &entry);
            if (!joins(&run, &next)) break;
            run.end = next.end;
        }
        tn_pickler_item(&out->pickler, count);
        put_segment(out, placed, &run);
    }
}

static void put_all_segments(struct snapshot_out *out, enum tn_trace_device_kind kind) {
    size_t count;
    tn_pickler_open_list(&out->pickler, &count);
    for (size_t i = 0; i < out->placed_count; i++)
        if (out->placed[i].device->kind == kind) put_segments(out, &out->placed[i], &count);
    tn_pickler_close_list(&out->pickler, count);
    out->held += count;
}

// ---- events

// Times order phases among the events, so the events have their numbers in place of times if the
// recording has phases and no times.
static uint64_t event_time(const struct snapshot_out *out, const struct placed *placed,
                           const struct tn_event *event) {
    return (out->trace->lacks & TN_TRACE_NO_TIMES) == 0
               ? event->time_us
               : (uint64_t)(event - out->trace->events) - placed->device->first_event;
}

static void open_action(struct snapshot_out *out, const struct placed *placed,
                        const struct tn_event *event, const char *action, size_t *count) {
    tn_pickler_item(&out->pickler, count);
    tn_pickler_open_dict(&out->pickler);
    put_constant(out, KEY_ACTION, action);
    if (placed->is_timed) put_number(out, KEY_TIME_US, event_time(out, placed, event));
}

static void put_range(struct snapshot_out *out, uint64_t address, uint64_t size, uint64_t stream) {
    put_number(out, KEY_ADDR, address);
    put_number(out, KEY_SIZE, size);
    put_number(out, KEY_STREAM, stream);
}

static void put_block_action(struct snapshot_out *out, const struct placed *placed,
                             const struct tn_event *event, const char *action, size_t *count) {
    const struct tn_block *block = &out->trace->blocks[event->item];
    bool is_alloc = event->kind == TN_EVENT_ALLOC;
    open_action(out, placed, event, action, count);
    put_range(out, placed->placement.addresses[event->item], block->size,
              native_stream(out, block->stream));
    put_frames(out, is_alloc ? block->stack : 0);
    if (is_alloc) put_labels(out, block);
    tn_pickler_close_dict(&out->pickler);
}

static void put_segment_action(struct snapshot_out *out, const struct placed *placed,
                               const struct tn_event *event, size_t *count) {
    const struct tn_trace_segment *segment = &out->trace->segments[event->item];
    bool comes = event->kind == TN_EVENT_SEGMENT;
    const char *action = segment->mapped ? (comes ? "segment_map" : "segment_unmap")
                                         : (comes ? "segment_alloc" : "segment_free");
    open_action(out, placed, event, action, count);
    put_range(out, segment->address, segment->bytes, native_stream(out, segment->stream));
    put_frames(out, segment->stack);
    tn_pickler_close_dict(&out->pickler);
}

static void put_failure(struct snapshot_out *out, const struct placed *placed,
                        const struct tn_event *event, size_t *count) {
    const struct tn_trace_failure *failure = &out->trace->failures[event->item];
    open_action(out, placed, event, "oom", count);
    if (failure->device_free != UINT64_MAX) put_number(out, KEY_DEVICE_FREE, failure->device_free);
    put_number(out, KEY_SIZE, failure->size);
    put_number(out, KEY_STREAM, native_stream(out, failure->stream));
    put_frames(out, failure->stack);
    tn_pickler_close_dict(&out->pickler);
}

// A mark of this text is an action of its own; all others are annotations.
static bool is_snapshot_mark(const struct snapshot_out *out, const struct tn_event *event) {
    return event->kind == TN_EVENT_MARK && strcmp(out->trace->texts[event->item], "snapshot") == 0;
}

// The viewer joins a request and a completion that follow each other to one free. *waiting is a
// flag for each block whose request has been written.
static void put_free(struct snapshot_out *out, const struct placed *placed,
                     const struct tn_event *event, uint8_t *waiting, size_t *count) {
    if (event->kind == TN_EVENT_FREE_REQUEST || !waiting[event->item])
        put_block_action(out, placed, event, "free_requested", count);
    waiting[event->item] = event->kind == TN_EVENT_FREE_REQUEST;
    if (event->kind == TN_EVENT_FREE) put_block_action(out, placed, event, "free_completed", count);
}

static void put_event(struct snapshot_out *out, const struct placed *placed,
                      const struct tn_event *event, uint8_t *waiting, size_t *count) {
    switch (event->kind) {
    case TN_EVENT_FREE:
    case TN_EVENT_FREE_REQUEST: put_free(out, placed, event, waiting, count); return;
    case TN_EVENT_ALLOC: put_block_action(out, placed, event, "alloc", count); return;
    case TN_EVENT_FAILURE: put_failure(out, placed, event, count); return;
    case TN_EVENT_SEGMENT:
    case TN_EVENT_SEGMENT_RETURN:
        if (placed->placement.kind == TN_PLACEMENT_RECORDED)
            put_segment_action(out, placed, event, count);
        return;
    default:
        if (!is_snapshot_mark(out, event)) return;
        open_action(out, placed, event, "snapshot", count);
        put_range(out, 0, 0, 0);
        tn_pickler_close_dict(&out->pickler);
    }
}

// Writes the list of events of the devices of a kind and a number.
static void put_trace(struct snapshot_out *out, enum tn_trace_device_kind kind, uint32_t number,
                      uint8_t *waiting) {
    size_t count;
    tn_pickler_open_list(&out->pickler, &count);
    for (size_t d = 0; d < out->placed_count; d++) {
        const struct placed *placed = &out->placed[d];
        if (placed->device->kind != kind || placed->number != number) continue;
        for (size_t i = 0; i < placed->device->event_count; i++) {
            tn_trace_report_event(TN_STAGE_WRITE, out->trace, placed->device, i);
            put_event(out, placed, &out->trace->events[placed->device->first_event + i], waiting,
                      &count);
        }
    }
    tn_pickler_close_list(&out->pickler, count);
    out->held += count;
}

// Each device has a list, empty for those that the recording does not have.
static void put_device_traces(struct snapshot_out *out, uint8_t *waiting) {
    size_t lists;
    tn_pickler_open_list(&out->pickler, &lists);
    for (uint32_t number = 0; number < out->lists; number++) {
        tn_pickler_item(&out->pickler, &lists);
        put_trace(out, TN_DEVICE_ACCELERATOR, number, waiting);
    }
    tn_pickler_close_list(&out->pickler, lists);
}

// ---- phases and settings

static void put_annotations(struct snapshot_out *out) {
    size_t count;
    tn_pickler_open_list(&out->pickler, &count);
    for (size_t d = 0; d < out->placed_count; d++) {
        const struct placed *placed = &out->placed[d];
        const struct tn_event *events = tn_trace_events(out->trace, placed->device);
        for (size_t i = 0; i < placed->device->event_count; i++) {
            bool ends = events[i].kind == TN_EVENT_MARK_END;
            if ((!ends && events[i].kind != TN_EVENT_MARK) || is_snapshot_mark(out, &events[i]) ||
                placed->device->kind == TN_DEVICE_HOST)
                continue;
            tn_pickler_item(&out->pickler, &count);
            tn_pickler_open_dict(&out->pickler);
            put_text(out, KEY_NAME, events[i].item);
            put_constant(out, KEY_STAGE, ends ? "END" : "START");
            put_number(out, KEY_DEVICE, placed->number);
            put_number(out, KEY_TIME_US, event_time(out, placed, &events[i]));
            tn_pickler_close_dict(&out->pickler);
        }
    }
    tn_pickler_close_list(&out->pickler, count);
}

// Settings are texts in the trace; PyTorch has truth values and numbers.
static void put_setting_value(struct snapshot_out *out, uint32_t value) {
    const char *text = out->trace->texts[value];
    char *end;
    long long number = strtoll(text, &end, 10);
    char again[32];
    (void)snprintf(again, sizeof again, "%lld", number);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        tn_pickler_bool(&out->pickler, text[0] == 't');
    else if (strcmp(text, again) == 0)
        tn_pickler_signed(&out->pickler, number);
    else
        put_text_value(out, value);
}

static void put_settings(struct snapshot_out *out) {
    tn_pickler_open_dict(&out->pickler);
    for (size_t i = 0; i < out->trace->setting_count; i++) {
        put_text_value(out, out->trace->settings[i].name);
        put_setting_value(out, out->trace->settings[i].value);
    }
    tn_pickler_close_dict(&out->pickler);
}

// Without these keys, the rules of PyTorch's allocator would be taken for those of another one.
static void put_origin(struct snapshot_out *out) {
    if (out->trace->origin != TN_TRACE_SNAPSHOT) {
        tn_pickler_text(&out->pickler, TN_SNAPSHOT_ORIGIN);
        tn_pickler_text(&out->pickler, tn_trace_format_name(out->trace->origin));
    }
    if (out->trace->lacks != 0) {
        tn_pickler_text(&out->pickler, TN_SNAPSHOT_LACKS);
        tn_pickler_number(&out->pickler, out->trace->lacks);
    }
}

static void put_snapshot(struct snapshot_out *out, uint8_t *waiting) {
    bool has_host =
        out->placed_count > 0 && out->placed[out->placed_count - 1].device->kind == TN_DEVICE_HOST;
    tn_pickler_open_dict(&out->pickler);
    tn_pickler_text(&out->pickler, "segments");
    put_all_segments(out, TN_DEVICE_ACCELERATOR);
    tn_pickler_text(&out->pickler, "device_traces");
    put_device_traces(out, waiting);
    if (has_host) {
        tn_pickler_text(&out->pickler, "host_segments");
        put_all_segments(out, TN_DEVICE_HOST);
        tn_pickler_text(&out->pickler, "host_traces");
        put_trace(out, TN_DEVICE_HOST, 0, waiting);
    }
    tn_pickler_text(&out->pickler, "allocator_settings");
    put_settings(out);
    tn_pickler_text(&out->pickler, "external_annotations");
    put_annotations(out);
    put_origin(out);
    tn_pickler_close_dict(&out->pickler);
}

// ---- devices

// The number of a device is the index of its list. Equal numbers get further lists.
static tarn_status choose_number(struct snapshot_out *out, struct placed *placed, uint8_t *taken) {
    uint32_t number = placed->device->number;
    if (placed->device->kind == TN_DEVICE_HOST) return TARN_OK;
    if (number >= DEVICES_MAX || taken[number])
        for (number = 0; number < DEVICES_MAX && taken[number];) number++;
    TN_REFUSE(number == DEVICES_MAX, TARN_UNSUPPORTED, "a snapshot holds at most %d devices",
              DEVICES_MAX);
    taken[number] = 1;
    placed->number = number;
    out->lists = number + 1 > out->lists ? number + 1 : out->lists;
    return TARN_OK;
}

static tarn_status place_devices(struct snapshot_out *out, const struct tn_write_options *options) {
    uint8_t taken[DEVICES_MAX] = {0};
    for (size_t i = 0; i < out->trace->device_count; i++) {
        struct placed *placed = &out->placed[out->placed_count];
        placed->device = &out->trace->devices[i];
        if (!tn_write_selects(options, placed->device)) continue;
        // Time alone orders marks.
        placed->is_timed = (out->trace->lacks & TN_TRACE_NO_TIMES) == 0 ||
                           tn_trace_count(out->trace, placed->device, TN_EVENT_MARK) > 0;
        TN_TRY(choose_number(out, placed, taken));
        TN_TRY(tn_placement_make(out->trace, placed->device, &placed->placement));
        out->placed_count++;
    }
    return TARN_OK;
}

static void put_bytes(void *output, const void *bytes, size_t size) {
    tn_output_put((struct tn_output *)output, bytes, size);
}

tarn_status tn_write_snapshot(const struct tn_trace *trace, const struct tn_write_options *options,
                              struct tn_output *output) {
    static const char none[] = "a snapshot holds blocks, and the recording has none";
    struct snapshot_out out = {.trace = trace};
    TN_REFUSE(trace->block_count + trace->segment_count == 0, TARN_UNSUPPORTED, "%s", none);
    struct tn_scratch memory = {0};
    uint8_t *waiting;
    TN_TAKE(&memory, waiting, trace->block_count);
    TN_TAKE(&memory, out.placed, trace->device_count);
    TN_TAKE(&memory, out.texts, trace->text_count);
    TN_TAKE(&memory, out.calls, trace->call_count);
    TN_TAKE(&memory, out.stacks, trace->call_count);
    tarn_status status = memory.failed
                             ? tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for a snapshot")
                             : place_devices(&out, options);
    if (status == TARN_OK) {
        tn_pickler_begin(&out.pickler, put_bytes, output);
        put_snapshot(&out, waiting);
        tn_pickler_end(&out.pickler);
        // Segments of no byte and marks are no reason to open the viewer.
        if (out.held == 0) status = tn_fail(TARN_UNSUPPORTED, "%s", none);
    }
    for (size_t i = 0; i < out.placed_count; i++) tn_placement_release(&out.placed[i].placement);
    tn_scratch_release(&memory);
    return status;
}
