// SPDX-License-Identifier: Apache-2.0
// Waits with a time limit. A host function holds a stream up until it is let go, on a thread of its
// own, since some devices run it on the caller's.
#include "support/api.h"

#include <pthread.h>
#include <semaphore.h>

static const uint64_t MS = 1000000;

struct held {
    tarn_stream stream;
    sem_t begun;
    sem_t go;
    pthread_t thread;
};

static void wait_for(sem_t *sem) {
    while (sem_wait(sem) != 0) {
    }
}

static void hold(void *arg) {
    struct held *held = arg;
    sem_post(&held->begun);
    wait_for(&held->go);
}

static void *give(void *arg) {
    const struct held *held = arg;
    return tarn_stream_call(held->stream, hold, arg) == TARN_OK ? arg : NULL;
}

static void hold_up(struct held *held, tarn_stream stream) {
    held->stream = stream;
    assert_int_equal(sem_init(&held->begun, 0, 0), 0);
    assert_int_equal(sem_init(&held->go, 0, 0), 0);
    assert_int_equal(pthread_create(&held->thread, NULL, give, held), 0);
    wait_for(&held->begun);
}

static void let_go(struct held *held) {
    void *done = NULL;
    sem_post(&held->go);
    assert_int_equal(pthread_join(held->thread, &done), 0);
    assert_ptr_equal(done, held);
    assert_ok(tarn_stream_synchronize(held->stream, TARN_FOREVER));
    assert_int_equal(sem_destroy(&held->begun), 0);
    assert_int_equal(sem_destroy(&held->go), 0);
}

static void a_stream_held_up_is_waited_for_so_long_and_no_longer(void **state) {
    struct api *api = *state;
    struct held held;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_stream_synchronize(stream, 0));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    hold_up(&held, stream);
    assert_status(tarn_stream_synchronize(stream, 0), TARN_TIMED_OUT);
    assert_status(tarn_stream_synchronize(stream, 1), TARN_TIMED_OUT);
    assert_status(tarn_stream_synchronize(stream, 5 * MS), TARN_TIMED_OUT);
    tarn_error error;
    assert_int_equal(tarn_last_error(&error), TARN_TIMED_OUT);
    assert_string_equal(error.message, "not done after 5000000 ns");
    let_go(&held);
    assert_ok(tarn_stream_synchronize(stream, 0));
    assert_ok(tarn_stream_destroy(stream));
}

static void events_and_devices_are_waited_for_alike(void **state) {
    struct api *api = *state;
    struct held held;
    tarn_stream stream = 0;
    tarn_event event = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_event_synchronize(event, 0)); // never recorded: nothing to wait for
    assert_ok(tarn_device_synchronize(api->device, 0));
    hold_up(&held, stream);
    assert_ok(tarn_event_record(event, stream));
    for (uint64_t timeout = 0; timeout <= 2 * MS; timeout += MS) {
        assert_status(tarn_event_synchronize(event, timeout), TARN_TIMED_OUT);
        assert_status(tarn_device_synchronize(api->device, timeout), TARN_TIMED_OUT);
        if (api->peer != NULL) assert_ok(tarn_device_synchronize(api->peer, timeout));
    }
    let_go(&held);
    assert_ok(tarn_event_synchronize(event, 0));
    assert_ok(tarn_device_synchronize(api->device, 0));
    assert_ok(tarn_device_synchronize(api->device, TARN_FOREVER));
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
}

struct late {
    tarn_stream stream;
    tarn_event event;
    tarn_device *device;
    sem_t ready;
    tarn_status status[3];
};

static void *wait_long(void *arg) {
    struct late *late = arg;
    sem_post(&late->ready);
    late->status[0] = tarn_event_synchronize(late->event, 3600000 * MS);
    late->status[1] = tarn_stream_synchronize(late->stream, 3600000 * MS);
    late->status[2] = tarn_device_synchronize(late->device, UINT64_MAX - 1);
    return NULL;
}

static void who_waits_is_woken_when_the_work_is_done(void **state) {
    struct api *api = *state;
    struct held held;
    struct late late = {.device = api->device};
    pthread_t thread;
    assert_ok(tarn_stream_create(api->device, &late.stream));
    assert_ok(tarn_event_create(api->device, &late.event));
    assert_int_equal(sem_init(&late.ready, 0, 0), 0);
    hold_up(&held, late.stream);
    assert_ok(tarn_event_record(late.event, late.stream));
    assert_int_equal(pthread_create(&thread, NULL, wait_long, &late), 0);
    wait_for(&late.ready);
    assert_status(tarn_stream_synchronize(late.stream, 2 * MS), TARN_TIMED_OUT);
    let_go(&held);
    assert_int_equal(pthread_join(thread, NULL), 0); // or the test is over its time
    for (int i = 0; i < 3; i++) assert_int_equal(late.status[i], TARN_OK);
    assert_int_equal(sem_destroy(&late.ready), 0);
    assert_ok(tarn_event_destroy(late.event));
    assert_ok(tarn_stream_destroy(late.stream));
}

