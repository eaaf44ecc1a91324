// SPDX-License-Identifier: Apache-2.0
// The interval map: refused ranges, look-ups, and the consistency of a large map.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static size_t allocations_left = SIZE_MAX;

static void *scarce_malloc(size_t size) {
    if (allocations_left == 0) return NULL;
    allocations_left--;
    return malloc(size);
}

// Includes the source, so that allocations can be made to fail.
#define malloc scarce_malloc
#include "algo/interval.c"
#undef malloc

#include <cmocka.h>

static void assert_entry(const struct tn_interval_entry *e, uint64_t start, uint64_t end,
                         uint64_t value) {
    assert_int_equal(e->start, start);
    assert_int_equal(e->end, end);
    assert_int_equal(e->value, value);
}

static void put(struct tn_interval *map, uint64_t start, uint64_t end, uint64_t value) {
    assert_int_equal(tn_interval_insert(map, start, end, value), TARN_OK);
}

// [10,20)=1 [20,30)=2 [40,50)=3
static void put_three(struct tn_interval *map) {
    tn_interval_init(map);
    put(map, 40, 50, 3);
    put(map, 10, 20, 1);
    put(map, 20, 30, 2);
}

static void insert_refuses_overlap_and_changes_nothing(void **state) {
    (void)state;
    struct tn_interval map;
    put_three(&map);
    static const uint64_t bad[][2] = {{10, 20}, {5, 11}, {19, 20}, {12, 13}, {29, 35}, {0, 100}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(tn_interval_insert(&map, bad[i][0], bad[i][1], 9), TARN_BUSY);
    assert_int_equal(tn_interval_count(&map), 3);
    assert_true(tn_interval_check(&map));
    tn_interval_fini(&map);
}

static void insert_refuses_empty_and_backward_ranges(void **state) {
    (void)state;
    struct tn_interval map;
    tn_interval_init(&map);
    assert_int_equal(tn_interval_insert(&map, 5, 5, 0), TARN_BAD_ARGUMENT);
    assert_int_equal(tn_interval_insert(&map, 6, 5, 0), TARN_BAD_ARGUMENT);
    assert_int_equal(tn_interval_count(&map), 0);
    tn_interval_fini(&map);
}

static void find_takes_the_start_and_not_the_end(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    put_three(&map);
    assert_true(tn_interval_find(&map, 10, &e));
    assert_entry(&e, 10, 20, 1);
    assert_true(tn_interval_find(&map, 20, &e));
    assert_entry(&e, 20, 30, 2);
    assert_false(tn_interval_find(&map, 30, &e));
    assert_false(tn_interval_find(&map, 9, NULL));
    tn_interval_fini(&map);
}

static void neighbours_are_found_on_both_sides(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    put_three(&map);
    assert_true(tn_interval_next(&map, 30, &e));
    assert_entry(&e, 40, 50, 3);
    assert_false(tn_interval_next(&map, 50, &e));
    assert_true(tn_interval_prev(&map, 40, &e));
    assert_entry(&e, 20, 30, 2);
    assert_false(tn_interval_prev(&map, 10, &e));
    tn_interval_fini(&map);
}

static void an_empty_map_answers_no(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    tn_interval_init(&map);
    for (int round = 0; round < 2; round++) {
        assert_false(tn_interval_next(&map, 0, &e));
        assert_false(tn_interval_prev(&map, UINT64_MAX, &e));
        assert_false(tn_interval_remove(&map, 0, &e));
        assert_int_equal(tn_interval_remove_range(&map, 0, UINT64_MAX), 0);
        assert_false(tn_interval_covers_whole(&map, 0, 0, NULL));
        assert_true(tn_interval_covers(&map, 7, 7));
        assert_false(tn_interval_overlaps(&map, 0, UINT64_MAX));
        put(&map, 1, 2, 3); // and so does a map that has become empty
        assert_true(tn_interval_remove(&map, 1, NULL));
    }
    tn_interval_fini(&map);
}

static void remove_wants_the_exact_start(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    put_three(&map);
    assert_false(tn_interval_remove(&map, 11, &e));
    assert_true(tn_interval_remove(&map, 10, &e));
    assert_entry(&e, 10, 20, 1);
    assert_false(tn_interval_remove(&map, 10, &e));
    assert_int_equal(tn_interval_count(&map), 2);
    tn_interval_fini(&map);
}

static void remove_value_wants_the_start_and_the_value(void **state) {
    (void)state;
    struct tn_interval map;
    put_three(&map);
    assert_false(tn_interval_remove_value(&map, 11, 1));
    assert_false(tn_interval_remove_value(&map, 10, 2));
    assert_int_equal(tn_interval_count(&map), 3);
    assert_true(tn_interval_remove_value(&map, 10, 1));
    assert_false(tn_interval_find(&map, 10, NULL));
    assert_int_equal(tn_interval_count(&map), 2);
    tn_interval_fini(&map);
}

static void remove_range_keeps_what_sticks_out(void **state) {
    (void)state;
    struct tn_interval map;
    put_three(&map);
    assert_int_equal(tn_interval_remove_range(&map, 11, 49), 1);
    assert_true(tn_interval_find(&map, 15, NULL));
    assert_false(tn_interval_find(&map, 25, NULL));
    assert_true(tn_interval_find(&map, 45, NULL));
    tn_interval_fini(&map);
}

static void set_replaces_the_value_only(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    put_three(&map);
    assert_true(tn_interval_set(&map, 20, 77));
    assert_false(tn_interval_set(&map, 21, 78));
    assert_true(tn_interval_find(&map, 25, &e));
    assert_entry(&e, 20, 30, 77);
    struct tn_interval_cursor at = tn_interval_seek(&map, 20);
    assert_true(tn_interval_step(&at, &e));
    tn_interval_cursor_set(&at, 99);
    assert_true(tn_interval_find(&map, 20, &e));
    assert_int_equal(e.value, 99);
    tn_interval_fini(&map);
}

static void whole_runs_have_no_gap_and_no_cut(void **state) {
    (void)state;
    struct tn_interval map;
    uint64_t count = 0;
    put_three(&map);
    assert_true(tn_interval_covers_whole(&map, 10, 30, &count));
    assert_int_equal(count, 2);
    assert_true(tn_interval_covers_whole(&map, 20, 30, NULL));
    static const uint64_t bad[][2] = {{10, 29}, {11, 30}, {10, 50}, {9, 30}, {10, 31}, {10, 10}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(tn_interval_covers_whole(&map, bad[i][0], bad[i][1], &count));
    assert_int_equal(count, 2);
    tn_interval_fini(&map);
}

static void covers_may_cut_entries_but_not_cross_a_gap(void **state) {
    (void)state;
    struct tn_interval map;
    put_three(&map);
    assert_true(tn_interval_covers(&map, 11, 29));
    assert_false(tn_interval_covers(&map, 11, 31));
    assert_false(tn_interval_covers(&map, 25, 45));
    assert_false(tn_interval_covers(&map, 9, 12));
    tn_interval_fini(&map);
}

static void gap_is_the_lowest_aligned_one(void **state) {
    (void)state;
    struct tn_interval map;
    uint64_t at = 0;
    put_three(&map);
    assert_true(tn_interval_gap(&map, 0, 100, 10, 1, &at));
    assert_int_equal(at, 0);
    assert_true(tn_interval_gap(&map, 5, 100, 10, 1, &at));
    assert_int_equal(at, 30);
    assert_true(tn_interval_gap(&map, 5, 100, 10, 16, &at));
    assert_int_equal(at, 64);
    assert_false(tn_interval_gap(&map, 5, 55, 11, 1, &at));
    assert_true(tn_interval_gap(&map, UINT64_MAX - 10, UINT64_MAX, 10, 1, &at));
    assert_false(tn_interval_gap(&map, UINT64_MAX - 10, UINT64_MAX, 1, 4096, &at));
    tn_interval_fini(&map);
}

static void the_top_of_the_numbers_can_be_used(void **state) {
    (void)state;
    struct tn_interval map;
    tn_interval_init(&map);
    put(&map, UINT64_MAX - 1, UINT64_MAX, 1);
    put(&map, 0, 1, 2);
    assert_true(tn_interval_find(&map, UINT64_MAX - 1, NULL));
    assert_false(tn_interval_find(&map, UINT64_MAX, NULL));
    assert_true(tn_interval_check(&map));
    tn_interval_fini(&map);
}

// ---- many entries

#define MANY 50000u

// Returns a permutation of 0 .. MANY-1: multiplication by a number coprime to MANY.
static uint64_t scattered(uint64_t i) { return i * 7919 % MANY; }

static void fill(struct tn_interval *map, uint64_t (*place)(uint64_t)) {
    tn_interval_init(map);
    for (uint64_t i = 0; i < MANY; i++) put(map, place(i) * 3, place(i) * 3 + 3, place(i));
    assert_int_equal(tn_interval_count(map), MANY);
    assert_true(tn_interval_check(map));
}

static void a_scattered_fill_is_one_run_in_order(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    uint64_t count = 0;
    fill(&map, scattered);
    assert_true(tn_interval_covers_whole(&map, 0, 3 * MANY, &count));
    assert_int_equal(count, MANY);
    struct tn_interval_cursor at = tn_interval_seek(&map, 0);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(tn_interval_step(&at, &e));
        assert_entry(&e, i * 3, i * 3 + 3, i);
    }
    assert_false(tn_interval_step(&at, &e));
    tn_interval_fini(&map);
}

static void a_scattered_emptying_stays_sound(void **state) {
    (void)state;
    struct tn_interval map;
    fill(&map, scattered);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(tn_interval_remove(&map, scattered(MANY - 1 - i) * 3, NULL));
        if (i % 5000 == 0) assert_true(tn_interval_check(&map));
    }
    assert_int_equal(tn_interval_count(&map), 0);
    assert_true(tn_interval_check(&map));
    tn_interval_fini(&map);
}

