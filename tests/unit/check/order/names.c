// SPDX-License-Identifier: Apache-2.0
// Claims about the addresses by which memory is known.
#include "check/order/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "annotate/annotate.h"

enum { PAGE = 0x1000, ONE = 0x10000, OTHER = 0x20000, THIRD = 0x30000, HANDLE = 7, AGAIN = 8 };

static struct tn_check_names names;
static struct tn_check_renaming renaming;

static int tear_down(void **state) {
    (void)state;
    tn_check_names_fini(&names);
    return 0;
}

#define NOTE(...)                                                                                  \
    tn_check_names_event(&names, &(struct tn_mem_event)TN_MEM_INIT(__VA_ARGS__), &renaming)

static void map(uint64_t handle, uint64_t addr, uint64_t bytes) {
    NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .object = handle, .addr = addr,
         .bytes = bytes);
}
static void unmap(uint64_t addr, uint64_t bytes) {
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MAPPING, .addr = addr, .bytes = bytes);
}
static void begin_handle(uint64_t handle) {
    NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_PHYS, .object = handle);
}
static void end_handle(uint64_t handle) {
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_PHYS, .object = handle);
}
static void identify(uint64_t handle, uint64_t identity) {
    NOTE(.kind = TN_MEM_IDENTITY, .what = TN_MEM_PHYS, .object = handle, .other = identity);
}

static struct tn_check_piece piece_at(uint64_t lo, uint64_t hi) {
    struct tn_check_piece piece;
    tn_check_names_find(&names, 0, lo, hi, &piece);
    assert_int_equal(piece.lo + piece.shift, lo);
    return piece;
}

// The number of addresses by which a byte is known, and the sum of them.
static uint64_t sum;

static void count_name(void *arg, uint32_t space, uint64_t lo, uint64_t hi) {
    assert_int_equal(space, 0);
    assert_int_equal(hi, lo + 1);
    ++*(unsigned *)arg;
    sum += lo;
}

static unsigned names_of(uint64_t addr) {
    unsigned count = 0;
    sum = 0;
    tn_check_names_visit(&names, 0, addr, addr + 1, count_name, &count);
    return count;
}

static void one_name_is_its_own_key(void **state) {
    (void)state;
    begin_handle(HANDLE);
    map(HANDLE, ONE, PAGE);
    assert_int_equal(piece_at(ONE, ONE + PAGE).space, 0);
    assert_int_equal(piece_at(ONE, ONE + PAGE).shift, 0);
    assert_int_equal(names_of(ONE), 1);
    assert_false(tn_check_names_keep(&names, 0, ONE, ONE + PAGE));
}

static void two_names_lead_to_one_key(void **state) {
    (void)state;
    begin_handle(HANDLE);
    map(HANDLE, ONE, 2 * PAGE);
    map(HANDLE, OTHER, PAGE);
    assert_int_equal(renaming.from.lo, ONE);
    assert_int_equal(renaming.from.hi, ONE + 2 * PAGE);
    assert_int_equal(renaming.to, piece_at(ONE, ONE + 1).lo);
    assert_int_equal(piece_at(ONE + 5, ONE + 6).lo, piece_at(OTHER + 5, OTHER + 6).lo);
    assert_int_equal(names_of(OTHER + 5), 2);
    assert_int_equal(sum, ONE + OTHER + 10);
    assert_int_equal(names_of(ONE + PAGE), 1); // beyond the smaller mapping
    assert_true(tn_check_names_keep(&names, 0, OTHER, OTHER + 1));
}

static void a_range_is_cut_at_the_ends_of_names(void **state) {
    (void)state;
    map(HANDLE, ONE, PAGE);
    map(HANDLE, OTHER, PAGE);
    assert_int_equal(piece_at(ONE - 8, ONE + 2 * PAGE).hi, ONE);
    assert_int_equal(piece_at(ONE - 8, ONE + 2 * PAGE).space, 0);
    struct tn_check_piece inside = piece_at(ONE + 8, ONE + 2 * PAGE);
    assert_int_equal(inside.hi - inside.lo, PAGE - 8);
    assert_int_equal(inside.space, TN_CHECK_PHYSICAL);
    assert_int_equal(piece_at(ONE + PAGE, ONE + 2 * PAGE).space, 0);
}

