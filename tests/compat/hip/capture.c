// SPDX-License-Identifier: Apache-2.0
// Captures: what becomes a node, how streams join, and what is forbidden meanwhile.
#include <pthread.h>

#include "support/work.h"

static const hipStreamCaptureMode modes[] = {
    hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed};

static hipStream_t new_stream(unsigned flags) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, flags));
    return stream;
}

static hipEvent_t new_event(void) {
    hipEvent_t event = NULL;
    assert_hip_ok(hipEventCreate(&event));
    return event;
}

static void begin(hipStream_t stream) {
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
}

// Ends the capture, which must be good and have that many nodes.
static void end(hipStream_t stream, size_t nodes) {
    hipGraph_t graph = NULL;
    size_t count = 99;
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, nodes);
    assert_hip_ok(hipGraphDestroy(graph));
}

// Ends the capture, which must answer that and leave no graph and a free stream.
static void end_badly(hipStream_t stream, hipError_t error) {
    hipGraph_t graph = (hipGraph_t)&graph;
    hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
    assert_hip(hipStreamEndCapture(stream, &graph), error);
    assert_null(graph);
    assert_hip_ok(hipStreamIsCapturing(stream, &status));
    assert_int_equal(status, hipStreamCaptureStatusNone);
    assert_hip_ok(hipStreamSynchronize(stream));
}

static void assert_status(hipStream_t stream, hipStreamCaptureStatus want) {
    hipStreamCaptureStatus status = (hipStreamCaptureStatus)99;
    assert_hip_ok(hipStreamIsCapturing(stream, &status));
    assert_int_equal(status, want);
}

// ---- begin and end

static void captured_work_does_not_run(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    _Atomic(int) counter = 0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_status(stream, hipStreamCaptureStatusNone);
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        assert_status(stream, hipStreamCaptureStatusActive);
        assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
        assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
        end(stream, 2);
        assert_status(stream, hipStreamCaptureStatusNone);
    }
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(counter, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void bad_arguments_begin_and_end_nothing(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    hipGraph_t graph = (hipGraph_t)&graph;
    (void)state;
    assert_hip(hipStreamBeginCapture(stream, (hipStreamCaptureMode)3), hipErrorInvalidValue);
    assert_hip(hipStreamBeginCapture(stream, (hipStreamCaptureMode)-1), hipErrorInvalidValue);
    assert_hip(hipStreamBeginCapture(NULL, modes[2]), hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamBeginCapture(NULL, (hipStreamCaptureMode)3),
               hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamBeginCapture(hipStreamLegacy, modes[2]), hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamBeginCapture((hipStream_t)&graph, modes[2]), hipErrorContextIsDestroyed);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorIllegalState);
    assert_hip(hipStreamEndCapture(NULL, &graph), hipErrorIllegalState);
    begin(stream);
    assert_hip(hipStreamBeginCapture(stream, modes[2]), hipErrorIllegalState);
    assert_hip(hipStreamEndCapture(stream, NULL), hipErrorInvalidValue);
    assert_hip(hipStreamEndCapture((hipStream_t)&graph, &graph), hipErrorContextIsDestroyed);
    assert_ptr_equal(graph, &graph);
    assert_status(stream, hipStreamCaptureStatusActive);
    end(stream, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void the_stream_of_a_thread_can_capture(void **state) {
    _Atomic(int) counter = 0;
    (void)state;
    begin(hipStreamPerThread);
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, &counter));
    end(hipStreamPerThread, 1);
}

struct errand {
    hipStream_t stream;
    hipError_t answer;
};

static void *end_elsewhere(void *arg) {
    struct errand *errand = arg;
    hipGraph_t graph = NULL;
    errand->answer = hipStreamEndCapture(errand->stream, &graph);
    if (errand->answer == hipSuccess) assert_hip_ok(hipGraphDestroy(graph));
    return NULL;
}

