// SPDX-License-Identifier: Apache-2.0
// Order: streams and events.
#include "support/api.h"

#include <semaphore.h>
#include <string.h>

// A host function that holds its stream until the test lets it go.
static void hold(void *arg) { (void)sem_wait(arg); }

static bool is_async(const struct api *api) {
    return (api->info.features & TARN_FEATURE_ASYNC) != 0;
}

static void work_of_a_stream_runs_in_order(void **state) {
    struct api *api = *state;
    enum { N = 200 };
    tarn_stream stream = 0;
    tarn_addr addr = 0;
    uint32_t back[N] = {0};
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, 4, &addr));
    for (uint32_t i = 0; i < N; i++) {
        assert_ok(tarn_fill(NULL, addr, i, 4, 1, stream));
        assert_ok(tarn_copy(NULL, TARN_ADDR(&back[i]), addr, 4, stream));
    }
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_stream_query(stream));
    for (uint32_t i = 0; i < N && api->bytes; i++) assert_int_equal(back[i], i);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_destroy(stream));
}

static void a_stream_runs_beside_its_caller(void **state) {
    struct api *api = *state;
    if (!is_async(api)) skip();
    sem_t gate;
    tarn_stream stream = 0;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_stream_call(stream, hold, &gate));
    assert_status(tarn_stream_query(stream), TARN_NOT_READY);
    assert_int_equal(sem_post(&gate), 0);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_stream_query(stream));
    assert_ok(tarn_stream_destroy(stream));
    (void)sem_destroy(&gate);
}

static void a_stream_waits_for_an_event_of_another(void **state) {
    struct api *api = *state;
    if (!is_async(api)) skip();
    sem_t gate;
    tarn_stream first = 0;
    tarn_stream second = 0;
    tarn_event event = 0;
    tarn_addr addr = 0;
    unsigned char *back = NULL; // pinned: a copy of other memory may wait
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    assert_ok(tarn_host_alloc(api->device, 1, 0, (void **)&back));
    assert_ok(tarn_stream_create(api->device, &first));
    assert_ok(tarn_stream_create(api->peer != NULL ? api->peer : api->device, &second));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_memory_alloc(api->device, 1, &addr));
    assert_ok(tarn_stream_call(first, hold, &gate));
    assert_ok(tarn_fill(NULL, addr, 9, 1, 1, first));
    assert_ok(tarn_event_record(event, first));
    assert_ok(tarn_stream_wait(second, event, 0));
    assert_ok(tarn_copy(NULL, TARN_ADDR(back), addr, 1, second));
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    assert_status(tarn_stream_query(second), TARN_NOT_READY);
    assert_int_equal(sem_post(&gate), 0);
    assert_ok(tarn_stream_synchronize(second, TARN_FOREVER));
    assert_ok(tarn_event_query(event));
    assert_int_equal(*back, 9);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(first));
    assert_ok(tarn_stream_destroy(second));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_host_free(back));
    (void)sem_destroy(&gate);
}

static void an_event_never_recorded_holds_nobody(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    tarn_event event = 0;
    int64_t ns = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_event_query(event));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_stream_wait(stream, event, 0));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_status(tarn_event_elapsed(event, event, &ns), TARN_BAD_ARGUMENT);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
}

static void elapsed_time_is_not_negative(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    tarn_event start = 0;
    tarn_event end = 0;
    tarn_addr addr = 0;
    int64_t ns = -1;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &start));
    assert_ok(tarn_event_create(api->device, &end));
    assert_ok(tarn_memory_alloc(api->device, 1u << 20, &addr));
    assert_ok(tarn_event_record(start, stream));
    assert_ok(tarn_fill(NULL, addr, 1, 1, 1u << 20, stream));
    assert_ok(tarn_event_record(end, stream));
    assert_ok(tarn_event_synchronize(end, TARN_FOREVER));
    assert_ok(tarn_event_elapsed(start, end, &ns));
    assert_true(ns >= 0);
    assert_ok(tarn_event_elapsed(end, start, &ns));
    assert_true(ns <= 0);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_event_destroy(start));
    assert_ok(tarn_event_destroy(end));
    assert_ok(tarn_stream_destroy(stream));
}

