// SPDX-License-Identifier: Apache-2.0
// Snapshots in JSON say what the pickle of the same story says.
#include "unit/trace/story.h"

static void json_snapshot_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/torch-snapshot.json", &trace);
    assert_int_equal(trace.format, TN_TRACE_SNAPSHOT);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    struct story_sums sums = story_sums(&trace, 0);
    assert_int_equal(sums.failures, 1);
    assert_int_equal(sums.marks, 2);
    assert_int_equal(trace.failures[0].size, UINT64_C(8) << 30);
    assert_int_equal(trace.failures[0].device_free, UINT64_C(4) << 30);
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    assert_string_equal(story_function(&trace, trace.blocks[3].stack), "all_gather");
    assert_int_equal(trace.streams[trace.blocks[3].stream].native, 0x55d0);
    assert_string_equal(trace.texts[trace.settings[2].name], "garbage_collection_threshold");
    assert_string_equal(trace.texts[trace.settings[2].value], "0");
    tn_trace_release(&trace);
}

static void json_list_of_segments_is_a_state(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/torch-memory-snapshot-list.json", &trace);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.blocks[0].size, 2097152);
    assert_string_equal(story_function(&trace, trace.blocks[0].stack), "init_state");
    assert_int_equal(trace.devices[0].reserved_at_end, 20971520);
    assert_true(trace.lacks & TN_TRACE_NO_EVENTS);
    tn_trace_release(&trace);
}

static void json_snapshot_names_the_damaged_entry(void **state) {
    (void)state;
    assert_story_refused("{\"segments\": [{\"device\": 0}]}",
                         "file: segments[0]: no number named \"total_size\"");
    assert_story_refused("{\"segments\": [\n}", "file:2: byte 15: no JSON value");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_snapshot_tells_the_story),
        cmocka_unit_test(json_list_of_segments_is_a_state),
        cmocka_unit_test(json_snapshot_names_the_damaged_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
