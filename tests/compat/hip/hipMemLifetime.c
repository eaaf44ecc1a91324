// SPDX-License-Identifier: Apache-2.0
// Lives of reservations, memory and mappings, across the functions. Rules are those of the object
// model.
#include <unistd.h>

#include "support/vmm.h"

// Released after the n-th step of a life, memory goes exactly once, with whatever held it last.
static void live(int release_after) {
    char *at = reserve(G);
    handle_t handle = create(G);
    for (int step = 0; step < 5; step++) {
        switch (step) {
        case 0: assert_hip_ok(hipMemMap(at, G, 0, handle, 0)); break;
        case 1: grant(at, G, 0, READ_WRITE); break;
        case 2:
            at[100] = 7;
            assert_int_equal(at[100], 7);
            break;
        case 3: assert_hip_ok(hipMemUnmap(at, G)); break;
        default: assert_hip_ok(hipMemAddressFree(at, G));
        }
        if (step == release_after) assert_hip_ok(hipMemRelease(handle));
        bool held = step < release_after || step < 3;
        assert_free_bytes(0, held ? CAPACITY - G : CAPACITY);
    }
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
}

static void memory_goes_once_wherever_it_is_released(void **state) {
    (void)state;
    for (int step = 0; step < 5; step++) live(step);
}

static void memory_released_before_it_is_mapped_is_gone(void **state) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemRelease(handle));
    assert_free_bytes(0, CAPACITY);
    assert_hip(hipMemMap(at, G, 0, handle, 0), hipErrorInvalidValue);
    assert_hip_ok(hipMemAddressFree(at, G));
}

// AMD's tests GrowVMM and SameMemoryReuse.
static void contents_survive_while_a_reference_does(void **state) {
    char *first = reserve(4 * G);
    char *second = reserve(2 * G);
    handle_t handle = create(2 * G);
    (void)state;
    for (int i = 0; i < 20; i++) {
        char *at = i % 2 == 0 ? first + (size_t)(i % 3) * G : second;
        assert_hip_ok(hipMemMap(at, 2 * G, 0, handle, 0));
        grant(at, 2 * G, 0, READ_WRITE);
        if (i > 0) {
            assert_int_equal(at[0], i - 1);
            assert_int_equal(at[2 * G - 1], i - 1);
        }
        at[0] = (char)i;
        at[2 * G - 1] = (char)i;
        assert_hip_ok(hipMemUnmap(at, 2 * G));
    }
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(first, 4 * G));
    assert_hip_ok(hipMemAddressFree(second, 2 * G));
}

// As a range grows: unmap, reserve a bigger one, map old and new memory.
static void a_range_grows_with_its_contents(void **state) {
    handle_t handles[16];
    char *at = NULL;
    (void)state;
    for (size_t n = 1; n <= 16; n++) {
        char *bigger = reserve(n * G);
        if (n > 1) {
            assert_hip_ok(hipMemUnmap(at, (n - 1) * G)); // one call over all mappings
            assert_hip_ok(hipMemAddressFree(at, (n - 1) * G));
        }
        at = bigger;
        handles[n - 1] = create(G);
        for (size_t i = 0; i < n; i++) assert_hip_ok(hipMemMap(at + i * G, G, 0, handles[i], 0));
        grant(at, n * G, 0, READ_WRITE);
        at[(n - 1) * G] = (char)n;
        for (size_t i = 0; i < n; i++) assert_int_equal(at[i * G], i + 1);
    }
    for (size_t i = 0; i < 16; i++) assert_hip_ok(hipMemRelease(handles[i]));
    unmap_and_free(at, 16 * G);
    assert_free_bytes(0, CAPACITY);
}

// AMD's tests VMMMemoryReuse.
static void a_range_takes_memory_of_one_device_after_the_other(void **state) {
    char *at = reserve(G);
    handle_t handles[2] = {create_on(0, G), create_on(1, G)};
    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_hip_ok(hipMemMap(at, G, 0, handles[i % 2], 0));
        grant(at, G, i % 2, READ_WRITE);
        if (i >= 2) assert_int_equal(at[9], i - 2); // each has its own
        at[9] = (char)i;
        assert_hip_ok(hipMemUnmap(at, G));
    }
    assert_hip_ok(hipMemRelease(handles[0]));
    assert_hip_ok(hipMemRelease(handles[1]));
    assert_hip_ok(hipMemAddressFree(at, G));
}

// One memory, seen everywhere, with rights of each place.
static void aliases_show_one_memory_with_rights_of_their_own(void **state) {
    enum { N = 8 };
    char *at = reserve(2 * N * G);
    handle_t handle = create(2 * G);
    (void)state;
    for (size_t i = 0; i < N; i++) {
        assert_hip_ok(hipMemMap(at + 2 * i * G, 2 * G, 0, handle, 0));
        grant(at + 2 * i * G, 2 * G, 0, i % 2 == 0 ? READ_WRITE : READ);
    }
    for (size_t i = 0; i < N; i += 2) {
        at[2 * i * G + i] = (char)(i + 1);
        for (size_t j = 0; j < N; j++) assert_int_equal(at[2 * j * G + i], i + 1);
    }
    for (size_t i = 0; i < N; i++)
        assert_int_equal(rights(at + 2 * i * G, 0), i % 2 == 0 ? READ_WRITE : READ);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemUnmap(at, 2 * (N - 1) * G));
    assert_int_equal(at[2 * (N - 1) * G], 1); // the last one has it still
    assert_hip_ok(hipMemUnmap(at + 2 * (N - 1) * G, 2 * G));
    assert_hip_ok(hipMemAddressFree(at, 2 * N * G));
    assert_free_bytes(0, CAPACITY);
}