static hipError_t on_another_thread(void *(*run)(void *), hipStream_t stream) {
    struct errand errand = {stream, hipErrorUnknown};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, &errand), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return errand.answer;
}

static void only_a_relaxed_capture_ends_on_another_thread(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        assert_hip(on_another_thread(end_elsewhere, stream), hipErrorStreamCaptureWrongThread);
        end(stream, 0);
    }
    begin(stream);
    assert_hip_ok(on_another_thread(end_elsewhere, stream));
    assert_status(stream, hipStreamCaptureStatusNone);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- joining

static void streams_join_by_events_and_must_be_joined(void **state) {
    hipStream_t first = new_stream(hipStreamDefault);
    hipStream_t second = new_stream(hipStreamNonBlocking);
    hipEvent_t fork = new_event();
    hipEvent_t back = new_event();
    _Atomic(int) counter = 0;
    hipGraph_t graph = NULL;
    (void)state;
    begin(first);
    assert_hip_ok(hipLaunchHostFunc(first, count, &counter));
    assert_hip_ok(hipEventRecord(fork, first));
    assert_hip_ok(hipStreamWaitEvent(second, fork, 0));
    assert_status(second, hipStreamCaptureStatusActive);
    assert_hip_ok(hipLaunchHostFunc(second, count, &counter));
    assert_hip_ok(hipLaunchHostFunc(first, count, &counter));
    assert_hip(hipStreamEndCapture(second, &graph), hipErrorStreamCaptureUnmatched);
    assert_hip_ok(hipEventRecord(back, second));
    assert_hip_ok(hipStreamWaitEvent(first, back, 0));
    assert_hip_ok(hipLaunchHostFunc(first, count, &counter));
    end(first, 4);
    assert_status(second, hipStreamCaptureStatusNone);
    assert_int_equal(counter, 0);
    // The same without the way back.
    begin(first);
    assert_hip_ok(hipEventRecord(fork, first));
    assert_hip_ok(hipStreamWaitEvent(second, fork, 0));
    assert_hip_ok(hipLaunchHostFunc(second, count, &counter));
    end_badly(first, hipErrorStreamCaptureUnjoined);
    assert_status(second, hipStreamCaptureStatusNone);
    assert_hip_ok(hipEventDestroy(fork));
    assert_hip_ok(hipEventDestroy(back));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipStreamDestroy(first));
}

static void dependencies_are_those_of_streams_and_events(void **state) {
    hipStream_t first = new_stream(hipStreamDefault);
    hipStream_t second = new_stream(hipStreamDefault);
    hipEvent_t event = new_event();
    _Atomic(int) counter = 0;
    hipGraph_t graph = NULL;
    hipGraphNode_t nodes[4] = {NULL};
    hipGraphNode_t before[3] = {NULL};
    size_t count_of = 4;
    (void)state;
    begin(first);
    assert_hip_ok(hipLaunchHostFunc(first, count, &counter)); // 0
    assert_hip_ok(hipEventRecord(event, first));
    assert_hip_ok(hipStreamWaitEvent(second, event, 0));
    assert_hip_ok(hipLaunchHostFunc(first, count, &counter));  // 1 behind 0
    assert_hip_ok(hipLaunchHostFunc(second, count, &counter)); // 2 behind 0
    assert_hip_ok(hipEventRecord(event, second));
    assert_hip_ok(hipStreamWaitEvent(first, event, 0));
    assert_hip_ok(hipStreamWaitEvent(first, event, 0));       // twice is once
    assert_hip_ok(hipLaunchHostFunc(first, count, &counter)); // 3 behind 1 and 2
    assert_hip_ok(hipStreamEndCapture(first, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count_of));
    assert_int_equal(count_of, 4);
    const size_t want[4] = {0, 1, 1, 2};
    for (int i = 0; i < 4; i++) {
        count_of = 3;
        assert_hip_ok(hipGraphNodeGetDependencies(nodes[i], before, &count_of));
        assert_int_equal(count_of, want[i]);
        assert_ptr_equal(before[0], i == 0 ? NULL : i == 3 ? nodes[1] : nodes[0]);
        assert_ptr_equal(before[1], i == 3 ? nodes[2] : NULL);
    }
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipStreamDestroy(first));
}

