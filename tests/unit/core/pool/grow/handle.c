// SPDX-License-Identifier: Apache-2.0
// Claims about the tables of physical handles: mapped ones by page, and spare ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/pool/grow/handle.h"

enum { PAGE = 4096, PAGES = 16 };

static tn_pool_handles handles;

static int init(void **state) {
    (void)state;
    memset(&handles, 0, sizeof handles);
    return tn_pool_handles_init(&handles, PAGE, PAGES) == TARN_OK ? 0 : -1;
}

static int fini(void **state) {
    (void)state;
    tn_pool_handles_fini(&handles);
    return 0;
}

// Adds spare handles of 1, 2, ... pages, named 101, 102, ...
static void add_spare(unsigned count) {
    assert_int_equal(tn_pool_handles_reserve(&handles, count), TARN_OK);
    for (unsigned i = 1; i <= count; i++) tn_pool_handles_add(&handles, 100 + i, i * PAGE);
}

static void spare_handles_are_mapped_in_their_order(void **state) {
    (void)state;
    add_spare(3);
    assert_int_equal(handles.spare_bytes, 6 * PAGE);
    tn_pool_handles_enter(&handles, 2);
    assert_int_equal(handles.spare_count, 0);
    assert_int_equal(handles.spare_bytes, 0);
    for (uint64_t page = 0; page < PAGES; page++)
        assert_int_equal(tn_pool_page_is_mapped(&handles, page), page >= 2 && page < 8);
    assert_int_equal(handles.table[2].phys, 101);
    assert_int_equal(handles.table[3].phys, 102);
    assert_int_equal(handles.table[5].phys, 103);
    assert_int_equal(tn_pool_handles_count(&handles, 2, 6), 3);
    assert_int_equal(tn_pool_handles_count(&handles, 3, 2), 1);
}

static void a_border_is_not_inside_a_handle(void **state) {
    (void)state;
    static const uint64_t border[] = {0, 1, 2, 3, 5, 5, 8, 8, 8, 9}; // of handles at 2, 3 and 5
    add_spare(3);
    tn_pool_handles_enter(&handles, 2);
    for (uint64_t page = 0; page < sizeof border / sizeof border[0]; page++)
        assert_int_equal(tn_pool_handle_border(&handles, page), border[page]);
}

static void handles_that_leave_are_spare_again(void **state) {
    (void)state;
    add_spare(3);
    tn_pool_handles_enter(&handles, 2);
    assert_int_equal(tn_pool_handles_reserve(&handles, 2), TARN_OK);
    tn_pool_handles_leave(&handles, 3, 5);
    assert_int_equal(handles.spare_count, 2);
    assert_int_equal(handles.spare[0].phys, 102);
    assert_int_equal(handles.spare[1].phys, 103);
    assert_int_equal(handles.spare_bytes, 5 * PAGE);
    for (uint64_t page = 0; page < PAGES; page++)
        assert_int_equal(tn_pool_page_is_mapped(&handles, page), page == 2);
}

static void the_list_of_spare_handles_grows(void **state) {
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(tn_pool_handles_reserve(&handles, 1), TARN_OK);
        tn_pool_handles_add(&handles, i + 1, PAGE);
    }
    for (unsigned i = 0; i < 1000; i++) assert_int_equal(handles.spare[i].phys, i + 1);
}

static void spare_handles_are_deferred_and_removed(void **state) {
    (void)state;
    add_spare(3);
    uint64_t bytes = handles.spare_bytes;
    tn_pool_handles_defer(&handles, 0, 1);
    assert_int_equal(handles.spare[0].phys, 102);
    assert_int_equal(handles.spare[1].phys, 103);
    assert_int_equal(handles.spare[2].phys, 101);
    uint64_t removed = tn_pool_handles_remove(&handles, 0, 2);
    assert_int_equal(removed, bytes - handles.spare_bytes);
    assert_int_equal(handles.spare_count, 1);
    assert_int_equal(handles.spare[0].phys, 101);
    assert_int_equal(handles.spare_bytes, handles.spare[0].bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(spare_handles_are_deferred_and_removed, init, fini),
        cmocka_unit_test_setup_teardown(spare_handles_are_mapped_in_their_order, init, fini),
        cmocka_unit_test_setup_teardown(a_border_is_not_inside_a_handle, init, fini),
        cmocka_unit_test_setup_teardown(handles_that_leave_are_spare_again, init, fini),
        cmocka_unit_test_setup_teardown(the_list_of_spare_handles_grows, init, fini),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
