// SPDX-License-Identifier: Apache-2.0
// Misuse of annotations: wrong ones are reported as their records in docs/differences/mstx.txt state, and
// correct ones are not reported.
#include "world.h"

#include "check/access.h"
#include "check/model.h"

#define POOL  BASE
#define BYTES UINT64_C(0x10000)

static void end_all(void) {
    struct tn_check_call call;
    assert_true(tn_check_call_begin(&call, "", false));
    tn_check_leaks_end(&call);
    tn_check_call_end(&call);
}

static bool is_live(uint64_t address) {
    return tn_check_byte_state(0, 0, address) == TN_CHECK_BYTE_LIVE;
}

static void missing_descriptors_are_refused(void **state) {
    (void)state;
    mstxMemHeapDesc_t empty = {0, 0, NULL};
    assert_null(heap_register(NULL, NULL));
    assert_int_equal(expect_only(TN_CHECK_KIND_BAD_ARGUMENT)->severity, TN_CHECK_SEVERITY_ERROR);
    assert_null(heap_register(NULL, &empty));
    assert_says(expect_only(TN_CHECK_KIND_BAD_ARGUMENT), "typeSpecificDesc");
    assert_non_null(heap_at(POOL, BYTES));
    expect_none();
}

static void heaps_without_bytes_are_empty_ones(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(0, BYTES);
    assert_non_null(heap);
    assert_int_equal(expect_only(TN_CHECK_KIND_BAD_ARGUMENT)->severity, TN_CHECK_SEVERITY_WARN);
    assert_non_null(heap_at(POOL, 0));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    assert_non_null(heap_at(POOL, UINT64_MAX - 4096));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    heap_unregister(NULL, heap);
    expect_none();
}

static void unknown_types_count_as_zero(void **state) {
    (void)state;
    mstxMemVirtualRangeDesc_t range = range_at(POOL, BYTES);
    mstxMemHeapDesc_t desc = {(mstxMemHeapUsageType)7, (mstxMemType)9, &range};
    mstxMemHeapHandle_t heap = heap_register(NULL, &desc);
    (void)expect(TN_CHECK_KIND_UNKNOWN_TYPE);
    (void)expect_only(TN_CHECK_KIND_UNKNOWN_TYPE);
    mstxMemVirtualRangeDesc_t part = range_at(POOL, 16);
    mstxMemRegionsRegisterBatch_t batch = {heap, (mstxMemType)3, 1, &part, NULL};
    regions_register(NULL, &batch);
    (void)expect_only(TN_CHECK_KIND_UNKNOWN_TYPE);
    assert_true(is_live(POOL));
    desc.typeSpecificDesc = &part;
    assert_null(heap_register(domain_create("ptaCaching"), &desc));
    expect_none();
}

static void a_heap_registered_again_is_counted(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    assert_ptr_equal(heap_at(POOL, BYTES), heap);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_DUPLICATE);
    assert_int_equal(report->severity, TN_CHECK_SEVERITY_NOTE);
    assert_says(report, "(count 2)");
    heap_unregister(NULL, heap);
    region_at(heap, POOL, 16);
    assert_true(is_live(POOL));
    heap_unregister(NULL, heap);
    expect_none();
    heap_unregister(NULL, heap);
    (void)expect_only(TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER);
}

static void a_heap_with_the_start_of_another_is_its_own(void **state) {
    (void)state;
    mstxMemHeapHandle_t outer = heap_at(POOL, BYTES);
    mstxMemHeapHandle_t stray = heap_at(POOL, 4096);
    (void)expect_only(TN_CHECK_KIND_HEAP_IN_FREE_MEMORY);
    heap_unregister(NULL, stray);
    region_at(outer, POOL, 8192);
    mstxMemHeapHandle_t inner = heap_at(POOL, 4096);
    assert_ptr_not_equal(inner, outer);
    region_at(inner, POOL, 100);
    heap_unregister(NULL, inner);
    assert_true(is_live(POOL + 8191));
    heap_unregister(NULL, outer);
    expect_none();
}

