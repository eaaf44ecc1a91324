// SPDX-License-Identifier: Apache-2.0
// aclrtMallocWithCfg(), aclrtMallocForTaskScheduler(): configurations (spec 3.1).
#include "support/acl.h"

typedef aclError (*allocator)(void **ptr, size_t size, aclrtMemMallocPolicy policy,
                              aclrtMallocConfig *cfg);
static const allocator allocators[] = {aclrtMallocWithCfg, aclrtMallocForTaskScheduler};

#define EACH(allocate)                                                                             \
    for (const allocator *allocate = allocators; allocate < allocators + 2; allocate++)

static void arguments_are_checked_in_order(void **state) {
    const aclrtMemMallocPolicy both =
        (aclrtMemMallocPolicy)(ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH);
    aclrtMallocConfig empty = {.attrs = NULL, .numAttrs = 1};
    void *ptr = &ptr;
    (void)state;
    EACH(allocate) {
        assert_acl((*allocate)(NULL, 0, ACL_MEM_MALLOC_HUGE_FIRST, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl((*allocate)(&ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST, &empty),
                   ACL_ERROR_INVALID_PARAM);
        assert_non_null(strstr(aclGetRecentErrMsg(), "attrs"));
        assert_acl((*allocate)(&ptr, 0, ACL_MEM_MALLOC_HUGE_FIRST, NULL), ACL_ERROR_INVALID_PARAM);
        assert_acl((*allocate)(&ptr, SIZE_MAX - 31, ACL_MEM_MALLOC_HUGE_FIRST, NULL),
                   ACL_ERROR_INVALID_PARAM);
        assert_acl((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, NULL),
                   ACL_ERROR_RT_CONTEXT_NULL);
        assert_acl((*allocate)(&ptr, 1, both, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    }
    assert_ptr_equal(ptr, &ptr);
}

static void attributes_are_heeded_or_refused(void **state) {
    aclrtMallocAttribute attrs[2] = {{.attr = ACL_RT_MEM_ATTR_MODULE_ID, .value.moduleId = 77},
                                     {.attr = ACL_RT_MEM_ATTR_DEVICE_ID, .value.deviceId = 0}};
    aclrtMallocConfig config = {.attrs = attrs, .numAttrs = 2};
    aclrtMallocConfig none = {.attrs = NULL, .numAttrs = 0};
    void *ptr = NULL;
    (void)state;
    EACH(allocate) {
        attrs[1] = (aclrtMallocAttribute){ACL_RT_MEM_ATTR_DEVICE_ID, {.deviceId = 0}};
        assert_acl_ok((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &config));
        assert_acl_ok(aclrtFree(ptr));
        assert_acl_ok((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &none));
        assert_acl_ok(aclrtFree(ptr));
        attrs[1].value.deviceId = 1;
        assert_acl((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &config),
                   ACL_ERROR_RT_PARAM_INVALID);
        assert_non_null(strstr(aclGetRecentErrMsg(), "DEVICE_ID is 1"));
        attrs[1].attr = ACL_RT_MEM_ATTR_VA_FLAG; // of host memory only
        assert_acl((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &config),
                   ACL_ERROR_RT_PARAM_INVALID);
        attrs[1].attr = (aclrtMallocAttrType)1000;
        assert_acl((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &config),
                   ACL_ERROR_RT_PARAM_INVALID);
        attrs[1].attr = ACL_RT_MEM_ATTR_RSV;
        assert_acl((*allocate)(&ptr, 1, ACL_MEM_MALLOC_HUGE_FIRST, &config),
                   ACL_ERROR_RT_PARAM_INVALID);
    }
}

static void sizes_are_not_padded_and_bits_leave_the_pages(void **state) {
    static const struct {
        uint32_t policy;
        size_t size;
        size_t pages;
    } rows[] = {{ACL_MEM_MALLOC_HUGE_FIRST, 2 << 20, 2 << 20},
                {ACL_MEM_MALLOC_HUGE_ONLY | ACL_MEM_TYPE_LOW_BAND_WIDTH, 1, 2 << 20},
                {ACL_MEM_MALLOC_NORMAL_ONLY | ACL_MEM_TYPE_HIGH_BAND_WIDTH, 3 << 20, 3 << 20},
                {ACL_MEM_MALLOC_HUGE_ONLY | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                     ACL_MEM_ACCESS_USER_SPACE_READONLY,
                 1, 2 << 20},
                {ACL_MEM_ACCESS_USER_SPACE_READONLY, 1, 4096},
                {ACL_MEM_TYPE_LOW_BAND_WIDTH, 1 << 20, 1 << 20},
                {ACL_MEM_MALLOC_HUGE_ONLY_P2P, 1, 2 << 20},
                {ACL_MEM_MALLOC_HUGE1G_ONLY, 1, 1 << 30}};
    void *ptr = NULL;
    (void)state;
    EACH(allocate) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            void *base = NULL;
            size_t size = 0;
            size_t before = acl_free_bytes();
            assert_acl_ok(
                (*allocate)(&ptr, rows[i].size, (aclrtMemMallocPolicy)rows[i].policy, NULL));
            assert_int_equal((uintptr_t)ptr % 512, 0);
            assert_acl_ok(aclrtMemGetAddressRange(ptr, &base, &size));
            assert_int_equal(size, (rows[i].size + 31) / 32 * 32);
            assert_int_equal(before - acl_free_bytes(), rows[i].pages);
            assert_acl_ok(aclrtFree(ptr));
        }
        assert_acl((*allocate)(&ptr, 1,
                               (aclrtMemMallocPolicy)(ACL_MEM_TYPE_LOW_BAND_WIDTH |
                                                      ACL_MEM_TYPE_HIGH_BAND_WIDTH),
                               NULL),
                   ACL_ERROR_RT_PARAM_INVALID);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_checked_in_order),
        WITH_DEVICE(attributes_are_heeded_or_refused),
        WITH_DEVICE(sizes_are_not_padded_and_bits_leave_the_pages),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
