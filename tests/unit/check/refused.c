// SPDX-License-Identifier: Apache-2.0
// Verdicts about accesses that were refused: each reason with a bug, and with refusals that are no
// mistake beside it.
#include "world.h"

enum { OBJECT = 77, BYTES = 0x10000, BLOCK = 4096, DEVICE_0_READS = 4, THE_CPU_BOTH = 3 };

static int with_resources(void **state) {
    (void)fresh(state);
    options.resources = true;
    options.stack_depth = 16;
    return 0;
}

static void resource(uint16_t kind, uint16_t what, uint64_t address, uint64_t bytes) {
    EMIT(.kind = kind, .what = what, .addr = address, .bytes = bytes, .object = OBJECT);
}

static void begin_block(uint64_t address) {
    resource(TN_MEM_RESOURCE_BEGIN, TN_MEM_MEMORY, address, BLOCK);
}

static void end_block(uint64_t address) {
    resource(TN_MEM_RESOURCE_END, TN_MEM_MEMORY, address, BLOCK);
}

static void refuse_write(enum tn_mem_refusal why, uint64_t address, uint64_t bytes, uint64_t bad,
                         uint64_t rights) {
    EMIT(.kind = TN_MEM_ACCESS_REFUSED, .what = (uint16_t)why, .flags = TN_MEM_WRITE,
         .addr = address, .bytes = bytes, .other = bad, .object = rights, .name = "fill");
}

static void released(uint64_t address) {
    refuse_write(TN_MEM_REFUSAL_RELEASED, address, 8, address, 0);
}

static void begin_pool(uint64_t address) {
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .addr = address, .bytes = BYTES, .object = OBJECT,
         .domain = "tarn");
    EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = address, .bytes = BLOCK, .other = BLOCK,
         .object = OBJECT, .domain = "tarn");
}

static void freed_memory_is_named_with_both_stacks(void **state) {
    (void)state;
    begin_block(BASE);
    end_block(BASE);
    released(BASE + 16);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
    assert_says(report, "write of 8 byte(s) at 0x7f0000000010 by fill, in a block of device memory "
                        "of 4096 byte(s) at 0x7f0000000000 that was freed");
    assert_int_equal(report->stack_count, 3);
    assert_string_equal(report->stacks[0].role, "access");
    assert_string_equal(report->stacks[1].role, "allocated");
    assert_string_equal(report->stacks[2].role, "freed");
}

static void an_address_that_nobody_knows_is_no_finding(void **state) {
    (void)state;
    begin_block(BASE);
    end_block(BASE);
    released(BASE + BLOCK);
    refuse_write(TN_MEM_REFUSAL_UNSTATED, BASE + BLOCK, 8, BASE + BLOCK, 0);
    begin_block(BASE); // live again: the refusal has another reason
    refuse_write(TN_MEM_REFUSAL_UNSTATED, BASE, 8, BASE, 0);
    expect_none();
}

static void the_end_of_plain_memory_is_an_overflow(void **state) {
    (void)state;
    begin_block(BASE);
    refuse_write(TN_MEM_REFUSAL_PAST_END, BASE + 8, BLOCK, BASE + BLOCK, 0);
    assert_says(expect_only(TN_CHECK_KIND_HEAP_OVERFLOW),
                "wrong from 0x7f0000001000 on by fill, past the end of a block of device memory");
}

static void the_requested_size_is_named_where_it_is_smaller(void **state) {
    (void)state;
    begin_block(BASE);
    EMIT(.kind = TN_MEM_REQUESTED, .addr = BASE, .bytes = 1000);
    refuse_write(TN_MEM_REFUSAL_PAST_END, BASE + 8, BLOCK, BASE + BLOCK, 0);
    assert_says(expect_only(TN_CHECK_KIND_HEAP_OVERFLOW),
                "wrong from 0x7f00000003e8 on by fill, past the end of a block of device memory of "
                "1000 byte(s)");
    refuse_write(TN_MEM_REFUSAL_PAST_END, BASE + 1008, BLOCK, BASE + BLOCK, 0);
    assert_says(expect_only(TN_CHECK_KIND_HEAP_OVERFLOW),
                "at 0x7f00000003f0 by fill, past the end");
    end_block(BASE);
    released(BASE + 1008);
    assert_says(expect_only(TN_CHECK_KIND_USE_AFTER_FREE), "of 1000 byte(s)");
}

static void a_change_of_rights_is_named(void **state) {
    (void)state;
    resource(TN_MEM_RESOURCE_BEGIN, TN_MEM_RESERVATION, BASE, BYTES);
    resource(TN_MEM_RESOURCE_END, TN_MEM_RESERVATION, BASE, BYTES);
    EMIT(.kind = TN_MEM_ACCESS_REFUSED, .what = TN_MEM_REFUSAL_RELEASED, .addr = BASE,
         .bytes = BLOCK, .other = BASE, .name = "set_access");
    assert_says(expect_only(TN_CHECK_KIND_USE_AFTER_FREE),
                "change of rights of 4096 byte(s) at 0x7f0000000000 by set_access, in a "
                "reservation of 65536 byte(s) at 0x7f0000000000 that was freed");
}

