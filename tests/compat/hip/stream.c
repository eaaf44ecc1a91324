// SPDX-License-Identifier: Apache-2.0
// Streams: making and destroying them, what is asked of one, and the old rule of the NULL stream.
#include <pthread.h>

#include "support/work.h"

// ---- making them

static void streams_have_what_they_were_made_with(void **state) {
    hipStream_t stream = NULL;
    unsigned flags = 7;
    int priority = 7;
    hipDevice_t device = 7;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -1));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipStreamGetFlags(stream, &flags));
    assert_hip_ok(hipStreamGetPriority(stream, &priority));
    assert_hip_ok(hipStreamGetDevice(stream, &device));
    assert_int_equal(flags, hipStreamNonBlocking);
    assert_int_equal(priority, -1);
    assert_int_equal(device, 1);
    assert_int_equal(hipGetStreamDeviceId(stream), 1);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(hipGetStreamDeviceId(stream), -1);
}

static void priorities_are_clamped_to_the_range(void **state) {
    int least = 7;
    int greatest = 7;
    int priority = 7;
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipDeviceGetStreamPriorityRange(&least, &greatest));
    assert_int_equal(least, 1);
    assert_int_equal(greatest, -1);
    assert_hip_ok(hipDeviceGetStreamPriorityRange(NULL, NULL));
    assert_hip_ok(hipStreamCreateWithPriority(&stream, 0, -100));
    assert_hip_ok(hipStreamGetPriority(stream, &priority));
    assert_int_equal(priority, greatest);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipStreamCreateWithPriority(&stream, 0, 100));
    assert_hip_ok(hipStreamGetPriority(stream, &priority));
    assert_int_equal(priority, least);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void bad_arguments_make_no_stream(void **state) {
    hipStream_t stream = (hipStream_t)&stream;
    (void)state;
    assert_hip(hipStreamCreate(NULL), hipErrorInvalidValue);
    assert_hip(hipStreamCreateWithFlags(&stream, 2), hipErrorInvalidValue);
    assert_hip(hipStreamCreateWithPriority(&stream, 4, 0), hipErrorInvalidValue);
    assert_ptr_equal(stream, &stream);
}

static void use_dead_stream(void *arg) {
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    void *memory = NULL;
    unsigned flags = 7;
    (void)arg;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip(hipStreamDestroy(stream), hipErrorContextIsDestroyed);
    assert_hip(hipStreamQuery(stream), hipErrorContextIsDestroyed);
    assert_hip(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
    assert_hip(hipStreamGetFlags(stream, &flags), hipErrorContextIsDestroyed);
    assert_hip(hipLaunchHostFunc(stream, count, &flags), hipErrorContextIsDestroyed);
    assert_hip(hipStreamSynchronize((hipStream_t)&flags), hipErrorContextIsDestroyed);
    assert_hip_ok(hipEventCreate(&event));
    assert_hip(hipEventRecord(event, stream), hipErrorContextIsDestroyed);
    assert_hip(hipStreamWaitEvent(stream, event, 0), hipErrorInvalidHandle);
    assert_hip(hipMallocAsync(&memory, 16, stream), hipErrorInvalidHandle);
    assert_hip(hipFreeAsync(&flags, stream), hipErrorInvalidHandle);
    assert_hip_ok(hipEventDestroy(event));
    assert_int_equal(flags, 7);
}

static void a_dead_stream_is_refused_everywhere(void **state) {
    (void)state;
    use_dead_stream(NULL);
    hip_in_child(use_dead_stream, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

static void streams_that_are_always_there_cannot_be_destroyed(void **state) {
    unsigned flags = 7;
    int priority = 7;
    (void)state;
    assert_hip(hipStreamDestroy(NULL), hipErrorInvalidHandle);
    assert_hip(hipStreamDestroy(hipStreamLegacy), hipErrorInvalidHandle);
    assert_hip(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidHandle);
    assert_hip(hipStreamGetFlags(NULL, &flags), hipErrorInvalidValue);
    assert_int_equal(flags, 7);
    assert_hip_ok(hipStreamGetFlags(hipStreamPerThread, &flags));
    assert_hip_ok(hipStreamGetPriority(NULL, &priority));
    assert_int_equal(flags, 0);
    assert_int_equal(priority, 0);
    assert_hip_ok(hipStreamGetPriority(hipStreamPerThread, &priority));
    assert_int_equal(priority, 0);
    assert_hip(hipStreamGetFlags(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipStreamGetPriority(NULL, NULL), hipErrorInvalidValue);
    assert_hip(hipStreamGetDevice(NULL, NULL), hipErrorInvalidValue);
}

// ---- work

static void idle_streams_are_ready_and_need_no_wait(void **state) {
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    hipStream_t all[] = {NULL, hipStreamLegacy, hipStreamPerThread, stream};
    for (int i = 0; i < 4; i++) {
        assert_hip_ok(hipStreamQuery(all[i]));
        assert_hip_ok(hipStreamSynchronize(all[i]));
    }
    assert_hip_ok(hipStreamDestroy(stream));
}

static void synchronize_waits_for_work_given(void **state) {
    hipStream_t streams[] = {NULL, hipStreamPerThread, NULL};
    (void)state;
    assert_hip_ok(hipStreamCreate(&streams[2]));
    for (int i = 0; i < 3; i++) {
        struct gate gate = {false, 0};
        assert_hip_ok(hipLaunchHostFunc(streams[i], pass_gate, &gate));
        assert_hip(hipStreamQuery(streams[i]), hipErrorNotReady);
        gate.open = true;
        assert_hip_ok(hipStreamSynchronize(streams[i]));
        assert_int_equal(gate.passed, 1);
        assert_hip_ok(hipStreamQuery(streams[i]));
    }
    assert_hip_ok(hipStreamDestroy(streams[2]));
}

static void destroy_lets_the_work_finish(void **state) {
    hipStream_t stream = NULL;
    _Atomic(int) counter = 0;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    for (int i = 0; i < 100; i++) assert_hip_ok(hipLaunchHostFunc(stream, count, &counter));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_int_equal(counter, 100);
}

static void device_synchronize_waits_for_all_streams_of_the_device(void **state) {
    hipStream_t streams[2];
    _Atomic(int) counter = 0;
    struct gate elsewhere = {false, 0};
    hipStream_t other = NULL;
    (void)state;
    need_functions_at_once();
    assert_hip_ok(hipStreamCreate(&streams[0]));
    assert_hip_ok(hipStreamCreateWithFlags(&streams[1], hipStreamNonBlocking));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipStreamCreate(&other));
    assert_hip_ok(hipLaunchHostFunc(other, pass_gate, &elsewhere));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipLaunchHostFunc(NULL, count, &counter));
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, &counter));
    assert_hip_ok(hipLaunchHostFunc(streams[0], count, &counter));
    assert_hip_ok(hipLaunchHostFunc(streams[1], count, &counter));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(counter, 4);
    assert_hip(hipStreamQuery(other), hipErrorNotReady);
    elsewhere.open = true;
    for (int i = 0; i < 2; i++) assert_hip_ok(hipStreamDestroy(streams[i]));
    assert_hip_ok(hipStreamDestroy(other));
}

