// SPDX-License-Identifier: Apache-2.0
// Claims about quirks (docs/quirks.md) as HIP programs see them: new memory of
// hipMallocAsync() is not zero, and a pool keeps nothing for its release threshold.
#include <stdlib.h>

#include "support/hip.h"

static int quirk_setup(void **state) {
    const char *quirks = "dirty-memory;no-threshold";
    return setenv("TARN_QUIRK", quirks, 1) != 0 || hip_group_setup(state) != 0;
}

static void new_ordered_memory_is_not_zero(void **state) {
    unsigned char bytes[64] = {0};
    void *block = NULL;
    (void)state;
    assert_hip_ok(hipMallocAsync(&block, sizeof bytes, NULL));
    assert_hip_ok(hipMemcpy(bytes, block, sizeof bytes, hipMemcpyDeviceToHost));
    assert_int_not_equal(bytes[0], 0);
    assert_int_not_equal(bytes[63], 0);
    assert_hip_ok(hipMemsetAsync(block, 0, sizeof bytes, NULL)); // as a program that needs zeros
    assert_hip_ok(hipMemcpy(bytes, block, sizeof bytes, hipMemcpyDeviceToHost));
    assert_int_equal(bytes[63], 0);
    assert_hip_ok(hipFreeAsync(block, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
}

static void a_pool_keeps_nothing_for_its_threshold(void **state) {
    uint64_t threshold = UINT64_MAX;
    uint64_t held = 0;
    hipMemPool_t pool = NULL;
    void *block = NULL;
    (void)state;
    assert_hip_ok(hipDeviceGetDefaultMemPool(&pool, 0));
    assert_hip_ok(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
    assert_hip_ok(hipMallocAsync(&block, (size_t)64 << 20, NULL));
    assert_hip_ok(hipFreeAsync(block, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_hip_ok(hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &held));
    assert_int_equal(held, 0);
    threshold = 0;
    assert_hip_ok(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
    assert_true(threshold == UINT64_MAX); // the device does not admit it
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_ordered_memory_is_not_zero),
        cmocka_unit_test(a_pool_keeps_nothing_for_its_threshold),
    };
    return cmocka_run_group_tests(tests, quirk_setup, NULL);
}
