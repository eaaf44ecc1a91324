// SPDX-License-Identifier: Apache-2.0
// Claims about accesses of kernels and of instructions of the host.
#include <tarn/annotate.h>
#include <tarn/face.h>

#include "annotate/watch.h"
#include "unit/check/order/events.h"

enum { A = 1, B = 2, READ = TARN_CHECK_READ, WRITE = TARN_CHECK_WRITE, ATOMIC = TARN_CHECK_ATOMIC };

static uint64_t last_call;

// A kernel on the stream that makes one access.
static void runs(uint64_t stream, uint64_t addr, uint64_t bytes, uint64_t how) {
    const tarn_check_range range = {addr, bytes, how};
    submits_call(stream, ++last_call);
    call_begins(last_call);
    NOTE(.kind = TN_MEM_FOOTPRINT, .bytes = 1, .object = (uintptr_t)&range, .name = "kernel k");
    call_ends();
}

static void host_accesses(uint32_t flags, uint64_t addr, uint64_t instruction) {
    NOTE(.kind = TN_MEM_HOST_ACCESS, .flags = flags, .addr = addr, .bytes = 4,
         .object = instruction);
}

static const struct tn_mem_watch *watch(void) {
    const struct tn_mem_watch *found = NULL;
    const struct tn_mem_event event =
        TN_MEM_INIT(.kind = TN_MEM_WATCH, .object = (uintptr_t)&found);
    tn_check_order_watch(&event);
    return found;
}

// ---- kernels

static void kernels_of_two_streams_race(void **state) {
    (void)state;
    runs(A, BLOCK, BYTES, WRITE);
    runs(B, BLOCK + 64, 4, READ);
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_int_equal(last.bytes, 4);
}

static void an_event_orders_kernels(void **state) {
    (void)state;
    runs(A, BLOCK, BYTES, WRITE);
    records(A);
    waits(B);
    runs(B, BLOCK, BYTES, WRITE);
    assert_int_equal(reports, 0);
}

static void a_kernel_that_runs_late_acts_at_its_submission(void **state) {
    const tarn_check_range range = {BLOCK, BYTES, WRITE};
    (void)state;
    submits_call(A, ++last_call);
    writes(A); // comes behind it
    call_begins(last_call);
    NOTE(.kind = TN_MEM_FOOTPRINT, .bytes = 1, .object = (uintptr_t)&range, .name = "kernel k");
    call_ends();
    assert_int_equal(reports, 0);
}

static void kernels_race_with_copies_to_a_part(void **state) {
    (void)state;
    runs(A, BLOCK, BYTES, READ);
    access_to(B, TN_MEM_WRITE, BLOCK + 8, 8);
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_int_equal(last.bytes, 8);
}

static void a_kernel_comes_after_the_allocation_of_its_block(void **state) {
    (void)state;
    begins(A);
    runs(B, BLOCK, 1, WRITE);
    expect(TN_CHECK_KIND_USE_BEFORE_EVENT);
}

static void kernels_without_known_accesses_are_counted(void **state) {
    struct tn_check_seen seen;
    (void)state;
    runs(A, BLOCK, BYTES, WRITE);
    NOTE(.kind = TN_MEM_FOOTPRINT, .bytes = 7, .name = "kernel k");
    NOTE(.kind = TN_MEM_FOOTPRINT, .name = "kernel k");
    NOTE(.kind = TN_MEM_FOOTPRINT, .name = "kernel k");
    tn_check_order_seen(&seen);
    assert_int_equal(seen.known, 1);
    assert_int_equal(seen.unknown, 1);
    assert_int_equal(seen.unreported, 2);
    assert_false(seen.host);
}

// ---- atomic accesses

static void atomic_accesses_do_not_race_with_each_other(void **state) {
    (void)state;
    runs(A, BLOCK, 4, WRITE | ATOMIC);
    runs(B, BLOCK, 4, WRITE | ATOMIC);
    assert_int_equal(reports, 0);
}