static void handles_of_a_batch_end_before_its_pointers(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    mstxMemRegionHandle_t newer = region_at(heap, POOL, 50);
    mstxMemRegionRef_t refs[2] = {{.refType = MSTX_MEM_REGION_REF_TYPE_POINTER},
                                  {.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE}};
    refs[0].pointer = at(POOL);
    refs[1].handle = newer;
    const mstxMemRegionsUnregisterBatch_t batch = {2, refs};
    regions_unregister(NULL, &batch);
    expect_none();
    assert_false(is_live(POOL));
    heap_unregister(NULL, heap);
}

static void a_pool_in_a_block_of_a_pool_is_legal(void **state) {
    (void)state;
    mstxMemHeapHandle_t outer = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t block = region_at(outer, POOL + 4096, 4096);
    mstxMemHeapHandle_t inner = heap_at(POOL + 4096, 4096);
    assert_int_equal(tn_check_byte_state(0, 0, POOL + 4096), TN_CHECK_BYTE_UNUSED);
    mstxMemRegionHandle_t piece = region_at(inner, POOL + 5000, 100);
    assert_true(is_live(POOL + 5000));
    end_handle(piece);
    assert_int_equal(tn_check_byte_state(0, 0, POOL + 5000), TN_CHECK_BYTE_FREED);
    heap_unregister(NULL, inner);
    assert_true(is_live(POOL + 5000));
    end_handle(block);
    heap_unregister(NULL, outer);
    expect_none();
}

static void a_heap_in_free_memory_of_another_is_reported(void **state) {
    (void)state;
    heap_at(POOL, BYTES);
    mstxMemHeapHandle_t inner = heap_at(POOL + 4096, 4096);
    assert_int_equal(expect_only(TN_CHECK_KIND_HEAP_IN_FREE_MEMORY)->heap.lo, POOL);
    region_at(inner, POOL + 4096, 8);
    assert_true(is_live(POOL + 4096)); // tracked anyway
    expect_none();
}

static void a_heap_in_free_memory_is_reported_in_either_order(void **state) {
    (void)state;
    mstxMemHeapHandle_t inner = heap_at(POOL + 4096, 4096);
    mstxMemHeapHandle_t outer = heap_at(POOL, BYTES);
    (void)expect_only(TN_CHECK_KIND_HEAP_IN_FREE_MEMORY);
    heap_unregister(NULL, outer);
    heap_unregister(NULL, inner);
    expect_none();
}

static void crossing_heaps_are_told_and_both_count(void **state) {
    (void)state;
    mstxMemHeapHandle_t left = heap_at(POOL, 8192);
    mstxMemHeapHandle_t right = heap_at(POOL + 4096, 8192);
    (void)expect_only(TN_CHECK_KIND_HEAP_OVERLAP);
    mstxMemRegionHandle_t region = region_at(left, POOL + 5000, 100);
    assert_true(is_live(POOL + 5000));
    end_handle(region);
    region_at(right, POOL + 5000, 100);
    assert_true(is_live(POOL + 5000));
    heap_at(POOL + 12288, 4096); // beside
    expect_none();
}

static void a_heap_whose_block_ends_ends_too(void **state) {
    (void)state;
    mstxMemHeapHandle_t outer = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t block = region_at(outer, POOL, 4096);
    mstxMemHeapHandle_t inner = heap_at(POOL, 2048);
    mstxMemRegionHandle_t piece = region_at(inner, POOL, 100);
    end_handle(block);
    (void)expect_only(TN_CHECK_KIND_NESTED_HEAP_ORPHANED);
    heap_unregister(NULL, inner);
    assert_says(expect_only(TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER), "region around it");
    end_handle(piece);
    assert_says(expect_only(TN_CHECK_KIND_DOUBLE_FREE), "ended with its heap");
}

