// SPDX-License-Identifier: Apache-2.0
// Access of devices to each other's memory (spec table 2). aclrtMemcpy.c tests copies with it.
#include <unistd.h>

#include "support/acl.h"

static int32_t enabled(int32_t device, int32_t peer) {
    int32_t status = -1;
    assert_acl_ok(aclrtDevicePeerAccessStatus(device, peer, &status));
    return status;
}

static void questions_are_checked(void **state) {
    int32_t answer = 7;
    (void)state;
    assert_acl(aclrtDeviceCanAccessPeer(NULL, 0, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtDeviceCanAccessPeer(&answer, 1, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDeviceCanAccessPeer(&answer, 9, 9), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDeviceCanAccessPeer(&answer, 0, 2), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtDeviceCanAccessPeer(&answer, -1, 0), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtDevicePeerAccessStatus(0, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDevicePeerAccessStatus(0, 0, &answer), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDevicePeerAccessStatus(0, 2, &answer), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_int_equal(answer, 7);
    assert_acl_ok(aclrtDeviceCanAccessPeer(&answer, 0, 1));
    assert_int_equal(answer, 1);
}

static void access_needs_a_context_before_a_device(void **state) {
    (void)state;
    assert_acl(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
    assert_acl(aclrtDeviceEnablePeerAccess(1, 0), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDeviceEnablePeerAccess(2, 0), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtDeviceDisablePeerAccess(2), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl_ok(aclrtResetDevice(0));
}

static void access_is_one_way_and_repeatable(void **state) {
    (void)state;
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(enabled(1, 0), 0);
    assert_acl_ok(aclrtDeviceEnablePeerAccess(0, 0));
    assert_acl_ok(aclrtDeviceEnablePeerAccess(0, 0));
    assert_int_equal(enabled(1, 0), 1);
    assert_int_equal(enabled(0, 1), 0);
    assert_acl_ok(aclrtDeviceDisablePeerAccess(0));
    assert_int_equal(enabled(1, 0), 0);
    assert_acl(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtResetDevice(1));
}

static void the_bare_number_is_the_process(void **state) {
    int32_t pid = 0;
    (void)state;
    assert_acl(aclrtDeviceGetBareTgid(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtDeviceGetBareTgid(&pid));
    assert_int_equal(pid, getpid());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_are_checked),
        cmocka_unit_test(access_needs_a_context_before_a_device),
        cmocka_unit_test(access_is_one_way_and_repeatable),
        cmocka_unit_test(the_bare_number_is_the_process),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
