// SPDX-License-Identifier: Apache-2.0
// Memory of the stand-in: virtual, plain and pinned, and queries of addresses.
#include <stdlib.h>
#include <unistd.h>

#include "standin/cuda/tests/cuda.h"

static const tn_cu_properties own = {.type = TN_CU_PINNED, .location = {TN_CU_LOCATION_DEVICE, 0}};
static const tn_cu_access all = {{TN_CU_LOCATION_DEVICE, 0}, TN_CU_ACCESS_READ_WRITE};

static size_t granularity(void) {
    size_t g = 0;
    assert_good(cuMemGetAllocationGranularity(&g, &own, TN_CU_GRANULARITY_MINIMUM));
    return g;
}

static void mappings_are_whole_and_spans_are_taken(void **state) {
    (void)state;
    size_t g = granularity();
    tn_cu_address at = 0;
    tn_cu_phys phys = 0;
    tn_cu_phys again = 0;
    unsigned long long flags = 0;
    assert_cu(cuMemAddressReserve(&at, g + 1, 0, 0, 0), TN_CU_INVALID_VALUE);
    assert_good(cuMemAddressReserve(&at, 4 * g, 0, 0, 0));
    assert_good(cuMemCreate(&phys, 2 * g, &own, 0));
    assert_cu(cuMemMap(at, g, g, phys, 0), TN_CU_INVALID_VALUE); // an offset
    assert_good(cuMemMap(at, 2 * g, 0, phys, 0));
    assert_cu(cuMemMap(at + g, g, 0, phys, 0), TN_CU_INVALID_VALUE); // taken
    assert_good(cuMemMap(at + 2 * g, g, 0, phys, 0));
    assert_good(cuMemSetAccess(at, 3 * g, &all, 1));
    assert_cu(cuMemSetAccess(at, 4 * g, &all, 1), TN_CU_INVALID_VALUE); // a gap
    assert_good(cuMemGetAccess(&flags, &all.location, at + g));
    assert_int_equal(flags, TN_CU_ACCESS_READ_WRITE);
    assert_good(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + g)));
    assert_int_equal(again, phys);
    assert_cu(cuMemUnmap(at, g), TN_CU_INVALID_VALUE); // half of one
    assert_cu(cuMemAddressFree(at, 4 * g), TN_CU_INVALID_VALUE);
    assert_good(cuMemUnmap(at, 3 * g));
    assert_good(cuMemRelease(phys));
    assert_good(cuMemRelease(phys));
    assert_cu(cuMemRelease(phys), TN_CU_INVALID_VALUE);
    assert_cu(cuMemAddressFree(at, g), TN_CU_INVALID_VALUE);
    assert_good(cuMemAddressFree(at, 4 * g));
}

static void only_devices_with_rights_use_a_mapping(void **state) {
    const struct scene *scene = *state;
    size_t g = granularity();
    tn_cu_access other = {{TN_CU_LOCATION_DEVICE, 1}, TN_CU_ACCESS_READ};
    tn_cu_address at = 0;
    tn_cu_phys phys = 0;
    tn_cu_stream own_stream = NULL;
    tn_cu_stream stream = NULL;
    char byte = 0;
    assert_good(cuMemAddressReserve(&at, g, 0, 0, 0));
    assert_good(cuMemCreate(&phys, g, &own, 0));
    assert_good(cuMemMap(at, g, 0, phys, 0));
    assert_good(cuMemRelease(phys));
    assert_good(cuMemSetAccess(at, g, &other, 1));
    assert_good(cuStreamCreate(&own_stream, TN_CU_STREAM_NON_BLOCKING));
    assert_cu(cuMemcpyAsync(address_of(&byte), at, 1, own_stream), TN_CU_INVALID_VALUE);
    assert_cu(cuMemsetD8Async(at, 0, 1, own_stream), TN_CU_INVALID_VALUE);
    assert_good(cuCtxPushCurrent_v2(scene->context[1]));
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuMemcpyAsync(address_of(&byte), at, 1, stream));
    assert_cu(cuMemcpyAsync(at, address_of(&byte), 1, stream), TN_CU_INVALID_VALUE);
    assert_good(cuStreamDestroy_v2(stream));
    assert_good(cuCtxPopCurrent_v2(NULL));
    assert_good(cuStreamDestroy_v2(own_stream));
    assert_good(cuMemUnmap(at, g));
    assert_good(cuMemAddressFree(at, g));
}

static void the_host_sees_nothing_unless_the_machine_lets_it(void **state) {
    (void)state;
    size_t g = granularity();
    tn_cu_properties host = {.type = TN_CU_PINNED, .location = {TN_CU_LOCATION_HOST_NUMA, 0}};
    tn_cu_access access = {{TN_CU_LOCATION_HOST, 0}, TN_CU_ACCESS_READ_WRITE};
    tn_cu_address at = 0;
    tn_cu_phys phys = 0;
    assert_good(cuMemAddressReserve(&at, g, 0, 0, 0));
    assert_cu(cuMemCreate(&phys, g, &host, 0), TN_CU_NOT_SUPPORTED);
    assert_good(cuMemCreate(&phys, g, &own, 0));
    assert_good(cuMemMap(at, g, 0, phys, 0));
    assert_cu(cuMemSetAccess(at, g, &access, 1), TN_CU_NOT_SUPPORTED);
    access.location = (tn_cu_location){TN_CU_LOCATION_DEVICE, 2};
    assert_cu(cuMemSetAccess(at, g, &access, 1), TN_CU_INVALID_DEVICE);
    assert_good(cuMemUnmap(at, g));
    assert_good(cuMemRelease(phys));
    assert_good(cuMemAddressFree(at, g));
}

