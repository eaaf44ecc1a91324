// SPDX-License-Identifier: Apache-2.0
// Work that fails while it runs: memory that has lost its rights when a copy's turn comes.
#include <pthread.h>
#include <stdio.h>

#include "support/vmm.h"
#include "support/work.h"

// Two granules, mapped, readable and writable.
static char *memory;

static int setup_memory(void **state) {
    (void)state;
    memory = reserve(2 * G);
    map_fresh(memory, G);
    map_fresh(memory + G, G);
    return 0;
}

static int teardown_memory(void **state) {
    (void)state;
    unmap_and_free(memory, 2 * G);
    return 0;
}

// Gives a copy from one granule to the other to a stream, and takes the right to it away before its
// turn comes.
static void fail_in(hipStream_t stream) {
    struct gate gate = {false, 0};
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipMemcpyAsync(memory + G, memory, G, hipMemcpyDeviceToDevice, stream));
    grant(memory, G, 0, NONE);
    gate.open = true;
    assert_hip(hipStreamSynchronize(stream), hipErrorIllegalAddress);
    grant(memory, G, 0, READ_WRITE);
}

static void a_fault_stays_until_the_stream_is_destroyed(void **state) {
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    atomic_count_t counter = 0;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipEventCreate(&event));
    fail_in(stream);
    assert_hip(hipStreamQuery(stream), hipErrorIllegalAddress);
    assert_hip(hipStreamSynchronize(stream), hipErrorIllegalAddress);
    assert_hip(hipDeviceSynchronize(), hipErrorIllegalAddress);
    assert_hip(hipLaunchHostFunc(stream, count, &counter), hipErrorIllegalAddress);
    assert_hip(hipMemsetAsync(memory, 0, G, stream), hipErrorIllegalAddress);
    assert_hip(hipEventRecord(event, stream), hipErrorIllegalAddress);
    assert_hip(hipStreamWaitEvent(stream, event, 0), hipErrorIllegalAddress);
    assert_hip_ok(hipStreamSynchronize(NULL)); // the stream stands apart from that one
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(counter, 0);
    assert_hip_ok(hipEventDestroy(event));
}

static void the_text_says_what_failed(void **state) {
    hipStream_t stream = NULL;
    char address[32];
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    fail_in(stream);
    assert_hip(hipStreamQuery(stream), hipErrorIllegalAddress);
    assert_true(snprintf(address, sizeof address, "0x%llx", (unsigned long long)(uintptr_t)memory) >
                0);
    assert_text_names(address);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void what_was_queued_behind_a_fault_is_dropped(void **state) {
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    struct gate gate = {false, 0};
    atomic_count_t counter = 0;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipMemcpyAsync(memory + G, memory, G, hipMemcpyDeviceToDevice, stream));
    assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
    assert_hip_ok(hipEventRecord(event, stream));
    assert_hip_ok(hipStreamWaitEvent(hipStreamPerThread, event, 0));
    grant(memory, G, 0, NONE);
    gate.open = true;
    assert_hip(hipEventSynchronize(event), hipErrorIllegalAddress);
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread)); // who waited goes on
    assert_int_equal(counter, 0);
    grant(memory, G, 0, READ_WRITE);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipEventDestroy(event));
}

static void a_failed_blocking_stream_fails_the_null_stream(void **state) {
    hipStream_t stream = NULL;
    hipStream_t other = NULL;
    char byte = 1;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamCreate(&other));
    fail_in(stream);
    assert_hip(hipStreamSynchronize(NULL), hipErrorIllegalAddress);
    assert_hip(hipMemcpy(memory, &byte, 1, hipMemcpyHostToDevice), hipErrorIllegalAddress);
    assert_hip_ok(hipMemcpyAsync(memory, &byte, 1, hipMemcpyHostToDevice, other));
    assert_hip_ok(hipStreamSynchronize(other));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipMemcpy(memory, &byte, 1, hipMemcpyHostToDevice));
    assert_hip_ok(hipStreamDestroy(other));
}

static void a_reset_makes_the_stream_of_a_thread_anew(void **state) {
    (void)state;
    fail_in(hipStreamPerThread);
    assert_hip(hipMemsetAsync(memory, 0, G, hipStreamPerThread), hipErrorIllegalAddress);
    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipMemsetAsync(memory, 0, G, hipStreamPerThread));
    assert_hip_ok(hipDeviceSynchronize());
}

static void a_reset_makes_the_null_stream_anew(void **state) {
    char byte = 1;
    (void)state;
    fail_in(NULL);
    assert_hip(hipMemcpy(memory, &byte, 1, hipMemcpyHostToDevice), hipErrorIllegalAddress);
    assert_hip(hipMemsetAsync(memory, 0, G, hipStreamPerThread), hipErrorIllegalAddress);
    assert_hip_ok(hipDeviceReset());
    assert_hip_ok(hipMemcpy(memory, &byte, 1, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemsetAsync(memory, 0, G, hipStreamPerThread));
    assert_hip_ok(hipDeviceSynchronize());
}

// ---- what a reset takes of threads and captures

struct worker {
    pthread_barrier_t meeting;
    atomic_count_t counter;
};

static void *use_a_stream_across_a_reset(void *arg) {
    struct worker *worker = arg;
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, &worker->counter));
    (void)pthread_barrier_wait(&worker->meeting);
    (void)pthread_barrier_wait(&worker->meeting);
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, &worker->counter));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    return NULL;
}

static void threads_get_new_streams_after_a_reset(void **state) {
    struct worker worker = {.counter = 0};
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_barrier_init(&worker.meeting, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, use_a_stream_across_a_reset, &worker), 0);
    (void)pthread_barrier_wait(&worker.meeting);
    assert_hip_ok(hipDeviceReset());
    assert_int_equal(worker.counter, 1); // it waits for what was given
    (void)pthread_barrier_wait(&worker.meeting);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(worker.counter, 2);
    assert_int_equal(pthread_barrier_destroy(&worker.meeting), 0);
}

static void a_reset_ends_captures(void **state) {
    hipStream_t stream = NULL;
    hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipDeviceReset());
    assert_hip(hipStreamIsCapturing(stream, &status), hipErrorContextIsDestroyed);
    assert_hip_ok(hipStreamIsCapturing(hipStreamPerThread, &status));
    assert_int_equal(status, hipStreamCaptureStatusNone);
    assert_hip_ok(hipStreamSynchronize(NULL));
}

int main(void) {
#define WITH_MEMORY(test) cmocka_unit_test_setup_teardown(test, setup_memory, teardown_memory)
    const struct CMUnitTest tests[] = {
        WITH_MEMORY(a_fault_stays_until_the_stream_is_destroyed),
        WITH_MEMORY(the_text_says_what_failed),
        WITH_MEMORY(what_was_queued_behind_a_fault_is_dropped),
        WITH_MEMORY(a_failed_blocking_stream_fails_the_null_stream),
        WITH_MEMORY(a_reset_makes_the_stream_of_a_thread_anew),
        WITH_MEMORY(a_reset_makes_the_null_stream_anew),
        cmocka_unit_test(threads_get_new_streams_after_a_reset),
        cmocka_unit_test(a_reset_ends_captures),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