static void captures_do_not_merge(void **state) {
    hipStream_t first = new_stream(hipStreamDefault);
    hipStream_t second = new_stream(hipStreamDefault);
    hipEvent_t event = new_event();
    (void)state;
    begin(first);
    begin(second);
    assert_hip_ok(hipEventRecord(event, first));
    assert_hip(hipStreamWaitEvent(second, event, 0), hipErrorStreamCaptureMerge);
    end_badly(first, hipErrorStreamCaptureInvalidated);
    end_badly(second, hipErrorStreamCaptureInvalidated);
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipStreamDestroy(first));
}

static void a_capture_does_not_wait_for_what_is_outside(void **state) {
    hipStream_t first = new_stream(hipStreamDefault);
    hipStream_t second = new_stream(hipStreamNonBlocking);
    hipEvent_t outside = new_event();
    hipEvent_t never = new_event();
    (void)state;
    assert_hip_ok(hipEventRecord(outside, second));
    begin(first);
    assert_hip_ok(hipStreamWaitEvent(first, never, 0));
    assert_status(first, hipStreamCaptureStatusActive);
    assert_hip(hipStreamWaitEvent(first, outside, 0), hipErrorStreamCaptureIsolation);
    assert_status(first, hipStreamCaptureStatusInvalidated);
    end_badly(first, hipErrorStreamCaptureInvalidated);
    assert_hip_ok(hipEventDestroy(never));
    assert_hip_ok(hipEventDestroy(outside));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipStreamDestroy(first));
}

static void captures_stay_on_one_device(void **state) {
    hipStream_t here = new_stream(hipStreamDefault);
    hipEvent_t event = new_event();
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    hipStream_t there = new_stream(hipStreamDefault);
    assert_hip_ok(hipSetDevice(0));
    begin(here);
    assert_hip_ok(hipEventRecord(event, here));
    assert_hip(hipStreamWaitEvent(there, event, 0), hipErrorNotSupported);
    assert_status(there, hipStreamCaptureStatusNone);
    end(here, 0);
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(there));
    assert_hip_ok(hipStreamDestroy(here));
}

// ---- what is forbidden

static void ignore(hipStream_t stream, hipError_t status, void *arg) {
    (void)stream;
    (void)status;
    (void)arg;
}

static hipError_t query(hipStream_t stream) { return hipStreamQuery(stream); }

static hipError_t synchronize(hipStream_t stream) { return hipStreamSynchronize(stream); }

static hipError_t synchronize_device(hipStream_t stream) {
    (void)stream;
    return hipDeviceSynchronize();
}

static hipError_t call_back(hipStream_t stream) {
    return hipStreamAddCallback(stream, ignore, NULL, 0);
}

static void a_stream_may_begin_again_after_an_invalid_capture(void **state) {
    hipStream_t stream = new_stream(hipStreamNonBlocking);
    hipGraph_t graph = NULL;
    size_t num = 9;
    _Atomic(int) counter = 0;
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
    assert_hip(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), hipErrorIllegalState);
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphGetNodes(graph, NULL, &num));
    assert_int_equal(num, 0); // nothing of the first
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void waiting_for_a_capturing_stream_invalidates_the_capture(void **state) {
    hipError_t (*const waits[])(hipStream_t) = {query, synchronize, synchronize_device, call_back};
    hipStream_t stream = new_stream(hipStreamNonBlocking);
    _Atomic(int) counter = 0;
    (void)state;
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        begin(stream);
        assert_hip(waits[i](stream), hipErrorStreamCaptureUnsupported);
        assert_status(stream, hipStreamCaptureStatusInvalidated);
        assert_hip(hipLaunchHostFunc(stream, count, &counter), hipErrorStreamCaptureInvalidated);
        end_badly(stream, hipErrorStreamCaptureInvalidated);
    }
    assert_int_equal(counter, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

// Whichever device and whichever mode.
static void no_device_may_be_waited_for_while_a_stream_captures(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        assert_hip_ok(hipSetDevice(1));
        assert_hip_ok(hipStreamSynchronize(NULL)); // NULL streams may
        assert_status(stream, hipStreamCaptureStatusActive);
        assert_hip(hipDeviceSynchronize(), hipErrorStreamCaptureUnsupported);
        assert_hip(hipGetLastError(), hipSuccess); // level 6 does not keep it
        assert_hip_ok(hipSetDevice(0));
        end_badly(stream, hipErrorStreamCaptureInvalidated);
    }
    assert_hip_ok(hipStreamDestroy(stream));
}

