// SPDX-License-Identifier: Apache-2.0
// The state of a device at a moment: its blocks, segments, holes and levels, against sums by hand.
#include "trace/study/moment.h"

#include <stdlib.h>

#include "trace/study/fragments.h"
#include "unit/trace/script.h"

#define KIB 1024u
#define MIB (1024u * KIB)

// 10 MiB of segments: one of 4 MiB at 16 MiB, one of 4 MiB at 32 MiB, one of 2 MiB at 64 MiB.
static void build(struct tn_trace *trace) {
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_segment(&script, TN_EVENT_SEGMENT, 16 * MIB, 4 * MIB, false);        // moment 1
    script_segment(&script, TN_EVENT_SEGMENT, 32 * MIB, 4 * MIB, false);        // 2
    uint32_t a = script_alloc(&script, 16 * MIB, MIB);                          // 3
    uint32_t b = script_alloc(&script, 18 * MIB, MIB - 100);                    // 4: rounded by 100
    uint32_t c = script_alloc(&script, 33 * MIB, 2 * MIB);                      // 5: the peak
    script_segment(&script, TN_EVENT_SEGMENT, 64 * MIB, 2 * MIB, false);        // 6
    script_event(&script, TN_EVENT_FREE_REQUEST, a);                            // 7
    script_free(&script, a);                                                    // 8
    script_free(&script, c);                                                    // 9
    script_segment(&script, TN_EVENT_SEGMENT_RETURN, 32 * MIB, 4 * MIB, false); // 10
    script_free(&script, b);                                                    // 11
    script_end(&script, trace);
}

static void levels_are_the_sums_of_blocks_and_segments(void **state) {
    (void)state;
    struct tn_trace trace;
    struct tn_levels levels;
    build(&trace);
    assert_int_equal(tn_levels_make(&trace, &trace.devices[0], &levels), TARN_OK);
    assert_int_equal(levels.count, 12);
    assert_int_equal(levels.peak, 5);
    assert_int_equal(levels.live[5], 4 * MIB - 100);
    assert_int_equal(levels.live[8], 3 * MIB - 100);
    assert_int_equal(levels.live[11], 0);
    assert_int_equal(levels.peak_reserved, 6);
    assert_int_equal(levels.reserved[5], 8 * MIB);
    assert_int_equal(levels.reserved[6], 10 * MIB);
    assert_int_equal(levels.reserved[11], 6 * MIB);
    tn_levels_release(&levels);
    tn_trace_release(&trace);
}

static void lives_cover_the_moments_from_allocation_to_free(void **state) {
    (void)state;
    struct tn_trace trace;
    build(&trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_non_null(lives);
    assert_false(tn_life_covers(&lives[0], 2));
    assert_true(tn_life_covers(&lives[0], 3));
    assert_int_equal(lives[0].given, 7);
    assert_true(tn_life_covers(&lives[0], 7));
    assert_false(tn_life_covers(&lives[0], 8));
    free(lives);
    tn_trace_release(&trace);
}

static void moment_has_the_live_blocks_by_address(void **state) {
    (void)state;
    struct tn_trace trace;
    struct tn_moment moment;
    build(&trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 7, &moment), TARN_OK);
    assert_int_equal(moment.block_count, 3);
    assert_int_equal(moment.live, 4 * MIB - 100);
    assert_int_equal(moment.occupied, 4 * MIB); // MIB - 100 is rounded to a multiple of 512
    assert_int_equal(moment.waiting, MIB);
    assert_int_equal(moment.waiting_count, 1);
    assert_int_equal(moment.segment_count, 3);
    assert_int_equal(moment.reserved, 10 * MIB);
    assert_int_equal(trace.blocks[moment.blocks[2]].id, 33 * MIB);
    tn_moment_release(&moment);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 0, &moment), TARN_OK);
    assert_int_equal(moment.block_count, 0);
    assert_false(moment.has_places);
    tn_moment_release(&moment);
    free(lives);
    tn_trace_release(&trace);
}

