// SPDX-License-Identifier: Apache-2.0
// hipMemGetHandleForAddressRange.
#include <sys/mman.h>
#include <sys/wait.h>
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

// The descriptor maps the same bytes, for later writes of the device, too. It has the whole memory.
static void expect_shared(char *ptr, size_t bytes) {
    char byte = 0;
    int fd = -1;
    assert_hip_ok(hipMemset(ptr, 5, bytes));
    assert_hip_ok(handle_for(&fd, ptr, bytes));
    char *theirs = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(theirs != MAP_FAILED);
    assert_int_equal(close(fd), 0);
    assert_int_equal(theirs[bytes - 1], 5);
    assert_hip_ok(hipMemset(ptr, 6, bytes));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(theirs[bytes - 1], 6);
    theirs[0] = 9;
    assert_hip_ok(hipMemcpy(&byte, ptr, 1, hipMemcpyDeviceToHost));
    assert_int_equal(byte, 9);
    assert_int_equal(munmap(theirs, bytes), 0);
}

static void memory_of_any_kind_has_a_descriptor(void **state) {
    (void)state;
    char *alone = map_new(hipMemHandleTypeNone);
    char *plain = NULL;
    assert_hip_ok(hipMalloc((void **)&plain, 4096));
    expect_shared(alone, BYTES);
    expect_shared(plain, 4096);
    expect_shared(plain, 4096);
    assert_hip_ok(hipFree(plain));
    unmap(alone);
}

static void a_child_writes_through_it(void **state) {
    (void)state;
    char *plain = NULL;
    char byte = 0;
    int fd = -1, status = -1;
    assert_hip_ok(hipMalloc((void **)&plain, 4096));
    assert_hip_ok(handle_for(&fd, plain, 4096));
    pid_t child = fork();
    if (child == 0) _exit(pwrite(fd, "c", 1, 77) == 1 ? 0 : 1);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_hip_ok(hipMemcpy(&byte, plain + 77, 1, hipMemcpyDeviceToHost));
    assert_int_equal(byte, 'c');
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipFree(plain));
}

static void a_descriptor_outlives_its_memory(void **state) {
    (void)state;
    char *plain = NULL, *next = NULL;
    char bytes[8192];
    int fd = -1;
    assert_hip_ok(hipMalloc((void **)&plain, 4096));
    assert_hip_ok(hipMemset(plain, 3, 4096));
    assert_hip_ok(handle_for(&fd, plain, 4096));
    assert_hip_ok(hipFree(plain));
    assert_hip_ok(hipMalloc((void **)&next, 4096));
    assert_hip_ok(hipMemset(next, 4, 4096));
    assert_hip_ok(hipDeviceSynchronize());
    ssize_t length = pread(fd, bytes, sizeof bytes, 0);
    assert_true(length >= 4096);
    for (size_t i = 0; i < 4096; i++) assert_int_equal(bytes[i], 3);
    assert_null(memchr(bytes, 4, 4096)); // nothing of later blocks
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipFree(next));
}

static void it_is_imported_as_memory(void **state) {
    (void)state;
    hipMemGenericAllocationHandle_t handle = NULL;
    hipMemAllocationProp prop;
    char *plain = NULL;
    int fd = -1;
    assert_hip_ok(hipMalloc((void **)&plain, 4096));
    assert_hip_ok(handle_for(&fd, plain, 4096));
    assert_hip_ok(hipMemImportFromShareableHandle(&handle, (void *)(uintptr_t)fd,
                                                  hipMemHandleTypePosixFileDescriptor));
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
    assert_int_equal(prop.type, hipMemAllocationTypePinned);
    assert_hip_ok(hipMemRelease(handle));
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipFree(plain));
}

static void other_memory_has_none(void **state) {
    (void)state;
    char *base = map_new(hipMemHandleTypePosixFileDescriptor);
    char *plain = NULL, *pinned = NULL, *pooled = NULL;
    int fd = -7;
    assert_hip_ok(hipMalloc((void **)&plain, BYTES));
    assert_hip_ok(hipHostMalloc((void **)&pinned, BYTES, 0));
    assert_hip_ok(hipMallocAsync((void **)&pooled, BYTES, NULL));
    assert_hip(handle_for(&fd, plain + 4096, 4096), hipErrorNotSupported);
    assert_hip(handle_for(&fd, pinned, BYTES), hipErrorNotSupported);
    assert_hip(handle_for(&fd, pooled, BYTES), hipErrorNotSupported);
    assert_hip(handle_for(&fd, base + 4096, 4096), hipErrorNotSupported);
    assert_int_equal(fd, -7);
    assert_hip_ok(hipFree(pooled));
    assert_hip_ok(hipHostFree(pinned));
    assert_hip_ok(hipFree(plain));
    unmap(base);
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
        cmocka_unit_test(memory_of_any_kind_has_a_descriptor),
        cmocka_unit_test(a_child_writes_through_it),
        cmocka_unit_test(a_descriptor_outlives_its_memory),
        cmocka_unit_test(it_is_imported_as_memory),
        cmocka_unit_test(other_memory_has_none),
        cmocka_unit_test(bad_ranges_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
