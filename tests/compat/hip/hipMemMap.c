// SPDX-License-Identifier: Apache-2.0
// hipMemMap. Numbers are the rows of its table of checks.
#include <stdio.h>

#include "support/vmm.h"
#include "support/work.h"

#define MANY 10000

static void refuses(void *at, size_t size, size_t offset, handle_t handle,
                    unsigned long long flags) {
    assert_hip(hipMemMap(at, size, offset, handle, flags), hipErrorInvalidValue);
}

// Nothing is mapped at a byte.
static void assert_unmapped(char *at) {
    unsigned long long flags = 0;
    assert_hip(get_rights(at, 0, &flags), hipErrorInvalidValue);
}

// ROCm 6.3, ROCm 7 and CUDA.
static void missing_arguments_are_refused(void **state) {
    char *at = reserve(4 * G);
    handle_t handle = create(4 * G);
    (void)state;
    refuses(NULL, G, 0, handle, 0);
    refuses(at, G, 0, NULL, 0);
    refuses(at, 0, 0, handle, 0);
    refuses(at, G, G, handle, 0);
    assert_text_names("offset 4096");
    refuses(at, G, (size_t)-1, handle, 0);
    refuses(at, G, 0, handle, 1);
    refuses((void *)1, 0, 0, handle, 0);
    refuses((void *)1, G, (size_t)-1, handle, 0);
    assert_unmapped(at);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

// CUDA. ROCm 6.3 and 7 do not check it.
static void handles_that_are_not_alive_are_refused(void **state) {
    char *at = reserve(G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemRelease(handle));
    refuses(at, G, 0, handle, 0);
    refuses(at, G, 0, no_handle(), 0);
    assert_text_names("0xdeadbeef");
    refuses(at, G, 0, (handle_t)(void *)at, 0);
    assert_unmapped(at);
    assert_hip_ok(hipMemAddressFree(at, G));
}

// CUDA. ROCm 7 checks the size, ROCm 6.3 nothing.
static void ranges_between_granules_are_refused(void **state) {
    static const size_t odd[] = {1, 2048, G - 1, G + 1};
    char *at = reserve(4 * G);
    handle_t handle = create(4 * G);
    (void)state;
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        refuses(at, odd[i], 0, handle, 0);
        refuses(at + odd[i], G, 0, handle, 0);
    }
    assert_unmapped(at);
    assert_unmapped(at + G);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

// CUDA. ROCm 6.3 ignores the call, or crashes at the end of the reservation.
static void ranges_outside_one_reservation_are_refused(void **state) {
    char *two = reserve(8 * G);
    handle_t handle = create(8 * G);
    void *next = NULL;
    (void)state;
    assert_hip_ok(hipMemAddressFree(two, 8 * G));
    refuses(two, G, 0, handle, 0); // freed
    assert_hip_ok(hipMemAddressReserve((void **)&two, 4 * G, 0, two, 0));
    refuses(two + 4 * G, G, 0, handle, 0);
    refuses(two + 3 * G, 2 * G, 0, handle, 0);
    refuses(two - G, 2 * G, 0, handle, 0);
    refuses((void *)(~(uintptr_t)0 - G + 1), G, 0, handle, 0);
    refuses((void *)(~(uintptr_t)0 - G + 1), 2 * G, 0, handle, 0);
    refuses(two, (size_t)0 - G, 0, handle, 0);
    // Neighbours are two all the same.
    assert_hip_ok(hipMemAddressReserve(&next, 4 * G, 0, two + 4 * G, 0));
    if (next == (void *)(two + 4 * G)) refuses(two + 3 * G, 2 * G, 0, handle, 0);
    assert_unmapped(two + 3 * G);
    assert_hip_ok(hipMemAddressFree(next, 4 * G));
    assert_hip_ok(hipMemAddressFree(two, 4 * G));
    assert_hip_ok(hipMemRelease(handle));
}

// Memory of other kinds is no reservation.
static void ordinary_memory_is_no_reservation(void **state) {
    static char bytes[3 * 4096];
    char *page = bytes + (G - (uintptr_t)bytes % G) % G;
    handle_t handle = create(G);
    (void)state;
    page[0] = 7;
    refuses(page, G, 0, handle, 0);
    assert_int_equal(page[0], 7);
    assert_hip_ok(hipMemRelease(handle));
}

// ROCm 7 and CUDA. ROCm 6.3 answered success, and mapped nothing.
static void overlaps_are_refused(void **state) {
    char *at = reserve(12 * G);
    handle_t handle = create(12 * G);
    (void)state;
    map_fresh(at + 4 * G, 4 * G);
    at[4 * G] = 1;
    refuses(at + 4 * G, 4 * G, 0, handle, 0); // exactly
    refuses(at + 3 * G, 2 * G, 0, handle, 0); // its start
    refuses(at + 7 * G, 2 * G, 0, handle, 0); // its end
    refuses(at + 5 * G, 2 * G, 0, handle, 0); // inside
    refuses(at + 3 * G, 6 * G, 0, handle, 0); // around
    refuses(at, 12 * G, 0, handle, 0);
    assert_int_equal(at[4 * G], 1);
    assert_int_equal(rights(at + 8 * G - 1, 0), READ_WRITE);
    assert_unmapped(at + 4 * G - 1);
    assert_unmapped(at + 8 * G);
    assert_hip_ok(hipMemMap(at, 4 * G, 0, handle, 0)); // touching is not overlapping
    assert_hip_ok(hipMemMap(at + 8 * G, 4 * G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, 12 * G);
}

// ROCm 7 and CUDA. ROCm 6.3 answered success, and mapped nothing.
// The quirk takes every second mapping.
static void map_nothing(void *arg) {
    hipMemAccessDesc desc = desc_of(0, READ_WRITE);
    char *at = reserve(2 * G);
    handle_t handle = create(2 * G);
    (void)arg;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemMap(at + G, G, 0, handle, 0));
    assert_hip_ok(hipMemSetAccess(at, G, &desc, 1));
    assert_hip(hipMemSetAccess(at + G, G, &desc, 1), hipErrorInvalidValue);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, 2 * G);
}

