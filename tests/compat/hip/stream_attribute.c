// SPDX-License-Identifier: Apache-2.0
// Attributes of streams, and their numbers.
#include "support/hip.h"

static int policy_of(hipStream_t stream) {
    hipStreamAttrValue value;
    memset(&value, 0xff, sizeof value);
    assert_hip_ok(hipStreamGetAttribute(stream, hipStreamAttributeSynchronizationPolicy, &value));
    return (int)value.syncPolicy;
}

static hipError_t set_policy(hipStream_t stream, int policy) {
    hipStreamAttrValue value = {.priority = policy};
    return hipStreamSetAttribute(stream, hipStreamAttributeSynchronizationPolicy, &value);
}

static void a_policy_is_kept_for_each_stream(void **state) {
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    hipStream_t streams[] = {stream, NULL, hipStreamPerThread};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(policy_of(streams[i]), hipSyncPolicyAuto);
        assert_hip_ok(set_policy(streams[i], hipSyncPolicySpin + i));
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(policy_of(streams[i]), hipSyncPolicySpin + i);
        assert_hip_ok(set_policy(streams[i], hipSyncPolicyAuto));
    }
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_reset_ends_the_policy_of_the_null_stream(void **state) {
    (void)state;
    assert_hip_ok(set_policy(NULL, hipSyncPolicyYield));
    assert_hip_ok(hipDeviceReset());
    assert_int_equal(policy_of(NULL), hipSyncPolicyAuto);
}

static void the_priority_is_an_attribute(void **state) {
    hipStreamAttrValue value = {.priority = 7};
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithPriority(&stream, hipStreamDefault, -1));
    assert_hip_ok(hipStreamGetAttribute(stream, hipStreamAttributePriority, &value));
    assert_int_equal(value.priority, -1);
    assert_hip(hipStreamSetAttribute(stream, hipStreamAttributePriority, &value),
               hipErrorInvalidValue);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void only_the_policy_is_copied(void **state) {
    hipStreamAttrValue value;
    hipStream_t from = NULL;
    hipStream_t to = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithPriority(&from, hipStreamDefault, -1));
    assert_hip_ok(hipStreamCreate(&to));
    assert_hip_ok(set_policy(from, hipSyncPolicyBlockingSync));
    assert_hip_ok(hipStreamCopyAttributes(to, from));
    assert_int_equal(policy_of(to), hipSyncPolicyBlockingSync);
    assert_hip_ok(hipStreamGetAttribute(to, hipStreamAttributePriority, &value));
    assert_int_equal(value.priority, 0);
    assert_hip_ok(hipStreamDestroy(from));
    assert_hip(hipStreamCopyAttributes(to, from), hipErrorInvalidHandle);
    assert_hip(hipStreamCopyAttributes(from, to), hipErrorInvalidHandle);
    assert_hip_ok(hipStreamDestroy(to));
}

static void bad_attributes_are_refused(void **state) {
    hipStreamAttrValue value = {.priority = 2};
    hipStream_t dead = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&dead));
    assert_hip_ok(hipStreamDestroy(dead));
    assert_hip(hipStreamSetAttribute(NULL, hipStreamAttributeSynchronizationPolicy, NULL),
               hipErrorInvalidValue);
    assert_hip(hipStreamGetAttribute(NULL, hipStreamAttributeSynchronizationPolicy, NULL),
               hipErrorInvalidValue);
    assert_hip(set_policy(dead, 2), hipErrorInvalidHandle);
    assert_hip(hipStreamGetAttribute(dead, hipStreamAttributePriority, &value),
               hipErrorInvalidHandle);
    assert_hip(set_policy(NULL, 0), hipErrorInvalidValue);
    assert_hip(set_policy(NULL, 5), hipErrorInvalidValue);
    assert_hip(hipStreamSetAttribute(NULL, hipLaunchAttributeIgnore, &value), hipErrorInvalidValue);
    assert_hip(hipStreamGetAttribute(NULL, hipLaunchAttributeCooperative, &value),
               hipErrorInvalidValue);
    assert_int_equal(policy_of(NULL), hipSyncPolicyAuto);
}

static void a_capture_forbids_to_set_one(void **state) {
    hipGraph_t graph = NULL;
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip(set_policy(stream, hipSyncPolicySpin), hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    assert_int_equal(policy_of(stream), hipSyncPolicyAuto);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void no_two_streams_have_one_number(void **state) {
    enum { N = 6 };
    hipStream_t streams[N] = {NULL, hipStreamPerThread, NULL, NULL, NULL, NULL};
    unsigned long long ids[N];
    unsigned long long again = 0;
    (void)state;
    for (int i = 0; i < N; i++) {
        assert_hip_ok(hipSetDevice(i == N - 1 ? 1 : 0));
        if (i > 1 && i < N - 1) assert_hip_ok(hipStreamCreate(&streams[i]));
        assert_hip_ok(hipStreamGetId(streams[i], &ids[i])); // the last is the other NULL stream
        for (int j = 0; j < i; j++) assert_true(ids[i] != ids[j]);
    }
    assert_hip_ok(hipStreamGetId(streams[N - 1], &again));
    assert_true(again == ids[N - 1]);
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipStreamGetId(hipStreamLegacy, &again));
    assert_true(again == ids[0]);
    assert_hip(hipStreamGetId(NULL, NULL), hipErrorInvalidValue);
    for (int i = 2; i < N - 1; i++) {
        assert_hip_ok(hipStreamDestroy(streams[i]));
        assert_hip(hipStreamGetId(streams[i], &again), hipErrorInvalidHandle);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_is_kept_for_each_stream),
        cmocka_unit_test(a_reset_ends_the_policy_of_the_null_stream),
        cmocka_unit_test(the_priority_is_an_attribute),
        cmocka_unit_test(only_the_policy_is_copied),
        cmocka_unit_test(bad_attributes_are_refused),
        cmocka_unit_test(a_capture_forbids_to_set_one),
        cmocka_unit_test(no_two_streams_have_one_number),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
