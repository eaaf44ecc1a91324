// SPDX-License-Identifier: Apache-2.0
// Physical memory: attributes, sizes, and its end (spec table 3.12, V13, V14, V19).
#include "support/vmm.h"

// ---- children

static void the_first_attributes_are_there(void *arg) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_MEM_HUGE, 0);
    aclrtDrvMemHandle handle = NULL;
    size_t granularity = 0;
    (void)arg;
    assert_acl(aclrtMemGetAllocationGranularity(&prop, 0, &granularity), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0), ACL_ERROR_INVALID_PARAM);
    prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    assert_acl_ok(aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0));
    assert_acl(aclrtMemGetAllocationPropertiesFromHandle(handle, &prop),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl_ok(aclrtFreePhysical(handle));
}

static void generation_1_knows_fewer_attributes(void **state) {
    (void)state;
    acl_in_child(the_first_attributes_are_there, NULL, "TARN_ACL_GENERATION", "1", NULL);
}

static void is_refused(void *arg) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    aclrtDrvMemHandle handle = NULL;
    size_t granularity = 0;
    (void)arg;
    assert_acl(aclrtMemGetAllocationGranularity(&prop, 0, &granularity),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtMemGetAllocationPropertiesFromHandle(&prop, &prop),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_null(handle);
}

static void rc_mode_has_no_physical_memory(void **state) {
    (void)state;
    acl_in_child(is_refused, NULL, "TARN_ACL_MODE", "RC", NULL);
}

// ---- granularity

// V13, V14
static void the_granularity_is_2_mib_or_1_gib(void **state) {
    static const int good[] = {2, 3, 4, 5, 6, 7, 10, 12, 13, 14, 15, 16, 17};
    size_t granularity = 0;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        aclrtPhysicalMemProp prop = vmm_prop((aclrtMemAttr)good[i], 0);
        size_t want = good[i] == 10 || good[i] == 14 || good[i] == 17 ? GIB : 2 * MIB;
        for (int option = 0; option < 2; option++) {
            assert_acl_ok(aclrtMemGetAllocationGranularity(
                &prop, (aclrtMemGranularityOptions)option, &granularity));
            assert_int_equal(granularity, want);
        }
    }
}

