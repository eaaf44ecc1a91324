// SPDX-License-Identifier: Apache-2.0
// Conditions in streams.
#include "support/api.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <tarn/backend.h>

// A condition that passes once `open` is set, and what became of it.
struct gate {
    _Atomic bool open;
    _Atomic unsigned calls;
    _Atomic unsigned drops;
    tarn_status result; // once it is open
};

static tarn_status passed(void *arg, bool dropped) {
    struct gate *gate = arg;
    (void)atomic_fetch_add(&gate->calls, 1);
    (void)atomic_fetch_add(&gate->drops, dropped ? 1 : 0);
    if (!atomic_load(&gate->open)) return TARN_NOT_READY;
    return gate->result == TARN_OK ? TARN_OK
                                   : tarn_backend_fail(gate->result, "", 0, "the gate is broken");
}

static void count(void *arg) { (void)atomic_fetch_add((_Atomic unsigned *)arg, 1); }

// Enqueues the condition, or skips the test on a device without conditions.
static void enqueue(struct gate *gate, tarn_stream stream) {
    tarn_status status = tarn_stream_wait_until(stream, passed, gate);
    if (status == TARN_UNSUPPORTED) {
        assert_ok(tarn_stream_destroy(stream));
        skip();
    }
    assert_ok(status);
}

static void work_behind_a_condition_waits_for_it(void **state) {
    struct api *api = *state;
    struct gate gate = {0};
    _Atomic unsigned calls = 0;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    enqueue(&gate, stream);
    assert_ok(tarn_stream_call(stream, count, &calls));
    while (atomic_load(&gate.calls) < 5) // again and again
        (void)usleep(100);
    assert_status(tarn_stream_query(stream), TARN_NOT_READY);
    assert_status(tarn_stream_synchronize(stream, 1000000), TARN_TIMED_OUT);
    assert_int_equal(atomic_load(&calls), 0);
    atomic_store(&gate.open, true);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_int_equal(atomic_load(&calls), 1);
    assert_int_equal(atomic_load(&gate.drops), 0);
    assert_ok(tarn_stream_destroy(stream));
}

// More streams wait than there are threads, and others still run.
static void a_condition_holds_no_thread(void **state) {
    struct api *api = *state;
    enum { N = 200 };
    struct gate gate = {0};
    _Atomic unsigned calls = 0;
    tarn_stream streams[N];
    tarn_stream other = 0;
    assert_ok(tarn_stream_create(api->device, &other));
    enqueue(&gate, other);
    for (int i = 0; i < N; i++) {
        assert_ok(tarn_stream_create(api->device, &streams[i]));
        assert_ok(tarn_stream_wait_until(streams[i], passed, &gate));
        assert_ok(tarn_stream_call(streams[i], count, &calls));
    }
    tarn_stream free_one = 0;
    assert_ok(tarn_stream_create(api->device, &free_one));
    for (unsigned i = 0; i < 100; i++) {
        assert_ok(tarn_stream_call(free_one, count, &gate.drops));
        assert_ok(tarn_stream_synchronize(free_one, TARN_FOREVER));
        assert_int_equal(atomic_load(&gate.drops), i + 1);
    }
    assert_int_equal(atomic_load(&calls), 0);
    atomic_store(&gate.open, true);
    for (int i = 0; i < N; i++) assert_ok(tarn_stream_destroy(streams[i]));
    assert_int_equal(atomic_load(&calls), N);
    assert_ok(tarn_stream_destroy(other));
    assert_ok(tarn_stream_destroy(free_one));
}

static void an_error_of_a_condition_sticks_and_drops_the_next(void **state) {
    struct api *api = *state;
    struct gate broken = {.result = TARN_TIMED_OUT};
    struct gate next = {0};
    _Atomic unsigned calls = 0;
    tarn_error error;
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    enqueue(&broken, stream);
    assert_ok(tarn_stream_wait_until(stream, passed, &next));
    assert_ok(tarn_stream_call(stream, count, &calls));
    atomic_store(&broken.open, true);
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "the gate is broken"));
    assert_int_equal(atomic_load(&next.calls), 1);
    assert_int_equal(atomic_load(&next.drops), 1);
    assert_int_equal(atomic_load(&calls), 0);
    assert_status(tarn_stream_wait_until(stream, passed, &next), TARN_DEVICE_FAILED);
    assert_ok(tarn_stream_destroy(stream));
}

// A stream that waits for an event waits for the condition before the record too.
static void an_event_behind_a_condition_waits_for_it(void **state) {
    struct api *api = *state;
    struct gate gate = {0};
    tarn_stream first = 0;
    tarn_stream second = 0;
    tarn_event event = 0;
    assert_ok(tarn_stream_create(api->device, &first));
    enqueue(&gate, first);
    assert_ok(tarn_stream_create(api->device, &second));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_event_record(event, first));
    assert_ok(tarn_stream_wait(second, event, 0));
    assert_status(tarn_stream_query(second), TARN_NOT_READY);
    atomic_store(&gate.open, true);
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_stream_synchronize(second, TARN_FOREVER));
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(first));
    assert_ok(tarn_stream_destroy(second));
}

static void bad_conditions_are_refused(void **state) {
    struct api *api = *state;
    struct gate gate = {.open = true};
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_status(tarn_stream_wait_until(stream, NULL, &gate), TARN_BAD_ARGUMENT);
    assert_status(tarn_stream_wait_until(TARN_STREAM_NONE, passed, &gate), TARN_BAD_HANDLE);
    assert_int_equal(atomic_load(&gate.calls), 0);
    assert_ok(tarn_stream_destroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(work_behind_a_condition_waits_for_it, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(a_condition_holds_no_thread, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(an_error_of_a_condition_sticks_and_drops_the_next,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(an_event_behind_a_condition_waits_for_it, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(bad_conditions_are_refused, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
