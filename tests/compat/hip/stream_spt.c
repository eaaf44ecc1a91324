// SPDX-License-Identifier: Apache-2.0
// NULL as the stream of the calling thread, for programs compiled to mean it so.
#include "support/work.h"

static void null_is_the_stream_of_the_thread(void **state) {
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, pass_gate, &gate));
    assert_hip(hipStreamQuery_spt(NULL), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize_spt(NULL));
    assert_int_equal(atomic_load(&gate.passed), 1);
    assert_hip_ok(hipStreamQuery_spt(NULL));
}

static void its_stream_waits_for_events(void **state) {
    struct gate gate = {false, 0};
    hipStream_t other = NULL;
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipLaunchHostFunc(other, pass_gate, &gate));
    assert_hip_ok(hipEventRecord(event, other));
    assert_hip_ok(hipStreamWaitEvent_spt(NULL, event, 0));
    assert_hip(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize_spt(NULL));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(other));
}

static void a_named_stream_is_that_stream(void **state) {
    hipStream_t stream = NULL;
    unsigned flags = 7;
    int priority = 7;
    (void)state;
    assert_hip_ok(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -1));
    assert_hip_ok(hipStreamGetFlags_spt(stream, &flags));
    assert_hip_ok(hipStreamGetPriority_spt(stream, &priority));
    assert_int_equal(flags, hipStreamNonBlocking);
    assert_int_equal(priority, -1);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip(hipStreamQuery_spt(stream), hipErrorInvalidHandle);
    assert_hip(hipStreamGetFlags_spt(NULL, NULL), hipErrorInvalidValue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_the_stream_of_the_thread),
        cmocka_unit_test(its_stream_waits_for_events),
        cmocka_unit_test(a_named_stream_is_that_stream),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