// ---- the old rule

// Gives a function that blocks to `first` and one that looks to `second`; tells whether the second
// came after the first.
static bool second_waits_for_first(hipStream_t first, hipStream_t second) {
    struct gate gate = {false, 0};
    struct seen seen = {&gate, -1};
    assert_hip_ok(hipLaunchHostFunc(first, pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(second, see, &seen));
    let_others_begin();
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(second));
    assert_hip_ok(hipStreamSynchronize(first));
    return seen.passed == 1;
}

static void null_stream_waits_for_blocking_streams(void **state) {
    hipStream_t blocking = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&blocking));
    for (int i = 0; i < 3; i++) {
        assert_true(second_waits_for_first(blocking, NULL));
        assert_true(second_waits_for_first(hipStreamPerThread, hipStreamLegacy));
    }
    assert_hip_ok(hipStreamDestroy(blocking));
}

static void blocking_streams_wait_for_the_null_stream(void **state) {
    hipStream_t blocking = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&blocking));
    for (int i = 0; i < 3; i++) {
        assert_true(second_waits_for_first(NULL, blocking));
        assert_true(second_waits_for_first(hipStreamLegacy, hipStreamPerThread));
    }
    assert_hip_ok(hipStreamDestroy(blocking));
}

static void streams_that_stand_apart_pass_the_null_stream(void **state) {
    hipStream_t apart = NULL;
    struct gate gate = {false, 0};
    _Atomic(int) counter = 0;
    (void)state;
    need_functions_at_once();
    assert_hip_ok(hipStreamCreateWithFlags(&apart, hipStreamNonBlocking));
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(apart, count, &counter));
    assert_hip_ok(hipStreamSynchronize(apart)); // would hang if it waited for the gate
    assert_int_equal(counter, 1);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(NULL));
    gate.open = false;
    assert_hip_ok(hipLaunchHostFunc(apart, pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(NULL, count, &counter));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(counter, 2);
    gate.open = true;
    assert_hip_ok(hipStreamDestroy(apart));
}

