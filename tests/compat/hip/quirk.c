// SPDX-License-Identifier: Apache-2.0
// Claims about quirks (docs/quirks.md) as HIP programs see them: a device that is lost fails every
// call that does work with HIP's code for it until hipDeviceReset(); new memory of hipMallocAsync()
// is not zero; a pool keeps nothing for its release threshold.
#include <stdlib.h>

#include "support/hip.h"

enum { FATAL = 12345 }; // an allocation of so many bytes loses the device

static int quirk_setup(void **state) {
    const char *quirks = "device-lost:size=12345;dirty-memory;no-threshold";
    return setenv("TARN_QUIRK", quirks, 1) != 0 || hip_group_setup(state) != 0;
}

static void a_lost_device_fails_every_call_until_it_is_reset(void **state) {
    hipStream_t stream = NULL;
    void *block = NULL;
    void *other = NULL;
    size_t left = 0;
    size_t all = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipMalloc(&block, 1000));
        assert_hip_ok(hipStreamCreate(&stream));
        assert_hip_ok(hipMemset(block, 1, 1000));
        assert_hip(hipMalloc(&other, FATAL), hipErrorIllegalAddress);
        assert_hip(hipMalloc(&other, 1000), hipErrorIllegalAddress);
        assert_hip(hipMemset(block, 1, 1000), hipErrorIllegalAddress);
        assert_hip(hipMemsetAsync(block, 1, 1000, stream), hipErrorIllegalAddress);
        assert_hip(hipStreamSynchronize(stream), hipErrorIllegalAddress);
        assert_hip(hipMallocAsync(&other, 1000, stream), hipErrorIllegalAddress);
        assert_hip(hipMemGetInfo(&left, &all), hipErrorIllegalAddress);
        assert_hip(hipDeviceSynchronize(), hipErrorIllegalAddress);
        assert_hip_ok(hipDeviceReset());
    }
    assert_hip_ok(hipMalloc(&block, 1000));
    assert_hip_ok(hipMemset(block, 1, 1000));
    assert_hip_ok(hipFree(block));
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
        cmocka_unit_test(a_lost_device_fails_every_call_until_it_is_reset),
    };
    return cmocka_run_group_tests(tests, quirk_setup, NULL);
}