static hipError_t wait_for_stream(hipStream_t stream) { return hipStreamSynchronize(stream); }

static hipError_t wait_for_event(hipStream_t stream) {
    hipEvent_t event = new_event();
    (void)stream;
    hipError_t error = hipEventSynchronize(event);
    assert_hip_ok(hipEventDestroy(event));
    return error;
}

struct wait_elsewhere {
    hipError_t (*wait)(hipStream_t);
    hipStreamCaptureMode mode; // of the thread
    hipStream_t stream;
    hipError_t result;
};

static void *wait_on_thread(void *arg) {
    struct wait_elsewhere *elsewhere = arg;
    assert_hip_ok(hipThreadExchangeStreamCaptureMode(&elsewhere->mode));
    elsewhere->result = elsewhere->wait(elsewhere->stream);
    return NULL;
}

// Waits for another stream than the one that captures, here and on another thread.
static void a_capture_forbids_waits_by_its_mode(void **state) {
    hipError_t (*const waits[])(hipStream_t) = {query, wait_for_stream, wait_for_event};
    hipStream_t stream = new_stream(hipStreamNonBlocking);
    hipStream_t other = new_stream(hipStreamNonBlocking);
    const hipError_t no = hipErrorStreamCaptureUnsupported;
    (void)state;
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        for (int mode = 0; mode < 3; mode++) {
            bool strict = modes[mode] != hipStreamCaptureModeRelaxed;
            assert_hip_ok(hipStreamBeginCapture(stream, modes[mode]));
            assert_hip(waits[i](other), strict ? no : hipSuccess);
            assert_status(stream, strict ? hipStreamCaptureStatusInvalidated
                                         : hipStreamCaptureStatusActive);
            (void)hipStreamEndCapture(stream, &(hipGraph_t){NULL});
            for (int of_thread = 0; of_thread < 3; of_thread++) {
                struct wait_elsewhere elsewhere = {waits[i], modes[of_thread], other, hipSuccess};
                bool global = modes[mode] == hipStreamCaptureModeGlobal &&
                              modes[of_thread] != hipStreamCaptureModeRelaxed;
                pthread_t thread;
                assert_hip_ok(hipStreamBeginCapture(stream, modes[mode]));
                assert_int_equal(pthread_create(&thread, NULL, wait_on_thread, &elsewhere), 0);
                assert_int_equal(pthread_join(thread, NULL), 0);
                assert_hip(elsewhere.result, global ? no : hipSuccess);
                (void)hipStreamEndCapture(stream, &(hipGraph_t){NULL});
            }
        }
    }
    assert_hip_ok(hipStreamDestroy(other));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void *copy_synchronously(void *arg) {
    int from = 1;
    int to = 0;
    ((struct errand *)arg)->answer = hipMemcpy(&to, &from, sizeof to, hipMemcpyDefault);
    return NULL;
}

static void *fill_synchronously(void *arg) {
    void *memory = NULL;
    assert_hip_ok(hipMalloc(&memory, 4096));
    ((struct errand *)arg)->answer = hipMemset(memory, 1, 4096);
    assert_hip_ok(hipFree(memory));
    return NULL;
}