static void a_heap_in_no_memory_is_told_on_request(void **state) {
    (void)state;
    heap_at(0x1000, 4096);
    expect_none();
    options.backing = true;
    heap_at(0x9000, 4096);
    assert_int_equal(expect_only(TN_CHECK_KIND_HEAP_WITHOUT_BACKING)->severity,
                     TN_CHECK_SEVERITY_WARN);
    void *memory = malloc(4096);
    heap_at((uint64_t)(uintptr_t)memory, 4096);
    tn_check_event_memory_begin(0x100000, 4096);
    heap_at(0x100000, 4096);
    expect_none();
    free(memory);
}

static void memory_freed_beneath_a_heap_ends_it(void **state) {
    (void)state;
    tn_check_event_memory_begin(POOL, BYTES);
    mstxMemHeapHandle_t heap = heap_at(POOL, 4096);
    region_at(heap, POOL, 100);
    tn_check_event_memory_end(POOL);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_STALE);
    assert_int_equal(report->severity, TN_CHECK_SEVERITY_ERROR);
    assert_int_equal(tn_check_byte_state(0, 0, POOL), TN_CHECK_BYTE_OUTSIDE);
    heap_unregister(NULL, heap);
    (void)expect_only(TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER);
    tn_check_event_memory_begin(POOL, BYTES);
    heap_unregister(NULL, heap_at(POOL, 4096));
    tn_check_event_memory_end(POOL);
    expect_none();
}

static void a_heap_without_regions_is_only_a_warning(void **state) {
    (void)state;
    tn_check_event_memory_begin(POOL, BYTES);
    mstxMemHeapHandle_t heap = heap_at(POOL, 4096);
    region_at(heap, POOL, 100);
    end_pointer(POOL);
    tn_check_event_memory_end(POOL);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_HEAP_STALE);
    assert_int_equal(report->severity, TN_CHECK_SEVERITY_WARN);
}

// Any memory of Tarn counts, and a range of addresses, but memory of the caller does not.
static void the_kind_of_memory_beneath_a_heap_counts(void **state) {
    const bool holds[] = {[TN_MEM_MEMORY] = true,
                          [TN_MEM_PINNED] = true,
                          [TN_MEM_RESERVATION] = true,
                          [TN_MEM_MAPPING] = true,
                          [TN_MEM_ANYTHING] = false};
    (void)state;
    for (size_t what = 0; what < sizeof holds / sizeof *holds; what++) {
        EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = (uint16_t)what, .addr = POOL, .bytes = BYTES,
             .object = 1);
        mstxMemHeapHandle_t heap = heap_at(POOL, 4096);
        region_at(heap, POOL, 100);
        EMIT(.kind = TN_MEM_RESOURCE_END, .what = (uint16_t)what, .addr = POOL, .bytes = BYTES,
             .object = 1);
        if (holds[what]) {
            (void)expect_only(TN_CHECK_KIND_HEAP_STALE);
        } else {
            heap_unregister(NULL, heap);
            expect_none();
        }
    }
}

// An allocator that is idle unmaps its memory and keeps the addresses.
static void all_memory_of_an_empty_heap_may_come_and_go(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    for (int i = 0; i < 2; i++) {
        EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .addr = POOL, .bytes = BYTES,
             .object = 1);
        region_at(heap, POOL, 100);
        end_pointer(POOL);
        EMIT(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .addr = POOL, .bytes = BYTES,
             .object = 1);
    }
    expect_none();
    EMIT(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_RESERVATION, .addr = POOL, .bytes = BYTES);
    (void)expect_only(TN_CHECK_KIND_HEAP_STALE);
}

static void pages_may_come_and_go_in_a_heap(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .addr = POOL + 4096, .bytes = 4096,
         .object = 1);
    EMIT(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .addr = POOL + 4096, .bytes = 4096,
         .object = 1);
    assert_true(is_live(POOL));
    expect_none();
}

static void regions_end_with_their_heap_in_silence(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t region = region_at(heap, POOL, 100);
    region_at(heap, POOL + 200, 0);
    heap_unregister(NULL, heap);
    end_all();
    expect_none();
    end_handle(region);
    assert_says(expect_only(TN_CHECK_KIND_DOUBLE_FREE), "ended with its heap");
    options.heap_exit_leaks = true;
    heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    heap_unregister(NULL, heap);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_LEAK_IN_HEAP);
    assert_says(report, "100 byte(s) in 1 region(s)");
    assert_int_equal(report->severity, TN_CHECK_SEVERITY_ERROR);
    assert_int_equal(tn_check_report_counts().leaked_bytes, 100);
    options.leaks = TN_CHECK_LEAKS_OFF;
    heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    heap_unregister(NULL, heap);
    expect_none();
}

