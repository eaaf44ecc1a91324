// SPDX-License-Identifier: Apache-2.0
// Tables whose columns the user names: the words of other tools are known, units stand in names,
// and wrong descriptions are refused by name.
#include "unit/trace/story.h"

static tarn_status read_table(const char *columns, const char *text, struct tn_trace *trace) {
    const struct tn_trace_limits limits = {.columns = columns};
    tarn_clear_error();
    return tn_trace_read_memory("file", text, strlen(text), &limits, trace);
}

static void read_sound(const char *columns, const char *text, struct tn_trace *trace) {
    assert_int_equal(read_table(columns, text, trace), TARN_OK);
    sound_trace(trace);
}

static void assert_refused(const char *columns, const char *text, tarn_status expected,
                           const char *message) {
    struct tn_trace trace;
    tarn_error error;
    assert_int_equal(read_table(columns, text, &trace), expected);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, message);
}

// A table of another tool tells the story through its columns as through its own reader.
static void assert_opens(const char *sample, const char *columns, size_t device) {
    struct tn_trace trace;
    size_t size = 0;
    uint8_t *bytes = story_load(sample, &size);
    const struct tn_trace_limits limits = {.columns = columns};
    assert_int_equal(tn_trace_read_memory("file", bytes, size, &limits, &trace), TARN_OK);
    free(bytes);
    assert_int_equal(trace.format, TN_TRACE_CSV);
    assert_story(&trace, device);
    tn_trace_release(&trace);
}

static void columns_open_the_tables_of_other_tools(void **state) {
    (void)state;
    assert_opens("trace_csv/rmm", "time=Time,action=Action,address=Pointer,size=Size,stream=Stream",
                 0);
    assert_opens("trace_csv/rocprof",
                 "time=Start_Timestamp,action=Operation,address=Address,size=Allocation_Size,"
                 "device=Agent_Id",
                 0);
}

static void columns_have_units_in_their_names(void **state) {
    (void)state;
    struct tn_trace trace;
    read_sound("time=T(ms),address=A,size=S(KB)", "T(ms),A,S(KB)\n1.5,1,2\n", &trace);
    assert_int_equal(trace.events[0].time_us, 1500);
    assert_int_equal(trace.blocks[0].size, 2048);
    tn_trace_release(&trace);
    read_sound("time=T(ns),address=A,size=S", "T(ns),A,S\n3500,1,2\n", &trace);
    assert_int_equal(trace.events[0].time_us, 3);
    assert_int_equal(trace.blocks[0].size, 2);
    tn_trace_release(&trace);
    read_sound("time=T,address=A,size=S(MiB)", "T,A,S(MiB)\n7,1,0.5\n", &trace);
    assert_int_equal(trace.events[0].time_us, 7);
    assert_int_equal(trace.blocks[0].size, 524288);
    tn_trace_release(&trace);
}

static void columns_with_times_of_day_keep_the_order_of_lines(void **state) {
    (void)state;
    struct tn_trace trace;
    read_sound("time=T,address=A,size=S", "T,A,S\n23:59:59.5,1,8\n00:00:01,1,-8\n", &trace);
    assert_int_equal(trace.events[0].kind, TN_EVENT_ALLOC);
    assert_int_equal(trace.events[1].time_us - trace.events[0].time_us, 1500000);
    tn_trace_release(&trace);
    read_sound("time=T,address=A,size=S", "T,A,S\n10:00:05,1,8\n10:00:04,1,-8\n", &trace);
    assert_int_equal(trace.devices[0].starting_count, 0);
    tn_trace_release(&trace);
    read_sound("time=T,address=A,size=S", "T,A,S\n5,1,8\n4,1,-8\n", &trace);
    assert_int_equal(trace.devices[0].starting_count, 1);
    tn_trace_release(&trace);
}

static void columns_without_actions_free_by_the_sign(void **state) {
    (void)state;
    struct tn_trace trace;
    read_sound("address=A,size=S", "A,S\n1,8\n2,16\n1,-8\n", &trace);
    assert_int_equal(trace.events[2].kind, TN_EVENT_FREE);
    assert_int_equal(story_sums(&trace, 0).peak, 24);
    assert_int_equal(story_sums(&trace, 0).live, 16);
    assert_true((trace.lacks & TN_TRACE_NO_TIMES) != 0);
    tn_trace_release(&trace);
}

