// SPDX-License-Identifier: Apache-2.0
// The slot table: live handles are found, all others are refused, and no handle is issued twice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int no_memory;

static void *scarce_realloc(void *old, size_t size) {
    return no_memory ? NULL : realloc(old, size);
}

// Includes the source, to age a slot by 2^32 reuses and to make allocations fail.
#define realloc scarce_realloc
#include "algo/slots.c"
#undef realloc

#include <cmocka.h>

static uint64_t put(struct tn_slots *table, uint64_t payload) {
    uint64_t handle = 0;
    assert_int_equal(tn_slots_insert(table, payload, &handle), TARN_OK);
    assert_true(tn_slots_check(table));
    return handle;
}

static void a_live_handle_gives_its_payload(void **state) {
    (void)state;
    struct tn_slots table;
    uint64_t payload = 0;
    tn_slots_init(&table, 3, 0);
    uint64_t a = put(&table, 111);
    uint64_t b = put(&table, 222);
    assert_int_not_equal(a, b);
    assert_true(tn_slots_get(&table, a, &payload));
    assert_int_equal(payload, 111);
    assert_true(tn_slots_get(&table, b, &payload));
    assert_int_equal(payload, 222);
    tn_slots_fini(&table);
}

static void the_layout_is_generation_kind_slot(void **state) {
    (void)state;
    struct tn_slots table;
    tn_slots_init(&table, 5, 0);
    assert_int_equal(put(&table, 0), 0x150000000u);
    assert_int_equal(put(&table, 0), 0x150000001u);
    assert_true(tn_slots_remove(&table, 0x150000001u, NULL));
    assert_int_equal(put(&table, 0), 0x250000001u);
    tn_slots_fini(&table);
}

static void zero_is_never_a_handle(void **state) {
    (void)state;
    struct tn_slots table;
    tn_slots_init(&table, 0, 0);
    assert_int_not_equal(put(&table, 1), 0);
    assert_false(tn_slots_get(&table, 0, NULL));
    tn_slots_fini(&table);
}

static void a_stale_handle_is_refused_even_when_its_slot_is_reused(void **state) {
    (void)state;
    struct tn_slots table;
    uint64_t payload = 0;
    tn_slots_init(&table, 1, 0);
    uint64_t old = put(&table, 10);
    assert_true(tn_slots_remove(&table, old, &payload));
    assert_int_equal(payload, 10);
    assert_false(tn_slots_get(&table, old, &payload));
    uint64_t young = put(&table, 20);
    assert_int_equal(young & SLOT_MASK, old & SLOT_MASK);
    assert_false(tn_slots_get(&table, old, &payload));
    assert_false(tn_slots_remove(&table, old, &payload));
    assert_true(tn_slots_get(&table, young, &payload));
    assert_int_equal(payload, 20);
    tn_slots_fini(&table);
}

static void a_handle_of_another_kind_is_refused(void **state) {
    (void)state;
    struct tn_slots one;
    struct tn_slots two;
    tn_slots_init(&one, 1, 0);
    tn_slots_init(&two, 2, 0);
    uint64_t a = put(&one, 1);
    uint64_t b = put(&two, 2);
    assert_false(tn_slots_get(&one, b, NULL));
    assert_false(tn_slots_get(&two, a, NULL));
    tn_slots_fini(&one);
    tn_slots_fini(&two);
}

static void a_handle_never_issued_is_refused(void **state) {
    (void)state;
    struct tn_slots table;
    tn_slots_init(&table, 1, 0);
    uint64_t a = put(&table, 1);
    assert_false(tn_slots_get(&table, a + 1, NULL));
    assert_false(tn_slots_get(&table, UINT64_MAX, NULL));
    assert_true(tn_slots_remove(&table, a, NULL));
    // The generation of the next handle, before it is issued.
    assert_false(tn_slots_get(&table, a + ((uint64_t)1 << 32), NULL));
    tn_slots_fini(&table);
}

static void an_aged_slot_is_retired(void **state) {
    (void)state;
    struct tn_slots table;
    tn_slots_init(&table, 1, 0);
    uint64_t a = put(&table, 1);
    assert_true(tn_slots_remove(&table, a, NULL));
    table.slot[0].generation = UINT32_MAX;
    uint64_t last = put(&table, 2);
    assert_int_equal(last >> 32, UINT32_MAX);
    assert_true(tn_slots_remove(&table, last, NULL));
    assert_true(tn_slots_check(&table));
    assert_int_equal(put(&table, 3) & SLOT_MASK, 1);
    assert_false(tn_slots_get(&table, last, NULL));
    tn_slots_fini(&table);
}

