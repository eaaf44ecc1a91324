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
    assert_hip(hipStreamQuery_spt(stream), hipErrorContextIsDestroyed);
    assert_hip(hipStreamGetFlags_spt(NULL, NULL), hipErrorInvalidValue);
}

static void count_call(hipStream_t stream, hipError_t status, void *calls) {
    assert_ptr_equal(stream, hipStreamPerThread);
    assert_int_equal(status, hipSuccess);
    atomic_fetch_add((_Atomic(int) *)calls, 1);
}

static void work_is_submitted_to_the_stream_of_the_thread(void **state) {
    const hipStream_t nulls[] = {NULL, hipStreamLegacy};
    _Atomic(int) calls = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct gate gate = {false, 0};
        hipEvent_t event = NULL;
        assert_hip_ok(hipEventCreate(&event));
        assert_hip_ok(hipLaunchHostFunc_spt(nulls[i], pass_gate, &gate));
        assert_hip_ok(hipStreamAddCallback_spt(nulls[i], count_call, &calls, 0));
        assert_hip_ok(hipEventRecord_spt(event, nulls[i]));
        assert_hip(hipEventQuery(event), hipErrorNotReady);
        assert_hip(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
        atomic_store(&gate.open, true);
        assert_hip_ok(hipEventSynchronize(event));
        assert_int_equal(atomic_load(&calls), i + 1);
        assert_hip_ok(hipEventDestroy(event));
    }
}

static void a_capture_can_begin_on_null(void **state) {
    struct gate gate = {true, 0};
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    unsigned long long id = 0;
    unsigned long long id_2 = 1;
    size_t count = 7;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    (void)state;
    assert_hip(hipStreamBeginCapture(NULL, hipStreamCaptureModeGlobal),
               hipErrorStreamCaptureUnsupported);
    assert_hip_ok(hipStreamBeginCapture_spt(NULL, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipStreamIsCapturing_spt(hipStreamLegacy, &status));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    assert_hip_ok(hipLaunchHostFunc_spt(NULL, pass_gate, &gate));
    assert_hip_ok(hipStreamGetCaptureInfo_spt(NULL, &status, &id));
    assert_hip_ok(hipStreamGetCaptureInfo_v2_spt(NULL, &status, &id_2, NULL, NULL, &count));
    assert_true(id == id_2);
    assert_int_equal(count, 1);
    assert_hip_ok(hipStreamEndCapture_spt(NULL, &graph));
    assert_int_equal(atomic_load(&gate.passed), 0);
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipGraphLaunch_spt(exec, NULL));
    assert_hip_ok(hipStreamSynchronize_spt(NULL));
    assert_int_equal(atomic_load(&gate.passed), 1);
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_the_stream_of_the_thread),
        cmocka_unit_test(its_stream_waits_for_events),
        cmocka_unit_test(work_is_submitted_to_the_stream_of_the_thread),
        cmocka_unit_test(a_capture_can_begin_on_null),
        cmocka_unit_test(a_named_stream_is_that_stream),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