static void regions_that_end_by_a_reset_are_no_leaks(void **state) {
    (void)state;
    options.heap_exit_leaks = true;
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .addr = POOL, .bytes = BYTES, .flags = TN_MEM_PROGRAM);
    EMIT(.kind = TN_MEM_REGION_BEGIN, .addr = POOL, .bytes = 100, .flags = TN_MEM_PROGRAM);
    EMIT(.kind = TN_MEM_HEAP_RESET, .addr = POOL, .flags = TN_MEM_PROGRAM);
    do_write(POOL, 8);
    (void)expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
    EMIT(.kind = TN_MEM_HEAP_END, .addr = POOL, .flags = TN_MEM_PROGRAM);
    end_all();
    expect_none();
    EMIT(.kind = TN_MEM_REGION_END, .addr = POOL, .flags = TN_MEM_PROGRAM);
    assert_says(expect_only(TN_CHECK_KIND_DOUBLE_FREE), "ended with its heap");
    EMIT(.kind = TN_MEM_HEAP_RESET, .addr = POOL, .flags = TN_MEM_PROGRAM);
    assert_says(expect_only(TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER), "reset again");
    EMIT(.kind = TN_MEM_HEAP_RESET, .addr = POOL + 16, .flags = TN_MEM_PROGRAM);
    (void)expect_only(TN_CHECK_KIND_BAD_HEAP);
}

static void a_range_that_was_a_heap_is_ordinary_again(void **state) {
    (void)state;
    heap_unregister(NULL, heap_at(POOL, BYTES));
    do_write(POOL, 8);
    expect_none();
    options.after_heap_poison = true;
    do_write(POOL, 8);
    (void)expect_only(TN_CHECK_KIND_USE_AFTER_FREE);
    heap_at(POOL, BYTES);
    do_write(POOL - 8, 8);
    expect_none();
}

static void heaps_that_are_none_cannot_end(void **state) {
    (void)state;
    heap_unregister(NULL, NULL);
    assert_int_equal(expect_only(TN_CHECK_KIND_BAD_HANDLE)->severity, TN_CHECK_SEVERITY_NOTE);
    heap_unregister(NULL, at(0x1234));
    assert_int_equal(expect_only(TN_CHECK_KIND_BAD_HANDLE)->severity, TN_CHECK_SEVERITY_ERROR);
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    heap_unregister(NULL, heap);
    heap_unregister(NULL, heap);
    (void)expect_only(TN_CHECK_KIND_DOUBLE_HEAP_UNREGISTER);
    assert_ptr_not_equal(heap_at(POOL, BYTES), heap);
}

static void empty_batches_are_silent_and_missing_arrays_not(void **state) {
    (void)state;
    mstxMemRegionsRegisterBatch_t none = {NULL, 0, 0, NULL, NULL};
    mstxMemRegionsRegisterBatch_t bad = {NULL, 0, 2, NULL, NULL};
    mstxMemRegionsUnregisterBatch_t no_ends = {0, NULL};
    mstxMemRegionsUnregisterBatch_t bad_ends = {1, NULL};
    mstxMemPermissionsAssignBatch_t bad_rights = {1, NULL};
    regions_register(NULL, &none);
    regions_unregister(NULL, &no_ends);
    expect_none();
    regions_register(NULL, NULL);
    regions_register(NULL, &bad);
    regions_unregister(NULL, NULL);
    regions_unregister(NULL, &bad_ends);
    permissions_assign(NULL, NULL);
    permissions_assign(NULL, &bad_rights);
    for (int i = 0; i < 6; i++) (void)expect(TN_CHECK_KIND_BAD_ARGUMENT);
    expect_none();
}

