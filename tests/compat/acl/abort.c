// SPDX-License-Identifier: Apache-2.0
// Streams that are aborted, and streams whose work fails.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/work.h"

static unsigned char *memory;
static uint64_t *word;
static aclrtStream stream;

static int with_memory(void **state) {
    (void)state;
    if (aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0) return -1;
    memory = device_bytes(4096, 1);
    word = (uint64_t *)device_bytes(64, 0);
    return 0;
}

static int without_memory(void **state) {
    (void)state;
    return aclrtDestroyStream(stream) != 0 || aclrtFree(memory) != 0 || aclrtFree(word) != 0 ||
           aclrtResetDevice(0) != 0;
}

// Enqueues work that fails: it waits for a word of memory that is freed meanwhile.
static void enqueue_failure(aclrtStream to) {
    unsigned char *gone = device_bytes(64, 0);
    struct gate gate = {false, 0};
    assert_acl_ok(aclrtLaunchHostFunc(to, pass_gate, &gate));
    assert_acl_ok(aclrtMemsetAsync(gone, 64, 1, 64, to));
    assert_acl_ok(aclrtFree(gone));
    gate.open = true;
    while (gate.passed == 0) usleep(100);
}

static uint64_t mode_of(aclrtStream of) {
    aclrtStreamAttrValue value = {0};
    assert_acl_ok(aclrtGetStreamAttribute(of, ACL_STREAM_ATTR_FAILURE_MODE, &value));
    return value.failureMode;
}

// ---- failure modes

static void a_stream_that_stops_at_failures_does_so_for_good(void **state) {
    aclrtStreamAttrValue value = {.failureMode = 1};
    aclrtStream other = NULL;
    (void)state;
    assert_int_equal(mode_of(stream), 0);
    assert_acl_ok(aclrtSetStreamFailureMode(stream, 1));
    assert_acl_ok(aclrtSetStreamFailureMode(stream, 1));
    assert_int_equal(mode_of(stream), 1);
    assert_acl(aclrtSetStreamFailureMode(stream, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    assert_int_equal(mode_of(stream), 1);
    assert_acl_ok(aclrtCreateStream(&other));
    assert_acl_ok(aclrtSetStreamFailureMode(other, 2)); // only bit 0 counts
    assert_int_equal(mode_of(other), 0);
    assert_acl_ok(aclrtSetStreamAttribute(other, ACL_STREAM_ATTR_FAILURE_MODE, &value));
    assert_int_equal(mode_of(other), 1);
    assert_acl_ok(aclrtDestroyStream(other));
    assert_acl(aclrtSetStreamFailureMode(other, 1), ACL_ERROR_RT_PARAM_INVALID);
}

static void in_mode_1_the_work_behind_a_failure_does_not_run(void **state) {
    (void)state;
    assert_acl_ok(aclrtSetStreamFailureMode(stream, 1));
    enqueue_failure(stream);
    (void)aclrtMemsetAsync(memory, 4096, 2, 4096, stream); // refused if the failure was first
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtMemsetAsync(memory, 4096, 2, 4096, stream), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_bytes(memory, 4096, 1);
}

// In a context, the default stream and each stream beside the one that fails.
static void in_mode_1_a_failure_stops_the_other_streams_of_the_context(void **state) {
    struct gate gate = {false, 0};
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    aclrtStream other = NULL, later = NULL, others[] = {NULL, NULL};
    aclrtContext context = NULL, first = NULL;
    (void)state;
    need_functions_at_once();
    assert_acl_ok(aclrtGetCurrentContext(&first));
    assert_acl_ok(aclrtCreateContext(&context, 0));
    assert_acl_ok(aclrtCreateStream(&others[1])); // others[0] is the default stream
    assert_acl_ok(aclrtCreateStream(&other));
    assert_acl_ok(aclrtSetStreamFailureMode(other, 1));
    for (int i = 0; i < 2; i++) {
        assert_acl_ok(aclrtLaunchHostFunc(others[i], pass_gate, &gate));
        assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, others[i])); // waits for the gate
    }
    enqueue_failure(other);
    assert_acl(aclrtSynchronizeStream(other), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    gate.open = true;
    for (int i = 0; i < 2; i++) {
        assert_acl(aclrtSynchronizeStream(others[i]), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
        assert_acl(aclrtSynchronizeStream(others[i]), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
        assert_acl(aclrtStreamQuery(others[i], &status), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
        assert_acl(aclrtMemsetAsync(memory, 4096, 2, 4096, others[i]),
                   ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    assert_bytes(memory, 4096, 1);
    assert_acl_ok(aclrtCreateStream(&later));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, later));
    assert_acl_ok(aclrtSynchronizeStream(later));
    assert_acl_ok(aclrtSetCurrentContext(first)); // whose streams continue
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 3, 4096, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(memory, 4096, 3);
    assert_acl_ok(aclrtDestroyContext(context));
}

// Work of each kind that can fail stops them.
static void a_task_that_fails_stops_the_other_streams_too(void **state) {
    aclrtContext context = NULL, first = NULL;
    aclrtStream other = NULL;
    uint64_t *gone = (uint64_t *)device_bytes(64, 0);
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&first));
    assert_acl_ok(aclrtCreateContext(&context, 0));
    assert_acl_ok(aclrtCreateStream(&other));
    assert_acl_ok(aclrtSetStreamFailureMode(NULL, 1));
    assert_acl_ok(aclrtValueWait(gone, 1, ACL_STREAM_WAIT_VALUE_EQ, NULL));
    assert_acl_ok(aclrtFree(gone));
    assert_acl(aclrtSynchronizeStream(NULL), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl(aclrtSynchronizeStream(other), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtSetCurrentContext(first));
    assert_acl_ok(aclrtDestroyContext(context));
}

// An abort drops work too, and is no failure.
static void in_mode_1_an_abort_leaves_the_other_streams(void **state) {
    aclrtStream other = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&other));
    assert_acl_ok(aclrtSetStreamFailureMode(other, 1));
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, other));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, other));
    assert_acl_ok(aclrtStreamAbort(other));
    assert_acl_ok(aclrtSynchronizeStream(other));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 3, 4096, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(memory, 4096, 3);
    assert_acl_ok(aclrtDestroyStream(other));
}