static void every_capture_forbids_synchronous_copies_and_fills(void **state) {
    hipStream_t stream = new_stream(hipStreamNonBlocking);
    (void)state;
    begin(stream);
    assert_hip(on_another_thread(copy_synchronously, stream), hipErrorStreamCaptureImplicit);
    end_badly(stream, hipErrorStreamCaptureInvalidated);
    begin(stream);
    assert_hip(on_another_thread(fill_synchronously, stream), hipErrorStreamCaptureImplicit);
    end_badly(stream, hipErrorStreamCaptureInvalidated);
    assert_hip_ok(on_another_thread(copy_synchronously, stream));
    assert_hip_ok(hipStreamDestroy(stream));
}

static hipError_t use_null(hipStream_t stream) {
    static _Atomic(int) counter;
    (void)stream;
    return hipLaunchHostFunc(NULL, count, &counter);
}

static hipError_t record_null(hipStream_t stream) {
    hipEvent_t event = new_event();
    (void)stream;
    hipError_t error = hipEventRecord(event, NULL);
    assert_hip_ok(hipEventDestroy(event));
    return error;
}

static hipError_t wait_null(hipStream_t stream) {
    hipEvent_t event = new_event();
    assert_hip_ok(hipEventRecord(event, stream));
    hipError_t error = hipStreamWaitEvent(NULL, event, 0);
    assert_hip_ok(hipEventDestroy(event));
    return error;
}

static hipError_t synchronize_null(hipStream_t stream) {
    (void)stream;
    return hipStreamSynchronize(NULL);
}

static void *pooled;

static hipError_t allocate_null(hipStream_t stream) {
    void *memory = &memory;
    (void)stream;
    hipError_t error = hipMallocAsync(&memory, 4096, NULL);
    if (error != hipSuccess) assert_ptr_equal(memory, &memory);
    return error;
}

static hipError_t free_null(hipStream_t stream) {
    (void)stream;
    return hipFreeAsync(pooled, NULL);
}

// A relaxed capture allows the calls in themselves.
static void the_null_stream_has_no_pool_while_a_blocking_stream_captures(void **state) {
    hipError_t (*const uses[])(hipStream_t) = {allocate_null, free_null};
    hipStream_t blocking = new_stream(hipStreamDefault);
    (void)state;
    assert_hip_ok(hipMallocAsync(&pooled, 4096, NULL));
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        assert_hip_ok(hipStreamBeginCapture(blocking, hipStreamCaptureModeRelaxed));
        assert_hip(uses[i](blocking), hipErrorStreamCaptureImplicit);
        end_badly(blocking, hipErrorStreamCaptureInvalidated);
    }
    assert_hip_ok(free_null(NULL));
    assert_hip_ok(hipStreamDestroy(blocking));
}

static void the_null_stream_is_forbidden_while_a_blocking_stream_captures(void **state) {
    hipError_t (*const uses[])(hipStream_t) = {use_null, record_null, wait_null};
    hipStream_t blocking = new_stream(hipStreamDefault);
    hipStream_t apart = new_stream(hipStreamNonBlocking);
    (void)state;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        begin(blocking);
        begin(apart);
        assert_hip(uses[i](blocking), hipErrorStreamCaptureImplicit);
        assert_status(apart, hipStreamCaptureStatusActive);
        end(apart, 0);
        end_badly(blocking, hipErrorStreamCaptureInvalidated);
    }
    begin(blocking);
    hipStreamCaptureStatus status = (hipStreamCaptureStatus)99;
    assert_hip(hipStreamIsCapturing(NULL, &status), hipErrorStreamCaptureImplicit);
    assert_hip_ok(hipSetDevice(1)); // of any device
    assert_hip(hipStreamIsCapturing(NULL, &status), hipErrorStreamCaptureImplicit);
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(synchronize_null(NULL));
    assert_hip_ok(hipStreamQuery(NULL));
    end(blocking, 0);
    begin(apart);
    assert_hip_ok(hipStreamIsCapturing(NULL, &status));
    assert_int_equal(status, hipStreamCaptureStatusNone);
    assert_hip_ok(use_null(NULL));
    assert_hip_ok(synchronize_null(NULL));
    end(apart, 0);
    assert_hip_ok(hipStreamDestroy(apart));
    assert_hip_ok(hipStreamDestroy(blocking));
}