static void handles_are_given_where_there_is_room(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemVirtualRangeDesc_t part = range_at(POOL, 16);
    mstxMemRegionsRegisterBatch_t batch = {heap, 0, 1, &part, NULL};
    regions_register(NULL, &batch);
    end_pointer(POOL);
    assert_non_null(region_at(heap, POOL, 16));
    mstxMemRegionHandle_t garbage = at(0xdeadbeef);
    batch.heap = at(0xdeadbeef);
    batch.regionHandleArrayOut = (mstxMemRegionHandle_t *)at(16); // writing there would crash
    regions_register(domain_create("ptaCaching"), &batch);
    assert_ptr_equal(garbage, at(0xdeadbeef));
    expect_none();
}

static void without_a_heap_the_innermost_counts(void **state) {
    (void)state;
    mstxMemHeapHandle_t outer = heap_at(POOL, BYTES);
    region_at(outer, POOL, 4096);
    heap_at(POOL, 4096);
    region_at(NULL, POOL + 8, 8);
    assert_int_equal(tn_check_region_by_start(0, POOL + 8, NULL)->heap->hi, POOL + 4096);
    mstxMemRegionHandle_t loose = region_at(NULL, 0x5000, 64);
    assert_int_equal(tn_check_byte_state(0, 0, 0x5000), TN_CHECK_BYTE_OUTSIDE);
    do_write(0x5000 + 60, 8); // only leaks and frees are looked at
    end_handle(loose);
    expect_none();
    end_handle(loose);
    (void)expect_only(TN_CHECK_KIND_DOUBLE_FREE);
}

static void a_dead_heap_gets_no_regions(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    heap_unregister(NULL, heap);
    mstxMemVirtualRangeDesc_t part[2] = {range_at(POOL, 16), range_at(POOL + 16, 16)};
    mstxMemRegionHandle_t handle[2] = {at(1), at(2)};
    mstxMemRegionsRegisterBatch_t batch = {heap, 0, 2, part, handle};
    regions_register(NULL, &batch);
    assert_says(expect_only(TN_CHECK_KIND_BAD_HEAP), "was unregistered");
    assert_null(handle[0]);
    assert_null(handle[1]);
    assert_int_equal(tn_check_region_counts().total, 0);
    batch.heap = at(0x777);
    regions_register(NULL, &batch);
    (void)expect_only(TN_CHECK_KIND_BAD_HEAP);
}

static void a_region_that_sticks_out_is_cut_off(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, 4096);
    region_at(heap, POOL + 4000, 200);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_REGION_OUT_OF_HEAP);
    assert_says(report, "by 104 byte(s)");
    assert_true(is_live(POOL + 4095));
    assert_int_equal(tn_check_byte_state(0, 0, POOL + 4096), TN_CHECK_BYTE_OUTSIDE);
    region_at(heap, POOL + 3000, 1000);
    expect_none();
}

static void ranges_that_are_none_are_refused(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    assert_null(region_at(heap, 0, 16));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    assert_null(region_at(heap, POOL, UINT64_MAX));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    assert_null(region_at(heap, POOL, UINT64_C(1) << 63));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    mstxMemRegionHandle_t empty = region_at(heap, POOL, 0);
    assert_non_null(empty);
    assert_int_equal(tn_check_byte_state(0, 0, POOL), TN_CHECK_BYTE_UNUSED);
    end_handle(empty);
    expect_none();
}

static void overlapping_regions_are_counted(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t first = region_at(heap, POOL, 100);
    mstxMemRegionHandle_t second = region_at(heap, POOL, 100);
    mstxMemRegionHandle_t third = region_at(heap, POOL + 50, 100);
    end_handle(first);
    assert_true(is_live(POOL));
    end_handle(second);
    assert_int_equal(tn_check_byte_state(0, 0, POOL), TN_CHECK_BYTE_FREED);
    assert_true(is_live(POOL + 60));
    do_write(POOL + 50, 100);
    end_handle(third);
    expect_none();
}

