// SPDX-License-Identifier: Apache-2.0
// The tables of torch_npu's profiler: a row of the one is the life of a block without an address,
// a row of the other is a sum.
#include "unit/trace/story.h"

#define BLOCKS                                                                                     \
    "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Stream Ptr,"       \
    "Device Type\n"
#define SUMS                                                                                       \
    "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,"  \
    "Device Type\n"

static void read_rows(const char *text, struct tn_trace *trace) {
    assert_int_equal(tn_trace_read_memory("file", text, strlen(text), NULL, trace), TARN_OK);
    sound_trace(trace);
}

static void npu_operators_tell_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_csv/npu-operators", &trace);
    assert_int_equal(trace.format, TN_TRACE_NPU_PROFILER);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.events[0].time_us, 1700000000000000);
    assert_int_equal(trace.streams[trace.blocks[3].stream].native, 0x55d0);
    assert_string_equal(trace.texts[trace.calls[trace.blocks[3].stack].function], "hcom_allgather");
    assert_int_equal(trace.lacks, TN_TRACE_NO_ADDRESSES);
    assert_true(trace.devices[0].says_reserved);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    tn_trace_release(&trace);
}

static void npu_block_is_live_until_its_stream_has_finished(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(BLOCKS "op,0.5,1.5,2.5,7.25,0,NPU:3\n", &trace);
    assert_int_equal(trace.devices[0].number, 3);
    assert_int_equal(trace.event_count, 3);
    assert_int_equal(trace.blocks[0].size, 512);
    assert_int_equal(trace.events[1].kind, TN_EVENT_FREE_REQUEST);
    assert_int_equal(trace.events[1].time_us, 2);
    assert_int_equal(trace.events[2].kind, TN_EVENT_FREE);
    assert_int_equal(trace.events[2].time_us, 7);
    tn_trace_release(&trace);
}

static void npu_block_without_an_allocation_was_live_at_the_start(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(BLOCKS "op,1,,2.5,,0,NPU:0\nop,2,N/A,,,0,NPU:0\n", &trace);
    assert_int_equal(trace.devices[0].starting_count, 2);
    assert_int_equal(story_sums(&trace, 0).peak, 3072);
    assert_int_equal(story_sums(&trace, 0).live, 2048);
    tn_trace_release(&trace);
}

static void npu_sums_are_those_of_the_allocator(void **state) {
    (void)state;
    struct tn_trace trace;
    uint64_t peak = 0;
    story_read("trace_csv/npu-sums", &trace);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.sample_count, 7);
    for (size_t i = 0; i < trace.sample_count; i++)
        peak = trace.samples[i].live > peak ? trace.samples[i].live : peak;
    assert_int_equal(peak, 7864320);
    assert_int_equal(trace.samples[6].live, 2097152);
    assert_int_equal(trace.samples[4].time_us, 1700000000000050);
    assert_true(trace.devices[0].says_reserved);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    assert_int_equal(trace.lacks, TN_TRACE_NO_STREAMS | TN_TRACE_NO_ADDRESSES | TN_TRACE_NO_STACKS |
                                      TN_TRACE_NO_EVENTS | TN_TRACE_NO_BLOCKS);
    tn_trace_release(&trace);
}

static void npu_sums_of_both_allocators_come_first(void **state) {
    (void)state;
    struct tn_trace trace;
    read_rows(SUMS "PTA,1,1,1,1,0,NPU:1\nPTA+GE,2,4,4,4,0,NPU:1\nPTA+GE,1,3,3,3,0,NPU:1\n"
                   "PTA+GE,1,2,2,2,0,NPU:0\n",
              &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[0].sample_count, 1);
    assert_int_equal(trace.devices[1].number, 1);
    assert_int_equal(trace.devices[1].sample_count, 2);
    assert_int_equal(trace.samples[1].live, 3145728);
    assert_int_equal(trace.samples[2].live, 4194304);
    tn_trace_release(&trace);
}

static void npu_refuses_bad_cells_with_line_and_column(void **state) {
    (void)state;
    assert_story_refused(BLOCKS "op,1e3,1,,,0,NPU:0\n",
                         "file:2: Size(KB): expected a decimal number, found \"1e3\"");
    assert_story_refused(BLOCKS "op,1,1,,,0,NPU\n",
                         "file:2: Device Type: expected a device such as \"NPU:0\", found \"NPU\"");
    assert_story_refused(SUMS "XYZ,1,1,1,1,0,NPU:1\n",
                         "file:2: Component: expected PTA, GE, WORKSPACE, APP or PTA+GE, found "
                         "\"XYZ\"");
    assert_story_refused(SUMS, "file: no event of memory is recorded");
    assert_story_refused(BLOCKS, "file: no event of memory is recorded");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npu_operators_tell_the_story),
        cmocka_unit_test(npu_block_is_live_until_its_stream_has_finished),
        cmocka_unit_test(npu_block_without_an_allocation_was_live_at_the_start),
        cmocka_unit_test(npu_sums_are_those_of_the_allocator),
        cmocka_unit_test(npu_sums_of_both_allocators_come_first),
        cmocka_unit_test(npu_refuses_bad_cells_with_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