static void columns_know_actions_by_their_words(void **state) {
    (void)state;
    struct tn_trace trace;
    read_sound("action=W,address=A,size=S",
               "W,A,S\ncudaMalloc,1,8\nfree_requested,1,8\nfree_completed,1,8\nALLOC,2,4\n"
               "deallocate,2,\na,3,2\nf,3,2\nallocation failure,,9\nrelease,4,1\n",
               &trace);
    static const enum tn_event_kind kinds[] = {
        TN_EVENT_ALLOC, TN_EVENT_FREE_REQUEST, TN_EVENT_FREE,    TN_EVENT_ALLOC, TN_EVENT_FREE,
        TN_EVENT_ALLOC, TN_EVENT_FREE,         TN_EVENT_FAILURE, TN_EVENT_FREE};
    assert_int_equal(trace.event_count, sizeof kinds / sizeof *kinds);
    for (size_t i = 0; i < trace.event_count; i++) assert_int_equal(trace.events[i].kind, kinds[i]);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.failures[0].size, 9);
    tn_trace_release(&trace);
}

static void columns_skip_other_actions_and_note_it(void **state) {
    (void)state;
    struct tn_trace trace;
    read_sound("action=W,address=A,size=S", "W,A,S\nalloc,1,8\nlaunch,x,y\nsync,,\n", &trace);
    assert_int_equal(trace.event_count, 1);
    assert_string_equal(trace.notes[0],
                        "2 rows with other actions are skipped, the first in line 3");
    tn_trace_release(&trace);
}

static void columns_keep_devices_streams_and_stacks(void **state) {
    (void)state;
    struct tn_trace trace;
    read_sound("address=A,size=S,device=D,stream=Q,stack=K",
               "A,S,D,Q,K\n1,8,cuda:1,0x20,\"f;g;main\"\n1,4,0,0,\n", &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.devices[1].number, 1);
    const struct tn_block *block = &trace.blocks[1];
    assert_int_equal(block->size, 8);
    assert_int_equal(trace.streams[block->stream].native, 0x20);
    assert_string_equal(trace.texts[trace.calls[block->stack].function], "f");
    assert_string_equal(trace.texts[trace.calls[trace.calls[block->stack].caller].function], "g");
    tn_trace_release(&trace);
}

static void columns_refuse_wrong_descriptions(void **state) {
    (void)state;
    const char *text = "A,S\n1,8\n";
    assert_refused("adress=A,size=S", text, TARN_BAD_CONFIG,
                   "the columns: \"adress\" is no role: time, action, address, size, stream, "
                   "device or stack");
    assert_refused("address=A,size=B", text, TARN_CORRUPT, "file:1: no column is named \"B\"");
    assert_refused("address=A,address=S", text, TARN_BAD_CONFIG,
                   "the columns: \"address\" has two columns");
    assert_refused("address=A", text, TARN_BAD_CONFIG,
                   "the columns: address and size need one each, not only \"address=A\"");
    assert_refused("", text, TARN_BAD_CONFIG, "the columns: \"\" is not ROLE=COLUMN");
    assert_refused("size=", text, TARN_BAD_CONFIG, "the columns: \"size=\" is not ROLE=COLUMN");
}

static void columns_refuse_bad_cells_with_line_and_column(void **state) {
    (void)state;
    assert_refused("address=A,size=S", "A,S\n1,8\n1,x\n", TARN_CORRUPT,
                   "file:3: S: expected a number of bytes, found \"x\"");
    assert_refused("address=A,size=S,action=W", "A,S,W\n1,8,go\n", TARN_CORRUPT,
                   "file:2: the action of this row is not known, nor that of another");
    assert_refused("address=A,size=S,device=D", "A,S,D\n1,8,gpu\n", TARN_CORRUPT,
                   "file:2: D: expected a number of a device, found \"gpu\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_open_the_tables_of_other_tools),
        cmocka_unit_test(columns_have_units_in_their_names),
        cmocka_unit_test(columns_with_times_of_day_keep_the_order_of_lines),
        cmocka_unit_test(columns_without_actions_free_by_the_sign),
        cmocka_unit_test(columns_know_actions_by_their_words),
        cmocka_unit_test(columns_skip_other_actions_and_note_it),
        cmocka_unit_test(columns_keep_devices_streams_and_stacks),
        cmocka_unit_test(columns_refuse_wrong_descriptions),
        cmocka_unit_test(columns_refuse_bad_cells_with_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
