// SPDX-License-Identifier: Apache-2.0
// hipMemCreate. Numbers are the rows of its table of checks.
#include <stdio.h>
#include <unistd.h>

#include "support/vmm.h"

// Refused with that error, and nothing is written or taken.
static void refuses(size_t size, const hipMemAllocationProp *prop, unsigned long long flags,
                    hipError_t error) {
    handle_t handle = no_handle();
    assert_hip(hipMemCreate(&handle, size, prop, flags), error);
    assert_ptr_equal(handle, no_handle());
}

// ROCm 6.3, ROCm 7 and CUDA.
static void missing_arguments_are_refused(void **state) {
    hipMemAllocationProp prop = prop_on(0);
    (void)state;
    assert_hip(hipMemCreate(NULL, G, &prop, 0), hipErrorInvalidValue);
    refuses(0, &prop, 0, hipErrorInvalidValue);
    refuses(G, NULL, 0, hipErrorInvalidValue);
    refuses(G, &prop, 1, hipErrorInvalidValue);
    refuses(G, &prop, 1ull << 63, hipErrorInvalidValue);
    assert_text_names("0x8000000000000000");
}

// ROCm 6.3 and CUDA take pinned memory only, ROCm 7 uncached memory too.
static void types_that_are_none_are_refused(void **state) {
    static const int types[] = {0, 3, -1, 0x40000001, 0x7FFFFFFF};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        prop.type = (hipMemAllocationType)types[i];
        refuses(G, &prop, 0, hipErrorInvalidValue);
    }
}

// ROCm 6.3 takes devices only, ROCm 7 the host and its nodes too.
static void locations_that_are_none_are_refused(void **state) {
    static const int types[] = {0, 5, -1, 0x7FFFFFFF};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        prop.location.type = (hipMemLocationType)types[i];
        refuses(G, &prop, 0, hipErrorInvalidValue);
    }
}

// ROCm 6.3 checks multiples of 2 KiB first, and has no memory for half pages.
static void level_6_has_no_memory_for_half_pages(void **state) {
    hipError_t half = *state == NULL ? hipErrorOutOfMemory : hipErrorInvalidValue;
    hipError_t large = *state == NULL ? hipErrorInvalidValue : hipErrorOutOfMemory;
    hipMemAllocationProp prop = prop_on(0);
    refuses(2048, &prop, 0, half);
    refuses(G + 2048, &prop, 0, half);
    refuses(2 * CAPACITY + 1, &prop, 0, large);
    refuses(2 * CAPACITY, &prop, 0, hipErrorOutOfMemory);
}

// AMD's tests of 6.3 assert it.
static void level_6_calls_an_unknown_device_a_bad_value(void **state) {
    static const int ordinals[] = {-1, 2, 2147483647, -2147483647 - 1};
    hipError_t want = *state == NULL ? hipErrorInvalidValue : hipErrorInvalidDevice;
    for (size_t i = 0; i < sizeof ordinals / sizeof ordinals[0]; i++) {
        hipMemAllocationProp prop = prop_on(ordinals[i]);
        char text[32];
        refuses(G, &prop, 0, want);
        (void)snprintf(text, sizeof text, "%d", ordinals[i]);
        assert_text_names(text);
    }
}

static void level_7(void *arg) {
    hipMemAllocationProp prop = prop_on(0);
    level_6_calls_an_unknown_device_a_bad_value(&arg);
    level_6_has_no_memory_for_half_pages(&arg);
    prop.location.type = hipMemLocationTypeInvalid; // one behaviour for both levels
    refuses(G, &prop, 0, hipErrorInvalidValue);
    refuses(2 * CAPACITY,
            &(hipMemAllocationProp){.type = hipMemAllocationTypePinned,
                                    .location = {hipMemLocationTypeDevice, 0}},
            0, hipErrorOutOfMemory);
}

// AMD's tests of 7 assert it, and CUDA's manual lists it.
static void level_7_calls_an_unknown_device_by_its_name(void **state) {
    (void)state;
    hip_in_child(level_7, "7", "TARN_HIP_COMPAT", "7", NULL);
}

// Rows come in order: a type that is none before a device that is none before a handle type that is
// not provided before a size that is odd before a size too large.
static void the_first_row_that_matches_decides(void **state) {
    hipMemAllocationProp prop = prop_on(7);
    (void)state;
    prop.type = hipMemAllocationTypeInvalid;
    prop.requestedHandleType = hipMemHandleTypeWin32;
    refuses(2 * CAPACITY + 1, &prop, 0, hipErrorInvalidValue);
    prop.type = hipMemAllocationTypePinned;
    refuses(2 * CAPACITY + 1, &prop, 0, hipErrorInvalidValue);
    assert_text_names("7");
    prop.location.id = 0;
    refuses(2 * CAPACITY + 1, &prop, 0, hipErrorNotSupported);
    prop.requestedHandleType = hipMemHandleTypeNone;
    refuses(2 * CAPACITY + 1, &prop, 0, hipErrorInvalidValue);
    refuses(2 * CAPACITY, &prop, 0, hipErrorOutOfMemory);
    refuses(CAPACITY - 1, &prop, 0, hipErrorInvalidValue);
}