static uint64_t in_order(uint64_t i) { return i; }

static void ranges_are_removed_across_many_nodes(void **state) {
    (void)state;
    struct tn_interval map;
    fill(&map, in_order);
    assert_int_equal(tn_interval_remove_range(&map, 3001, 120001), 39999 - 1000);
    assert_true(tn_interval_check(&map));
    assert_true(tn_interval_find(&map, 3001, NULL));
    assert_false(tn_interval_find(&map, 3003, NULL));
    assert_true(tn_interval_find(&map, 120000, NULL));
    tn_interval_fini(&map);
}

static void a_map_filled_in_address_order_is_packed(void **state) {
    (void)state;
    struct tn_interval map;
    fill(&map, in_order);
    assert_true(map.nodes[0] <= MANY / 64 + 1);
    tn_interval_fini(&map);
}

static void a_gap_filled_downwards_leaves_no_thin_nodes(void **state) {
    (void)state;
    struct tn_interval map;
    tn_interval_init(&map);
    for (uint64_t i = 0; i < 64 * 15; i++) // so many that the last leaf is full
        put(&map, i, i + 1, 0);
    put(&map, 1000000, 1000001, 0);
    for (uint64_t i = 0; i < MANY; i++) put(&map, 900000 - i, 900001 - i, 0);
    assert_true(tn_interval_check(&map));
    assert_true(map.nodes[0] <= 16 + MANY / 30);
    tn_interval_fini(&map);
}

