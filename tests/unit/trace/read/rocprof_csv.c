// SPDX-License-Identifier: Apache-2.0
// rocprofv3's tables: frees find their device and size by the address, columns are found by name,
// and the scratch memory of a queue is one block at a time.
#include "unit/trace/story.h"

#define HEADER                                                                                     \
    "\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Address\",\"Correlation_Id\","      \
    "\"Start_Timestamp\",\"End_Timestamp\"\n"
#define SCRATCH                                                                                    \
    "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_Flags\","              \
    "\"Start_Timestamp\",\"End_Timestamp\",\"Allocation_Size\"\n"

static void read_rows(const char *text, struct tn_trace *trace) {
    assert_int_equal(tn_trace_read_memory("file", text, strlen(text), NULL, trace), TARN_OK);
    sound_trace(trace);
}

static void rocprof_sample_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/rocprof", &trace);
    assert_int_equal(trace.format, TN_TRACE_ROCPROF);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].number, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.events[0].time_us, 816098791282);
    assert_int_equal(trace.blocks[2].id, 0x7f0000000000);
    assert_int_equal(trace.lacks, TN_TRACE_NO_POOL | TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

static void rocprof_rows_out_of_order_are_sorted(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(HEADER "M,MEMORY_ALLOCATION_FREE,\"\",0,0x10,3,9000,9500\n"
                     "M,MEMORY_ALLOCATION_ALLOCATE,\"Agent 2\",8,0x10,1,1000,2000\n",
              &trace);
    assert_int_equal(trace.devices[0].number, 2);
    assert_int_equal(trace.events[0].kind, TN_EVENT_ALLOC);
    assert_int_equal(trace.events[0].time_us, 2); // its end: the address is known from then on
    assert_int_equal(trace.events[1].kind, TN_EVENT_FREE);
    assert_int_equal(trace.events[1].time_us, 9); // its start
    tn_trace_release(&trace);
}

static void rocprof_agent_0_and_cpus_are_the_host(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(HEADER "M,MEMORY_ALLOCATION_ALLOCATE,Agent 0,1,0x10,1,1,1\n"
                     "M,MEMORY_ALLOCATION_ALLOCATE,CPU 1,2,0x20,1,1,1\n"
                     "M,MEMORY_ALLOCATION_ALLOCATE,GPU 0,4,0x30,1,1,1\n"
                     "M,MEMORY_ALLOCATION_ALLOCATE,Agent 3,8,0x40,1,1,1\n",
              &trace);
    assert_int_equal(trace.device_count, 3);
    assert_int_equal(story_sums(&trace, 0).live, 4);
    assert_int_equal(trace.devices[1].number, 3);
    assert_int_equal(trace.devices[2].kind, TN_DEVICE_HOST);
    assert_int_equal(story_sums(&trace, 2).live, 3);
    tn_trace_release(&trace);
}

static void rocprof_free_of_an_unknown_block_is_noted(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(HEADER "M,MEMORY_ALLOCATION_FREE,\"\",0,0x10,3,9000,9500\n"
                     "M,MEMORY_ALLOCATION_ALLOCATE,Agent 1,8,0x10,1,10000,12000\n",
              &trace);
    assert_int_equal(trace.event_count, 1);
    assert_string_equal(trace.notes[0], "line 2, address 0x10: freed while not live, and its size "
                                        "is not recorded");
    tn_trace_release(&trace);
}

static void rocprof_handles_and_allocations_do_not_meet(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(HEADER "M,MEMORY_ALLOCATION_ALLOCATE,Agent 1,8,0x10,1,1,1\n"
                     "M,MEMORY_ALLOCATION_VMEM_ALLOCATE,Agent 1,4,0x10,1,2,2\n"
                     "M,MEMORY_ALLOCATION_VMEM_FREE,\"\",0,0x10,1,3,3\n",
              &trace);
    assert_int_equal(story_sums(&trace, 0).peak, 12);
    assert_int_equal(story_sums(&trace, 0).live, 8);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

static void rocprof_scratch_of_a_queue_replaces_its_last(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(SCRATCH "S,SCRATCH_MEMORY_ALLOC,Agent 1,7,1,0,1000,2000,100\n"
                      "S,SCRATCH_MEMORY_ALLOC,Agent 1,8,1,0,2000,3000,50\n"
                      "S,SCRATCH_MEMORY_ALLOC,Agent 1,7,1,0,3000,4000,300\n"
                      "S,SCRATCH_MEMORY_FREE,Agent 1,7,1,0,5000,6000,0\n"
                      "S,SCRATCH_MEMORY_ASYNC_RECLAIM,Agent 1,8,1,0,7000,8000,0\n",
              &trace);
    assert_int_equal(story_sums(&trace, 0).peak, 350);
    assert_int_equal(story_sums(&trace, 0).live, 0);
    assert_int_equal(trace.note_count, 0);
    assert_true((trace.lacks & TN_TRACE_NO_ADDRESSES) != 0);
    tn_trace_release(&trace);
}

static void rocprof_columns_are_found_by_name(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows("Kind,Operation,Agent_Id,Stream_Id,Address,Allocation_Size,End_Timestamp,"
              "Start_Timestamp\nM,MEMORY_ALLOCATION_ALLOCATE,Agent 1,5,0x10,8,2000,1000\n",
              &trace);
    assert_int_equal(trace.streams[trace.blocks[0].stream].native, 5);
    assert_int_equal(trace.blocks[0].size, 8);
    assert_int_equal(trace.lacks & TN_TRACE_NO_STREAMS, 0);
    tn_trace_release(&trace);
}

static void rocprof_refuses_bad_cells_with_line_and_column(void **state) {
    (void)state;
    assert_story_refused(HEADER "M,MEMORY_ALLOCATION_NONE,Agent 1,8,0x10,1,1,1\n",
                         "file:2: Operation: expected an operation on memory that is known, found "
                         "\"MEMORY_ALLOCATION_NONE\"");
    assert_story_refused(HEADER "M,MEMORY_ALLOCATION_ALLOCATE,Agent,8,0x10,1,1,1\n",
                         "file:2: Agent_Id: expected the number of an agent, found \"Agent\"");
    assert_story_refused(HEADER "M,SCRATCH_MEMORY_ALLOC,Agent 1,8,0x10,1,1,1\n",
                         "file:2: a missing column: expected a number of 64 bits, found \"\"");
    assert_story_refused("Kind,Operation,Agent_Id\n",
                         "file:1: no column is named \"Allocation_Size\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rocprof_sample_tells_the_story),
        cmocka_unit_test(rocprof_rows_out_of_order_are_sorted),
        cmocka_unit_test(rocprof_agent_0_and_cpus_are_the_host),
        cmocka_unit_test(rocprof_free_of_an_unknown_block_is_noted),
        cmocka_unit_test(rocprof_handles_and_allocations_do_not_meet),
        cmocka_unit_test(rocprof_scratch_of_a_queue_replaces_its_last),
        cmocka_unit_test(rocprof_columns_are_found_by_name),
        cmocka_unit_test(rocprof_refuses_bad_cells_with_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
