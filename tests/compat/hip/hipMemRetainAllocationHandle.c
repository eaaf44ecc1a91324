// SPDX-License-Identifier: Apache-2.0
// hipMemRetainAllocationHandle. Numbers are the rows of its table of checks.
#include <stdlib.h>

#include "support/vmm.h"

static handle_t retain(void *addr) {
    handle_t handle = NULL;
    assert_hip_ok(hipMemRetainAllocationHandle(&handle, addr));
    return handle;
}

static void refuses(void *addr) {
    handle_t handle = no_handle();
    assert_hip(hipMemRetainAllocationHandle(&handle, addr), hipErrorInvalidValue);
    assert_ptr_equal(handle, no_handle());
}

// ROCm 6.3, ROCm 7 and CUDA.
static void missing_arguments_are_refused(void **state) {
    char *at = reserve(G);
    (void)state;
    map_fresh(at, G);
    assert_hip(hipMemRetainAllocationHandle(NULL, at), hipErrorInvalidValue);
    refuses(NULL);
    unmap_and_free(at, G);
}

// ROCm 6.3, ROCm 7 and CUDA. UCX probes arbitrary pointers in this way.
static void addresses_in_no_mapping_are_refused(void **state) {
    char *at = reserve(2 * G);
    char *heap = malloc(64);
    (void)state;
    refuses(at);
    map_fresh(at, G);
    refuses(at + G);
    refuses(at - 1);
    assert_hip_ok(hipMemUnmap(at, G));
    refuses(at);
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    refuses(at);
    refuses(heap);
    refuses((void *)&state);
    refuses((void *)(uintptr_t)&hipMemRetainAllocationHandle);
    refuses((void *)1);
    refuses((void *)(~(uintptr_t)0));
    refuses((void *)(uintptr_t)0x8000000000000000);
    free(heap);
}

// ROCm 6.3 crashes for memory of hipMalloc(). Here it stays what it was.
static void memory_of_other_kinds_is_refused(void **state) {
    void *device = NULL;
    void *managed = NULL;
    void *host = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&device, G));
    assert_hip_ok(hipMallocManaged(&managed, G, hipMemAttachGlobal));
    assert_hip_ok(hipHostMalloc(&host, G, 0));
    refuses(device);
    refuses(managed);
    refuses(host);
    assert_hip(hipMemUnmap(device, G), hipErrorInvalidValue);
    assert_hip(hipMemAddressFree(device, G), hipErrorInvalidValue);
    assert_hip_ok(hipMemset(device, 1, G));
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipFree(managed));
    assert_hip_ok(hipHostFree(host));
}

static void any_byte_gives_the_handle_that_was_mapped(void **state) {
    char *at = reserve(4 * G);
    handle_t one = create(2 * G);
    handle_t two = create_on(1, 2 * G);
    (void)state;
    assert_hip_ok(hipMemMap(at, 2 * G, 0, one, 0));
    assert_hip_ok(hipMemMap(at + 2 * G, 2 * G, 0, two, 0));
    assert_ptr_equal(retain(at), one);
    assert_ptr_equal(retain(at + G + 1), one);
    assert_ptr_equal(retain(at + 2 * G - 1), one);
    assert_ptr_equal(retain(at + 2 * G), two);
    assert_ptr_equal(retain(at + 4 * G - 1), two);
    for (int i = 0; i < 4; i++) assert_hip_ok(hipMemRelease(one));
    for (int i = 0; i < 3; i++) assert_hip_ok(hipMemRelease(two));
    assert_hip(hipMemRelease(one), hipErrorInvalidValue);
    assert_hip(hipMemRelease(two), hipErrorInvalidValue);
    unmap_and_free(at, 4 * G);
}

// As communication libraries free: retain, release, unmap, release.
static void each_retain_adds_one_reference(void **state) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_ptr_equal(retain(at), handle);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemUnmap(at, G));
    assert_free_bytes(0, CAPACITY - G); // one is left: that of the creation
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemUnmap(at, G));
    assert_hip_ok(hipMemRelease(handle));
    assert_free_bytes(0, CAPACITY);
    assert_hip_ok(hipMemAddressFree(at, G));
}

static void retain_weakly(void *arg) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)arg;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_ptr_equal(retain(at), handle);
    assert_hip_ok(hipMemRelease(handle)); // the reference of the creation
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
    unmap_and_free(at, G);
}

static void a_weak_retain_adds_none(void **state) {
    (void)state;
    hip_in_child(retain_weakly, NULL, "TARN_HIP_DEVICE", "host:0,quirk=weak-retain", NULL);
}

static void a_handle_without_references_can_be_retained_while_mapped(void **state) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_ptr_equal(retain(at), handle);
    assert_hip_ok(hipMemUnmap(at, G));
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, G);
    assert_free_bytes(0, CAPACITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(addresses_in_no_mapping_are_refused),
        cmocka_unit_test(memory_of_other_kinds_is_refused),
        cmocka_unit_test(any_byte_gives_the_handle_that_was_mapped),
        cmocka_unit_test(each_retain_adds_one_reference),
        cmocka_unit_test(a_weak_retain_adds_none),
        cmocka_unit_test(a_handle_without_references_can_be_retained_while_mapped),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
