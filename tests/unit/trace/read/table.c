// SPDX-License-Identifier: Apache-2.0
// Tarn's own tables: what a converted recording says, tables whose rows were removed or sorted, and
// those of earlier releases.
#include "unit/trace/story.h"

#define HEAD "device,event,index,time_us,id,bytes,stream,live_bytes,text,stack"
#define TAIL ",stack_id,occupied,category,device_free,flags\n"

static void table_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/tarn-table", &trace);
    assert_int_equal(trace.format, TN_TRACE_TABLE);
    assert_int_equal(trace.origin, TN_TRACE_SNAPSHOT);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[1].kind, TN_DEVICE_HOST);
    assert_story(&trace, 0);
    assert_int_equal(trace.lacks, 0);
    assert_string_equal(story_function(&trace, trace.blocks[0].stack), "forward");
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    assert_int_equal(trace.devices[0].calls.creates, 0);
    tn_trace_release(&trace);
}

// Rows of two devices in order of time, as a spreadsheet sorts them. The text of stack 1 is in
// another row than the first that has its number, and the rows of the devices are gone.
static void rows_may_be_sorted_and_removed(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(HEAD TAIL "1,alloc,0,10,7,100,0,100,\"\",\"\",1,,,,\n"
                              "0,alloc,0,11,7,200,0,200,\"\",\"f (a.py:3)\",1,512,gradient,,\n"
                              "0,start,,,9,50,3,50,\"\",\"\",,,,,\n"
                              "1,free,1,12,7,100,0,0,\"\",\"\",,,,,\n"
                              "1,free,2,13,8,100,0,0,\"\",\"\",,,,,\n"
                              "0,alloc,1,14,7,300,0,500,\"\",\"\",1,,,,\n",
                    &trace);
    sound_trace(&trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.blocks[0].size, 50);
    assert_int_equal(trace.streams[trace.blocks[0].stream].native, 3);
    assert_int_equal(trace.devices[0].event_count, 3); // the missing free of block 7 is one
    assert_int_equal(trace.events[1].kind, TN_EVENT_FREE);
    assert_int_equal(trace.blocks[1].occupied, 512);
    assert_int_equal(trace.blocks[1].category, TN_CATEGORY_GRADIENT);
    assert_int_equal(trace.devices[1].event_count, 2);
    assert_string_equal(story_function(&trace, trace.blocks[3].stack), "f");
    assert_int_equal(trace.note_count, 2);
    assert_string_equal(trace.notes[0], "line 7, id 7: allocated while live; its free is missing "
                                        "and is assumed to be here");
    assert_string_equal(trace.notes[1], "line 6, id 8: freed while not live");
    tn_trace_release(&trace);
}

// Their stacks are in each row, and names in them are as recorded.
static void tables_of_earlier_releases_are_read(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(HEAD "\r\n0,start,,,1,10,0,10,\"\",\"g (C:\\x (y)\\b.py:4); f (a.py:3)\"\r\n"
                         "host,alloc,0,5,2,20,0,20,\"t\",\"h\"\r\n",
                    &trace);
    sound_trace(&trace);
    assert_int_equal(trace.device_count, 2);
    const struct tn_trace_call *call = &trace.calls[trace.blocks[0].stack];
    assert_string_equal(trace.texts[call->function], "g");
    assert_string_equal(trace.texts[call->file], "C:\\x (y)\\b.py");
    assert_int_equal(call->line, 4);
    assert_string_equal(trace.texts[trace.calls[call->caller].function], "f");
    assert_string_equal(story_function(&trace, trace.blocks[1].stack), "h");
    tn_trace_release(&trace);
}

static void names_in_stacks_are_coded(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(HEAD TAIL "0,alloc,0,1,1,1,0,1,\"\",\"f%3B%25 (g) (a%28b:7);  (:0)\",1,,,,\n",
                    &trace);
    const struct tn_trace_call *call = &trace.calls[trace.blocks[0].stack];
    assert_string_equal(trace.texts[call->function], "f;% (g)");
    assert_string_equal(trace.texts[call->file], "a(b");
    call = &trace.calls[call->caller];
    assert_int_equal(call->function + call->file + call->line + call->caller, 0);
    tn_trace_release(&trace);
}

static void sums_of_segments_and_samples_are_computed(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(HEAD TAIL "0,segment_start,,,0,20971520,0,0,,,,,,,mapped private\n"
                              "0,segment,0,1,33554432,2097152,0,0,,,,,,,\n"
                              "0,segment_return,1,2,33554432,2097152,0,0,,,,,,,\n"
                              "1,sample,,5,,4096,,100,,,,,,,\n"
                              "1,sample,,5,,60,,100,,,,,input,,\n",
                    &trace);
    const struct tn_trace_device *device = &trace.devices[0];
    assert_true(trace.segments[0].mapped && trace.segments[0].is_private);
    assert_int_equal(device->reserved_at_start, 20971520);
    assert_int_equal(device->reserved_peak, 23068672);
    assert_int_equal(device->reserved_at_end, 20971520);
    assert_int_equal(device->calls.creates, 1);
    assert_int_equal(device->calls.allocs, 1);
    assert_int_equal(device->calls.frees, 1);
    assert_int_equal(device->calls.starting_segments, 1);
    assert_int_equal(device->calls.segment_events, 2);
    assert_int_equal(trace.devices[1].reserved_peak, 4096);
    assert_int_equal(trace.samples[0].by_category[TN_CATEGORY_INPUT], 60);
    tn_trace_release(&trace);
}

static void wrong_cells_are_refused(void **state) {
    (void)state;
    assert_story_refused(HEAD TAIL, "file: a table without rows");
    assert_story_refused(HEAD TAIL "0,grow,0,1,1,1,0,1,,,,,,,\n",
                         "file:2: event: expected an event of Tarn's tables, found \"grow\"");
    assert_story_refused(HEAD TAIL "x,alloc,0,1,1,1,0,1,,,,,,,\n",
                         "file:2: device: expected a number of 64 bits, found \"x\"");
    assert_story_refused(HEAD TAIL "4294967296,alloc,0,1,1,1,0,1,,,,,,,\n",
                         "file:2: device: expected a number of a device, found \"4294967296\"");
    assert_story_refused(HEAD TAIL "0,alloc,0,1,1,,0,1,,,,,,,\n",
                         "file:2: bytes: expected a number of bytes, found \"\"");
    assert_story_refused(HEAD TAIL "0,alloc,0,1,1,1,0,1,,,,,weights,,\n",
                         "file:2: category: expected a category, found \"weights\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_tells_the_story),
        cmocka_unit_test(rows_may_be_sorted_and_removed),
        cmocka_unit_test(tables_of_earlier_releases_are_read),
        cmocka_unit_test(names_in_stacks_are_coded),
        cmocka_unit_test(sums_of_segments_and_samples_are_computed),
        cmocka_unit_test(wrong_cells_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