static void blocking_streams_do_not_wait_for_each_other(void **state) {
    hipStream_t streams[2];
    struct gate gate = {false, 0};
    _Atomic(int) counter = 0;
    (void)state;
    need_functions_at_once();
    assert_hip_ok(hipStreamCreate(&streams[0]));
    assert_hip_ok(hipStreamCreate(&streams[1]));
    assert_hip_ok(hipLaunchHostFunc(streams[0], pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(streams[1], count, &counter));
    assert_hip_ok(hipStreamSynchronize(streams[1]));
    assert_int_equal(counter, 1);
    gate.open = true;
    assert_hip_ok(hipStreamDestroy(streams[0]));
    assert_hip_ok(hipStreamDestroy(streams[1]));
}

static void null_streams_of_devices_are_apart(void **state) {
    struct gate gate = {false, 0};
    _Atomic(int) counter = 0;
    (void)state;
    need_functions_at_once();
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipLaunchHostFunc(NULL, count, &counter));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(counter, 1);
    assert_hip_ok(hipSetDevice(0));
    assert_hip(hipStreamQuery(NULL), hipErrorNotReady);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(NULL));
}

static void synchronizing_the_null_stream_waits_for_blocking_streams(void **state) {
    hipStream_t blocking = NULL;
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&blocking));
    assert_hip_ok(hipLaunchHostFunc(blocking, pass_gate, &gate));
    assert_hip(hipStreamQuery(NULL), hipErrorNotReady);
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(gate.passed, 1);
    assert_hip_ok(hipStreamDestroy(blocking));
}

// ---- threads

static void *use_own_stream(void *arg) {
    for (int i = 0; i < 50; i++) assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, arg));
    return NULL; // without a wait: the end of the thread is one
}

static void the_stream_of_a_thread_finishes_with_it(void **state) {
    _Atomic(int) counters[4] = {0};
    pthread_t threads[4];
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_own_stream, &counters[i]), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(counters[i], 50);
    }
}

struct mill {
    hipStream_t stream;
    int sum; // touched by work only: the order of streams keeps it whole
};

static void add_one(void *arg) { (*(int *)arg)++; }

static void *turn(void *arg) {
    struct mill *mill = arg;
    for (int i = 0; i < 200; i++) {
        assert_hip_ok(hipLaunchHostFunc(i % 3 == 0 ? NULL : mill->stream, add_one, &mill->sum));
        if (i % 50 == 0) assert_hip_ok(hipStreamSynchronize(i % 100 == 0 ? NULL : mill->stream));
    }
    return NULL;
}

static void threads_may_mix_streams_and_the_null_stream(void **state) {
    struct mill mills[4] = {{NULL, 0}};
    pthread_t threads[4];
    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_hip_ok(hipStreamCreate(&mills[i].stream));
        assert_int_equal(pthread_create(&threads[i], NULL, turn, &mills[i]), 0);
    }
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_hip_ok(hipDeviceSynchronize());
    for (int i = 0; i < 4; i++) {
        assert_int_equal(mills[i].sum, 200);
        assert_hip_ok(hipStreamDestroy(mills[i].stream));
    }
}

// ---- fork

static void begin_anew(void *arg) {
    hipStream_t fresh = NULL;
    _Atomic(int) counter = 0;
    assert_hip(hipStreamQuery(*(hipStream_t *)arg), hipErrorContextIsDestroyed);
    assert_hip_ok(hipLaunchHostFunc(NULL, count, &counter));
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, count, &counter));
    assert_hip_ok(hipStreamCreate(&fresh));
    assert_hip_ok(hipLaunchHostFunc(fresh, count, &counter));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(counter, 3);
    assert_hip_ok(hipStreamDestroy(fresh));
}

static void a_child_has_streams_of_its_own(void **state) {
    hipStream_t stream = NULL;
    struct gate gate = {false, 0};
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipLaunchHostFunc(stream, pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_hip_ok(hipLaunchHostFunc(hipStreamPerThread, pass_gate, &gate));
    hip_in_child(begin_anew, &stream, NULL);
    gate.open = true;
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(gate.passed, 3);
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_have_what_they_were_made_with),
        cmocka_unit_test(priorities_are_clamped_to_the_range),
        cmocka_unit_test(bad_arguments_make_no_stream),
        cmocka_unit_test(a_dead_stream_is_refused_everywhere),
        cmocka_unit_test(streams_that_are_always_there_cannot_be_destroyed),
        cmocka_unit_test(idle_streams_are_ready_and_need_no_wait),
        cmocka_unit_test(synchronize_waits_for_work_given),
        cmocka_unit_test(destroy_lets_the_work_finish),
        cmocka_unit_test(device_synchronize_waits_for_all_streams_of_the_device),
        cmocka_unit_test(null_stream_waits_for_blocking_streams),
        cmocka_unit_test(blocking_streams_wait_for_the_null_stream),
        cmocka_unit_test(streams_that_stand_apart_pass_the_null_stream),
        cmocka_unit_test(blocking_streams_do_not_wait_for_each_other),
        cmocka_unit_test(null_streams_of_devices_are_apart),
        cmocka_unit_test(synchronizing_the_null_stream_waits_for_blocking_streams),
        cmocka_unit_test(the_stream_of_a_thread_finishes_with_it),
        cmocka_unit_test(threads_may_mix_streams_and_the_null_stream),
        cmocka_unit_test(a_child_has_streams_of_its_own),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