static void an_atomic_access_races_with_a_plain_one(void **state) {
    (void)state;
    runs(A, BLOCK, 4, WRITE | ATOMIC);
    runs(B, BLOCK, 4, READ);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void an_atomic_write_hides_no_earlier_one(void **state) {
    (void)state;
    runs(A, BLOCK, 4, WRITE | ATOMIC);
    runs(B, BLOCK, 4, WRITE | ATOMIC);
    synchronises(B);
    host_accesses(TN_MEM_READ, BLOCK, 1);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void an_atomic_read_comes_after_the_atomic_write_that_it_may_observe(void **state) {
    (void)state;
    runs(A, BLOCK, 4, WRITE);
    runs(A, BLOCK + 64, 4, WRITE | ATOMIC);
    host_accesses(TN_MEM_READ | TN_MEM_ATOMIC, BLOCK + 64, 1);
    host_accesses(TN_MEM_READ, BLOCK, 2);
    assert_int_equal(reports, 0);
    runs(A, BLOCK, 4, WRITE);
    host_accesses(TN_MEM_READ, BLOCK, 3);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void the_host_may_be_ordered_with_a_kernel_that_reads_atomically(void **state) {
    const tarn_check_range ranges[] = {{BLOCK, 4, READ | ATOMIC}, {BLOCK + 64, 4, WRITE}};
    (void)state;
    submits_call(A, ++last_call);
    call_begins(last_call);
    NOTE(.kind = TN_MEM_FOOTPRINT, .bytes = 2, .object = (uintptr_t)ranges, .name = "kernel k");
    call_ends();
    host_accesses(TN_MEM_READ, BLOCK + 64, 1);
    assert_int_equal(reports, 0);
}

// ---- the host

static void the_host_races_with_work_that_it_does_not_know(void **state) {
    (void)state;
    runs(A, BLOCK, BYTES, READ);
    host_accesses(TN_MEM_READ, BLOCK, 1);
    assert_int_equal(reports, 0);
    host_accesses(TN_MEM_WRITE, BLOCK, 2);
    expect(TN_CHECK_KIND_HOST_RACE);
    synchronises(A);
    host_accesses(TN_MEM_WRITE, BLOCK, 3);
    assert_int_equal(reports, 0);
}

static void a_race_of_one_instruction_is_reported_once(void **state) {
    (void)state;
    runs(A, BLOCK, BYTES, WRITE);
    for (uint64_t i = 0; i < BYTES; i += 4) host_accesses(TN_MEM_READ, BLOCK + i, 1);
    expect(TN_CHECK_KIND_HOST_RACE);
    host_accesses(TN_MEM_READ, BLOCK, 2);
    expect(TN_CHECK_KIND_HOST_RACE);
}

static void pages_are_watched_while_the_host_does_not_know_their_work(void **state) {
    const struct tn_mem_watch *pages = watch();
    (void)state;
    struct tn_check_seen seen;
    tn_check_order_seen(&seen);
    assert_true(seen.host);
    assert_false(tn_mem_watch_has(pages, BLOCK, 4));
    runs(A, BLOCK, BYTES, WRITE);
    runs(B, BLOCK + 0x2000, BYTES, WRITE);
    assert_true(tn_mem_watch_has(pages, BLOCK, 4));
    assert_false(tn_mem_watch_has(pages, BLOCK + 0x1000, 4));
    synchronises(A);
    assert_true(tn_mem_watch_has(pages, BLOCK + 0x2000, 4));
    synchronises(B);
    assert_false(tn_mem_watch_has(pages, BLOCK, 4));
    assert_false(tn_mem_watch_has(pages, BLOCK + 0x2000, 4));
}

// ---- arguments

static void has_argument(uint64_t stream, uint32_t flags) {
    NOTE(.kind = TN_MEM_ARGUMENT, .flags = flags, .stream = stream, .addr = BLOCK, .bytes = BYTES,
         .other = BLOCK, .name = "kernel k");
}

static void arguments_of_watched_work_concern_frees_alone(void **state) {
    (void)state;
    begins(A);
    has_argument(B, TN_MEM_SEEN);
    writes(A);
    assert_int_equal(reports, 0);
    ends(A);
    expect(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
}

static void arguments_end_when_the_accesses_are_known(void **state) {
    (void)state;
    begins(A);
    has_argument(B, TN_MEM_SEEN);
    runs(B, 0x90000, 4, READ);
    ends(A);
    assert_int_equal(reports, 0);
}

static void arguments_stand_for_accesses_that_are_not_known(void **state) {
    (void)state;
    has_argument(B, TN_MEM_SEEN);
    submits_call(B, ++last_call);
    call_begins(last_call);
    NOTE(.kind = TN_MEM_FOOTPRINT, .bytes = 9, .name = "kernel k");
    call_ends();
    writes(A);
    expect(TN_CHECK_KIND_OVERLAPPING_WRITERS);
}

static void arguments_are_judged_when_the_accesses_are_not_known(void **state) {
    (void)state;
    writes(A);
    has_argument(B, TN_MEM_SEEN);
    assert_int_equal(reports, 0);
    submits_call(B, ++last_call);
    call_begins(last_call);
    NOTE(.kind = TN_MEM_FOOTPRINT, .bytes = 9, .name = "kernel k");
    call_ends();
    expect(TN_CHECK_KIND_OVERLAPPING_WRITERS);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(kernels_of_two_streams_race),
        TEST(an_event_orders_kernels),
        TEST(a_kernel_that_runs_late_acts_at_its_submission),
        TEST(kernels_race_with_copies_to_a_part),
        TEST(a_kernel_comes_after_the_allocation_of_its_block),
        TEST(kernels_without_known_accesses_are_counted),
        TEST(atomic_accesses_do_not_race_with_each_other),
        TEST(an_atomic_access_races_with_a_plain_one),
        TEST(an_atomic_write_hides_no_earlier_one),
        TEST(an_atomic_read_comes_after_the_atomic_write_that_it_may_observe),
        TEST(the_host_may_be_ordered_with_a_kernel_that_reads_atomically),
        TEST(the_host_races_with_work_that_it_does_not_know),
        TEST(a_race_of_one_instruction_is_reported_once),
        TEST(pages_are_watched_while_the_host_does_not_know_their_work),
        TEST(arguments_of_watched_work_concern_frees_alone),
        TEST(arguments_end_when_the_accesses_are_known),
        TEST(arguments_stand_for_accesses_that_are_not_known),
        TEST(arguments_are_judged_when_the_accesses_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
