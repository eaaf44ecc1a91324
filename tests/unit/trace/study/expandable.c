// SPDX-License-Identifier: Apache-2.0
// The model of expandable segments, each figure against a calculation by hand.
#include "trace/study/expandable.h"

#include "unit/trace/script.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

static uint64_t address; // the next one, which no block shares

static uint32_t take(struct trace_script *script, uint64_t size) {
    address += 256 * MIB;
    return script_alloc(script, address, size);
}

static void check(struct trace_script *script, uint64_t with_room, uint64_t least) {
    struct tn_trace trace;
    struct tn_expandable made;
    struct tn_moment start;
    script_end(script, &trace);
    struct tn_life *lives = tn_lives_make(&trace);
    assert_int_equal(tn_moment_make(&trace, &trace.devices[0], lives, 0, &start), TARN_OK);
    assert_int_equal(tn_expandable_model(&start, 1000, &made), TARN_OK);
    assert_int_equal(made.with_room, with_room * MIB);
    assert_int_equal(made.least, least * MIB);
    assert_int_equal(tn_expandable_model(&start, 0, &made), TARN_OK);
    assert_int_equal(made.least, 0);
    tn_moment_release(&start);
    free(lives);
    tn_trace_release(&trace);
}

static void small_and_large_blocks_have_pages_of_their_own(void **state) {
    (void)state;
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    (void)take(&script, KIB);       // a page of 2 MiB
    (void)take(&script, MIB);       // fits beside it
    (void)take(&script, MIB + 1);   // large: a page of 20 MiB
    (void)take(&script, 18 * MIB);  // fits beside it
    (void)take(&script, MIB - 512); // another page of 2 MiB
    check(&script, 24, 40);
}

static void a_range_grows_behind_a_free_piece(void **state) {
    (void)state;
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_event(&script, TN_EVENT_FREE, take(&script, 30 * MIB)); // 40 MiB mapped
    (void)take(&script, 50 * MIB);                                 // 20 MiB more
    check(&script, 60, 60);
}

static void pages_move_only_if_the_card_is_full(void **state) {
    (void)state;
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_event(&script, TN_EVENT_FREE, take(&script, 100 * MIB));
    script.stream = 7;
    (void)take(&script, 100 * MIB);
    check(&script, 200, 100);
}

static void a_hole_between_live_blocks_stays(void **state) {
    (void)state;
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t hole = take(&script, 60 * MIB);
    (void)take(&script, 20 * MIB);
    script_event(&script, TN_EVENT_FREE, hole);
    (void)take(&script,
               80 * MIB); // the hole is too short: with room 80 MiB more, else its pages move
    check(&script, 160, 100);
}

// The smallest piece is taken, unless the next larger one could grow less.
static void a_request_avoids_a_piece_that_could_grow(void **state) {
    (void)state;
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t inner = take(&script, 20 * MIB);
    (void)take(&script, 20 * MIB);
    uint32_t last =
        take(&script, 10 * MIB); // beside 10 MiB that are free, and pages that are not mapped
    script_event(&script, TN_EVENT_FREE, inner);
    (void)take(&script, 8 * MIB); // from the hole of 20 MiB
    script_event(&script, TN_EVENT_FREE, last);
    (void)take(&script, 40 * MIB); // the 20 MiB at the end, and 20 MiB more
    check(&script, 80, 80);
}

static void a_private_pool_has_a_range_of_its_own(void **state) {
    (void)state;
    struct trace_script script;
    uint32_t index;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    address += 256 * MIB;
    struct tn_trace_segment segment = {
        .address = address + 256 * MIB, .bytes = 20 * MIB, .is_private = true};
    assert_int_equal(tn_builder_stream(&script.builder, 0, &segment.stream), TARN_OK);
    assert_int_equal(tn_builder_segment(&script.builder, &segment, &index), TARN_OK);
    script_event(&script, TN_EVENT_SEGMENT, index);
    (void)take(&script, 4 * MIB);
    (void)take(&script, 4 * MIB); // elsewhere
    check(&script, 40, 40);
}

static void blocks_of_the_start_are_placed_by_address(void **state) {
    (void)state;
    struct trace_script script;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    uint32_t behind = script_starting(&script, 40 * MIB, 20 * MIB);
    (void)script_starting(&script, 20 * MIB, 20 * MIB);
    script_event(&script, TN_EVENT_FREE, behind); // the last of the range, so that it can grow
    (void)take(&script, 40 * MIB);
    check(&script, 60, 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_and_large_blocks_have_pages_of_their_own),
        cmocka_unit_test(a_range_grows_behind_a_free_piece),
        cmocka_unit_test(pages_move_only_if_the_card_is_full),
        cmocka_unit_test(a_hole_between_live_blocks_stays),
        cmocka_unit_test(a_request_avoids_a_piece_that_could_grow),
        cmocka_unit_test(a_private_pool_has_a_range_of_its_own),
        cmocka_unit_test(blocks_of_the_start_are_placed_by_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
