// SPDX-License-Identifier: Apache-2.0
// Replay logs of Umpire: both layouts, the device behind an allocator, pools and their chunks.
#include "unit/trace/story.h"

static void log_of_today_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/umpire.json", &trace);
    assert_int_equal(trace.format, TN_TRACE_UMPIRE);
    assert_int_equal(trace.device_count, 1);
    assert_story(&trace, 0);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.blocks[3].id, UINT64_C(0x7f0000400000));
    assert_int_equal(trace.events[1].time_us - trace.events[0].time_us, 10);
    assert_int_equal(trace.events[0].where, 3);
    assert_true(trace.lacks & TN_TRACE_NO_STREAMS && trace.lacks & TN_TRACE_NO_STACKS);
    tn_trace_release(&trace);
}

static void log_of_2019_tells_the_story(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/umpire-2019.json", &trace);
    assert_story(&trace, 0);
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

// A log of tests: allocations of 0 bytes, reallocations with and without their steps.
static void public_log_is_read_without_a_contradiction(void **state) {
    (void)state;
    struct tn_trace trace;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/../shared/traces/formats/umpire-real.json",
                   getenv("SRC"));
    FILE *file = fopen(path, "rb");
    if (file == NULL) skip();
    (void)fclose(file);
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    sound_trace(&trace);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.device_count, 1);
    assert_int_equal(trace.devices[0].kind, TN_DEVICE_HOST);
    struct story_sums sums = story_sums(&trace, 0);
    assert_int_equal(sums.allocations, 13);
    assert_int_equal(sums.frees, 12);
    assert_int_equal(sums.peak, 256);
    assert_int_equal(sums.live, 84);
    tn_trace_release(&trace);
}

#define RESOURCE(ref, name)                                                                        \
    "{\"category\":\"operation\",\"name\":\"make_memory_resource\",\"string_args\":{"              \
    "\"allocator_ref\":\"" ref "\"},\"tags\":{\"allocator_name\":\"" name "\"},\"timestamp\":1}\n"
#define POOL(ref, parent)                                                                          \
    "{\"category\":\"operation\",\"name\":\"make_allocator\",\"string_args\":{"                    \
    "\"allocator_name\":\"pool\",\"allocator_ref\":\"" ref                                         \
    "\",\"type\":\"QuickPool\",\"arg0\":\"" parent "\"},\"tags\":{},\"timestamp\":2}\n"
#define TAKE(ref, pointer, size)                                                                   \
    "{\"category\":\"operation\",\"name\":\"allocate\",\"numeric_args\":{\"size\":" size "},"      \
    "\"string_args\":{\"allocator_ref\":\"" ref "\",\"pointer\":\"" pointer "\"},"                 \
    "\"timestamp\":3000}\n"
#define RETURN(ref, pointer)                                                                       \
    "{\"category\":\"operation\",\"name\":\"deallocate\",\"string_args\":{\"allocator_ref\":"      \
    "\"" ref "\",\"pointer\":\"" pointer "\"},\"timestamp\":4000}\n"

// The resource gives 4096 bytes to the pool and 512 to the program; the pool 100 and 200 of its
// own.
static void chunk_of_a_pool_is_a_segment(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(RESOURCE("0xa", "DEVICE::2") POOL("0xb", "0xa") TAKE("0xa", "0x10000", "4096")
                        TAKE("0xb", "0x10000", "100") TAKE("0xb", "0x10200", "200")
                            TAKE("0xa", "0x90000", "512") RETURN("0xb", "0x10000")
                                RETURN("0xb", "0x10200") RETURN("0xa", "0x10000"),
                    &trace);
    struct story_sums sums = story_sums(&trace, 0);
    assert_int_equal(trace.devices[0].number, 2);
    assert_int_equal(sums.allocations, 3);
    assert_int_equal(sums.frees, 2);
    assert_int_equal(sums.peak, 812);
    assert_int_equal(sums.live, 512);
    assert_int_equal(sums.segments, 2);
    assert_int_equal(trace.devices[0].reserved_peak, 4608);
    assert_int_equal(trace.devices[0].reserved_at_end, 512);
    assert_string_equal(trace.texts[trace.blocks[0].tag], "pool");
    assert_int_equal(trace.note_count, 0);
    tn_trace_release(&trace);
}

