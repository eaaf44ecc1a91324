// SPDX-License-Identifier: Apache-2.0
// Memory timelines: sums become samples, and raw changes become blocks that are paired by size.
#include "unit/trace/story.h"

static void sums_become_samples_by_category(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/torch-timeline.json", &trace);
    assert_int_equal(trace.format, TN_TRACE_TIMELINE);
    assert_int_equal(trace.devices[0].sample_count, 7);
    assert_int_equal(trace.samples[0].time_us, UINT64_C(1700000000000000));
    uint64_t peak = 0;
    for (size_t i = 0; i < trace.sample_count; i++)
        peak = trace.samples[i].live > peak ? trace.samples[i].live : peak;
    assert_int_equal(peak, 7864320);
    assert_int_equal(trace.samples[4].live, peak);
    assert_int_equal(trace.samples[4].by_category[TN_CATEGORY_OPTIMIZER_STATE], 2097152);
    assert_int_equal(trace.samples[4].by_category[TN_CATEGORY_TEMPORARY], 4194304);
    assert_int_equal(trace.samples[4].by_category[TN_CATEGORY_ACTIVATION], 1572864);
    assert_int_equal(trace.samples[6].live, 2097152);
    assert_int_equal(trace.lacks, TN_TRACE_NO_STREAMS | TN_TRACE_NO_STACKS | TN_TRACE_NO_ADDRESSES |
                                      TN_TRACE_NO_EVENTS | TN_TRACE_NO_BLOCKS);
    tn_trace_release(&trace);
}

static void raw_changes_become_blocks(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read("trace_json/torch-timeline.raw.json.gz", &trace);
    assert_story(&trace, 0);
    assert_true(trace.lacks & TN_TRACE_PAIRED);
    assert_int_equal(trace.blocks[1].category, TN_CATEGORY_OPTIMIZER_STATE);
    assert_int_equal(trace.blocks[2].category, TN_CATEGORY_ACTIVATION);
    assert_int_equal(trace.blocks[3].category, TN_CATEGORY_TEMPORARY);
    tn_trace_release(&trace);
}

// Two blocks of 100 bytes, of which the second is that of 200 bytes' category, and one before.
static void raw_changes_end_the_oldest_of_a_kind(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text("[[-1,1,100,0],[1000,2,100,4],[2000,2,100,4],[3000,3,-100,4],[3000,3,100,5],"
                    "[4000,4,-100,5],[5000,4,-100,4],[6000,4,-100,4]]",
                    &trace);
    assert_int_equal(trace.devices[0].starting_count, 1);
    assert_int_equal(trace.event_count, 4);
    assert_int_equal(trace.events[2].item, 1);
    assert_int_equal(trace.events[2].time_us, 4);
    assert_int_equal(trace.events[3].item, 2);
    assert_int_equal(trace.blocks[1].category, TN_CATEGORY_GRADIENT);
    assert_int_equal(trace.blocks[2].category, TN_CATEGORY_ACTIVATION);
    assert_int_equal(trace.note_count, 1);
    assert_string_equal(trace.notes[0], "row 7: no block of 100 bytes and category 5 is live");
    tn_trace_release(&trace);
}

static void one_row_is_a_raw_timeline(void **state) {
    (void)state;
    struct tn_trace trace;
    story_read_text("[[1000, 2, 512, 7]]", &trace);
    assert_int_equal(trace.block_count, 1);
    assert_int_equal(trace.blocks[0].category, TN_CATEGORY_UNKNOWN);
    tn_trace_release(&trace);
    story_read_text("[[], []]", &trace);
    assert_int_equal(trace.sample_count, 0);
    tn_trace_release(&trace);
}

static void damaged_rows_are_refused_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[[1,2,3]]", "file:1: byte 9: expected [TIME, ACTION, BYTES, CATEGORY]"},
        {"[[1,2,3,4],[1,2,3]]", "file:1: byte 18: expected [TIME, ACTION, BYTES, CATEGORY]"},
        {"[[1,5,3,4]]", "file:1: byte 11: an action that is not 1, 2, 3 or 4"},
        {"[[1,2,3,8]]", "file:1: byte 11: a category that is not 0 to 7"},
        {"[[1,\"2\"]]", "file:1: byte 7: expected an integer"},
        {"[[1],[[1,2]]]", "file:1: byte 11: expected 9 sums in a row"},
        {"[[1],[]]", "file:1: byte 7: fewer rows than times"},
        {"[[1],[[0,0,0,0,0,0,0,0,0],[0]]]", "file:1: byte 26: more rows than times"},
        {"[[1],[[0,0,0,0,-5,0,0,0,0]]]", "file:1: byte 26: a negative sum"},
        {"[[1],[[0,9223372036854775807,9223372036854775807,9,0,0,0,0,0]]]",
         "file:1: byte 61: the sums of a row exceed 64 bits"},
        {"[[1],[[0,0,0,0,0,0,0,0,0]]", "file:1: byte 26: the file ends early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_story_refused(cases[i].text, cases[i].message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_become_samples_by_category),
        cmocka_unit_test(raw_changes_become_blocks),
        cmocka_unit_test(raw_changes_end_the_oldest_of_a_kind),
        cmocka_unit_test(one_row_is_a_raw_timeline),
        cmocka_unit_test(damaged_rows_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
