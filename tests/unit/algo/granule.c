// SPDX-License-Identifier: Apache-2.0
// Claims about the granule map.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "algo/granule.h"

#define GIB (UINT64_C(1) << 30)

static void nothing_is_found_where_nothing_was_set(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 4096, GIB, 14), TARN_OK);
    assert_int_equal(tn_granule_get(&map, 4096), 0); // not covered yet
    assert_int_equal(tn_granule_cover(&map, 4096, GIB), TARN_OK);
    assert_int_equal(tn_granule_get(&map, 4096), 0);
    assert_int_equal(tn_granule_get(&map, 4095), 0);
    assert_int_equal(tn_granule_get(&map, 4096 + GIB), 0);
    assert_int_equal(tn_granule_get(&map, UINT64_MAX), 0);
    tn_granule_destroy(&map);
}

static void a_record_is_found_in_its_granule_only(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 0, GIB, 14), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, 0, GIB), TARN_OK);
    tn_granule_put(&map, 5 * 16384 + 77, 42);
    assert_int_equal(tn_granule_get(&map, 5 * 16384), 42);
    assert_int_equal(tn_granule_get(&map, 5 * 16384 + 16383), 42);
    assert_int_equal(tn_granule_get(&map, 4 * 16384), 0);
    assert_int_equal(tn_granule_get(&map, 6 * 16384), 0);
    tn_granule_put(&map, 5 * 16384, 0);
    assert_int_equal(tn_granule_get(&map, 5 * 16384 + 77), 0);
    tn_granule_destroy(&map);
}

static void a_range_is_set_whole(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 0, GIB, 14), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, 0, GIB), TARN_OK);
    tn_granule_set(&map, 16384, 3 * 16384, 9);
    assert_int_equal(tn_granule_get(&map, 16383), 0);
    assert_int_equal(tn_granule_get(&map, 16384), 9);
    assert_int_equal(tn_granule_get(&map, 4 * 16384 - 1), 9);
    assert_int_equal(tn_granule_get(&map, 4 * 16384), 0);
    tn_granule_destroy(&map);
}

static void far_ranges_cost_only_what_is_covered(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 0, UINT64_C(1) << 48, 14), TARN_OK);
    uint64_t far = (UINT64_C(1) << 47) + 3 * GIB;
    assert_int_equal(tn_granule_cover(&map, far - GIB, 2 * GIB), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, far - 3 * GIB, 6 * GIB), TARN_OK); // around it
    tn_granule_put(&map, far, 1);
    tn_granule_put(&map, far + 2 * GIB, 2);
    assert_int_equal(tn_granule_get(&map, far), 1);
    assert_int_equal(tn_granule_get(&map, far + 2 * GIB), 2);
    assert_int_equal(tn_granule_get(&map, far + 4 * GIB), 0);
    tn_granule_destroy(&map);
}

// Returns the number of committed pages among evenly spaced ones with entries. The first has a
// header too.
static unsigned committed(const tn_granule *map) {
    enum { PAGES = 4096 };
    uint64_t bytes = map->first_count * sizeof *map->first;
    unsigned count = 0;
    for (uint64_t i = 0; i < PAGES; i++) {
        unsigned char resident = 0;
        uintptr_t at = (uintptr_t)map->first + bytes / PAGES * i;
        assert_int_equal(mincore((void *)(at & ~(uintptr_t)(getpagesize() - 1)), 1, &resident), 0);
        count += resident & 1;
    }
    return count;
}

static void a_long_range_commits_its_records_when_they_are_set(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 0, 128 * 1024 * GIB, 14), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, 0, 128 * 1024 * GIB), TARN_OK);
    assert_int_equal(committed(&map), 1);
    for (uint64_t at = 0; at < 128 * 1024 * GIB; at += 8 * 1024 * GIB) {
        tn_granule_put(&map, at, 7);
        assert_int_equal(tn_granule_get(&map, at), 7);
    }
    assert_int_equal(committed(&map), 16);
    assert_int_equal(tn_granule_cover(&map, GIB, GIB), TARN_OK); // it is covered already
    assert_int_equal(tn_granule_get(&map, 0), 7);
    tn_granule_destroy(&map);
}