// AMD's tests of 7 accept it. A platform that cannot promise the node does not support the type.
static void host_nodes_are_those_of_the_machine(void **state) {
    hipMemAllocationProp prop = prop_on(0);
    bool one_node = access("/sys/devices/system/node/node1", F_OK) != 0;
    handle_t handle = NULL;
    (void)state;
    prop.location.type = hipMemLocationTypeHostNuma;
    prop.location.id = -1;
    refuses(G, &prop, 0, hipErrorInvalidValue);
    prop.location.id = 123456;
    refuses(G, &prop, 0, hipErrorInvalidValue);
    assert_text_names("123456");
    prop.location.id = 0;
    assert_hip(hipMemCreate(&handle, G, &prop, 0), one_node ? hipSuccess : hipErrorNotSupported);
    if (one_node) {
        assert_hip_ok(hipMemRelease(handle));
        refuses(G - 1, &prop, 0, hipErrorInvalidValue);
    }
}

// What the software device provides beside devices' memory.
static void host_memory_is_created_and_costs_no_device(void **state) {
    hipMemAllocationProp prop = prop_on(-5); // ignored
    handle_t handle = NULL;
    char *at = reserve(G);
    (void)state;
    prop.location.type = hipMemLocationTypeHost;
    assert_hip_ok(hipMemCreate(&handle, G, &prop, 0));
    assert_free_bytes(0, CAPACITY);
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    grant(at, G, 1, READ_WRITE);
    at[0] = 1;
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, G);
    prop.location.type = hipMemLocationTypeHostNumaCurrent;
    refuses(G, &prop, 1, hipErrorInvalidValue);
    refuses((size_t)0 - G,
            &(hipMemAllocationProp){.type = hipMemAllocationTypePinned,
                                    .location = {hipMemLocationTypeHost, 0}},
            0, hipErrorOutOfMemory);
}

static void uncached_memory_is_created_and_managed_is_not(void **state) {
    hipMemAllocationProp prop = prop_on(1);
    handle_t handle = NULL;
    (void)state;
    prop.type = hipMemAllocationTypeUncached;
    assert_hip_ok(hipMemCreate(&handle, G, &prop, 0));
    assert_hip_ok(hipMemRelease(handle));
    prop.type = hipMemAllocationTypeManaged;
    refuses(G, &prop, 0, hipErrorNotSupported);
}

static void without_host_access(void *arg) {
    hipMemAllocationProp prop = prop_on(0);
    (void)arg;
    prop.type = hipMemAllocationTypeUncached;
    refuses(1 << 21, &prop, 0, hipErrorNotSupported);
    prop.type = hipMemAllocationTypePinned;
    prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
    refuses(1 << 21, &prop, 0, hipErrorNotSupported);
    prop.requestedHandleType = hipMemHandleTypeNone;
    handle_t handle = create(1 << 21);
    assert_hip_ok(hipMemRelease(handle));
}

// Numbers without bytes are neither uncached nor shared by descriptor.
static void what_a_platform_lacks_is_not_supported(void **state) {
    (void)state;
    hip_in_child(without_host_access, NULL, "TARN_HIP_DEVICE", "sim:0,granularity=2M", NULL);
}

// ROCm 6.3 and 7. NCCL asks for two types, and again for one if this is not supported.
static void handle_types_that_are_not_provided_are_refused(void **state) {
    static const unsigned types[] = {2, 4, 8, 1 | 8, 1 | 2, 16, 0x80000001};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        char text[32];
        prop.requestedHandleType = (hipMemAllocationHandleType)types[i];
        refuses(G, &prop, 0, hipErrorNotSupported);
        (void)snprintf(text, sizeof text, "0x%x", types[i]);
        assert_text_names(text);
    }
    assert_hip_ok(hipMemRelease(create_shared(G)));
}

// ROCm 6.3 and 7 decide it before they look at the multiple.
static void more_than_the_device_has_is_out_of_memory(void **state) {
    static const size_t sizes[] = {CAPACITY + G, 2 * CAPACITY, SIZE_MAX - G + 1};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        hipMemAllocationProp prop = prop_on(1);
        refuses(sizes[i], &prop, 0, hipErrorOutOfMemory);
        prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
        refuses(sizes[i], &prop, 0, hipErrorOutOfMemory);
    }
}

// CUDA, and AMD's tests; AMD's guide names another error.
static void sizes_between_granules_are_refused(void **state) {
    static const size_t sizes[] = {1, G - 1, G + 1, CAPACITY - 1};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        hipMemAllocationProp prop = prop_on(0);
        refuses(sizes[i], &prop, 0, hipErrorInvalidValue);
    }
}

