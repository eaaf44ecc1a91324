// SPDX-License-Identifier: Apache-2.0
// hipMemAddressFree. Numbers are the rows of its table of checks.
#include "support/vmm.h"

static void refuses(void *at, size_t size) {
    assert_hip(hipMemAddressFree(at, size), hipErrorInvalidValue);
}

// It is still reserved: memory can be mapped there.
static void assert_reserved(char *at, size_t size) {
    map_fresh(at, size);
    assert_hip_ok(hipMemUnmap(at, size));
}

// ROCm 6.3 and 7, asserted by AMD's tests.
static void missing_arguments_are_refused(void **state) {
    char *at = reserve(G);
    (void)state;
    refuses(NULL, G);
    refuses(at, 0);
    refuses(NULL, 0);
    assert_reserved(at, G);
    assert_hip_ok(hipMemAddressFree(at, G));
}

// ROCm 7 and CUDA. ROCm 6.3 crashes.
static void what_is_no_reservation_is_refused(void **state) {
    static char ordinary[G];
    char *at = reserve(4 * G);
    (void)state;
    refuses(ordinary, G);
    refuses((void *)&at, G);
    refuses((void *)1, G);
    refuses((void *)(~(uintptr_t)0), G);
    refuses((void *)(~(uintptr_t)0), SIZE_MAX);
    refuses(at + 4 * G, G);
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
    refuses(at, 4 * G); // twice
}

// CUDA's manual: both must match. ROCm 6.3 and 7 free the complete reservation.
static void parts_and_wrong_sizes_are_refused(void **state) {
    char *at = reserve(4 * G);
    (void)state;
    refuses(at + G, 3 * G);
    refuses(at + 1, 4 * G);
    refuses(at - G, 4 * G);
    refuses(at, 3 * G);
    refuses(at, 5 * G);
    refuses(at, 4 * G - 1);
    refuses(at, 4 * G + 1);
    refuses(at, SIZE_MAX);
    assert_reserved(at, 4 * G);
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

// Neighbours are not one, whatever the sum.
static void two_neighbours_do_not_go_at_once(void **state) {
    char *at = reserve(2 * G);
    void *next = NULL;
    (void)state;
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    assert_hip_ok(hipMemAddressReserve((void **)&at, G, 0, at, 0));
    assert_hip_ok(hipMemAddressReserve(&next, G, 0, at + G, 0));
    refuses(at, 2 * G);
    assert_hip_ok(hipMemAddressFree(at, G));
    assert_reserved(next, G);
    assert_hip_ok(hipMemAddressFree(next, G));
}

// CUDA refuses it. ROCm 6.3 and 7 answer an unknown error, and lose their records.
static void mapped_ranges_are_refused_and_stay_as_they_are(void **state) {
    static const size_t places[] = {0, 1, 3};
    char *at = reserve(4 * G);
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *place = at + places[i] * G;
        map_fresh(place, G);
        place[5] = 6;
        refuses(at, 4 * G);
        assert_int_equal(place[5], 6);
        assert_int_equal(rights(place, 0), READ_WRITE);
        assert_hip_ok(hipMemUnmap(place, G));
    }
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

static void a_freed_range_can_be_had_again(void **state) {
    char *at = reserve(64 * G);
    void *again = NULL;
    (void)state;
    map_fresh(at, 64 * G);
    unmap_and_free(at, 64 * G);
    assert_hip_ok(hipMemAddressReserve(&again, 64 * G, 0, at, 0));
    assert_ptr_equal(again, at);
    assert_hip_ok(hipMemAddressFree(again, 64 * G));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(what_is_no_reservation_is_refused),
        cmocka_unit_test(parts_and_wrong_sizes_are_refused),
        cmocka_unit_test(two_neighbours_do_not_go_at_once),
        cmocka_unit_test(mapped_ranges_are_refused_and_stay_as_they_are),
        cmocka_unit_test(a_freed_range_can_be_had_again),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