static void ranges_of_one_place_are_not_mixed_up(void **state) {
    (void)state;
    tn_granule map;
    uint64_t here = UINT64_C(0x1010000002200000);
    uint64_t there = here + (UINT64_C(1) << 48); // 2^18 leaves of 2^16 granules of 2^14 further
    assert_int_equal(tn_granule_init(&map, 0, UINT64_MAX, 14), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, here, GIB), TARN_OK);
    tn_granule_put(&map, here, 1);
    assert_int_equal(tn_granule_get(&map, here), 1);
    assert_int_equal(tn_granule_get(&map, there), 0);
    assert_int_equal(tn_granule_cover(&map, there, GIB), TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tn_granule_cover(&map, here - GIB, UINT64_C(1) << 50), TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tn_granule_cover(&map, there + 2 * GIB, GIB), TARN_OK);
    tn_granule_put(&map, there + 2 * GIB, 2);
    assert_int_equal(tn_granule_get(&map, here), 1);
    tn_granule_destroy(&map);
}

// That it is faster cannot be claimed here; that it changes nothing can.
static void committing_changes_nothing(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 0, 8 * GIB, 14), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, GIB, 2 * GIB), TARN_OK);
    tn_granule_put(&map, 2 * GIB - 1, 5);
    tn_granule_commit(&map, GIB + 12345, 2 * GIB - 12345);
    tn_granule_commit(&map, 0, 8 * GIB); // covered or not
    assert_int_equal(tn_granule_get(&map, 2 * GIB - 1), 5);
    assert_int_equal(tn_granule_get(&map, 2 * GIB), 0);
    assert_int_equal(tn_granule_get(&map, 5 * GIB), 0);
    tn_granule_destroy(&map);
}

static void small_granules_and_odd_bases_work(void **state) {
    (void)state;
    tn_granule map;
    uint64_t base = UINT64_MAX - 99999;
    assert_int_equal(tn_granule_init(&map, base, 99999, 4), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, base, 99999), TARN_OK);
    for (uint64_t at = 0; at < 99999; at += 16) tn_granule_put(&map, base + at, (uint32_t)at + 1);
    for (uint64_t at = 0; at < 99999; at += 16)
        assert_int_equal(tn_granule_get(&map, base + at), at + 1);
    tn_granule_destroy(&map);
}

static void the_check_finds_damage(void **state) {
    (void)state;
    tn_granule map;
    assert_int_equal(tn_granule_init(&map, 0, 64 * GIB, 14), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, 0, GIB), TARN_OK);
    assert_int_equal(tn_granule_cover(&map, 9 * GIB, GIB), TARN_OK);
    assert_true(tn_granule_check(&map));
    atomic_store(&map.root[9].tag, 9); // another leaf
    assert_false(tn_granule_check(&map));
    atomic_store(&map.root[9].tag, 10);
    tn_granule_entry *leaf = atomic_exchange(&map.root[9].leaf, NULL);
    assert_false(tn_granule_check(&map));
    atomic_store(&map.root[9].leaf, leaf);
    atomic_store(&map.root[0].tag, 1); // found among the first leaves, too
    assert_false(tn_granule_check(&map));
    atomic_store(&map.root[0].tag, 0);
    atomic_fetch_add(&map.first_count, 1); // a part of a leaf
    assert_false(tn_granule_check(&map));
    atomic_fetch_sub(&map.first_count, 1);
    assert_true(tn_granule_check(&map));
    tn_granule_destroy(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_where_nothing_was_set),
        cmocka_unit_test(a_record_is_found_in_its_granule_only),
        cmocka_unit_test(a_range_is_set_whole),
        cmocka_unit_test(far_ranges_cost_only_what_is_covered),
        cmocka_unit_test(a_long_range_commits_its_records_when_they_are_set),
        cmocka_unit_test(ranges_of_one_place_are_not_mixed_up),
        cmocka_unit_test(committing_changes_nothing),
        cmocka_unit_test(small_granules_and_odd_bases_work),
        cmocka_unit_test(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
