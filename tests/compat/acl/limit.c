// SPDX-License-Identifier: Apache-2.0
// Limits on cores: a stream's precedes that of its device.
#include "support/acl.h"

#define CUBE   ACL_RT_DEV_RES_CUBE_CORE
#define VECTOR ACL_RT_DEV_RES_VECTOR_CORE
#define OTHER  ((aclrtDevResLimitType)2)

static uint32_t device_limit(aclrtDevResLimitType type) {
    uint32_t value = 0;
    assert_acl_ok(aclrtGetDeviceResLimit(0, type, &value));
    return value;
}

static uint32_t stream_limit(aclrtStream stream, aclrtDevResLimitType type) {
    uint32_t value = 0;
    assert_acl_ok(aclrtGetStreamResLimit(stream, type, &value));
    return value;
}

static uint32_t thread_limit(aclrtDevResLimitType type) {
    uint32_t value = 0;
    assert_acl_ok(aclrtGetResInCurrentThread(type, &value));
    return value;
}

static void a_limit_of_a_device_is_at_most_its_cores(void **state) {
    uint32_t cores = device_limit(CUBE);
    uint32_t others = device_limit(VECTOR);
    uint32_t value = 0;
    (void)state;
    assert_true(cores > 1);
    assert_acl(aclrtSetDeviceResLimit(0, CUBE, cores + 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(device_limit(CUBE), cores);
    assert_acl_ok(aclrtSetDeviceResLimit(0, CUBE, cores - 1));
    assert_int_equal(device_limit(CUBE), cores - 1);
    assert_int_equal(device_limit(VECTOR), others);
    assert_acl_ok(aclrtGetDeviceResLimit(1, CUBE, &value));
    assert_int_equal(value, cores);
    assert_acl_ok(aclrtResetDeviceResLimit(0));
    assert_int_equal(device_limit(CUBE), cores);
}

static void bad_arguments_are_refused(void **state) {
    uint32_t value = 7;
    (void)state;
    assert_acl(aclrtGetDeviceResLimit(0, OTHER, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSetDeviceResLimit(0, OTHER, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtGetDeviceResLimit(9, CUBE, &value), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtSetDeviceResLimit(9, CUBE, 1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtResetDeviceResLimit(-1), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtGetDeviceResLimit(0, CUBE, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetStreamResLimit(NULL, OTHER, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSetStreamResLimit(NULL, OTHER, 1), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtGetStreamResLimit(NULL, CUBE, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetResInCurrentThread(OTHER, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtResetStreamResLimit(&value), ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(value, 7);
}

static void a_limit_of_a_stream_precedes_that_of_its_device(void **state) {
    uint32_t cores = device_limit(CUBE);
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtSetDeviceResLimit(0, CUBE, cores - 1));
    assert_int_equal(stream_limit(stream, CUBE), cores - 1);
    assert_acl_ok(aclrtSetStreamResLimit(stream, CUBE, cores - 2));
    assert_int_equal(stream_limit(stream, CUBE), cores - 2);
    assert_int_equal(stream_limit(NULL, CUBE), cores - 1);
    assert_acl_ok(aclrtResetStreamResLimit(stream));
    assert_int_equal(stream_limit(stream, CUBE), cores - 1);
    assert_acl_ok(aclrtResetDeviceResLimit(0));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void a_thread_uses_the_limits_of_the_stream_it_names(void **state) {
    uint32_t cores = device_limit(VECTOR);
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtSetStreamResLimit(stream, VECTOR, 1));
    assert_int_equal(thread_limit(VECTOR), cores);
    assert_acl_ok(aclrtUseStreamResInCurrentThread(stream));
    assert_int_equal(thread_limit(VECTOR), 1);
    assert_acl_ok(aclrtUnuseStreamResInCurrentThread(stream));
    assert_int_equal(thread_limit(VECTOR), cores);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtUseStreamResInCurrentThread(stream), ACL_ERROR_RT_PARAM_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(a_limit_of_a_device_is_at_most_its_cores),
        WITH_DEVICE(bad_arguments_are_refused),
        WITH_DEVICE(a_limit_of_a_stream_precedes_that_of_its_device),
        WITH_DEVICE(a_thread_uses_the_limits_of_the_stream_it_names),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
