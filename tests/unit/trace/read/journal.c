// SPDX-License-Identifier: Apache-2.0
// Journals: entries of all devices in any order become sound devices, and contradictions become
// notes. Random journals are compared with a naive count.
#include "trace/read/journal.h"
#include "unit/trace/story.h"

static struct tn_builder builder;
static struct tn_journal journal;
static struct tn_trace trace;

static int begin_journal(void **state) {
    (void)state;
    trace = (struct tn_trace){.note_count = 0};
    journal = (struct tn_journal){.builder = &builder};
    return tn_builder_begin(&builder, "file", TN_TRACE_CSV, NULL) == TARN_OK ? 0 : -1;
}

static int release_journal(void **state) {
    (void)state;
    tn_trace_release(&trace);
    return 0;
}

static void add(enum tn_entry_kind kind, uint64_t time_us, uint32_t device, uint64_t key,
                uint64_t size) {
    const struct tn_entry entry = {.time_ns = time_us * 1000,
                                   .where = journal.count + 1,
                                   .key = key,
                                   .address = key,
                                   .size = size,
                                   .device = device,
                                   .kind = (uint32_t)kind};
    assert_int_equal(tn_journal_add(&journal, &entry), TARN_OK);
}

static tarn_status end(enum tn_journal_order order) {
    tarn_status status = tn_builder_end(&builder, tn_journal_end(&journal, order), &trace);
    tn_journal_release(&journal);
    if (status == TARN_OK) sound_trace(&trace);
    return status;
}

static void journal_blocks_and_segments_never_meet(void **state) {
    (void)state;
    add(TN_ENTRY_SEGMENT, 0, 0, 7, 100);
    add(TN_ENTRY_ALLOC, 1, 0, 7, 10);
    add(TN_ENTRY_SEGMENT_RETURN, 2, 0, 7, 0);
    add(TN_ENTRY_FREE, 3, 0, 7, 0);
    assert_int_equal(end(TN_JOURNAL_BY_TIME), TARN_OK);
    assert_int_equal(trace.note_count, 0);
    assert_int_equal(trace.events[2].kind, TN_EVENT_SEGMENT_RETURN);
    assert_int_equal(trace.events[3].kind, TN_EVENT_FREE);
}

static void journal_reserved_bytes_are_those_of_the_segments(void **state) {
    (void)state;
    add(TN_ENTRY_SEGMENT_RETURN, 1, 0, 1, 50); // had it at the start
    add(TN_ENTRY_SEGMENT, 2, 0, 2, 100);
    add(TN_ENTRY_SEGMENT, 3, 0, 3, 30);
    add(TN_ENTRY_SEGMENT_RETURN, 4, 0, 2, 0);
    assert_int_equal(end(TN_JOURNAL_BY_TIME), TARN_OK);
    const struct tn_trace_device *device = &trace.devices[0];
    assert_true(device->says_reserved);
    assert_int_equal(device->starting_segment_count, 1);
    assert_int_equal(device->reserved_at_start, 50);
    assert_int_equal(device->reserved_peak, 130);
    assert_int_equal(device->reserved_at_end, 30);
    assert_int_equal(device->calls.allocs, 3);
    assert_int_equal(device->calls.alloc_bytes, 180);
    assert_int_equal(device->calls.frees, 2);
    assert_int_equal(device->calls.segment_events, 4);
    assert_int_equal(device->calls.starting_segments, 1);
}

static void journal_segments_whose_sum_is_too_large_are_refused(void **state) {
    (void)state;
    add(TN_ENTRY_SEGMENT, 1, 3, 1, INT64_MAX);
    add(TN_ENTRY_SEGMENT, 2, 3, 2, 2);
    assert_int_equal(end(TN_JOURNAL_BY_TIME), TARN_CORRUPT);
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "device 3, event 2 (position 2): 2 bytes bring a sum"));
}

static void journal_orders_by_time_only_on_request(void **state) {
    (void)state;
    add(TN_ENTRY_ALLOC, 9, 0, 1, 1);
    add(TN_ENTRY_FREE, 5, 0, 1, 1);
    assert_int_equal(end(TN_JOURNAL_AS_ADDED), TARN_OK);
    assert_int_equal(trace.events[0].kind, TN_EVENT_ALLOC);
    assert_int_equal(trace.devices[0].starting_count, 0);
}