static void handles_that_are_none_end_nothing(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t region = region_at(heap, POOL, 100);
    end_handle(at(0x4242));
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
    end_handle(NULL);
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
    end_handle((mstxMemRegionHandle_t)(void *)heap); // a handle, but of a heap
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
    end_handle(region);
    expect_none();
    end_handle(region);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_DOUBLE_FREE);
    assert_int_equal(report->region.serial, 1);
    assert_true(report->region.ended);
    assert_int_equal(report->heap.serial, 1);
}

static void pointers_must_be_starts(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    region_at(heap, POOL, 100);
    end_pointer(POOL + 16);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_INVALID_FREE);
    assert_says(report, "16 byte(s) inside region R1");
    assert_int_equal(report->region.distance, 16);
    end_pointer(POOL + 4096);
    assert_says(expect_only(TN_CHECK_KIND_INVALID_FREE), "in no region");
    end_pointer(POOL);
    expect_none();
    end_pointer(POOL);
    assert_int_equal(expect_only(TN_CHECK_KIND_DOUBLE_FREE)->region.serial, 1);
    region_at(heap, POOL, 10);
    region_at(heap, POOL, 20); // the newest goes first
    end_pointer(POOL);
    assert_true(is_live(POOL + 9));
    assert_false(is_live(POOL + 10));
    expect_none();
}

static void another_domain_is_told_and_obeyed(void **state) {
    (void)state;
    mstxDomainHandle_t mine = domain_create("mine");
    mstxDomainHandle_t yours = domain_create("yours");
    assert_ptr_equal(domain_create("mine"), mine);
    mstxMemHeapHandle_t heap = heap_in(mine, POOL, BYTES);
    mstxMemRegionHandle_t region = region_in(mine, heap, POOL, 100);
    end_in(yours, by_handle(region));
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_WRONG_DOMAIN);
    assert_says(report, "\"mine\"");
    assert_says(report, "\"yours\"");
    assert_false(is_live(POOL));
    region_in(mine, heap, POOL, 100);
    end_in(yours, by_pointer(POOL));
    (void)expect_only(TN_CHECK_KIND_WRONG_DOMAIN);
    assert_false(is_live(POOL));
    region_in(yours, heap, POOL, 100);
    (void)expect_only(TN_CHECK_KIND_WRONG_DOMAIN);
    heap_unregister(yours, heap);
    (void)expect_only(TN_CHECK_KIND_WRONG_DOMAIN);
    assert_int_equal(tn_check_byte_state(0, 0, POOL), TN_CHECK_BYTE_OUTSIDE);
}

static void an_unknown_domain_is_the_global_one(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_in(at(0x99), POOL, BYTES);
    (void)expect_only(TN_CHECK_KIND_BAD_DOMAIN);
    assert_non_null(heap);
    heap_unregister(NULL, heap);
    expect_none();
    assert_null(domain_create("no such name!"));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    assert_null(domain_create(NULL));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    assert_null(domain_create(""));
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
}

static void a_destroyed_domain_is_told_once(void **state) {
    (void)state;
    mstxDomainHandle_t domain = domain_create("gone");
    mstxMemHeapHandle_t heap = heap_in(domain, POOL, BYTES);
    domain_destroy(domain);
    assert_int_equal(expect_only(TN_CHECK_KIND_DOMAIN_LEAK)->severity, TN_CHECK_SEVERITY_NOTE);
    mstxMemRegionHandle_t region = region_in(domain, heap, POOL, 100);
    (void)expect_only(TN_CHECK_KIND_DESTROYED_DOMAIN);
    assert_non_null(region);
    end_in(domain, by_handle(region));
    heap_unregister(domain, heap);
    expect_none();
    assert_ptr_not_equal(domain_create("gone"), domain);
    domain_destroy(domain_create("tidy"));
    expect_none();
}

static void the_device_of_the_heap_wins(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemVirtualRangeDesc_t part = {.deviceId = 3, .ptr = at(POOL), .size = 16};
    mstxMemRegionsRegisterBatch_t batch = {heap, 0, 1, &part, NULL};
    regions_register(NULL, &batch);
    assert_int_equal(expect_only(TN_CHECK_KIND_DEVICE_MISMATCH)->severity, TN_CHECK_SEVERITY_WARN);
    assert_true(is_live(POOL));
    part = (mstxMemVirtualRangeDesc_t){.deviceId = UINT32_MAX, .ptr = at(POOL + 16), .size = 16};
    regions_register(NULL, &batch);
    assert_true(is_live(POOL + 16));
    expect_none();
}

