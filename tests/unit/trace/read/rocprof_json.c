// SPDX-License-Identifier: Apache-2.0
// rocprofv3's output in JSON: frees find their allocation, and agents become devices and the host.
#include "unit/trace/story.h"

static void json_of_rocprof_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/rocprof.json", &trace);
    assert_int_equal(trace.format, TN_TRACE_ROCPROF);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].number, 0);
    assert_story(&trace, 0);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.events[4].time_us - trace.events[0].time_us, 50);
    assert_true(trace.lacks & TN_TRACE_NO_POOL);
    tn_trace_release(&trace);
}

#define TOOL(agents, records)                                                                      \
    "{\"rocprofiler-sdk-tool\": {\"buffer_records\": {\"memory_allocation\": [" records            \
    "]}, \"agents\": [" agents "]}}"
#define AGENT(handle, type) "{\"id\": {\"handle\": " handle "}, \"type\": " type "}"
#define RECORD(operation, time, agent, address, size)                                              \
    "{\"operation\": " operation ", \"start_timestamp\": " time                                    \
    ", \"agent_id\": {\"handle\": " agent "}, \"address\": " address                               \
    ", \"allocation_size\": " size "}"

// The agents follow the records, and the records are in no order.
static void agents_become_devices_and_the_host(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(
        TOOL(
            AGENT("7", "2") "," AGENT("8", "1") "," AGENT("9", "2"),
            RECORD("3", "3000", "0", "64", "0") "," RECORD("1", "2000", "9", "64", "10") "," RECORD(
                "1", "1000", "8", "\"0x80\"",
                "20") "," RECORD("2", "1000", "7", "64", "30") "," RECORD("5", "1000", "7", "64",
                                                                          "30")),
        &trace);
    assert_int_equal(trace.device_count, 3);
    assert_int_equal(trace.devices[1].number, 1);
    assert_int_equal(trace.devices[2].kind, TN_DEVICE_HOST);
    assert_int_equal(story_sums(&trace, 0).live, 30);
    assert_int_equal(story_sums(&trace, 1).frees, 1);
    assert_int_equal(story_sums(&trace, 1).peak, 10);
    assert_int_equal(story_sums(&trace, 2).live, 20);
    tn_trace_release(&trace);
    story_read_text(
        TOOL("", RECORD("1", "1", "9", "64", "10") "," RECORD("1", "1", "8", "65", "1")), &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(story_sums(&trace, 0).live, 10);
    tn_trace_release(&trace);
}

static void damaged_records_are_refused_with_their_place(void **state) {
    (void)state;
    assert_story_refused(TOOL("", ""), "file: no event of memory is recorded");
    assert_story_refused(TOOL("{}", ""), "file:1: agents[0]: no \"id\" or no \"type\"");
    assert_story_refused(TOOL("", "\n{\"operation\": 1}"),
                         "file:2: memory_allocation[0]: no \"operation\", \"address\" or "
                         "\"start_timestamp\"");
    assert_story_refused(TOOL("", RECORD("1", "1", "\"x\"", "2", "3")),
                         "file:1: memory_allocation[0]: no \"allocation_size\" or \"agent_id\"");
    assert_story_refused("{\"rocprofiler-sdk-tool\": [{}, {}]}",
                         "file:1: byte 30: more than one process in a file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_of_rocprof_tells_the_story),
        cmocka_unit_test(agents_become_devices_and_the_host),
        cmocka_unit_test(damaged_records_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
