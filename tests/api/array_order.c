// SPDX-License-Identifier: Apache-2.0
// Arrays in streams, threads and processes: what holds memory on its way, and what happens when
// calls and streams come to a tile in different orders.
#include "support/array_verbs.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A stream that stands still from close_gate() to open_gate(). A condition holds it, so that the
// device has a thread for other streams meanwhile. On a device without conditions a host function
// waits in it, called from a thread of its own because some devices run it at once.
struct gate {
    tarn_stream stream;
    bool waits; // for the condition
    atomic_bool passes;
    pthread_t thread;
    sem_t inside, open;
};

static tarn_status passed(void *arg, bool dropped) {
    (void)dropped;
    return atomic_load(&((struct gate *)arg)->passes) ? TARN_OK : TARN_NOT_READY;
}

static void wait_at_gate(void *arg) {
    struct gate *gate = arg;
    (void)sem_post(&gate->inside);
    (void)sem_wait(&gate->open);
}

static void *enter_gate(void *arg) {
    struct gate *gate = arg;
    (void)tarn_stream_call(gate->stream, wait_at_gate, gate);
    return NULL;
}

static void close_gate(struct gate *gate, tarn_stream stream) {
    gate->stream = stream;
    atomic_init(&gate->passes, false);
    gate->waits = tarn_stream_wait_until(stream, passed, gate) == TARN_OK;
    if (gate->waits) return;
    assert_int_equal(sem_init(&gate->inside, 0, 0), 0);
    assert_int_equal(sem_init(&gate->open, 0, 0), 0);
    assert_int_equal(pthread_create(&gate->thread, NULL, enter_gate, gate), 0);
    (void)sem_wait(&gate->inside);
}

static void open_gate(struct gate *gate, tarn_status want) {
    atomic_store(&gate->passes, true);
    if (!gate->waits) {
        assert_int_equal(sem_post(&gate->open), 0);
        assert_int_equal(pthread_join(gate->thread, NULL), 0);
    }
    assert_status(tarn_stream_synchronize(gate->stream, TARN_FOREVER), want);
    if (gate->waits) return;
    (void)sem_destroy(&gate->inside);
    (void)sem_destroy(&gate->open);
}

// ---- order

static void a_map_on_its_way_holds_memory_already(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream stream = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    tarn_array_map_item item = map_tile(array, 2, 1, pool, 0);
    assert_ok(map_one(&item, stream));
    memset(&item, 0xff, sizeof item); // the list was copied
    put(api, array, 2 * 256 + 3, 256, 9, stream);
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(map_refs(pool), 1);
    put(api, array, 2 * 256 + 4, 256, 8, 0); // before the stream has mapped it: dropped
    item = map_tile(array, 2, 1, 0, 0);
    open_gate(&gate, TARN_OK);
    if (api->bytes) {
        assert_int_equal(get(api, array, 2 * 256 + 3, 256), 9);
        assert_int_equal(get(api, array, 2 * 256 + 4, 256), 0);
    }
    assert_ok(map_one(&item, stream));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

// The order of calls is one, that of the streams another: what is mapped last in time stays, with
// its memory.
static void streams_decide_what_replaces_what(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys late = make_pool(api, api->device, 1);
    tarn_phys early = make_pool(api, api->device, 1);
    tarn_stream slow = 0;
    tarn_stream fast = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &slow));
    assert_ok(tarn_stream_create(api->device, &fast));
    close_gate(&gate, slow);
    tarn_array_map_item item = map_tile(array, 0, 0, late, 0);
    assert_ok(map_one(&item, slow));
    put(api, array, 7, 7, 1, slow);
    item = map_tile(array, 0, 0, early, 0);
    assert_ok(map_one(&item, fast));
    put(api, array, 7, 7, 2, fast);
    assert_ok(tarn_stream_synchronize(fast, TARN_FOREVER));
    assert_ok(tarn_phys_release(late));
    assert_ok(tarn_phys_release(early));
    if (api->bytes) assert_int_equal(get(api, array, 7, 7), 2);
    open_gate(&gate, TARN_OK);
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    assert_int_equal(map_refs(late), 1);
    assert_status(tarn_phys_query(early, &info), TARN_BAD_HANDLE);
    if (api->bytes) assert_int_equal(get(api, array, 7, 7), 1);
    assert_ok(tarn_stream_destroy(slow));
    assert_ok(tarn_stream_destroy(fast));
    assert_ok(tarn_array_destroy(array));
    assert_int_equal(free_memory(api->device), before);
}

// A stream that is going to fail: behind the gate the mapping has lost its rights.
static void doom(struct api *api, tarn_stream stream, tarn_addr addr) {
    tarn_grant none = api_grant(0, TARN_ACCESS_NONE);
    assert_ok(tarn_fill(api->device, addr, 1, 1, api->g, stream));
    assert_ok(tarn_map_set_access(addr, api->g, &none, 1));
}

