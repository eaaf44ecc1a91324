// SPDX-License-Identifier: Apache-2.0
// Devices and contexts: which is current for which thread, and until when (spec table 2).
#include <pthread.h>
#include <sys/resource.h>

#include "support/acl.h"

static void without_a_device_there_is_no_context(void **state) {
    int32_t device = 7;
    aclrtContext context = &device;
    (void)state;
    assert_acl(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    assert_int_equal(device, 7);
    assert_non_null(strstr(aclGetRecentErrMsg(), "aclrtSetDevice"));
    assert_acl(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
    assert_null(context);
    assert_null(aclGetRecentErrMsg());
}

static void bad_arguments_are_told(void **state) {
    aclrtContext context = NULL;
    (void)state;
    assert_acl(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "-1"));
    assert_null(aclGetRecentErrMsg());
    assert_acl(aclrtGetDevice(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetDeviceCount(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetRunMode(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetCurrentContext(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtSetCurrentContext(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtSetCurrentContext((aclrtContext)(uintptr_t)0x1234), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtCreateContext(NULL, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCreateContext(&context, 2), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtCreateContext(&context, -1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_null(context);
    assert_acl(aclrtDestroyContext(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    assert_acl(aclrtResetDevice(9), ACL_ERROR_RT_INVALID_DEVICEID);
}

static void a_device_is_in_use_as_often_as_it_was_set(void **state) {
    int32_t device = -1;
    (void)state;
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl_ok(aclrtGetDevice(&device));
    assert_int_equal(device, 1);
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtResetDeviceForce(1));
    assert_acl(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtResetDeviceForce(1), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

static void *set_device_too(void *context) {
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtGetCurrentContext(context));
    return NULL;
}

static void the_default_context_is_the_same_for_all_threads(void **state) {
    aclrtContext usual = NULL;
    aclrtContext there = NULL;
    pthread_t thread;
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_int_equal(pthread_create(&thread, NULL, set_device_too, &there), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_ptr_equal(there, usual);
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtSetCurrentContext(usual)); // the other thread's count holds it
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtSetCurrentContext(usual), ACL_ERROR_RT_PARAM_INVALID);
}

static void a_device_that_is_set_becomes_the_current_one(void **state) {
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    aclrtContext now = NULL;
    int32_t device = -1;
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtGetCurrentContext(&now));
    assert_ptr_equal(now, usual);
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl_ok(aclrtResetDeviceForce(0)); // not the current one
    assert_acl_ok(aclrtGetDevice(&device));
    assert_int_equal(device, 1);
    assert_acl_ok(aclrtDestroyContext(own)); // it was no default context
    assert_acl_ok(aclrtResetDevice(1));
}

// ---- what failures say

static void *fail_and_ask(void *arg) {
    (void)arg;
    assert_null(aclGetRecentErrMsg());
    assert_acl(aclrtSetDevice(88), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "88"));
    assert_acl(aclrtSetDevice(89), ACL_ERROR_RT_INVALID_DEVICEID);
    return NULL;
}

static void texts_are_of_the_thread_that_failed(void **state) {
    uint32_t devices = 0;
    pthread_t thread;
    (void)state;
    assert_acl(aclrtSetDevice(77), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl_ok(aclrtGetDeviceCount(&devices)); // no text
    assert_int_equal(pthread_create(&thread, NULL, fail_and_ask, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_non_null(strstr(aclGetRecentErrMsg(), "77"));
    assert_null(aclGetRecentErrMsg());
}

static void a_text_stays_until_the_next_one_is_asked_for(void **state) {
    (void)state;
    assert_acl(aclrtSetDevice(66), ACL_ERROR_RT_INVALID_DEVICEID);
    const char *text = aclGetRecentErrMsg();
    assert_acl(aclrtSetDevice(77), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_non_null(strstr(text, "66"));
    assert_non_null(strstr(aclGetRecentErrMsg(), "99")); // the latest
}

static void *current_of_new_thread(void *arg) {
    aclrtContext context = NULL;
    assert_acl(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetCurrentContext(arg));
    assert_acl_ok(aclrtGetCurrentContext(&context));
    assert_ptr_equal(context, arg);
    return NULL;
}

static void contexts_are_current_for_a_thread(void **state) {
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    aclrtContext now = NULL;
    int32_t device = -1;
    pthread_t thread;
    (void)state;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&own, 1));
    assert_acl_ok(aclrtGetDevice(&device));
    assert_int_equal(device, 1);
    assert_int_equal(pthread_create(&thread, NULL, current_of_new_thread, own), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_acl_ok(aclrtDestroyContext(own));
    assert_acl(aclrtDestroyContext(own), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtGetCurrentContext(&now), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtDestroyContext(usual), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtResetDevice(0));
}

static void rc_mode_runs_on_the_device(void *arg) {
    aclrtRunMode mode = ACL_HOST;
    (void)arg;
    assert_acl_ok(aclrtGetRunMode(&mode));
    assert_int_equal(mode, ACL_DEVICE);
}

static void run_mode_is_configured(void **state) {
    aclrtRunMode mode = ACL_DEVICE;
    (void)state;
    acl_in_child(rc_mode_runs_on_the_device, NULL, "TARN_ACL_MODE", "RC", NULL);
    assert_acl_ok(aclrtGetRunMode(&mode));
    assert_int_equal(mode, ACL_HOST);
}

static void setup_fails(void *arg) {
    (void)arg;
    assert_acl(aclrtSetDevice(0), ACL_ERROR_RT_DEV_SETUP_ERROR);
    assert_non_null(strstr(aclGetRecentErrMsg(), "nonsense"));
}

static void a_device_that_cannot_be_opened_is_named(void **state) {
    (void)state;
    acl_in_child(setup_fails, NULL, "TARN_ACL_DEVICE", "nonsense:0", NULL);
}

static void the_second_call_opens_the_devices(void *arg) {
    struct rlimit limit;
    (void)arg;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    struct rlimit none = {0, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_acl(aclrtSetDevice(0), ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
    assert_acl(aclInit(NULL), ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclInit(NULL));
}

static void a_shortage_at_the_first_call_passes(void **state) {
    (void)state;
    acl_in_child(the_second_call_opens_the_devices, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shortage_at_the_first_call_passes),     // forks: first
        cmocka_unit_test(a_device_that_cannot_be_opened_is_named), // these two fork: first
        cmocka_unit_test(run_mode_is_configured),
        cmocka_unit_test(without_a_device_there_is_no_context),
        cmocka_unit_test(bad_arguments_are_told),
        cmocka_unit_test(a_device_is_in_use_as_often_as_it_was_set),
        cmocka_unit_test(the_default_context_is_the_same_for_all_threads),
        cmocka_unit_test(a_device_that_is_set_becomes_the_current_one),
        cmocka_unit_test(contexts_are_current_for_a_thread),
        cmocka_unit_test(texts_are_of_the_thread_that_failed),
        cmocka_unit_test(a_text_stays_until_the_next_one_is_asked_for),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
