// SPDX-License-Identifier: Apache-2.0
// Claims about where regions lie: bytes have one owner, unless two regions may share them, and a heap that has
// a rule is divided by it.
#include "check/model.h"

#include "unit/check/world.h"

#define POOL  BASE
#define BYTES UINT64_C(0x10000)

static const tarn_rule rule = {64, 32, 32};

static int with_overlap(void **state) {
    (void)fresh(state);
    options.resources = true;
    options.overlap = TN_CHECK_OVERLAP_ERROR;
    return 0;
}

static void begin_heap(uint64_t addr, uint64_t bytes) {
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_PROGRAM, .domain = "tarn", .addr = addr,
         .bytes = bytes);
}

static void begin(uint64_t addr, uint64_t bytes, uint64_t occupied) {
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_PROGRAM, .domain = "tarn", .addr = addr,
         .bytes = bytes, .other = occupied);
}

static void end(uint64_t addr) {
    EMIT(.kind = TN_MEM_REGION_END, .flags = TN_MEM_PROGRAM, .domain = "tarn", .addr = addr);
}

static void resize(uint64_t addr, uint64_t bytes) {
    EMIT(.kind = TN_MEM_REGION_RESIZE, .flags = TN_MEM_PROGRAM, .domain = "tarn", .addr = addr,
         .bytes = bytes, .other = bytes);
}

static void state_rule(uint64_t addr, const tarn_rule *stated) {
    EMIT(.kind = TN_MEM_RULE, .flags = TN_MEM_PROGRAM, .addr = addr, .pitch = stated->start,
         .slice_pitch = stated->rounding, .bytes = stated->padding);
}

// Memory of a vendor with a rule, of which the program requested a part.
static void begin_memory(uint64_t addr, uint64_t bytes, uint64_t requested) {
    EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MEMORY, .addr = addr, .bytes = bytes);
    EMIT(.kind = TN_MEM_REQUESTED, .addr = addr, .bytes = requested);
    state_rule(addr, &rule);
}

// ---- overlap

static void bytes_have_one_owner(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    begin(POOL, 100, 100);
    begin(POOL + 100, 100, 100);
    expect_none();
    begin(POOL + 150, 10, 10);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_REGION_OVERLAP);
    assert_says(report, "overlaps live R2 by 10 byte(s)");
    assert_int_equal(report->region.serial, 3);
    assert_int_equal(report->second.serial, 2);
    begin(POOL + 199, 10, 10);
    assert_says(expect_only(TN_CHECK_KIND_REGION_OVERLAP), "by 1 byte(s)");
}

static void a_start_with_two_owners_is_reported_whatever_their_sizes(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    begin(POOL, 100, 100);
    for (uint64_t bytes = 50; bytes <= 150; bytes += 50) {
        begin(POOL, bytes, bytes);
        assert_says(expect_only(TN_CHECK_KIND_REGION_OVERLAP), "both begin at the same address");
        end(POOL);
    }
    end(POOL);
    begin(POOL, 100, 100);
    expect_none();
}

static void occupied_bytes_belong_to_their_region(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    begin(POOL + 2048, 1000, 1024);
    begin(POOL + 3072, 100, 100);
    expect_none();
    begin(POOL + 3050, 22, 22);
    assert_says(expect_only(TN_CHECK_KIND_REGION_OVERLAP),
                "by 22 byte(s), which one of them occupies");
    begin(POOL + 1024, 1000, 1030);
    assert_says(expect_only(TN_CHECK_KIND_REGION_OVERLAP),
                "by 6 byte(s), which one of them occupies");
}

static void a_region_that_grows_can_reach_another(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    begin(POOL, 100, 100);
    begin(POOL + 128, 100, 100);
    resize(POOL, 128);
    expect_none();
    resize(POOL, 129);
    assert_says(expect_only(TN_CHECK_KIND_REGION_OVERLAP), "overlaps live R2 by 1 byte(s)");
    resize(POOL, 10);
    expect_none();
}

static void regions_without_a_heap_are_judged_too(void **state) {
    (void)state;
    begin(POOL, 100, 100);
    begin(POOL + 100, 100, 100);
    expect_none();
    begin(POOL + 50, 10, 10);
    (void)expect_only(TN_CHECK_KIND_REGION_OVERLAP);
}

