// SPDX-License-Identifier: Apache-2.0
// The places of extents in an arena: at their address if possible, and never overlapping.
#include "setup.h"

#include <errno.h>
#include <sys/mman.h>

#include "backend/host/arena.h"
#include "backend/host/sys.h"

#define ADDR ((uint64_t)0x7f0000340000)

static uint64_t bind(struct tn_host_arena *arena, uint64_t addr, uint64_t size) {
    uint64_t offset = 0;
    bool stale = true;
    expect_ok(tn_host_arena_bind(arena, addr, size, 7, &offset, &stale));
    assert_false(stale);
    assert_int_equal(offset % (2 * MB), addr % (2 * MB)); // or huge pages would not fit
    assert_true(offset + size <= TN_HOST_ARENA_SIZE);
    return offset;
}

static void an_extent_lies_at_its_address_and_neighbours_follow_it(void **state) {
    struct tn_host_arena arena;
    (void)state;
    tn_host_arena_init(&arena, false);
    assert_int_equal(bind(&arena, ADDR, MB), ADDR);
    assert_int_equal(bind(&arena, ADDR + MB, MB), ADDR + MB);
    // The same addresses again: elsewhere in the file, but still consecutive.
    uint64_t again = bind(&arena, ADDR, MB);
    assert_int_equal(again % TN_HOST_ARENA_LAYER, ADDR);
    assert_int_equal(bind(&arena, ADDR + MB, MB), again + MB);
    tn_host_arena_unbind(&arena, ADDR);
    assert_int_equal(bind(&arena, ADDR, MB), ADDR);
    assert_true(tn_host_arena_check(&arena));
    tn_host_arena_fini(&arena);
}

static void any_number_of_extents_of_one_address_lie_apart(void **state) {
    enum { COUNT = 30000 }; // more than there are layers
    struct tn_host_arena arena;
    static uint64_t offset[COUNT];
    (void)state;
    tn_host_arena_init(&arena, false);
    for (int i = 0; i < COUNT; i++)
        offset[i] = bind(&arena, ADDR, 64 * KB); // the map itself refuses an overlap
    assert_int_equal(tn_interval_count(&arena.taken), COUNT);
    for (int i = 0; i < COUNT; i++) tn_host_arena_unbind(&arena, offset[i]);
    assert_int_equal(bind(&arena, ADDR, 64 * KB), ADDR);
    assert_int_equal(bind(&arena, ADDR, 64 * KB), TN_HOST_ARENA_LAYER + ADDR); // as when new
    tn_host_arena_fini(&arena);
}

static void a_full_upper_half_is_searched_for_gaps(void **state) {
    struct tn_host_arena arena;
    const uint64_t huge = TN_HOST_ARENA_SIZE / 4;
    uint64_t offset = 0;
    bool stale;
    (void)state;
    tn_host_arena_init(&arena, false);
    (void)bind(&arena, 0, TN_HOST_ARENA_SIZE / 2 - 2 * MB); // all of the lower half but the end
    uint64_t first = bind(&arena, 0, huge);
    assert_int_equal(bind(&arena, 0, huge), first + huge);
    expect_status(tn_host_arena_bind(&arena, 0, huge, 7, &offset, &stale), TARN_NO_ADDRESS_SPACE);
    tn_host_arena_unbind(&arena, first);
    assert_int_equal(bind(&arena, 0, huge), first);
    expect_status(tn_host_arena_bind(&arena, 0, huge, 7, &offset, &stale), TARN_NO_ADDRESS_SPACE);
    assert_true(tn_host_arena_check(&arena));
    tn_host_arena_fini(&arena);
}

static void kept_pages_are_used_again_by_the_same_place_alone(void **state) {
    struct tn_host_arena arena;
    uint64_t offset = 0;
    bool stale = false;
    (void)state;
    tn_host_arena_init(&arena, false);
    assert_int_equal(bind(&arena, ADDR, MB), ADDR);
    assert_true(tn_host_arena_cache(&arena, ADDR, MB));
    assert_int_equal(arena.cached_bytes, MB);
    expect_ok(tn_host_arena_bind(&arena, ADDR, MB, 7, &offset, &stale));
    assert_true(stale);
    assert_int_equal(arena.cached_bytes, 0);
    assert_true(tn_host_arena_cache(&arena, ADDR, MB));
    assert_int_equal(bind(&arena, ADDR + 512 * KB, MB), ADDR + 512 * KB); // cleaned, not kept
    assert_int_equal(arena.cached_bytes, 0);
    tn_host_arena_unbind(&arena, ADDR + 512 * KB);
    assert_int_equal(bind(&arena, ADDR, MB), ADDR);
    assert_true(tn_host_arena_cache(&arena, ADDR, MB));
    tn_host_sys_fail(TN_HOST_SYS_FALLOCATE, 1, EIO); // not cleaned: not used
    assert_int_not_equal(bind(&arena, ADDR, 2 * MB), ADDR);
    tn_host_sys_fail(0, 0, 0);
    assert_true(tn_host_arena_check(&arena));
    tn_host_arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_extent_lies_at_its_address_and_neighbours_follow_it),
        cmocka_unit_test(any_number_of_extents_of_one_address_lie_apart),
        cmocka_unit_test(a_full_upper_half_is_searched_for_gaps),
        cmocka_unit_test(kept_pages_are_used_again_by_the_same_place_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
