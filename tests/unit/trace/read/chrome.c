// SPDX-License-Identifier: Apache-2.0
// Chrome traces of PyTorch's profiler: events in any order, several devices, what was live before,
// stacks from the calls around an event, times to the nanosecond.
#include "unit/trace/story.h"

#define MEMORY(ts, bytes, device, address, total, reserved)                                        \
    "{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 2, \"ts\": " ts                  \
    ", \"args\": {\"Device Type\": 1, \"Device Id\": " device ", \"Bytes\": " bytes                \
    ", \"Addr\": " address ", \"Total Allocated\": " total ", \"Total Reserved\": " reserved "}}"
#define CALL(kind, text, tid, ts, dur, args)                                                       \
    "{\"ph\": \"X\", \"cat\": \"" kind "\", \"name\": \"" text "\", \"pid\": 1, \"tid\": " tid     \
    ", \"ts\": " ts ", \"dur\": " dur ", \"args\": {" args "}}"

static void profile_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/kineto.pt.trace.json", &trace);
    assert_int_equal(trace.format, TN_TRACE_CHROME);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    struct story_sums sums = story_sums(&trace, 0);
    assert_int_equal(sums.failures, 1);
    assert_int_equal(sums.marks, 2);
    assert_int_equal(trace.failures[0].size, UINT64_C(8) << 30);
    assert_int_equal(trace.failures[0].device_free, UINT64_MAX);
    assert_int_equal(trace.devices[0].memory_bytes, UINT64_C(17179869184));
    assert_int_equal(trace.devices[0].reserved_peak, 20971520);
    assert_int_equal(trace.devices[0].sample_count, 8);
    assert_int_equal(trace.samples[4].live, 7864320);
    assert_int_equal(trace.blocks[0].id, UINT64_C(0x7f0000000000));
    assert_string_equal(story_function(&trace, trace.blocks[0].stack), "aten::empty");
    assert_true(trace.lacks & TN_TRACE_NO_STREAMS);
    tn_trace_release(&trace);
}

// The first event is a free of 100 bytes and leaves 1000: 1100 were live, 1000 of them unknown.
static void memory_before_the_profile_is_one_block(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text("[" MEMORY("3", "50", "0", "8", "1050",
                               "4096") "," MEMORY("2", "-100", "0", "7", "1000", "4000") "]",
                    &trace);
    assert_int_equal(trace.devices[0].starting_count, 2);
    struct story_sums sums = story_sums(&trace, 0);
    assert_int_equal(sums.peak, 1100);
    assert_int_equal(sums.live, 1050);
    assert_string_equal(trace.texts[trace.blocks[0].tag], "live before the recording");
    assert_int_equal(trace.blocks[0].size, 1000);
    assert_int_equal(trace.devices[0].reserved_at_start, 4000);
    assert_int_equal(trace.devices[0].reserved_peak, 4096);
    assert_int_equal(trace.devices[0].reserved_at_end, 4096);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

static void devices_are_separate(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text("{\"traceEvents\": [" MEMORY("1", "50", "3", "8", "50", "0") "," MEMORY(
                        "2", "60", "1", "8", "60",
                        "0") "," MEMORY("3", "-50", "3", "8", "0",
                                        "0") "," CALL("user_annotation", "step", "9", "0", "9",
                                                      "") "],\n"
                                                          "\"deviceProperties\": [{\"id\": 3, "
                                                          "\"totalGlobalMem\": 7}]}",
                    &trace);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.devices[0].number, 1);
    assert_int_equal(trace.devices[1].number, 3);
    assert_int_equal(trace.devices[1].memory_bytes, 7);
    assert_int_equal(story_sums(&trace, 0).live, 60);
    assert_int_equal(story_sums(&trace, 1).live, 0);
    assert_int_equal(story_sums(&trace, 0).marks, 2);
    assert_int_equal(story_sums(&trace, 1).marks, 2);
    assert_false(trace.devices[0].says_reserved);
    tn_trace_release(&trace);
}

// Nanoseconds apart, beyond what a double can tell.
static void times_keep_their_nanoseconds(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text("[" MEMORY("1700000000000000.002", "-64", "0", "8", "0", "0") "," MEMORY(
                        "1700000000000000.001", "64", "0", "8", "64", "0") "]",
                    &trace);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.devices[0].starting_count, 0);
    assert_int_equal(trace.events[0].kind, TN_EVENT_ALLOC);
    assert_int_equal(trace.events[0].time_us, UINT64_C(1700000000000000));
    tn_trace_release(&trace);
    story_read_text("[" MEMORY("-2.5", "64", "0", "8", "64", "0") "," MEMORY("1e1", "-64", "0", "8",
                                                                             "0", "0") "]",
                    &trace);
    assert_int_equal(trace.events[0].time_us, 0);
    assert_int_equal(trace.events[1].time_us, 12);
    tn_trace_release(&trace);
}

