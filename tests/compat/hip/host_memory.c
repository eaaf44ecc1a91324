// SPDX-License-Identifier: Apache-2.0
// hipHostMalloc and its other names, hipHostFree, hipHostGetDevicePointer, hipHostGetFlags: pinned
// memory of the host.
#include "support/hip.h"

static const unsigned good_flags[] = {
    hipHostMallocDefault,
    hipHostMallocPortable,
    hipHostMallocMapped,
    hipHostMallocWriteCombined,
    hipHostMallocUncached,
    hipHostMallocNumaUser,
    hipHostMallocCoherent,
    hipHostMallocNonCoherent,
    hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined,
};
#define GOOD_FLAGS (sizeof good_flags / sizeof good_flags[0])

static void flags_are_kept(void **state) {
    (void)state;
    for (size_t i = 0; i < GOOD_FLAGS; i++) {
        char *ptr = NULL;
        unsigned flags = 0x77;
        assert_hip_ok(hipHostMalloc((void **)&ptr, 5000, good_flags[i]));
        assert_int_equal((uintptr_t)ptr % 4096, 0);
        memset(ptr, 1, 5000);
        assert_hip_ok(hipHostGetFlags(&flags, ptr));
        assert_int_equal(flags, good_flags[i]);
        assert_hip_ok(hipHostGetFlags(&flags, ptr + 4999));
        assert_int_equal(flags, good_flags[i]);
        assert_hip_ok(hipHostFree(ptr));
        assert_hip(hipHostGetFlags(&flags, ptr), hipErrorInvalidValue);
    }
}

static void every_name_allocates(void **state) {
    void *ptr[5] = {NULL};
    unsigned flags = 0x77;
    (void)state;
    assert_hip_ok(hipHostMalloc(&ptr[0], 100, hipHostMallocPortable));
    assert_hip_ok(hipHostAlloc(&ptr[1], 100, hipHostAllocPortable));
    assert_hip_ok(hipExtHostAlloc(&ptr[2], 100, hipHostAllocPortable));
    assert_hip_ok(hipMallocHost(&ptr[3], 100));
    assert_hip_ok(hipMemAllocHost(&ptr[4], 100));
    for (size_t i = 0; i < 5; i++) {
        assert_hip_ok(hipHostGetFlags(&flags, ptr[i]));
        assert_int_equal(flags, i < 3 ? hipHostMallocPortable : hipHostMallocDefault);
        assert_hip_ok(i % 2 == 0 ? hipHostFree(ptr[i]) : hipFreeHost(ptr[i]));
    }
}

static void size_0_gives_null(void **state) {
    void *ptr = &ptr;
    (void)state;
    assert_hip_ok(hipHostMalloc(&ptr, 0, 0));
    assert_null(ptr);
    ptr = &ptr;
    assert_hip_ok(hipMallocHost(&ptr, 0));
    assert_null(ptr);
    assert_hip_ok(hipHostFree(NULL));
    assert_hip_ok(hipFreeHost(NULL));
}

static void bad_arguments_are_refused(void **state) {
    void *ptr = &ptr;
    (void)state;
    assert_hip(hipHostMalloc(NULL, 16, 0), hipErrorInvalidValue);
    assert_hip(hipMallocHost(NULL, 16), hipErrorInvalidValue);
    assert_hip(hipHostMalloc(&ptr, 16, hipHostMallocCoherent | hipHostMallocNonCoherent),
               hipErrorInvalidValue);
    assert_hip(hipHostMalloc(&ptr, SIZE_MAX, 0), hipErrorOutOfMemory);
    assert_hip(hipHostMalloc(&ptr, SIZE_MAX / 4, 0), hipErrorOutOfMemory);
    assert_ptr_equal(ptr, &ptr);
}

static void level_6_ignores_unknown_flags(void **state) {
    unsigned flags = 0x77;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipHostMalloc(&ptr, 16, 0x10 | hipHostMallocPortable));
    assert_hip_ok(hipHostGetFlags(&flags, ptr));
    assert_int_equal(flags, hipHostMallocPortable);
    assert_hip_ok(hipHostFree(ptr));
    assert_hip_ok(hipHostAlloc(&ptr, 16, 999));
    assert_hip_ok(hipHostFree(ptr));
}

static void allocate_at_level_7(void *arg) {
    void *ptr = NULL;
    (void)arg;
    assert_hip(hipHostAlloc(&ptr, 4, 999), hipErrorInvalidValue);
    assert_hip(hipHostAlloc(&ptr, 4, hipHostMallocCoherent), hipErrorInvalidValue);
    assert_null(ptr);
    assert_hip_ok(hipHostAlloc(&ptr, 4, hipHostAllocPortable | hipHostMallocUncached));
    assert_hip_ok(hipHostFree(ptr));
    assert_hip_ok(hipHostMalloc(&ptr, 4, hipHostMallocCoherent));
    assert_hip_ok(hipHostFree(ptr));
}

