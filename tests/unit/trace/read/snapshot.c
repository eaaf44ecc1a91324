// SPDX-License-Identifier: Apache-2.0
// PyTorch snapshots: the state at the start is worked out, frees count where they complete, and
// what was reserved is walked back from the end. The pickles are written here, opcode by opcode.
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint8_t bytes[64 * 1024];
static size_t size;

static void put(const void *from, size_t length) {
    assert_true(size + length <= sizeof bytes);
    memcpy(bytes + size, from, length);
    size += length;
}

static void op(const char *codes) { put(codes, strlen(codes)); }

static void text(const char *value) {
    uint8_t head[2] = {0x8c, (uint8_t)strlen(value)};
    put(head, sizeof head);
    op(value);
}

static void number(uint64_t value) {
    uint8_t head[11] = {0x8a, 9};
    for (size_t i = 0; i < 8; i++) head[2 + i] = (uint8_t)(value >> (8 * i));
    put(head, sizeof head);
}

static void field(const char *key, uint64_t value) {
    text(key);
    number(value);
}

static void action(const char *name, uint64_t address, uint64_t length, uint64_t stream) {
    op("}(");
    text("action");
    text(name);
    field("addr", address);
    field("size", length);
    field("stream", stream);
    op("u");
}

static void timed(const char *name, uint64_t address, uint64_t length, uint64_t time) {
    op("}(");
    text("action");
    text(name);
    field("addr", address);
    field("size", length);
    field("time_us", time);
    op("u");
}

static void block(uint64_t length, uint64_t asked, const char *state) {
    op("}(");
    field("size", length);
    field("requested_size", asked);
    text("state");
    text(state);
    op("u");
}

static void open_segment(uint64_t device, uint64_t address, uint64_t total, uint64_t stream) {
    op("}(");
    field("device", device);
    field("address", address);
    field("total_size", total);
    field("stream", stream);
    text("blocks");
    op("](");
}

static void close_segment(void) { op("eu"); }

static void begin_segments(void) {
    size = 0;
    put("\x80\x04}(", 4);
    text("segments");
    op("](");
}

static void begin_traces(void) {
    op("e");
    text("device_traces");
    op("](](");
}

static void next_device(void) { op("e]("); }

static tarn_status finish(struct tn_trace *trace) {
    op("eeu.");
    return tn_trace_read_memory("file", bytes, size, NULL, trace);
}

static void assert_message(const char *expected) {
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, expected);
}

static void assert_event(const struct tn_trace *trace, size_t index, enum tn_event_kind kind,
                         uint32_t item, uint64_t where) {
    assert_true(index < trace->event_count);
    assert_int_equal(trace->events[index].kind, kind);
    assert_int_equal(trace->events[index].item, item);
    assert_int_equal(trace->events[index].where, where);
}

static void assert_segment(const struct tn_trace_segment *segment, uint64_t address,
                           uint64_t length, bool mapped) {
    assert_int_equal(segment->address, address);
    assert_int_equal(segment->bytes, length);
    assert_int_equal(segment->mapped, mapped);
}

static void snapshot_of_a_whole_run_starts_empty(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x1000, 2048, 0);
    block(512, 500, "active_allocated");
    block(1536, 0, "inactive");
    close_segment();
    begin_traces();
    action("segment_alloc", 0x1000, 2048, 0);
    action("alloc", 0x1000, 500, 0);
    action("alloc", 0x1200, 100, 0);
    action("free_requested", 0x1200, 100, 0);
    action("free_completed", 0x1200, 100, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_SNAPSHOT);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].starting_count, 0);
    assert_int_equal(trace.event_count, 5);
    assert_event(&trace, 0, TN_EVENT_SEGMENT, 0, 0);
    assert_event(&trace, 1, TN_EVENT_ALLOC, 0, 1);
    assert_event(&trace, 2, TN_EVENT_ALLOC, 1, 2);
    assert_event(&trace, 3, TN_EVENT_FREE_REQUEST, 1, 3);
    assert_event(&trace, 4, TN_EVENT_FREE, 1, 4);
    assert_int_equal(trace.devices[0].starting_segment_count, 0);
    assert_int_equal(trace.segments[0].bytes, 2048);
    assert_int_equal(trace.blocks[0].size, 500);
    assert_true(trace.devices[0].says_reserved);
    assert_int_equal(trace.devices[0].reserved_at_start, 0);
    assert_int_equal(trace.devices[0].reserved_peak, 2048);
    tn_trace_release(&trace);
}

