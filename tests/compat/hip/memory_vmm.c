// SPDX-License-Identifier: Apache-2.0
// Other calls about memory, for addresses of virtual memory management.
#include "support/vmm.h"

static hipPointerAttribute_t attributes_of(const void *ptr) {
    hipPointerAttribute_t attributes;
    memset(&attributes, 0x77, sizeof attributes);
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    return attributes;
}

static void expect_unregistered(const void *ptr) {
    hipPointerAttribute_t attributes = attributes_of(ptr);
    assert_int_equal(attributes.type, hipMemoryTypeUnregistered);
    assert_int_equal(attributes.device, -2);
    assert_null(attributes.devicePointer);
    assert_null(attributes.hostPointer);
}

// The range is that of the mapping, and either output may be NULL, as NCCL passes it.
static void address_range_is_that_of_the_mapping(void **state) {
    char *at = reserve(8 * G);
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    (void)state;
    map_fresh(at + G, G);
    map_fresh(at + 2 * G, 3 * G);
    assert_hip_ok(hipMemGetAddressRange(&base, &size, at + G + 5));
    assert_ptr_equal(base, at + G);
    assert_int_equal(size, G);
    assert_hip_ok(hipMemGetAddressRange(&base, &size, at + 5 * G - 1));
    assert_ptr_equal(base, at + 2 * G);
    assert_int_equal(size, 3 * G);
    size = 0;
    assert_hip_ok(hipMemGetAddressRange(NULL, &size, at + 3 * G));
    assert_int_equal(size, 3 * G);
    assert_hip_ok(hipMemPtrGetInfo(at + G, &size));
    assert_int_equal(size, G);
    assert_hip_ok(hipMemGetAddressRange(&base, NULL, at + 3 * G));
    assert_hip(hipMemGetAddressRange(&base, &size, at), hipErrorNotFound);
    assert_hip(hipMemGetAddressRange(&base, &size, at + 5 * G), hipErrorNotFound);
    assert_hip_ok(hipMemUnmap(at + G, 4 * G));
    assert_hip(hipMemGetAddressRange(&base, &size, at + G), hipErrorNotFound);
    assert_hip_ok(hipMemAddressFree(at, 8 * G));
    assert_hip(hipMemGetAddressRange(&base, &size, at), hipErrorNotFound);
}

// The backing device, whoever has rights.
static void a_mapping_is_memory_of_its_backing_device(void **state) {
    char *at = reserve(2 * G);
    handle_t handle = create_on(1, G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, G, 0, READ);
    hipPointerAttribute_t attributes = attributes_of(at + 9);
    assert_int_equal(attributes.type, hipMemoryTypeDevice);
    assert_int_equal(attributes.device, 1);
    assert_ptr_equal(attributes.devicePointer, at + 9);
    assert_null(attributes.hostPointer);
    assert_int_equal(attributes.isManaged, 0);
    expect_unregistered(at + G);
    assert_hip_ok(hipMemUnmap(at, G));
    expect_unregistered(at + 9);
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    expect_unregistered(at);
}

static void a_mapping_of_host_memory_is_of_the_host(void **state) {
    hipMemAllocationProp prop = prop_on(0);
    handle_t handle = NULL;
    char *at = reserve(G);
    (void)state;
    prop.location.type = hipMemLocationTypeHost;
    assert_hip_ok(hipMemCreate(&handle, G, &prop, 0));
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    hipPointerAttribute_t attributes = attributes_of(at + 9);
    assert_int_equal(attributes.type, hipMemoryTypeHost);
    assert_int_equal(attributes.device, hipCpuDeviceId);
    assert_ptr_equal(attributes.hostPointer, at + 9);
    unmap_and_free(at, G);
}

static void properties_of_a_mapping_are_told(void **state) {
    char *at = reserve(G);
    handle_t handle = create_shared(G);
    unsigned bits = 77;
    void *start = NULL;
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipPointerGetAttribute(&bits, HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, at));
    assert_int_equal(bits, 0);
    assert_hip_ok(hipPointerGetAttribute(&bits, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, at + 5));
    assert_int_equal(bits, G);
    assert_hip_ok(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, at + 5));
    assert_ptr_equal(start, at);
    unmap_and_free(at, G);
}

// Calls that end other memory have no effect.
static void calls_for_other_memory_refuse_it(void **state) {
    char *at = reserve(2 * G);
    unsigned on = 1;
    void *told = NULL;
    (void)state;
    map_fresh(at, G);
    at[0] = 42;
    assert_hip(hipFree(at), hipErrorInvalidValue);
    assert_text_names("a mapping");
    assert_hip(hipFree(at + G), hipErrorInvalidValue);
    assert_hip(hipHostFree(at), hipErrorInvalidValue);
    assert_hip(hipHostRegister(at, G, 0), hipErrorInvalidValue);
    assert_hip(hipHostUnregister(at), hipErrorHostMemoryNotRegistered);
    assert_hip(hipHostGetDevicePointer(&told, at, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(at, G, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, at),
               hipErrorInvalidValue);
    assert_int_equal(at[0], 42);
    assert_hip_ok(hipMemUnmap(at, G));
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
}

static void a_copy_does_not_leave_its_reservation(void **state) {
    static char bytes[2 * G];
    char *at = reserve(2 * G);
    void *next = NULL;
    (void)state;
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    assert_hip_ok(hipMemAddressReserve((void **)&at, G, 0, at, 0));
    assert_hip_ok(hipMemAddressReserve(&next, G, 0, at + G, 0));
    map_fresh(at, G);
    map_fresh(next, G);
    memset(at, 5, G);
    memset(bytes, 6, sizeof bytes);
    assert_hip(hipMemcpy(at, bytes, 2 * G, hipMemcpyDefault), hipErrorInvalidValue);
    assert_hip(hipMemcpy(bytes, at, 2 * G, hipMemcpyDefault), hipErrorInvalidValue);
    assert_int_equal(at[0], 5);
    assert_int_equal(bytes[0], 6);
    assert_hip_ok(hipMemcpy(at, bytes, G, hipMemcpyDefault));
    unmap_and_free(at, G);
    unmap_and_free(next, G);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_range_is_that_of_the_mapping),
        cmocka_unit_test(a_mapping_is_memory_of_its_backing_device),
        cmocka_unit_test(a_mapping_of_host_memory_is_of_the_host),
        cmocka_unit_test(properties_of_a_mapping_are_told),
        cmocka_unit_test(calls_for_other_memory_refuse_it),
        cmocka_unit_test(a_copy_does_not_leave_its_reservation),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
