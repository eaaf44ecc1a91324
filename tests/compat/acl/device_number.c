// SPDX-License-Identifier: Apache-2.0
// Numbers of devices, with and without a list of visible ones, and the faults of a device.
#include <stddef.h>

#include "support/vmm.h"

typedef aclError translation(int32_t from, int32_t *to);

static const struct {
    translation *call;
    bool from_user;
} translations[] = {{aclrtGetPhyDevIdByLogicDevId, true},  {aclrtGetLogicDevIdByPhyDevId, false},
                    {aclrtGetLogicDevIdByUserDevId, true}, {aclrtGetUserDevIdByLogicDevId, false},
                    {aclrtGetPhyDevIdByUserDevId, true},   {aclrtGetUserDevIdByPhyDevId, false}};
#define TRANSLATIONS (sizeof translations / sizeof translations[0])

static void all_numbers_are_equal_without_a_list(void **state) {
    (void)state;
    for (size_t i = 0; i < TRANSLATIONS; i++) {
        int32_t to = -7;
        assert_acl_ok(translations[i].call(0, &to));
        assert_int_equal(to, 0);
        assert_acl_ok(translations[i].call(1, &to));
        assert_int_equal(to, 1);
        assert_acl(translations[i].call(99, &to), ACL_ERROR_RT_INVALID_DEVICEID);
        assert_acl(translations[i].call(-1, &to), ACL_ERROR_RT_INVALID_DEVICEID);
        assert_acl(translations[i].call(0, NULL), ACL_ERROR_INVALID_PARAM);
        assert_int_equal(to, 1);
    }
}

// A batch names the device of each end.
static void copy_batch_to(void *memory, int device) {
    void *pinned = NULL;
    size_t size = 64;
    size_t first = 0;
    size_t failed = 0;
    aclrtMemcpyBatchAttr attr = {
        {(uint32_t)device, ACL_MEM_LOCATION_TYPE_DEVICE}, {0, ACL_MEM_LOCATION_TYPE_HOST}, {0}};
    assert_acl_ok(aclrtMallocHost(&pinned, size));
    assert_acl_ok(aclrtMemcpyBatch(&memory, &size, &pinned, &size, 1, &attr, &first, 1, &failed));
    assert_acl_ok(aclrtFreeHost(pinned));
}

// Memory of each kind is reported on the device that the program named.
static void look_at_memory(int device) {
    aclrtPtrAttributes attributes;
    aclrtPhysicalMemProp prop;
    void *plain = NULL;
    uint64_t rights = 0;
    char *at = vmm_reserve(2 * MIB);
    aclrtDrvMemHandle handle = vmm_create(2 * MIB, device);
    assert_acl_ok(aclrtMemGetAllocationPropertiesFromHandle(handle, &prop));
    assert_int_equal(prop.location.id, device);
    assert_acl_ok(aclrtMapMem(at, 2 * MIB, 0, handle, 0));
    assert_acl_ok(aclrtMemGetAccess(at, &prop.location, &rights));
    assert_int_equal(rights, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    assert_acl_ok(aclrtPointerGetAttributes(at, &attributes));
    assert_int_equal(attributes.location.id, device);
    assert_acl_ok(aclrtMemset(at, 2 * MIB, 1, 2 * MIB));
    assert_acl_ok(aclrtMalloc(&plain, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtPointerGetAttributes(plain, &attributes));
    assert_int_equal(attributes.location.id, device);
    assert_acl_ok(aclrtMemcpy(plain, 1000, at, 1000, ACL_MEMCPY_DEVICE_TO_DEVICE));
    copy_batch_to(plain, device);
    copy_batch_to(at, device);
    assert_acl_ok(aclrtFree(plain));
    assert_acl_ok(aclrtUnmapMem(at));
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(at));
}

static void both_are_seen_in_reverse(void *arg) {
    (void)arg;
    for (size_t i = 0; i < TRANSLATIONS; i++) {
        int32_t to = -7;
        assert_acl_ok(translations[i].call(0, &to));
        assert_int_equal(to, 1);
        assert_acl_ok(translations[i].call(1, &to));
        assert_int_equal(to, 0);
    }
    for (int device = 0; device < 2; device++) {
        int32_t current = -7;
        assert_acl_ok(aclrtSetDevice(device));
        assert_acl_ok(aclrtGetDevice(&current));
        assert_int_equal(current, device);
        look_at_memory(device);
        assert_acl_ok(aclrtResetDevice(device));
    }
}

static void one_is_seen(void *arg) {
    uint32_t count = 7;
    int32_t to = -7;
    (void)arg;
    assert_acl_ok(aclrtGetDeviceCount(&count));
    assert_int_equal(count, 1);
    assert_acl_ok(aclrtGetPhyDevIdByUserDevId(0, &to));
    assert_int_equal(to, 1);
    assert_acl(aclrtGetUserDevIdByPhyDevId(0, &to), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl_ok(aclrtSetDevice(0));
    look_at_memory(0);
    assert_acl_ok(aclrtResetDevice(0));
}

static void the_list_of_visible_devices_decides_the_numbers(void **state) {
    (void)state;
    acl_in_child(both_are_seen_in_reverse, NULL, "ASCEND_RT_VISIBLE_DEVICES", "1,0", NULL);
    acl_in_child(one_is_seen, NULL, "ASCEND_RT_VISIBLE_DEVICES", "1", NULL);
    acl_in_child(one_is_seen, NULL, "ASCEND_RT_VISIBLE_DEVICES", "1,1,0", NULL);
    acl_in_child(one_is_seen, NULL, "ASCEND_RT_VISIBLE_DEVICES", "1,7,0", NULL);
}

static void a_healthy_device_has_no_fault(void **state) {
    aclrtErrorInfo info;
    aclrtErrorInfo none;
    (void)state;
    assert_int_equal(sizeof info, 2576);
    assert_int_equal(offsetof(aclrtErrorInfo, errorType), 4);
    assert_int_equal(offsetof(aclrtErrorInfo, detail), 8);
    memset(&info, 0x5a, sizeof info);
    memset(&none, 0, sizeof none);
    assert_acl_ok(aclrtGetErrorVerbose(0, &info));
    assert_memory_equal(&info, &none, sizeof info);
    assert_acl_ok(aclrtRepairError(0, &info));
    info.errorType = ACL_RT_ERROR_MEMORY;
    assert_acl(aclrtRepairError(0, &info), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtGetErrorVerbose(0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtRepairError(0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetErrorVerbose(9, &info), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtRepairError(9, &info), ACL_ERROR_RT_INVALID_DEVICEID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_visible_devices_decides_the_numbers), // forks: first
        cmocka_unit_test(all_numbers_are_equal_without_a_list),
        cmocka_unit_test(a_healthy_device_has_no_fault),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