static void an_event_tells_nothing_while_its_capture_runs(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    hipEvent_t event = new_event();
    float ms = -1;
    (void)state;
    begin(stream);
    assert_hip_ok(hipEventRecord(event, stream));
    assert_status(stream, hipStreamCaptureStatusActive);
    assert_hip(hipEventQuery(event), hipErrorCapturedEvent);
    assert_status(stream, hipStreamCaptureStatusInvalidated);
    assert_hip(hipEventSynchronize(event), hipErrorCapturedEvent);
    assert_hip(hipEventElapsedTime(&ms, event, event), hipErrorCapturedEvent);
    end_badly(stream, hipErrorStreamCaptureInvalidated);
    assert_hip_ok(hipEventQuery(event)); // the capture is over, and nothing else was recorded
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip(hipEventElapsedTime(&ms, event, event), hipErrorInvalidHandle);
    assert_hip(hipStreamWaitEvent(stream, event, 0), hipErrorCapturedEvent);
    assert_hip_ok(hipEventRecord(event, stream)); // an event like any other again
    assert_hip_ok(hipEventSynchronize(event));
    assert_hip_ok(hipStreamWaitEvent(stream, event, 0));
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(stream));
}

// The stream that recorded an event captures again, or no longer exists.
static void an_event_of_an_earlier_capture_is_refused(void **state) {
    hipStream_t origin = new_stream(hipStreamNonBlocking);
    hipStream_t fork = new_stream(hipStreamNonBlocking);
    hipStream_t waiter = new_stream(hipStreamNonBlocking);
    hipEvent_t forked = new_event();
    hipEvent_t event = new_event();
    (void)state;
    begin(origin);
    assert_hip_ok(hipEventRecord(forked, origin));
    assert_hip_ok(hipStreamWaitEvent(fork, forked, 0));
    assert_hip_ok(hipEventRecord(event, fork));
    end(origin, 0);
    begin(origin); // without the stream that recorded the event
    assert_hip(hipStreamWaitEvent(waiter, event, 0), hipErrorCapturedEvent);
    end(origin, 0);
    begin(fork);
    assert_hip(hipStreamWaitEvent(waiter, event, 0), hipErrorStreamCaptureIsolation);
    assert_status(waiter, hipStreamCaptureStatusNone);
    assert_status(fork, hipStreamCaptureStatusActive);
    end(fork, 0);
    assert_hip(hipStreamWaitEvent(waiter, event, 0), hipErrorCapturedEvent);
    assert_hip_ok(hipStreamDestroy(fork));
    assert_hip(hipStreamWaitEvent(waiter, event, 0), hipErrorCapturedEvent);
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipEventDestroy(forked));
    assert_hip_ok(hipStreamDestroy(waiter));
    assert_hip_ok(hipStreamDestroy(origin));
}

static void a_stream_that_goes_takes_its_capture_along(void **state) {
    hipStream_t first = new_stream(hipStreamDefault);
    hipStream_t second = new_stream(hipStreamDefault);
    hipEvent_t event = new_event();
    (void)state;
    begin(first);
    assert_hip_ok(hipEventRecord(event, first));
    assert_hip_ok(hipStreamWaitEvent(second, event, 0));
    assert_hip_ok(hipStreamDestroy(first));
    assert_status(second, hipStreamCaptureStatusNone);
    begin(second);
    assert_hip_ok(hipEventRecord(event, second));
    first = new_stream(hipStreamDefault);
    assert_hip_ok(hipStreamWaitEvent(first, event, 0));
    assert_hip_ok(hipStreamDestroy(first));
    end_badly(second, hipErrorStreamCaptureInvalidated);
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(second));
}

