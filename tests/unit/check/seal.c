// SPDX-License-Identifier: Apache-2.0
// Seals in memory of Tarn's pools and in other memory, whose pages may be gone or forbidden.
#include "world.h"

#include <sys/mman.h>

#include "check/seal.h"

#define OWN (TN_MEM_OWNED | TN_MEM_HOST_CAN)

enum { OBJECT = 77, PAGE = 4096, PAGES = 4, STEP = 512 };

static char *memory; // PAGES pages that this process maps

static uint64_t place_of(unsigned block) {
    return (uint64_t)(uintptr_t)memory + (uint64_t)block * STEP;
}

static void tell_memory(unsigned kind, uint32_t flags) {
    EMIT(.kind = (uint16_t)kind, .what = TN_MEM_MAPPING, .flags = flags, .addr = place_of(0),
         .bytes = PAGES * PAGE, .object = 5);
}

static void tell_heap(void) {
    memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    EMIT(.kind = TN_MEM_HEAP_BEGIN, .flags = TN_MEM_HOST_CAN, .addr = place_of(0),
         .bytes = PAGES * PAGE, .object = OBJECT, .domain = "tarn");
}

static void tell_block(unsigned block, uint64_t bytes) {
    EMIT(.kind = TN_MEM_REGION_BEGIN, .flags = TN_MEM_HOST_CAN, .addr = place_of(block),
         .bytes = bytes, .object = OBJECT, .domain = "tarn");
}

