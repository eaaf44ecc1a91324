// SPDX-License-Identifier: Apache-2.0
// Claims about the table of parcels at the peer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "channel/channel.h"

#define COUNT 8u

static struct tn_transits table;

static int setup(void **state) {
    (void)state;
    return tn_transits_init(&table, COUNT) == TARN_OK ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    tn_transits_fini(&table);
    return 0;
}

static void table_holds_what_it_was_made_for(void **state) {
    uint32_t seen = 0;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(tn_transits_have(&table, 1));
        seen |= 1u << tn_transit_take(&table, i);
    }
    assert_int_equal(seen, (1u << COUNT) - 1);
    assert_false(tn_transits_have(&table, 1));
    assert_true(tn_transits_have(&table, 0));
}

static void last_one_ended_is_taken_next(void **state) {
    (void)state;
    uint32_t a = tn_transit_take(&table, 1);
    uint32_t b = tn_transit_take(&table, 2);
    tn_transit_end(&table, a);
    tn_transit_end(&table, b);
    assert_int_equal(tn_transit_take(&table, 3), b);
    assert_int_equal(tn_transit_take(&table, 4), a);
    assert_int_equal(table.used, 2);
}

static void transit_is_known_by_number_and_generation(void **state) {
    (void)state;
    uint32_t a = tn_transit_take(&table, 17);
    uint32_t generation = table.table[a].generation;
    assert_int_equal(tn_transit_find(&table, a, generation)->page, 17);
    assert_null(tn_transit_find(&table, a, generation + 1));
    assert_null(tn_transit_find(&table, COUNT, generation));
    assert_null(tn_transit_find(&table, UINT32_MAX, generation));
    tn_transit_end(&table, a);
    assert_null(tn_transit_find(&table, a, generation));
    assert_int_equal(tn_transit_take(&table, 18), a);
    assert_null(tn_transit_find(&table, a, generation));
    assert_non_null(tn_transit_find(&table, a, generation + 1));
}

static void the_check_finds_damage(void **state) {
    (void)state;
    uint32_t a = tn_transit_take(&table, 1);
    assert_true(tn_transits_check(&table));
    table.used++;
    assert_false(tn_transits_check(&table));
    table.used--;
    uint32_t first = table.first;
    table.first = a; // the list begins with an entry in use
    assert_false(tn_transits_check(&table));
    table.first = first;
    uint32_t next = table.table[first].next;
    table.table[first].next = first; // a circle
    assert_false(tn_transits_check(&table));
    table.table[first].next = COUNT + 1; // beyond the table
    assert_false(tn_transits_check(&table));
    table.table[first].next = next;
    assert_true(tn_transits_check(&table));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(table_holds_what_it_was_made_for),
        TEST(last_one_ended_is_taken_next),
        TEST(transit_is_known_by_number_and_generation),
        TEST(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