static void permissions_replace_and_bad_elements_are_skipped(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t a = region_at(heap, POOL, 16);
    region_at(heap, POOL + 64, 16);
    mstxMemPermissionsAssignRegionsDesc_t desc[3] = {
        {MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ, by_handle(a)},
        {MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ, by_handle(at(0x31337))},
        {MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ, by_pointer(POOL + 64)},
    };
    mstxMemPermissionsAssignBatch_t batch = {3, desc};
    permissions_assign(NULL, &batch);
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
    assert_int_equal(tn_check_region_by_start(0, POOL, NULL)->permission, TN_CHECK_MAY_READ);
    assert_int_equal(tn_check_region_by_start(0, POOL + 64, NULL)->permission, TN_CHECK_MAY_READ);
    permit(by_handle(a), MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE);
    assert_int_equal(tn_check_region_by_start(0, POOL, NULL)->permission, TN_CHECK_MAY_WRITE);
    expect_none();
    permit(by_handle(a), 0xf1);
    assert_int_equal(expect_only(TN_CHECK_KIND_UNKNOWN_PERMISSION)->severity,
                     TN_CHECK_SEVERITY_WARN);
    assert_int_equal(tn_check_region_by_start(0, POOL, NULL)->permission, 1);
}

static void a_new_region_may_be_read_and_written(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t region = region_at(heap, POOL, 16);
    permit(by_handle(region), MSTX_MEM_PERMISSIONS_REGION_FLAGS_NONE);
    end_handle(region);
    region_at(heap, POOL, 16);
    do_write(POOL, 16);
    expect_none();
}

// Registered by an event which states that every access to the memory is an event.
static void seen_region(uint64_t address, uint64_t bytes) {
    region_at(NULL, address, bytes);
    tn_check_region_by_start(0, address, NULL)->seen = true;
}

