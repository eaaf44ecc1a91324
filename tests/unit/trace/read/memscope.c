// SPDX-License-Identifier: Apache-2.0
// msMemScope: rows out of order become one history for each device, pools are its blocks and HAL
// its segments, and what the columns say about a block stays with it.
#include "unit/trace/story.h"

#define HEADER                                                                                     \
    "ID,Event,Event Type,Name,Timestamp(ns),Process Id,Thread Id,Device Id,Ptr,Attr,"              \
    "Call Stack(Python),Call Stack(C)\n"

static void read_rows(const char *rows, struct tn_trace *trace) {
    char text[8192];
    (void)snprintf(text, sizeof text, HEADER "%s", rows);
    assert_int_equal(tn_trace_read_memory("file", text, strlen(text), NULL, trace), TARN_OK);
    sound_trace(trace);
}

static const struct tn_event *event_at(const struct tn_trace *trace, size_t index) {
    assert_true(index < trace->event_count);
    return &trace->events[index];
}

static const char *function_of(const struct tn_trace *trace, uint32_t stack) {
    return trace->texts[trace->calls[stack].function];
}

static void memscope_sample_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/memscope", &trace);
    assert_int_equal(trace.format, TN_TRACE_MEMSCOPE);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    assert_int_equal(story_sums(&trace, 0).marks, 2);
    assert_int_equal(story_sums(&trace, 0).failures, 1);
    assert_int_equal(trace.failures[0].size, 8589934592);
    assert_int_equal(trace.failures[0].device_free, UINT64_MAX);
    assert_true(trace.devices[0].says_reserved);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    assert_int_equal(trace.devices[0].memory_bytes, 17179869184);
    assert_int_equal(trace.lacks, TN_TRACE_NO_STREAMS);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

static void memscope_rows_are_sorted_by_time(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/memscope", &trace);
    for (size_t i = 1; i < trace.event_count; i++)
        assert_true(trace.events[i - 1].time_us <= trace.events[i].time_us);
    assert_int_equal(event_at(&trace, 0)->kind, TN_EVENT_SEGMENT);
    assert_int_equal(event_at(&trace, 0)->time_us, 1700000000000000);
    assert_int_equal(event_at(&trace, 3)->kind, TN_EVENT_MARK);
    assert_string_equal(trace.texts[event_at(&trace, 3)->item], "step 1");
    tn_trace_release(&trace);
}

static void memscope_blocks_have_stacks_addresses_and_owners(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/memscope", &trace);
    const struct tn_block *c = &trace.blocks[2];
    assert_int_equal(c->id, 0x7f0000000000);
    assert_string_equal(trace.texts[c->tag], "PTA@model");
    const struct tn_trace_call *call = &trace.calls[c->stack];
    assert_string_equal(trace.texts[call->function], "attention");
    assert_string_equal(trace.texts[call->file], "model.py");
    assert_int_equal(call->line, 31);
    call = &trace.calls[trace.calls[trace.calls[call->caller].caller].caller];
    assert_string_equal(trace.texts[call->function], "<module>");
    assert_int_equal(call->caller, 0);
    tn_trace_release(&trace);
}

static void memscope_replays_the_driver_where_no_pool_is(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,HAL,N/A,1000,1,1,3,0x10,\"{allocation_id:1,size:64}\",,\n"
              "2,FREE,HAL,N/A,2000,1,1,3,0x10,\"{allocation_id:1,size:64}\",,\n",
              &trace);
    assert_int_equal(trace.devices[0].number, 3);
    assert_int_equal(event_at(&trace, 0)->kind, TN_EVENT_ALLOC);
    assert_int_equal(event_at(&trace, 1)->kind, TN_EVENT_FREE);
    assert_true((trace.lacks & TN_TRACE_NO_POOL) != 0);
    assert_false(trace.devices[0].says_reserved);
    tn_trace_release(&trace);
}

