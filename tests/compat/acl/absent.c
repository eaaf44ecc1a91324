// SPDX-License-Identifier: Apache-2.0
// Functions that the library exports without implementing them fail with 207000 and name themselves.
#include "support/acl.h"

// As a program declares them that was built with CANN's headers.
void *acltdtCreateChannel(uint32_t device, const char *name);
void *acltdtCreateChannelWithCapacity(uint32_t device, const char *name, size_t capacity);
aclError acltdtDestroyChannel(void *channel);
size_t acltdtGetQueueRouteNum(const void *routes);
aclError aclrtBinaryLoadFromFile(const char *path, void *options, void **binary);
aclError aclrtBinaryGetFunction(void *binary, const char *name, void **function);
aclError aclprofInit(const char *path, size_t length);
aclError aclrtSetDeviceTaskAbortCallback(void);
aclError aclrtCntNotifyCreate(void **notify, uint64_t flag);

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
    assert_acl(aclrtSetDeviceTaskAbortCallback(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expect_name("aclrtSetDeviceTaskAbortCallback()");
    assert_ptr_equal(object, &object);
}

static void an_absent_function_that_creates_returns_nothing(void **state) {
    (void)state;
    assert_null(acltdtCreateChannel(0, "channel"));
    expect_name("acltdtCreateChannel()");
    assert_null(acltdtCreateChannelWithCapacity(0, "channel", 3));
    expect_name("acltdtCreateChannelWithCapacity()");
    assert_int_equal(acltdtGetQueueRouteNum(NULL), 0);
    expect_name("acltdtGetQueueRouteNum()");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_absent_function_names_itself),
        cmocka_unit_test(an_absent_function_that_creates_returns_nothing),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