static void dead_streams_and_events_are_errors(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    tarn_event event = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_create(api->device, &event));
    assert_status(tarn_event_record(event, event), TARN_BAD_HANDLE);
    assert_status(tarn_event_query(stream), TARN_BAD_HANDLE);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_event_destroy(event));
    assert_status(tarn_stream_destroy(stream), TARN_BAD_HANDLE);
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_BAD_HANDLE);
    assert_status(tarn_stream_query(0), TARN_BAD_HANDLE);
    assert_status(tarn_event_destroy(event), TARN_BAD_HANDLE);
    assert_status(tarn_copy(NULL, TARN_ADDR(&stream), TARN_ADDR(&event), 1, stream),
                  TARN_BAD_HANDLE);
    assert_ok(tarn_stream_destroy(0));
    assert_ok(tarn_event_destroy(0));
    assert_status(tarn_stream_create(api->device, NULL), TARN_BAD_ARGUMENT);
    assert_status(tarn_stream_create(NULL, &stream), TARN_BAD_ARGUMENT);
}

// Work that was good when it was given and is not when it runs.
static void an_error_at_run_time_sticks_to_its_stream(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC | TARN_FEATURE_CHECKED);
    sem_t gate;
    tarn_stream stream = 0;
    tarn_stream other = 0;
    unsigned char byte = 0;
    tarn_addr addr = api_map_new(api, api->g);
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_stream_create(api->device, &other));
    assert_ok(tarn_stream_call(stream, hold, &gate));
    assert_ok(tarn_fill(NULL, addr, 1, 1, 8, stream));
    assert_ok(tarn_unmap(addr, api->g, TARN_NO_WAIT));
    assert_int_equal(sem_post(&gate), 0);
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    tarn_error error;
    assert_int_equal(tarn_last_error(&error), TARN_DEVICE_FAILED);
    assert_non_null(strstr(error.message, "0x"));
    assert_status(tarn_stream_query(stream), TARN_DEVICE_FAILED);
    assert_status(tarn_copy(NULL, TARN_ADDR(&byte), TARN_ADDR(&error), 1, stream),
                  TARN_DEVICE_FAILED);
    assert_ok(tarn_stream_synchronize(other, TARN_FOREVER));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_stream_destroy(other));
    assert_ok(tarn_space_release(addr));
    (void)sem_destroy(&gate);
}

// The addresses are then not taken for ordinary memory of the host.
static void a_reservation_released_without_waiting_fails_the_work_that_uses_it(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC | TARN_FEATURE_CHECKED);
    for (unsigned reads = 0; reads < 2; reads++) {
        sem_t gate;
        tarn_stream stream = 0;
        tarn_addr kept = 0;
        tarn_addr addr = api_map_new(api, api->g);
        assert_int_equal(sem_init(&gate, 0, 0), 0);
        assert_ok(tarn_memory_alloc(api->device, api->g, &kept));
        assert_ok(tarn_stream_create(api->device, &stream));
        assert_ok(tarn_stream_call(stream, hold, &gate));
        if (reads)
            assert_ok(tarn_copy(NULL, kept, addr, api->g, stream));
        else
            assert_ok(tarn_fill(NULL, addr, 1, 1, api->g, stream));
        assert_ok(tarn_unmap(addr, api->g, TARN_NO_WAIT));
        assert_ok(tarn_space_release(addr));
        assert_int_equal(sem_post(&gate), 0);
        assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
        assert_ok(tarn_stream_destroy(stream));
        assert_ok(tarn_memory_free(kept, 0));
        (void)sem_destroy(&gate);
    }
}