// ---- what might wait, by modes: hipMalloc is such a call

static hipError_t allocate(void) {
    void *memory = NULL;
    hipError_t error = hipMalloc(&memory, 4096);
    if (error == hipSuccess) assert_hip_ok(hipFree(memory));
    return error;
}

static void *allocate_elsewhere(void *arg) {
    ((struct errand *)arg)->answer = allocate();
    return NULL;
}

static void *allocate_elsewhere_thread_local(void *arg) {
    hipStreamCaptureMode mode = hipStreamCaptureModeThreadLocal;
    assert_hip_ok(hipThreadExchangeStreamCaptureMode(&mode));
    return allocate_elsewhere(arg);
}

// A call that was refused has made the capture invalid.
static void end_as(hipStream_t stream, hipError_t refusal) {
    if (refusal == hipSuccess)
        end(stream, 0);
    else
        end_badly(stream, hipErrorStreamCaptureInvalidated);
}

static void modes_say_whom_a_capture_hinders(void **state) {
    const hipError_t here[] = {hipErrorStreamCaptureUnsupported, hipErrorStreamCaptureUnsupported,
                               hipSuccess};
    const hipError_t there[] = {hipErrorStreamCaptureUnsupported, hipSuccess, hipSuccess};
    hipStream_t stream = new_stream(hipStreamDefault);
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_hip_ok(allocate());
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        assert_hip(allocate(), here[i]);
        end_as(stream, here[i]);
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        assert_hip(on_another_thread(allocate_elsewhere, stream), there[i]);
        end_as(stream, there[i]);
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        assert_hip_ok(on_another_thread(allocate_elsewhere_thread_local, stream));
        hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
        assert_hip_ok(hipThreadExchangeStreamCaptureMode(&mode));
        assert_int_equal(mode, hipStreamCaptureModeGlobal);
        assert_hip_ok(allocate());
        assert_hip_ok(hipThreadExchangeStreamCaptureMode(&mode));
        assert_int_equal(mode, hipStreamCaptureModeRelaxed);
        end(stream, 0); // nothing of this has made it invalid
    }
    assert_hip_ok(hipStreamDestroy(stream));
}

static void modes_that_are_none_are_refused(void **state) {
    hipStreamCaptureMode mode = (hipStreamCaptureMode)3;
    (void)state;
    assert_hip(hipThreadExchangeStreamCaptureMode(&mode), hipErrorInvalidValue);
    assert_hip(hipThreadExchangeStreamCaptureMode(NULL), hipErrorInvalidValue);
    assert_int_equal(mode, 3);
}

// ---- asking