static void memscope_reserved_comes_from_pools_without_the_driver(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,PTA,N/A,1000,1,1,0,0x10,\"{allocation_id:1,size:64,total:100}\",,\n"
              "2,MALLOC,ATB,N/A,2000,1,1,0,0x90,\"{allocation_id:1,size:64,total:900}\",,\n"
              "3,FREE,PTA,N/A,3000,1,1,0,0x10,\"{allocation_id:1,size:64,total:50}\",,\n",
              &trace);
    assert_true(trace.devices[0].says_reserved);
    assert_int_equal(trace.devices[0].reserved_peak, 1000);
    assert_int_equal(trace.devices[0].reserved_at_end, 950);
    tn_trace_release(&trace);
}

static void memscope_ids_of_processes_and_pools_are_their_own(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,PTA,N/A,1000,1,1,0,0x10,\"{allocation_id:7,size:1}\",,\n"
              "1,MALLOC,PTA,N/A,2000,2,2,0,0x10,\"{allocation_id:7,size:2}\",,\n"
              "2,MALLOC,ATB,N/A,3000,1,1,0,0x10,\"{allocation_id:7,size:4}\",,\n"
              "3,MALLOC,PTA,N/A,3500,1,1,1,0x10,\"{allocation_id:7,size:8}\",,\n"
              "2,FREE,PTA,N/A,4000,2,2,0,0x10,\"{allocation_id:7,size:2}\",,\n",
              &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(story_sums(&trace, 0).live, 5);
    assert_int_equal(story_sums(&trace, 1).live, 8);
    tn_trace_release(&trace);
}

static void memscope_operators_are_the_stack_where_none_is_recorded(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,OP_LAUNCH,ATEN_START,outer,1000,1,1,0,N/A,,,\n"
              "2,OP_LAUNCH,ATEN_START,inner,2000,1,1,0,N/A,,,\n"
              "3,MALLOC,PTA,N/A,3000,1,1,0,0x10,\"{allocation_id:1,size:1}\",,\n"
              "4,MALLOC,PTA,N/A,3000,1,2,0,0x20,\"{allocation_id:2,size:1}\",,\n"
              "5,OP_LAUNCH,ATEN_END,inner,4000,1,1,0,N/A,,,\n"
              "6,MALLOC,PTA,N/A,5000,1,1,0,0x30,\"{allocation_id:3,size:1}\",,\n",
              &trace);
    assert_string_equal(function_of(&trace, trace.blocks[0].stack), "inner");
    assert_string_equal(function_of(&trace, trace.calls[trace.blocks[0].stack].caller), "outer");
    assert_int_equal(trace.blocks[1].stack, 0);
    assert_string_equal(function_of(&trace, trace.blocks[2].stack), "outer");
    tn_trace_release(&trace);
}

static void memscope_an_operator_ends_those_within_it(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,OP_LAUNCH,ATEN_START,outer,1000,1,1,0,N/A,,,\n"
              "2,OP_LAUNCH,ATEN_START,inner,2000,1,1,0,N/A,,,\n"
              "3,OP_LAUNCH,ATEN_END,other,3000,1,1,0,N/A,,,\n"
              "4,MALLOC,PTA,N/A,4000,1,1,0,0x10,\"{allocation_id:1,size:1}\",,\n"
              "5,OP_LAUNCH,ATEN_END,outer,5000,1,1,0,N/A,,,\n"
              "6,MALLOC,PTA,N/A,6000,1,1,0,0x30,\"{allocation_id:3,size:1}\",,\n",
              &trace);
    assert_string_equal(function_of(&trace, trace.blocks[0].stack), "inner");
    assert_int_equal(trace.blocks[1].stack, 0);
    tn_trace_release(&trace);
}

