// SPDX-License-Identifier: Apache-2.0
// Queries about pointers: aclrtPointerGetAttributes(), aclrtCheckMemType(), aclrtMemGetAddressRange()
// (spec 3.11).
#include "support/acl.h"

static int use_device_1(void **state) {
    (void)state;
    return aclrtSetDevice(1);
}

static int leave_device_1(void **state) {
    (void)state;
    return aclrtResetDevice(1);
}

static aclrtPtrAttributes attributes_of(const void *ptr) {
    aclrtPtrAttributes attributes;
    memset(&attributes, 0xEE, sizeof attributes);
    assert_acl_ok(aclrtPointerGetAttributes(ptr, &attributes));
    return attributes;
}

static void assert_attributes(const void *ptr, aclrtMemLocationType type, uint32_t id,
                              uint32_t page) {
    aclrtPtrAttributes attributes = attributes_of(ptr);
    assert_int_equal(attributes.location.type, type);
    assert_int_equal(attributes.location.id, id);
    assert_int_equal(attributes.pageSize, page);
    assert_int_equal(attributes.rsv[0] | attributes.rsv[3], 0);
}

static void kinds_of_memory_are_distinguished(void **state) {
    static char fixed[64];
    char local = 0;
    char *device = NULL;
    void *host = NULL;
    void *managed = NULL;
    void *heap = malloc(100);
    (void)state;
    assert_acl_ok(aclrtMalloc((void **)&device, 100, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMallocHost(&host, 100));
    assert_acl_ok(aclrtMemAllocManaged(&managed, 100, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_acl_ok(aclrtSetDevice(0)); // what is current does not matter
    assert_attributes(device, ACL_MEM_LOCATION_TYPE_DEVICE, 1, 4096);
    assert_attributes(device + 159, ACL_MEM_LOCATION_TYPE_DEVICE, 1, 4096);
    assert_attributes(host, ACL_MEM_LOCATION_TYPE_HOST, 0, 4096);
    assert_attributes(managed, ACL_MEM_LOCATION_TYPE_MANAGED, 1, 4096);
    assert_attributes(heap, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 0);
    assert_attributes(fixed, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 0);
    assert_attributes(&local, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 0);
    assert_attributes((void *)(uintptr_t)1, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 0);
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(host));
    assert_acl_ok(aclrtFree(managed));
    free(heap);
}

static void pages_are_those_asked_for(void **state) {
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE_ONLY));
    assert_attributes(ptr, ACL_MEM_LOCATION_TYPE_DEVICE, 1, 2 << 20);
    assert_acl_ok(aclrtFree(ptr));
    assert_acl_ok(aclrtMalloc(&ptr, 1, ACL_MEM_MALLOC_HUGE1G_ONLY));
    assert_attributes(ptr, ACL_MEM_LOCATION_TYPE_DEVICE, 1, 1 << 30);
    assert_acl_ok(aclrtFree(ptr));
}

static void freed_device_addresses_are_refused(void **state) {
    aclrtPtrAttributes attributes;
    char *ptrs[20];
    (void)state;
    for (size_t i = 0; i < 20; i++)
        assert_acl_ok(aclrtMalloc((void **)&ptrs[i], 5000 * (i + 1), ACL_MEM_MALLOC_HUGE_FIRST));
    for (size_t i = 0; i < 20; i += 2) assert_acl_ok(aclrtFree(ptrs[i]));
    for (size_t i = 0; i < 20; i++) {
        assert_acl(aclrtPointerGetAttributes(ptrs[i] + 4999, &attributes),
                   i % 2 == 0 ? ACL_ERROR_RT_PARAM_INVALID : ACL_SUCCESS);
    }
    for (size_t i = 1; i < 20; i += 2) assert_acl_ok(aclrtFree(ptrs[i]));
}

