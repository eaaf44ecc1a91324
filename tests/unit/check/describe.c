// SPDX-License-Identifier: Apache-2.0
// The stacks of a report: each role once.
#include "world.h"

enum { OBJECT = 77, BYTES = 0x10000 };

static void tell(uint16_t kind, uint64_t stream) {
    EMIT(.kind = kind, .flags = kind == TN_MEM_HEAP_BEGIN ? TN_MEM_WHOLE : 0, .addr = BASE,
         .bytes = kind == TN_MEM_HEAP_BEGIN ? BYTES : 64, .object = OBJECT, .stream = stream,
         .domain = "tarn");
}

static unsigned stacks_of(const struct tn_check_report *report, const char *role) {
    unsigned count = 0;
    for (unsigned i = 0; i < report->stack_count; i++)
        count += strcmp(report->stacks[i].role, role) == 0;
    return count;
}

static int with_stacks(void **state) {
    (void)fresh(state);
    options.order = true;
    options.stack_depth = 16;
    return 0;
}

// The order of work knows the free; so does the model, which describes the block.
static void a_reuse_shows_the_free_once(void **state) {
    (void)state;
    tell(TN_MEM_HEAP_BEGIN, 0);
    tell(TN_MEM_REGION_BEGIN, 5);
    tell(TN_MEM_REGION_END, 5);
    tell(TN_MEM_REGION_BEGIN, 6);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_REUSE_BEFORE_EVENT);
    assert_int_equal(stacks_of(report, "freed"), 1);
    assert_int_equal(stacks_of(report, "allocated"), 1);
    assert_string_equal(report->stacks[1].role, "freed");
    assert_int_equal(report->region.serial, 2);
}

static void a_use_shows_the_allocation_once(void **state) {
    (void)state;
    tell(TN_MEM_HEAP_BEGIN, 0);
    tell(TN_MEM_REGION_BEGIN, 5);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = BASE, .bytes = 8, .stream = 6,
         .name = "copy");
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_USE_BEFORE_EVENT);
    assert_int_equal(stacks_of(report, "allocated"), 1);
    assert_int_equal(report->region.serial, 1);
}

// The free that the order of work objects to is also the one that ended the block.
static void a_free_beside_work_shows_the_free_once(void **state) {
    (void)state;
    tell(TN_MEM_HEAP_BEGIN, 0);
    tell(TN_MEM_REGION_BEGIN, 0);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = BASE, .bytes = 8, .stream = 6,
         .name = "copy");
    tell(TN_MEM_REGION_END, 5);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_STREAM_USE_AFTER_FREE);
    assert_int_equal(stacks_of(report, "freed"), 1);
    assert_int_equal(stacks_of(report, "first freed"), 0);
}

// Two stacks of one report have different roles.
static void a_second_free_shows_the_first_one(void **state) {
    (void)state;
    tell(TN_MEM_HEAP_BEGIN, 0);
    tell(TN_MEM_REGION_BEGIN, 0);
    tell(TN_MEM_REGION_END, 0);
    EMIT(.kind = TN_MEM_REFUSED, .addr = BASE, .object = OBJECT, .name = "tarn_pool_free");
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_DOUBLE_FREE);
    assert_int_equal(stacks_of(report, "freed"), 1);
    assert_int_equal(stacks_of(report, "first freed"), 1);
    assert_int_equal(stacks_of(report, "allocated"), 1);
}

// A range that no pool divides is named by its resource.
static void a_race_on_pinned_memory_names_the_block(void **state) {
    (void)state;
    options.resources = true;
    EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_PINNED, .addr = BASE, .bytes = 4096);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = BASE, .bytes = 8, .stream = 6,
         .name = "fill");
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = BASE, .bytes = 8, .name = "copy");
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HOST_RACE);
    assert_says(report, "in a block of pinned memory of 4096 byte(s) at 0x7f0000000000");
    assert_int_equal(stacks_of(report, "allocated"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_reuse_shows_the_free_once, with_stacks),
        cmocka_unit_test_setup(a_use_shows_the_allocation_once, with_stacks),
        cmocka_unit_test_setup(a_free_beside_work_shows_the_free_once, with_stacks),
        cmocka_unit_test_setup(a_second_free_shows_the_first_one, with_stacks),
        cmocka_unit_test_setup(a_race_on_pinned_memory_names_the_block, with_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
