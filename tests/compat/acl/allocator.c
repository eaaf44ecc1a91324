// SPDX-License-Identifier: Apache-2.0
// Allocators of the program, registered for streams.
#include "support/acl.h"

static void *take(aclrtAllocator allocator, size_t size) {
    (void)size;
    return allocator;
}

static void *take_at(aclrtAllocator allocator, size_t size, aclrtAllocatorAddr addr) {
    (void)allocator;
    (void)size;
    return addr;
}

static void give_back(aclrtAllocator allocator, aclrtAllocatorBlock block) {
    (void)allocator;
    (void)block;
}

static void *address_of(aclrtAllocatorBlock block) { return block; }

// Without the function that returns a block's address.
static aclrtAllocatorDesc partial_desc(void *object) {
    aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
    assert_non_null(desc);
    assert_acl_ok(aclrtAllocatorSetObjToDesc(desc, object));
    assert_acl_ok(aclrtAllocatorSetAllocFuncToDesc(desc, take));
    assert_acl_ok(aclrtAllocatorSetFreeFuncToDesc(desc, give_back));
    return desc;
}

static aclrtAllocatorDesc full_desc(void *object) {
    aclrtAllocatorDesc desc = partial_desc(object);
    assert_acl_ok(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, address_of));
    return desc;
}

static aclError find_object(aclrtStream stream, aclrtAllocator *object) {
    aclrtAllocatorDesc desc = NULL;
    return aclrtAllocatorGetByStream(stream, &desc, object, NULL, NULL, NULL, NULL);
}

static void a_registration_needs_the_object_and_three_functions(void **state) {
    aclrtStream stream = NULL;
    int object = 0;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    aclrtAllocatorDesc desc = partial_desc(&object);
    assert_acl(aclrtAllocatorRegister(stream, desc), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, address_of));
    assert_acl(aclrtAllocatorRegister(NULL, desc), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtAllocatorRegister(stream, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtAllocatorRegister(stream, desc));
    assert_acl_ok(aclrtAllocatorDestroyDesc(desc));
    assert_acl(aclrtAllocatorDestroyDesc(desc), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtAllocatorDestroyDesc(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtAllocatorSetObjToDesc(desc, &object), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void a_registration_outlives_its_description(void **state) {
    aclrtStream stream = NULL;
    aclrtAllocatorDesc found = NULL;
    aclrtAllocator object = NULL;
    aclrtAllocatorAllocFunc alloc = NULL;
    aclrtAllocatorFreeFunc release = NULL;
    aclrtAllocatorAllocAdviseFunc advise = NULL;
    aclrtAllocatorGetAddrFromBlockFunc address = NULL;
    int own = 0;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    aclrtAllocatorDesc desc = full_desc(&own);
    assert_acl_ok(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, take_at));
    assert_acl_ok(aclrtAllocatorRegister(stream, desc));
    assert_acl_ok(aclrtAllocatorDestroyDesc(desc));
    assert_acl_ok(
        aclrtAllocatorGetByStream(stream, &found, &object, &alloc, &release, &advise, &address));
    assert_non_null(found);
    assert_ptr_equal(object, &own);
    assert_true(alloc == take && release == give_back && advise == take_at &&
                address == address_of);
    assert_acl(
        aclrtAllocatorGetByStream(stream, NULL, &object, &alloc, &release, &advise, &address),
        ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtAllocatorUnregister(stream));
    assert_acl_ok(aclrtAllocatorUnregister(stream));
    assert_acl(find_object(stream, &object), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtAllocatorUnregister(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void the_last_registration_counts(void **state) {
    aclrtStream stream = NULL;
    aclrtStream other = NULL;
    aclrtAllocator object = NULL;
    int objects[2] = {0, 0};
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtCreateStream(&other));
    for (int i = 0; i < 2; i++) {
        aclrtAllocatorDesc desc = full_desc(&objects[i]);
        assert_acl_ok(aclrtAllocatorRegister(stream, desc));
        assert_acl_ok(aclrtAllocatorDestroyDesc(desc));
    }
    assert_acl_ok(find_object(stream, &object));
    assert_ptr_equal(object, &objects[1]);
    assert_acl(find_object(other, &object), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(stream)); // with its registration
    assert_acl(find_object(stream, &object), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDestroyStream(other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(a_registration_needs_the_object_and_three_functions),
        WITH_DEVICE(a_registration_outlives_its_description),
        WITH_DEVICE(the_last_registration_counts),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
