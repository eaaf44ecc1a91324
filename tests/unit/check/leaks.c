// SPDX-License-Identifier: Apache-2.0
// What is left at the end, what grows from step to step, what was never used.
#include "world.h"

#include "check/model.h"

#define POOL  BASE
#define BYTES UINT64_C(0x10000)

static void end_program(void) {
    struct tn_check_call call;
    assert_true(tn_check_call_begin(&call, "", false));
    tn_check_leaks_end(&call);
    tn_check_call_end(&call);
}

static void regions_left_are_reported_in_one(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    for (uint64_t i = 0; i < 100; i++) region_at(heap, POOL + i * 256, 256);
    end_pointer(POOL);
    end_program();
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_LEAK);
    assert_says(report, "25344 byte(s) in 99 region(s)");
    assert_int_equal(report->heap.serial, 1);
    assert_int_equal(tn_check_report_counts().leaked_bytes, 25344);
    assert_int_equal(tn_check_report_counts().leaked_regions, 99);
}

static void heaps_are_distinct(void **state) {
    (void)state;
    region_at(heap_at(POOL, 4096), POOL, 16);
    region_at(heap_at(POOL + 4096, 4096), POOL + 4096, 32);
    region_at(NULL, 0x1000, 64);
    end_program();
    for (int i = 0; i < 3; i++) (void)expect(TN_CHECK_KIND_LEAK);
    expect_none();
}

static void nothing_left_is_nothing_reported(void **state) {
    (void)state;
    region_at(heap_at(POOL, BYTES), POOL, 16);
    end_pointer(POOL);
    end_program();
    expect_none();
    region_at(NULL, POOL, 16);
    options.leaks = TN_CHECK_LEAKS_OFF;
    end_program();
    expect_none();
}

static void what_outlives_the_next_step_is_growth(void **state) {
    (void)state;
    options.leaks = TN_CHECK_LEAKS_STEP;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 16); // before the first step: the program's own
    range_start("step start");
    region_at(heap, POOL + 256, 4096);
    region_at(heap, POOL + 8192, 64);
    mark("Step 2");
    end_pointer(POOL + 8192);
    range_start("not a step");
    expect_none();
    EMIT(.kind = TN_MEM_MARK);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_STEP_GROWTH);
    assert_says(report, "4096 byte(s) in 1 region(s) allocated in step 1 still live after step 2");
    assert_int_equal(report->severity, TN_CHECK_SEVERITY_WARN);
    mark("step 4"); // reported once
    expect_none();
    assert_int_equal(tn_check_model.stats.steps, 4);
}

static void steps_without_growth_are_quiet(void **state) {
    (void)state;
    options.leaks = TN_CHECK_LEAKS_STEP;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    for (uint64_t step = 0; step < 10; step++) {
        mark("step");
        region_at(heap, POOL + step % 2 * 4096, 4096);
        if (step > 0) end_pointer(POOL + (step + 1) % 2 * 4096); // that of the step before
    }
    expect_none();
}

static void memory_never_written_is_reported_on_request(void **state) {
    (void)state;
    options.unused = true;
    heap_at(POOL, BYTES);
    region_at(NULL, POOL, 100);
    tn_check_region_by_start(0, POOL, NULL)->seen = true;
    do_write(POOL, 20);
    end_pointer(POOL);
    assert_says(expect_only(TN_CHECK_KIND_UNUSED_MEMORY),
                "80 of 100 byte(s) (80%) of R1 never written, first at +0x14");
    region_at(NULL, POOL + 200, 100);
    tn_check_region_by_start(0, POOL + 200, NULL)->seen = true;
    do_write(POOL + 200, 100);
    end_pointer(POOL + 200);
    region_at(NULL, POOL + 400, 100); // written unseen, for all that is known
    end_pointer(POOL + 400);
    expect_none();
}

static void statistics_say_what_lives(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    region_at(heap, POOL + 256, 50);
    end_pointer(POOL);
    struct tn_check_model_stats stats = tn_check_model.stats;
    assert_int_equal(stats.heaps_live, 1);
    assert_int_equal(tn_check_region_counts().live, 1);
    assert_int_equal(tn_check_region_counts().total, 2);
    assert_int_equal(tn_check_region_counts().live_bytes, 50);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(regions_left_are_reported_in_one), TEST(heaps_are_distinct),
        TEST(nothing_left_is_nothing_reported), TEST(what_outlives_the_next_step_is_growth),
        TEST(steps_without_growth_are_quiet),   TEST(memory_never_written_is_reported_on_request),
        TEST(statistics_say_what_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
