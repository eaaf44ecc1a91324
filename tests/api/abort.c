// SPDX-License-Identifier: Apache-2.0
// Streams whose work is dropped, and streams that continue after a failure.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <tarn/backend.h>

// A condition that passes, or fails, once `open` is set.
struct gate {
    _Atomic bool open;
    _Atomic unsigned calls;
    _Atomic unsigned drops;
    bool breaks;
};

static tarn_status passed(void *arg, bool dropped) {
    struct gate *gate = arg;
    (void)atomic_fetch_add(&gate->calls, 1);
    (void)atomic_fetch_add(&gate->drops, dropped ? 1 : 0);
    if (!atomic_load(&gate->open)) return TARN_NOT_READY;
    return gate->breaks ? tarn_backend_fail(TARN_TIMED_OUT, "", 0, "the gate is broken") : TARN_OK;
}

static void count(void *arg) { (void)atomic_fetch_add((_Atomic unsigned *)arg, 1); }

// Creates a stream, or skips the test on a device that cannot drop work.
static tarn_stream new_stream(const struct api *api) {
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    if (tarn_stream_abort(stream) == TARN_UNSUPPORTED) {
        assert_ok(tarn_stream_destroy(stream));
        skip();
    }
    return stream;
}

static void block_stream(tarn_stream stream, struct gate *gate) {
    assert_ok(tarn_stream_wait_until(stream, passed, gate));
    while (atomic_load(&gate->calls) == 0) (void)usleep(100);
}

static void *synchronize(void *arg) {
    assert_ok(tarn_stream_synchronize(*(tarn_stream *)arg, TARN_FOREVER));
    return NULL;
}

static void an_abort_drops_what_has_not_begun(void **state) {
    const struct api *api = *state;
    struct gate gate = {0};
    struct gate behind = {0};
    _Atomic unsigned calls = 0;
    tarn_stream stream = new_stream(api);
    pthread_t waiter;
    block_stream(stream, &gate);
    assert_ok(tarn_stream_call(stream, count, &calls));
    assert_ok(tarn_stream_wait_until(stream, passed, &behind));
    assert_ok(tarn_stream_call(stream, count, &calls));
    assert_int_equal(pthread_create(&waiter, NULL, synchronize, &stream), 0);
    assert_ok(tarn_stream_abort(stream));
    assert_int_equal(pthread_join(waiter, NULL), 0);
    assert_int_equal(atomic_load(&gate.drops), 1);
    assert_int_equal(atomic_load(&behind.calls), 1);
    assert_int_equal(atomic_load(&behind.drops), 1);
    assert_int_equal(atomic_load(&calls), 0);
    assert_ok(tarn_stream_call(stream, count, &calls)); // later work runs
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_int_equal(atomic_load(&calls), 1);
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_stream_abort(stream), TARN_BAD_HANDLE);
}

static void an_abort_drops_copies_and_fills(void **state) {
    const struct api *api = *state;
    enum { BYTES = 1 << 20 };
    struct gate gate = {0};
    tarn_addr memory = 0;
    tarn_stream stream = new_stream(api);
    unsigned char bytes[2] = {0, 0};
    assert_ok(tarn_memory_alloc(api->device, BYTES, &memory));
    assert_ok(tarn_fill(api->device, memory, 1, 1, BYTES, TARN_STREAM_NONE));
    block_stream(stream, &gate);
    assert_ok(tarn_fill(api->device, memory, 2, 1, BYTES, stream));
    assert_ok(tarn_copy(api->device, memory, memory + BYTES / 2, BYTES / 2, stream));
    assert_ok(tarn_stream_abort(stream));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_copy(api->device, TARN_ADDR(bytes), memory, 2, TARN_STREAM_NONE));
    assert_int_equal(bytes[0], 1);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_memory_free(memory, 0));
}