static void equal_ranges_are_shared_by_mstx_alone(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    region_at(heap, POOL, 100); // an operator that works in place
    region_at(heap, POOL, 0);
    region_at(heap, POOL + 50, 0);
    expect_none();
    region_at(heap, POOL, 101);
    (void)expect_only(TN_CHECK_KIND_REGION_OVERLAP);
    region_at(heap, POOL + 1, 10);
    (void)expect_only(TN_CHECK_KIND_REGION_OVERLAP);
}

static void layers_and_statistics_share_bytes(void **state) {
    (void)state;
    region_in(domain_create("one"), NULL, POOL, 100);
    region_in(domain_create("other"), NULL, POOL + 50, 100);
    region_in(domain_create("ptaCaching"), NULL, POOL, 100);
    region_in(domain_create("ptaCaching"), NULL, POOL + 50, 100);
    expect_none();
}

static void a_part_of_a_block_lies_in_one_block(void **state) {
    (void)state;
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .domain = "tarn", .addr = POOL, .bytes = BYTES, .object = 7);
    for (uint64_t i = 0; i < 2; i++)
        EMIT(.kind = TN_MEM_REGION_BEGIN, .domain = "tarn", .addr = POOL + 256 * i, .bytes = 200,
             .other = 256, .object = 7);
    begin(POOL, 256, 256);
    expect_none();
    begin(POOL + 100, 10, 10);
    (void)expect_only(TN_CHECK_KIND_REGION_OVERLAP);
    end(POOL + 100);
    end(POOL);
    begin(POOL + 200, 100, 100);
    (void)expect_only(TN_CHECK_KIND_REGION_OVERLAP);
}

static void the_option_decides_how_it_is_reported(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    begin(POOL, 1000, 1024);
    options.overlap = TN_CHECK_OVERLAP_WARN;
    begin(POOL + 10, 10, 10);
    assert_int_equal(expect_only(TN_CHECK_KIND_REGION_OVERLAP)->severity, TN_CHECK_SEVERITY_WARN);
    options.overlap = TN_CHECK_OVERLAP_OFF;
    begin(POOL + 20, 10, 10);
    begin(POOL + 1000, 10, 10);
    expect_none();
}

// ---- rules

static void a_stated_rule_is_judged(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    begin(POOL + 1, 10, 10); // before there was a rule
    end(POOL + 1);
    state_rule(POOL, &rule);
    begin(POOL + 128, 1, 1);
    begin(POOL + 192, 33, 33);
    begin(POOL + 320, 1, 1);
    expect_none();
    begin(POOL + 64 + 32, 1, 1);
    assert_says(expect(TN_CHECK_KIND_PLACEMENT_START), "begins 32 byte(s) behind a multiple of 64");
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_PLACEMENT_PADDING);
    assert_says(report, "need 64 (rounded up to 32, and 32 more), but");
    assert_int_equal(report->second.serial, 2);
    begin(POOL + 4096, 64, 64);
    begin(POOL + 4096 + 64, 64, 64);
    assert_says(expect_only(TN_CHECK_KIND_PLACEMENT_PADDING), "region begins at +64");
    begin(POOL + 8192, 1000, 1024);
    assert_says(expect_only(TN_CHECK_KIND_PLACEMENT_PADDING), "it occupies only +1024");
}

static void growth_takes_the_padding(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    state_rule(POOL, &rule);
    begin(POOL, 64, 96);
    begin(POOL + 128, 64, 96);
    resize(POOL, 96);
    expect_none();
    resize(POOL, 97);
    (void)expect_only(TN_CHECK_KIND_PLACEMENT_PADDING);
}

static void an_overlap_is_one_finding(void **state) {
    (void)state;
    begin_heap(POOL, BYTES);
    state_rule(POOL, &rule);
    begin(POOL, 1000, 1056);
    begin(POOL + 990, 1000, 1056);
    (void)expect_only(TN_CHECK_KIND_REGION_OVERLAP);
}