// A dropped write does not touch the memory, and a dropped wait does not look at it.
static void an_abort_drops_values(void **state) {
    uint64_t *other = (uint64_t *)device_bytes(64, 0), back[2] = {7, 7};
    (void)state;
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtValueWrite(other, 5, 0, stream));
    assert_acl_ok(aclrtValueWait(other, 5, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtValueWrite(word, 6, 0, stream));
    assert_acl_ok(aclrtStreamAbort(stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtMemcpy(&back[0], 8, word, 8, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_acl_ok(aclrtMemcpy(&back[1], 8, other, 8, ACL_MEMCPY_DEVICE_TO_HOST));
    assert_int_equal(back[0], 0);
    assert_int_equal(back[1], 0);
    assert_acl_ok(aclrtFree(other));
}

static void in_mode_0_the_work_behind_a_failure_runs(void **state) {
    (void)state;
    enqueue_failure(stream);
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, stream));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_bytes(memory, 4096, 2);
    assert_acl_ok(aclrtSynchronizeStream(stream)); // reported once
}

static void a_wait_that_expired_is_reported_once(void **state) {
    aclrtNotify notify = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateNotify(&notify, 0));
    assert_acl_ok(aclrtWaitAndResetNotify(notify, stream, 1));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, stream));
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(memory, 4096, 2);
    assert_acl_ok(aclrtDestroyNotify(notify));
}

// The code goes with the failure, also to a query or a copy that waits.
static void a_query_reports_an_expired_wait_too(void **state) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    aclrtNotify notify = NULL;
    aclError error = 0;
    (void)state;
    assert_acl_ok(aclrtCreateNotify(&notify, 0));
    assert_acl_ok(aclrtWaitAndResetNotify(notify, stream, 1));
    do {
        error = aclrtStreamQuery(stream, &status);
    } while (error == 0);
    assert_int_equal(error, ACL_ERROR_RT_WAIT_TIMEOUT);
    enqueue_failure(stream);
    assert_acl(aclrtSynchronizeStream(stream), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    assert_acl_ok(aclrtDestroyNotify(notify));
}

