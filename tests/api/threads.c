// SPDX-License-Identifier: Apache-2.0
// Many threads at once: independent objects, and one reservation shared by all. Meant for
// ThreadSanitizer.
#include "support/api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 150 };

struct worker {
    struct api *api;
    tarn_device *other; // the peer, or the same
    unsigned index;
    tarn_addr shared; // a granule of one reservation for each thread
    pthread_t thread;
    const char *failed;
};

static atomic_int queries_stop;

// cmocka's assertions belong to the main thread: a worker notes what failed.
#define TRY(worker, call)                                                                          \
    do {                                                                                           \
        if ((call) != TARN_OK) {                                                                   \
            (worker)->failed = #call;                                                              \
            return NULL;                                                                           \
        }                                                                                          \
    } while (0)

static void *map_and_copy(void *arg) {
    struct worker *w = arg;
    uint64_t g = w->api->g;
    tarn_addr place = w->shared + w->index * g;
    tarn_grant grant = api_grant(0, TARN_ACCESS_READ_WRITE);
    tarn_stream stream = 0;
    TRY(w, tarn_stream_create(w->api->device, &stream));
    for (unsigned i = 0; i < ROUNDS; i++) {
        tarn_phys phys = 0;
        unsigned char out[64] = {(unsigned char)i};
        unsigned char back[64] = {0};
        TRY(w, tarn_phys_create(w->api->device, g, NULL, &phys));
        TRY(w, tarn_map(place, g, phys));
        TRY(w, tarn_phys_release(phys));
        TRY(w, tarn_map_set_access(place, g, &grant, 1));
        TRY(w, tarn_copy(NULL, place, TARN_ADDR(out), sizeof out, stream));
        TRY(w, tarn_copy(NULL, TARN_ADDR(back), place, sizeof back, stream));
        TRY(w, tarn_stream_synchronize(stream, TARN_FOREVER));
        if (w->api->bytes && back[0] != out[0]) w->failed = "bytes came back wrong";
        TRY(w, tarn_unmap(place, g, 0));
    }
    TRY(w, tarn_stream_destroy(stream));
    return NULL;
}

static tarn_status share(struct worker *w, tarn_addr addr) {
    tarn_key key;
    tarn_addr other = 0;
    tarn_status status = tarn_memory_export(addr, &key);
    if (status == TARN_UNSUPPORTED) return TARN_OK;
    status = status == TARN_OK ? tarn_memory_import(w->other, &key, &other) : status;
    return status == TARN_OK ? tarn_memory_free(other, 0) : status;
}

static void *own_everything(void *arg) {
    struct worker *w = arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        tarn_addr addr = 0;
        void *host = NULL;
        tarn_addr space = 0;
        TRY(w, tarn_memory_alloc(w->api->device, 5000, &addr));
        TRY(w, tarn_space_reserve(w->other, 4 * w->api->g, 0, 0, &space));
        TRY(w, tarn_host_alloc(w->api->device, 5000, 0, &host));
        TRY(w, tarn_copy(w->api->device, addr, TARN_ADDR(host), 5000, 0));
        TRY(w, tarn_host_free(host));
        TRY(w, share(w, addr));
        TRY(w, tarn_memory_free(addr, 0));
        TRY(w, tarn_space_release(space));
    }
    return NULL;
}

static void *ask_all_the_time(void *arg) {
    struct worker *w = arg;
    while (atomic_load(&queries_stop) == 0) {
        tarn_address_info info = TARN_INIT(tarn_address_info);
        TRY(w, tarn_address_query(w->shared, &info));
        (void)api_look(w->shared);
    }
    return NULL;
}

static void *verify_all_the_time(void *arg) {
    struct worker *w = arg;
    while (atomic_load(&queries_stop) == 0) TRY(w, tarn_platform_verify(w->api->device));
    return NULL;
}

// An export holds its handle during the call.
static void *export_handles(void *arg) {
    struct worker *w = arg;
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    desc.shareable = w->api->info.shareable & TARN_SHAREABLE_FD;
    for (unsigned i = 0; i < ROUNDS; i++) {
        tarn_phys phys = 0;
        tarn_shareable out = {0};
        TRY(w, tarn_phys_create(w->api->device, w->api->g, &desc, &phys));
        if (desc.shareable != 0) {
            TRY(w, tarn_phys_export(phys, TARN_SHAREABLE_FD, &out));
            (void)close(out.fd);
        }
        TRY(w, tarn_phys_release(phys));
    }
    return NULL;
}

static void *do_one_of_all(void *arg) {
    static void *(*const bodies[])(void *) = {map_and_copy, own_everything, export_handles};
    struct worker *w = arg;
    return bodies[w->index % (sizeof bodies / sizeof bodies[0])](arg);
}

static void run(struct api *api, void *(*body)(void *), void *(*beside)(void *), tarn_addr shared) {
    struct worker workers[THREADS];
    struct worker asker = {.api = api, .shared = shared};
    atomic_store(&queries_stop, 0);
    assert_int_equal(pthread_create(&asker.thread, NULL, beside, &asker), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.api = api,
                                     .other = api->peer != NULL ? api->peer : api->device,
                                     .index = i,
                                     .shared = shared};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_null(workers[i].failed);
    }
    atomic_store(&queries_stop, 1);
    assert_int_equal(pthread_join(asker.thread, NULL), 0);
    assert_null(asker.failed);
}

static void threads_share_one_reservation(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(api->device, THREADS * api->g, 0, 0, &addr));
    run(api, map_and_copy, ask_all_the_time, addr);
    assert_ok(tarn_space_release(addr));
}

static void threads_own_their_objects(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(api->device, api->g, 0, 0, &addr));
    run(api, own_everything, ask_all_the_time, addr);
    assert_ok(tarn_space_release(addr));
}

static void verify_finds_no_fault_beside_running_threads(void **state) {
    struct api *api = *state;
    tarn_addr addr = 0;
    assert_ok(tarn_space_reserve(api->device, THREADS * api->g, 0, 0, &addr));
    run(api, do_one_of_all, verify_all_the_time, addr);
    assert_ok(tarn_space_release(addr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(threads_share_one_reservation, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(threads_own_their_objects, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(verify_finds_no_fault_beside_running_threads, api_setup,
                                        api_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