// The memory may be larger than the range, and the range larger than the memory.
static void memory_and_range_may_differ_in_size(void **state) {
    char *small = reserve(G);
    char *large = reserve(64 * G);
    handle_t handle = create(4 * G);
    (void)state;
    assert_hip_ok(hipMemMap(small, G, 0, handle, 0));
    assert_hip_ok(hipMemMap(large + 10 * G, 4 * G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(small, G);
    assert_hip_ok(hipMemUnmap(large + 10 * G, 4 * G));
    assert_hip_ok(hipMemAddressFree(large, 64 * G));
}

// AMD's test Vmm2VMMInterDevMemCpy maps such a handle again.
static void a_mapped_handle_without_references_is_good_for_all_but_release(void **state) {
    char *at = reserve(2 * G);
    hipMemAllocationProp prop = prop_on(1);
    handle_t handle = create_shared(G);
    handle_t again = NULL;
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemMap(at + G, G, 0, handle, 0));
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
    assert_int_equal(prop.location.id, 0);
    assert_int_equal(close(export_fd(handle)), 0);
    assert_hip_ok(hipMemRetainAllocationHandle(&again, at));
    assert_ptr_equal(again, handle);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip(hipMemRelease(handle), hipErrorInvalidValue);
    unmap_and_free(at, 2 * G);
}

// No vendor promises zeros.
static void poisoned(void *arg) {
    char *at = reserve(G);
    (void)arg;
    map_fresh(at, G);
    assert_int_equal((unsigned char)at[0], 0xa5);
    assert_int_equal((unsigned char)at[G - 1], 0xa5);
    unmap_and_free(at, G);
}

static void fresh_memory_need_not_be_zero(void **state) {
    (void)state;
    hip_in_child(poisoned, NULL, "TARN_HIP_DEVICE", "host:0,poison=165", NULL);
}

// Calls all fourteen with arguments that are refused otherwise.
static void check_all(hipError_t error) {
    assert_hip(hipMemAddressReserve(NULL, 0, 0, NULL, 0), error);
    assert_hip(hipMemAddressFree(NULL, 0), error);
    assert_hip(hipMemCreate(NULL, 0, NULL, 0), error);
    assert_hip(hipMemRelease(NULL), error);
    assert_hip(hipMemRetainAllocationHandle(NULL, NULL), error);
    assert_hip(hipMemGetAllocationPropertiesFromHandle(NULL, NULL), error);
    assert_hip(hipMemGetAllocationGranularity(NULL, NULL, hipMemAllocationGranularityMinimum),
               error);
    assert_hip(hipMemMap(NULL, 0, 0, NULL, 0), error);
    assert_hip(hipMemUnmap(NULL, 0), error);
    assert_hip(hipMemSetAccess(NULL, 0, NULL, 0), error);
    assert_hip(hipMemGetAccess(NULL, NULL, NULL), error);
    assert_hip(hipMemExportToShareableHandle(NULL, NULL, hipMemHandleTypeNone, 0), error);
    assert_hip(hipMemImportFromShareableHandle(NULL, NULL, hipMemHandleTypeNone), error);
    assert_hip(hipMemMapArrayAsync(NULL, 0, NULL), error);
    assert_hip(hipGetLastError(), error);
}

static void without_a_device(void *arg) {
    (void)arg;
    check_all(hipErrorNoDevice);
}

static void without_virtual_memory(void *arg) {
    hipMemAllocationProp prop = {.type = hipMemAllocationTypePinned,
                                 .location = {hipMemLocationTypeDevice, 0}};
    hipMemGenericAllocationHandle_t handle = NULL;
    void *at = &at;
    int supported = 7;
    size_t granularity = 7;
    (void)arg;
    assert_hip_ok(
        hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
    assert_int_equal(supported, 0);
    check_all(hipErrorNotSupported);
    assert_non_null(strstr(hipExtGetLastErrorText(), "virtual memory"));
    assert_hip(hipMemAddressReserve(&at, G, 0, NULL, 0), hipErrorNotSupported);
    assert_hip(hipMemCreate(&handle, G, &prop, 0), hipErrorNotSupported);
    assert_hip(
        hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityMinimum),
        hipErrorNotSupported);
    assert_ptr_equal(at, &at);
    assert_null(handle);
    assert_int_equal(granularity, 7);
    assert_hip_ok(hipMalloc(&at, 4096)); // everything else works
    assert_hip_ok(hipFree(at));
}

static void a_device_without_virtual_memory_supports_none_of_them(void **state) {
    (void)state;
    hip_in_child(without_virtual_memory, NULL, "TARN_HIP_DEVICE", "sim:0,vmm=off", NULL);
}

// ROCm 6.3 and 7 look for a device before they look at an argument.
static void no_device_is_told_before_arguments_are_looked_at(void **state) {
    (void)state;
    hip_in_child(without_a_device, NULL, "TARN_HIP_DEVICE", "none", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(fresh_memory_need_not_be_zero),
        cmocka_unit_test(no_device_is_told_before_arguments_are_looked_at),
        cmocka_unit_test(a_device_without_virtual_memory_supports_none_of_them),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_goes_once_wherever_it_is_released),
        cmocka_unit_test(memory_released_before_it_is_mapped_is_gone),
        cmocka_unit_test(contents_survive_while_a_reference_does),
        cmocka_unit_test(a_range_grows_with_its_contents),
        cmocka_unit_test(a_range_takes_memory_of_one_device_after_the_other),
        cmocka_unit_test(aliases_show_one_memory_with_rights_of_their_own),
        cmocka_unit_test(memory_and_range_may_differ_in_size),
        cmocka_unit_test(a_mapped_handle_without_references_is_good_for_all_but_release),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