static void memory_has_its_rule_for_all_heaps_in_it(void **state) {
    (void)state;
    begin_memory(POOL, BYTES + 32, BYTES);
    mstxMemHeapHandle_t heap = heap_at(POOL + 4096, 4096);
    region_at(heap, POOL + 4096 + 16, 1);
    (void)expect_only(TN_CHECK_KIND_PLACEMENT_START);
    heap_unregister(NULL, heap);
    begin_heap(POOL, BYTES);
    begin(POOL + 16, 1, 1);
    (void)expect_only(TN_CHECK_KIND_PLACEMENT_START);
    end(POOL + 16);
    state_rule(POOL, &(tarn_rule){0}); // of this heap, not of its memory
    begin(POOL + 16, 1, 1);
    expect_none();
    end(POOL + 16);
    EMIT(.kind = TN_MEM_HEAP_END, .flags = TN_MEM_PROGRAM, .domain = "tarn", .addr = POOL);
    heap = heap_at(POOL, BYTES);
    region_at(heap, POOL + 16, 1);
    (void)expect_only(TN_CHECK_KIND_PLACEMENT_START);
    heap_unregister(NULL, heap);
    EMIT(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MEMORY, .addr = POOL, .bytes = BYTES + 32);
    EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MEMORY, .addr = POOL, .bytes = BYTES);
    heap = heap_at(POOL, BYTES);
    region_at(heap, POOL + 16, 1);
    expect_none();
}

static void the_padding_of_memory_serves_its_last_region(void **state) {
    (void)state;
    begin_memory(POOL, 4128, 4096);
    mstxMemHeapHandle_t heap = heap_at(POOL, 4096);
    mstxMemRegionHandle_t all = region_at(heap, POOL, 4096);
    mstxMemHeapHandle_t inner = heap_at(POOL, 4096); // in a block that ends with the memory
    region_at(inner, POOL + 2048, 2048);
    expect_none();
    heap_unregister(NULL, inner);
    end_handle(all);
    heap_unregister(NULL, heap);
    heap = heap_at(POOL, 2048);
    region_at(heap, POOL, 2016);
    expect_none();
    region_at(heap, POOL, 2017);
    (void)expect(TN_CHECK_KIND_REGION_OVERLAP);
    heap_unregister(NULL, heap);
    heap = heap_at(POOL, 2048);
    region_at(heap, POOL, 2017);
    assert_says(expect_only(TN_CHECK_KIND_PLACEMENT_PADDING), "the memory ends at +2048");
}

static void domains_with_rounded_sizes_have_their_padding(void **state) {
    (void)state;
    begin_memory(POOL, BYTES + 32, BYTES);
    mstxDomainHandle_t atb = domain_create("atb");
    mstxMemHeapHandle_t heap = heap_in(atb, POOL, BYTES);
    region_in(atb, heap, POOL, 512);
    region_in(atb, heap, POOL + 512, BYTES - 512);
    expect_none();
    region_in(atb, heap, POOL + 16, 0);
    expect_none();
}

static void the_option_turns_rules_off(void **state) {
    (void)state;
    options.placement = false;
    begin_memory(POOL, BYTES, BYTES);
    begin_heap(POOL, BYTES);
    state_rule(POOL, &rule);
    begin(POOL + 1, BYTES - 1, BYTES - 1);
    expect_none();
}

#define TEST(name) cmocka_unit_test_setup(name, with_overlap)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(bytes_have_one_owner),
        TEST(a_start_with_two_owners_is_reported_whatever_their_sizes),
        TEST(occupied_bytes_belong_to_their_region),
        TEST(a_region_that_grows_can_reach_another),
        TEST(regions_without_a_heap_are_judged_too),
        TEST(equal_ranges_are_shared_by_mstx_alone),
        TEST(layers_and_statistics_share_bytes),
        TEST(a_part_of_a_block_lies_in_one_block),
        TEST(the_option_decides_how_it_is_reported),
        TEST(a_stated_rule_is_judged),
        TEST(growth_takes_the_padding),
        TEST(an_overlap_is_one_finding),
        TEST(memory_has_its_rule_for_all_heaps_in_it),
        TEST(the_padding_of_memory_serves_its_last_region),
        TEST(domains_with_rounded_sizes_have_their_padding),
        TEST(the_option_turns_rules_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
