// SPDX-License-Identifier: Apache-2.0
// Functions in parts: every part once, several at a time, in the order of the stream.
#include "support/api.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/gate.h"

enum { PARTS = 1000 };

struct tally {
    atomic_count_t runs[PARTS];
    atomic_count_t begun;
    atomic_count_t ended;
    atomic_flag_t open; // parts end once it is set
    int before;         // what `ended` was when the work behind ran
};

static void tick(void *arg, uint64_t part) {
    struct tally *tally = arg;
    (void)atomic_fetch_add(&tally->begun, 1);
    while (!atomic_load(&tally->open)) (void)sched_yield();
    if (part < PARTS) (void)atomic_fetch_add(&tally->runs[part], 1);
    (void)atomic_fetch_add(&tally->ended, 1);
}

static void look(void *arg) {
    struct tally *tally = arg;
    tally->before = atomic_load(&tally->ended);
}

static void assert_each_ran(struct tally *tally, int times, int parts) {
    for (int i = 0; i < parts; i++) assert_int_equal(atomic_load(&tally->runs[i]), times);
}

// Creates a stream, or skips the test on a device that runs no parts.
static tarn_stream open_stream(struct api *api) {
    tarn_stream stream = 0;
    struct tally tally = {.open = true};
    assert_ok(tarn_stream_create(api->device, &stream));
    tarn_status status = tarn_stream_run(stream, tick, &tally, 1);
    if (status == TARN_UNSUPPORTED) {
        assert_ok(tarn_stream_destroy(stream));
        skip();
    }
    assert_ok(status);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    return stream;
}

static void every_part_runs_once(void **state) {
    static const int counts[] = {1, 2, 3, 64, PARTS};
    tarn_stream stream = open_stream(*state);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        static struct tally tally;
        tally = (struct tally){.open = true};
        for (int round = 0; round < 3; round++)
            assert_ok(tarn_stream_run(stream, tick, &tally, (uint64_t)counts[i]));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_each_ran(&tally, 3, counts[i]);
        assert_int_equal(atomic_load(&tally.ended), 3 * counts[i]);
    }
    assert_ok(tarn_stream_destroy(stream));
}

// The parts hold until the work before them has run, and the work behind them until all have ended.
static void parts_keep_the_order_of_their_stream(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC);
    tarn_stream stream = open_stream(api);
    static struct tally tally;
    static struct gate gate;
    tarn_event event = 0;
    tally = (struct tally){.open = true, .before = -1};
    gate = (struct gate){0};
    assert_ok(tarn_event_create(api->device, &event));
    assert_ok(tarn_stream_call(stream, pass_gate, &gate));
    assert_ok(tarn_stream_run(stream, tick, &tally, PARTS));
    assert_ok(tarn_stream_call(stream, look, &tally));
    assert_ok(tarn_event_record(event, stream));
    (void)usleep(2000);
    assert_int_equal(atomic_load(&tally.begun), 0);
    atomic_store(&tally.open, false);
    gate.open = true;
    while (atomic_load(&tally.begun) == 0) (void)sched_yield();
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    atomic_store(&tally.open, true);
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_int_equal(tally.before, PARTS);
    assert_ok(tarn_event_destroy(event));
    assert_ok(tarn_stream_destroy(stream));
}

// Two parts, each of which ends when the other has begun.
struct meeting {
    atomic_count_t arrived;
};

static void meet(void *arg, uint64_t part) {
    struct meeting *meeting = arg;
    (void)part;
    (void)atomic_fetch_add(&meeting->arrived, 1);
    while (atomic_load(&meeting->arrived) < 2) (void)sched_yield();
}

static void two_parts_run_at_the_same_time(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC);
    api_need_setting(api, "workers");
    tarn_device *device = api_open(0, "workers=2,schedule=parallel");
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(device, &stream));
    for (int round = 0; round < 100; round++) {
        struct meeting meeting = {0};
        assert_ok(tarn_stream_run(stream, meet, &meeting, 2));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    }
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_device_close(device));
}

struct end {
    tarn_stream stream;
    struct tally *tally;
    int ended; // when the call returned
};

static void *destroy_stream(void *arg) {
    struct end *end = arg;
    assert_ok(tarn_stream_destroy(end->stream));
    end->ended = atomic_load(&end->tally->ended);
    return NULL;
}

static void destroying_a_stream_waits_for_its_parts(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC);
    static struct tally tally;
    tally = (struct tally){0};
    struct end end = {open_stream(api), &tally, 0};
    pthread_t thread;
    assert_ok(tarn_stream_run(end.stream, tick, &tally, 50));
    while (atomic_load(&tally.begun) == 0) (void)sched_yield();
    assert_int_equal(pthread_create(&thread, NULL, destroy_stream, &end), 0);
    (void)usleep(2000);
    atomic_store(&tally.open, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(end.ended, 50);
}