static void snapshot_finds_blocks_that_were_live_before(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x1000, 4096, 7);
    block(512, 500, "active_allocated");    // 0x1000: untouched by the events
    block(512, 512, "active_pending_free"); // 0x1200: untouched as well
    block(3072, 0, "inactive");
    close_segment();
    begin_traces();
    action("free_requested", 0x1400, 256, 7); // 0x1400: its allocation was lost
    action("free_completed", 0x1400, 256, 7);
    action("alloc", 0x1400, 64, 7);
    action("free_requested", 0x1400, 64, 7);
    action("free_completed", 0x1400, 64, 7);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.devices[0].starting_count, 3);
    assert_int_equal(trace.blocks[0].id, 0x1400);
    assert_int_equal(trace.blocks[0].size, 256);
    assert_int_equal(trace.blocks[1].size, 500); // the requested bytes, as in events
    assert_int_equal(trace.blocks[2].size, 512);
    assert_int_equal(trace.streams[trace.blocks[1].stream].native, 7);
    assert_int_equal(trace.blocks[1].occupied, 512);
    assert_event(&trace, 1, TN_EVENT_FREE, 0, 1);
    assert_event(&trace, 2, TN_EVENT_ALLOC, 3, 2);
    assert_event(&trace, 4, TN_EVENT_FREE, 3, 4);
    tn_trace_release(&trace);
}

static void snapshot_holds_a_block_until_its_free_completes(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x1000, 1024, 1);
    block(512, 512, "inactive");
    block(512, 512, "active_pending_free");
    close_segment();
    begin_traces();
    action("alloc", 0x1000, 512, 1);
    action("alloc", 0x1200, 512, 2);
    action("free_requested", 0x1000, 512, 1);
    action("free_requested", 0x1200, 512, 2); // never completed: held to the end
    action("free_completed", 0x1000, 512, 1);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.event_count, 5);
    assert_event(&trace, 3, TN_EVENT_FREE_REQUEST, 1, 3);
    assert_event(&trace, 4, TN_EVENT_FREE, 0, 4);
    assert_int_equal(trace.stream_count, 2);
    assert_int_not_equal(trace.blocks[0].stream, trace.blocks[1].stream);
    tn_trace_release(&trace);
}

static void snapshot_walks_reserved_bytes_back_from_the_end(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x1000, 1000, 0);
    close_segment();
    begin_traces();
    action("segment_free", 0x9000, 300, 0);
    action("segment_alloc", 0x5000, 5000, 0);
    action("segment_map", 0x7000, 600, 0);
    action("segment_unmap", 0x7000, 700, 0);
    action("segment_free", 0x5000, 5000, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_at_end, 1000);
    assert_int_equal(trace.devices[0].reserved_at_start, 1400);
    assert_int_equal(trace.devices[0].reserved_peak, 6700);
    assert_int_equal(trace.note_count, 0);
    // At the start: what is left at the end, and what was returned without having been got.
    assert_int_equal(trace.devices[0].starting_segment_count, 3);
    assert_segment(&trace.segments[0], 0x1000, 1000, false);
    assert_segment(&trace.segments[1], 0x7000 + 600, 100, true);
    assert_segment(&trace.segments[2], 0x9000, 300, false);
    tn_trace_release(&trace);
}

static void snapshot_notes_segments_that_overlap(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x1000, 4096, 0);
    close_segment();
    open_segment(0, 0x1800, 4096, 0);
    close_segment();
    begin_traces();
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_at_end, 8192);
    assert_int_equal(trace.devices[0].starting_segment_count, 0);
    assert_string_equal(trace.notes[0], "device 0: the segments overlap or are returned twice; "
                                        "their places at the start are unknown");
    tn_trace_release(&trace);
}