// ---- aborts

struct waiter {
    _Atomic(pid_t) id; // 0: not about to wait
    aclError code;
};

static void *synchronize(void *arg) {
    struct waiter *waiter = arg;
    if (aclrtSetDevice(0) != 0) abort();
    waiter->id = gettid();
    waiter->code = aclrtSynchronizeStream(stream);
    (void)aclrtResetDevice(0);
    return NULL;
}

static bool sleeps(pid_t thread) {
    char path[64], line[512];
    (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(fclose(file), 0);
    return strrchr(line, ')')[2] == 'S';
}

// A thread that sleeps for several looks sleeps in the wait, not on a lock before it.
static void await_sleep(const struct waiter *waiter) {
    while (waiter->id == 0) usleep(1000);
    for (int looks = 0; looks < 10; looks = sleeps(waiter->id) ? looks + 1 : 0) usleep(1000);
}

static void an_abort_wakes_threads_that_wait_for_the_stream(void **state) {
    struct waiter waiter = {0, 0};
    pthread_t thread;
    (void)state;
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, stream));
    assert_int_equal(pthread_create(&thread, NULL, synchronize, &waiter), 0);
    await_sleep(&waiter);
    assert_acl_ok(aclrtStreamAbort(stream));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(waiter.code, ACL_ERROR_RT_STREAM_ABORT);
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(memory, 4096, 1); // dropped
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 3, 4096, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_bytes(memory, 4096, 3);
}

// Here and in a stream that waits for the event.
static void an_aborted_record_counts_as_passed(void **state) {
    aclrtStream other = NULL;
    aclrtEvent event = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateStream(&other));
    assert_acl_ok(aclrtCreateEvent(&event));
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtRecordEvent(event, stream));
    assert_acl_ok(aclrtStreamWaitEvent(other, event));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, other));
    assert_acl(aclrtSynchronizeStreamWithTimeout(other, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_acl_ok(aclrtStreamAbort(stream));
    assert_acl_ok(aclrtSynchronizeEvent(event));
    assert_acl_ok(aclrtSynchronizeStream(other));
    assert_bytes(memory, 4096, 2);
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(other));
}

struct running {
    atomic_flag_t begun;
    struct gate gate;
};

static void run_to_gate(void *arg) {
    struct running *running = arg;
    running->begun = true;
    pass_gate(&running->gate);
}

static void an_abort_lets_the_running_function_end(void **state) {
    struct running running = {false, {false, 0}};
    _Atomic(int) counter = 0;
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, run_to_gate, &running));
    assert_acl_ok(aclrtLaunchHostFunc(NULL, count, &counter));
    while (!running.begun) let_others_begin();
    assert_acl_ok(aclrtStreamAbort(NULL));
    running.gate.open = true;
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_int_equal(running.gate.passed, 1);
    assert_int_equal(counter, 0);
    assert_acl(aclrtStreamAbort(&running), ACL_ERROR_RT_PARAM_INVALID);
}

// ---- stops

