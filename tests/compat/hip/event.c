// SPDX-License-Identifier: Apache-2.0
// Events: recording, asking, waiting on the host and in streams, and the time between two.
#include <pthread.h>

#include "support/work.h"

static void bad_flags_make_no_event(void **state) {
    hipEvent_t event = (hipEvent_t)&event;
    (void)state;
    assert_hip(hipEventCreate(NULL), hipErrorInvalidValue);
    assert_hip(hipEventCreateWithFlags(&event, 8), hipErrorInvalidValue);
    assert_hip(hipEventCreateWithFlags(&event, hipEventReleaseToDevice | hipEventReleaseToSystem),
               hipErrorInvalidValue);
    assert_hip(hipEventCreateWithFlags(&event, hipEventInterprocess), hipErrorInvalidValue);
    assert_ptr_equal(event, &event);
}

static void every_flag_makes_an_event(void **state) {
    const unsigned flags[] = {hipEventDefault,
                              hipEventBlockingSync,
                              hipEventDisableTiming,
                              hipEventDisableSystemFence,
                              hipEventReleaseToDevice,
                              hipEventReleaseToSystem,
                              hipEventInterprocess | hipEventDisableTiming};
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        hipEvent_t event = NULL;
        assert_hip_ok(hipEventCreateWithFlags(&event, flags[i]));
        assert_hip_ok(hipEventDestroy(event));
    }
}

static void a_dead_event_is_refused_everywhere(void **state) {
    hipEvent_t event = NULL;
    hipEvent_t alive = NULL;
    float ms = -1;
    (void)state;
    assert_hip_ok(hipEventCreate(&alive));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventDestroy(event));
    hipEvent_t dead[] = {event, NULL, (hipEvent_t)&ms};
    for (int i = 0; i < 3; i++) {
        assert_hip(hipEventDestroy(dead[i]),
                   dead[i] == NULL ? hipErrorInvalidHandle : hipErrorContextIsDestroyed);
        assert_hip(hipEventQuery(dead[i]), hipErrorInvalidHandle);
        assert_hip(hipEventSynchronize(dead[i]), hipErrorInvalidHandle);
        assert_hip(hipEventRecord(dead[i], NULL), hipErrorInvalidHandle);
        assert_hip(hipStreamWaitEvent(NULL, dead[i], 0), hipErrorInvalidHandle);
        assert_hip(hipEventElapsedTime(&ms, dead[i], alive), hipErrorInvalidHandle);
        assert_hip(hipEventElapsedTime(&ms, alive, dead[i]), hipErrorInvalidHandle);
    }
    assert_hip_ok(hipEventDestroy(alive));
}

static void unknown_flags_of_records_and_waits_are_refused(void **state) {
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip(hipEventRecordWithFlags(event, NULL, 2), hipErrorInvalidValue);
    assert_hip(hipStreamWaitEvent(NULL, event, 2), hipErrorInvalidValue);
    assert_hip_ok(hipEventRecordWithFlags(event, NULL, hipEventRecordDefault));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipEventDestroy(event));
}

// In a capture they become nodes, by which a stream neither joins nor leaves the capture.
static void external_records_and_waits_become_nodes(void **state) {
    const hipGraphNodeType types[] = {hipGraphNodeTypeWaitEvent, hipGraphNodeTypeEventRecord};
    hipEvent_t event = NULL;
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipGraphNode_t nodes[2];
    hipGraphNodeType type = hipGraphNodeTypeCount;
    hipGraphExec_t exec = NULL;
    size_t num = 2;
    float ms = -1;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipStreamWaitEvent(stream, event, hipEventWaitExternal));
    assert_hip_ok(hipEventRecordWithFlags(event, stream, hipEventRecordExternal));
    assert_hip_ok(hipEventQuery(event)); // not an event of the capture
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &num));
    assert_int_equal(num, 2);
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipGraphNodeGetType(nodes[i], &type));
        assert_int_equal(type, types[i]);
    }
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipGraphLaunch(exec, stream));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipEventElapsedTime(&ms, event, event)); // it was recorded
    assert_hip_ok(hipStreamWaitEvent(NULL, event, hipEventWaitExternal));
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipEventDestroy(event));
}

