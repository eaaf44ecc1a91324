// SPDX-License-Identifier: Apache-2.0
// Mapping, unmapping and rights (spec table 3.12, V17, V18, V20).
#include <pthread.h>

#include "support/vmm.h"
#include "support/work.h"

// ---- a child

static void newer_functions_are_named(void *arg) {
    aclrtMemLocation host = {0, ACL_MEM_LOCATION_TYPE_HOST};
    aclrtMemAccessDesc desc = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, {0, 1}, {0}};
    aclrtDrvMemHandle again = NULL;
    uint64_t flag = 0;
    (void)arg;
    char *start = vmm_reserve(4 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_acl(aclrtMemMapNoAccess(start + 2 * MIB, 2 * MIB, 0, handle, 0),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemSetAccess(start, 2 * MIB, &desc, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemGetAccess(start, &host, &flag), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemRetainAllocationHandle(start, &again), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void generation_1_lacks_rights_and_retaining(void **state) {
    (void)state;
    acl_in_child(newer_functions_are_named, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

static void is_refused(void *arg) {
    aclrtMemLocation device = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    aclrtMemAccessDesc desc = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, device, {0}};
    aclrtDrvMemHandle handle = NULL;
    uint64_t flag = 99;
    void *at = (void *)(uintptr_t)(2 * MIB);
    (void)arg;
    assert_acl(aclrtMemMapNoAccess(at, 2 * MIB, 0, at, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemSetAccess(at, 2 * MIB, &desc, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemGetAccess(at, &device, &flag), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemRetainAllocationHandle(at, &handle), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtReserveMemAddressNoUCMemory(&at, 2 * MIB, 0, NULL, 0),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_int_equal(flag, 99);
    assert_null(handle);
}

static void rc_mode_maps_nothing(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_MODE", "RC", NULL);
}

// ---- mapping

// virPtr or handle NULL, size 0, flags not 0: 100000; offset not 0: 107000
static void bad_arguments_are_refused(void **state) {
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl(aclrtMapMem(NULL, 2 * MIB, 0, handle, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMapMem(start, 0, 0, handle, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMapMem(start, 2 * MIB, 2 * MIB, handle, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMapMem(start, 2 * MIB, 2 * MIB, handle, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemMapNoAccess(NULL, 2 * MIB, 0, handle, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemMapNoAccess(start, 2 * MIB, 2 * MIB, handle, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemMapNoAccess(start, 2 * MIB, 2 * MIB, handle, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID); // stale
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// not 2 MiB aligned, outside the reservation, another size, overlapping: 507899
static void the_driver_refuses_bad_places(void **state) {
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    aclrtDrvMemHandle handle = vmm_create(4 * MIB, 0);
    assert_acl(aclrtMapMem(start + 4096, 4 * MIB, 0, handle, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start + 2 * MIB, 4 * MIB, 0, handle, 0),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, handle, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start, 6 * MIB, 0, handle, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem((void *)(uintptr_t)(2 * MIB), 4 * MIB, 0, handle, 0),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtMapMem(start, 4 * MIB, 0, handle, 0));
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void mappings_do_not_overlap(void **state) {
    (void)state;
    char *start = vmm_reserve(8 * MIB);
    aclrtDrvMemHandle small = vmm_create(2 * MIB, 0);
    aclrtDrvMemHandle big = vmm_create(4 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start + 2 * MIB, 4 * MIB, 0, big, 0));
    assert_acl(aclrtMapMem(start, 4 * MIB, 0, big, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start + 4 * MIB, 4 * MIB, 0, big, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start + 4 * MIB, 2 * MIB, 0, small, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, small, 0));
    assert_acl_ok(aclrtMapMem(start + 6 * MIB, 2 * MIB, 0, small, 0));
    for (size_t at = 0; at < 8 * MIB; at += at == 2 * MIB ? 4 * MIB : 2 * MIB)
        assert_acl_ok(aclrtUnmapMem(start + at));
    assert_acl_ok(aclrtFreePhysical(small));
    assert_acl_ok(aclrtFreePhysical(big));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// Use without a mapping faults
static void addresses_without_memory_are_not_used(void **state) {
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    char *start = vmm_reserve(4 * MIB);
    assert_acl(aclrtMemset(start, 2 * MIB, 1, 2 * MIB), ACL_ERROR_RT_PARAM_INVALID);
    vmm_fill(start, 2 * MIB);
    assert_acl_ok(aclrtMemset(start, 2 * MIB, 1, 2 * MIB));
    assert_acl(aclrtMemset(start, 4 * MIB, 1, 4 * MIB), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl(aclrtMemset(start, 2 * MIB, 1, 2 * MIB), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtResetDevice(0));
}

// Pages go with the last reference: create, each mapping and each retaining are one
static void pages_go_with_the_last_reference(void **state) {
    aclrtDrvMemHandle retained = NULL;
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    size_t before = acl_free_bytes();
    char *start = vmm_reserve(4 * MIB);
    assert_int_equal(acl_free_bytes(), before); // addresses are no memory
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_int_equal(before - acl_free_bytes(), 2 * MIB);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_acl_ok(aclrtMapMem(start + 2 * MIB, 2 * MIB, 0, handle, 0));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtMemRetainAllocationHandle(start + 2 * MIB, &retained));
    assert_acl_ok(aclrtUnmapMem(start + 2 * MIB));
    assert_int_equal(before - acl_free_bytes(), 2 * MIB);
    assert_acl_ok(aclrtFreePhysical(retained));
    assert_int_equal(acl_free_bytes(), before);
    handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_int_equal(before - acl_free_bytes(), 2 * MIB);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_int_equal(acl_free_bytes(), before);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtResetDevice(0));
}

// V17, V18
static void mapped_memory_outlives_its_handle(void **state) {
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, handle, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    vmm_let_host(start, 2 * MIB);
    strcpy(start, "here");
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_string_equal(start, "here");
    assert_acl(aclrtFreePhysical(handle), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl(aclrtUnmapMem(start), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// V20
static void a_place_is_mapped_again(void **state) {
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    for (int i = 0; i < 3; i++) {
        vmm_fill(start + 2 * MIB, 2 * MIB);
        vmm_let_host(start + 2 * MIB, 2 * MIB);
        memset(start + 2 * MIB, i, 2 * MIB);
        assert_acl_ok(aclrtUnmapMem(start + 2 * MIB));
    }
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void memory_at_two_places_is_the_same(void **state) {
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    for (size_t at = 0; at < 4 * MIB; at += 2 * MIB) {
        assert_acl_ok(aclrtMapMem(start + at, 2 * MIB, 0, handle, 0));
        vmm_let_host(start + at, 2 * MIB);
    }
    strcpy(start + 100, "alias");
    assert_string_equal(start + 2 * MIB + 100, "alias");
    assert_acl_ok(aclrtUnmapMem(start));
    assert_string_equal(start + 2 * MIB + 100, "alias");
    assert_acl_ok(aclrtUnmapMem(start + 2 * MIB));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// A reservation is tied to the first device or host mapped into it, even after unmapping
static void a_reservation_is_for_one_device(void **state) {
    aclrtPhysicalMemProp host = vmm_prop(ACL_DDR_MEM_HUGE, 0);
    aclrtDrvMemHandle of_host = NULL;
    (void)state;
    host.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    char *start = vmm_reserve(4 * MIB);
    aclrtDrvMemHandle first = vmm_create(2 * MIB, 1);
    aclrtDrvMemHandle other = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMallocPhysical(&of_host, 2 * MIB, &host, 0));
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, first, 0));
    assert_acl(aclrtMapMem(start + 2 * MIB, 2 * MIB, 0, other, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, other, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, of_host, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtReleaseMemAddress(start));
    start = vmm_reserve(2 * MIB); // a new one is free again
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, of_host, 0));
    strcpy(start, "the CPU owns it");
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    assert_acl_ok(aclrtFreePhysical(first));
    assert_acl_ok(aclrtFreePhysical(other));
    assert_acl_ok(aclrtFreePhysical(of_host));
}

// torch_npu makes pinned memory so (spec 6.1)
static void memory_of_the_host_is_copied_from(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_DDR_MEM_HUGE, 0);
    aclrtDrvMemHandle of_host = NULL;
    char back[8] = "";
    (void)state;
    prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    char *host = vmm_reserve(2 * MIB);
    char *device = vmm_reserve(2 * MIB);
    assert_acl_ok(aclrtMallocPhysical(&of_host, 2 * MIB, &prop, 0));
    assert_acl_ok(aclrtMapMem(host, 2 * MIB, 0, of_host, 0));
    vmm_fill(device, 2 * MIB);
    assert_acl_ok(aclrtSetDevice(0));
    strcpy(host, "pinned");
    assert_acl_ok(
        aclrtMemcpyAsync(device, 2 * MIB, host, 2 * MIB, ACL_MEMCPY_HOST_TO_DEVICE, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtMemcpy(back, 8, device, 8, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_string_equal(back, "pinned");
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtUnmapMem(host));
    assert_acl_ok(aclrtUnmapMem(device));
    assert_acl_ok(aclrtReleaseMemAddress(host));
    assert_acl_ok(aclrtReleaseMemAddress(device));
    assert_acl_ok(aclrtFreePhysical(of_host));
}

// ---- threads

static void *map_and_unmap(void *failures) {
    for (int i = 0; i < 50; i++) {
        aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, i % 2);
        aclrtDrvMemHandle handle = NULL;
        void *start = NULL;
        if (aclrtReserveMemAddress(&start, 4 * MIB, 0, NULL, 0) != 0 ||
            aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0) != 0 ||
            aclrtMapMem((char *)start + 2 * MIB, 2 * MIB, 0, handle, 0) != 0 ||
            aclrtFreePhysical(handle) != 0 || aclrtReleaseMemAddress(start) == 0 ||
            aclrtUnmapMem((char *)start + 2 * MIB) != 0 || aclrtReleaseMemAddress(start) != 0)
            ++*(int *)failures;
    }
    return NULL;
}

static void threads_do_not_hinder_each_other(void **state) {
    pthread_t threads[4];
    int failures[4] = {0};
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, map_and_unmap, &failures[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(failures[i], 0);
    }
}

struct race {
    void *start;
    aclrtDrvMemHandle handle;
    _Atomic(int) won;
};

static void *map_once(void *arg) {
    struct race *race = arg;
    if (aclrtMapMem(race->start, 2 * MIB, 0, race->handle, 0) == 0) race->won++;
    return NULL;
}

static void one_place_is_mapped_by_one(void **state) {
    struct race race = {vmm_reserve(2 * MIB), vmm_create(2 * MIB, 0), 0};
    pthread_t threads[4];
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, map_once, &race), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(race.won, 1);
    assert_acl_ok(aclrtUnmapMem(race.start));
    assert_acl_ok(aclrtFreePhysical(race.handle));
    assert_acl_ok(aclrtReleaseMemAddress(race.start));
}

static void only_the_start_of_a_mapping_is_unmapped(void **state) {
    (void)state;
    char *start = vmm_reserve(8 * MIB);
    vmm_fill(start, 4 * MIB);
    assert_acl(aclrtUnmapMem(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtUnmapMem(start + 2 * MIB), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtUnmapMem(start + 4 * MIB), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtUnmapMem(&start), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// Does not wait for running work: this would wait for ever
static void unmapping_does_not_wait(void **state) {
    struct gate gate = {0};
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    vmm_fill(start, 2 * MIB);
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtLaunchHostFunc(NULL, pass_gate, &gate));
    assert_acl_ok(aclrtUnmapMem(start));
    assert_int_equal(gate.passed, 0);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void begins_with_nothing(void *start) {
    assert_acl(aclrtUnmapMem(start), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtReleaseMemAddress(start), ACL_ERROR_RT_PARAM_INVALID);
    char *own = vmm_reserve(2 * MIB);
    vmm_fill(own, 2 * MIB);
    assert_acl_ok(aclrtUnmapMem(own));
    assert_acl_ok(aclrtReleaseMemAddress(own));
}

static void mappings_stay_with_the_process_that_made_them(void **state) {
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    vmm_fill(start, 2 * MIB);
    acl_in_child(begins_with_nothing, start, NULL);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// ---- retaining

static void a_mapping_gives_its_handle_back(void **state) {
    aclrtDrvMemHandle again = NULL;
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    aclrtDrvMemHandle handle = vmm_create(4 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start, 4 * MIB, 0, handle, 0));
    assert_acl(aclrtMemRetainAllocationHandle(NULL, &again), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemRetainAllocationHandle(start, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemRetainAllocationHandle(start + 2 * MIB, &again),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_null(again);
    assert_acl_ok(aclrtMemRetainAllocationHandle(start, &again));
    assert_ptr_equal(again, handle);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl(aclrtFreePhysical(handle), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl(aclrtMemRetainAllocationHandle(start, &again), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

// ---- rights

static const aclrtMemLocation host = {0, ACL_MEM_LOCATION_TYPE_HOST};
static const aclrtMemLocation device0 = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
static const aclrtMemLocation device1 = {1, ACL_MEM_LOCATION_TYPE_DEVICE};

static aclError set_access(void *at, size_t size, aclrtMemLocation location, int flags) {
    aclrtMemAccessDesc desc = {(aclrtMemAccessFlags)flags, location, {0}};
    return aclrtMemSetAccess(at, size, &desc, 1);
}

static void assert_access(void *at, aclrtMemLocation location, uint64_t want) {
    uint64_t flag = 99;
    assert_acl_ok(aclrtMemGetAccess(at, &location, &flag));
    assert_int_equal(flag, want);
}

static void the_owner_has_rights_at_once(void **state) {
    (void)state;
    char *start = vmm_reserve(4 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_acl_ok(aclrtMemMapNoAccess(start + 2 * MIB, 2 * MIB, 0, handle, 0));
    assert_access(start, device0, 3);
    assert_access(start + 5, device1, 0);
    assert_access(start, host, 0);
    assert_access(start + 2 * MIB, device0, 0);
    assert_acl_ok(set_access(start, 2 * MIB, device0, 3)); // which it has
    assert_access(start, device0, 3);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtUnmapMem(start + 2 * MIB));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void rights_are_given_and_go_with_the_mapping(void **state) {
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_acl_ok(set_access(start, 2 * MIB, device0, 3)); // has them already
    assert_acl_ok(set_access(start, 2 * MIB, device1, 3));
    assert_acl_ok(set_access(start, 2 * MIB, device1, 3));
    assert_acl_ok(set_access(start, 2 * MIB, host, 3));
    assert_access(start, device1, 3);
    assert_access(start, host, 3);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
    assert_access(start, device1, 0);
    assert_access(start, host, 0);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void bad_rights_are_refused(void **state) {
    const aclrtMemLocation second_host = {1, ACL_MEM_LOCATION_TYPE_HOST};
    const aclrtMemLocation numa = {0, ACL_MEM_LOCATION_TYPE_HOST_NUMA};
    const aclrtMemLocation device2 = {2, ACL_MEM_LOCATION_TYPE_DEVICE};
    aclrtMemAccessDesc desc = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, device1, {0}};
    (void)state;
    char *start = vmm_reserve(8 * MIB);
    vmm_fill(start, 4 * MIB);
    vmm_fill(start + 4 * MIB, 2 * MIB);
    assert_acl(aclrtMemSetAccess(NULL, 4 * MIB, &desc, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemSetAccess(start, 4 * MIB, NULL, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemSetAccess(start, 4 * MIB, &desc, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(set_access(start, 4 * MIB, second_host, 3), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(set_access(start, 4 * MIB, numa, 3), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(set_access(start, 4 * MIB, device2, 3), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(set_access(start, 4 * MIB, device1, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(set_access(start, 4 * MIB, device1, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(set_access(start, 2 * MIB, device1, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT); // first
    assert_acl(set_access(start, 2 * MIB, second_host, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(set_access(start, 2 * MIB, device1, 3), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(set_access(start, 6 * MIB, device1, 3), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(set_access(start + 2 * MIB, 2 * MIB, device1, 3), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(set_access(start + 6 * MIB, 2 * MIB, device1, 3), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_access(start, device1, 0);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtUnmapMem(start + 4 * MIB));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void entries_before_a_failing_one_stay_in_force(void **state) {
    aclrtMemAccessDesc descs[3] = {{ACL_RT_MEM_ACCESS_FLAGS_READWRITE, device1, {0}},
                                   {ACL_RT_MEM_ACCESS_FLAGS_READ, device0, {0}},
                                   {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, host, {0}}};
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    vmm_fill(start, 2 * MIB);
    assert_acl(aclrtMemSetAccess(start, 2 * MIB, descs, 3), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_access(start, device1, 3);
    assert_access(start, device0, 3);
    assert_access(start, host, 0);
    assert_acl_ok(aclrtUnmapMem(start));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void rights_are_known_of_mappings_only(void **state) {
    aclrtMemLocation location = device0;
    uint64_t flag = 99;
    (void)state;
    char *start = vmm_reserve(2 * MIB);
    assert_acl(aclrtMemGetAccess(NULL, &location, &flag), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemGetAccess(start, NULL, &flag), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemGetAccess(start, &location, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemGetAccess(start, &location, &flag), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMemGetAccess(&flag, &location, &flag), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    location.id = 2;
    assert_acl(aclrtMemGetAccess(start, &location, &flag), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(flag, 99);
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_lacks_rights_and_retaining), // these two fork: first
        cmocka_unit_test(rc_mode_maps_nothing),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(the_driver_refuses_bad_places),
        cmocka_unit_test(mappings_do_not_overlap),
        cmocka_unit_test(addresses_without_memory_are_not_used),
        cmocka_unit_test(pages_go_with_the_last_reference),
        cmocka_unit_test(mapped_memory_outlives_its_handle),
        cmocka_unit_test(a_place_is_mapped_again),
        cmocka_unit_test(memory_at_two_places_is_the_same),
        cmocka_unit_test(a_reservation_is_for_one_device),
        cmocka_unit_test(memory_of_the_host_is_copied_from),
        cmocka_unit_test(threads_do_not_hinder_each_other),
        cmocka_unit_test(one_place_is_mapped_by_one),
        cmocka_unit_test(only_the_start_of_a_mapping_is_unmapped),
        cmocka_unit_test(unmapping_does_not_wait),
        cmocka_unit_test(mappings_stay_with_the_process_that_made_them),
        cmocka_unit_test(a_mapping_gives_its_handle_back),
        cmocka_unit_test(the_owner_has_rights_at_once),
        cmocka_unit_test(rights_are_given_and_go_with_the_mapping),
        cmocka_unit_test(bad_rights_are_refused),
        cmocka_unit_test(entries_before_a_failing_one_stay_in_force),
        cmocka_unit_test(rights_are_known_of_mappings_only),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
