// SPDX-License-Identifier: Apache-2.0
// Snapshots of PyTorch in SQLite, in the layouts of three programs: each holds the same blocks.
#include "unit/trace/tables.h"

#define MIB (UINT64_C(1) << 20)

// A segment of 20 MiB at 0x1000000. A block of 4 MiB was live before, and is freed by event 3; one of
// 2 MiB is live at the end.
static const char *const torch[] = {
    "CREATE TABLE segments (id INTEGER PRIMARY KEY, device INTEGER, address INTEGER, total_size "
    "INTEGER, stream INTEGER, segment_type TEXT);",
    "CREATE TABLE blocks (id INTEGER PRIMARY KEY, segment_id INTEGER, address INTEGER, size "
    "INTEGER, requested_size INTEGER, state TEXT, frames TEXT);",
    "CREATE TABLE device_traces (id INTEGER PRIMARY KEY, device INTEGER, action TEXT, addr "
    "INTEGER, size INTEGER, stream INTEGER, time_us INTEGER, frames TEXT);",
    "INSERT INTO segments VALUES (7, 1, 16777216, 20971520, 5, 'large');",
    "INSERT INTO blocks VALUES (1, 7, 16777216, 4194304, 0, 'inactive', NULL);",
    "INSERT INTO blocks VALUES (2, 7, 20971520, 2097152, 2097000, 'active_allocated', "
    "'[{\"name\": \"f\", \"filename\": \"a.py\", \"line\": 3}]');",
    "INSERT INTO device_traces VALUES (2, 1, 'free_requested', 16777216, 4194304, 5, 20, NULL);",
    "INSERT INTO device_traces VALUES (3, 1, 'free_completed', 16777216, 4194304, 5, 30, NULL);",
    "INSERT INTO device_traces VALUES (1, 1, 'alloc', 20971520, 2097000, 5, 10, '[{\"name\": "
    "\"f\", \"filename\": \"a.py\", \"line\": 3}, {\"name\": \"main\", \"filename\": \"a.py\", "
    "\"line\": 9}]');",
};

static const char *const dump[] = {
    "CREATE TABLE trace_entry_1 (id INTEGER PRIMARY KEY, action INTEGER, address INTEGER, size "
    "INTEGER, stream INTEGER, allocated INTEGER, active INTEGER, reserved INTEGER, callstack "
    "TEXT);",
    "CREATE TABLE block_1 (id INTEGER PRIMARY KEY, address INTEGER, size INTEGER, requestedSize "
    "INTEGER, state INTEGER, allocEventId INTEGER, freeEventId INTEGER);",
    // Its replay lists each block as active, and the segments at the start as events before the first.
    "INSERT INTO block_1 VALUES (0, 20971520, 2097152, 2097000, 1, 0, -1);",
    "INSERT INTO block_1 VALUES (-1, 16777216, 4194304, 4194304, 1, -1, 2);",
    "INSERT INTO trace_entry_1 VALUES (-1, 2, 16777216, 20971520, 5, 0, 0, 0, '');",
    "INSERT INTO trace_entry_1 VALUES (0, 4, 20971520, 2097000, 5, 0, 0, 0, 'a.py:9 main\na.py:3 "
    "f');",
    "INSERT INTO trace_entry_1 VALUES (1, 5, 16777216, 4194304, 5, 0, 0, 0, NULL);",
    "INSERT INTO trace_entry_1 VALUES (2, 6, 16777216, 4194304, 5, 0, 0, 0, NULL);",
};

static void check_story(const struct tn_trace *trace) {
    const struct tn_trace_device *device = &trace->devices[0];
    assert_int_equal(trace->format, TN_TRACE_SNAPSHOT);
    assert_int_equal(trace->device_count, 1);
    assert_int_equal(device->number, 1);
    assert_int_equal(device->event_count, 3);
    assert_int_equal(tn_trace_live_at_start(trace, device), 4 * MIB);
    assert_int_equal(tn_trace_peak(trace, device).live, 4 * MIB + 2097000);
    const struct tn_event *event = &trace->events[0];
    assert_int_equal(event->kind, TN_EVENT_ALLOC);
    const struct tn_block *block = &trace->blocks[event->item];
    assert_int_equal(trace->streams[block->stream].native, 5);
    assert_string_equal(trace->texts[trace->calls[block->stack].function], "f");
    assert_int_equal(trace->calls[trace->calls[block->stack].caller].line, 9);
    assert_int_equal(trace->note_count, 0);
}

static void pytorch_joins_blocks_with_segments(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(torch, &trace), TARN_OK);
    check_story(&trace);
    assert_int_equal(trace.devices[0].reserved_at_end, 20 * MIB);
    tn_trace_release(&trace);
}

static void memsnapdump_has_tables_for_each_device(void **state) {
    (void)state;
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(dump, &trace), TARN_OK);
    check_story(&trace);
    assert_int_equal(trace.devices[0].reserved_at_start, 20 * MIB);
    assert_int_equal(trace.devices[0].reserved_at_end, 20 * MIB);
    tn_trace_release(&trace);
}