// At each border between nodes the entry before the cursor is in another one.
static void a_cursor_finds_the_entry_before_it(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    fill(&map, in_order);
    for (uint64_t i = 0; i < 1000; i++) {
        struct tn_interval_cursor at = tn_interval_seek(&map, i * 3 + 1);
        assert_int_equal(tn_interval_cursor_prev(&at, &e), i > 0);
        if (i > 0) assert_entry(&e, i * 3 - 3, i * 3, i - 1);
        assert_true(tn_interval_step(&at, &e));
        assert_int_equal(e.value, i);
    }
    tn_interval_fini(&map);
}

// The leaf of the last change answers for others only where no other leaf could.
static void a_look_up_beside_the_last_change_is_right(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    fill(&map, in_order);
    for (uint64_t i = 1; i < 500; i++) {
        assert_true(tn_interval_set(&map, i * 3, i));
        for (uint64_t k = i > 70 ? i - 70 : 0; k < i + 70; k++) {
            assert_true(tn_interval_find(&map, k * 3 + 2, &e));
            assert_entry(&e, k * 3, k * 3 + 3, k);
        }
        assert_int_equal(tn_interval_remove_range(&map, i * 3, i * 3 + 3), 1);
        assert_false(tn_interval_find(&map, i * 3, NULL));
        assert_true(tn_interval_next(&map, i * 3, &e));
        assert_int_equal(e.value, i + 1);
        put(&map, i * 3, i * 3 + 3, i);
    }
    assert_true(tn_interval_check(&map));
    tn_interval_fini(&map);
}