static void memscope_times_order_the_rows_of_processes(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("9,MALLOC,PTA,N/A,1000,1,1,0,0x10,\"{allocation_id:1,size:1}\",,\n"
              "3,FREE,PTA,N/A,3000,2,2,0,0x10,\"{allocation_id:1,size:2}\",,\n"
              "2,MALLOC,PTA,N/A,2000,2,2,0,0x10,\"{allocation_id:1,size:2}\",,\n"
              "7,FREE,PTA,N/A,4000,1,1,0,0x10,\"{allocation_id:1,size:1}\",,\n",
              &trace);
    assert_int_equal(trace.event_count, 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(event_at(&trace, i)->time_us, i + 1);
    assert_int_equal(story_sums(&trace, 0).peak, 3);
    tn_trace_release(&trace);
}

static void memscope_c_frames_lie_within_those_of_python(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,PTA,N/A,1000,1,1,0,0x10,\"{allocation_id:1,size:1}\","
              "\"a.py(3): f, g\nb.py(4): main\n\",\"/lib/x.so(alloc+0x12) [0x7f]\n?\n\"\n",
              &trace);
    const struct tn_trace_call *call = &trace.calls[trace.blocks[0].stack];
    assert_string_equal(trace.texts[call->function], "alloc");
    assert_string_equal(trace.texts[call->file], "/lib/x.so");
    call = &trace.calls[trace.calls[call->caller].caller];
    assert_string_equal(trace.texts[call->function], "f, g");
    assert_string_equal(trace.texts[call->file], "a.py");
    assert_int_equal(call->line, 3);
    tn_trace_release(&trace);
}

static void memscope_invented_blocks_were_live_at_the_start(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,PTA,N/A,1000,1,1,0,0x10,\"{allocation_id:1,size:5,shadow:true}\",,\n"
              "2,FREE,PTA,N/A,2000,1,1,0,0x10,\"{allocation_id:1,size:5}\",,\n"
              "3,MALLOC,PTA,N/A,3000,1,1,0,0x20,\"{allocation_id:2,size:3}\",,\n"
              "4,FREE,PTA,N/A,4000,1,1,0,0x20,\"{allocation_id:2,size:3,shadow:true}\",,\n",
              &trace);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(story_sums(&trace, 0).allocations, 1);
    assert_int_equal(story_sums(&trace, 0).frees, 1);
    assert_int_equal(story_sums(&trace, 0).live, 3);
    tn_trace_release(&trace);
}

static void memscope_pinned_memory_is_a_device_of_the_host(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(
        "1,MALLOC,HOST_PINNED,N/A,1000,1,1,0,0x10,\"{allocation_id:1,size:5,pinned:true}\",,\n"
        "2,MALLOC,PTA,N/A,2000,1,1,0,0x10,\"{allocation_id:1,size:7}\",,\n"
        "3,MALLOC,HOST,N/A,2000,1,1,0,0x10,\"{allocation_id:9,size:7}\",,\n",
        &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[0].kind, TN_DEVICE_ACCELERATOR);
    assert_int_equal(story_sums(&trace, 0).live, 7);
    assert_int_equal(trace.devices[1].kind, TN_DEVICE_HOST);
    assert_int_equal(story_sums(&trace, 1).live, 5);
    tn_trace_release(&trace);
}

static void memscope_marks_without_a_device_are_those_of_all(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,PTA,N/A,1000,1,1,0,0x10,\"{allocation_id:1,size:5}\",,\n"
              "2,MSTX,Mark,\"epoch\",1500,1,1,N/A,N/A,,,\n"
              "3,MALLOC,PTA,N/A,2000,1,1,4,0x10,\"{allocation_id:1,size:7}\",,\n",
              &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(story_sums(&trace, 0).marks, 1);
    assert_int_equal(story_sums(&trace, 1).marks, 1);
    assert_int_equal(event_at(&trace, 1)->kind, TN_EVENT_MARK);
    assert_int_equal(event_at(&trace, 2)->kind, TN_EVENT_MARK);
    tn_trace_release(&trace);
}

static void memscope_values_of_attributes_may_have_commas(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("1,MALLOC,PTA,N/A,1000,1,1,0,0x10,"
              "\"{allocation_id:1,owner:A@B,C,size:5,inefficient_type:x,y}\",,\n",
              &trace);
    assert_int_equal(trace.blocks[0].size, 5);
    assert_string_equal(trace.texts[trace.blocks[0].tag], "A@B,C");
    tn_trace_release(&trace);
}