static void a_missing_right_is_named_beside_those_that_exist(void **state) {
    (void)state;
    resource(TN_MEM_RESOURCE_BEGIN, TN_MEM_MAPPING, BASE, BLOCK);
    refuse_write(TN_MEM_REFUSAL_DENIED, BASE, 8, BASE, DEVICE_0_READS | THE_CPU_BOTH);
    assert_says(expect_only(TN_CHECK_KIND_PERMISSION_VIOLATION),
                "that device 0 may not write; allowed: the CPU read and write, device 0 read");
    refuse_write(TN_MEM_REFUSAL_DENIED, BASE, 8, BASE, 0);
    assert_says(expect_only(TN_CHECK_KIND_PERMISSION_VIOLATION), "allowed: nothing");
}

static void a_removed_mapping_differs_from_one_that_never_was(void **state) {
    (void)state;
    resource(TN_MEM_RESOURCE_BEGIN, TN_MEM_RESERVATION, BASE, BYTES);
    refuse_write(TN_MEM_REFUSAL_UNMAPPED, BASE, 8, BASE, 0);
    assert_says(expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS), "where nothing is mapped");
    resource(TN_MEM_RESOURCE_BEGIN, TN_MEM_MAPPING, BASE, BLOCK);
    resource(TN_MEM_RESOURCE_END, TN_MEM_MAPPING, BASE, BLOCK);
    refuse_write(TN_MEM_REFUSAL_UNMAPPED, BASE, 8, BASE, 0);
    assert_says(expect_only(TN_CHECK_KIND_USE_AFTER_FREE), "that was unmapped");
}

static void a_live_block_without_memory_sleeps(void **state) {
    (void)state;
    begin_pool(BASE);
    refuse_write(TN_MEM_REFUSAL_UNMAPPED, BASE, 8, BASE, 0);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_PERMISSION_VIOLATION);
    assert_says(report, "in a block that has no memory now");
    assert_int_equal(report->region.serial, 1);
    refuse_write(TN_MEM_REFUSAL_DENIED, BASE, 8, BASE, DEVICE_0_READS);
    assert_says(expect_only(TN_CHECK_KIND_PERMISSION_VIOLATION),
                "in a block that device 0 may not");
    EMIT(.kind = TN_MEM_REGION_END, .addr = BASE, .object = OBJECT, .domain = "tarn");
    refuse_write(TN_MEM_REFUSAL_UNMAPPED, BASE, 8, BASE, 0);
    (void)expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
}

static void a_block_is_known_after_its_pool_has_ended(void **state) {
    (void)state;
    begin_pool(BASE);
    EMIT(.kind = TN_MEM_REGION_END, .addr = BASE, .object = OBJECT, .domain = "tarn");
    EMIT(.kind = TN_MEM_HEAP_END, .addr = BASE, .bytes = BYTES, .object = OBJECT, .domain = "tarn");
    released(BASE + 8);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
    assert_int_equal(report->region.serial, 1);
    assert_true(report->region.ended);
}

static void a_refused_access_neither_writes_nor_reads_unwritten_bytes(void **state) {
    (void)state;
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .addr = BASE, .bytes = BYTES, .object = OBJECT,
         .domain = "tarn");
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_SEEN, .addr = BASE, .bytes = BLOCK,
         .other = BLOCK, .object = OBJECT, .domain = "tarn");
    EMIT(.kind = TN_MEM_ACCESS_REFUSED, .flags = TN_MEM_READ, .addr = BASE, .bytes = 8,
         .other = BASE);
    refuse_write(TN_MEM_REFUSAL_UNSTATED, BASE, 8, BASE, 0);
    expect_none();
    do_read(BASE, 8);
    (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
}

#define TEST(name) cmocka_unit_test_setup(name, with_resources)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(freed_memory_is_named_with_both_stacks),
        TEST(an_address_that_nobody_knows_is_no_finding),
        TEST(the_end_of_plain_memory_is_an_overflow),
        TEST(the_requested_size_is_named_where_it_is_smaller),
        TEST(a_change_of_rights_is_named),
        TEST(a_missing_right_is_named_beside_those_that_exist),
        TEST(a_removed_mapping_differs_from_one_that_never_was),
        TEST(a_live_block_without_memory_sleeps),
        TEST(a_block_is_known_after_its_pool_has_ended),
        TEST(a_refused_access_neither_writes_nor_reads_unwritten_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