static uint64_t backwards(uint64_t i) { return MANY - 1 - i; }

// Removes all but ten entries, in each of three orders.
static void memory_comes_back_as_entries_go(void **state) {
    (void)state;
    static uint64_t (*const order[])(uint64_t) = {in_order, backwards, scattered};
    for (size_t o = 0; o < 3; o++) {
        struct tn_interval map;
        fill(&map, in_order);
        for (uint64_t i = 0; i < MANY - 10; i++)
            assert_true(tn_interval_remove(&map, order[o](i) * 3, NULL));
        assert_true(map.nodes[0] <= 4);
        assert_true(map.spares <= 16);
        assert_true(tn_interval_check(&map));
        tn_interval_fini(&map);
    }
}

static void an_entry_may_reach_over_where_another_began(void **state) {
    (void)state;
    struct tn_interval map;
    struct tn_interval_entry e;
    // At the start of each node: its first entry is removed, and the previous one grows there.
    for (uint64_t i = 1; i < 600; i++) {
        tn_interval_init(&map);
        for (uint64_t k = 0; k < 600; k++) put(&map, k * 3, k * 3 + 3, k);
        assert_true(tn_interval_remove(&map, i * 3, NULL));
        assert_true(tn_interval_remove(&map, i * 3 - 3, NULL));
        put(&map, i * 3 - 3, i * 3 + 2, 7);
        assert_true(tn_interval_find(&map, i * 3 + 1, &e));
        assert_entry(&e, i * 3 - 3, i * 3 + 2, 7);
        assert_int_equal(tn_interval_insert(&map, i * 3 + 1, i * 3 + 3, 0), TARN_BUSY);
        tn_interval_fini(&map);
    }
}

static void prepared_insertions_take_no_memory(void **state) {
    (void)state;
    struct tn_interval map;
    fill(&map, in_order);
    assert_true(tn_interval_reserve(&map, MANY));
    uint64_t nodes = map.spares + map.nodes[0] + map.nodes[1] + map.nodes[2] + map.nodes[3];
    for (uint64_t i = 0; i + 1 < MANY; i++)
        put(&map, 3 * MANY + scattered(i), 3 * MANY + scattered(i) + 1, i);
    // One insertion is still reserved, so no node was freed, and none may have been allocated.
    assert_int_equal(map.spares + map.nodes[0] + map.nodes[1] + map.nodes[2] + map.nodes[3], nodes);
    assert_true(map.spares > 16);
    put(&map, 5 * MANY, 5 * MANY + 1, 0); // the last one: what is left over goes
    assert_true(map.spares <= 16);
    tn_interval_fini(&map);
}

static void a_promise_holds_from_the_very_first_entry(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 5000; n = n * 3 / 2 + 1) {
        struct tn_interval map;
        tn_interval_init(&map);
        assert_true(tn_interval_reserve(&map, n));
        uint64_t nodes = map.spares;
        for (uint64_t i = 0; i + 1 < n; i++) {
            put(&map, 2 * n - 2 * i, 2 * n - 2 * i + 1, 0);
            assert_int_equal(map.spares + map.nodes[0] + map.nodes[1] + map.nodes[2], nodes);
        }
        tn_interval_fini(&map);
    }
}

static uint64_t nodes_of(const struct tn_interval *map) {
    return map->spares + map->nodes[0] + map->nodes[1] + map->nodes[2];
}

static void a_promise_holds_where_every_node_is_full(void **state) {
    (void)state;
    for (uint64_t leaves = 1; leaves <= 100; leaves += 9) {
        struct tn_interval map;
        tn_interval_init(&map);
        for (uint64_t i = 0; i < leaves * 64; i++) put(&map, i * 10, i * 10 + 1, 0);
        assert_true(tn_interval_reserve(&map, leaves));
        uint64_t nodes = nodes_of(&map);
        for (uint64_t i = 0; i < leaves; i++) { // splits each leaf
            put(&map, i * 640 + 5, i * 640 + 6, 0);
            assert_true(nodes_of(&map) <= nodes);
        }
        tn_interval_fini(&map);
    }
}