static void open_mapped_segment(uint64_t address, uint64_t total, const char *type) {
    op("}(");
    field("device", 0);
    field("address", address);
    field("total_size", total);
    text("is_expandable");
    op("\x88"); // True
    text("segment_type");
    text(type);
    text("blocks");
    op("](");
}

static void snapshot_counts_the_calls_of_the_recorded_allocator(void **state) {
    (void)state;
    struct tn_trace trace;
    const uint64_t large = UINT64_C(20) << 20, small = UINT64_C(2) << 20;
    begin_segments();
    open_segment(0, 0x1000, 1000, 0);
    close_segment();
    open_segment(0, 0x2000, 500, 0);
    close_segment();
    open_mapped_segment(0x10000000, 3 * large, "large");
    close_segment();
    open_mapped_segment(0x20000000, 2 * small, "small");
    close_segment();
    begin_traces();
    action("segment_alloc", 0x1000, 1000, 0);
    action("segment_free", 0x9000, 300, 0);
    action("segment_map", 0x10000000, 2 * large, 0);
    action("segment_unmap", 0x8000000, small, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    const struct tn_trace_calls *calls = &trace.devices[0].calls;
    assert_int_equal(calls->segment_events, 4);
    // Held at the start: 500 and 300 bytes, one large handle and three small ones.
    assert_int_equal(calls->starting_segments, 2 + 1 + 3);
    assert_int_equal(calls->allocs, 3);
    assert_int_equal(calls->alloc_bytes, 1800);
    assert_int_equal(calls->frees, 1);
    assert_int_equal(calls->creates, 2 + 1 + 3);
    assert_int_equal(calls->create_bytes, 3 * large + 3 * small);
    assert_int_equal(calls->releases, 1);
    tn_trace_release(&trace);
}

static void snapshot_gives_each_device_its_own_events(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(2, 0x7000, 512, 9);
    block(512, 512, "active_allocated");
    close_segment();
    begin_traces();
    action("alloc", 0x1000, 64, 9);
    next_device(); // device 1 does nothing and is left out
    next_device();
    action("alloc", 0x2000, 32, 9);
    action("free_completed", 0x2000, 32, 9);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[0].number, 0);
    assert_int_equal(trace.devices[0].event_count, 1);
    assert_int_equal(trace.devices[1].number, 2);
    assert_int_equal(trace.devices[1].first_event, 1);
    assert_int_equal(trace.devices[1].event_count, 2);
    assert_int_equal(trace.devices[1].starting_count, 1);
    assert_int_equal(trace.blocks[trace.devices[1].first_starting].id, 0x7000);
    assert_int_equal(trace.stream_count, 2); // a stream belongs to one device
    tn_trace_release(&trace);
}

static void snapshot_notes_contradictions_and_stays_replayable(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x1000, 512, 0);
    block(512, 512, "active_allocated");
    close_segment();
    begin_traces();
    action("alloc", 0x1000, 100, 0);
    action("alloc", 0x1000, 200, 0); // its free is missing
    action("free_completed", 0x1000, 200, 0);
    action("free_completed", 0x1000, 200, 0); // freed twice, and held at the end
    action("alloc", 0x3000, 0, 0);
    action("from_the_future", 0x3000, 8, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.event_count, 4);
    assert_event(&trace, 1, TN_EVENT_FREE, 0, 1);
    assert_event(&trace, 2, TN_EVENT_ALLOC, 1, 1);
    assert_event(&trace, 3, TN_EVENT_FREE, 1, 2);
    assert_int_equal(trace.note_count, 5);
    assert_string_equal(trace.notes[0],
                        "device_traces[0][1], address 0x1000: allocated while live; "
                        "its free is missing and is assumed to be here");
    assert_string_equal(trace.notes[1],
                        "device_traces[0][3], address 0x1000: freed while not live");
    tn_trace_release(&trace);
}