static void a_map_dropped_behind_a_fault_gives_its_memory_back(void **state) {
    struct api *api = *state;
    tarn_addr addr = api_map_new(api, api->g);
    tarn_array array = make_sparse(api->device);
    uint64_t before = free_memory(api->device);
    tarn_phys pool = make_pool(api, api->device, 4);
    tarn_stream stream = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    doom(api, stream, addr);
    tarn_array_map_item items[] = {map_tile(array, 0, 0, pool, 0), map_tile(array, 1, 0, pool, 1)};
    items[1].extent.width = 512;
    assert_ok(tarn_array_map(items, 2, stream));
    put(api, array, 0, 0, 1, stream);
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(map_refs(pool), 3);
    open_gate(&gate, TARN_DEVICE_FAILED);
    assert_int_equal(free_memory(api->device), before);
    assert_status(tarn_array_map(items, 1, stream), TARN_BAD_HANDLE);
    pool = make_pool(api, api->device, 2);
    items[0] = map_tile(array, 0, 0, pool, 0);
    assert_status(tarn_array_map(items, 1, stream), TARN_DEVICE_FAILED);
    assert_int_equal(map_refs(pool), 0);
    assert_ok(tarn_phys_release(pool));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_array_destroy(array));
    api_unmap_all(addr, api->g);
}

struct end {
    tarn_array array;
    sem_t begun;
};

static void *destroy_array(void *arg) {
    struct end *end = arg;
    (void)sem_post(&end->begun);
    (void)tarn_array_destroy(end->array);
    return NULL;
}

static void destroying_waits_for_work(void **state) {
    struct api *api = *state;
    uint64_t before = free_memory(api->device);
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream stream = 0;
    pthread_t thread;
    struct gate gate;
    struct end end = {.array = array};
    assert_int_equal(sem_init(&end.begun, 0, 0), 0);
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    tarn_array_map_item item = map_tile(array, 0, 0, pool, 0);
    assert_ok(map_one(&item, stream));
    put(api, array, 3, 3, 3, stream);
    assert_ok(tarn_phys_release(pool));
    assert_int_equal(pthread_create(&thread, NULL, destroy_array, &end), 0);
    assert_int_equal(sem_wait(&end.begun), 0);
    // The array is not asked meanwhile: a call beside the destroy may be its last, and waits then.
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(api_stats(api->device).arrays, 1);
        (void)sched_yield();
    }
    open_gate(&gate, TARN_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(free_memory(api->device), before);
    assert_int_equal(sem_destroy(&end.begun), 0);
    assert_ok(tarn_stream_destroy(stream));
}

// The call is good, since a map was given before it; its stream is not the one that maps.
static void a_copy_that_comes_before_the_map_is_a_fault(void **state) {
    struct api *api = *state;
    tarn_array_desc desc = describe(64, 0, 0, 1, TARN_ARRAY_DEFERRED);
    tarn_array array = make(api->device, &desc);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream slow = 0;
    tarn_stream fast = 0;
    struct gate gate;
    tarn_error error;
    assert_ok(tarn_stream_create(api->device, &slow));
    assert_ok(tarn_stream_create(api->device, &fast));
    close_gate(&gate, slow);
    tarn_array_map_item item = {.array = array, .op = TARN_ARRAY_MAP, .phys = pool};
    assert_ok(map_one(&item, slow));
    put(api, array, 5, 0, 1, fast);
    assert_status(tarn_stream_synchronize(fast, TARN_FOREVER), TARN_DEVICE_FAILED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "deferred"));
    unsigned char byte = 0;
    tarn_array_copy_desc copy = box_of(array, 0, 0, 1, 1, &byte, false);
    assert_status(tarn_array_copy(api->device, &copy, 0), TARN_NOT_MAPPED);
    open_gate(&gate, TARN_OK);
    assert_ok(tarn_array_copy(api->device, &copy, 0));
    assert_ok(tarn_stream_destroy(slow));
    assert_ok(tarn_stream_destroy(fast));
    assert_ok(tarn_array_destroy(array));
    assert_ok(tarn_phys_release(pool));
}

// ---- fork and threads

static int in_child(tarn_array array, tarn_phys pool) {
    tarn_array_info info = TARN_INIT(tarn_array_info);
    tarn_array_map_item item = map_tile(array, 0, 0, pool, 0);
    tarn_array_copy_desc copy = box_of(array, 0, 0, 1, 1, &info, false);
    tarn_device *own = NULL;
    char uri[32];
    bool forked = tarn_array_query(array, &info) == TARN_FORKED &&
                  tarn_array_destroy(array) == TARN_FORKED &&
                  tarn_array_map(&item, 1, 0) == TARN_FORKED;
    (void)snprintf(uri, sizeof uri, "%s:0", api_backend());
    if (!forked || tarn_device_open(uri, &own) != TARN_OK ||
        tarn_array_copy(own, &copy, 0) != TARN_FORKED)
        return 1;
    tarn_array_desc desc = describe(8, 8, 0, 1, 0);
    bool works = tarn_array_create(own, &desc, &array) == TARN_OK &&
                 tarn_array_destroy(array) == TARN_OK && tarn_platform_verify(own) == TARN_OK &&
                 tarn_device_close(own) == TARN_OK;
    return works ? 0 : 2;
}