// All vendors. PyTorch frees its caches then, and tries again.
static void exhaustion_is_exact_and_recoverable(void **state) {
    handle_t most = create_on(1, CAPACITY - G);
    handle_t last = create_on(1, G);
    hipMemAllocationProp prop = prop_on(1);
    (void)state;
    refuses(G, &prop, 0, hipErrorOutOfMemory);
    assert_hip(hipGetLastError(), hipErrorOutOfMemory);
    assert_free_bytes(0, CAPACITY); // the other device has its own
    assert_hip_ok(hipMemRelease(last));
    last = create_on(1, G);
    assert_hip_ok(hipMemRelease(most));
    assert_hip_ok(hipMemRelease(last));
    assert_free_bytes(1, CAPACITY);
}

static void shows_free(size_t bytes) {
    size_t left = 0;
    size_t total = 0;
    assert_hip_ok(hipMemGetInfo(&left, &total));
    assert_int_equal(left, bytes);
    assert_int_equal(total, CAPACITY);
}

static void memory_is_taken_by_create_alone(void **state) {
    char *at = reserve(64 * G);
    (void)state;
    shows_free(CAPACITY);
    handle_t handle = create(16 * G);
    assert_free_bytes(0, CAPACITY - 16 * G);
    shows_free(CAPACITY - 16 * G);
    assert_hip_ok(hipMemMap(at, 16 * G, 0, handle, 0));
    assert_hip_ok(hipMemMap(at + 16 * G, 16 * G, 0, handle, 0));
    shows_free(CAPACITY - 16 * G);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemUnmap(at, 16 * G));
    shows_free(CAPACITY - 16 * G);
    assert_hip_ok(hipMemUnmap(at + 16 * G, 16 * G));
    shows_free(CAPACITY);
    assert_hip_ok(hipMemAddressFree(at, 64 * G));
}

// allocFlags and win32HandleMetaData are the caller's own business; so is uninitialised padding.
static void fields_without_meaning_are_accepted(void **state) {
    hipMemAllocationProp prop;
    handle_t handle = NULL;
    (void)state;
    memset(&prop, 0xa5, sizeof prop);
    prop.type = hipMemAllocationTypePinned;
    prop.requestedHandleType = hipMemHandleTypeNone;
    prop.location.type = hipMemLocationTypeDevice;
    prop.location.id = 1;
    assert_hip_ok(hipMemCreate(&handle, G, &prop, 0));
    assert_hip_ok(hipMemRelease(handle));
}

static void a_handle_is_never_used_again(void **state) {
    handle_t first = create(G);
    (void)state;
    assert_hip_ok(hipMemRelease(first));
    for (int i = 0; i < 2000; i++) {
        handle_t next = create(G);
        assert_ptr_not_equal(next, first);
        assert_hip_ok(hipMemRelease(next));
    }
}

static void the_current_device_does_not_matter(void **state) {
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    handle_t handle = create_on(0, CAPACITY);
    assert_free_bytes(1, CAPACITY);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipSetDevice(0));
}

static void second_of_two_is_shown_first(void *arg) {
    handle_t handle = create_on(0, CAPACITY);
    hipMemAllocationProp prop = prop_on(0);
    (void)arg;
    refuses(G, &prop, 0, hipErrorOutOfMemory);
    assert_hip_ok(hipMemRelease(create_on(1, CAPACITY)));
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
    assert_int_equal(prop.location.id, 0);
    assert_hip_ok(hipMemRelease(handle));
}

static void one_is_shown(void *arg) {
    hipMemAllocationProp prop = prop_on(1);
    (void)arg;
    refuses(G, &prop, 0, hipErrorInvalidValue);
    assert_hip_ok(hipMemRelease(create_on(0, CAPACITY)));
}

static void ordinals_are_those_shown(void **state) {
    (void)state;
    hip_in_child(second_of_two_is_shown_first, NULL, "HIP_VISIBLE_DEVICES", "1,0", NULL);
    hip_in_child(one_is_shown, NULL, "HIP_VISIBLE_DEVICES", "1", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(level_7_calls_an_unknown_device_by_its_name),
        cmocka_unit_test(what_a_platform_lacks_is_not_supported),
        cmocka_unit_test(ordinals_are_those_shown),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(types_that_are_none_are_refused),
        cmocka_unit_test(locations_that_are_none_are_refused),
        cmocka_unit_test(level_6_calls_an_unknown_device_a_bad_value),
        cmocka_unit_test(level_6_has_no_memory_for_half_pages),
        cmocka_unit_test(the_first_row_that_matches_decides),
        cmocka_unit_test(host_nodes_are_those_of_the_machine),
        cmocka_unit_test(host_memory_is_created_and_costs_no_device),
        cmocka_unit_test(uncached_memory_is_created_and_managed_is_not),
        cmocka_unit_test(handle_types_that_are_not_provided_are_refused),
        cmocka_unit_test(more_than_the_device_has_is_out_of_memory),
        cmocka_unit_test(sizes_between_granules_are_refused),
        cmocka_unit_test(exhaustion_is_exact_and_recoverable),
        cmocka_unit_test(memory_is_taken_by_create_alone),
        cmocka_unit_test(fields_without_meaning_are_accepted),
        cmocka_unit_test(a_handle_is_never_used_again),
        cmocka_unit_test(the_current_device_does_not_matter),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
