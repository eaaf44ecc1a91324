// SPDX-License-Identifier: Apache-2.0
// Each rule of the order of work with a planted bug and its clean twin.
#include "unit/check/order/events.h"

enum { S1 = 11, S2 = 22, S3 = 33 };

// ---- races

static void a_write_beside_a_copy_on_another_stream_is_a_race(void **state) {
    (void)state;
    reads(S1);
    writes(S2);
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_int_equal(last.addr, BLOCK);
    assert_int_equal(last.bytes, BYTES);
}

static void each_number_of_a_stream_is_a_stream(void **state) {
    (void)state;
    for (uint64_t stream = 1; stream < 4; stream++) {
        tn_check_order_reset();
        writes(stream);
        writes(S1);
        expect(TN_CHECK_KIND_COPY_RACE);
    }
}

static void an_event_between_them_makes_it_none(void **state) {
    (void)state;
    reads(S1);
    records(S1);
    waits(S2);
    writes(S2);
    assert_int_equal(reports, 0);
}

static void an_event_recorded_before_the_copy_does_not(void **state) {
    (void)state;
    records(S1);
    reads(S1);
    waits(S2);
    writes(S2);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_wait_sees_the_newest_record_before_it(void **state) {
    (void)state;
    records(S1);
    reads(S1);
    records(S1);
    waits(S2);
    writes(S2);
    assert_int_equal(reports, 0);
}

static void order_passes_through_a_third_stream(void **state) {
    (void)state;
    enum { OTHER = 55 };
    writes(S1);
    records(S1);
    waits(S3);
    NOTE(.kind = TN_MEM_EVENT_RECORD, .stream = S3, .object = OTHER);
    NOTE(.kind = TN_MEM_STREAM_WAIT, .stream = S2, .object = OTHER);
    writes(S2);
    assert_int_equal(reports, 0);
}

static void two_reads_are_no_race(void **state) {
    (void)state;
    reads(S1);
    reads(S2);
    assert_int_equal(reports, 0);
    writes(0);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_host_that_waited_may_write(void **state) {
    (void)state;
    reads(S1);
    synchronises(S1);
    writes(0);
    writes(S2); // given after all that the host knows
    assert_int_equal(reports, 0);
}

static void a_host_that_waited_for_another_stream_may_not(void **state) {
    (void)state;
    reads(S1);
    reads(S2);
    synchronises(S2);
    writes(0);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_device_that_is_idle_has_no_work_in_flight(void **state) {
    (void)state;
    NOTE(.kind = TN_MEM_STREAM_BEGIN, .stream = S1, .device = 1);
    NOTE(.kind = TN_MEM_STREAM_BEGIN, .stream = S2, .device = 0);
    access_to(S1, TN_MEM_WRITE, BLOCK, 16);
    access_to(S2, TN_MEM_WRITE, BLOCK + 16, 16);
    NOTE(.kind = TN_MEM_DEVICE_SYNC, .device = 1);
    access_to(0, TN_MEM_READ, BLOCK, 16);
    assert_int_equal(reports, 0);
    access_to(0, TN_MEM_READ, BLOCK + 16, 16);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_destroyed_stream_has_done_its_work(void **state) {
    (void)state;
    writes(S1);
    NOTE(.kind = TN_MEM_STREAM_SYNC, .stream = S1);
    NOTE(.kind = TN_MEM_STREAM_END, .stream = S1);
    writes(S2);
    assert_int_equal(reports, 0);
}

static void the_end_of_a_stream_is_no_wait(void **state) {
    (void)state;
    writes(S1);
    NOTE(.kind = TN_MEM_STREAM_END, .stream = S1);
    writes(S2);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_wait_for_the_device_covers_streams_that_have_ended(void **state) {
    (void)state;
    writes(S1);
    NOTE(.kind = TN_MEM_STREAM_END, .stream = S1);
    NOTE(.kind = TN_MEM_DEVICE_SYNC, .device = -1);
    writes(S2);
    assert_int_equal(reports, 0);
}

static void the_oldest_of_many_ended_streams_are_taken_for_known(void **state) {
    (void)state;
    writes(S1);
    NOTE(.kind = TN_MEM_STREAM_END, .stream = S1);
    for (uint64_t i = 0; i < 256; i++) {
        access_to(1000 + i, TN_MEM_WRITE, BLOCK + 4096 + i, 1);
        NOTE(.kind = TN_MEM_STREAM_END, .stream = 1000 + i);
    }
    writes(S2);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, BLOCK + 4096 + 255, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void only_bytes_that_both_touch_race(void **state) {
    (void)state;
    access_to(S1, TN_MEM_WRITE, BLOCK, 100);
    access_to(S2, TN_MEM_WRITE, BLOCK + 100, 100);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_READ, BLOCK + 96, 8);
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_int_equal(last.addr, BLOCK + 96);
    assert_int_equal(last.bytes, 4);
}

static void writes_rows(uint64_t stream, uint64_t addr) {
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .stream = stream, .addr = addr,
                    .bytes = 16, .pitch = 32);
    event.height = 4;
    tn_check_order_event(&event);
}

static void rows_of_boxes_that_interlock_do_not_race(void **state) {
    (void)state;
    writes_rows(S1, BLOCK);
    writes_rows(S2, BLOCK + 16);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, BLOCK + 64, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_box_of_one_row_begins_at_its_address(void **state) {
    (void)state;
    NOTE(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .stream = S1, .addr = BLOCK, .bytes = 16,
         .pitch = 4096, .slice_pitch = 4096);
    access_to(S2, TN_MEM_WRITE, BLOCK + 4096, 16);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, BLOCK + 8, 16);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_host_function_acts_for_its_stream(void **state) {
    (void)state;
    writes(S1);
    submits_call(S1, 1);
    call_begins(1);
    writes(0);
    call_ends();
    assert_int_equal(reports, 0);
    writes(S2);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_host_function_comes_after_no_later_wait_of_the_host(void **state) {
    (void)state;
    writes(S1);
    submits_call(S2, 1);
    synchronises(S1);
    call_begins(1);
    reads(0);
    call_ends();
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_host_function_comes_after_the_waits_that_it_makes(void **state) {
    (void)state;
    writes(S1);
    submits_call(S2, 1);
    call_begins(1);
    synchronises(S1);
    reads(0);
    call_ends();
    assert_int_equal(reports, 0);
}

static void a_host_function_comes_before_later_work_of_its_stream(void **state) {
    (void)state;
    submits_call(S1, 1);
    writes(S1);
    records(S1);
    waits(S2);
    writes(S2);
    call_begins(1);
    writes(0);
    call_ends();
    assert_int_equal(reports, 0);
}

static void the_host_races_with_a_function_that_runs_later(void **state) {
    (void)state;
    writes(0);
    submits_call(S1, 1);
    call_begins(1);
    writes(0);
    call_ends();
    assert_int_equal(reports, 0);
    synchronises(S1);
    submits_call(S2, 2);
    reads(0);
    call_begins(2);
    writes(0);
    call_ends();
    expect(TN_CHECK_KIND_HOST_RACE);
}

static bool function_sees_later_free(uint64_t number) {
    call_begins(number);
    bool later = tn_check_order_frees_later(0, BLOCK, BLOCK + BYTES);
    call_ends();
    return later;
}

static void a_block_that_is_freed_behind_a_function_is_its_to_use(void **state) {
    (void)state;
    begins(S1);
    submits_call(S1, 1);
    ends(S1);
    assert_true(function_sees_later_free(1));
    assert_false(tn_check_order_frees_later(0, BLOCK, BLOCK + BYTES));
    submits_call(S1, 2); // behind the free
    assert_false(function_sees_later_free(2));
}

static void a_free_on_a_stream_that_does_not_wait_is_not_behind_a_function(void **state) {
    (void)state;
    begins(S1);
    submits_call(S1, 1);
    NOTE(.kind = TN_MEM_FREE_ON, .stream = S2, .addr = BLOCK, .bytes = BYTES);
    reports = 0;
    ends(S1); // the pool waits for S2 there
    assert_false(function_sees_later_free(1));
    begins(S1);
    submits_call(S1, 2);
    records(S1);
    waits(S2);
    NOTE(.kind = TN_MEM_FREE_ON, .stream = S2, .addr = BLOCK, .bytes = BYTES);
    ends(S1);
    assert_true(function_sees_later_free(2));
}

// The pool waits for the function between the two events of the free.
static void a_function_that_runs_during_a_free_on_another_stream_races_with_it(void **state) {
    (void)state;
    begins(S1);
    records(S1);
    waits(S2);
    submits_call(S1, 1);
    NOTE(.kind = TN_MEM_FREE_ON, .stream = S2, .addr = BLOCK, .bytes = BYTES);
    assert_int_equal(reports, 0);
    call_begins(1);
    writes(0);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
    call_ends();
    ends(S1);
}

static void a_function_before_a_free_on_a_stream_that_waits_for_it_is_silent(void **state) {
    (void)state;
    begins(S1);
    submits_call(S1, 1);
    records(S1);
    waits(S2);
    NOTE(.kind = TN_MEM_FREE_ON, .stream = S2, .addr = BLOCK, .bytes = BYTES);
    call_begins(1);
    writes(0);
    call_ends();
    ends(S1);
    assert_int_equal(reports, 0);
}

// The wait may come before the function runs, or after it.
static void work_before_a_wait_for_a_host_function_races_with_it(void **state) {
    (void)state;
    submits_call(S1, 1);
    writes(S2);
    records(S1);
    waits(S2);
    call_begins(1);
    reads(0);
    call_ends();
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void a_late_access_of_a_host_function_hides_no_later_write(void **state) {
    (void)state;
    submits_call(S1, 1);
    records(S1);
    waits(S2);
    writes(S1);
    call_begins(1);
    writes(0);
    call_ends();
    assert_int_equal(reports, 0);
    reads(S2); // comes after the function, and not after the write
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void work_of_a_host_function_comes_after_the_work_before_it_alone(void **state) {
    (void)state;
    writes(S1);
    submits_call(S1, 1);
    call_begins(1);
    writes(S2);
    call_ends();
    assert_int_equal(reports, 0);
    submits_call(S1, 2);
    writes(S1);
    expect(TN_CHECK_KIND_COPY_RACE);
    call_begins(2);
    reads(S3);
    call_ends();
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void no_race_is_concluded_of_a_host_function_without_a_number(void **state) {
    (void)state;
    writes(S1);
    NOTE(.kind = TN_MEM_CALL_BEGIN, .stream = S2);
    reads(0);
    call_ends();
    writes(S3);
    assert_int_equal(reports, 0);
}

static void equal_streams_of_two_images_are_two(void **state) {
    (void)state;
    writes(S1);
    tn_check_order_event(&(struct tn_mem_event){.size = sizeof(struct tn_mem_event),
                                                .kind = TN_MEM_ACCESS,
                                                .flags = TN_MEM_WRITE,
                                                .image = 1,
                                                .stream = S1,
                                                .addr = BLOCK,
                                                .bytes = BYTES,
                                                .height = 1,
                                                .depth = 1});
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_wait_for_nothing_is_reported(void **state) {
    (void)state;
    waits(S2);
    expect(TN_CHECK_KIND_WAIT_WITHOUT_RECORD);
}

static void waits_for_other_processes_are_counted(void **state) {
    (void)state;
    struct tn_check_seen seen;
    NOTE(.kind = TN_MEM_CONDITION, .stream = S1);
    NOTE(.kind = TN_MEM_CONDITION, .stream = S1, .object = EVENT);
    NOTE(.kind = TN_MEM_CONDITION, .object = EVENT);
    tn_check_order_seen(&seen);
    assert_int_equal(seen.processes, 2);
}

// ---- blocks

static void a_block_is_used_on_another_stream_only_behind_an_event(void **state) {
    (void)state;
    begins(S1);
    writes(S1);
    synchronises(S1);
    ends(S1);
    begins(S1);
    writes(S2);
    expect(TN_CHECK_KIND_USE_BEFORE_EVENT);

    tn_check_order_reset();
    begins(S1);
    records(S1);
    waits(S2);
    writes(S2);
    assert_int_equal(reports, 0);
}

static void a_free_must_wait_for_the_streams_that_use_the_block(void **state) {
    (void)state;
    begins(S1);
    records(S1);
    waits(S2);
    writes(S2);
    ends(S1);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
}

static void a_pool_that_knows_of_the_other_stream_waits_for_it(void **state) {
    (void)state;
    begins(S1);
    records(S1);
    waits(S2);
    NOTE(.kind = TN_MEM_USED_ON, .stream = S2, .addr = BLOCK);
    writes(S2);
    ends(S1);
    assert_int_equal(reports, 0);
}

static void a_block_of_two_streams_may_be_freed_in_order_of_one(void **state) {
    (void)state;
    begins(S1);
    records(S1);
    waits(S2);
    NOTE(.kind = TN_MEM_USED_ON, .stream = S2, .addr = BLOCK);
    writes(S1);
    ends(S1);
    assert_int_equal(reports, 0);
}

// Its record must not count as lost for want of memory, or nothing would be reported any more.
static void races_beside_a_block_of_two_streams_are_still_reported(void **state) {
    (void)state;
    begins(S1);
    records(S1);
    waits(S2);
    NOTE(.kind = TN_MEM_USED_ON, .stream = S2, .addr = BLOCK);
    reads(S1);
    writes(S2);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void work_of_the_same_stream_may_still_run_at_the_free(void **state) {
    (void)state;
    begins(S1);
    writes(S1);
    ends(S1);
    begins(S1);
    writes(S1);
    ends(S1);
    assert_int_equal(reports, 0);
}

static void a_free_by_the_host_does_not_wait(void **state) {
    (void)state;
    begins(0);
    writes(S1);
    ends(0);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
}

static void reuse_on_another_stream_comes_after_the_free(void **state) {
    (void)state;
    begins(S1);
    ends(S1);
    begins(S2);
    expect(TN_CHECK_KIND_REUSE_BEFORE_EVENT);
    ends(S2);
    synchronises(S2);
    begins(S1);
    assert_int_equal(reports, 0);
}

static void a_free_behind_finished_work_has_passed(void **state) {
    (void)state;
    for (uint64_t next = 0; next <= S2; next += S2) {
        begins(S1);
        writes(S1);
        synchronises(S1);
        ends(S1);
        begins(next);
        ends(next);
        synchronises(next);
    }
    assert_int_equal(reports, 0);
    begins(S1);
    synchronises(S1);
    writes(S1);
    ends(S1);
    begins(0);
    expect(TN_CHECK_KIND_REUSE_BEFORE_EVENT);
}

static void grows(uint64_t stream) {
    NOTE(.kind = TN_MEM_REGION_RESIZE, .stream = stream, .addr = BLOCK, .bytes = 2 * BYTES,
         .other = BYTES);
}
static void ends_grown(uint64_t stream) {
    NOTE(.kind = TN_MEM_REGION_END, .stream = stream, .addr = BLOCK, .bytes = 2 * BYTES);
}

static void bytes_that_a_block_gains_come_after_their_free(void **state) {
    (void)state;
    for (int ordered = 0; ordered < 2; ordered++) {
        begins(S2);
        NOTE(.kind = TN_MEM_REGION_BEGIN, .stream = S1, .addr = BLOCK + BYTES, .bytes = BYTES);
        NOTE(.kind = TN_MEM_REGION_END, .stream = S1, .addr = BLOCK + BYTES, .bytes = BYTES);
        if (ordered) synchronises(S1);
        grows(S2);
        assert_int_equal(reports, !ordered);
        reports = 0;
        access_to(S2, TN_MEM_WRITE, BLOCK, 2 * BYTES);
        ends_grown(S2);
        synchronises(S2);
        assert_int_equal(reports, 0);
    }
}

static void bytes_that_a_block_gained_belong_to_it(void **state) {
    (void)state;
    begins(S1);
    grows(S1);
    access_to(S2, TN_MEM_WRITE, BLOCK + BYTES, BYTES);
    expect(TN_CHECK_KIND_USE_BEFORE_EVENT);
    synchronises(S2);
    access_to(S1, TN_MEM_WRITE, BLOCK + BYTES, BYTES);
    ends_grown(S2);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
}

static void a_heap_that_ends_takes_its_frees_along(void **state) {
    (void)state;
    begins(S1);
    ends(S1);
    NOTE(.kind = TN_MEM_HEAP_END, .addr = BLOCK, .bytes = BYTES);
    begins(S2);
    assert_int_equal(reports, 0);
}

static void what_a_block_did_before_is_over_when_it_begins(void **state) {
    (void)state;
    begins(0);
    writes(S1);
    NOTE(.kind = TN_MEM_USED_ON, .stream = S1, .addr = BLOCK);
    ends(0);
    begins(0);
    writes(S2);
    assert_int_equal(reports, 0);
}

// ---- mappings and plain memory

static void ends_without_waiting(enum tn_mem_resource what) {
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = (uint16_t)what, .flags = TN_MEM_UNWAITED,
         .addr = BLOCK, .bytes = BYTES);
}

static void unmapping_without_waiting_must_find_no_work(void **state) {
    (void)state;
    writes(S1);
    ends_without_waiting(TN_MEM_MAPPING);
    expect(TN_CHECK_KIND_UNMAP_IN_FLIGHT);
    writes(S1);
    synchronises(S1);
    ends_without_waiting(TN_MEM_MAPPING);
    assert_int_equal(reports, 0);
}

static void freeing_without_waiting_must_find_no_work(void **state) {
    (void)state;
    reads(S1);
    ends_without_waiting(TN_MEM_MEMORY);
    expect(TN_CHECK_KIND_FREE_IN_FLIGHT);
    reads(S1);
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MEMORY, .addr = BLOCK, .bytes = BYTES);
    writes(S2); // whatever is there next
    assert_int_equal(reports, 0);
}

static void work_is_in_flight_until_the_host_has_seen_its_end(void **state) {
    (void)state;
    struct tn_check_touch touch;
    uint64_t other;
    assert_false(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
    writes(S1);
    assert_true(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
    assert_int_equal(touch.stream, S1);
    synchronises(S1);
    assert_false(tn_check_order_in_flight(0, BLOCK, BLOCK + 1, &touch, &other));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_write_beside_a_copy_on_another_stream_is_a_race),
        TEST(each_number_of_a_stream_is_a_stream),
        TEST(an_event_between_them_makes_it_none),
        TEST(an_event_recorded_before_the_copy_does_not),
        TEST(a_wait_sees_the_newest_record_before_it),
        TEST(order_passes_through_a_third_stream),
        TEST(two_reads_are_no_race),
        TEST(a_host_that_waited_may_write),
        TEST(a_host_that_waited_for_another_stream_may_not),
        TEST(a_device_that_is_idle_has_no_work_in_flight),
        TEST(a_destroyed_stream_has_done_its_work),
        TEST(the_end_of_a_stream_is_no_wait),
        TEST(a_wait_for_the_device_covers_streams_that_have_ended),
        TEST(the_oldest_of_many_ended_streams_are_taken_for_known),
        TEST(only_bytes_that_both_touch_race),
        TEST(rows_of_boxes_that_interlock_do_not_race),
        TEST(a_box_of_one_row_begins_at_its_address),
        TEST(a_host_function_acts_for_its_stream),
        TEST(a_host_function_comes_after_no_later_wait_of_the_host),
        TEST(a_host_function_comes_after_the_waits_that_it_makes),
        TEST(a_host_function_comes_before_later_work_of_its_stream),
        TEST(the_host_races_with_a_function_that_runs_later),
        TEST(a_block_that_is_freed_behind_a_function_is_its_to_use),
        TEST(a_free_on_a_stream_that_does_not_wait_is_not_behind_a_function),
        TEST(a_function_that_runs_during_a_free_on_another_stream_races_with_it),
        TEST(a_function_before_a_free_on_a_stream_that_waits_for_it_is_silent),
        TEST(work_before_a_wait_for_a_host_function_races_with_it),
        TEST(a_late_access_of_a_host_function_hides_no_later_write),
        TEST(work_of_a_host_function_comes_after_the_work_before_it_alone),
        TEST(no_race_is_concluded_of_a_host_function_without_a_number),
        TEST(waits_for_other_processes_are_counted),
        TEST(equal_streams_of_two_images_are_two),
        TEST(a_wait_for_nothing_is_reported),
        TEST(a_block_is_used_on_another_stream_only_behind_an_event),
        TEST(a_free_must_wait_for_the_streams_that_use_the_block),
        TEST(a_pool_that_knows_of_the_other_stream_waits_for_it),
        TEST(a_block_of_two_streams_may_be_freed_in_order_of_one),
        TEST(races_beside_a_block_of_two_streams_are_still_reported),
        TEST(work_of_the_same_stream_may_still_run_at_the_free),
        TEST(a_free_by_the_host_does_not_wait),
        TEST(reuse_on_another_stream_comes_after_the_free),
        TEST(a_free_behind_finished_work_has_passed),
        TEST(bytes_that_a_block_gains_come_after_their_free),
        TEST(bytes_that_a_block_gained_belong_to_it),
        TEST(a_heap_that_ends_takes_its_frees_along),
        TEST(what_a_block_did_before_is_over_when_it_begins),
        TEST(unmapping_without_waiting_must_find_no_work),
        TEST(freeing_without_waiting_must_find_no_work),
        TEST(work_is_in_flight_until_the_host_has_seen_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