static void a_block_that_moves_in_place_keeps_what_was_written(void **state) {
    (void)state;
    heap_at(POOL, BYTES);
    seen_region(POOL, 16);
    do_write(POOL, 16);
    end_pointer(POOL);
    seen_region(POOL, 32);
    do_read(POOL, 16);
    expect_none();
    do_read(POOL, 32);
    assert_says(expect_only(TN_CHECK_KIND_UNINITIALISED_READ), "16 of 32 byte(s)");
    end_pointer(POOL);
    range_start("something between");
    get_tool_id(NULL);
    region_at(NULL, POOL + 64, 8);
    seen_region(POOL, 16);
    do_read(POOL, 16);
    (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    options.realloc_keep = false;
    do_write(POOL, 16);
    end_pointer(POOL);
    seen_region(POOL, 16);
    do_read(POOL, 16);
    (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
}

static void each_region_of_an_address_is_a_generation(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    for (int i = 0; i < 2; i++) {
        region_at(heap, POOL, 100);
        end_pointer(POOL);
    }
    mstxMemRegionHandle_t third = region_at(heap, POOL, 100);
    assert_int_equal(tn_check_region_by_start(0, POOL, NULL)->generation, 3);
    end_handle(third);
    do_read(POOL, 1);
    assert_int_equal(expect_only(TN_CHECK_KIND_USE_AFTER_FREE)->region.generation, 3);
}

static void a_stale_handle_of_a_reused_address_is_reported(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemRegionHandle_t old = region_at(heap, POOL, 100);
    end_handle(old);
    permit(by_handle(old), 1);
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
    assert_ptr_not_equal(region_at(heap, POOL, 100), old);
    permit(by_handle(old), 1);
    const struct tn_check_report *report = expect_only(TN_CHECK_KIND_USE_AFTER_REUSE);
    assert_int_equal(report->region.generation, 1);
    assert_int_equal(report->second.generation, 2);
}

static void elements_of_a_batch_do_not_undo_each_other(void **state) {
    (void)state;
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES);
    mstxMemVirtualRangeDesc_t part[3] = {range_at(POOL, 16), range_at(0, 16),
                                         range_at(POOL + 32, 16)};
    mstxMemRegionHandle_t handle[3] = {at(7), at(7), at(7)};
    mstxMemRegionsRegisterBatch_t batch = {heap, 0, 3, part, handle};
    regions_register(NULL, &batch);
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
    assert_non_null(handle[0]);
    assert_null(handle[1]);
    assert_non_null(handle[2]);
    mstxMemRegionRef_t ref[3] = {by_handle(handle[0]), by_handle(at(3)), by_handle(handle[2])};
    mstxMemRegionsUnregisterBatch_t ends = {3, ref};
    regions_unregister(NULL, &ends);
    (void)expect_only(TN_CHECK_KIND_BAD_HANDLE);
    assert_int_equal(tn_check_region_counts().live, 0);
    ref[0].refType = (mstxMemRegionRefType)5;
    ends.refCount = 1;
    regions_unregister(NULL, &ends);
    (void)expect_only(TN_CHECK_KIND_BAD_ARGUMENT);
}

static void the_tool_states_its_id(void **state) {
    (void)state;
    uint64_t id = 0;
    get_tool_id(&id);
    assert_int_equal(id, 0x4D50);
    options.compat_id = true;
    get_tool_id(&id);
    assert_int_equal(id, 0x1002);
    assert_int_not_equal(range_start("a"), range_start("b"));
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(missing_descriptors_are_refused),
        TEST(heaps_without_bytes_are_empty_ones),
        TEST(unknown_types_count_as_zero),
        TEST(a_heap_registered_again_is_counted),
        TEST(a_heap_with_the_start_of_another_is_its_own),
        TEST(handles_of_a_batch_end_before_its_pointers),
        TEST(a_pool_in_a_block_of_a_pool_is_legal),
        TEST(a_heap_in_free_memory_of_another_is_reported),
        TEST(a_heap_in_free_memory_is_reported_in_either_order),
        TEST(crossing_heaps_are_told_and_both_count),
        TEST(a_heap_whose_block_ends_ends_too),
        TEST(a_heap_in_no_memory_is_told_on_request),
        TEST(memory_freed_beneath_a_heap_ends_it),
        TEST(a_heap_without_regions_is_only_a_warning),
        TEST(the_kind_of_memory_beneath_a_heap_counts),
        TEST(all_memory_of_an_empty_heap_may_come_and_go),
        TEST(pages_may_come_and_go_in_a_heap),
        TEST(regions_end_with_their_heap_in_silence),
        TEST(regions_that_end_by_a_reset_are_no_leaks),
        TEST(a_range_that_was_a_heap_is_ordinary_again),
        TEST(heaps_that_are_none_cannot_end),
        TEST(empty_batches_are_silent_and_missing_arrays_not),
        TEST(handles_are_given_where_there_is_room),
        TEST(without_a_heap_the_innermost_counts),
        TEST(a_dead_heap_gets_no_regions),
        TEST(a_region_that_sticks_out_is_cut_off),
        TEST(ranges_that_are_none_are_refused),
        TEST(overlapping_regions_are_counted),
        TEST(handles_that_are_none_end_nothing),
        TEST(pointers_must_be_starts),
        TEST(another_domain_is_told_and_obeyed),
        TEST(an_unknown_domain_is_the_global_one),
        TEST(a_destroyed_domain_is_told_once),
        TEST(the_device_of_the_heap_wins),
        TEST(permissions_replace_and_bad_elements_are_skipped),
        TEST(a_new_region_may_be_read_and_written),
        TEST(a_block_that_moves_in_place_keeps_what_was_written),
        TEST(each_region_of_an_address_is_a_generation),
        TEST(a_stale_handle_of_a_reused_address_is_reported),
        TEST(elements_of_a_batch_do_not_undo_each_other),
        TEST(the_tool_states_its_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