static void memory_leaves_by_a_descriptor_if_made_for_it(void **state) {
    (void)state;
    size_t g = granularity();
    tn_cu_properties shared = own;
    tn_cu_phys phys = 0;
    tn_cu_phys copy = 0;
    int fd = -1;
    assert_good(cuMemCreate(&phys, g, &own, 0));
    assert_cu(cuMemExportToShareableHandle(&fd, phys, TN_CU_HANDLE_FD, 0), TN_CU_INVALID_VALUE);
    assert_good(cuMemRelease(phys));
    shared.types = TN_CU_HANDLE_FD;
    assert_good(cuMemCreate(&phys, g, &shared, 0));
    assert_good(cuMemExportToShareableHandle(&fd, phys, TN_CU_HANDLE_FD, 0));
    assert_true(fd > 2);
    assert_good(cuMemImportFromShareableHandle(&copy, (void *)(intptr_t)fd, TN_CU_HANDLE_FD));
    assert_int_equal(close(fd), 0);
    assert_cu(cuMemImportFromShareableHandle(&copy, (void *)(intptr_t)fd, TN_CU_HANDLE_FD),
              TN_CU_INVALID_VALUE);
    assert_good(cuMemGetAllocationPropertiesFromHandle(&shared, copy));
    assert_int_equal(shared.type, TN_CU_PINNED);
    assert_good(cuMemRelease(copy));
    assert_good(cuMemRelease(phys));
}

static void addresses_are_told_apart(void **state) {
    (void)state;
    tn_cu_address at = 0;
    tn_cu_address base = 0;
    size_t bytes = 0;
    void *pinned = NULL;
    void *mine = malloc(8192);
    unsigned type = 9;
    int attributes[2] = {TN_CU_POINTER_MEMORY_TYPE, TN_CU_POINTER_RANGE_SIZE};
    void *values[2] = {&type, &bytes};
    assert_good(cuMemAlloc_v2(&at, 1000));
    assert_int_equal(at % 256, 0);
    assert_good(cuMemGetAddressRange_v2(&base, &bytes, at + 999));
    assert_int_equal(base, at);
    assert_int_equal(bytes, 1000);
    assert_cu(cuMemFree_v2(at + 1), TN_CU_INVALID_VALUE);
    assert_good(cuMemHostAlloc(&pinned, 4096, 0));
    assert_good(cuPointerGetAttribute(&type, TN_CU_POINTER_MEMORY_TYPE, address_of(pinned)));
    assert_int_equal(type, TN_CU_MEMORY_HOST);
    assert_good(cuPointerGetAttribute(&type, TN_CU_POINTER_MEMORY_TYPE, at));
    assert_int_equal(type, TN_CU_MEMORY_DEVICE);
    assert_cu(cuPointerGetAttribute(&type, TN_CU_POINTER_MEMORY_TYPE, address_of(mine)),
              TN_CU_INVALID_VALUE);
    assert_good(cuPointerGetAttributes(2, attributes, values, address_of(mine)));
    assert_int_equal(type, 0);
    assert_int_equal(bytes, 0);
    assert_good(cuMemHostRegister_v2(mine, 8192, TN_CU_HOST_REGISTER_PORTABLE));
    assert_cu(cuMemHostRegister_v2(mine, 8192, 0), TN_CU_HOST_MEMORY_ALREADY_REGISTERED);
    assert_good(cuPointerGetAttribute(&type, TN_CU_POINTER_MEMORY_TYPE, address_of(mine)));
    assert_good(cuMemHostUnregister(mine));
    assert_cu(cuMemHostUnregister(mine), TN_CU_HOST_MEMORY_NOT_REGISTERED);
    assert_cu(cuMemFreeHost(mine), TN_CU_INVALID_VALUE);
    assert_good(cuMemFreeHost(pinned));
    assert_good(cuMemFree_v2(at));
    assert_good(cuMemFree_v2(0));
    free(mine);
}

static void peers_are_let_in_one_by_one(void **state) {
    const struct scene *scene = *state;
    int can = 0;
    assert_good(cuDeviceCanAccessPeer(&can, 0, 1));
    assert_int_equal(can, 1);
    assert_cu(cuCtxDisablePeerAccess(scene->context[1]), TN_CU_PEER_ACCESS_NOT_ENABLED);
    assert_good(cuCtxEnablePeerAccess(scene->context[1], 0));
    assert_cu(cuCtxEnablePeerAccess(scene->context[1], 0), TN_CU_PEER_ACCESS_ALREADY_ENABLED);
    assert_cu(cuCtxEnablePeerAccess(scene->context[0], 0), TN_CU_INVALID_CONTEXT);
    assert_good(cuCtxDisablePeerAccess(scene->context[1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE_TEST(mappings_are_whole_and_spans_are_taken),
        SCENE_TEST(only_devices_with_rights_use_a_mapping),
        SCENE_TEST(the_host_sees_nothing_unless_the_machine_lets_it),
        SCENE_TEST(memory_leaves_by_a_descriptor_if_made_for_it),
        SCENE_TEST(addresses_are_told_apart),
        SCENE_TEST(peers_are_let_in_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