// An allocator over a pool, named by the name of its parent: the innermost one has the blocks.
static void allocators_over_a_pool_count_once(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(RESOURCE("0xa", "UM") POOL("0xb", "0xa") POOL("0xc", "pool")
                        TAKE("0xa", "0x10000", "4096") TAKE("0xb", "0x10000", "128")
                            TAKE("0xc", "0x10000", "100"),
                    &trace);
    struct story_sums sums = story_sums(&trace, 0);
    assert_int_equal(trace.devices[0].number, 0);
    assert_int_equal(sums.allocations, 1);
    assert_int_equal(sums.peak, 100);
    assert_int_equal(sums.segments, 1);
    assert_int_equal(trace.devices[0].reserved_peak, 4096);
    tn_trace_release(&trace);
}

static void devices_come_before_the_host(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(RESOURCE("0xa", "PINNED") RESOURCE("0xb", "DEVICE::1") RESOURCE("0xc", "DEVICE")
                        TAKE("0xa", "0x10", "1") TAKE("0xb", "0x10", "2") TAKE("0xc", "0x10", "4"),
                    &trace);
    assert_int_equal(trace.device_count, 3);
    assert_int_equal(tn_trace_accelerators(&trace), 2);
    assert_int_equal(story_sums(&trace, 0).live, 4);
    assert_int_equal(story_sums(&trace, 1).live, 2);
    assert_int_equal(story_sums(&trace, 2).live, 1);
    assert_false(trace.devices[0].says_reserved);
    tn_trace_release(&trace);
}

#define INTENT(ref, size)                                                                          \
    "{ \"kind\":\"replay\", \"uid\":7, \"timestamp\":5000, \"event\": \"allocate\", "              \
    "\"payload\": { \"allocator_ref\": \"" ref "\", \"size\": " size " }"

static void intent_without_a_result_is_a_failure(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(
        "# a comment\n"
        "{\"kind\":\"replay\",\"uid\":7,\"event\":\"makeMemoryResource\",\"payload\":"
        "{\"name\":\"DEVICE\"},\"result\":\"0xa\"}\n" INTENT("0xa", "64") "}\n" INTENT(
            "0xa",
            "64") ", \"result\": { \"memory_ptr\": \"0x10\" } "
                  "}\n" INTENT("0xa", "4096") "}\n" INTENT(
                      "0xa",
                      "32") "}"
                            "\n" INTENT("0xa",
                                        "32") ", \"result\": { \"memory_ptr\": \"0x80\" } }\n",
        &trace);
    assert_int_equal(trace.event_count, 3);
    assert_int_equal(trace.events[1].kind, TN_EVENT_FAILURE);
    assert_int_equal(trace.events[1].where, 5);
    assert_int_equal(trace.failures[0].size, 4096);
    assert_int_equal(trace.failures[0].device_free, UINT64_MAX);
    assert_int_equal(story_sums(&trace, 0).live, 96);
    tn_trace_release(&trace);
}

static void log_that_lacks_its_ends_is_read(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text(TAKE("0xa", "0x10", "8") RETURN("0xa", "0x20") "{\"categ", &trace);
    assert_int_equal(trace.note_count, 3);
    assert_string_equal(trace.notes[0], "line 1: the allocator 0xa is not described; it is taken "
                                        "for one of device 0");
    assert_string_equal(trace.notes[1], "line 3: the file ends early");
    assert_string_equal(trace.notes[2],
                        "line 2, address 0x20: freed while not live, and its size is not recorded");
    assert_int_equal(story_sums(&trace, 0).live, 8);
    tn_trace_release(&trace);
}

static void damaged_lines_are_refused_with_their_place(void **state) {
    (void)state;
    assert_story_refused("{\"category\":\"operation\",\"name\":\"allocate\",\"timestamp\":1}\n",
                         "file:1: an operation without \"allocator_ref\"");
    assert_story_refused(RESOURCE("0xa", "HOST") "{\"kind\" \"replay\"}\n",
                         "file:2: byte 148: expected ':' after a key");
    assert_story_refused(RESOURCE("0xa", "HOST"), "file: no event of memory is recorded");
    assert_story_refused("{\"kind\":\"replay\",\"event\":\"allocate\",\"payload\":"
                         "{\"allocator_ref\":\"0xa\"}}\n",
                         "file:1: an allocation without a size");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_of_today_tells_the_story),
        cmocka_unit_test(log_of_2019_tells_the_story),
        cmocka_unit_test(public_log_is_read_without_a_contradiction),
        cmocka_unit_test(chunk_of_a_pool_is_a_segment),
        cmocka_unit_test(allocators_over_a_pool_count_once),
        cmocka_unit_test(devices_come_before_the_host),
        cmocka_unit_test(intent_without_a_result_is_a_failure),
        cmocka_unit_test(log_that_lacks_its_ends_is_read),
        cmocka_unit_test(damaged_lines_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