// Calls of another thread, and calls that have ended, are not in the stack.
static void stacks_are_the_calls_around_an_event(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(
        "[" MEMORY("15", "64", "0", "8", "64", "0") "," MEMORY("31", "64", "0", "9", "128", "0") "," MEMORY(
            "45", "64", "0", "10", "192",
            "0") "," CALL("cpu_op", "aten::relu", "2", "14.5", "1",
                          "") "," CALL("python_function", "model.py(12): forward", "2", "11", "9",
                                       "") "," CALL("python_function", "early", "2", "10", "1",
                                                    "") "," CALL("python_function",
                                                                 "train.py(40): step", "2", "10",
                                                                 "20",
                                                                 "") "," CALL("cpu_op",
                                                                              "other thread", "3",
                                                                              "1", "99",
                                                                              "") "," CALL("kernel",
                                                                                           "no "
                                                                                           "call",
                                                                                           "2", "1",
                                                                                           "99",
                                                                                           "") "," CALL("cpu_op",
                                                                                                        "aten::add",
                                                                                                        "2",
                                                                                                        "44",
                                                                                                        "2",
                                                                                                        "\"Call stack\": \"a.py(1): inner;b.py(2): outer\"") "]",
        &trace);
    const struct tn_trace_call *call = &trace.calls[trace.blocks[0].stack];
    assert_string_equal(trace.texts[call->function], "aten::relu");
    call = &trace.calls[call->caller];
    assert_string_equal(trace.texts[call->function], "forward");
    assert_string_equal(trace.texts[call->file], "model.py");
    assert_int_equal(call->line, 12);
    call = &trace.calls[call->caller];
    assert_string_equal(trace.texts[call->function], "step");
    assert_int_equal(call->caller, 0);
    assert_int_equal(trace.blocks[1].stack, 0);
    call = &trace.calls[trace.blocks[2].stack];
    assert_string_equal(trace.texts[call->function], "aten::add");
    call = &trace.calls[call->caller];
    assert_string_equal(trace.texts[call->function], "inner");
    assert_string_equal(story_function(&trace, call->caller), "outer");
    tn_trace_release(&trace);
}

static void profile_that_a_crash_left_open_is_read(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text("{\"traceEvents\": [" MEMORY("1", "50", "0", "8", "50", "0") ",\n{\"ph\":",
                    &trace);
    assert_int_equal(trace.block_count, 1);
    assert_string_equal(trace.notes[0], "line 2: the file ends early, in event 1");
    tn_trace_release(&trace);
}

// The oldest profilers wrote neither addresses nor sums: 100 freed at first, so 100 were live.
static void changes_without_addresses_become_sums(void **state) {
    (void)state;
    struct tn_trace trace;
#define OLD(ts, bytes)                                                                             \
    "{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":" ts                                               \
    ",\"args\":{\"Device Type\":1,\"Device Id\":0,\"Bytes\":" bytes "}}"
    story_read_text("[" OLD("1", "-100") "," OLD("2", "300") "," OLD("3", "-200") "]", &trace);
    assert_int_equal(trace.sample_count, 3);
    assert_int_equal(trace.samples[0].live, 0);
    assert_int_equal(trace.samples[1].live, 300);
    assert_int_equal(trace.samples[2].live, 100);
    assert_true(trace.lacks & TN_TRACE_NO_BLOCKS);
    tn_trace_release(&trace);
}

static void profile_without_memory_of_a_device_is_refused(void **state) {
    (void)state;
    assert_story_refused("{\"traceEvents\": []}",
                         "file: a Chrome trace without memory events: record it with "
                         "profile_memory=True");
    assert_story_refused("[{\"ph\":\"i\",\"name\":\"[memory]\",\"args\":{\"Device Type\":0,"
                         "\"Device Id\":-1}}]",
                         "file: a Chrome trace with memory of the CPU only, and none of a device");
    assert_story_refused("[{\"ph\":\"i\",\"name\":\"[memory]\"}]",
                         "file:1: traceEvents[0]: a memory event without the type and id of its "
                         "device");
    assert_story_refused("[\n" MEMORY("\"x\"", "50", "0", "8", "50", "0") "]",
                         "file:2: traceEvents[0]: a memory event without \"ts\" or \"Bytes\"");
    assert_story_refused("[" MEMORY("1", "50", "256", "8", "50", "0") "]",
                         "file:1: traceEvents[0]: a device number above 255");
}

// The events that Tarn writes are for viewers; the recording is behind them.
static void recording_behind_the_events_is_read(void **state) {
    (void)state;
    struct tn_trace trace;
    size_t size = 0;
    uint8_t *bytes = story_load("trace_json/tarn-chrome.json", &size);
    assert_int_equal(tn_trace_read_memory("file", bytes, size, NULL, &trace), TARN_OK);
    assert_int_equal(trace.format, TN_TRACE_CHROME);
    assert_int_equal(trace.origin, TN_TRACE_SNAPSHOT);
    assert_int_equal(trace.device_count, 2);
    assert_int_equal(trace.lacks, 0);
    assert_story(&trace, 0);
    tn_trace_release(&trace);
    assert_survives_damage(bytes, size, NULL);
    free(bytes);
    const char *error = "file: \"tarnRecording\" is no recording in base64";
    assert_story_refused("{\"traceEvents\": [], \"tarnRecording\": \"UCpNG\"}", error);
    assert_story_refused("{\"traceEvents\": [], \"tarnRecording\": \"*\"}", error);
    assert_story_refused("{\"traceEvents\": [], \"tarnRecording\": 7}", error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile_tells_the_story),
        cmocka_unit_test(memory_before_the_profile_is_one_block),
        cmocka_unit_test(devices_are_separate),
        cmocka_unit_test(times_keep_their_nanoseconds),
        cmocka_unit_test(stacks_are_the_calls_around_an_event),
        cmocka_unit_test(profile_that_a_crash_left_open_is_read),
        cmocka_unit_test(changes_without_addresses_become_sums),
        cmocka_unit_test(profile_without_memory_of_a_device_is_refused),
        cmocka_unit_test(recording_behind_the_events_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