// Segment at 16: block, hole of 1 MiB, block, hole of 1 MiB. Segment at 32: a hole of 1 MiB, block,
// a hole of 1 MiB. Segment at 64: empty.
static void fragments_divide_the_reserved_bytes(void **state) {
    (void)state;
    struct tn_trace trace;
    struct tn_moment moment;
    struct tn_fragments fragments;
    uint32_t pinned[4];
    build(&trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 6, &moment), TARN_OK);
    assert_int_equal(tn_fragments_make(&moment, &fragments), TARN_OK);
    assert_int_equal(fragments.rounding, 100);
    assert_int_equal(fragments.holes, 4 * MIB);
    assert_int_equal(fragments.hole_count, 4);
    assert_int_equal(fragments.empty, 2 * MIB);
    assert_int_equal(fragments.largest, 2 * MIB);
    assert_int_equal(moment.live + fragments.rounding + fragments.holes + fragments.empty,
                     moment.reserved);
    assert_int_equal(tn_fragments_pinned(&fragments, pinned, 4), 2);
    assert_int_equal(fragments.uses[pinned[0]].free, 2 * MIB);
    assert_int_equal(tn_fragments_pinned(&fragments, pinned, 1), 1);
    tn_fragments_release(&fragments);
    tn_moment_release(&moment);
    free(lives);
    tn_trace_release(&trace);
}

// After the first block and the second are freed, the segment at 32 has more free bytes.
static void pinned_segments_come_with_most_free_bytes_first(void **state) {
    (void)state;
    struct tn_trace trace;
    struct tn_moment moment;
    struct tn_fragments fragments;
    uint32_t pinned[4];
    build(&trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 8, &moment), TARN_OK);
    assert_int_equal(tn_fragments_make(&moment, &fragments), TARN_OK);
    assert_int_equal(tn_fragments_pinned(&fragments, pinned, 4), 2);
    assert_int_equal(fragments.uses[pinned[0]].free, 3 * MIB);
    assert_int_equal(moment.segments[fragments.uses[pinned[0]].segment].address, 16 * MIB);
    assert_int_equal(fragments.uses[pinned[0]].largest, 2 * MIB);
    assert_int_equal(fragments.uses[pinned[1]].free, 2 * MIB);
    tn_fragments_release(&fragments);
    tn_moment_release(&moment);
    free(lives);
    tn_trace_release(&trace);
}

static void mapped_neighbours_are_one_segment(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    struct tn_moment moment;
    struct tn_fragments fragments;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_segment(&script, TN_EVENT_SEGMENT, 16 * MIB, 2 * MIB, true);
    script_segment(&script, TN_EVENT_SEGMENT, 18 * MIB, 2 * MIB, true);
    script_segment(&script, TN_EVENT_SEGMENT, 20 * MIB, 2 * MIB, true);
    (void)script_alloc(&script, 16 * MIB, 3 * MIB);
    script_segment(&script, TN_EVENT_SEGMENT_RETURN, 20 * MIB, MIB, true); // a part of the third
    script_end(&script, &trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 4, &moment), TARN_OK);
    assert_int_equal(moment.segment_count, 1);
    assert_int_equal(tn_fragments_make(&moment, &fragments), TARN_OK);
    assert_int_equal(fragments.largest, 3 * MIB);
    tn_fragments_release(&fragments);
    tn_moment_release(&moment);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 5, &moment), TARN_OK);
    assert_int_equal(moment.segment_count, 2);
    assert_int_equal(moment.reserved, 5 * MIB);
    tn_moment_release(&moment);
    free(lives);
    tn_trace_release(&trace);
}

static void a_segment_returned_twice_makes_places_unknown(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    struct tn_moment moment;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_segment(&script, TN_EVENT_SEGMENT, 16 * MIB, 2 * MIB, false);
    script_segment(&script, TN_EVENT_SEGMENT_RETURN, 16 * MIB, 2 * MIB, false);
    script_segment(&script, TN_EVENT_SEGMENT_RETURN, 16 * MIB, 2 * MIB, false);
    script_end(&script, &trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 3, &moment), TARN_OK);
    assert_false(moment.has_places);
    tn_moment_release(&moment);
    free(lives);
    tn_trace_release(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_the_sums_of_blocks_and_segments),
        cmocka_unit_test(lives_cover_the_moments_from_allocation_to_free),
        cmocka_unit_test(moment_has_the_live_blocks_by_address),
        cmocka_unit_test(fragments_divide_the_reserved_bytes),
        cmocka_unit_test(pinned_segments_come_with_most_free_bytes_first),
        cmocka_unit_test(mapped_neighbours_are_one_segment),
        cmocka_unit_test(a_segment_returned_twice_makes_places_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
