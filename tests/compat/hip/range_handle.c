// SPDX-License-Identifier: Apache-2.0
// hipMemGetHandleForAddressRange.
#include <unistd.h>

#include "support/hip.h"

#define BYTES ((size_t)2 << 20)

static char *map_new(hipMemAllocationHandleType types) {
    void *base = NULL;
    hipMemGenericAllocationHandle_t handle = NULL;
    hipMemAllocationProp prop;
    const hipMemAccessDesc desc = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    memset(&prop, 0, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.requestedHandleType = types;
    prop.location = desc.location;
    assert_hip_ok(hipMemAddressReserve(&base, BYTES, 0, NULL, 0));
    assert_hip_ok(hipMemCreate(&handle, BYTES, &prop, 0));
    assert_hip_ok(hipMemMap(base, BYTES, 0, handle, 0));
    assert_hip_ok(hipMemSetAccess(base, BYTES, &desc, 1));
    assert_hip_ok(hipMemRelease(handle));
    return base;
}

static void unmap(char *base) {
    assert_hip_ok(hipMemUnmap(base, BYTES));
    assert_hip_ok(hipMemAddressFree(base, BYTES));
}

static hipError_t handle_for(int *fd, void *ptr, size_t size) {
    return hipMemGetHandleForAddressRange(fd, ptr, size, hipMemRangeHandleTypeDmaBufFd, 0);
}

static void a_mapping_has_a_descriptor_of_its_bytes(void **state) {
    (void)state;
    char *base = map_new(hipMemHandleTypePosixFileDescriptor);
    char byte = 0;
    int fd = -1;
    assert_hip_ok(hipMemset(base, 7, BYTES));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(handle_for(&fd, base, BYTES));
    assert_int_equal(pread(fd, &byte, 1, BYTES - 1), 1);
    assert_int_equal(byte, 7);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(handle_for(&fd, base, 4096));
    assert_int_equal(close(fd), 0);
    unmap(base);
}

static void other_memory_has_none(void **state) {
    (void)state;
    char *base = map_new(hipMemHandleTypePosixFileDescriptor);
    char *alone = map_new(hipMemHandleTypeNone);
    char *plain = NULL;
    int fd = -7;
    assert_hip_ok(hipMalloc((void **)&plain, BYTES));
    assert_hip(handle_for(&fd, plain, BYTES), hipErrorNotSupported);
    assert_hip(handle_for(&fd, alone, BYTES), hipErrorNotSupported);
    assert_hip(handle_for(&fd, base + 4096, 4096), hipErrorNotSupported);
    assert_int_equal(fd, -7);
    assert_hip_ok(hipFree(plain));
    unmap(base);
    unmap(alone);
}

static void bad_ranges_are_refused(void **state) {
    (void)state;
    char *base = map_new(hipMemHandleTypePosixFileDescriptor);
    int fd = -7;
    const hipMemRangeHandleType type = hipMemRangeHandleTypeDmaBufFd;
    assert_hip(hipMemGetHandleForAddressRange(NULL, base, 1, type, 0), hipErrorInvalidValue);
    assert_hip(hipMemGetHandleForAddressRange(&fd, NULL, 1, type, 0), hipErrorInvalidValue);
    assert_hip(hipMemGetHandleForAddressRange(&fd, base, 0, type, 0), hipErrorInvalidValue);
    assert_hip(hipMemGetHandleForAddressRange(&fd, base, 1, (hipMemRangeHandleType)2, 0),
               hipErrorInvalidValue);
    assert_hip(hipMemGetHandleForAddressRange(&fd, base, 1, type, 1), hipErrorInvalidValue);
    assert_hip(handle_for(&fd, base, BYTES + 1), hipErrorInvalidValue);
    assert_hip(handle_for(&fd, &fd, 1), hipErrorInvalidValue);
    assert_int_equal(fd, -7);
    unmap(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mapping_has_a_descriptor_of_its_bytes),
        cmocka_unit_test(other_memory_has_none),
        cmocka_unit_test(bad_ranges_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