static void a_dropped_record_counts_as_passed(void **state) {
    const struct api *api = *state;
    struct gate gate = {0};
    _Atomic unsigned calls = 0;
    tarn_stream stream = new_stream(api);
    tarn_stream other = new_stream(api);
    tarn_event event = 0;
    assert_ok(tarn_event_create(api->device, &event));
    block_stream(stream, &gate);
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_stream_wait(other, event, 0));
    assert_ok(tarn_stream_call(other, count, &calls));
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    assert_ok(tarn_stream_abort(stream));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_stream_synchronize(other, TARN_FOREVER));
    assert_int_equal(atomic_load(&calls), 1);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_stream_destroy(other));
}

// The event stays as it is, and the wait does not come back.
static void an_abort_ends_a_wait_for_an_event(void **state) {
    const struct api *api = *state;
    struct gate gate = {0};
    _Atomic unsigned calls = 0;
    tarn_stream stream = new_stream(api);
    tarn_stream other = new_stream(api);
    tarn_event event = 0;
    assert_ok(tarn_event_create(api->device, &event));
    block_stream(stream, &gate);
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_stream_wait(other, event, 0));
    assert_ok(tarn_stream_call(other, count, &calls));
    assert_ok(tarn_stream_abort(other));
    assert_ok(tarn_stream_synchronize(other, TARN_FOREVER));
    assert_int_equal(atomic_load(&calls), 0);
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    atomic_store(&gate.open, true);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_stream_destroy(other));
}

static void a_resilient_stream_runs_what_is_behind_a_failure(void **state) {
    const struct api *api = *state;
    struct gate broken = {.open = true, .breaks = true};
    _Atomic unsigned calls = 0;
    tarn_error error;
    tarn_event event = 0;
    tarn_stream stream = new_stream(api);
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_stream_set_resilient(stream, true));
    assert_ok(tarn_stream_wait_until(stream, passed, &broken));
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_stream_call(stream, count, &calls));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "the gate is broken"));
    assert_int_equal(atomic_load(&calls), 1);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER)); // reported once
    assert_ok(tarn_stream_set_resilient(stream, false));
    assert_ok(tarn_stream_wait_until(stream, passed, &broken));
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_status(tarn_stream_call(stream, count, &calls), TARN_DEVICE_FAILED);
    assert_status(tarn_stream_abort(stream), TARN_DEVICE_FAILED);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_stream_set_resilient(stream, true), TARN_BAD_HANDLE);
}

static void a_follower_takes_over_the_failure(void **state) {
    const struct api *api = *state;
    struct gate broken = {.breaks = true};
    _Atomic unsigned calls = 0;
    tarn_error error;
    tarn_event event = 0;
    tarn_stream follower = 0;
    tarn_stream stream = new_stream(api);
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_stream_create(api->device, &follower));
    assert_ok(tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW)); // not recorded yet
    block_stream(stream, &broken);
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_stream_call(follower, count, &calls));
    assert_ok(tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW));
    assert_ok(tarn_stream_call(follower, count, &calls));
    assert_ok(tarn_event_record(event, follower));
    atomic_store(&broken.open, true);
    assert_status(tarn_stream_synchronize(follower, TARN_FOREVER), TARN_DEVICE_FAILED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "the gate is broken"));
    assert_int_equal(atomic_load(&calls), 1);
    assert_status(tarn_event_query(event), TARN_DEVICE_FAILED); // so the failure travels on
    assert_status(tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW), TARN_DEVICE_FAILED);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(follower));
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW << 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW), TARN_BAD_HANDLE);
}

struct failing {
    tarn_stream stream;
    tarn_status status;
};

static void fail_stream(void *arg) {
    struct failing *failing = arg;
    failing->status = tarn_stream_fail(failing->stream, "the function found an error");
}