static bool is_sealed(unsigned block) {
    do_read(place_of(block), 16);
    bool found = looked_at < findings;
    if (found) (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    return found;
}

static void set_rights(int rights) { assert_int_equal(mprotect(memory, PAGES * PAGE, rights), 0); }

static void blocks_of_a_pool_are_sealed_at_both_ends(void **state) {
    (void)state;
    tell_heap();
    tell_memory(TN_MEM_RESOURCE_BEGIN, OWN);
    for (unsigned block = 0; block < 8; block++) {
        uint64_t bytes = 3 + block * 17; // also smaller than a seal, and at odd addresses
        tell_block(block, bytes);
        assert_true(memory[block * STEP] != 0);
        assert_memory_equal(memory + block * STEP + (bytes < 16 ? 0 : bytes - 8), memory,
                            bytes < 8 ? bytes : 3);
        assert_int_equal(memory[block * STEP + bytes], 0); // not beyond the block
        do_read(place_of(block), bytes);
        (void)expect_only(TN_CHECK_KIND_UNINITIALISED_READ);
    }
    memset(memory, 'x', PAGE);
    do_read(place_of(7), 100);
    expect_none();
}

static void forbidden_memory_is_not_sealed(void **state) {
    (void)state;
    static const uint32_t flags[] = {0, TN_MEM_OWNED, TN_MEM_HOST_CAN};
    for (unsigned i = 0; i < 3; i++) { // no event tells of the change
        reset();
        tell_heap();
        tell_memory(TN_MEM_RESOURCE_BEGIN, flags[i]);
        tell_block(0, 64);
        assert_true(is_sealed(0));
        set_rights(PROT_READ);
        tell_block(1, 64);
        assert_false(is_sealed(1));
        assert_int_equal(munmap(memory, PAGES * PAGE), 0);
        tell_block(2, 64);
        assert_false(is_sealed(2));
    }
}

static void rights_that_change_are_found_again(void **state) {
    (void)state;
    tell_heap();
    tell_memory(TN_MEM_RESOURCE_BEGIN, OWN);
    set_rights(PROT_READ);
    tell_block(0, 64);
    assert_false(is_sealed(0));
    set_rights(PROT_READ | PROT_WRITE);
    tell_block(1, 64);
    tell_block(2, 64);
    assert_true(is_sealed(1) && is_sealed(2));
    EMIT(.kind = TN_MEM_RIGHTS, .addr = place_of(0), .bytes = PAGES * PAGE, .object = OBJECT);
    set_rights(PROT_NONE);
    tell_block(3, 64);
    set_rights(PROT_READ | PROT_WRITE);
    assert_false(is_sealed(3));
    tell_block(4, 64);
    assert_true(is_sealed(4));
}

static void memory_that_is_gone_is_not_sealed(void **state) {
    (void)state;
    tell_heap();
    tell_memory(TN_MEM_RESOURCE_BEGIN, OWN);
    tell_block(0, 64);
    tell_block(1, 64);
    tell_memory(TN_MEM_RESOURCE_END, OWN);
    assert_int_equal(munmap(memory, PAGES * PAGE), 0);
    tell_block(2, 64);
    assert_false(is_sealed(2));
}

static enum tn_check_backing backing_at(uint64_t address) {
    struct tn_interval_entry entry;
    assert_true(tn_interval_find(&tn_check_model.backing, address, &entry));
    return (enum tn_check_backing)entry.value;
}

// A thread reports its block after a reset of the device has freed it and unmaps its pages.
static void pages_that_go_are_sealed_by_the_system(void **state) {
    (void)state;
    tell_heap();
    tell_memory(TN_MEM_RESOURCE_BEGIN, OWN);
    tell_block(0, 64);
    tell_block(1, 64);
    EMIT(.kind = TN_MEM_UNBACKED, .addr = place_of(0), .bytes = PAGES * PAGE);
    assert_int_equal(munmap(memory, PAGES * PAGE), 0);
    tell_block(2, 64);
    assert_false(is_sealed(2));
}

static void a_probe_before_a_change_proves_nothing(void **state) {
    (void)state;
    struct tn_check_call call;
    tell_heap();
    tell_memory(TN_MEM_RESOURCE_BEGIN, OWN);
    assert_true(tn_check_call_begin(&call, "allocated", false));
    call.probed = place_of(0);
    call.probed_when = tn_check_model.backing_changes;
    tn_check_backing_end(&call, 0, place_of(0), place_of(0) + PAGES * PAGE, false);
    tn_check_backing_begin(0, place_of(0), place_of(0) + PAGES * PAGE, true);
    tn_check_seal_reached(&call);
    assert_int_equal(backing_at(place_of(0)), TN_CHECK_BACKING_OWN);
    call.probed_when = tn_check_model.backing_changes;
    tn_check_seal_reached(&call);
    assert_int_equal(backing_at(place_of(0)), TN_CHECK_BACKING_REACHED);
    tn_check_call_end(&call);
}

static void a_block_that_leaves_the_pools_memory_is_sealed_by_the_system(void **state) {
    (void)state;
    tell_heap();
    EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .flags = OWN, .addr = place_of(0),
         .bytes = PAGE, .object = 5);
    tell_block(0, 64);
    tell_block(1, 64);
    assert_int_equal(mprotect(memory + PAGE, PAGE, PROT_NONE), 0);
    tell_block(2, PAGE); // ends in the second page
    assert_false(is_sealed(2));
    assert_int_equal(mprotect(memory + PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
    tell_block(3, PAGE);
    assert_true(is_sealed(3));
}

static void rights_that_change_concern_no_neighbour(void **state) {
    (void)state;
    for (uint64_t page = 0; page < 3; page++) {
        EMIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .flags = OWN,
             .addr = PAGE * (page + 1), .bytes = PAGE, .object = 5);
    }
    EMIT(.kind = TN_MEM_RIGHTS, .addr = 2 * PAGE, .bytes = PAGE, .object = OBJECT);
    assert_int_equal(backing_at(PAGE), TN_CHECK_BACKING_OWN);
    assert_int_equal(backing_at(2 * PAGE), TN_CHECK_BACKING_OTHER);
    assert_int_equal(backing_at(3 * PAGE), TN_CHECK_BACKING_OWN);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(blocks_of_a_pool_are_sealed_at_both_ends),
        TEST(forbidden_memory_is_not_sealed),
        TEST(rights_that_change_are_found_again),
        TEST(rights_that_change_concern_no_neighbour),
        TEST(memory_that_is_gone_is_not_sealed),
        TEST(pages_that_go_are_sealed_by_the_system),
        TEST(a_probe_before_a_change_proves_nothing),
        TEST(a_block_that_leaves_the_pools_memory_is_sealed_by_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
