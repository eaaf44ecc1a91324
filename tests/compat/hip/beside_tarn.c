// SPDX-License-Identifier: Apache-2.0
// The face beside libtarn.so in one process: two strangers. Both have opened a platform of the same
// name; neither sees, uses up or breaks what is the other's.
#include "support/hip.h"

#include <tarn/tarn.h>

static const size_t MOST = (size_t)900 << 20; // of 1 GiB

static tarn_device *device;

static int open_both(void **state) {
    int count;
    if (hip_group_setup(state) != 0 ||
        tarn_device_open("host:0,devices=2,memory=1G", &device) != TARN_OK)
        return -1;
    return hipGetDeviceCount(&count) == hipSuccess && count == 2 ? 0 : -1;
}

// Refused while anything of the device is alive, so this tells a leak too.
static int close_tarn(void **state) {
    (void)state;
    return tarn_device_close(device) == TARN_OK ? 0 : -1;
}

static hipMemAllocationProp on_device_0(void) {
    hipMemAllocationProp prop = {0};
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    return prop;
}

static void capacity_is_each_ones_own(void **state) {
    hipMemAllocationProp prop = on_device_0();
    hipMemGenericAllocationHandle_t handle;
    uint64_t left, total;
    tarn_addr addr;
    (void)state;
    assert_int_equal(tarn_memory_alloc(device, MOST, &addr), TARN_OK);
    assert_hip_ok(hipMemCreate(&handle, MOST, &prop, 0));
    assert_int_equal(tarn_device_query_memory(device, &left, &total), TARN_OK);
    assert_true(left >= total - MOST - (2u << 20));
    assert_hip_ok(hipMemRelease(handle));
    assert_int_equal(tarn_memory_free(addr, 0), TARN_OK);
}

static void errors_are_each_ones_own(void **state) {
    tarn_error error;
    tarn_addr addr;
    (void)state;
    tarn_clear_error();
    (void)hipGetLastError();
    assert_hip(hipSetDevice(99), hipErrorInvalidDevice);
    assert_int_equal(tarn_last_error(&error), TARN_OK);
    assert_int_equal(tarn_memory_alloc(device, 0, &addr), TARN_BAD_ARGUMENT);
    assert_hip(hipGetLastError(), hipErrorInvalidDevice);
    assert_hip(hipGetLastError(), hipSuccess);
}

static void addresses_of_one_mean_nothing_to_the_other(void **state) {
    hipMemGenericAllocationHandle_t handle;
    void *range;
    tarn_addr addr;
    (void)state;
    assert_int_equal(tarn_memory_alloc(device, 2u << 20, &addr), TARN_OK);
    assert_hip_ok(hipMemAddressReserve(&range, 2u << 20, 0, NULL, 0));
    assert_int_not_equal((uintptr_t)range, addr);
    assert_hip(hipMemRetainAllocationHandle(&handle, (void *)(uintptr_t)addr),
               hipErrorInvalidValue);
    assert_hip(hipMemAddressFree((void *)(uintptr_t)addr, 2u << 20), hipErrorInvalidValue);
    assert_int_not_equal(tarn_memory_free((uintptr_t)range, 0), TARN_OK);
    assert_hip_ok(hipMemAddressFree(range, 2u << 20));
    assert_int_equal(tarn_memory_free(addr, 0), TARN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capacity_is_each_ones_own),
        cmocka_unit_test(errors_are_each_ones_own),
        cmocka_unit_test(addresses_of_one_mean_nothing_to_the_other),
    };
    return cmocka_run_group_tests(tests, open_both, close_tarn);
}
