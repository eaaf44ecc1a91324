// SPDX-License-Identifier: Apache-2.0
// Claims about the ledger of resources: their identity, and what is known of those that have ended.
#include "check/ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct tn_check_ledger ledger;

static int fini(void **state) {
    (void)state;
    tn_check_ledger_fini(&ledger);
    return 0;
}

static struct tn_check_resource reservation(uint32_t space, uint64_t addr) {
    return (struct tn_check_resource){
        .what = TN_MEM_RESERVATION, .space = space, .image = 1, .addr = addr, .bytes = 4096};
}

static struct tn_check_resource phys(uint32_t image, uint64_t object) {
    return (struct tn_check_resource){
        .what = TN_MEM_PHYS, .image = image, .object = object, .addr = 1, .bytes = 4096};
}

static void begin(struct tn_check_resource resource) { tn_check_ledger_begin(&ledger, &resource); }

static bool end(struct tn_check_resource like) { return tn_check_ledger_end(&ledger, &like); }

static const struct tn_check_resource *live(struct tn_check_resource like) {
    return tn_check_ledger_find_live(&ledger, like.what, &like);
}

static const struct tn_check_resource *ended(uint16_t what, struct tn_check_resource like) {
    return tn_check_ledger_find_ended(&ledger, what, &like);
}

static void a_handle_is_known_by_its_image_and_a_range_by_its_space(void **state) {
    (void)state;
    begin(phys(1, 5));
    begin(reservation(0, 0x1000));
    assert_non_null(live(phys(1, 5)));
    assert_null(live(phys(2, 5)));
    assert_null(live(phys(1, 6)));
    assert_non_null(live(reservation(0, 0x1000)));
    assert_null(live(reservation(1, 0x1000)));
    struct tn_check_resource elsewhere = reservation(0, 0x1000);
    elsewhere.image = 9;
    assert_non_null(live(elsewhere));
    elsewhere.what = TN_MEM_MAPPING;
    assert_null(live(elsewhere));
}

static void what_ends_is_dead_and_remembered_with_its_end(void **state) {
    (void)state;
    begin(reservation(0, 0x1000));
    struct tn_check_resource like = reservation(0, 0x1000);
    like.ended_thread = 42;
    assert_true(end(like));
    assert_false(end(like));
    assert_null(live(like));
    const struct tn_check_resource *dead = ended(TN_MEM_RESERVATION, like);
    assert_non_null(dead);
    assert_int_equal(dead->ended_thread, 42);
    assert_int_equal(dead->bytes, 4096);
    assert_null(ended(TN_MEM_MAPPING, like));
    assert_ptr_equal(ended(0, like), dead);
}

static void the_end_that_is_found_is_the_last(void **state) {
    (void)state;
    for (uint32_t round = 1; round <= 3; round++) {
        begin(phys(1, 5));
        struct tn_check_resource like = phys(1, 5);
        like.ended_thread = round;
        assert_true(end(like));
    }
    assert_int_equal(ended(TN_MEM_PHYS, phys(1, 5))->ended_thread, 3);
    assert_int_equal(ended(TN_MEM_PHYS, phys(1, 5))->serial, 3);
}

// The end of the older one may have had no event.
static void a_beginning_ends_an_older_resource_of_its_identity(void **state) {
    (void)state;
    begin(reservation(0, 0x1000));
    begin(reservation(0, 0x1000));
    assert_int_equal(live(reservation(0, 0x1000))->serial, 2);
    assert_int_equal(ended(0, reservation(0, 0x1000))->serial, 1);
    assert_true(end(reservation(0, 0x1000)));
    assert_null(live(reservation(0, 0x1000)));
}

static void a_byte_is_found_in_the_resource_around_it(void **state) {
    (void)state;
    begin(reservation(0, 0x1000));
    begin(reservation(1, 0x8000));
    for (uint64_t addr = 0x0fff; addr <= 0x2000; addr += 0x1001) { // before, behind
        struct tn_check_resource like = reservation(0, addr);
        assert_null(tn_check_ledger_find_around(&ledger, TN_MEM_RESERVATION, &like));
    }
    struct tn_check_resource last = reservation(0, 0x1fff);
    assert_int_equal(tn_check_ledger_find_around(&ledger, TN_MEM_RESERVATION, &last)->addr, 0x1000);
    assert_null(tn_check_ledger_find_around(&ledger, TN_MEM_MAPPING, &last));
    struct tn_check_resource other_space = reservation(0, 0x8000);
    assert_null(tn_check_ledger_find_around(&ledger, TN_MEM_RESERVATION, &other_space));
    assert_true(end(reservation(0, 0x1000)));
    assert_null(tn_check_ledger_find_around(&ledger, TN_MEM_RESERVATION, &last));
}

static void only_the_oldest_end_is_forgotten(void **state) {
    (void)state;
    for (uint64_t i = 0; i <= TN_CHECK_LEDGER_ENDED; i++) {
        begin(phys(1, i));
        assert_true(end(phys(1, i)));
    }
    assert_null(ended(0, phys(1, 0)));
    assert_non_null(ended(0, phys(1, 1)));
    assert_non_null(ended(0, phys(1, TN_CHECK_LEDGER_ENDED)));
    assert_true(ledger.live.count == 1); // one place served all
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_handle_is_known_by_its_image_and_a_range_by_its_space, fini),
        cmocka_unit_test_teardown(what_ends_is_dead_and_remembered_with_its_end, fini),
        cmocka_unit_test_teardown(the_end_that_is_found_is_the_last, fini),
        cmocka_unit_test_teardown(a_beginning_ends_an_older_resource_of_its_identity, fini),
        cmocka_unit_test_teardown(a_byte_is_found_in_the_resource_around_it, fini),
        cmocka_unit_test_teardown(only_the_oldest_end_is_forgotten, fini),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
