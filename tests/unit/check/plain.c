// SPDX-License-Identifier: Apache-2.0
// Plain memory: what counts as its writers, and which memory the checker can seal.
#include "world.h"

#include <sys/mman.h>

#include "check/model.h"

enum { PAGE = 4096, OBJECT = 77, NUMBERS = 9 };

static char *memory; // a page that this process maps

static uint64_t start(void) { return (uint64_t)(uintptr_t)memory; }

static void map_page(int rights) {
    memory = mmap(NULL, PAGE, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
}

static void tell_memory(unsigned kind, uint16_t what, uint32_t flags, uint64_t bytes) {
    EMIT(.kind = (uint16_t)kind, .what = what, .flags = flags, .addr = start(), .bytes = bytes);
}

static void tell_begin(uint32_t flags) {
    tell_memory(TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY, flags, PAGE);
}

static void tell_numbers(unsigned kind, uint64_t address) {
    EMIT(.kind = (uint16_t)kind, .what = TN_MEM_MEMORY, .flags = TN_MEM_NUMBERS | TN_MEM_SEEN,
         .space = NUMBERS, .addr = address, .bytes = PAGE);
}

static void use_numbers(uint32_t how, uint64_t address, uint64_t bytes) {
    EMIT(.kind = TN_MEM_ACCESS, .flags = how, .space = NUMBERS, .addr = address, .bytes = bytes);
}

static void unwritten_memory_is_reported_until_it_ends(void **state) {
    (void)state;
    map_page(PROT_READ | PROT_WRITE);
    tell_begin(TN_MEM_HOST_CAN);
    do_read(start(), PAGE);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "4096 of 4096 byte(s)");
    do_write(start(), PAGE);
    do_read(start(), PAGE);
    tell_memory(TN_MEM_RESOURCE_END, TN_MEM_MEMORY, TN_MEM_HOST_CAN, PAGE);
    memset(memory, 0, PAGE);
    do_read(start(), PAGE); // not the checker's any more
    expect_none();
}

static void a_store_of_the_cpu_is_seen_by_the_seals(void **state) {
    (void)state;
    map_page(PROT_READ | PROT_WRITE);
    tell_memory(TN_MEM_RESOURCE_BEGIN, TN_MEM_PINNED, TN_MEM_HOST_CAN, PAGE);
    memset(memory, 'x', PAGE);
    do_read(start(), PAGE);
    expect_none();
    tell_memory(TN_MEM_RESOURCE_END, TN_MEM_PINNED, TN_MEM_HOST_CAN, PAGE);
    tell_begin(TN_MEM_HOST_CAN);
    memset(memory, 'x', PAGE / 2);
    do_read(start(), PAGE / 2);
    expect_none();
    do_read(start(), PAGE);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "at least 8 of 4096 byte(s)");
}

static void zeroed_imported_and_owned_memory_is_not_touched(void **state) {
    (void)state;
    static const uint32_t flags[] = {TN_MEM_ZEROED | TN_MEM_HOST_CAN,
                                     TN_MEM_OWNED | TN_MEM_HOST_CAN, 0};
    for (unsigned i = 0; i < 3; i++) {
        map_page(PROT_READ | PROT_WRITE);
        tell_begin(flags[i]);
        assert_int_equal(memory[0], 0);
        assert_int_equal(memory[PAGE - 8], 0);
        do_read(start(), PAGE);
        expect_none();
        tell_memory(TN_MEM_RESOURCE_END, TN_MEM_MEMORY, flags[i], PAGE);
    }
}

static void memory_that_only_software_reaches_is_known_to_the_byte(void **state) {
    (void)state;
    map_page(PROT_NONE);
    tell_begin(TN_MEM_HOST_CAN | TN_MEM_SOFT);
    do_write(start() + 100, 50);
    do_read(start() + 100, 50);
    expect_none();
    do_read(start() + 100, 51);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "1 of 51 byte(s)");
    tell_memory(TN_MEM_RESOURCE_END, TN_MEM_MEMORY, 0, PAGE);
    tell_begin(TN_MEM_HOST_CAN); // of a GPU, whose kernels may write it
    do_read(start(), PAGE);
    expect_none();
}

static void spaces_of_numbers_are_apart(void **state) {
    (void)state;
    tell_numbers(TN_MEM_RESOURCE_BEGIN, BASE);
    do_read(BASE, 16);
    expect_none();
    use_numbers(TN_MEM_READ, BASE + 16, 16);
    (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    use_numbers(TN_MEM_WRITE, BASE + 16, 16);
    use_numbers(TN_MEM_READ, BASE + 16, 16);
    tell_numbers(TN_MEM_RESOURCE_END, BASE);
    use_numbers(TN_MEM_READ, BASE, PAGE);
    expect_none();
}

static void initialised_bytes_and_heaps_count_as_written(void **state) {
    (void)state;
    tell_numbers(TN_MEM_RESOURCE_BEGIN, BASE);
    EMIT(.kind = TN_MEM_INITIALISED, .space = NUMBERS, .addr = BASE - 64, .bytes = 128);
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .space = NUMBERS, .addr = BASE + 1024, .bytes = 1024,
         .object = OBJECT, .domain = "tarn");
    use_numbers(TN_MEM_READ, BASE, 64);
    EMIT(.kind = TN_MEM_HEAP_END, .space = NUMBERS, .addr = BASE + 1024, .bytes = 1024,
         .object = OBJECT, .domain = "tarn");
    use_numbers(TN_MEM_READ, BASE + 1024, 1024);
    expect_none();
    use_numbers(TN_MEM_READ, BASE, 65);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "1 of 65 byte(s)");
}

