// SPDX-License-Identifier: Apache-2.0
// Claims about the order of work on memory with several addresses.
#include "unit/check/order/events.h"

#include <string.h>

enum { S1 = 11, S2 = 22, PAGE = 0x1000, ONE = 0x100000, OTHER = 0x200000, HANDLE = 7 };

static void maps(uint64_t handle, uint64_t addr) {
    NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .object = handle, .addr = addr,
         .bytes = PAGE);
}
static void unmaps(uint64_t addr, uint32_t flags) {
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .flags = flags, .addr = addr,
         .bytes = PAGE);
}

static void both_addresses_race(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, ONE, 100);
    access_to(S2, TN_MEM_WRITE, OTHER + 100, 100);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_READ, OTHER + 96, 4);
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_int_equal(last.addr, OTHER + 96);
    assert_int_equal(last.bytes, 4);
    assert_non_null(strstr(last.what, "of the same memory at 0x100060"));
}

static void a_second_address_does_not_lose_what_was_known(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    access_to(S1, TN_MEM_WRITE, ONE + 8, 8);
    maps(HANDLE, OTHER);
    access_to(S2, TN_MEM_READ, OTHER, 8);
    access_to(S2, TN_MEM_READ, OTHER + 16, 8);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, OTHER + 15, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
    access_to(S2, TN_MEM_WRITE, ONE + 8, 1); // the address itself
    expect(TN_CHECK_KIND_COPY_RACE);
    assert_null(strstr(last.what, "of the same memory"));
}

static void the_first_address_may_end(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, ONE, 8);
    unmaps(ONE, 0);
    access_to(S2, TN_MEM_WRITE, ONE, 8); // nothing is there
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_WRITE, OTHER, 8);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void only_work_by_the_address_that_ends_is_in_flight(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, OTHER, 8);
    unmaps(ONE, TN_MEM_UNWAITED);
    assert_int_equal(reports, 0);
    unmaps(OTHER, TN_MEM_UNWAITED);
    expect(TN_CHECK_KIND_UNMAP_IN_FLIGHT);
}

static void new_memory_inherits_nothing(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, OTHER, 8);
    unmaps(OTHER, 0);
    unmaps(ONE, 0);
    maps(HANDLE + 1, ONE);
    maps(HANDLE + 1, OTHER);
    access_to(S2, TN_MEM_WRITE, ONE, 8);
    access_to(S2, TN_MEM_WRITE, OTHER, 8);
    assert_int_equal(reports, 0);
}

static void an_event_orders_both_addresses(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    access_to(S1, TN_MEM_WRITE, ONE, PAGE);
    records(S1);
    waits(S2);
    access_to(S2, TN_MEM_WRITE, OTHER, PAGE);
    synchronises(S2);
    access_to(0, TN_MEM_READ, ONE, PAGE);
    assert_int_equal(reports, 0);
}

static void a_range_over_two_pages_is_exact(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE + 1, ONE + PAGE);
    maps(HANDLE + 1, OTHER); // the pages in the other order
    maps(HANDLE, OTHER + PAGE);
    access_to(S1, TN_MEM_WRITE, ONE + PAGE - 8, 16);
    access_to(S2, TN_MEM_WRITE, OTHER + 8, 2 * PAGE - 16);
    assert_int_equal(reports, 0);
    access_to(S2, TN_MEM_READ, OTHER + 7, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
    access_to(S2, TN_MEM_READ, OTHER + 2 * PAGE - 8, 1);
    expect(TN_CHECK_KIND_COPY_RACE);
}

static void a_kernel_meets_a_copy_to_the_other_address(void **state) {
    (void)state;
    maps(HANDLE, ONE);
    maps(HANDLE, OTHER);
    NOTE(.kind = TN_MEM_ARGUMENT, .stream = S1, .addr = ONE, .bytes = PAGE, .other = ONE,
         .name = "kernel");
    access_to(S2, TN_MEM_WRITE, OTHER, PAGE);
    expect(TN_CHECK_KIND_OVERLAPPING_WRITERS);
    assert_int_equal(last.addr, ONE);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(both_addresses_race),
        TEST(a_second_address_does_not_lose_what_was_known),
        TEST(the_first_address_may_end),
        TEST(only_work_by_the_address_that_ends_is_in_flight),
        TEST(new_memory_inherits_nothing),
        TEST(an_event_orders_both_addresses),
        TEST(a_range_over_two_pages_is_exact),
        TEST(a_kernel_meets_a_copy_to_the_other_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
