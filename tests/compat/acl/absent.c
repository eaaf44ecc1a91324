// SPDX-License-Identifier: Apache-2.0
// Functions that the library exports without implementing them fail with 207000 and name themselves.
#include <acl/acl_dump.h>
#include <acl/acl_prof.h>
#include <acl/acl_tdt.h>
#include <acl/acl_tdt_queue.h>

#include "support/acl.h"

static void expect_name(const char *name) {
    const char *text = aclGetRecentErrMsg();
    assert_non_null(text);
    assert_non_null(strstr(text, name));
    assert_acl(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

static void an_absent_function_names_itself(void **state) {
    void *object = &object;
    (void)state;
    assert_acl(aclrtBinaryLoadFromFile("/binary.o", NULL, &object),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expect_name("aclrtBinaryLoadFromFile()");
    assert_acl(aclrtBinaryGetFunction(&object, "name", &object), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtCntNotifyCreate(&object, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(acltdtDestroyChannel(NULL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclprofInit("/path", 5), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtSetDeviceTaskAbortCallback("name", NULL, NULL),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expect_name("aclrtSetDeviceTaskAbortCallback()");
    assert_ptr_equal(object, &object);
}

static void an_absent_function_that_creates_returns_nothing(void **state) {
    const char object_of_nothing = 0;
    (void)state;
    assert_null(acltdtCreateChannel(0, "channel"));
    expect_name("acltdtCreateChannel()");
    assert_null(acltdtCreateChannelWithCapacity(0, "channel", 3));
    expect_name("acltdtCreateChannelWithCapacity()");
    assert_int_equal(aclprofGetOpStart(&object_of_nothing, 1, 0), 0);
    assert_int_equal(aclprofGetModelId(&object_of_nothing, 1, 0), 0);
    assert_int_equal(acltdtGetQueueRouteNum(NULL), 0);
    expect_name("acltdtGetQueueRouteNum()");
    assert_null(acldumpGetPath(DATA_DUMP));
    assert_null(aclrtCreateGroupInfo());
    assert_int_equal(aclrtGetTaskIdFromExceptionInfo(NULL), 0);
    expect_name("aclrtGetTaskIdFromExceptionInfo()");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_absent_function_names_itself),
        cmocka_unit_test(an_absent_function_that_creates_returns_nothing),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