// Deadlines that pass while the work ends: whichever comes first, nobody is forgotten or lost.
static void a_deadline_may_race_with_the_end_of_the_work(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    tarn_event event = 0;
    tarn_addr memory = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_memory_alloc(api->device, 1 << 20, &memory));
    for (uint64_t i = 0; i < 300; i++) {
        assert_ok(tarn_fill(NULL, memory, 1, 1, 1 << 20, stream));
        assert_ok(tarn_event_record(event, stream));
        uint64_t timeout = i * 997 % 200000 + 1;
        tarn_status first = tarn_event_synchronize(event, timeout);
        tarn_status second = tarn_stream_synchronize(stream, timeout);
        assert_true(first == TARN_OK || first == TARN_TIMED_OUT);
        assert_true(second == TARN_OK || second == TARN_TIMED_OUT);
    }
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_memory_free(memory, 0));
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
}

static void a_fault_is_told_before_a_deadline(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_CHECKED);
    tarn_stream stream = 0;
    tarn_event event = 0;
    tarn_addr addr = api_map_new(api, api->g);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &event));
    struct held held;
    hold_up(&held, stream);
    assert_ok(tarn_fill(NULL, addr, 1, 1, 100, stream));
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_unmap(addr, api->g, TARN_NO_WAIT));
    sem_post(&held.go);
    assert_int_equal(pthread_join(held.thread, NULL), 0);
    assert_status(tarn_stream_synchronize(stream, 3600000 * MS), TARN_DEVICE_FAILED);
    assert_status(tarn_stream_synchronize(stream, 0), TARN_DEVICE_FAILED);
    assert_status(tarn_event_synchronize(event, 3600000 * MS), TARN_DEVICE_FAILED);
    assert_status(tarn_event_synchronize(event, 0), TARN_DEVICE_FAILED);
    assert_ok(tarn_device_synchronize(api->device, MS)); // that is the stream's to tell
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_space_release(addr));
}

static void dead_handles_are_errors_whatever_the_limit(void **state) {
    struct api *api = *state;
    const uint64_t limits[] = {0, MS, TARN_FOREVER};
    tarn_stream stream = 0;
    tarn_event event = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_event_destroy(event));
    for (int i = 0; i < 3; i++) {
        assert_status(tarn_stream_synchronize(stream, limits[i]), TARN_BAD_HANDLE);
        assert_status(tarn_stream_synchronize(0, limits[i]), TARN_BAD_HANDLE);
        assert_status(tarn_event_synchronize(event, limits[i]), TARN_BAD_HANDLE);
        assert_status(tarn_device_synchronize(NULL, limits[i]), TARN_BAD_ARGUMENT);
    }
}

struct inside {
    struct api *api;
    tarn_stream stream;
    tarn_stream idle;
    tarn_event event;
    tarn_status waits[3];
    tarn_status asks[3];
    tarn_status idles;
};

static void wait_inside(void *arg) {
    struct inside *in = arg;
    (void)tarn_event_record(in->event, in->stream);
    in->waits[0] = tarn_stream_synchronize(in->stream, MS);
    in->waits[1] = tarn_event_synchronize(in->event, MS);
    in->waits[2] = tarn_device_synchronize(in->api->device, MS);
    in->asks[0] = tarn_stream_synchronize(in->stream, 0);
    in->asks[1] = tarn_event_synchronize(in->event, 0);
    in->asks[2] = tarn_device_synchronize(in->api->device, 0);
    in->idles = tarn_stream_synchronize(in->idle, MS);
}

static void a_host_function_may_ask_and_not_wait(void **state) {
    struct inside in = {.api = *state};
    assert_ok(tarn_stream_create(in.api->device, &in.stream));
    assert_ok(tarn_stream_create(in.api->device, &in.idle));
    assert_ok(tarn_event_create(in.api->device, &in.event));
    assert_ok(tarn_stream_call(in.stream, wait_inside, &in));
    assert_ok(tarn_stream_synchronize(in.stream, TARN_FOREVER));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(in.waits[i], TARN_BUSY);
        assert_int_equal(in.asks[i], TARN_TIMED_OUT);
    }
    assert_int_equal(in.idles, TARN_OK);
    assert_ok(tarn_event_destroy(in.event));
    assert_ok(tarn_stream_destroy(in.idle));
    assert_ok(tarn_stream_destroy(in.stream));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_stream_held_up_is_waited_for_so_long_and_no_longer),
        TEST(events_and_devices_are_waited_for_alike),
        TEST(who_waits_is_woken_when_the_work_is_done),
        TEST(a_deadline_may_race_with_the_end_of_the_work),
        TEST(a_fault_is_told_before_a_deadline),
        TEST(dead_handles_are_errors_whatever_the_limit),
        TEST(a_host_function_may_ask_and_not_wait),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