static void attributes_need_arguments_and_no_context(void **state) {
    aclrtPtrAttributes attributes;
    char local;
    (void)state;
    assert_acl(aclrtPointerGetAttributes(NULL, &attributes), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtPointerGetAttributes(&local, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtPointerGetAttributes(&local, &attributes));
}

// ---- ranges

static void mapped_addresses_are_their_chunks(void **state) {
    const aclrtPhysicalMemProp prop = {.memAttr = ACL_HBM_MEM_HUGE,
                                       .location = {1, ACL_MEM_LOCATION_TYPE_DEVICE}};
    const size_t chunk = (size_t)2 << 20;
    aclrtPtrAttributes attributes;
    aclrtDrvMemHandle handle = NULL;
    char *start = NULL;
    void *base = NULL;
    size_t size = 0;
    uint32_t result = 0;
    (void)state;
    assert_acl_ok(aclrtReserveMemAddress((void **)&start, 2 * chunk, 0, NULL, 0));
    assert_acl_ok(aclrtMallocPhysical(&handle, chunk, &prop, 0));
    assert_acl_ok(aclrtMapMem(start + chunk, chunk, 0, handle, 0));
    char *inside = start + chunk + 77;
    assert_attributes(inside, ACL_MEM_LOCATION_TYPE_DEVICE, 1, 2 << 20);
    assert_acl_ok(aclrtMemGetAddressRange(inside, &base, &size));
    assert_ptr_equal(base, start + chunk);
    assert_int_equal(size, chunk);
    assert_acl_ok(aclrtCheckMemType((void **)&inside, 1, ACL_RT_MEM_TYPE_RSVD, &result, 0));
    assert_int_equal(result, 1);
    assert_acl(aclrtFree(start + chunk), ACL_ERROR_RT_PARAM_INVALID); // 3.3
    assert_acl(aclrtFree(start), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtPointerGetAttributes(start, &attributes), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemGetAddressRange(start, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtUnmapMem(start + chunk));
    assert_acl(aclrtPointerGetAttributes(inside, &attributes), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFreePhysical(handle));
    assert_acl_ok(aclrtReleaseMemAddress(start));
}

static void ranges_are_found_from_any_byte(void **state) {
    char *device = NULL;
    char *host = NULL;
    void *base = NULL;
    size_t size = 0;
    char local;
    (void)state;
    assert_acl_ok(aclrtMalloc((void **)&device, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMallocHost((void **)&host, 1000));
    assert_acl_ok(aclrtMemGetAddressRange(device + 1055, &base, &size));
    assert_ptr_equal(base, device);
    assert_int_equal(size, 1056);
    assert_acl_ok(aclrtMemGetAddressRange(host + 1023, &base, &size));
    assert_ptr_equal(base, host);
    assert_int_equal(size, 1024);
    assert_acl(aclrtMemGetAddressRange(device + 1056, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemGetAddressRange(&local, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemGetAddressRange(NULL, &base, &size), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtMemGetAddressRange(device, NULL, &size));
    assert_acl_ok(aclrtMemGetAddressRange(device, &base, NULL));
    assert_acl(aclrtMemGetAddressRange(device, NULL, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFreeHost(host));
    assert_acl(aclrtMemGetAddressRange(device, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemGetAddressRange(host, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
}

// ---- types

static uint32_t are_of(void **addresses, uint32_t count, uint32_t types) {
    uint32_t result = 7;
    assert_acl_ok(aclrtCheckMemType(addresses, count, types, &result, 0));
    return result;
}

static void types_are_of_all_addresses(void **state) {
    void *addresses[3] = {NULL, NULL, NULL};
    uint32_t result = 7;
    (void)state;
    assert_acl_ok(aclrtMalloc(&addresses[0], 1, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMalloc(&addresses[1], 1, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMallocHost(&addresses[2], 1));
    assert_int_equal(are_of(addresses, 2, ACL_RT_MEM_TYPE_DEV), 1);
    assert_int_equal(are_of(addresses, 3, ACL_RT_MEM_TYPE_DEV), 0);
    assert_int_equal(are_of(addresses, 2, ACL_RT_MEM_TYPE_DVPP), 0);
    assert_int_equal(are_of(addresses, 2, ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_DEV), 1);
    assert_int_equal(are_of(addresses, 2, ACL_RT_MEM_TYPE_RSVD), 0);
    assert_acl(aclrtCheckMemType(NULL, 1, ACL_RT_MEM_TYPE_DEV, &result, 0),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCheckMemType(addresses, 0, ACL_RT_MEM_TYPE_DEV, &result, 0),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCheckMemType(addresses, 1, ACL_RT_MEM_TYPE_DEV, NULL, 0),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCheckMemType(addresses, 1, 0, &result, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCheckMemType(addresses, 1, 1, &result, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCheckMemType(addresses, 1, ACL_RT_MEM_TYPE_DEV, &result, 1),
               ACL_ERROR_INVALID_PARAM);
    assert_int_equal(result, 7);
    assert_acl_ok(aclrtFree(addresses[0]));
    assert_acl_ok(aclrtFree(addresses[1]));
    assert_acl_ok(aclrtFreeHost(addresses[2]));
}

#define WITH_DEVICE_1(test) cmocka_unit_test_setup_teardown(test, use_device_1, leave_device_1)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_need_arguments_and_no_context),
        WITH_DEVICE_1(kinds_of_memory_are_distinguished),
        WITH_DEVICE_1(pages_are_those_asked_for),
        WITH_DEVICE_1(freed_device_addresses_are_refused),
        WITH_DEVICE_1(mapped_addresses_are_their_chunks),
        WITH_DEVICE_1(ranges_are_found_from_any_byte),
        WITH_DEVICE_1(types_are_of_all_addresses),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
