// SPDX-License-Identifier: Apache-2.0
// Ranges that the process has mapped, and has not.
#include "check/mapped.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

// Three pages, of which the middle one is unmapped.
static uint64_t map_around_a_hole(uint64_t page) {
    void *all = mmap(NULL, 3 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(all, MAP_FAILED);
    assert_int_equal(munmap((char *)all + page, page), 0);
    return (uintptr_t)all;
}

static void each_page_of_a_range_counts(void **state) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t base = map_around_a_hole(page);
    (void)state;
    assert_true(tn_check_is_mapped(base, base + page));
    assert_true(tn_check_is_mapped(base + page - 1, base + page));
    assert_true(tn_check_is_mapped(base + 2 * page, base + 3 * page));
    assert_false(tn_check_is_mapped(base, base + page + 1));
    assert_false(tn_check_is_mapped(base + page, base + 2 * page));
    assert_false(tn_check_is_mapped(base, base + 3 * page));
    assert_int_equal(munmap((void *)(uintptr_t)base, 3 * page), 0);
}

static void reserved_addresses_are_not_usable(void **state) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t base = map_around_a_hole(page);
    (void)state;
    assert_true(tn_check_is_usable(base + page - 1));
    assert_false(tn_check_is_usable(base + page));
    assert_true(tn_check_is_usable(base + 2 * page));
    assert_int_equal(mprotect((void *)(uintptr_t)base, page, PROT_NONE), 0);
    assert_false(tn_check_is_usable(base));
    assert_true(tn_check_is_mapped(base, base + page));
    assert_int_equal(munmap((void *)(uintptr_t)base, 3 * page), 0);
}

// Missing knowledge is never an error of the program.
static void all_counts_as_mapped_if_the_list_cannot_be_read(void **state) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t base = map_around_a_hole(page);
    struct rlimit before, none;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool mapped =
        tn_check_is_mapped(base + page, base + 2 * page) && tn_check_is_usable(base + page);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(mapped);
    assert_int_equal(munmap((void *)(uintptr_t)base, 3 * page), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_page_of_a_range_counts),
        cmocka_unit_test(reserved_addresses_are_not_usable),
        cmocka_unit_test(all_counts_as_mapped_if_the_list_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
