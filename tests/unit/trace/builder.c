// SPDX-License-Identifier: Apache-2.0
// A builder refuses the element that brings a sum above 63 bits, and names it.
#include "trace/builder.h"

#include <setjmp.h> // cmocka.h needs it, and the three below
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LARGE (UINT64_C(1) << 62)

static struct tn_builder builder;
static struct tn_trace_device *device;
static uint64_t device_free;

static int begin(void **state) {
    (void)state;
    if (tn_builder_begin(&builder, "made", TN_TRACE_TEXT, NULL) != TARN_OK) return -1;
    return tn_builder_device(&builder, 3, &device) == TARN_OK ? 0 : -1;
}

static int end(void **state) {
    struct tn_trace trace = {.note_count = 0};
    (void)state;
    (void)tn_builder_end(&builder, TARN_CORRUPT, &trace);
    return 0;
}

// Adds an event at line 9, with an item of these bytes.
static tarn_status add_event(enum tn_event_kind kind, uint64_t bytes) {
    uint32_t item;
    const struct tn_block block = {.id = 7, .size = bytes};
    const struct tn_trace_segment segment = {.address = 0x1000, .bytes = bytes};
    if (kind == TN_EVENT_ALLOC)
        assert_int_equal(tn_builder_block(&builder, &block, &item), TARN_OK);
    else if (kind == TN_EVENT_FAILURE)
        assert_int_equal(tn_builder_refusal(&builder, bytes, device_free, 0, 0, &item), TARN_OK);
    else
        assert_int_equal(tn_builder_segment(&builder, &segment, &item), TARN_OK);
    return tn_builder_event(&builder, kind, 0, 9, item);
}

static void assert_message(const char *wanted) {
    tarn_error error = {.message = ""};
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, wanted);
}

static void blocks_segments_and_returns_have_sums_of_63_bits_each(void **state) {
    static const enum tn_event_kind kinds[] = {TN_EVENT_ALLOC, TN_EVENT_SEGMENT,
                                               TN_EVENT_SEGMENT_RETURN};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(add_event(kinds[i], LARGE), TARN_OK);
        assert_int_equal(add_event(kinds[i], LARGE - 1), TARN_OK);
        assert_int_equal(add_event(kinds[i], 1), TARN_CORRUPT);
    }
    assert_int_equal(builder.trace.event_count, 6);
    assert_message("made: device 3, event 7 (position 9): 1 bytes bring a sum of the recording "
                   "above 9223372036854775807");
}

static void a_refused_request_has_63_bits_and_so_has_what_was_free(void **state) {
    (void)state;
    device_free = UINT64_MAX; // not recorded
    assert_int_equal(add_event(TN_EVENT_FAILURE, INT64_MAX), TARN_OK);
    assert_int_equal(add_event(TN_EVENT_FAILURE, INT64_MAX), TARN_OK);
    assert_int_equal(add_event(TN_EVENT_FAILURE, LARGE * 2), TARN_CORRUPT);
    device_free = LARGE * 2;
    assert_int_equal(add_event(TN_EVENT_FAILURE, 1), TARN_CORRUPT);
}

static void sums_cross_devices_and_count_the_start_and_rounding(void **state) {
    const struct tn_block block = {.id = 7, .size = 1, .occupied = LARGE};
    const struct tn_trace_segment segment = {.address = 0x1000, .bytes = LARGE};
    uint32_t index;
    (void)state;
    assert_int_equal(tn_builder_starting(&builder, &block, &index), TARN_OK);
    assert_int_equal(tn_builder_starting_segment(&builder, &segment), TARN_OK);
    assert_int_equal(tn_builder_device(&builder, 4, &device), TARN_OK);
    assert_int_equal(tn_builder_starting(&builder, &block, &index), TARN_CORRUPT);
    assert_message("made: device 4, block 7 at the start: 4611686018427387904 bytes bring a sum "
                   "of the recording above 9223372036854775807");
    assert_int_equal(tn_builder_starting_segment(&builder, &segment), TARN_CORRUPT);
    assert_int_equal(builder.trace.block_count + builder.trace.segment_count, 2);
    assert_int_equal(device->starting_count + device->starting_segment_count, 0);
}

static void a_sample_has_63_bits_and_so_have_its_categories(void **state) {
    struct tn_trace_sample sample = {.live = INT64_MAX, .reserved = INT64_MAX};
    (void)state;
    sample.by_category[1] = sample.by_category[2] = LARGE - 1;
    assert_int_equal(tn_builder_sample(&builder, &sample), TARN_OK);
    sample.by_category[3] = 2;
    assert_int_equal(tn_builder_sample(&builder, &sample), TARN_CORRUPT);
    sample = (struct tn_trace_sample){.reserved = LARGE * 2};
    assert_int_equal(tn_builder_sample(&builder, &sample), TARN_CORRUPT);
    sample = (struct tn_trace_sample){.live = LARGE * 2};
    assert_int_equal(tn_builder_sample(&builder, &sample), TARN_CORRUPT);
    assert_int_equal(device->sample_count, 1);
}

static void facts_of_devices_are_checked_at_the_end(void **state) {
    struct tn_trace trace = {.note_count = 0};
    (void)state;
    assert_int_equal(add_event(TN_EVENT_SEGMENT, LARGE), TARN_OK);
    device->reserved_at_start = LARGE;
    assert_int_equal(tn_builder_end(&builder, TARN_OK, &trace), TARN_CORRUPT);
    assert_message("made: device 3, reserved at the start: 4611686018427387904 bytes bring a sum "
                   "of the recording above 9223372036854775807");
    assert_null(trace.events);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(blocks_segments_and_returns_have_sums_of_63_bits_each),
        TEST(a_refused_request_has_63_bits_and_so_has_what_was_free),
        TEST(sums_cross_devices_and_count_the_start_and_rounding),
        TEST(a_sample_has_63_bits_and_so_have_its_categories),
        TEST(facts_of_devices_are_checked_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
