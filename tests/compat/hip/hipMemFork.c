// SPDX-License-Identifier: Apache-2.0
// Virtual memory management after fork(): the child has none of its parent's handles, ranges and
// mappings, and can do everything itself.
#include <unistd.h>

#include "support/vmm.h"

struct family {
    char *at;
    handle_t handle;
    int fd;
};

static void names_of_the_parent_are_refused(const struct family *parent) {
    char *at = reserve(G);
    hipMemAllocationProp prop = prop_on(0);
    hipMemAccessDesc desc = desc_of(0, READ);
    unsigned long long flags = 99;
    handle_t handle = NULL;
    int fd = -1;
    assert_hip(hipMemRelease(parent->handle), hipErrorInvalidValue);
    assert_hip(hipMemMap(at, G, 0, parent->handle, 0), hipErrorInvalidValue);
    assert_hip(hipMemGetAllocationPropertiesFromHandle(&prop, parent->handle),
               hipErrorInvalidValue);
    assert_hip(
        hipMemExportToShareableHandle(&fd, parent->handle, hipMemHandleTypePosixFileDescriptor, 0),
        hipErrorInvalidValue);
    assert_hip(hipMemRetainAllocationHandle(&handle, parent->at), hipErrorInvalidValue);
    assert_hip(hipMemSetAccess(parent->at, 2 * G, &desc, 1), hipErrorInvalidValue);
    assert_hip(get_rights(parent->at, 0, &flags), hipErrorInvalidValue);
    assert_hip(hipMemUnmap(parent->at, 2 * G), hipErrorInvalidValue);
    assert_hip(hipMemAddressFree(parent->at, 4 * G), hipErrorInvalidValue);
    handle = create(G);
    assert_hip(hipMemMap(parent->at + 2 * G, G, 0, handle, 0), hipErrorInvalidValue);
    assert_ptr_not_equal(handle, parent->handle);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, G));
}

static void be_a_child(void *arg) {
    const struct family *parent = arg;
    names_of_the_parent_are_refused(parent);
    assert_free_bytes(0, CAPACITY); // devices of its own
    char *at = reserve(4 * G);
    map_fresh(at, 2 * G);
    at[0] = 1;
    handle_t handle = import_fd(parent->fd);
    assert_hip_ok(hipMemMap(at + 2 * G, 2 * G, 0, handle, 0));
    grant(at + 2 * G, 2 * G, 1, READ_WRITE);
    assert_string_equal(at + 2 * G, "from the parent");
    strcpy(at + 3 * G, "from the child");
    handle_t mine = create_shared(G);
    assert_int_equal(close(export_fd(mine)), 0);
    assert_hip_ok(hipMemRelease(mine));
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, 4 * G);
}

static void be_a_parent_too(void *arg) {
    be_a_child(arg);
    hip_in_child(be_a_child, arg, NULL);
    be_a_child(arg);
}

static void born(struct family *family) {
    family->at = reserve(4 * G);
    family->handle = create_shared(2 * G);
    assert_hip_ok(hipMemMap(family->at, 2 * G, 0, family->handle, 0));
    grant(family->at, 2 * G, 0, READ_WRITE);
    family->fd = export_fd(family->handle);
    strcpy(family->at, "from the parent");
}

static void die(struct family *family) {
    assert_int_equal(close(family->fd), 0);
    assert_hip_ok(hipMemRelease(family->handle));
    assert_hip_ok(hipMemUnmap(family->at, 2 * G));
    assert_hip_ok(hipMemAddressFree(family->at, 4 * G));
    assert_free_bytes(0, CAPACITY);
}

static void a_child_lives_on_its_own_and_shares_by_descriptor(void **state) {
    struct family family;
    (void)state;
    born(&family);
    hip_in_child(be_a_child, &family, NULL);
    assert_string_equal(family.at + G, "from the child");
    assert_string_equal(family.at, "from the parent");
    assert_int_equal(rights(family.at, 0), READ_WRITE);
    assert_int_equal(rights(family.at, 1), NONE); // the child's grants were its own
    map_fresh(family.at + 2 * G, G);
    assert_hip_ok(hipMemUnmap(family.at + 2 * G, G));
    die(&family);
}

static void so_does_a_grandchild(void **state) {
    struct family family;
    (void)state;
    born(&family);
    hip_in_child(be_a_parent_too, &family, NULL);
    assert_string_equal(family.at + G, "from the child");
    die(&family);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_lives_on_its_own_and_shares_by_descriptor),
        cmocka_unit_test(so_does_a_grandchild),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