static void a_row_of_a_box_is_named(void **state) {
    (void)state;
    tell_numbers(TN_MEM_RESOURCE_BEGIN, BASE);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .space = NUMBERS, .addr = BASE, .bytes = 64,
         .height = 3, .pitch = 128);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_READ, .space = NUMBERS, .addr = BASE, .bytes = 64,
         .height = 3, .pitch = 128);
    expect_none();
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_READ, .space = NUMBERS, .addr = BASE, .bytes = 64,
         .height = 4, .pitch = 128);
    assert_int_equal(expect_only(TN_CHECK_KIND_UNINITIALISED_READ)->addr, BASE + 3 * 128);
}

static void an_access_past_the_requested_size_is_an_overflow(void **state) {
    (void)state;
    tell_numbers(TN_MEM_RESOURCE_BEGIN, BASE);
    EMIT(.kind = TN_MEM_REQUESTED, .space = NUMBERS, .addr = BASE, .bytes = 1000);
    use_numbers(TN_MEM_WRITE, BASE, 1000);
    use_numbers(TN_MEM_READ, BASE, 1000);
    expect_none();
    use_numbers(TN_MEM_WRITE, BASE + 992, 16);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_says(report, "write of 16 byte(s) at 0x7f00000003e0, wrong from 0x7f00000003e8 on");
    assert_int_equal(report->region.requested, 1000);
    assert_int_equal(report->region.distance, 0);
    use_numbers(TN_MEM_READ, BASE + 1000, 8);
    assert_says(expect_only(TN_CHECK_KIND_HEAP_OVERFLOW), "read of 8 byte(s)");
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .space = NUMBERS, .addr = BASE, .bytes = 64,
         .height = 11, .pitch = 96);
    report = expect_only(TN_CHECK_KIND_HEAP_OVERFLOW);
    assert_int_equal(report->addr, BASE + 960);
    assert_int_equal(report->bytes, 64);
    use_numbers(TN_MEM_READ, BASE + PAGE - 1, 2); // leaves the memory, which the library judges
    expect_none();
}

static void a_heap_decides_about_padding_that_it_contains(void **state) {
    (void)state;
    tell_numbers(TN_MEM_RESOURCE_BEGIN, BASE);
    EMIT(.kind = TN_MEM_REQUESTED, .space = NUMBERS, .addr = BASE, .bytes = 1000);
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .space = NUMBERS, .addr = BASE, .bytes = 1024, .object = OBJECT,
         .domain = "tarn");
    EMIT(.kind = TN_MEM_REGION_BEGIN, .space = NUMBERS, .addr = BASE, .bytes = 1024,
         .object = OBJECT, .domain = "tarn");
    options.alignment = 32; // so that the box is not judged at once
    use_numbers(TN_MEM_WRITE, BASE, 1024);
    options.alignment = 0;
    expect_none();
}

static void seals_are_at_the_ends_of_the_requested_bytes(void **state) {
    (void)state;
    map_page(PROT_READ | PROT_WRITE);
    tell_begin(TN_MEM_HOST_CAN);
    EMIT(.kind = TN_MEM_REQUESTED, .addr = start(), .bytes = 1000);
    memset(memory, 'x', 992);
    do_read(start(), 1000);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "at least 8 of 1000 byte(s)");
    memset(memory, 'x', 1000);
    do_read(start(), 1000);
    expect_none();
}

static void a_larger_size_or_another_address_is_no_request(void **state) {
    (void)state;
    tell_numbers(TN_MEM_RESOURCE_BEGIN, BASE);
    EMIT(.kind = TN_MEM_REQUESTED, .space = NUMBERS, .addr = BASE, .bytes = PAGE + 1);
    EMIT(.kind = TN_MEM_REQUESTED, .space = NUMBERS, .addr = BASE + 1, .bytes = 10);
    EMIT(.kind = TN_MEM_REQUESTED, .space = NUMBERS, .addr = BASE + PAGE, .bytes = 10);
    use_numbers(TN_MEM_WRITE, BASE, PAGE);
    expect_none();
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(unwritten_memory_is_reported_until_it_ends),
        TEST(a_store_of_the_cpu_is_seen_by_the_seals),
        TEST(zeroed_imported_and_owned_memory_is_not_touched),
        TEST(memory_that_only_software_reaches_is_known_to_the_byte),
        TEST(spaces_of_numbers_are_apart),
        TEST(initialised_bytes_and_heaps_count_as_written),
        TEST(a_row_of_a_box_is_named),
        TEST(an_access_past_the_requested_size_is_an_overflow),
        TEST(a_heap_decides_about_padding_that_it_contains),
        TEST(seals_are_at_the_ends_of_the_requested_bytes),
        TEST(a_larger_size_or_another_address_is_no_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
