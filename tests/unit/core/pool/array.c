// SPDX-License-Identifier: Apache-2.0
// Claims about arrays that the kernel commits when they are touched.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/pool/array.h"

#define MANY     (UINT64_C(1) << 25) // elements of 8 bytes
#define TOO_MANY (UINT64_C(1) << 58) // elements of 8 bytes for any address space

static void an_array_is_zeroed_to_its_last_element(void **state) {
    (void)state;
    for (int huge = 0; huge < 2; huge++) {
        void *array = NULL;
        uint64_t room = 0;
        assert_int_equal(tn_pool_array_map(8, 100000, 100000, huge == 1, &array, &room), TARN_OK);
        assert_int_equal(room, 100000);
        uint64_t *element = (uint64_t *)array;
        for (uint64_t i = 0; i < room; i++) {
            assert_int_equal(element[i], 0);
            element[i] = i;
        }
        tn_pool_array_unmap(array, 8, room);
    }
}

// Limits the addresses of this process to those that it has and `more` bytes. An emulator may
// ignore the limit.
static void limit_addresses(uint64_t more, struct rlimit *before) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu", &pages), 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(getrlimit(RLIMIT_AS, before), 0);
    struct rlimit limit = {pages * (uint64_t)sysconf(_SC_PAGESIZE) + more, before->rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

static void fewer_elements_are_mapped_where_the_system_has_no_more(void **state) {
    (void)state;
    void *array = NULL;
    void *whole = NULL;
    uint64_t room = 0;
    uint64_t whole_room = 0;
    struct rlimit before;
    limit_addresses(MANY * 8 / 2, &before);
    tarn_status refused = tn_pool_array_map(8, MANY, MANY, false, &whole, &whole_room);
    tarn_status status = tn_pool_array_map(8, MANY, 1000, false, &array, &room);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, TARN_OK);
    if (refused == TARN_OK)
        tn_pool_array_unmap(whole, 8, whole_room);
    else
        assert_true(room >= 1000 && room < MANY);
    ((uint64_t *)array)[room - 1] = 1;
    tn_pool_array_unmap(array, 8, room);
}

static void fewer_than_the_least_are_refused_and_change_nothing(void **state) {
    (void)state;
    int kept = 0;
    void *array = &kept;
    uint64_t room = 7;
    assert_int_equal(tn_pool_array_map(8, TOO_MANY, TOO_MANY / 2, false, &array, &room),
                     TARN_NO_HOST_MEMORY);
    assert_ptr_equal(array, &kept);
    assert_int_equal(room, 7);
    tn_pool_array_unmap(NULL, 8, 7); // it does nothing
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_is_zeroed_to_its_last_element),
        cmocka_unit_test(fewer_elements_are_mapped_where_the_system_has_no_more),
        cmocka_unit_test(fewer_than_the_least_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
