// SPDX-License-Identifier: Apache-2.0
// The checker's tables when the host has no memory left: a refused addition changes nothing, and
// missing knowledge is never reported as a race. The program replaces malloc()'s functions, which a
// sanitizer does not allow.
#include <errno.h>
#include <stdio.h>

#include "check/addresses.h"
#include "check/cover.h"
#include "check/handle_map.h"
#include "check/ledger.h"
#include "check/table.h"
#include "check/written.h"
#include "support/exhaust.h"
#include "unit/check/world.h"

#if CAN_REPLACE_MALLOC

static int with_memory(void **state) {
    exhausted = false;
    return fresh(state);
}

static void a_table_that_cannot_grow_keeps_its_records(void **state) {
    (void)state;
    struct tn_check_table table = {0};
    uint32_t place = 0;
    uint32_t count = 0;
    for (; count < 64; count++) { // its first capacity
        assert_true(tn_check_table_add(&table, sizeof(uint64_t), &place));
        ((uint64_t *)table.records)[place] = count;
    }
    exhausted = true;
    assert_false(tn_check_table_add(&table, sizeof(uint64_t), &place));
    exhausted = false;
    assert_int_equal(table.count, 64);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(((uint64_t *)table.records)[i], i);
    tn_check_table_remove(&table, 7);
    exhausted = true; // a removed place needs no memory, and comes back zeroed
    assert_true(tn_check_table_add(&table, sizeof(uint64_t), &place));
    exhausted = false;
    assert_int_equal(place, 7);
    assert_int_equal(((uint64_t *)table.records)[7], 0);
    tn_check_table_fini(&table);
}

static void a_map_that_cannot_grow_keeps_its_entries(void **state) {
    (void)state;
    struct tn_check_handle_map map = {0};
    uint32_t value = 0;
    uint64_t refused = 0;
    assert_true(tn_check_handle_map_set(&map, 1, 1, 1));
    exhausted = true;
    for (uint64_t handle = 2; refused == 0; handle++)
        refused = tn_check_handle_map_set(&map, 1, handle, (uint32_t)handle) ? 0 : handle;
    exhausted = false;
    assert_false(tn_check_handle_map_find(&map, 1, refused, &value));
    for (uint64_t handle = 1; handle < refused; handle++) {
        assert_true(tn_check_handle_map_find(&map, 1, handle, &value));
        assert_int_equal(value, handle);
    }
    tn_check_handle_map_fini(&map);
}

static void an_address_that_was_refused_can_be_made_later(void **state) {
    (void)state;
    struct tn_check_addresses addresses = {0};
    struct tn_check_addresses_part *part = tn_check_addresses_take(&addresses, 0, BASE, false);
    exhausted = true;
    assert_null(tn_check_addresses_make(part, 0, BASE));
    exhausted = false;
    assert_null(tn_check_addresses_find(part, 0, BASE));
    struct tn_check_address *entry = tn_check_addresses_make(part, 0, BASE);
    assert_non_null(entry);
    assert_ptr_equal(tn_check_addresses_find(part, 0, BASE), entry);
    assert_int_equal(entry->generation, 0);
    tn_check_addresses_fini(&addresses);
}

// The table of entries still has room, so that the group alone finds no memory.
static void a_cover_without_memory_for_a_group_keeps_its_spans(void **state) {
    (void)state;
    struct tn_check_cover cover;
    struct tn_check_span first = {10, 20, NULL};
    struct tn_check_span second = {15, 30, NULL};
    tn_check_cover_init(&cover);
    assert_true(tn_check_cover_add(&cover, &first));
    assert_true(tn_interval_reserve(&cover.entries, 1));
    exhausted = true;
    assert_false(tn_check_cover_add(&cover, &second));
    exhausted = false;
    assert_int_equal(cover.count, 1);
    assert_ptr_equal(tn_check_cover_at(&cover, 15), &first);
    assert_null(tn_check_cover_at(&cover, 25));
    assert_true(tn_check_cover_add(&cover, &second));
    assert_ptr_equal(tn_check_cover_at(&cover, 15), &second);
    tn_check_cover_remove(&cover, &second);
    tn_check_cover_fini(&cover);
}