static void level_7_refuses_unknown_flags(void **state) {
    (void)state;
    hip_in_child(allocate_at_level_7, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

// One path frees all memory.
static void either_free_frees_memory_of_any_kind(void **state) {
    hipError_t (*const frees[])(void *) = {hipFree, hipHostFree, hipFreeHost};
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    (void)state;
    assert_hip_ok(hipMemGetInfo(&before, &total));
    for (int i = 0; i < 3; i++) {
        void *ptrs[4] = {NULL};
        assert_hip_ok(hipMalloc(&ptrs[0], 4096));
        assert_hip_ok(hipHostMalloc(&ptrs[1], 4096, 0));
        assert_hip_ok(hipMallocManaged(&ptrs[2], 4096, hipMemAttachGlobal));
        assert_hip_ok(hipMallocAsync(&ptrs[3], 4096, NULL));
        for (int k = 0; k < 4; k++) {
            assert_hip_ok(frees[i](ptrs[k]));
            assert_hip(frees[(i + 1) % 3](ptrs[k]), hipErrorInvalidValue);
        }
        assert_hip(frees[i](&before), hipErrorInvalidValue);
        assert_hip_ok(frees[i](NULL));
    }
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipMemGetInfo(&after, &total));
    assert_int_equal(after, before);
}

static void free_refuses_what_is_not_the_start_of_pinned_memory(void **state) {
    char *host = NULL;
    char here[16];
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&host, 8192, 0));
    assert_hip(hipHostFree(host + 4096), hipErrorInvalidValue);
    assert_hip(hipFree(host + 4096), hipErrorInvalidValue);
    assert_hip(hipHostFree(here), hipErrorInvalidValue);
    assert_hip_ok(hipHostFree(host));
    assert_hip(hipHostFree(host), hipErrorInvalidValue);
}

static void devices_use_the_same_address(void **state) {
    char *host = NULL;
    void *device = NULL;
    void *told = &told;
    char here[16];
    (void)state;
    assert_hip_ok(hipHostMalloc((void **)&host, 8192, hipHostMallocMapped));
    assert_hip_ok(hipMalloc(&device, 4096));
    assert_hip_ok(hipHostGetDevicePointer(&told, host + 5, 0));
    assert_ptr_equal(told, host + 5);
    told = &told;
    assert_hip(hipHostGetDevicePointer(NULL, host, 0), hipErrorInvalidValue);
    assert_hip(hipHostGetDevicePointer(&told, host, 1), hipErrorInvalidValue);
    assert_hip(hipHostGetDevicePointer(&told, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipHostGetDevicePointer(&told, here, 0), hipErrorInvalidValue);
    assert_ptr_equal(told, &told);
    assert_hip_ok(hipHostGetDevicePointer(&told, device, 0)); // at level 6
    assert_ptr_equal(told, device);
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipFree(device));
}

static void flags_of_other_memory_are_not_told(void **state) {
    unsigned flags = 0x77;
    void *device = NULL;
    char here[16];
    (void)state;
    assert_hip_ok(hipMalloc(&device, 4096));
    assert_hip(hipHostGetFlags(&flags, device), hipErrorInvalidValue);
    assert_hip(hipHostGetFlags(&flags, here), hipErrorInvalidValue);
    assert_hip(hipHostGetFlags(&flags, NULL), hipErrorInvalidValue);
    assert_hip(hipHostGetFlags(NULL, device), hipErrorInvalidValue);
    assert_int_equal(flags, 0x77);
    assert_hip_ok(hipFree(device));
}

static void memory_of_the_device_is_not_used(void **state) {
    size_t before = 0;
    size_t after = 0;
    void *host = NULL;
    (void)state;
    assert_hip_ok(hipMemGetInfo(&before, NULL));
    assert_hip_ok(hipHostMalloc(&host, 1 << 20, 0));
    assert_hip_ok(hipMemGetInfo(&after, NULL));
    assert_true(before == after);
    assert_hip_ok(hipHostFree(host));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_7_refuses_unknown_flags), // forks: first
        cmocka_unit_test(flags_are_kept),
        cmocka_unit_test(every_name_allocates),
        cmocka_unit_test(size_0_gives_null),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(either_free_frees_memory_of_any_kind),
        cmocka_unit_test(free_refuses_what_is_not_the_start_of_pinned_memory),
        cmocka_unit_test(devices_use_the_same_address),
        cmocka_unit_test(flags_of_other_memory_are_not_told),
        cmocka_unit_test(level_6_ignores_unknown_flags),
        cmocka_unit_test(memory_of_the_device_is_not_used),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
