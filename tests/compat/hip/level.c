// SPDX-License-Identifier: Apache-2.0
// What the releases answer differently outside of virtual memory management: TARN_HIP_COMPAT selects
// one. Each test runs in a process for each level.
#include "support/hip.h"

static void at_level(const char *level, void (*body)(void *arg)) {
    hip_in_child(body, NULL, "TARN_HIP_COMPAT", level, NULL);
}

static void refuse_nothing_freed(void *arg) {
    (void)arg;
    assert_hip(hipFreeAsync(NULL, NULL), hipErrorInvalidValue);
}

static void free_nothing(void *arg) {
    (void)arg;
    assert_hip_ok(hipFreeAsync(NULL, NULL));
}

// Vector 57.
static void only_level_7_frees_nothing_in_a_stream(void **state) {
    (void)state;
    at_level("6", refuse_nothing_freed);
    at_level("7", free_nothing);
}

static hipMemPool_t make_pool(void) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    hipMemPool_t pool = NULL;
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    return pool;
}

static hipError_t set_rights(hipMemPool_t pool, int device, hipMemAccessFlags flags) {
    hipMemAccessDesc desc = {{hipMemLocationTypeDevice, device}, flags};
    return hipMemPoolSetAccess(pool, &desc, 1);
}

static hipMemAccessFlags rights(hipMemPool_t pool, int device) {
    hipMemAccessFlags flags = (hipMemAccessFlags)77;
    hipMemLocation location = {hipMemLocationTypeDevice, device};
    assert_hip_ok(hipMemPoolGetAccess(&flags, pool, &location));
    return flags;
}

static void keep_all_rights(void *arg) {
    hipMemPool_t pool = make_pool();
    (void)arg;
    assert_hip(set_rights(pool, 0, hipMemAccessFlagsProtNone), hipErrorInvalidDevice);
    assert_hip_ok(set_rights(pool, 1, hipMemAccessFlagsProtReadWrite));
    assert_hip(set_rights(pool, 1, hipMemAccessFlagsProtNone), hipErrorInvalidDevice);
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtReadWrite);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void keep_own_rights(void *arg) {
    hipMemPool_t pool = make_pool();
    (void)arg;
    assert_hip(set_rights(pool, 0, hipMemAccessFlagsProtNone), hipErrorInvalidDevice);
    assert_hip(set_rights(pool, 0, hipMemAccessFlagsProtRead), hipErrorNotSupported);
    assert_int_equal(rights(pool, 0), hipMemAccessFlagsProtReadWrite);
    assert_hip_ok(set_rights(pool, 1, hipMemAccessFlagsProtReadWrite));
    assert_hip_ok(set_rights(pool, 1, hipMemAccessFlagsProtNone));
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtNone);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

// Vector 64.
static void only_level_7_takes_rights_to_a_pool_away(void **state) {
    (void)state;
    at_level("6", keep_all_rights);
    at_level("7", keep_own_rights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_level_7_frees_nothing_in_a_stream),
        cmocka_unit_test(only_level_7_takes_rights_to_a_pool_away),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