// A stop before a wait has begun leaves the wait, so the test repeats it.
static void a_stop_ends_the_wait_and_keeps_the_work_behind_it(void **state) {
    struct gate gate = {false, 0};
    aclrtNotify notify = NULL;
    aclrtEvent filled = NULL;
    (void)state;
    assert_acl_ok(aclrtCreateNotify(&notify, 0));
    assert_acl_ok(aclrtCreateEvent(&filled));
    assert_acl_ok(aclrtStreamStop(stream)); // stops nothing
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 2, 4096, stream));
    assert_acl_ok(aclrtRecordEvent(filled, stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate)); // the next wait begins later
    assert_acl_ok(aclrtWaitAndResetNotify(notify, stream, 0));
    assert_acl_ok(aclrtMemsetAsync(memory, 4096, 3, 4096, stream));
    assert_acl(aclrtSynchronizeEventWithTimeout(filled, 20), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    do {
        assert_acl_ok(aclrtStreamStop(stream));
    } while (aclrtSynchronizeEventWithTimeout(filled, 10) != 0);
    assert_bytes(memory, 4096, 2);
    gate.open = true;
    assert_acl(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    do {
        assert_acl_ok(aclrtStreamStop(stream));
    } while (aclrtSynchronizeStreamWithTimeout(stream, 10) != 0);
    assert_bytes(memory, 4096, 3);
    assert_acl_ok(aclrtDestroyEvent(filled));
    assert_acl_ok(aclrtDestroyNotify(notify));
    assert_acl(aclrtStreamStop(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtStreamStop(&notify), ACL_ERROR_RT_PARAM_INVALID);
}

static void a_stop_lets_the_running_function_end(void **state) {
    struct running running = {false, {false, 0}};
    _Atomic(int) counter = 0;
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(stream, run_to_gate, &running));
    assert_acl_ok(aclrtLaunchHostFunc(stream, count, &counter));
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    while (!running.begun) let_others_begin();
    assert_acl_ok(aclrtStreamStop(stream));
    running.gate.open = true;
    assert_acl(aclrtSynchronizeStreamWithTimeout(stream, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    do { // until the wait has begun
        assert_acl_ok(aclrtStreamStop(stream));
    } while (aclrtSynchronizeStreamWithTimeout(stream, 10) != 0);
    assert_int_equal(running.gate.passed, 1);
    assert_int_equal(counter, 1);
}

static void a_device_is_aborted(void **state) {
    aclrtStream far = NULL;
    (void)state;
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    assert_acl_ok(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, NULL));
    assert_acl_ok(aclrtSetDevice(1));
    uint64_t *other = (uint64_t *)device_bytes(64, 0);
    assert_acl_ok(aclrtCreateStream(&far));
    assert_acl_ok(aclrtValueWait(other, 1, ACL_STREAM_WAIT_VALUE_EQ, far));
    assert_acl_ok(aclrtDeviceTaskAbort(0, 1000));
    assert_acl(aclrtSynchronizeStreamWithTimeout(far, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    assert_acl_ok(aclrtDeviceTaskAbort(1, 0));
    assert_acl_ok(aclrtSynchronizeStream(far));
    assert_acl_ok(aclrtDestroyStream(far));
    assert_acl_ok(aclrtFree(other));
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtDeviceTaskAbort(9, 0), ACL_ERROR_RT_INVALID_DEVICEID);
}

int main(void) {
#define WITH_MEMORY(test) cmocka_unit_test_setup_teardown(test, with_memory, without_memory)
    const struct CMUnitTest tests[] = {
        WITH_MEMORY(a_stream_that_stops_at_failures_does_so_for_good),
        WITH_MEMORY(in_mode_1_the_work_behind_a_failure_does_not_run),
        WITH_MEMORY(in_mode_1_a_failure_stops_the_other_streams_of_the_context),
        WITH_MEMORY(a_task_that_fails_stops_the_other_streams_too),
        WITH_MEMORY(in_mode_1_an_abort_leaves_the_other_streams),
        WITH_MEMORY(an_abort_drops_values),
        WITH_MEMORY(in_mode_0_the_work_behind_a_failure_runs),
        WITH_MEMORY(a_wait_that_expired_is_reported_once),
        WITH_MEMORY(a_query_reports_an_expired_wait_too),
        WITH_MEMORY(an_abort_wakes_threads_that_wait_for_the_stream),
        WITH_MEMORY(an_aborted_record_counts_as_passed),
        WITH_MEMORY(an_abort_lets_the_running_function_end),
        WITH_MEMORY(a_stop_ends_the_wait_and_keeps_the_work_behind_it),
        WITH_MEMORY(a_stop_lets_the_running_function_end),
        WITH_MEMORY(a_device_is_aborted),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