static void without_memory_nothing_changes(void **state) {
    (void)state;
    struct tn_interval map;
    tn_interval_init(&map);
    allocations_left = 0;
    assert_int_equal(tn_interval_insert(&map, 0, 1, 0), TARN_NO_HOST_MEMORY);
    assert_int_equal(tn_interval_count(&map), 0);
    allocations_left = SIZE_MAX;
    for (uint64_t i = 0; i < (uint64_t)64 * 64; i++) // full in both levels
        put(&map, i * 10, i * 10 + 1, i);
    for (size_t given = 0; given < 3; given++) { // a split of both takes three nodes
        allocations_left = given;
        assert_int_equal(tn_interval_insert(&map, 5, 6, 0), TARN_NO_HOST_MEMORY);
        assert_false(tn_interval_reserve(&map, 1000));
        trim_spares(&map, 0);
        assert_int_equal(tn_interval_count(&map), 64 * 64);
        assert_false(tn_interval_find(&map, 5, NULL));
        assert_true(tn_interval_check(&map));
    }
    allocations_left = SIZE_MAX;
    put(&map, 5, 6, 0);
    assert_true(tn_interval_check(&map));
    tn_interval_fini(&map);
}

static void finishing_twice_is_harmless(void **state) {
    (void)state;
    struct tn_interval map = {0};
    tn_interval_fini(&map);
    put_three(&map);
    tn_interval_fini(&map);
    tn_interval_fini(&map);
}

static void the_check_finds_damage(void **state) {
    (void)state;
    struct tn_interval map;
    tn_interval_init(&map);
    for (uint64_t i = 0; i < 1000; i++) put(&map, i * 10, i * 10 + 1, i);
    assert_true(tn_interval_check(&map) && map.height == 1);
    struct tn_interval_node *leaf = map.root->of.child[1];
    uint64_t *const numbers[] = {&map.count,    &map.spares,     &map.nodes[0],
                                 &leaf->end[3], &leaf->start[3], &map.root->start[1]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t before = *numbers[i];
        *numbers[i] = before + 1000;
        assert_false(tn_interval_check(&map));
        *numbers[i] = before;
    }
    struct tn_interval_node *next = leaf->next;
    leaf->next = next->next; // a leaf that no walk visits
    assert_false(tn_interval_check(&map));
    leaf->next = next;
    assert_true(tn_interval_check(&map));
    tn_interval_fini(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insert_refuses_overlap_and_changes_nothing),
        cmocka_unit_test(insert_refuses_empty_and_backward_ranges),
        cmocka_unit_test(find_takes_the_start_and_not_the_end),
        cmocka_unit_test(neighbours_are_found_on_both_sides),
        cmocka_unit_test(an_empty_map_answers_no),
        cmocka_unit_test(remove_wants_the_exact_start),
        cmocka_unit_test(remove_value_wants_the_start_and_the_value),
        cmocka_unit_test(remove_range_keeps_what_sticks_out),
        cmocka_unit_test(set_replaces_the_value_only),
        cmocka_unit_test(whole_runs_have_no_gap_and_no_cut),
        cmocka_unit_test(covers_may_cut_entries_but_not_cross_a_gap),
        cmocka_unit_test(gap_is_the_lowest_aligned_one),
        cmocka_unit_test(the_top_of_the_numbers_can_be_used),
        cmocka_unit_test(a_scattered_fill_is_one_run_in_order),
        cmocka_unit_test(a_scattered_emptying_stays_sound),
        cmocka_unit_test(ranges_are_removed_across_many_nodes),
        cmocka_unit_test(a_cursor_finds_the_entry_before_it),
        cmocka_unit_test(a_look_up_beside_the_last_change_is_right),
        cmocka_unit_test(a_map_filled_in_address_order_is_packed),
        cmocka_unit_test(a_gap_filled_downwards_leaves_no_thin_nodes),
        cmocka_unit_test(an_entry_may_reach_over_where_another_began),
        cmocka_unit_test(a_promise_holds_from_the_very_first_entry),
        cmocka_unit_test(a_promise_holds_where_every_node_is_full),
        cmocka_unit_test(memory_comes_back_as_entries_go),
        cmocka_unit_test(prepared_insertions_take_no_memory),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(finishing_twice_is_harmless),
        cmocka_unit_test(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
