// SPDX-License-Identifier: Apache-2.0
// hipHostRegister, hipHostUnregister: memory of the program becomes known, and unknown again.
#include <sys/mman.h>

#include "support/hip.h"

#define PAGE ((size_t)4096)

static char *pages(size_t count) {
    char *ptr =
        mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(ptr != MAP_FAILED);
    return ptr;
}

static void registered_memory_is_known_until_the_end(void **state) {
    hipPointerAttribute_t attributes;
    unsigned flags = 0x77;
    void *told = NULL;
    char *mine = pages(4);
    char *ptr = mine + 100;
    (void)state;
    assert_hip_ok(hipHostRegister(ptr, 2 * PAGE, hipHostRegisterPortable));
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr + PAGE));
    assert_int_equal(attributes.type, hipMemoryTypeHost);
    assert_ptr_equal(attributes.hostPointer, ptr + PAGE);
    assert_ptr_equal(attributes.devicePointer, ptr + PAGE);
    assert_hip(hipHostGetFlags(&flags, ptr), hipErrorInvalidValue); // at level 6
    assert_int_equal(flags, 0x77);
    assert_hip_ok(hipHostGetDevicePointer(&told, ptr + 3, 0));
    assert_ptr_equal(told, ptr + 3);
    assert_hip_ok(hipHostUnregister(ptr));
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr + PAGE));
    assert_int_equal(attributes.type, hipMemoryTypeUnregistered);
    assert_int_equal(munmap(mine, 4 * PAGE), 0);
}

static void overlap_is_refused(void **state) {
    char *mine = pages(8);
    void *host = NULL;
    void *device = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc(&host, 2 * PAGE, 0));
    assert_hip_ok(hipMalloc(&device, 2 * PAGE));
    assert_hip_ok(hipHostRegister(mine + 2 * PAGE, 2 * PAGE, 0));
    assert_hip(hipHostRegister(mine + 2 * PAGE, 2 * PAGE, 0), hipErrorHostMemoryAlreadyRegistered);
    assert_hip(hipHostRegister(mine + 3 * PAGE, PAGE, 0), hipErrorHostMemoryAlreadyRegistered);
    assert_hip(hipHostRegister(mine, 8 * PAGE, 0), hipErrorHostMemoryAlreadyRegistered);
    assert_hip(hipHostRegister(mine, 2 * PAGE + 1, 0), hipErrorHostMemoryAlreadyRegistered);
    assert_hip(hipHostRegister(host, PAGE, 0), hipErrorHostMemoryAlreadyRegistered);
    assert_hip(hipHostRegister(device, PAGE, 0), hipErrorInvalidValue);
    assert_hip_ok(hipHostRegister(mine, 2 * PAGE, 0));
    assert_hip_ok(hipHostUnregister(mine));
    assert_hip_ok(hipHostUnregister(mine + 2 * PAGE));
    assert_hip_ok(hipHostRegister(mine, 8 * PAGE, 0));
    assert_hip_ok(hipHostUnregister(mine));
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipFree(device));
    assert_int_equal(munmap(mine, 8 * PAGE), 0);
}

static void bad_arguments_are_refused(void **state) {
    char *mine = pages(2);
    (void)state;
    assert_hip(hipHostRegister(NULL, PAGE, 0), hipErrorInvalidValue);
    assert_hip(hipHostRegister(mine, 0, 0), hipErrorInvalidValue);
    assert_hip(hipHostRegister(mine, PAGE, 0x10), hipErrorInvalidValue);
    assert_hip(hipHostRegister(mine, PAGE, hipHostRegisterIoMemory), hipErrorNotSupported);
    assert_hip(hipHostRegister(mine, SIZE_MAX, 0), hipErrorInvalidValue);
    assert_int_equal(munmap(mine + PAGE, PAGE), 0);
    assert_hip(hipHostRegister(mine, 2 * PAGE, 0), hipErrorInvalidValue);
    assert_hip_ok(hipHostRegister(mine, PAGE, hipHostRegisterMapped | hipHostRegisterReadOnly));
    assert_hip_ok(hipHostUnregister(mine));
    assert_int_equal(munmap(mine, PAGE), 0);
}

static void only_the_start_of_a_registration_ends_it(void **state) {
    char *mine = pages(2);
    void *host = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc(&host, PAGE, 0));
    assert_hip_ok(hipHostRegister(mine, 2 * PAGE, 0));
    assert_hip(hipHostUnregister(NULL), hipErrorInvalidValue);
    assert_hip(hipHostUnregister(mine + PAGE), hipErrorHostMemoryNotRegistered);
    assert_hip(hipHostUnregister(host), hipErrorHostMemoryNotRegistered);
    assert_hip(hipHostUnregister(&host), hipErrorHostMemoryNotRegistered);
    assert_hip(hipHostFree(mine), hipErrorInvalidValue);
    assert_hip(hipFree(mine), hipErrorInvalidValue);
    assert_hip_ok(hipHostUnregister(mine));
    assert_hip(hipHostUnregister(mine), hipErrorHostMemoryNotRegistered);
    assert_hip_ok(hipHostFree(host));
    assert_int_equal(munmap(mine, 2 * PAGE), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registered_memory_is_known_until_the_end),
        cmocka_unit_test(overlap_is_refused),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(only_the_start_of_a_registration_ends_it),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
