// SPDX-License-Identifier: Apache-2.0
// Attributes of devices, the default stream, time-outs of operators, and later forms of functions.
#include "support/acl.h"

static void a_device_has_the_cores_and_memory_of_its_chip(void **state) {
    int64_t value = -1, older = -1;
    size_t free = 0, total = 0;
    (void)state;
    assert_acl_ok(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value));
    assert_acl_ok(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &older));
    assert_true(value == 48 && older == 48);
    assert_acl_ok(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, &value));
    assert_int_equal(value, 2201);
    assert_acl_ok(aclrtGetDeviceInfo(1, ACL_DEV_ATTR_PHY_CHIP_ID, &value));
    assert_int_equal(value, 1);
    assert_acl_ok(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_WARP_SIZE, &value));
    assert_int_equal(value, 0);
    assert_acl_ok(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    assert_acl_ok(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value));
    assert_int_equal(value, total);
    assert_acl(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtGetDeviceInfo(9, ACL_DEV_ATTR_NPU_ARCH, &value), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl(aclrtGetDeviceInfo(0, (aclrtDevAttr)7, &value), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_SUPER_POD_ID, &value),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value),
               ACL_ERROR_INVALID_PARAM);
    assert_int_equal(value, total);
}

static void devices_have_names_and_states(void **state) {
    aclrtUuid first, second;
    aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
    uint32_t flags = 9;
    int32_t active = 9, feature = 9, least = 9, greatest = 9;
    (void)state;
    assert_acl_ok(aclrtDeviceGetUuid(0, &first));
    assert_acl_ok(aclrtDeviceGetUuid(1, &second));
    assert_memory_not_equal(&first, &second, sizeof first);
    assert_acl(aclrtDeviceGetUuid(0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtQueryDeviceStatus(1, &status));
    assert_int_equal(status, ACL_RT_DEVICE_STATUS_NORMAL);
    assert_acl_ok(aclrtGetPrimaryCtxState(0, &flags, &active));
    assert_true(flags == 0 && active == 1);
    assert_acl_ok(aclrtGetPrimaryCtxState(1, NULL, &active));
    assert_int_equal(active, 0);
    assert_acl(aclrtGetPrimaryCtxState(2, &flags, &active), ACL_ERROR_RT_INVALID_DEVICEID);
    assert_acl_ok(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &feature));
    assert_int_equal(feature, ACL_DEV_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtGetDeviceCapability(0, (aclrtDevFeatureType)2, &feature),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
    assert_true(least == 7 && greatest == 0);
}

static void the_default_stream_has_a_handle(void **state) {
    aclrtStream stream = NULL;
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    void *device = NULL;
    (void)state;
    assert_acl_ok(aclrtCtxGetCurrentDefaultStream(&stream));
    assert_non_null(stream);
    assert_acl_ok(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl_ok(aclrtMemsetAsync(device, 64, 1, 64, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtStreamQuery(stream, &status));
    assert_int_equal(status, ACL_STREAM_STATUS_COMPLETE);
    assert_acl_ok(aclrtFree(device));
    assert_acl(aclrtCtxGetCurrentDefaultStream(NULL), ACL_ERROR_INVALID_PARAM);
}

static void time_outs_of_operators_are_kept(void **state) {
    uint64_t actual = 0, interval = 0;
    uint32_t ms = 0;
    (void)state;
    assert_acl_ok(aclrtSetOpWaitTimeout(3));
    assert_acl_ok(aclrtSetOpExecuteTimeOut(2));
    assert_acl_ok(aclrtGetOpExecuteTimeout(&ms));
    assert_int_equal(ms, 2000);
    assert_acl_ok(aclrtSetOpExecuteTimeOutWithMs(7));
    assert_acl_ok(aclrtGetOpExecuteTimeout(&ms));
    assert_int_equal(ms, 7);
    assert_acl_ok(aclrtGetOpTimeOutInterval(&interval));
    assert_acl_ok(aclrtSetOpExecuteTimeOutV2(5000 * interval, &actual));
    assert_int_equal(actual, 5000 * interval);
    assert_acl(aclrtSetOpExecuteTimeOutV2(1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtGetOpExecuteTimeout(&ms));
    assert_int_equal(ms, 5);
}

static void a_stream_is_created_by_a_configuration(void **state) {
    uint32_t priority = 3, found = 0;
    size_t flag = ACL_STREAM_FAST_SYNC;
    aclrtStream stream = NULL;
    (void)state;
    aclrtStreamConfigHandle *handle = aclrtCreateStreamConfigHandle();
    assert_non_null(handle);
    assert_acl_ok(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_PRIORITY, &priority, 4));
    assert_acl_ok(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_FLAG, &flag, sizeof flag));
    assert_acl(aclrtSetStreamConfigOpt(handle, ACL_RT_STREAM_PRIORITY, &priority, 8),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtSetStreamConfigOpt(handle, (aclrtStreamConfigAttr)4, &priority, 4),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCreateStreamV2(&stream, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtCreateStreamV2(&stream, handle));
    assert_acl_ok(aclrtDestroyStreamConfigHandle(handle));
    assert_acl_ok(aclrtStreamGetPriority(stream, &found));
    assert_int_equal(found, 3);
    assert_acl_ok(aclrtStreamGetFlags(stream, &found));
    assert_int_equal(found, ACL_STREAM_FAST_SYNC);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl(aclrtDestroyStreamConfigHandle(NULL), ACL_ERROR_INVALID_PARAM);
}

static void events_take_flags_and_limits(void **state) {
    aclrtEvent event = NULL;
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
    assert_acl_ok(aclrtRecordEventWithFlag(event, NULL, ACL_EVENT_RECORD_DEFAULT));
    assert_acl_ok(aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_DEFAULT));
    assert_acl_ok(aclrtStreamWaitEventWithTimeout(stream, event, -1));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl(aclrtRecordEventWithFlag(event, stream, 2), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtStreamWaitEventWithFlag(stream, event, 1, ACL_EVENT_WAIT_EXTERNAL),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtStreamWaitEventWithFlag(stream, event, 1, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_acl(aclrtStreamWaitEventWithTimeout(stream, event, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void batches_need_no_place_for_a_failure(void **state) {
    char ours[2][8] = {"first", "second"}, back[2][8] = {{0}};
    void *device[2] = {NULL, NULL}, *host[2] = {ours[0], ours[1]}, *out[2] = {back[0], back[1]};
    size_t sizes[2] = {8, 8}, firsts[1] = {0};
    aclrtMemcpyBatchAttr in = {.dstLoc = {.type = ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtMemcpyBatchAttr home = {.srcLoc = {.type = ACL_MEM_LOCATION_TYPE_DEVICE}};
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_acl_ok(aclrtMalloc(&device[i], 8, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl_ok(aclrtMemcpyBatchV2(device, sizes, host, sizes, 2, &in, firsts, 1));
    assert_acl_ok(aclrtMemcpyBatchAsyncV2(out, sizes, device, sizes, 2, &home, firsts, 1, NULL));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_memory_equal(ours, back, sizeof ours);
    assert_acl(aclrtMemcpyBatchV2(device, sizes, host, NULL, 2, &in, firsts, 1),
               ACL_ERROR_INVALID_PARAM);
    for (int i = 0; i < 2; i++) assert_acl_ok(aclrtFree(device[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(a_device_has_the_cores_and_memory_of_its_chip),
        WITH_DEVICE(devices_have_names_and_states),
        WITH_DEVICE(the_default_stream_has_a_handle),
        WITH_DEVICE(time_outs_of_operators_are_kept),
        WITH_DEVICE(a_stream_is_created_by_a_configuration),
        WITH_DEVICE(events_take_flags_and_limits),
        WITH_DEVICE(batches_need_no_place_for_a_failure),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