static void snapshot_leaves_reserved_unknown_when_segments_do_not_add_up(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    begin_traces();
    action("segment_alloc", 0x1000, 4096, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_false(trace.devices[0].says_reserved);
    assert_int_equal(trace.note_count, 1);
    tn_trace_release(&trace);
}

static void snapshot_keeps_phases_and_failures(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    op("e");
    text("external_annotations");
    op("](}(");
    text("stage");
    text("START");
    text("name");
    text("forward");
    field("device", 0);
    field("time_us", 15);
    op("u}(");
    text("stage");
    text("END");
    text("name");
    text("forward");
    field("device", 0);
    field("time_us", 40); // after the last action
    op("ue");
    text("device_traces");
    op("](](");
    timed("alloc", 0x1000, 8, 10);
    op("}(");
    text("action");
    text("oom");
    field("size", 1000000);
    field("device_free", 4096);
    field("time_us", 20);
    op("u");
    timed("free_completed", 0x1000, 8, 30);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.event_count, 5);
    assert_event(&trace, 1, TN_EVENT_MARK, 1, 1);
    assert_event(&trace, 2, TN_EVENT_FAILURE, 0, 1);
    assert_event(&trace, 4, TN_EVENT_MARK_END, 1, 3);
    assert_int_equal(trace.events[1].time_us, 15);
    assert_int_equal(trace.events[4].time_us, 40);
    assert_string_equal(trace.texts[1], "forward");
    assert_int_equal(trace.failures[0].size, 1000000);
    assert_int_equal(trace.failures[0].device_free, 4096);
    assert_int_equal(trace.events[3].time_us, 30);
    tn_trace_release(&trace);
}

static void frame(const char *name, const char *file, uint64_t line) {
    op("}(");
    text("name");
    text(name);
    text("filename");
    text(file);
    field("line", line);
    op("u");
}

static void assert_call(const struct tn_trace *trace, uint32_t index, const char *function,
                        const char *file, uint32_t line) {
    assert_string_equal(trace->texts[trace->calls[index].function], function);
    assert_string_equal(trace->texts[trace->calls[index].file], file);
    assert_int_equal(trace->calls[index].line, line);
}

