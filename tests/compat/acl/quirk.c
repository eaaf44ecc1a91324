// SPDX-License-Identifier: Apache-2.0
// Claims about quirks (docs/quirks.md) as AscendCL programs see them: pinned memory that the program
// must align itself, and a device that is lost until aclrtResetDevice().
#include <stdlib.h>

#include "support/acl.h"

static int quirk_setup(void **state) {
    const char *quirks = "align-64;device-lost:size=12345-12640";
    return setenv("TARN_QUIRK", quirks, 1) != 0 || acl_group_setup(state) != 0;
}

static void host_memory_is_aligned_to_64_bytes_only(void **state) {
    char *block = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocHost((void **)&block, 1000 + 64));
    assert_int_equal((uintptr_t)block % 64, 0);
    assert_int_not_equal((uintptr_t)block % 128, 0);
    char *aligned = (char *)(((uintptr_t)block + 127) & ~(uintptr_t)127); // by the program itself
    memset(aligned, 1, 1000);
    assert_acl_ok(aclrtFreeHost(block));
}

static void a_lost_device_fails_every_call_until_it_is_reset(void **state) {
    void *block = NULL;
    void *other = NULL;
    (void)state;
    assert_acl_ok(aclrtMalloc(&block, 1000, ACL_MEM_MALLOC_NORMAL_ONLY));
    const aclError lost = ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    assert_acl(aclrtMalloc(&other, 12345, ACL_MEM_MALLOC_NORMAL_ONLY), lost);
    assert_acl(aclrtMalloc(&other, 1000, ACL_MEM_MALLOC_NORMAL_ONLY), lost);
    assert_acl(aclrtMemset(block, 1000, 1, 1000), lost);
    assert_acl(aclrtSynchronizeDevice(), lost);
    assert_acl_ok(aclrtFree(block));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMalloc(&block, 1000, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl_ok(aclrtMemset(block, 1000, 1, 1000));
    assert_acl_ok(aclrtFree(block));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(host_memory_is_aligned_to_64_bytes_only),
        WITH_DEVICE(a_lost_device_fails_every_call_until_it_is_reset),
    };
    return cmocka_run_group_tests(tests, quirk_setup, NULL);
}
