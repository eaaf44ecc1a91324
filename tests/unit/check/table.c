// SPDX-License-Identifier: Apache-2.0
// Claims about arrays of records whose places are reused.
#include "check/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct tn_check_table table;

static int fini(void **state) {
    (void)state;
    tn_check_table_fini(&table);
    return 0;
}

static uint32_t add(uint64_t value) {
    uint32_t place = UINT32_MAX;
    assert_true(tn_check_table_add(&table, sizeof value, &place));
    uint64_t *record = (uint64_t *)table.records + place;
    assert_int_equal(*record, 0);
    *record = value;
    return place;
}

static void records_keep_their_places_while_the_table_grows(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(add(i + 1), i);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(((uint64_t *)table.records)[i], i + 1);
}

// add() asserts that the record is zeroed.
static void a_removed_place_is_reused_before_a_new_one(void **state) {
    (void)state;
    uint32_t first = add(1), second = add(2), third = add(3);
    tn_check_table_remove(&table, second);
    tn_check_table_remove(&table, first);
    uint32_t reused = add(4), again = add(5);
    assert_true((reused == first && again == second) || (reused == second && again == first));
    assert_int_equal(((uint64_t *)table.records)[third], 3);
    assert_int_equal(add(6), 3);
    assert_int_equal(table.count, 4);
}

static void all_places_can_be_removed_and_reused(void **state) {
    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 300; i++) (void)add(i + 1);
        assert_int_equal(table.count, 300);
        for (uint32_t i = 0; i < 300; i++) tn_check_table_remove(&table, i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(records_keep_their_places_while_the_table_grows, fini),
        cmocka_unit_test_teardown(a_removed_place_is_reused_before_a_new_one, fini),
        cmocka_unit_test_teardown(all_places_can_be_removed_and_reused, fini),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