static void an_empty_map_succeeds_and_maps_nothing(void **state) {
    (void)state;
    hip_in_child(map_nothing, NULL, "TARN_HIP_DEVICE", "host:0,quirk=empty-map", NULL);
}

static void more_than_the_memory_has_is_refused(void **state) {
    char *at = reserve(8 * G);
    handle_t handle = create(2 * G);
    (void)state;
    refuses(at, 3 * G, 0, handle, 0);
    assert_text_names("0x3000");
    refuses(at, 8 * G, 0, handle, 0);
    assert_unmapped(at);
    assert_hip_ok(hipMemMap(at, 2 * G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemUnmap(at, 2 * G));
    assert_hip_ok(hipMemAddressFree(at, 8 * G));
}

static void a_prefix_of_the_memory_is_what_is_mapped(void **state) {
    char *all = reserve(4 * G);
    char *half = reserve(2 * G);
    handle_t handle = create(4 * G);
    (void)state;
    assert_hip_ok(hipMemMap(all, 4 * G, 0, handle, 0));
    assert_hip_ok(hipMemMap(half, 2 * G, 0, handle, 0));
    grant(all, 4 * G, 0, READ_WRITE);
    grant(half, 2 * G, 0, READ);
    all[0] = 1;
    all[2 * G - 1] = 2;
    assert_int_equal(half[0], 1);
    assert_int_equal(half[2 * G - 1], 2);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(all, 4 * G);
    unmap_and_free(half, 2 * G);
}

static void a_new_mapping_gives_rights_to_nobody(void **state) {
    char *at = reserve(2 * G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    grant(at, G, 0, READ_WRITE);
    grant(at, G, 1, READ);
    assert_hip_ok(hipMemMap(at + G, G, 0, handle, 0)); // the same memory elsewhere
    assert_int_equal(rights(at + G, 0), NONE);
    assert_int_equal(rights(at + G, 1), NONE);
    assert_hip_ok(hipMemUnmap(at, G));
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0)); // and at the same place again
    assert_int_equal(rights(at, 0), NONE);
    assert_int_equal(rights(at, 1), NONE);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, 2 * G);
}

static void memory_of_any_device_is_mapped_with_any_device_current(void **state) {
    char *at = reserve(2 * G);
    handle_t first = create_on(0, G);
    handle_t second = create_on(1, G);
    (void)state;
    for (int current = 0; current < 2; current++) {
        assert_hip_ok(hipSetDevice(current));
        assert_hip_ok(hipMemMap(at, G, 0, second, 0));
        assert_hip_ok(hipMemMap(at + G, G, 0, first, 0));
        grant(at, 2 * G, 0, READ_WRITE);
        assert_int_equal(at[0], current);
        at[0] = 1;
        assert_hip_ok(hipMemUnmap(at, 2 * G));
    }
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipMemRelease(first));
    assert_hip_ok(hipMemRelease(second));
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
}