static void the_limit_is_its_own_status_and_changes_nothing(void **state) {
    (void)state;
    struct tn_slots table;
    uint64_t handle = 77;
    tn_slots_init(&table, 1, 20);
    uint64_t first = put(&table, 0);
    for (uint64_t i = 1; i < 20; i++) (void)put(&table, i);
    assert_int_equal(tn_slots_insert(&table, 1, &handle), TARN_NO_HANDLES);
    assert_int_equal(handle, 77);
    assert_int_equal(tn_slots_count(&table), 20);
    assert_true(tn_slots_remove(&table, first, NULL));
    (void)put(&table, 99);
    tn_slots_fini(&table);
}

static void without_memory_nothing_changes(void **state) {
    (void)state;
    struct tn_slots table;
    uint64_t handle = 77;
    tn_slots_init(&table, 1, 0);
    for (uint64_t i = 0; i < FIRST_LENGTH; i++) (void)put(&table, i);
    no_memory = 1;
    assert_int_equal(tn_slots_insert(&table, 1, &handle), TARN_NO_HOST_MEMORY);
    no_memory = 0;
    assert_int_equal(handle, 77);
    assert_int_equal(tn_slots_count(&table), FIRST_LENGTH);
    assert_true(tn_slots_check(&table));
    (void)put(&table, 1);
    tn_slots_fini(&table);
}

static void a_walk_gives_each_live_slot_once(void **state) {
    (void)state;
    struct tn_slots table;
    uint64_t handle[100];
    tn_slots_init(&table, 1, 0);
    for (uint64_t i = 0; i < 100; i++) handle[i] = put(&table, i);
    for (uint64_t i = 0; i < 100; i += 3) assert_true(tn_slots_remove(&table, handle[i], NULL));
    uint64_t seen[100] = {0};
    uint32_t position = 0;
    uint64_t h;
    uint64_t payload;
    while (tn_slots_next(&table, &position, &h, &payload)) {
        assert_int_equal(h, handle[payload]);
        seen[payload]++;
    }
    for (uint64_t i = 0; i < 100; i++) assert_int_equal(seen[i], i % 3 == 0 ? 0 : 1);
    tn_slots_fini(&table);
}

static void pointers_survive_the_round_trip(void **state) {
    (void)state;
    int x = 0;
    assert_ptr_equal(tn_slots_to_pointer(tn_slots_from_pointer(&x)), &x);
}

static void an_empty_or_zeroed_table_answers_no(void **state) {
    (void)state;
    struct tn_slots zeroed = {0};
    struct tn_slots table;
    uint32_t position = 0;
    uint64_t handle;
    uint64_t payload;
    tn_slots_init(&table, 1, 0);
    assert_false(tn_slots_get(&table, (uint64_t)1 << 32, NULL));
    assert_false(tn_slots_next(&table, &position, &handle, &payload));
    assert_true(tn_slots_check(&table));
    tn_slots_fini(&table);
    tn_slots_fini(&zeroed);
}

static void the_check_finds_damage(void **state) {
    (void)state;
    struct tn_slots table;
    uint64_t handle[3];
    tn_slots_init(&table, 1, 0);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(tn_slots_insert(&table, i, &handle[i]), TARN_OK);
    assert_true(tn_slots_remove(&table, handle[1], NULL));
    uint32_t *const numbers[] = {&table.live, &table.free, &table.used};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint32_t before = *numbers[i];
        *numbers[i] = before + 1;
        assert_false(tn_slots_check(&table));
        *numbers[i] = before;
    }
    assert_true(tn_slots_check(&table));
    tn_slots_fini(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_live_handle_gives_its_payload),
        cmocka_unit_test(the_layout_is_generation_kind_slot),
        cmocka_unit_test(zero_is_never_a_handle),
        cmocka_unit_test(a_stale_handle_is_refused_even_when_its_slot_is_reused),
        cmocka_unit_test(a_handle_of_another_kind_is_refused),
        cmocka_unit_test(a_handle_never_issued_is_refused),
        cmocka_unit_test(an_aged_slot_is_retired),
        cmocka_unit_test(the_limit_is_its_own_status_and_changes_nothing),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(a_walk_gives_each_live_slot_once),
        cmocka_unit_test(pointers_survive_the_round_trip),
        cmocka_unit_test(an_empty_or_zeroed_table_answers_no),
        cmocka_unit_test(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