static void outside_of_captures_an_external_record_is_a_record(void **state) {
    struct gate gate = {false, 0};
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_hip_ok(hipEventRecordWithFlags(event, NULL, hipEventRecordExternal));
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip(hipEventRecordWithFlags(NULL, NULL, hipEventRecordExternal), hipErrorInvalidHandle);
    assert_hip_ok(hipEventDestroy(event));
}

static void an_event_never_recorded_holds_nobody(void **state) {
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventQuery(event));
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipStreamWaitEvent(hipStreamPerThread, event, 0));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_hip_ok(hipEventDestroy(event));
}

static void an_event_passes_when_its_stream_gets_there(void **state) {
    hipStream_t streams[] = {NULL, hipStreamPerThread, NULL};
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&streams[2]));
    assert_hip_ok(hipEventCreate(&event));
    for (int i = 0; i < 3; i++) {
        struct gate gate = {false, 0};
        assert_hip_ok(hipLaunchHostFunc(streams[i], pass_gate, &gate));
        assert_hip_ok(hipEventRecord(event, streams[i]));
        assert_hip(hipEventQuery(event), hipErrorNotReady);
        gate.open = true;
        assert_hip_ok(hipEventSynchronize(event));
        assert_int_equal(gate.passed, 1);
        assert_hip_ok(hipEventQuery(event));
    }
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(streams[2]));
}

static void an_event_does_not_wait_for_what_came_later(void **state) {
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventRecord(event, stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipEventSynchronize(event));
    gate.open = true;
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void an_event_in_the_null_stream_is_behind_blocking_streams(void **state) {
    hipStream_t blocking = NULL;
    hipEvent_t event = NULL;
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&blocking));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipLaunchHostFunc(blocking, pass_gate, &gate));
    assert_hip_ok(hipEventRecord(event, NULL));
    let_others_begin();
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    gate.open = true;
    assert_hip_ok(hipEventSynchronize(event));
    assert_int_equal(gate.passed, 1);
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(blocking));
}

// A stream of each device, the second waiting for an event of the first, which is destroyed then.
static void a_stream_waits_for_an_event(int first_device, int second_device) {
    hipStream_t first = NULL;
    hipStream_t second = NULL;
    hipEvent_t event = NULL;
    struct gate gate = {false, 0};
    struct seen seen = {&gate, -1};
    assert_hip_ok(hipSetDevice(second_device));
    assert_hip_ok(hipStreamCreate(&second));
    assert_hip_ok(hipSetDevice(first_device));
    assert_hip_ok(hipStreamCreate(&first));
    assert_hip_ok(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    assert_hip_ok(hipLaunchHostFunc(first, pass_gate, &gate));
    assert_hip_ok(hipEventRecord(event, first));
    assert_hip_ok(hipStreamWaitEvent(second, event, 0));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipLaunchHostFunc(second, see, &seen));
    let_others_begin();
    assert_int_equal(seen.passed, -1);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(second));
    assert_int_equal(seen.passed, 1);
    assert_hip_ok(hipStreamDestroy(first));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipSetDevice(0));
}

static void streams_wait_for_events_of_any_device(void **state) {
    (void)state;
    a_stream_waits_for_an_event(0, 0);
    a_stream_waits_for_an_event(0, 1);
    a_stream_waits_for_an_event(1, 0);
}

static void a_wait_is_for_the_record_at_that_time(void **state) {
    hipStream_t streams[2];
    hipEvent_t event = NULL;
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&streams[0]));
    assert_hip_ok(hipStreamCreate(&streams[1]));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipEventRecord(event, streams[0]));
    assert_hip_ok(hipStreamWaitEvent(streams[1], event, 0));
    assert_hip_ok(hipLaunchHostFunc(streams[0], pass_gate, &gate));
    assert_hip_ok(hipEventRecord(event, streams[0]));
    assert_hip_ok(hipStreamSynchronize(streams[1])); // would hang behind the later record
    assert_hip(hipEventQuery(event), hipErrorNotReady);
    gate.open = true;
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(streams[0]));
    assert_hip_ok(hipStreamDestroy(streams[1]));
}

