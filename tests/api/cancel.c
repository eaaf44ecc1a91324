// SPDX-License-Identifier: Apache-2.0
// pthread_cancel(): a thread with a pending cancellation makes calls of every kind, and none of
// them ends it. It ends at its own first cancellation point.
#include "support/api.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { BYTES = 4 << 20 };

struct round {
    struct api *api;
    const char *at;     // the call that runs
    tarn_status status; // of the first one that failed
    const char *failed; // or NULL
};

// The call ends the thread, or fails, or neither.
#define CALL(r, call)                                                                              \
    do {                                                                                           \
        (r)->at = #call;                                                                           \
        tarn_status status = (call);                                                               \
        if (status != TARN_OK && (r)->failed == NULL) {                                            \
            (r)->failed = #call;                                                                   \
            (r)->status = status;                                                                  \
        }                                                                                          \
    } while (0)

static void wait_a_little(void *arg) {
    (void)arg;
    (void)usleep(2000);
}

static void use_streams(struct round *r, tarn_device *device) {
    tarn_stream stream = TARN_STREAM_NONE;
    tarn_event event = 0;
    CALL(r, tarn_stream_create(device, &stream));
    CALL(r, tarn_event_create(device, &event));
    CALL(r, tarn_stream_call(stream, wait_a_little, NULL));
    CALL(r, tarn_event_record(event, stream));
    CALL(r, tarn_event_synchronize(event, TARN_FOREVER));
    CALL(r, tarn_stream_call(stream, wait_a_little, NULL));
    CALL(r, tarn_stream_synchronize(stream, TARN_FOREVER));
    CALL(r, tarn_stream_call(stream, wait_a_little, NULL));
    CALL(r, tarn_device_synchronize(device, TARN_FOREVER));
    CALL(r, tarn_event_destroy(event));
    CALL(r, tarn_stream_destroy(stream));
}

static void use_pages(struct round *r, tarn_device *device) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    tarn_grant grant = api_grant(r->api->info.ordinal, TARN_ACCESS_READ_WRITE);
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    desc.location = grant.location;
    CALL(r, tarn_space_reserve(device, BYTES, 0, 0, &addr));
    CALL(r, tarn_phys_create(device, BYTES, &desc, &phys));
    CALL(r, tarn_map(addr, BYTES, phys));
    CALL(r, tarn_map_set_access(addr, BYTES, &grant, 1));
    CALL(r, tarn_unmap(addr, BYTES, 0));
    CALL(r, tarn_phys_release(phys));
    CALL(r, tarn_space_release(addr));
    CALL(r, tarn_device_trim(device));
}

static void use_pool(struct round *r, tarn_device *device) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    tarn_addr addr = 0;
    desc.kind = TARN_POOL_SEGMENTS;
    desc.device = device;
    CALL(r, tarn_pool_create(&desc, &pool));
    CALL(r, tarn_pool_alloc(pool, BYTES, TARN_STREAM_NONE, &addr));
    CALL(r, tarn_pool_free(pool, addr));
    CALL(r, tarn_pool_trim(pool, 0, 0, NULL));
    CALL(r, tarn_pool_destroy(pool));
}

static void use_memory(struct round *r, tarn_device *device) {
    tarn_addr addr = 0;
    CALL(r, tarn_memory_alloc(device, BYTES, &addr));
    CALL(r, tarn_fill(device, addr, 1, 4, BYTES / 4, TARN_STREAM_NONE));
    CALL(r, tarn_memory_free(addr, 0));
}

static void *use_everything(void *arg) {
    struct round *r = (struct round *)arg;
    (void)pthread_cancel(pthread_self());
    use_streams(r, r->api->device);
    use_pages(r, r->api->device);
    use_pool(r, r->api->device);
    use_memory(r, r->api->device);
    tarn_device *device = NULL;
    CALL(r, tarn_device_open("host:0,memory=16M", &device));
    CALL(r, tarn_device_close(device));
    r->at = NULL;
    pthread_testcancel();
    return NULL;
}

static void no_call_is_a_cancellation_point(void **state) {
    struct round r = {.api = (struct api *)*state};
    void *result = NULL;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_everything, &r), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    if (r.at != NULL) print_error("cancelled in %s\n", r.at);
    assert_null(r.at);
    if (r.failed != NULL) print_error("%s failed in %s\n", tarn_status_name(r.status), r.failed);
    assert_null(r.failed);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_call_is_a_cancellation_point, api_setup, api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
