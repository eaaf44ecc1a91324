// SPDX-License-Identifier: Apache-2.0
// hipDeviceReset(): what goes and what stays.
#include "support/hip.h"

static size_t free_bytes(void) {
    size_t bytes = 0;
    size_t total = 0;
    assert_hip_ok(hipMemGetInfo(&bytes, &total));
    return bytes;
}

static void what_the_program_has_of_the_device_goes(void **state) {
    void *plain = NULL;
    void *managed = NULL;
    void *pooled = NULL;
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    hipArray_t array = NULL;
    hipChannelFormatDesc channel = {8, 0, 0, 0, hipChannelFormatKindUnsigned};
    (void)state;
    size_t before = free_bytes();
    assert_hip_ok(hipMalloc(&plain, 1 << 20));
    assert_hip_ok(hipMallocManaged(&managed, 1 << 20, hipMemAttachGlobal));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipMallocAsync(&pooled, 1 << 20, stream));
    assert_hip_ok(hipMallocArray(&array, &channel, 256, 256, 0));
    assert_hip_ok(hipMemsetAsync(pooled, 7, 1 << 20, stream));
    assert_true(free_bytes() < before);

    assert_hip_ok(hipDeviceReset());
    assert_int_equal(free_bytes(), before);
    assert_hip(hipFree(plain), hipErrorInvalidValue);
    assert_hip(hipFree(managed), hipErrorInvalidValue);
    assert_hip(hipFree(pooled), hipErrorInvalidValue);
    assert_hip(hipStreamQuery(stream), hipErrorContextIsDestroyed);
    assert_hip(hipFreeArray(array), hipErrorContextIsDestroyed);
    assert_hip_ok(hipEventQuery(event)); // events stay
    assert_hip_ok(hipEventRecord(event, NULL));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipEventDestroy(event));
}

// Its blocks keep it until they go.
static void a_destroyed_pool_goes_with_its_blocks(void **state) {
    hipMemPool_t pool = NULL;
    hipMemPoolProps props;
    void *block = NULL;
    (void)state;
    memset(&props, 0, sizeof props);
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    size_t before = free_bytes();
    for (int i = 0; i < 3; i++) {
        uint64_t keep = UINT64_MAX;
        assert_hip_ok(hipMemPoolCreate(&pool, &props));
        assert_hip_ok(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
        assert_hip_ok(hipMallocFromPoolAsync(&block, 1 << 20, pool, NULL));
        assert_hip_ok(hipMemPoolDestroy(pool));
        assert_true(free_bytes() < before);
        assert_hip_ok(hipDeviceReset());
        assert_int_equal(free_bytes(), before);
    }
}

static void the_device_works_again(void **state) {
    void *plain = NULL;
    int there = 0;
    (void)state;
    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipMalloc(&plain, 4096));
    assert_hip_ok(hipMemset(plain, 1, 4096));
    assert_hip_ok(hipMemcpy(&there, plain, sizeof there, hipMemcpyDeviceToHost));
    assert_int_equal(there, 0x01010101);
    assert_hip_ok(hipMemsetAsync(plain, 2, 4096, hipStreamPerThread));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_hip_ok(hipFree(plain));
}

static void what_belongs_to_the_process_stays(void **state) {
    void *pinned = NULL;
    void *other = NULL;
    void *range = NULL;
    hipMemGenericAllocationHandle_t handle = NULL;
    hipMemAllocationProp prop;
    (void)state;
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    assert_hip_ok(hipHostMalloc(&pinned, 4096, hipHostMallocDefault));
    assert_hip_ok(hipMemAddressReserve(&range, 1 << 21, 0, NULL, 0));
    assert_hip_ok(hipMemCreate(&handle, 1 << 21, &prop, 0));
    assert_hip_ok(hipMemMap(range, 1 << 21, 0, handle, 0));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&other, 4096));
    assert_hip_ok(hipSetDevice(0));

    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipMemUnmap(range, 1 << 21));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(range, 1 << 21));
    assert_hip_ok(hipFree(other));
}

static void a_device_is_reset_by_its_primary_context(void **state) {
    void *other = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc(&other, 4096));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipDevicePrimaryCtxReset(1));
    assert_hip(hipFree(other), hipErrorInvalidValue);
    assert_hip(hipDevicePrimaryCtxReset(2), hipErrorInvalidDevice);
}

static void preferences_and_limits_are_those_of_the_beginning(void **state) {
    unsigned flags = 7;
    hipFuncCache_t cache = hipFuncCachePreferEqual;
    hipSharedMemConfig banks = hipSharedMemBankSizeEightByte;
    size_t stack = 7;
    (void)state;
    assert_hip_ok(hipSetDeviceFlags(hipDeviceScheduleBlockingSync));
    assert_hip_ok(hipDeviceSetCacheConfig(hipFuncCachePreferL1));
    assert_hip_ok(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeFourByte));
    assert_hip_ok(hipDeviceSetLimit(hipLimitStackSize, 4096));
    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipGetDeviceFlags(&flags));
    assert_int_equal(flags, 0);
    assert_hip_ok(hipDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, hipFuncCachePreferNone);
    assert_hip_ok(hipDeviceGetSharedMemConfig(&banks));
    assert_int_equal(banks, hipSharedMemBankSizeFourByte);
    assert_hip_ok(hipDeviceGetLimit(&stack, hipLimitStackSize));
    assert_int_equal(stack, 1024);
}

static void a_capture_ends_with_its_stream(void **state) {
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipDeviceReset());
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorContextIsDestroyed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_program_has_of_the_device_goes),
        cmocka_unit_test(a_destroyed_pool_goes_with_its_blocks),
        cmocka_unit_test(the_device_works_again),
        cmocka_unit_test(what_belongs_to_the_process_stays),
        cmocka_unit_test(a_device_is_reset_by_its_primary_context),
        cmocka_unit_test(preferences_and_limits_are_those_of_the_beginning),
        cmocka_unit_test(a_capture_ends_with_its_stream),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