static void records_stay_on_their_device(void **state) {
    hipStream_t other = NULL;
    hipEvent_t event = NULL;
    (void)state;
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipStreamCreate(&other));
    assert_hip(hipEventRecord(event, NULL), hipErrorInvalidHandle);
    assert_hip_ok(hipSetDevice(0));
    assert_hip(hipEventRecord(event, other), hipErrorInvalidHandle);
    assert_hip_ok(hipEventQuery(event));
    assert_hip_ok(hipStreamDestroy(other));
    assert_hip_ok(hipEventDestroy(event));
}

// ---- time

static void elapsed_time_goes_from_start_to_stop(void **state) {
    hipEvent_t events[2];
    struct gate gate = {false, 0};
    float ms = -1;
    (void)state;
    for (int i = 0; i < 2; i++) assert_hip_ok(hipEventCreate(&events[i]));
    assert_hip(hipEventElapsedTime(NULL, events[0], events[1]), hipErrorInvalidValue);
    assert_hip(hipEventElapsedTime(&ms, events[0], events[1]), hipErrorInvalidHandle);
    assert_hip_ok(hipEventRecord(events[0], NULL));
    assert_hip(hipEventElapsedTime(&ms, events[0], events[1]), hipErrorInvalidHandle);
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_hip_ok(hipEventRecord(events[1], NULL));
    assert_hip(hipEventElapsedTime(&ms, events[0], events[1]), hipErrorNotReady);
    assert_true(ms == -1);
    gate.open = true;
    assert_hip_ok(hipEventSynchronize(events[1]));
    assert_hip_ok(hipEventElapsedTime(&ms, events[0], events[1]));
    assert_true(ms > 0);
    float back = 0;
    assert_hip_ok(hipEventElapsedTime(&back, events[1], events[0]));
    assert_true(back == -ms);
    for (int i = 0; i < 2; i++) assert_hip_ok(hipEventDestroy(events[i]));
}

static void events_without_timing_have_no_time(void **state) {
    hipEvent_t events[2];
    float ms = -1;
    (void)state;
    assert_hip_ok(hipEventCreateWithFlags(&events[0], hipEventDisableTiming));
    assert_hip_ok(hipEventCreate(&events[1]));
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipEventRecord(events[i], NULL));
        assert_hip_ok(hipEventSynchronize(events[i]));
    }
    assert_hip(hipEventElapsedTime(&ms, events[0], events[1]), hipErrorInvalidHandle);
    assert_hip(hipEventElapsedTime(&ms, events[1], events[0]), hipErrorInvalidHandle);
    assert_hip_ok(hipEventElapsedTime(&ms, events[1], events[1]));
    assert_true(ms == 0);
    for (int i = 0; i < 2; i++) assert_hip_ok(hipEventDestroy(events[i]));
}

static void events_of_two_devices_have_no_time_between_them(void **state) {
    hipEvent_t events[2];
    float ms = -1;
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipSetDevice(i));
        assert_hip_ok(hipEventCreate(&events[i]));
        assert_hip_ok(hipEventRecord(events[i], NULL));
        assert_hip_ok(hipDeviceSynchronize());
    }
    assert_hip(hipEventElapsedTime(&ms, events[0], events[1]), hipErrorInvalidHandle);
    assert_hip_ok(hipSetDevice(0));
    for (int i = 0; i < 2; i++) assert_hip_ok(hipEventDestroy(events[i]));
}

// ---- callbacks

struct told {
    hipStream_t stream;
    hipError_t status;
    _Atomic(int) calls;
};