static void a_granularity_of_nothing_is_refused(void **state) {
    static const int bad[] = {-1, 0, 1, 8, 9, 11, 18, 1 << 20};
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    size_t granularity = 7;
    (void)state;
    assert_acl(aclrtMemGetAllocationGranularity(NULL, 0, &granularity), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemGetAllocationGranularity(&prop, 0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemGetAllocationGranularity(&prop, (aclrtMemGranularityOptions)2, &granularity),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        prop.memAttr = (aclrtMemAttr)bad[i];
        assert_acl(aclrtMemGetAllocationGranularity(&prop, 0, &granularity),
                   ACL_ERROR_INVALID_PARAM);
        assert_non_null(strstr(aclGetRecentErrMsg(), "memAttr"));
    }
    assert_int_equal(granularity, 7);
}

// ---- creating

static void try_prop(aclrtPhysicalMemProp prop, size_t size, aclError want) {
    aclrtDrvMemHandle handle = &handle;
    assert_acl(aclrtMallocPhysical(&handle, size, &prop, 0), want);
    if (want == ACL_SUCCESS)
        assert_acl_ok(aclrtFreePhysical(handle));
    else
        assert_ptr_equal(handle, &handle);
}

static void bad_arguments_are_refused(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    aclrtDrvMemHandle handle = NULL;
    (void)state;
    assert_acl(aclrtMallocPhysical(NULL, 2 * MIB, &prop, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocPhysical(&handle, 2 * MIB, NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocPhysical(&handle, 0, &prop, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocPhysical(&handle, 2 * MIB, &prop, 1), ACL_ERROR_INVALID_PARAM);
    assert_null(handle);
}

static void properties_are_tested_in_their_order(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    (void)state;
    prop.location.id = 2; // each mistake stays, an earlier one comes on top
    prop.reserve = 1;
    try_prop(prop, 1000, ACL_ERROR_RT_INVALID_DEVICEID);
    prop.memAttr = ACL_HBM_MEM; // not in the set
    try_prop(prop, 1000, ACL_ERROR_INVALID_PARAM);
    prop.memAttr = ACL_DDR_MEM_HUGE; // of the host
    try_prop(prop, 1000, ACL_ERROR_INVALID_PARAM);
    prop = vmm_prop(ACL_HBM_MEM_HUGE, 2);
    prop.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    try_prop(prop, 1000, ACL_ERROR_INVALID_PARAM);
    prop.location.type = ACL_MEM_LOCATION_TYPE_MANAGED;
    try_prop(prop, 1000, ACL_ERROR_INVALID_PARAM);
    prop = vmm_prop(ACL_HBM_MEM_HUGE, 2);
    prop.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
    try_prop(prop, 1000, ACL_ERROR_INVALID_PARAM);
    prop = vmm_prop(ACL_HBM_MEM_HUGE, 2);
    prop.allocationType = (aclrtMemAllocationType)1;
    try_prop(prop, 1000, ACL_ERROR_INVALID_PARAM);
    prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    prop.reserve = 1;
    try_prop(prop, 1000, ACL_ERROR_RT_PARAM_INVALID);
    prop.reserve = 0;
    try_prop(prop, 1000, ACL_ERROR_RT_DRV_INTERNAL_ERROR); // V19
    try_prop(prop, MIB, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    try_prop(prop, 2 * MIB, ACL_SUCCESS);
}

// HOST location with id not 0: 207000; DDR attributes are of the host
static void the_host_has_memory_too(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_DDR_MEM_P2P_NORMAL, 0);
    (void)state;
    prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    try_prop(prop, 2 * MIB, ACL_SUCCESS);
    prop.memAttr = ACL_MEM_NORMAL;
    try_prop(prop, 2 * MIB, ACL_SUCCESS);
    prop.location.id = 1;
    try_prop(prop, 2 * MIB, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    prop.location = (aclrtMemLocation){0, ACL_MEM_LOCATION_TYPE_HOST_NUMA};
    try_prop(prop, 2 * MIB, ACL_SUCCESS);
    prop.location.id = 100000;
    try_prop(prop, 2 * MIB, ACL_ERROR_RT_INVALID_DEVICEID);
}

// DDR attributes on a DEVICE location: 100000; attributes outside of the set: 100000
static void devices_have_no_memory_of_the_host_s_kind(void **state) {
    static const int bad[] = {-1, 0, 1, 2, 3, 6, 7, 8, 9, 11, 18};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        try_prop(vmm_prop((aclrtMemAttr)bad[i], 0), 2 * MIB, ACL_ERROR_INVALID_PARAM);
}

// HBM_NORMAL and its like are really backed by huge pages
static void normal_pages_are_huge_ones(void **state) {
    static const aclrtMemAttr normal[] = {ACL_HBM_MEM_NORMAL, ACL_MEM_NORMAL, ACL_MEM_P2P_NORMAL};
    (void)state;
    for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++) {
        aclrtPhysicalMemProp prop = vmm_prop(normal[i], 0);
        aclrtPtrAttributes attributes;
        aclrtDrvMemHandle handle = NULL;
        char *start = vmm_reserve(2 * MIB);
        try_prop(prop, 4096, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
        assert_acl_ok(aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0));
        assert_acl_ok(aclrtMapMem(start, 2 * MIB, 0, handle, 0));
        assert_acl_ok(aclrtPointerGetAttributes(start, &attributes));
        assert_int_equal(attributes.pageSize, 2 * MIB);
        assert_acl_ok(aclrtFreePhysical(handle));
        assert_acl_ok(aclrtUnmapMem(start));
        assert_acl_ok(aclrtReleaseMemAddress(start));
    }
}

// OOM: 207001; committed at creation, exact, and released
static void capacity_is_exact(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, 0);
    (void)state;
    aclrtDrvMemHandle most = vmm_create(GIB - 2 * MIB, 0);
    try_prop(prop, 4 * MIB, ACL_ERROR_RT_MEMORY_ALLOCATION);
    try_prop(prop, 2 * MIB, ACL_SUCCESS);
    prop.location.id = 1;
    try_prop(prop, GIB, ACL_SUCCESS);
    try_prop(prop, (size_t)1 << 62, ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl_ok(aclrtFreePhysical(most));
}

// HUGE1G sizes are rounded up to 1 GiB, and go where 1 GiB fits
static void giant_memory_is_in_units_of_1_gib(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE1G, 0);
    aclrtDrvMemHandle handle = NULL;
    (void)state;
    char *start = vmm_reserve(2 * GIB);
    assert_acl_ok(aclrtMallocPhysical(&handle, 1000, &prop, 0));
    try_prop(vmm_prop(ACL_HBM_MEM_HUGE, 0), 2 * MIB, ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl(aclrtMapMem(start + 2 * MIB, GIB, 0, handle, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMapMem(start, 2 * MIB, 0, handle, 0), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtMapMem(start + GIB, GIB, 0, handle, 0));
    assert_acl_ok(aclrtUnmapMem(start + GIB));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
    try_prop(prop, SIZE_MAX, ACL_ERROR_RT_MEMORY_ALLOCATION);
}

// ---- references

static void too_many_releases_are_refused(void **state) {
    (void)state;
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, 0);
    assert_acl(aclrtFreePhysical(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl(aclrtFreePhysical(handle), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFreePhysical((aclrtDrvMemHandle)(uintptr_t)0x1234), ACL_ERROR_RT_PARAM_INVALID);
    aclrtDrvMemHandle next = vmm_create(2 * MIB, 0);
    assert_ptr_not_equal(next, handle); // no number twice
    assert_acl_ok(aclrtFreePhysical(next));
}

static void properties_come_back(void **state) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_MEM_P2P_HUGE, 1);
    aclrtPhysicalMemProp back;
    aclrtDrvMemHandle handle = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocPhysical(&handle, 2 * MIB, &prop, 0));
    assert_acl(aclrtMemGetAllocationPropertiesFromHandle(NULL, &back), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemGetAllocationPropertiesFromHandle(handle, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtMemGetAllocationPropertiesFromHandle(handle, &back));
    assert_int_equal(back.handleType, ACL_MEM_HANDLE_TYPE_NONE);
    assert_int_equal(back.allocationType, ACL_MEM_ALLOCATION_TYPE_PINNED);
    assert_int_equal(back.memAttr, ACL_MEM_P2P_HUGE);
    assert_int_equal(back.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_int_equal(back.location.id, 1);
    assert_int_equal(back.reserve, 0);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl(aclrtMemGetAllocationPropertiesFromHandle(handle, &back),
               ACL_ERROR_RT_PARAM_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generation_1_knows_fewer_attributes), // these two fork: first
        cmocka_unit_test(rc_mode_has_no_physical_memory),
        cmocka_unit_test(the_granularity_is_2_mib_or_1_gib),
        cmocka_unit_test(a_granularity_of_nothing_is_refused),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(properties_are_tested_in_their_order),
        cmocka_unit_test(the_host_has_memory_too),
        cmocka_unit_test(devices_have_no_memory_of_the_host_s_kind),
        cmocka_unit_test(normal_pages_are_huge_ones),
        cmocka_unit_test(capacity_is_exact),
        cmocka_unit_test(giant_memory_is_in_units_of_1_gib),
        cmocka_unit_test(too_many_releases_are_refused),
        cmocka_unit_test(properties_come_back),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
