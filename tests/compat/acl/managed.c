// SPDX-License-Identifier: Apache-2.0
// Advice about managed memory is kept by pages and returned.
#include "support/acl.h"

#define MIB ((size_t)1 << 20)

static const aclrtMemManagedLocation host = {ACL_MEM_LOCATIONTYPE_HOST, 0};
static const aclrtMemManagedLocation first = {ACL_MEM_LOCATIONTYPE_DEVICE, 0};
static const aclrtMemManagedLocation second = {ACL_MEM_LOCATIONTYPE_DEVICE, 1};

static int32_t get(const void *ptr, size_t size, aclrtMemManagedRangeAttribute attribute) {
    int32_t value = 99;
    assert_acl_ok(aclrtMemManagedGetAttr(attribute, ptr, size, &value, sizeof value));
    return value;
}

static void advice_holds_where_it_was_given(void **state) {
    char *ptr = NULL;
    int32_t list[3] = {9, 9, 9}, mostly = 9;
    (void)state;
    assert_acl_ok(aclrtMemAllocManaged((void **)&ptr, MIB, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2);
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB / 2, ACL_MEM_ADVISE_SET_READ_MOSTLY, host));
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, second));
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB, ACL_MEM_ADVISE_SET_ACCESSED_BY, first));
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB, ACL_MEM_ADVISE_SET_ACCESSED_BY, host));
    assert_int_equal(get(ptr, MIB / 2, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
    assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
    assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE),
                     ACL_MEM_LOCATIONTYPE_DEVICE);
    assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID), 1);
    aclrtMemManagedRangeAttribute wanted[] = {ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                              ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
    void *data[] = {list, &mostly};
    size_t sizes[] = {sizeof list, sizeof mostly};
    assert_acl_ok(aclrtMemManagedGetAttrs(wanted, 2, ptr, 4096, data, sizes));
    assert_true(list[0] == -1 && list[1] == 0 && list[2] == -2 && mostly == 1);
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION, host));
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB, ACL_MEM_ADVISE_UNSET_ACCESSED_BY, host));
    assert_acl_ok(aclrtMemManagedAdvise(ptr, MIB, ACL_MEM_ADVISE_UNSET_READ_MOSTLY, host));
    assert_acl_ok(aclrtMemManagedGetAttrs(wanted, 2, ptr, 4096, data, sizes));
    assert_true(list[0] == 0 && list[1] == -2 && mostly == 0);
    assert_acl_ok(aclrtFree(ptr));
}

static void a_prefetch_is_remembered_until_the_memory_is_freed(void **state) {
    char *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMemAllocManaged((void **)&ptr, MIB, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_acl_ok(aclrtMemManagedPrefetchAsync(ptr, MIB, first, 0, NULL));
    assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 0);
    const void *ptrs[] = {ptr, ptr + MIB / 2};
    size_t sizes[] = {MIB / 2, MIB / 2}, starts[] = {0, 1};
    aclrtMemManagedLocation places[] = {second, host};
    assert_acl_ok(aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 2, places, starts, 2, 0, NULL));
    assert_int_equal(get(ptr, MIB / 2, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 1);
    assert_int_equal(get(ptrs[1], 1, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE),
                     ACL_MEM_LOCATIONTYPE_HOST);
    sizes[1] = MIB; // leaves the block: nothing is changed
    places[0] = first;
    assert_acl(aclrtMemManagedPrefetchBatchAsync(ptrs, sizes, 2, places, starts, 2, 0, NULL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(get(ptr, MIB / 2, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID), 1);
    assert_acl_ok(aclrtFree(ptr));
    for (int i = 0; i < 8; i++) { // one of them may be where the first was
        assert_acl_ok(aclrtMemAllocManaged((void **)&ptr, MIB, ACL_RT_MEM_ATTACH_GLOBAL));
        assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -2);
        assert_acl_ok(aclrtFree(ptr));
    }
}

static void wrong_advice_is_refused(void **state) {
    char *ptr = NULL;
    void *device = NULL;
    int64_t wide = 0;
    const aclrtMemManagedLocation nowhere = {ACL_MEM_LOCATIONTYPE_INVALID, 0};
    const aclrtMemManagedLocation absent = {ACL_MEM_LOCATIONTYPE_DEVICE, 7};
    (void)state;
    assert_acl_ok(aclrtMemAllocManaged((void **)&ptr, MIB, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_acl_ok(aclrtMalloc(&device, MIB, ACL_MEM_MALLOC_NORMAL_ONLY));
    const aclrtMemManagedAdviseType prefer = ACL_MEM_ADVISE_SET_PREFERRED_LOCATION;
    assert_acl(aclrtMemManagedAdvise(NULL, 1, prefer, host), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemManagedAdvise(ptr, 0, prefer, host), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedAdvise(device, 1, prefer, host), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedAdvise(ptr, 2 * MIB, prefer, host), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedAdvise(ptr, 1, prefer, nowhere), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedAdvise(ptr, 1, prefer, absent), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtMemManagedAdvise(ptr, 1, (aclrtMemManagedAdviseType)6, host),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedPrefetchAsync(ptr, 1, host, 1, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ptr, 1, &wide, 8),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemManagedGetAttr((aclrtMemManagedRangeAttribute)9, ptr, 1, &wide, 4),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(get(ptr, MIB, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFree(ptr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(advice_holds_where_it_was_given),
        WITH_DEVICE(a_prefetch_is_remembered_until_the_memory_is_freed),
        WITH_DEVICE(wrong_advice_is_refused),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
