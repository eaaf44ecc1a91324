// SPDX-License-Identifier: Apache-2.0
// Claims about the memory beneath a client's heap: a heap in freed memory, larger than its memory or on
// no device is reported at its registration, and memory beside it is not blamed later.
#include "check/model.h"

#include "unit/check/world.h"

#define POOL  BASE
#define BYTES UINT64_C(0x10000)

static int with_resources(void **state) {
    (void)fresh(state);
    options.resources = true;
    return 0;
}

static void begin_block(uint16_t what, uint64_t addr, uint64_t bytes) {
    EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = what, .addr = addr, .bytes = bytes, .object = 1);
}

static void end_block(uint16_t what, uint64_t addr, uint64_t bytes) {
    EMIT(.kind = TN_MEM_RESOURCE_END, .what = what, .addr = addr, .bytes = bytes, .object = 1);
}

static mstxMemHeapHandle_t heap_on(uint32_t device, uint64_t addr, uint64_t bytes) {
    mstxMemVirtualRangeDesc_t range = {device, at(addr), bytes};
    mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, MSTX_MEM_TYPE_VIRTUAL_ADDRESS,
                              &range};
    return heap_register(NULL, &desc);
}

static void a_heap_in_freed_memory_is_reported_once(void **state) {
    (void)state;
    begin_block(TN_MEM_MEMORY, POOL, BYTES);
    end_block(TN_MEM_MEMORY, POOL, BYTES);
    mstxMemHeapHandle_t heap = heap_at(POOL + 256, 4096);
    assert_says(expect_only(TN_CHECK_KIND_HEAP_IN_FREE_MEMORY), "was freed");
    begin_block(TN_MEM_MEMORY, POOL, BYTES); // of its next owner
    do_write(POOL, BYTES);
    heap_unregister(NULL, heap);
    heap_unregister(NULL, heap_at(POOL + 256, 4096));
    expect_none();
}

static void a_reservation_that_was_released_is_freed_memory(void **state) {
    (void)state;
    begin_block(TN_MEM_RESERVATION, POOL, BYTES);
    begin_block(TN_MEM_MAPPING, POOL, 4096);
    end_block(TN_MEM_MAPPING, POOL, 4096);
    heap_unregister(NULL, heap_at(POOL, 4096)); // a mapping may follow
    expect_none();
    end_block(TN_MEM_RESERVATION, POOL, BYTES);
    heap_unregister(NULL, heap_at(POOL, 4096));
    (void)expect_only(TN_CHECK_KIND_HEAP_IN_FREE_MEMORY);
}

static void memory_of_the_process_in_the_place_of_freed_memory_is_legal(void **state) {
    static char own[4096];
    const uint64_t addr = (uint64_t)(uintptr_t)own;
    (void)state;
    begin_block(TN_MEM_PINNED, addr, sizeof own);
    end_block(TN_MEM_PINNED, addr, sizeof own);
    heap_unregister(NULL, heap_at(addr, sizeof own));
    expect_none();
}

static void a_heap_that_exceeds_its_block_is_cut_off(void **state) {
    (void)state;
    begin_block(TN_MEM_MEMORY, POOL, BYTES);
    begin_block(TN_MEM_MEMORY, POOL + BYTES, BYTES);
    mstxMemHeapHandle_t heap = heap_at(POOL, BYTES + 1);
    (void)expect_only(TN_CHECK_KIND_HEAP_EXCEEDS_MEMORY);
    do_write(POOL + BYTES, BYTES); // the neighbour's
    expect_none();
    do_write(POOL, 16);
    (void)expect_only(TN_CHECK_KIND_UNALLOCATED_ACCESS);
    heap_unregister(NULL, heap);
    heap_unregister(NULL, heap_at(POOL - 4096, 8192));
    (void)expect_only(TN_CHECK_KIND_HEAP_EXCEEDS_MEMORY);
    heap_unregister(NULL, heap_at(POOL, 2 * BYTES)); // two blocks are no range
    (void)expect_only(TN_CHECK_KIND_HEAP_EXCEEDS_MEMORY);
}

static void a_heap_over_several_mappings_is_legal(void **state) {
    (void)state;
    begin_block(TN_MEM_RESERVATION, POOL, 4 * BYTES);
    begin_block(TN_MEM_MAPPING, POOL, BYTES);
    begin_block(TN_MEM_MAPPING, POOL + BYTES, BYTES);
    heap_unregister(NULL, heap_at(POOL, 2 * BYTES));
    heap_unregister(NULL, heap_at(POOL, 4 * BYTES)); // which grows
    expect_none();
}

static void a_heap_that_mssanitizer_refuses_is_reported_on_request(void **state) {
    (void)state;
    options.backing = true;
    begin_block(TN_MEM_RESERVATION, POOL, 8 * BYTES);
    begin_block(TN_MEM_MAPPING, POOL, BYTES);
    begin_block(TN_MEM_MAPPING, POOL + BYTES, BYTES);
    heap_unregister(NULL, heap_at(POOL, BYTES));
    heap_unregister(NULL, heap_at(POOL + BYTES, BYTES));
    expect_none();
    heap_unregister(NULL, heap_at(POOL, 2 * BYTES));
    assert_says(expect_only(TN_CHECK_KIND_HEAP_WITHOUT_BACKING), "exceeds its first mapping");
    heap_unregister(NULL, heap_at(POOL + 4 * BYTES, BYTES));
    assert_says(expect_only(TN_CHECK_KIND_HEAP_WITHOUT_BACKING), "lies in a ");
    begin_block(TN_MEM_PINNED, POOL + 16 * BYTES, BYTES);
    heap_unregister(NULL, heap_at(POOL + 16 * BYTES, BYTES));
    assert_says(expect_only(TN_CHECK_KIND_HEAP_WITHOUT_BACKING), "msSanitizer refuses it");
    begin_block(TN_MEM_MEMORY, POOL + 32 * BYTES, BYTES);
    heap_unregister(NULL, heap_at(POOL + 32 * BYTES, BYTES));
    expect_none();
}

static void the_device_of_a_heap_exists(void **state) {
    (void)state;
    begin_block(TN_MEM_MEMORY, POOL, BYTES);
    heap_unregister(NULL, heap_on(7, POOL, 4096)); // no platform of Tarn is known
    EMIT(.kind = TN_MEM_PLATFORM, .other = 2);
    EMIT(.kind = TN_MEM_PLATFORM, .other = 1);
    heap_unregister(NULL, heap_on(1, POOL, 4096));
    heap_unregister(NULL, heap_on(UINT32_MAX, POOL, 4096));
    heap_unregister(NULL, heap_on(7, POOL + BYTES, 4096)); // it may be memory of another library
    expect_none();
    heap_unregister(NULL, heap_on(2, POOL, 4096));
    assert_says(expect_only(TN_CHECK_KIND_DEVICE_MISMATCH), "device 2, which does not exist");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_heap_in_freed_memory_is_reported_once, with_resources),
        cmocka_unit_test_setup(a_reservation_that_was_released_is_freed_memory, with_resources),
        cmocka_unit_test_setup(memory_of_the_process_in_the_place_of_freed_memory_is_legal,
                               with_resources),
        cmocka_unit_test_setup(a_heap_that_exceeds_its_block_is_cut_off, with_resources),
        cmocka_unit_test_setup(a_heap_over_several_mappings_is_legal, with_resources),
        cmocka_unit_test_setup(a_heap_that_mssanitizer_refuses_is_reported_on_request,
                               with_resources),
        cmocka_unit_test_setup(the_device_of_a_heap_exists, with_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