static void memscope_refuses_bad_cells_with_line_and_column(void **state) {
    (void)state;
    assert_story_refused(HEADER "1,MALLOC,PTA,N/A,x,1,1,0,0x10,{},,\n",
                         "file:2: Timestamp(ns): expected a number, found \"x\"");
    assert_story_refused(HEADER "1,MALLOC,PTA,N/A,1,1,1,1024,0x10,{},,\n",
                         "file:2: Device Id: expected a number below 1024, found \"1024\"");
    assert_story_refused(HEADER "\n1,MALLOC,PTA,N/A,1,1,1,0,0xg,{},,\n",
                         "file:3: Ptr: expected an address, found \"0xg\"");
    assert_story_refused(HEADER, "file: no event of memory is recorded");
    assert_story_refused("ID,Event,Event Type,Name,Process Id\n",
                         "file:1: no column is named \"Thread Id\"");
}

static void msleaks_has_microseconds_and_no_stacks(void **state) {
    (void)state;
    static const char rows[] =
        "ID,Event,Event Type,Name,Timestamp(us),Process Id,Thread Id,Device Id,Ptr,Attr\n"
        "1,MALLOC,HAL,N/A,7,1,1,0,4096,\"{addr:4096,size:1048576,owner:,MID:1}\"\n"
        "2,MALLOC,PTA_WORKSPACE,N/A,8,1,1,0,4096,\"{addr:4096,size:512,total:1048576}\"\n"
        "3,MALLOC,MindSpore,N/A,9,1,1,0,8192,\"{addr:8192,size:256,total:1048576}\"\n";
    struct tn_trace trace;
    assert_int_equal(tn_trace_read_memory("file", rows, strlen(rows), NULL, &trace), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(event_at(&trace, 2)->time_us, 9);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, 768);
    assert_int_equal(trace.devices[0].reserved_peak, 1048576);
    tn_trace_release(&trace);
}

// A file of msMemScope itself, whose own sums confirm the peak.
static void memscope_real_file_has_its_known_peak(void **state) {
    (void)state;
    char path[4096];
    struct tn_trace trace;
    (void)snprintf(path, sizeof path, "%s/../shared/traces/formats/memscope_dump-real.csv",
                   getenv("SRC"));
    FILE *file = fopen(path, "rb");
    if (file == NULL) skip();
    (void)fclose(file);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    sound_trace(&trace);
    assert_int_equal(story_sums(&trace, 0).peak, 20782080);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memscope_sample_tells_the_story),
        cmocka_unit_test(memscope_rows_are_sorted_by_time),
        cmocka_unit_test(memscope_blocks_have_stacks_addresses_and_owners),
        cmocka_unit_test(memscope_replays_the_driver_where_no_pool_is),
        cmocka_unit_test(memscope_reserved_comes_from_pools_without_the_driver),
        cmocka_unit_test(memscope_ids_of_processes_and_pools_are_their_own),
        cmocka_unit_test(memscope_operators_are_the_stack_where_none_is_recorded),
        cmocka_unit_test(memscope_an_operator_ends_those_within_it),
        cmocka_unit_test(memscope_times_order_the_rows_of_processes),
        cmocka_unit_test(memscope_c_frames_lie_within_those_of_python),
        cmocka_unit_test(memscope_invented_blocks_were_live_at_the_start),
        cmocka_unit_test(memscope_pinned_memory_is_a_device_of_the_host),
        cmocka_unit_test(memscope_marks_without_a_device_are_those_of_all),
        cmocka_unit_test(memscope_values_of_attributes_may_have_commas),
        cmocka_unit_test(memscope_refuses_bad_cells_with_line_and_column),
        cmocka_unit_test(msleaks_has_microseconds_and_no_stacks),
        cmocka_unit_test(memscope_real_file_has_its_known_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