static void a_host_function_can_fail_its_stream(void **state) {
    const struct api *api = *state;
    struct failing failing = {new_stream(api), TARN_NOT_READY};
    struct gate behind = {0};
    _Atomic unsigned calls = 0;
    tarn_error error;
    tarn_event event = 0;
    tarn_stream follower = 0;
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_stream_create(api->device, &follower));
    assert_status(tarn_stream_fail(failing.stream, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_stream_call(failing.stream, count, &calls));
    assert_ok(tarn_stream_call(failing.stream, fail_stream, &failing));
    (void)tarn_stream_call(failing.stream, count, &calls);
    (void)tarn_stream_wait_until(failing.stream, passed, &behind);
    (void)tarn_event_record(event, failing.stream);
    (void)tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW);
    assert_status(tarn_stream_synchronize(failing.stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "the function found an error"));
    assert_int_equal(failing.status, TARN_OK);
    assert_int_equal(atomic_load(&calls), 1);
    assert_status(tarn_stream_call(failing.stream, count, &calls), TARN_DEVICE_FAILED);
    assert_status(tarn_stream_fail(failing.stream, "again"), TARN_DEVICE_FAILED);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(follower));
    assert_ok(tarn_stream_destroy(failing.stream));
    assert_status(tarn_stream_fail(failing.stream, "late"), TARN_BAD_HANDLE);
}

static void a_stream_that_waits_can_be_failed(void **state) {
    const struct api *api = *state;
    struct gate gate = {0};
    _Atomic unsigned calls = 0;
    tarn_event event = 0;
    tarn_stream stream = new_stream(api);
    tarn_stream follower = 0;
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_stream_create(api->device, &follower));
    block_stream(stream, &gate);
    assert_ok(tarn_stream_call(stream, count, &calls));
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_stream_wait(follower, event, TARN_STREAM_FOLLOW));
    assert_ok(tarn_stream_call(follower, count, &calls));
    assert_ok(tarn_stream_fail(stream, "from outside"));
    assert_status(tarn_stream_synchronize(follower, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_int_equal(atomic_load(&gate.drops), 1);
    assert_int_equal(atomic_load(&calls), 0);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(follower));
    assert_ok(tarn_stream_destroy(stream));
}

struct aborter {
    tarn_stream stream;
    _Atomic bool stop;
};

static void *abort_often(void *arg) {
    struct aborter *aborter = arg;
    while (!atomic_load(&aborter->stop)) assert_ok(tarn_stream_abort(aborter->stream));
    return NULL;
}

// Each condition is called a last time, in any state of the stream.
static void aborts_race_with_work(void **state) {
    const struct api *api = *state;
    enum { ROUNDS = 2000 };
    struct gate gate = {.open = true};
    _Atomic unsigned calls = 0;
    struct aborter aborter = {.stream = new_stream(api)};
    tarn_event event = 0;
    pthread_t thread;
    assert_ok(tarn_event_create(api->device, &event));
    assert_int_equal(pthread_create(&thread, NULL, abort_often, &aborter), 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        assert_ok(tarn_stream_wait_until(aborter.stream, passed, &gate));
        assert_ok(tarn_stream_call(aborter.stream, count, &calls));
        assert_ok(tarn_event_record(event, aborter.stream));
        assert_ok(tarn_stream_wait(aborter.stream, event, 0));
    }
    assert_ok(tarn_stream_synchronize(aborter.stream, TARN_FOREVER));
    atomic_store(&aborter.stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load(&gate.calls), ROUNDS);
    assert_true(atomic_load(&calls) <= ROUNDS);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(aborter.stream));
}

int main(void) {
#define WITH_API(test) cmocka_unit_test_setup_teardown(test, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        WITH_API(an_abort_drops_what_has_not_begun),
        WITH_API(an_abort_drops_copies_and_fills),
        WITH_API(a_dropped_record_counts_as_passed),
        WITH_API(an_abort_ends_a_wait_for_an_event),
        WITH_API(a_resilient_stream_runs_what_is_behind_a_failure),
        WITH_API(a_follower_takes_over_the_failure),
        WITH_API(a_host_function_can_fail_its_stream),
        WITH_API(a_stream_that_waits_can_be_failed),
        WITH_API(aborts_race_with_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