static void snapshot_keeps_stacks_tags_and_settings(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    op("e");
    text("allocator_settings");
    op("}(");
    text("expandable_segments");
    op("\x88");
    text("roundup");
    op("}(");
    field("1", 2);
    field("4", 8);
    op("uu");
    text("device_traces");
    op("](](");
    op("}(");
    text("action");
    text("alloc");
    field("addr", 0x1000);
    field("size", 8);
    text("user_metadata");
    text("weights");
    text("frames");
    op("](");
    frame("inner", "a.py", 3);
    frame("outer", "b.py", 7);
    op("eu");
    action("alloc", 0x2000, 8, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    const struct tn_block *block = &trace.blocks[0];
    assert_string_equal(trace.texts[block->tag], "weights");
    assert_call(&trace, block->stack, "inner", "a.py", 3);
    assert_call(&trace, trace.calls[block->stack].caller, "outer", "b.py", 7);
    assert_int_equal(trace.calls[trace.calls[block->stack].caller].caller, 0);
    assert_int_equal(trace.blocks[1].stack, 0);
    assert_int_equal(trace.setting_count, 2);
    assert_string_equal(trace.texts[trace.settings[0].name], "expandable_segments");
    assert_string_equal(trace.texts[trace.settings[0].value], "true");
    assert_string_equal(trace.texts[trace.settings[1].value], "1:2,4:8");
    tn_trace_release(&trace);
}

// A program may record without completions.
static void snapshot_takes_a_request_for_the_free_if_no_free_completes(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    begin_traces();
    action("alloc", 0x1000, 8, 0);
    action("free_requested", 0x1000, 8, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_event(&trace, 1, TN_EVENT_FREE, 0, 1);
    tn_trace_release(&trace);
}

static void snapshot_counts_workspaces_as_held_before(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    open_segment(0, 0x9000, 4096, 3);
    block(4096, 4096, "active_allocated");
    close_segment();
    begin_traces();
    action("workspace_snapshot", 0x9000, 4096, 3);
    action("segment_alloc", 0x9000, 4096, 3);
    action("alloc", 0x9000, 4096, 3);
    action("alloc", 0x1000, 8, 0);
    action("annotate", 0x1000, 8, 0);
    action("free_completed", 0x1000, 8, 0);
    assert_int_equal(finish(&trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.devices[0].starting_segment_count, 1);
    assert_int_equal(trace.devices[0].reserved_at_start, 4096);
    assert_int_equal(trace.event_count, 2);
    assert_event(&trace, 0, TN_EVENT_ALLOC, 1, 3);
    tn_trace_release(&trace);
}

static void snapshot_list_is_a_state_without_events(void **state) {
    (void)state;
    struct tn_trace trace;
    size = 0;
    put("\x80\x04](", 4);
    open_segment(0, 0x1000, 1024, 0);
    block(512, 500, "active_allocated");
    block(512, 0, "inactive");
    close_segment();
    op("e.");
    assert_int_equal(tn_trace_read_memory("file", bytes, size, NULL, &trace), TARN_OK);
    assert_int_equal(trace.event_count, 0);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.devices[0].reserved_at_end, 1024);
    tn_trace_release(&trace);
}

static void snapshot_names_the_entry_that_is_wrong(void **state) {
    (void)state;
    struct tn_trace trace;
    begin_segments();
    begin_traces();
    action("alloc", 0x1000, 8, 0);
    op("}(");
    text("action");
    text("alloc");
    field("size", 8);
    op("u");
    assert_int_equal(finish(&trace), TARN_CORRUPT);
    assert_message("file: device_traces[0][1]: no number named \"addr\"");
    begin_segments();
    op("}");
    begin_traces();
    assert_int_equal(finish(&trace), TARN_CORRUPT);
    assert_message("file: segments[0]: no number named \"device\"");
    begin_segments();
    open_segment(256, 0, 0, 0);
    close_segment();
    begin_traces();
    assert_int_equal(finish(&trace), TARN_CORRUPT);
    assert_message("file: segments[0]: a device number above 255");
}

static void snapshot_refuses_pickles_of_other_shape(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(tn_trace_read_memory("file", "\x80\x04N.", 4, NULL, &trace), TARN_CORRUPT);
    assert_message("file: the snapshot: not a dict");
    assert_int_equal(tn_trace_read_memory("file", "\x80\x04}.", 4, NULL, &trace), TARN_CORRUPT);
    assert_message("file: the snapshot: no list named \"segments\"");
    begin_segments();
    begin_traces();
    assert_int_equal(finish(&trace), TARN_CORRUPT);
    assert_message("file: the snapshot: no device has segments or events");
}

// Shared values let a small file stand for an enormous snapshot: the entries are counted.
static void snapshot_keeps_to_the_limit_of_entries(void **state) {
    (void)state;
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 1000};
    begin_segments();
    begin_traces();
    action("alloc", 0x1000, 8, 0);
    put("\x94", 1);
    for (int i = 0; i < 1000; i++) put("h\0", 2);
    op("eeu.");
    assert_int_equal(tn_trace_read_memory("file", bytes, size, &limits, &trace),
                     TARN_NO_HOST_MEMORY);
    assert_message("file: device_traces[0][999]: more than the 1000 entries allowed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshot_of_a_whole_run_starts_empty),
        cmocka_unit_test(snapshot_finds_blocks_that_were_live_before),
        cmocka_unit_test(snapshot_holds_a_block_until_its_free_completes),
        cmocka_unit_test(snapshot_walks_reserved_bytes_back_from_the_end),
        cmocka_unit_test(snapshot_counts_the_calls_of_the_recorded_allocator),
        cmocka_unit_test(snapshot_gives_each_device_its_own_events),
        cmocka_unit_test(snapshot_notes_contradictions_and_stays_replayable),
        cmocka_unit_test(snapshot_leaves_reserved_unknown_when_segments_do_not_add_up),
        cmocka_unit_test(snapshot_keeps_phases_and_failures),
        cmocka_unit_test(snapshot_keeps_stacks_tags_and_settings),
        cmocka_unit_test(snapshot_takes_a_request_for_the_free_if_no_free_completes),
        cmocka_unit_test(snapshot_counts_workspaces_as_held_before),
        cmocka_unit_test(snapshot_list_is_a_state_without_events),
        cmocka_unit_test(snapshot_notes_segments_that_overlap),
        cmocka_unit_test(snapshot_names_the_entry_that_is_wrong),
        cmocka_unit_test(snapshot_refuses_pickles_of_other_shape),
        cmocka_unit_test(snapshot_keeps_to_the_limit_of_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
