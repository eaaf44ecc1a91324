// SPDX-License-Identifier: Apache-2.0
// Claims about the records of a reservation, made without an index or a backend.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/address/map.c"

#define BASE ((tarn_addr)1 << 32)
#define PAGE ((uint64_t)1 << 16)

static struct tn_platform platform;
static struct tn_phys phys = {.platform = &platform};

// A reservation of 16 pages with `count` mappings of one page each, with a page between them.
static struct tn_region *new_space(size_t count) {
    struct tn_region *region = tn_region_new(TN_REGION_SPACE, &platform, NULL);
    assert_non_null(region);
    region->base = BASE;
    region->bytes = 16 * PAGE;
    tn_mutex_lock(&region->lock);
    assert_int_equal(reserve_records(region, count + 2), TARN_OK);
    for (size_t i = 0; i < count; i++) {
        tarn_addr at = BASE + 2 * i * PAGE;
        assert_int_equal(tn_interval_insert(&region->mappings, at, at + PAGE,
                                            (uint64_t)(uintptr_t)new_record(region, &phys)),
                         TARN_OK);
    }
    return region;
}

static struct tn_interval_entry first_of(const struct tn_region *region) {
    struct tn_interval_entry entry;
    assert_true(tn_interval_next(&region->mappings, 0, &entry));
    return entry;
}

static void free_space(struct tn_region *region) {
    while (tn_interval_count(&region->mappings) != 0) {
        struct tn_interval_entry entry = first_of(region);
        drop_record(region, tn_mapping_of(&entry));
        assert_true(tn_interval_remove(&region->mappings, entry.start, NULL));
    }
    tn_mutex_unlock(&region->lock);
    tn_region_free(region);
}

static void a_run_has_no_gap_and_no_cut(void **state) {
    (void)state;
    struct tn_region *region = new_space(3);
    struct tn_run run;
    assert_int_equal(tn_map_find_run(region, BASE + 2 * PAGE, PAGE, &run), TARN_OK);
    assert_int_equal(run.count, 1);
    assert_int_equal(tn_map_find_run(region, BASE, 3 * PAGE, &run), TARN_NOT_MAPPED);
    assert_int_equal(tn_map_find_run(region, BASE, PAGE / 2, &run), TARN_BAD_ADDRESS);
    free_space(region);
}

static void records_are_used_again(void **state) {
    (void)state;
    struct tn_region *region = new_space(0);
    struct tn_mapping *first = new_record(region, &phys);
    drop_record(region, first);
    assert_ptr_equal(new_record(region, &phys), first);
    drop_record(region, first);
    tn_region_keep_spares(region, 1);
    assert_int_equal(region->spares, 1);
    assert_true(is_sound(region));
    free_space(region);
}

static void a_reservation_with_a_wrong_record_is_not_sound(void **state) {
    (void)state;
    struct tn_platform other;
    struct tn_region *region = new_space(3);
    assert_true(is_sound(region));
    region->spares++; // more than the list has
    assert_false(is_sound(region));
    region->spares -= 2; // fewer
    assert_false(is_sound(region));
    region->spares++;
    phys.platform = &other;
    assert_false(is_sound(region));
    phys.platform = &platform;
    region->bytes = 4 * PAGE; // the last mapping lies outside
    assert_false(is_sound(region));
    region->bytes = 16 * PAGE;
    region->base += PAGE; // and the first one
    assert_false(is_sound(region));
    region->base -= PAGE;
    struct tn_interval_entry entry = first_of(region);
    tn_mapping_of(&entry)->next = region->spare; // a record that is also spare
    assert_false(is_sound(region));
    tn_mapping_of(&entry)->next = NULL;
    assert_true(is_sound(region));
    free_space(region);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_has_no_gap_and_no_cut),
        cmocka_unit_test(records_are_used_again),
        cmocka_unit_test(a_reservation_with_a_wrong_record_is_not_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