static void memsnapdump_segments_follow_from_its_events(void **state) {
    (void)state;
    static const char *const mapped[] = {
        "CREATE TABLE trace_entry_0 (id INTEGER, action INTEGER, address INTEGER, size INTEGER);",
        "INSERT INTO trace_entry_0 VALUES (-1, 0, 16777216, 41943040);",
        "INSERT INTO trace_entry_0 VALUES (0, 1, 16777216, 20971520);",
        "INSERT INTO trace_entry_0 VALUES (1, 2, 83886080, 2097152);",
    };
    static const char *const twice[] = {
        "CREATE TABLE trace_entry_0 (id INTEGER, action INTEGER, address INTEGER, size INTEGER);",
        "INSERT INTO trace_entry_0 VALUES (0, 3, 16777216, 20971520);",
        "INSERT INTO trace_entry_0 VALUES (1, 4, 16777216, 512);",
    };
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(mapped, &trace), TARN_OK);
    assert_int_equal(trace.devices[0].reserved_at_start, 40 * MIB);
    assert_int_equal(trace.devices[0].reserved_at_end, 22 * MIB);
    assert_int_equal(trace.devices[0].starting_segment_count, 2);
    assert_int_equal(trace.devices[0].event_count, 2);
    tn_trace_release(&trace);
    assert_int_equal(READ_DATABASE(twice, &trace), TARN_OK);
    assert_false(trace.devices[0].says_reserved);
    tn_trace_release(&trace);
}

static void snapviewer_lists_allocations(void **state) {
    (void)state;
    static const char *const list[] = {
        ("CREATE TABLE allocs (idx INTEGER PRIMARY KEY, size INTEGER, start_time INTEGER, "
         "end_time INTEGER, callstack TEXT);"),
        "INSERT INTO allocs VALUES (0, 512, 0, 0, '');", // from before, freed by the first event
        "INSERT INTO allocs VALUES (1, 4194304, 1, 3, '(0) a.py:3:f\n(1) a.py:9:main');",
        "INSERT INTO allocs VALUES (2, 2097152, 2, 8, '(0) ??:0:at::g');", // live at the end
        "INSERT INTO allocs VALUES (3, 1048576, 7, 8, '(0) a.py:4:g');",
    };
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(list, &trace), TARN_OK);
    const struct tn_trace_device *device = &trace.devices[0];
    assert_int_equal(device->event_count, 6);
    assert_int_equal(tn_trace_peak(&trace, device).live, 6 * MIB);
    assert_int_equal(tn_trace_count(&trace, device, TN_EVENT_FREE), 2);
    const struct tn_trace_call *call = &trace.calls[trace.blocks[trace.events[2].item].stack];
    assert_string_equal(trace.texts[call->function], "f");
    assert_string_equal(trace.texts[call->file], "a.py");
    assert_int_equal(call->line, 3);
    assert_true((trace.lacks & TN_TRACE_NO_ADDRESSES) != 0);
    tn_trace_release(&trace);
}

// A state has no events, a version may lack columns, and damage is named.
static void columns_may_be_missing(void **state) {
    (void)state;
    static const char *const bare[] = {
        "CREATE TABLE segments (address INTEGER, total_size INTEGER);",
        "CREATE TABLE blocks (address INTEGER, size INTEGER, state TEXT);",
        "INSERT INTO segments VALUES (16777216, 20971520);",
        "INSERT INTO blocks VALUES (16777216, 4194304, 'active_allocated');",
    };
    static const char *const device[] = {
        "CREATE TABLE segments (device INTEGER, address INTEGER, total_size INTEGER);",
        "INSERT INTO segments VALUES (64, 16777216, 20971520);",
    };
    static const char *const frames[] = {
        "CREATE TABLE device_traces (action TEXT, addr INTEGER, size INTEGER, frames TEXT);",
        "INSERT INTO device_traces VALUES ('alloc', 4096, 512, '[{');",
    };
    static const char *const empty[] = {"CREATE TABLE device_traces (action TEXT);"};
    struct tn_trace trace;
    assert_int_equal(READ_DATABASE(bare, &trace), TARN_OK);
    assert_int_equal(tn_trace_live_at_start(&trace, &trace.devices[0]), 4 * MIB);
    tn_trace_release(&trace);
    assert_int_equal(READ_DATABASE(device, &trace), TARN_CORRUPT);
    assert_int_equal(READ_DATABASE(frames, &trace), TARN_CORRUPT);
    assert_int_equal(READ_DATABASE(empty, &trace), TARN_CORRUPT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pytorch_joins_blocks_with_segments),
        cmocka_unit_test(memsnapdump_has_tables_for_each_device),
        cmocka_unit_test(memsnapdump_segments_follow_from_its_events),
        cmocka_unit_test(snapviewer_lists_allocations),
        cmocka_unit_test(columns_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
