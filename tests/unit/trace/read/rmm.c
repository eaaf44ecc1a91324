// SPDX-License-Identifier: Apache-2.0
// RMM's logs: times of day, streams, threads, failures, and the device in the name of the file.
#include "unit/trace/story.h"

#define HEADER "Thread,Time,Action,Pointer,Size,Stream\n"

static void read_named(const char *name, const char *rows, struct tn_trace *trace) {
    char text[2048];
    (void)snprintf(text, sizeof text, HEADER "%s", rows);
    assert_int_equal(tn_trace_read_memory(name, text, strlen(text), NULL, trace), TARN_OK);
    sound_trace(trace);
}

static void rmm_sample_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/rmm", &trace);
    assert_int_equal(trace.format, TN_TRACE_RMM);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.failure_count, 1);
    assert_int_equal(trace.failures[0].size, 8589934592);
    assert_int_equal(trace.failures[0].device_free, UINT64_MAX);
    assert_int_equal(trace.events[1].time_us - trace.events[0].time_us, 10);
    assert_int_equal(trace.events[0].time_us, ((13 * 60 + 13) * 60 + 20) * UINT64_C(1000000));
    assert_int_equal(trace.stream_count, 2);
    assert_int_equal(trace.streams[trace.blocks[3].stream].native, 0x55d0);
    assert_string_equal(trace.texts[trace.blocks[3].tag], "thread 102");
    assert_int_equal(trace.lacks, TN_TRACE_NO_STACKS);
    tn_trace_release(&trace);
}

static void rmm_device_stands_in_the_name(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t device;
    } names[] = {{"rmm.dev1.csv", 1},       {"a.dev2/rmm.dev13.csv", 13}, {"a.dev2/rmm.csv", 0},
                 {"rmm.dev4", 4},           {"a.dev2.b/rmm.csv", 0},      {"rmm.dev.csv", 0},
                 {"rmm.dev7x.csv", 0},      {"x.dev3.dev5.csv", 5},       {"rmm.csv", 0},
                 {".dev99999999999.csv", 0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tn_trace trace;
        read_named(names[i].name, "1,00:00:00.0,allocate,0x10,1,0\n", &trace);
        assert_int_equal(trace.devices[0].number, names[i].device);
        tn_trace_release(&trace);
    }
}

static void rmm_midnight_does_not_turn_time_back(void **state) {
    (void)state;
    struct tn_trace trace;
    read_named("file",
               "1,23:59:59.999999,allocate,0x10,1,0\n1,23:59:59.999990,allocate,0x20,1,0\n"
               "1,00:00:00.000001,free,0x10,1,0\n1,23:00:00:000000,allocate,0x30,1,0\n"
               "1,01:00:00,free,0x20,1,0\n",
               &trace);
    const uint64_t day = UINT64_C(86400000000);
    assert_int_equal(trace.events[0].time_us, day - 1);
    assert_int_equal(trace.events[1].time_us, day - 1);
    assert_int_equal(trace.events[2].time_us, day + 1);
    assert_int_equal(trace.events[3].time_us, day + 82800000000);
    assert_int_equal(trace.events[4].time_us, 2 * day + 3600000000);
    tn_trace_release(&trace);
}

static void rmm_order_of_lines_is_kept_where_threads_overtake(void **state) {
    (void)state;
    struct tn_trace trace;
    read_named("file",
               "1,00:00:05.0,allocate,0x10,1,0\n1,00:00:09.0,free,0x10,1,0\n"
               "2,00:00:08.0,allocate,0x10,2,0\n",
               &trace);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.events[2].kind, TN_EVENT_ALLOC);
    assert_int_equal(trace.events[2].time_us, 9000000);
    tn_trace_release(&trace);
}

static void rmm_blocks_freed_first_were_live_at_the_start(void **state) {
    (void)state;
    struct tn_trace trace;
    read_named("file", "1,00:00:05.0,free,0x10,64,0\n1,00:00:06.0,allocate,0x10,32,0\n", &trace);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.blocks[0].size, 64);
    assert_int_equal(story_sums(&trace, 0).peak, 64);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

static void rmm_empty_blocks_are_left_out(void **state) {
    (void)state;
    struct tn_trace trace;
    read_named("file",
               "1,00:00:05.0,allocate,(nil),0,0\n1,00:00:05.0,allocate,(nil),0,0\n"
               "1,00:00:06.0,free,(nil),0,0\n1,00:00:06.0,free,(nil),0,0\n"
               "1,00:00:07.0,allocate,0x10,8,0\n",
               &trace);
    assert_int_equal(trace.event_count, 1);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

static void rmm_missing_free_is_assumed_and_noted(void **state) {
    (void)state;
    struct tn_trace trace;
    read_named("file", "1,00:00:05.0,allocate,0x10,8,0\n1,00:00:06.0,allocate,0x10,4,0\n", &trace);
    assert_int_equal(trace.event_count, 3);
    assert_int_equal(trace.events[1].kind, TN_EVENT_FREE);
    assert_int_equal(trace.events[1].item, 0);
    assert_string_equal(trace.notes[0], "line 3, address 0x10: allocated while live; its free is "
                                        "missing and is assumed to be here");
    tn_trace_release(&trace);
}

static void rmm_crash_loses_the_cut_row_only(void **state) {
    (void)state;
    struct tn_trace trace;
    read_named("file", "1,00:00:05.0,allocate,0x10,8,0\n1,00:00:06.0,allo", &trace);
    assert_int_equal(trace.event_count, 1);
    assert_string_equal(trace.notes[0], "line 3: the file ends within this row, which is skipped");
    tn_trace_release(&trace);
}

static void rmm_refuses_bad_cells_with_line_and_column(void **state) {
    (void)state;
    assert_story_refused(HEADER "1,25:00:00.0,allocate,0x10,8,0\n",
                         "file:2: Time: expected HH:MM:SS.uuuuuu, found \"25:00:00.0\"");
    assert_story_refused(HEADER "1,05:00:00.0,mumble,0x10,8,0\n",
                         "file:2: Action: expected \"allocate\", \"free\" or \"allocate failure\", "
                         "found \"mumble\"");
    assert_story_refused(HEADER "1,05:00:00.0,free,0x10,99999999999999999999,0\n",
                         "file:2: Size: expected a number of 64 bits, found "
                         "\"99999999999999999999\"");
    assert_story_refused(HEADER "1,05:00:00.0,free,0x10,1\n",
                         "file:2: expected 6 columns, found 5");
    assert_story_refused(HEADER, "file: no event of memory is recorded");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rmm_sample_tells_the_story),
        cmocka_unit_test(rmm_device_stands_in_the_name),
        cmocka_unit_test(rmm_midnight_does_not_turn_time_back),
        cmocka_unit_test(rmm_order_of_lines_is_kept_where_threads_overtake),
        cmocka_unit_test(rmm_blocks_freed_first_were_live_at_the_start),
        cmocka_unit_test(rmm_empty_blocks_are_left_out),
        cmocka_unit_test(rmm_missing_free_is_assumed_and_noted),
        cmocka_unit_test(rmm_crash_loses_the_cut_row_only),
        cmocka_unit_test(rmm_refuses_bad_cells_with_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