static void arrays_stay_with_the_parent_of_a_fork(void **state) {
    struct api *api = *state;
    tarn_array array = make_sparse(api->device);
    tarn_phys pool = make_pool(api, api->device, 1);
    tarn_stream stream = 0;
    struct gate gate;
    assert_ok(tarn_stream_create(api->device, &stream));
    close_gate(&gate, stream);
    tarn_array_map_item item = map_tile(array, 0, 0, pool, 0);
    assert_ok(map_one(&item, stream));
    put(api, array, 0, 0, 1, stream);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(in_child(array, pool));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    open_gate(&gate, TARN_OK);
    assert_int_equal(map_refs(pool), 1);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_array_destroy(array));
    assert_ok(tarn_phys_release(pool));
}

enum { THREADS = 4, ROUNDS = 60 };

struct crowd {
    struct api *api;
    tarn_phys pool[THREADS];
    _Atomic tarn_array shared; // destroyed and made anew by the first of them
};

struct member {
    struct crowd *crowd;
    pthread_t thread;
    uint32_t number;
    bool good;
};

static bool either(tarn_status status, tarn_status other) {
    return status == TARN_OK || status == other;
}

// One of many things that anybody may do to an array that may be gone. Whatever is mapped where,
// each thread writes columns of its own.
static bool act(struct member *m, uint32_t turn, tarn_stream stream) {
    struct crowd *crowd = m->crowd;
    static unsigned char zero[64 * 4];
    tarn_array array = crowd->shared;
    bool unmap = turn % 5 == 0;
    tarn_array_map_item item =
        map_tile(array, turn % 4, turn / 4 % 3, unmap ? 0 : crowd->pool[turn % THREADS],
                 unmap ? 0 : turn % 2);
    tarn_array_copy_desc copy =
        box_of(array, turn % 4 * 256 + m->number * 64, turn % 600, 64, 4, zero, true);
    return either(map_one(&item, turn % 3 == 0 ? 0 : stream), TARN_BAD_HANDLE) &&
           either(tarn_array_copy(crowd->api->device, &copy, turn % 3 == 1 ? 0 : stream),
                  TARN_BAD_HANDLE);
}

static void *live(void *arg) {
    struct member *m = arg;
    struct crowd *crowd = m->crowd;
    tarn_stream stream = 0;
    m->good = tarn_stream_create(crowd->api->device, &stream) == TARN_OK;
    for (uint32_t turn = 0; turn < ROUNDS && m->good; turn++) {
        m->good = act(m, turn * 7 + m->number * 13, stream);
        if (m->number == 0 && turn % 10 == 9) {
            tarn_array old = crowd->shared;
            crowd->shared = make_sparse(crowd->api->device);
            m->good &= tarn_array_destroy(old) == TARN_OK;
        }
    }
    m->good &= tarn_stream_destroy(stream) == TARN_OK;
    return NULL;
}

static void threads_may_share_arrays_and_destroy_them_any_time(void **state) {
    struct crowd crowd = {.api = *state};
    struct member members[THREADS];
    crowd.shared = make_sparse(crowd.api->device);
    for (int i = 0; i < THREADS; i++) crowd.pool[i] = make_pool(crowd.api, crowd.api->device, 2);
    for (uint32_t i = 0; i < THREADS; i++) {
        members[i] = (struct member){.crowd = &crowd, .number = i};
        assert_int_equal(pthread_create(&members[i].thread, NULL, live, &members[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(members[i].thread, NULL), 0);
        assert_true(members[i].good);
    }
    assert_ok(tarn_array_destroy(crowd.shared));
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(map_refs(crowd.pool[i]), 0);
        assert_ok(tarn_phys_release(crowd.pool[i]));
    }
}

int main(void) {
#define CLAIM(test) cmocka_unit_test_setup_teardown(test, api_setup, api_teardown)
    const struct CMUnitTest tests[] = {
        CLAIM(a_map_on_its_way_holds_memory_already),
        CLAIM(streams_decide_what_replaces_what),
        CLAIM(a_map_dropped_behind_a_fault_gives_its_memory_back),
        CLAIM(destroying_waits_for_work),
        CLAIM(a_copy_that_comes_before_the_map_is_a_fault),
        CLAIM(arrays_stay_with_the_parent_of_a_fork),
        CLAIM(threads_may_share_arrays_and_destroy_them_any_time),
    };
#undef CLAIM
    if (!api_device_has(TARN_FEATURE_ARRAYS)) return api_cannot("arrays");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