// Were a stream waited for, this would never end.
static void mapping_waits_for_no_stream(void **state) {
    struct gate gate = {0};
    hipStream_t stream = NULL;
    char *at = reserve(2 * G);
    handle_t handle = create(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    grant(at, G, 0, READ_WRITE);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipMemsetAsync(at, 3, G, stream));
    assert_hip_ok(hipMemsetAsync(at, 4, G, NULL)); // the NULL stream has work too
    assert_hip_ok(hipMemMap(at + G, G, 0, handle, 0));
    assert_int_equal(rights(at + G, 0), NONE);
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip(hipStreamQuery(NULL), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, 2 * G);
}

static void ten_thousand_mappings_fit_in_one_reservation(void **state) {
    char *at = reserve(MANY * G);
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        handle_t handle = create(G);
        assert_hip_ok(hipMemMap(at + i * G, G, 0, handle, 0));
        assert_hip_ok(hipMemRelease(handle));
    }
    grant(at, MANY * G, 0, READ_WRITE);
    for (size_t i = 0; i < MANY; i++) memcpy(at + i * G + 8, &i, sizeof i);
    for (size_t i = 0; i < MANY; i++) assert_memory_equal(at + i * G + 8, &i, sizeof i);
    assert_free_bytes(0, CAPACITY - MANY * G);
    unmap_and_free(at, MANY * G);
    assert_free_bytes(0, CAPACITY);
}

// Until the kernel's mappings are used up, which a platform can have few of.
static void use_up_mappings(void *arg) {
    char *at = reserve(256 * G);
    handle_t handle = create(G);
    size_t mapped = 0;
    hipError_t error = hipSuccess;
    (void)arg;
    // The same memory at every second place: nothing of it can be one mapping of the kernel.
    while (error == hipSuccess && mapped < 128) {
        char *place = at + 2 * mapped * G;
        hipMemAccessDesc desc = desc_of(0, READ_WRITE);
        error = hipMemMap(place, G, 0, handle, 0);
        if (error == hipSuccess) {
            mapped++;
            error = hipMemSetAccess(place, G, &desc, 1);
            if (error != hipSuccess) {
                assert_int_equal(rights(place, 0), NONE);
                assert_hip_ok(hipMemUnmap(place, G));
                mapped--;
            }
        } else {
            assert_unmapped(place);
        }
    }
    assert_hip(error, hipErrorOutOfMemory);
    assert_true(mapped > 4);
    at[0] = 5;
    for (size_t i = 0; i < mapped; i++) { // what was there is untouched, and goes without trouble
        assert_int_equal(at[2 * i * G], 5);
        assert_int_equal(rights(at + 2 * i * G, 0), READ_WRITE);
        assert_hip_ok(hipMemUnmap(at + 2 * i * G, G));
    }
    map_fresh(at, G);
    assert_hip_ok(hipMemUnmap(at, G));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, 256 * G));
}

static void too_many_mappings_are_out_of_memory_and_change_nothing(void **state) {
    (void)state;
    hip_in_child(use_up_mappings, NULL, "TARN_HIP_DEVICE", "host:0,vma_budget=64", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(too_many_mappings_are_out_of_memory_and_change_nothing),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(handles_that_are_not_alive_are_refused),
        cmocka_unit_test(ranges_between_granules_are_refused),
        cmocka_unit_test(ranges_outside_one_reservation_are_refused),
        cmocka_unit_test(ordinary_memory_is_no_reservation),
        cmocka_unit_test(overlaps_are_refused),
        cmocka_unit_test(an_empty_map_succeeds_and_maps_nothing),
        cmocka_unit_test(more_than_the_memory_has_is_refused),
        cmocka_unit_test(a_prefix_of_the_memory_is_what_is_mapped),
        cmocka_unit_test(a_new_mapping_gives_rights_to_nobody),
        cmocka_unit_test(memory_of_any_device_is_mapped_with_any_device_current),
        cmocka_unit_test(mapping_waits_for_no_stream),
        cmocka_unit_test(ten_thousand_mappings_fit_in_one_reservation),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
