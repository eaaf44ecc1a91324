// SPDX-License-Identifier: Apache-2.0
// Reserving and releasing addresses (spec table 3.12, V15, V16).
#include "support/vmm.h"

// ---- children

static void is_refused(void *arg) {
    void *start = &start;
    (void)arg;
    assert_acl(aclrtReserveMemAddress(NULL, 0, 0, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReserveMemAddress(&start, 2 * MIB, 0, NULL, 0),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_ptr_equal(start, &start);
    assert_acl(aclrtReleaseMemAddress(start), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtUnmapMem(start), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtFreePhysical(start), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, start, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

static void rc_mode_has_no_virtual_memory(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_MODE", "RC", NULL);
}

static void only_the_old_one_is_there(void *arg) {
    void *start = NULL;
    (void)arg;
    assert_acl(aclrtReserveMemAddressNoUCMemory(&start, 2 * MIB, 0, NULL, 0),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtReserveMemAddress(&start, 2 * MIB, 0, NULL, 0));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void generation_1_lacks_the_second_function(void **state) {
    (void)state;
    acl_in_child(only_the_old_one_is_there, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

// ---- reserving

// virPtr NULL, size 0, flags not in {0, 1}: 100000; alignment not 0: 107000 (V16)
static void bad_arguments_are_refused(void **state) {
    void *start = &start;
    (void)state;
    assert_acl(aclrtReserveMemAddress(NULL, MIB, 0, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReserveMemAddress(&start, 0, 0, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReserveMemAddress(&start, 4 * MIB, 4096, NULL, 2), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReserveMemAddress(&start, 4 * MIB, 4096, NULL, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "4096"));
    assert_acl(aclrtReserveMemAddress(&start, SIZE_MAX, 0, NULL, 0),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl(aclrtReserveMemAddress(&start, (size_t)1 << 62, 0, NULL, 0),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_ptr_equal(start, &start);
}

// V15
static void any_size_is_rounded_to_2_mib(void **state) {
    void *start = NULL;
    (void)state;
    assert_acl_ok(aclrtReserveMemAddress(&start, 512, 0, NULL, 1));
    assert_int_equal((uintptr_t)start % (2 * MIB), 0);
    vmm_fill(start, 2 * MIB);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtReserveMemAddressNoUCMemory(&start, 2 * MIB + 1, 0, NULL, 0));
    vmm_fill(start, 4 * MIB);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void big_ranges_start_at_1_gib(void **state) {
    (void)state;
    char *start = vmm_reserve(GIB + 1);
    assert_int_equal((uintptr_t)start % GIB, 0);
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void try_wish(size_t size, uintptr_t offset, aclError want) {
    void *start = NULL;
    char *free_range = vmm_reserve(4 * GIB);
    assert_acl_ok(aclrtReleaseMemAddress(free_range));
    assert_acl(aclrtReserveMemAddress(&start, size, 0, free_range + offset, 0), want);
    if (want == ACL_SUCCESS) {
        assert_ptr_equal(start, free_range + offset);
        assert_acl_ok(aclrtReleaseMemAddress(start));
    }
}

// expectPtr violating its alignment: 107000
static void a_wish_is_aligned_to_its_size(void **state) {
    (void)state;
    try_wish(1, 2 * MIB, ACL_SUCCESS);
    try_wish(1, MIB, ACL_ERROR_RT_PARAM_INVALID);
    try_wish(3 * MIB, 4 * MIB, ACL_SUCCESS);
    try_wish(3 * MIB, 2 * MIB, ACL_ERROR_RT_PARAM_INVALID);
    try_wish(512 * MIB, 512 * MIB, ACL_SUCCESS);
    try_wish(512 * MIB, 256 * MIB, ACL_ERROR_RT_PARAM_INVALID);
    try_wish(2 * GIB, GIB, ACL_SUCCESS);
    try_wish(2 * GIB, 512 * MIB, ACL_ERROR_RT_PARAM_INVALID);
}

static void a_wish_that_is_taken_is_only_a_wish(void **state) {
    void *start = NULL;
    (void)state;
    char *taken = vmm_reserve(2 * MIB);
    assert_acl_ok(aclrtReserveMemAddress(&start, 2 * MIB, 0, taken, 0));
    assert_ptr_not_equal(start, taken);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtReleaseMemAddress(taken));
}

// ---- releasing

static void only_the_start_of_a_reservation_is_released(void **state) {
    int local = 0;
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    assert_acl(aclrtReleaseMemAddress(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtReleaseMemAddress(start + 2 * MIB), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtReleaseMemAddress(&local), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl(aclrtReleaseMemAddress(start), ACL_ERROR_RT_PARAM_INVALID);
}

static void what_has_mappings_stays(void **state) {
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    vmm_fill(start + 2 * MIB, 2 * MIB);
    assert_acl(aclrtReleaseMemAddress(start), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start + 2 * MIB));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void many_reservations_are_distinguished(void **state) {
    char *starts[100];
    (void)state;
    for (size_t i = 0; i < 100; i++) starts[i] = vmm_reserve(2 * MIB);
    for (size_t i = 0; i < 100; i++) {
        char *start = starts[i * 37 % 100];
        assert_acl_ok(aclrtReleaseMemAddress(start));
        assert_acl(aclrtReleaseMemAddress(start), ACL_ERROR_RT_PARAM_INVALID);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rc_mode_has_no_virtual_memory), // these two fork: first
        cmocka_unit_test(generation_1_lacks_the_second_function),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(any_size_is_rounded_to_2_mib),
        cmocka_unit_test(big_ranges_start_at_1_gib),
        cmocka_unit_test(a_wish_is_aligned_to_its_size),
        cmocka_unit_test(a_wish_that_is_taken_is_only_a_wish),
        cmocka_unit_test(only_the_start_of_a_reservation_is_released),
        cmocka_unit_test(what_has_mappings_stays),
        cmocka_unit_test(many_reservations_are_distinguished),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
