// SPDX-License-Identifier: Apache-2.0
// Claims about the history of addresses.
#include "check/addresses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define BASE UINT64_C(0x7f0000000000)

static struct tn_check_addresses addresses;

static int init(void **state) {
    (void)state;
    tn_check_addresses_init(&addresses);
    return 0;
}

static int fini(void **state) {
    (void)state;
    tn_check_addresses_fini(&addresses);
    return 0;
}

static struct tn_check_address *make(uint32_t space, uint64_t address) {
    return tn_check_addresses_make(tn_check_addresses_take(&addresses, space, address, false),
                                   space, address);
}

static struct tn_check_address *find(uint32_t space, uint64_t address) {
    return tn_check_addresses_find(tn_check_addresses_take(&addresses, space, address, false),
                                   space, address);
}

static void an_address_has_no_history_before_its_first_region(void **state) {
    (void)state;
    assert_null(find(0, BASE));
    struct tn_check_address *made = make(0, BASE);
    assert_int_equal(made->generation, 0);
    assert_null(made->live);
    assert_ptr_equal(find(0, BASE), made);
    assert_ptr_equal(make(0, BASE), made);
}

static void equal_addresses_of_two_spaces_have_two_histories(void **state) {
    (void)state;
    make(0, BASE)->generation = 5;
    assert_null(find(1, BASE));
    assert_int_equal(make(1, BASE)->generation, 0);
    assert_int_equal(find(0, BASE)->generation, 5);
}

// Regions point to their entries.
static void entries_stay_in_place(void **state) {
    (void)state;
    enum { ENTRIES = 5000 };
    static struct tn_check_address *entry[ENTRIES];
    for (uint32_t i = 0; i < ENTRIES; i++) {
        entry[i] = make(0, BASE + i);
        assert_non_null(entry[i]);
        entry[i]->generation = i;
    }
    for (uint32_t i = 0; i < ENTRIES; i++) {
        assert_ptr_equal(find(0, BASE + i), entry[i]);
        assert_int_equal(entry[i]->generation, i);
    }
}

// Neighbours are nearly always of one pool, whose calls hold the lock of one part at a time.
static void neighbours_are_in_one_part_and_distant_addresses_are_spread(void **state) {
    (void)state;
    unsigned parts = 0;
    const struct tn_check_addresses_part *last = NULL;
    for (uint64_t i = 0; i < 64; i++) {
        uint64_t pool = BASE + (i << 30);
        const struct tn_check_addresses_part *part =
            tn_check_addresses_take(&addresses, 0, pool, false);
        assert_ptr_equal(tn_check_addresses_take(&addresses, 0, pool + 4096, false), part);
        parts += part != last;
        last = part;
    }
    assert_true(parts >= TN_CHECK_ADDRESSES_PARTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_address_has_no_history_before_its_first_region, init,
                                        fini),
        cmocka_unit_test_setup_teardown(equal_addresses_of_two_spaces_have_two_histories, init,
                                        fini),
        cmocka_unit_test_setup_teardown(entries_stay_in_place, init, fini),
        cmocka_unit_test_setup_teardown(neighbours_are_in_one_part_and_distant_addresses_are_spread,
                                        init, fini),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