static void a_resource_that_could_not_be_entered_is_no_leak(void **state) {
    (void)state;
    static struct tn_check_ledger ledger;
    const struct tn_check_resource resource = {.what = TN_MEM_MEMORY, .addr = BASE, .bytes = 64};
    exhausted = true;
    tn_check_ledger_begin(&ledger, &resource);
    exhausted = false;
    assert_null(tn_check_ledger_find_live(&ledger, TN_MEM_MEMORY, &resource));
    assert_false(tn_check_ledger_end(&ledger, &resource));
    tn_check_ledger_begin(&ledger, &resource);
    assert_non_null(tn_check_ledger_find_live(&ledger, TN_MEM_MEMORY, &resource));
    tn_check_ledger_fini(&ledger);
}

static void written_bytes_without_memory_count_too_many(void **state) {
    (void)state;
    struct tn_check_written written = {0};
    tn_check_written_add(&written, 100, 110);
    tn_check_written_add(&written, 150, 160);
    exhausted = true;
    tn_check_written_add(&written, 200, 210);
    exhausted = false;
    assert_true(tn_check_written_covers(&written, 100, 210, NULL, NULL));
    assert_false(tn_check_written_touches(&written, 300, 310));
    tn_check_written_fini(&written);
}

// A set that cannot grow is given up, and every byte counts as written.
static void a_set_of_runs_without_memory_counts_all(void **state) {
    (void)state;
    struct tn_check_written written = {0};
    tn_check_written_add(&written, 100, 110);
    tn_check_written_add(&written, 200, 210);
    tn_check_written_add(&written, 300, 310);
    assert_non_null(written.more);
    exhausted = true;
    for (uint64_t i = 4; i < 1000 && written.more != NULL; i++)
        tn_check_written_add(&written, 100 * i, 100 * i + 10);
    exhausted = false;
    assert_null(written.more);
    assert_true(tn_check_written_covers(&written, 0, UINT64_MAX, NULL, NULL));
    tn_check_written_fini(&written);
}

static void rows_without_memory_count_as_written(void **state) {
    (void)state;
    struct tn_check_written written = {0};
    const struct tn_check_rows rows = {.lo = 100, .bytes = 4, .pitch = 8, .count = 3};
    tn_check_written_add(&written, 100, 101);
    exhausted = true;
    tn_check_written_add_rows(&written, &rows);
    exhausted = false;
    for (uint64_t at = 100; at < 124; at += 8)
        assert_true(tn_check_written_covers(&written, at, at + 4, NULL, NULL));
    tn_check_written_fini(&written);
}

// Two streams write the same bytes without an order. The wait that would order them is lost for
// want of memory, so no race may be reported.
static void a_lost_wait_is_not_reported_as_a_race(void **state) {
    (void)state;
    options.order = true;
    EMIT(.kind = TN_MEM_STREAM_BEGIN, .stream = 1);
    EMIT(.kind = TN_MEM_STREAM_BEGIN, .stream = 2);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = BASE, .bytes = 64, .stream = 1);
    exhausted = true;
    EMIT(.kind = TN_MEM_EVENT_RECORD, .stream = 1, .object = 9);
    exhausted = false;
    EMIT(.kind = TN_MEM_STREAM_WAIT, .stream = 2, .object = 9);
    EMIT(.kind = TN_MEM_ACCESS, .flags = TN_MEM_WRITE, .addr = BASE, .bytes = 64, .stream = 2);
    expect_none();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_table_that_cannot_grow_keeps_its_records, with_memory),
        cmocka_unit_test_setup(a_map_that_cannot_grow_keeps_its_entries, with_memory),
        cmocka_unit_test_setup(an_address_that_was_refused_can_be_made_later, with_memory),
        cmocka_unit_test_setup(a_cover_without_memory_for_a_group_keeps_its_spans, with_memory),
        cmocka_unit_test_setup(a_resource_that_could_not_be_entered_is_no_leak, with_memory),
        cmocka_unit_test_setup(written_bytes_without_memory_count_too_many, with_memory),
        cmocka_unit_test_setup(a_set_of_runs_without_memory_counts_all, with_memory),
        cmocka_unit_test_setup(rows_without_memory_count_as_written, with_memory),
        cmocka_unit_test_setup(a_lost_wait_is_not_reported_as_a_race, with_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    puts("skipped: the sanitizer replaces malloc() itself");
    return 77;
}

#endif