static void keys_end_with_the_last_name(void **state) {
    (void)state;
    begin_handle(HANDLE);
    map(HANDLE, ONE, PAGE);
    map(HANDLE, OTHER, PAGE);
    uint64_t key = piece_at(ONE, ONE + 1).lo;
    unmap(ONE, PAGE);
    assert_int_equal(renaming.gone.lo, renaming.gone.hi);
    assert_int_equal(piece_at(ONE, ONE + 1).space, 0);
    assert_int_equal(piece_at(OTHER, OTHER + 1).lo, key);
    unmap(OTHER, PAGE);
    assert_int_equal(renaming.gone.lo, key);
    // The contents stay as long as the handle, and the keys do not come back.
    map(HANDLE, THIRD, PAGE);
    assert_true(tn_check_names_keep(&names, 0, THIRD, THIRD + 1));
    assert_int_equal(piece_at(THIRD, THIRD + 1).space, 0);
    map(HANDLE, ONE, PAGE);
    assert_true(piece_at(ONE, ONE + 1).lo > key);
}

static void released_memory_leaves_nothing(void **state) {
    (void)state;
    begin_handle(HANDLE);
    identify(HANDLE, 99);
    map(HANDLE, ONE, PAGE);
    end_handle(HANDLE); // the mapping keeps the memory
    map(HANDLE, OTHER, PAGE);
    assert_int_equal(names_of(ONE), 2);
    unmap(ONE, PAGE);
    unmap(OTHER, PAGE);
    assert_int_equal(names.several, 0);
    begin_handle(HANDLE); // the number is used again, in another image for example
    begin_handle(AGAIN);
    identify(AGAIN, 99); // and so is that of a file
    map(HANDLE, ONE, PAGE);
    map(AGAIN, OTHER, PAGE);
    assert_int_equal(names_of(ONE), 1);
    assert_int_equal(names_of(OTHER), 1);
    assert_false(tn_check_names_keep(&names, 0, ONE, ONE + 1));
}

static void handles_with_one_identity_are_one_memory(void **state) {
    (void)state;
    begin_handle(HANDLE);
    map(HANDLE, ONE, PAGE);
    identify(HANDLE, 99);
    identify(HANDLE, 100); // another way to export it
    begin_handle(AGAIN);
    identify(AGAIN, 100);
    map(AGAIN, OTHER, PAGE);
    assert_int_equal(names_of(OTHER), 2);
    end_handle(HANDLE);
    unmap(ONE, PAGE);
    assert_int_equal(names_of(OTHER), 1);
    end_handle(AGAIN);
    unmap(OTHER, PAGE);
    assert_int_equal(names.several, 0);
}

static void a_block_is_one_memory_with_its_import(void **state) {
    (void)state;
    for (uint64_t addr = ONE; addr <= OTHER; addr += OTHER - ONE) {
        NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MEMORY, .addr = addr, .bytes = PAGE);
        NOTE(.kind = TN_MEM_IDENTITY, .what = TN_MEM_MEMORY, .addr = addr, .bytes = PAGE,
             .other = 99);
    }
    assert_int_equal(names_of(ONE), 2);
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MEMORY, .addr = ONE, .bytes = PAGE);
    assert_int_equal(names_of(OTHER), 1);
    NOTE(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_MEMORY, .addr = OTHER, .bytes = PAGE);
    assert_int_equal(names.several, 0);
}

// Pools move pages between addresses, and their blocks begin without contents.
static void a_name_that_a_pool_ended_keeps_nothing(void **state) {
    (void)state;
    for (uint64_t addr = ONE; addr <= OTHER; addr += OTHER - ONE) {
        NOTE(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_MAPPING, .flags = TN_MEM_OWNED,
             .object = HANDLE, .addr = addr, .bytes = PAGE);
        assert_int_equal(names.several, 0);
        unmap(addr, PAGE);
    }
}

int main(void) {
#define UNIT(claim) cmocka_unit_test_teardown(claim, tear_down)
    const struct CMUnitTest tests[] = {
        UNIT(one_name_is_its_own_key),
        UNIT(two_names_lead_to_one_key),
        UNIT(a_range_is_cut_at_the_ends_of_names),
        UNIT(keys_end_with_the_last_name),
        UNIT(released_memory_leaves_nothing),
        UNIT(handles_with_one_identity_are_one_memory),
        UNIT(a_block_is_one_memory_with_its_import),
        UNIT(a_name_that_a_pool_ended_keeps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