static void info_shows_the_capture_as_far_as_it_is(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    unsigned long long id = 0;
    unsigned long long again = 0;
    hipGraph_t graph = NULL;
    hipGraph_t ended = NULL;
    hipGraphExec_t exec = NULL;
    const hipGraphNode_t *nodes = NULL;
    size_t count_of = 99;
    _Atomic(int) counter = 0;
    (void)state;
    assert_hip(hipStreamIsCapturing(stream, NULL), hipErrorInvalidValue);
    assert_hip(hipStreamGetCaptureInfo(stream, NULL, &id), hipErrorInvalidValue);
    assert_hip_ok(hipStreamGetCaptureInfo(stream, &status, &id));
    assert_int_equal(status, hipStreamCaptureStatusNone);
    begin(stream);
    assert_hip_ok(hipStreamGetCaptureInfo(stream, &status, NULL));
    assert_hip_ok(hipStreamGetCaptureInfo(stream, &status, &id));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    assert_true(id != 0);
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, &again, &graph, &nodes, &count_of));
    assert_true(again == id);
    assert_int_equal(count_of, 0);
    assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, NULL, &count_of));
    assert_int_equal(count_of, 1);
    assert_hip_ok(hipStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, &nodes, NULL));
    hipGraphNode_t first = nodes[0];
    assert_hip(hipGraphDestroy(graph), hipErrorIllegalState);
    assert_hip(hipGraphInstantiate(&exec, graph, NULL, NULL, 0), hipErrorIllegalState);
    assert_hip_ok(hipStreamEndCapture(stream, &ended));
    assert_ptr_equal(ended, graph);
    hipGraphNode_t node = NULL;
    count_of = 1;
    assert_hip_ok(hipGraphGetNodes(graph, &node, &count_of));
    assert_ptr_equal(node, first);
    assert_hip_ok(hipGraphDestroy(graph));
    begin(stream);
    assert_hip_ok(hipStreamGetCaptureInfo(stream, &status, &again));
    assert_true(again != id);
    end(stream, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- threads and fork

static void *capture_often(void *arg) {
    _Atomic(int) counter = 0;
    hipStream_t stream = new_stream(hipStreamNonBlocking);
    hipEvent_t event = new_event();
    (void)arg;
    for (int i = 0; i < 100; i++) {
        assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
        assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
        assert_hip_ok(hipEventRecord(event, stream));
        assert_hip_ok(hipStreamWaitEvent(hipStreamPerThread, event, 0));
        assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, &counter));
        assert_hip_ok(hipEventRecord(event, hipStreamPerThread));
        assert_hip_ok(hipStreamWaitEvent(stream, event, 0));
        end(stream, 2);
    }
    assert_hip_ok(hipEventDestroy(event));
    assert_hip_ok(hipStreamDestroy(stream));
    return NULL;
}

static void threads_capture_beside_each_other(void **state) {
    pthread_t threads[4];
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, capture_often, NULL), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void nothing_captures(void *arg) {
    (void)arg;
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(allocate());
    assert_hip_ok(use_null(NULL));
    begin(hipStreamPerThread);
    end(hipStreamPerThread, 0);
}

static void a_child_captures_nothing(void **state) {
    hipStream_t stream = new_stream(hipStreamDefault);
    (void)state;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    hip_in_child(nothing_captures, NULL, NULL);
    end(stream, 0);
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_work_does_not_run),
        cmocka_unit_test(bad_arguments_begin_and_end_nothing),
        cmocka_unit_test(the_stream_of_a_thread_can_capture),
        cmocka_unit_test(only_a_relaxed_capture_ends_on_another_thread),
        cmocka_unit_test(streams_join_by_events_and_must_be_joined),
        cmocka_unit_test(dependencies_are_those_of_streams_and_events),
        cmocka_unit_test(captures_do_not_merge),
        cmocka_unit_test(a_capture_does_not_wait_for_what_is_outside),
        cmocka_unit_test(captures_stay_on_one_device),
        cmocka_unit_test(a_stream_may_begin_again_after_an_invalid_capture),
        cmocka_unit_test(waiting_for_a_capturing_stream_invalidates_the_capture),
        cmocka_unit_test(no_device_may_be_waited_for_while_a_stream_captures),
        cmocka_unit_test(a_capture_forbids_waits_by_its_mode),
        cmocka_unit_test(every_capture_forbids_synchronous_copies_and_fills),
        cmocka_unit_test(the_null_stream_has_no_pool_while_a_blocking_stream_captures),
        cmocka_unit_test(the_null_stream_is_forbidden_while_a_blocking_stream_captures),
        cmocka_unit_test(an_event_tells_nothing_while_its_capture_runs),
        cmocka_unit_test(an_event_of_an_earlier_capture_is_refused),
        cmocka_unit_test(a_stream_that_goes_takes_its_capture_along),
        cmocka_unit_test(modes_say_whom_a_capture_hinders),
        cmocka_unit_test(modes_that_are_none_are_refused),
        cmocka_unit_test(info_shows_the_capture_as_far_as_it_is),
        cmocka_unit_test(threads_capture_beside_each_other),
        cmocka_unit_test(a_child_captures_nothing),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