// A part that waits would wait for itself.
struct inside {
    tarn_stream stream;
    atomic_count_t busy;
};

static void wait_inside(void *arg, uint64_t part) {
    struct inside *inside = arg;
    (void)part;
    if (tarn_stream_synchronize(inside->stream, TARN_FOREVER) == TARN_BUSY)
        (void)atomic_fetch_add(&inside->busy, 1);
}

static void a_part_must_not_wait(void **state) {
    struct inside inside = {.stream = open_stream(*state)};
    assert_ok(tarn_stream_run(inside.stream, wait_inside, &inside, 16));
    assert_ok(tarn_stream_synchronize(inside.stream, TARN_FOREVER));
    assert_int_equal(atomic_load(&inside.busy), 16);
    assert_ok(tarn_stream_destroy(inside.stream));
}

// A part that calls fork(), and what became of the child.
struct parent {
    atomic_count_t parts;
    pid_t child;
};

static pid_t self; // of the process that runs all parts

static void fork_once(void *arg, uint64_t part) {
    struct parent *parent = arg;
    if (getpid() != self) _exit(1); // a part ran in the child
    (void)atomic_fetch_add(&parent->parts, 1);
    if (part != 5) return;
    pid_t child = fork();
    if (child != 0) parent->child = child;
}

// The child ends with its only thread. It must not look for leaks of its parent then.
static void end_child(void) {
    if (getpid() != self) _exit(0);
}

// The thread sanitizer ends a process whose last thread is not the main one.
static bool is_thread_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return false;
}

static void a_child_runs_no_further_parts(void **state) {
    struct parent parent = {0};
    int status = -1;
    if (is_thread_sanitized()) skip();
    tarn_stream stream = open_stream(*state);
    self = getpid();
    assert_int_equal(atexit(end_child), 0);
    assert_ok(tarn_stream_run(stream, fork_once, &parent, 100));
    if (getpid() != self) _exit(0); // the child of a device that runs parts on the calling thread
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_int_equal(atomic_load(&parent.parts), 100);
    assert_int_equal(waitpid(parent.child, &status, 0), parent.child);
    assert_int_equal(status, 0);
    assert_ok(tarn_stream_destroy(stream));
}

static void a_failed_stream_drops_its_parts(void **state) {
    struct api *api = *state;
    api_need(api, TARN_FEATURE_ASYNC | TARN_FEATURE_CHECKED);
    tarn_stream stream = open_stream(api);
    static struct tally tally;
    static struct gate gate;
    tarn_addr addr = 0;
    tally = (struct tally){.open = true};
    gate = (struct gate){0};
    assert_ok(tarn_memory_alloc(api->device, 4096, &addr));
    assert_ok(tarn_stream_call(stream, pass_gate, &gate));
    assert_ok(tarn_fill(NULL, addr, 1, 1, 4096, stream));
    assert_ok(tarn_stream_run(stream, tick, &tally, 5));
    assert_ok(tarn_memory_free(addr, TARN_NO_WAIT));
    gate.open = true;
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_status(tarn_stream_run(stream, tick, &tally, 5), TARN_DEVICE_FAILED);
    assert_ok(tarn_stream_destroy(stream));
    assert_int_equal(atomic_load(&tally.begun), 0);
}

static void wrong_arguments_are_refused(void **state) {
    struct api *api = *state;
    struct tally tally = {.open = true};
    tarn_stream stream = 0;
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_status(tarn_stream_run(stream, NULL, &tally, 1), TARN_BAD_ARGUMENT);
    assert_status(tarn_stream_run(stream, tick, &tally, 0), TARN_BAD_ARGUMENT);
    assert_status(tarn_stream_run(TARN_STREAM_NONE, tick, &tally, 1), TARN_BAD_HANDLE);
    assert_ok(tarn_stream_destroy(stream));
    assert_status(tarn_stream_run(stream, tick, &tally, 1), TARN_BAD_HANDLE);
    assert_int_equal(atomic_load(&tally.begun), 0);
}

#define CLAIM(test) cmocka_unit_test_setup_teardown(test, api_setup, api_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(every_part_runs_once),
        CLAIM(parts_keep_the_order_of_their_stream),
        CLAIM(two_parts_run_at_the_same_time),
        CLAIM(destroying_a_stream_waits_for_its_parts),
        CLAIM(a_part_must_not_wait),
        CLAIM(a_child_runs_no_further_parts),
        CLAIM(a_failed_stream_drops_its_parts),
        CLAIM(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
