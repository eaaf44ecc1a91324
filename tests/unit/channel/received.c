// SPDX-License-Identifier: Apache-2.0
// Claims about the table of received parcels.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "channel/channel.h"

#define COUNT 64u

static struct tn_received_table received;

static int setup(void **state) {
    (void)state;
    return tn_received_init(&received, COUNT) == TARN_OK ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    tn_received_fini(&received);
    return 0;
}

static void add(uint32_t transit, uint64_t offset, uint64_t capacity) {
    struct tn_parcel_ref ref = {transit, 7, offset, capacity};
    assert_true(tn_received_is_free(&received, transit));
    tn_received_add(&received, &ref, 0);
}

static void parcels_are_found_by_their_start(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) add(i, i * UINT64_C(8192), 8192);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(tn_received_find(&received, i * UINT64_C(8192)), i);
        assert_int_equal(tn_received_find(&received, i * UINT64_C(8192) + 4096), TN_RECEIVED_NONE);
        assert_int_equal(tn_received_containing(&received, i * UINT64_C(8192) + 8191), i);
    }
    for (uint32_t i = 0; i < COUNT; i += 2) tn_received_remove(&received, i);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(tn_received_find(&received, i * UINT64_C(8192)),
                         i % 2 == 0 ? TN_RECEIVED_NONE : i);
    }
    assert_int_equal(received.used, COUNT / 2);
}

static void parcel_sent_twice_has_two_entries(void **state) {
    (void)state;
    add(3, 4096, 100);
    add(9, 4096, 100);
    uint32_t first = tn_received_find(&received, 4096);
    tn_received_remove(&received, first);
    uint32_t second = tn_received_find(&received, 4096);
    assert_int_equal(first + second, 12);
    tn_received_remove(&received, second);
    assert_int_equal(tn_received_find(&received, 4096), TN_RECEIVED_NONE);
    assert_int_equal(received.used, 0);
}

static void entry_with_one_hold_is_found_first(void **state) {
    (void)state;
    add(1, 4096, 100);
    add(2, 4096, 100);
    received.table[2].holds = 2;
    assert_int_equal(tn_received_find(&received, 4096), 1);
    received.table[2].holds = 1;
    received.table[1].holds = 2;
    assert_int_equal(tn_received_find(&received, 4096), 2);
}

static void transits_out_of_the_table_are_not_free(void **state) {
    (void)state;
    assert_true(tn_received_is_free(&received, COUNT - 1));
    assert_false(tn_received_is_free(&received, COUNT));
    add(5, 0, 1);
    assert_false(tn_received_is_free(&received, 5));
}

static void the_check_finds_damage(void **state) {
    (void)state;
    add(1, 4096, 100);
    add(2, 4096, 100);
    assert_true(tn_received_check(&received));
    received.used++;
    assert_false(tn_received_check(&received));
    received.used--;
    received.table[1].holds = 0; // free, but in a bucket
    assert_false(tn_received_check(&received));
    received.table[1].holds = 1;
    received.table[3].holds = 1; // held, but in no bucket
    assert_false(tn_received_check(&received));
    received.table[3].holds = 0;
    received.table[2].next = 3; // a circle
    assert_false(tn_received_check(&received));
    received.table[2].next = 2;
    received.table[1].offset = 64 * 4096; // in the bucket of another offset
    assert_false(tn_received_check(&received));
    received.table[1].offset = 4096;
    assert_true(tn_received_check(&received));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(parcels_are_found_by_their_start),
        TEST(parcel_sent_twice_has_two_entries),
        TEST(entry_with_one_hold_is_found_first),
        TEST(transits_out_of_the_table_are_not_free),
        TEST(the_check_finds_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