static void journal_devices_come_by_number_and_the_host_last(void **state) {
    (void)state;
    add(TN_ENTRY_ALLOC, 1, TN_ENTRY_HOST, 1, 1);
    add(TN_ENTRY_ALLOC, 2, 5, 2, 2);
    add(TN_ENTRY_MARK, 3, TN_ENTRY_EVERY, 0, 0);
    add(TN_ENTRY_ALLOC, 4, 2, 3, 4);
    add(TN_ENTRY_FREE, 5, TN_ENTRY_MATCHED, 2, 0);
    add(TN_ENTRY_MARK_END, 6, TN_ENTRY_EVERY, 0, 0);
    assert_int_equal(end(TN_JOURNAL_BY_TIME), TARN_OK);
    assert_int_equal(trace.device_count, 3);
    assert_int_equal(trace.devices[0].number, 2);
    assert_int_equal(trace.devices[1].number, 5);
    assert_int_equal(trace.devices[1].event_count, 4);
    assert_int_equal(trace.devices[2].kind, TN_DEVICE_HOST);
    assert_int_equal(trace.devices[2].number, 0);
    for (size_t i = 0; i < 3; i++) assert_int_equal(story_sums(&trace, i).marks, 2);
}

static void journal_of_marks_alone_is_refused(void **state) {
    (void)state;
    add(TN_ENTRY_MARK, 3, TN_ENTRY_EVERY, 0, 0);
    assert_int_equal(end(TN_JOURNAL_BY_TIME), TARN_CORRUPT);
}

static void journal_has_the_limits_of_its_builder(void **state) {
    (void)state;
    const struct tn_entry entry = {.kind = TN_ENTRY_ALLOC, .size = 1};
    builder.limit = 2;
    assert_int_equal(tn_journal_add(&journal, &entry), TARN_OK);
    assert_int_equal(tn_journal_add(&journal, &entry), TARN_OK);
    assert_int_equal(tn_journal_add(&journal, &entry), TARN_NO_HOST_MEMORY);
    builder.limit = 100;
    builder.memory = 2 * sizeof entry;
    assert_int_equal(tn_journal_add(&journal, &entry), TARN_NO_HOST_MEMORY);
    assert_int_equal(end(TN_JOURNAL_BY_TIME),
                     TARN_NO_HOST_MEMORY); // the free that is missing needs an entry
}

// Live bytes of each key, in order of time.
static void journal_agrees_with_a_naive_count(void **state) {
    enum { KEYS = 5, DEVICES = 3, STEPS = 60 };
    uint64_t random = 1;
    for (int round = 0; round < 300; round++) {
        uint64_t live[DEVICES] = {0}, block[KEYS] = {0}, notes = 0;
        uint32_t place[KEYS] = {0};
        bool used[DEVICES] = {false};
        assert_int_equal(begin_journal(state), 0);
        for (uint64_t step = 0; step < STEPS; step++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            uint64_t key = (random >> 33) % KEYS;
            uint32_t device = (uint32_t)(random >> 40) % DEVICES;
            bool frees = (random >> 50) % 2 == 0;
            uint64_t size = (random >> 55) + 1;
            if (frees) {
                add(TN_ENTRY_FREE, step, TN_ENTRY_MATCHED, key, 0);
                notes += block[key] == 0;
            } else {
                add(TN_ENTRY_ALLOC, step, device, key, size);
                notes += block[key] != 0;
                used[device] = true;
            }
            live[place[key]] -= block[key];
            block[key] = frees ? 0 : size;
            place[key] = device;
            live[device] += block[key];
        }
        assert_int_equal(end(round % 2 == 0), TARN_OK);
        assert_int_equal(trace.note_count, notes);
        for (size_t d = 0, at = 0; d < DEVICES; d++)
            if (used[d]) assert_int_equal(story_sums(&trace, at++).live, live[d]);
        tn_trace_release(&trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_journal, release_journal)
        TEST(journal_blocks_and_segments_never_meet),
        TEST(journal_reserved_bytes_are_those_of_the_segments),
        TEST(journal_segments_whose_sum_is_too_large_are_refused),
        TEST(journal_orders_by_time_only_on_request),
        TEST(journal_devices_come_by_number_and_the_host_last),
        TEST(journal_of_marks_alone_is_refused),
        TEST(journal_has_the_limits_of_its_builder),
#undef TEST
        cmocka_unit_test(journal_agrees_with_a_naive_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
