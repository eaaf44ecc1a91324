// SPDX-License-Identifier: Apache-2.0
// The memory of the card on which a recording was made.
#include "trace/study/card.h"

#include "unit/trace/script.h"

#define MIB (UINT64_C(1) << 20)

static void a_refused_request_tells_what_the_program_had_and_could_get(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_segment(&script, TN_EVENT_SEGMENT, 100 * MIB, 20 * MIB, false);
    script_failure(&script, 90 * MIB, 70 * MIB);
    script_segment(&script, TN_EVENT_SEGMENT, 200 * MIB, 40 * MIB, false);
    script_failure(&script, 90 * MIB, 60 * MIB);
    script_segment(&script, TN_EVENT_SEGMENT_RETURN, 200 * MIB, 40 * MIB, false);
    script_failure(&script, 90 * MIB, 30 * MIB); // another program took the rest
    script_failure(&script, 90 * MIB, UINT64_MAX);
    script_end(&script, &trace);
    struct tn_recorded_card card = tn_recorded_card(&trace, &trace.devices[0]);
    assert_int_equal(card.bytes, 120 * MIB);
    assert_false(card.is_whole);
    assert_int_equal(tn_recorded_card_usable(&card, 30 * MIB), 120 * MIB);
    // The size of the card, where it is recorded, counts.
    trace.devices[0].memory_bytes = 500 * MIB;
    card = tn_recorded_card(&trace, &trace.devices[0]);
    assert_int_equal(card.bytes, 500 * MIB);
    assert_true(card.is_whole);
    assert_int_equal(tn_recorded_card_usable(&card, 30 * MIB), 470 * MIB);
    assert_int_equal(tn_recorded_card_usable(&card, 600 * MIB), 0);
    tn_trace_release(&trace);
}

static void other_recordings_tell_nothing(void **state) {
    (void)state;
    struct trace_script script;
    struct tn_trace trace;
    script_begin(&script, TN_TRACE_SNAPSHOT);
    script_segment(&script, TN_EVENT_SEGMENT, 100 * MIB, 20 * MIB, false);
    script_failure(&script, 90 * MIB, UINT64_MAX);
    script_end(&script, &trace);
    struct tn_recorded_card card = tn_recorded_card(&trace, &trace.devices[0]);
    assert_int_equal(card.bytes, 0);
    assert_int_equal(tn_recorded_card_usable(&card, MIB), 0);
    tn_trace_release(&trace);
    // Free memory without the reserved bytes is not the card.
    script_begin(&script, TN_TRACE_SNAPSHOT);
    (void)script_alloc(&script, 100 * MIB, 20 * MIB);
    script_failure(&script, 90 * MIB, 30 * MIB);
    script_end(&script, &trace);
    assert_int_equal(tn_recorded_card(&trace, &trace.devices[0]).bytes, 0);
    tn_trace_release(&trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_request_tells_what_the_program_had_and_could_get),
        cmocka_unit_test(other_recordings_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