static void memory_freed_without_waiting_fails_the_work_that_uses_it(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC | TARN_FEATURE_CHECKED);
    sem_t gate;
    tarn_stream stream = 0;
    tarn_addr addr = 0;
    assert_int_equal(sem_init(&gate, 0, 0), 0);
    assert_ok(tarn_memory_alloc(api->device, 1000, &addr));
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_stream_call(stream, hold, &gate));
    assert_ok(tarn_fill(NULL, addr, 1, 1, 1000, stream));
    assert_ok(tarn_memory_free(addr, TARN_NO_WAIT)); // returns though the gate is closed
    assert_status(tarn_memory_free(addr, TARN_NO_WAIT), TARN_BAD_ADDRESS);
    assert_ok(tarn_memory_free(0, TARN_NO_WAIT));
    assert_int_equal(sem_post(&gate), 0);
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_ok(tarn_stream_destroy(stream));
    (void)sem_destroy(&gate);
}

static void unmap_waits_for_work_that_uses_the_range(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    uint64_t size = 64 * api->g;
    tarn_addr addr = api_map_new(api, size);
    assert_ok(tarn_stream_create(api->device, &stream));
    for (int i = 0; i < 50; i++) assert_ok(tarn_fill(NULL, addr, (uint32_t)i, 1, size, stream));
    assert_ok(tarn_unmap(addr, size, 0));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER)); // all of it ran before the range went
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_space_release(addr));
}

static void free_waits_for_work_that_uses_the_memory(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    tarn_addr addr = 0;
    assert_ok(tarn_stream_create(api->peer != NULL ? api->peer : api->device, &stream));
    assert_ok(tarn_memory_alloc(api->device, 1u << 20, &addr));
    for (int i = 0; i < 20; i++) assert_ok(tarn_fill(NULL, addr, 1, 4, 1u << 18, stream));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_stream_destroy(stream));
}

// The vendor's default stream, where there is a vendor.
static bool wrap_default(const struct api *api, tarn_stream *stream) {
    tarn_status status = tarn_stream_wrap(api->device, NULL, stream);
    if (status != TARN_UNSUPPORTED) assert_ok(status);
    return status == TARN_OK;
}

static void work_of_a_wrapped_stream_runs_in_order(void **state) {
    struct api *api = *state;
    tarn_stream stream = 0;
    tarn_event event = 0;
    tarn_addr addr = 0;
    uint32_t back = 0;
    if (!wrap_default(api, &stream)) skip();
    assert_ok(tarn_memory_alloc(api->device, 4, &addr));
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_fill(NULL, addr, 7, 4, 1, stream));
    assert_ok(tarn_copy(NULL, TARN_ADDR(&back), addr, 4, stream));
    assert_ok(tarn_event_record(event, stream));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_stream_query(stream));
    assert_int_equal(back, api->bytes ? 7 : 0);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_stream_query(stream), TARN_BAD_HANDLE);
}

static void each_wrap_is_a_stream_that_is_destroyed_alone(void **state) {
    struct api *api = *state;
    tarn_stream first = 0;
    tarn_stream second = 0;
    if (!wrap_default(api, &first)) skip();
    assert_true(wrap_default(api, &second));
    assert_int_not_equal(first, second);
    assert_int_equal(api_stats(api->device).streams, 2);
    assert_ok(tarn_stream_destroy(first));
    assert_ok(tarn_stream_synchronize(second, TARN_FOREVER));
    assert_ok(tarn_stream_destroy(second));
    assert_status(tarn_stream_wrap(NULL, NULL, &first), TARN_BAD_ARGUMENT);
    assert_status(tarn_stream_wrap(api->device, NULL, NULL), TARN_BAD_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(work_of_a_stream_runs_in_order, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_stream_runs_beside_its_caller, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(a_stream_waits_for_an_event_of_another, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(an_event_never_recorded_holds_nobody, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(elapsed_time_is_not_negative, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(dead_streams_and_events_are_errors, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(an_error_at_run_time_sticks_to_its_stream, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(
            a_reservation_released_without_waiting_fails_the_work_that_uses_it, api_setup,
            api_teardown),
        cmocka_unit_test_setup_teardown(memory_freed_without_waiting_fails_the_work_that_uses_it,
                                        api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(unmap_waits_for_work_that_uses_the_range, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(free_waits_for_work_that_uses_the_memory, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(work_of_a_wrapped_stream_runs_in_order, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(each_wrap_is_a_stream_that_is_destroyed_alone, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