static void hear(hipStream_t stream, hipError_t status, void *arg) {
    struct told *told = arg;
    told->stream = stream;
    told->status = status;
    told->calls++;
}

static void callbacks_come_in_stream_order(void **state) {
    hipStream_t stream = NULL;
    struct gate gate = {false, 0};
    struct told told = {NULL, hipErrorUnknown, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip(hipStreamAddCallback(stream, NULL, &told, 0), hipErrorInvalidValue);
    assert_hip(hipStreamAddCallback(stream, hear, &told, 1), hipErrorInvalidValue);
    assert_hip(hipStreamAddCallback((hipStream_t)&told, hear, &told, 0),
               hipErrorContextIsDestroyed);
    assert_hip(hipLaunchHostFunc(stream, NULL, &told), hipErrorInvalidValue);
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipStreamAddCallback(stream, hear, &told, 0));
    let_others_begin();
    assert_int_equal(told.calls, 0);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(told.calls, 1);
    assert_ptr_equal(told.stream, stream);
    assert_int_equal(told.status, hipSuccess);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void wait_at_gate(hipStream_t stream, hipError_t status, void *arg) {
    (void)stream;
    (void)status;
    pass_gate(arg);
}

static void a_callback_is_work_of_its_stream(void **state) {
    hipStream_t stream = NULL;
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamAddCallback(stream, wait_at_gate, &gate, 0));
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip(hipStreamQuery(NULL), hipErrorNotReady);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(gate.passed, 1);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- threads

struct relay {
    hipEvent_t event;
    hipStream_t stream;
    _Atomic(bool) stop;
};

static void *record_often(void *arg) {
    struct relay *relay = arg;
    while (!relay->stop) assert_hip_ok(hipEventRecord(relay->event, relay->stream));
    return NULL;
}

static void an_event_may_be_recorded_and_waited_for_at_once(void **state) {
    struct relay relay = {.stop = false};
    pthread_t thread;
    (void)state;
    assert_hip_ok(hipEventCreate(&relay.event));
    assert_hip_ok(hipStreamCreate(&relay.stream));
    assert_int_equal(pthread_create(&thread, NULL, record_often, &relay), 0);
    for (int i = 0; i < 300; i++) {
        assert_hip_ok(hipStreamWaitEvent(hipStreamPerThread, relay.event, 0));
        assert_hip_ok(hipEventSynchronize(relay.event));
        hipError_t now = hipEventQuery(relay.event);
        assert_true(now == hipSuccess || now == hipErrorNotReady);
    }
    relay.stop = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_hip_ok(hipStreamDestroy(relay.stream));
    assert_hip_ok(hipEventDestroy(relay.event));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_flags_make_no_event),
        cmocka_unit_test(every_flag_makes_an_event),
        cmocka_unit_test(a_dead_event_is_refused_everywhere),
        cmocka_unit_test(unknown_flags_of_records_and_waits_are_refused),
        cmocka_unit_test(external_records_and_waits_become_nodes),
        cmocka_unit_test(outside_of_captures_an_external_record_is_a_record),
        cmocka_unit_test(an_event_never_recorded_holds_nobody),
        cmocka_unit_test(an_event_passes_when_its_stream_gets_there),
        cmocka_unit_test(an_event_does_not_wait_for_what_came_later),
        cmocka_unit_test(an_event_in_the_null_stream_is_behind_blocking_streams),
        cmocka_unit_test(streams_wait_for_events_of_any_device),
        cmocka_unit_test(a_wait_is_for_the_record_at_that_time),
        cmocka_unit_test(records_stay_on_their_device),
        cmocka_unit_test(elapsed_time_goes_from_start_to_stop),
        cmocka_unit_test(events_without_timing_have_no_time),
        cmocka_unit_test(events_of_two_devices_have_no_time_between_them),
        cmocka_unit_test(callbacks_come_in_stream_order),
        cmocka_unit_test(a_callback_is_work_of_its_stream),
        cmocka_unit_test(an_event_may_be_recorded_and_waited_for_at_once),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
