// SPDX-License-Identifier: Apache-2.0
// Streams and events of the simulated device: run at once, in order, and faulty for good.
#include "backend/sim/sim.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"

static const tarn_backend *const sim = &tn_backend_sim;

static void *p; // the platform of the running test
static void *s; // a stream of device 0
static void *t; // a stream of device 1
static void *e; // an event
static tarn_addr memory;

#define BYTES 4096

static int start(void **state) {
    (void)state;
    assert_int_equal(sim->platform_open("granularity=4K,copy_ns=1000,fill_bytes_per_ns=0", &p),
                     TARN_OK);
    assert_int_equal(sim->stream_create(p, 0, &s), TARN_OK);
    assert_int_equal(sim->stream_create(p, 1, &t), TARN_OK);
    assert_int_equal(sim->event_create(p, &e), TARN_OK);
    assert_int_equal(sim->memory_alloc(p, 0, BYTES, &memory), TARN_OK);
    return 0;
}

static int stop(void **state) {
    (void)state;
    assert_int_equal(sim->check(p), TARN_OK);
    sim->memory_free(p, 0, memory);
    sim->event_destroy(p, e);
    sim->stream_destroy(p, s);
    sim->stream_destroy(p, t);
    sim->platform_close(p);
    return 0;
}

static tarn_status fill(void *stream, uint64_t size) {
    tarn_backend_fill f = {
        .dst = memory, .width = size, .height = 1, .depth = 1, .element_bytes = 1, .device = 0};
    return sim->fill(p, stream, &f);
}

// An operation beyond the end of the memory is accepted; then the stream is faulty.
static void make_faulty(void *stream) { assert_int_equal(fill(stream, BYTES + 1), TARN_OK); }

static void work_is_done_when_the_call_returns(void **state) {
    (void)state;
    assert_int_equal(fill(s, BYTES), TARN_OK);
    assert_int_equal(sim->stream_query(p, s), TARN_OK);
    assert_int_equal(sim->stream_synchronize(p, s, UINT64_MAX), TARN_OK);
    assert_int_equal(sim->device_synchronize(p, 0, UINT64_MAX), TARN_OK);
}

static void events_measure_virtual_time(void **state) {
    (void)state;
    void *end = NULL;
    int64_t ns = 0;
    assert_int_equal(sim->event_create(p, &end), TARN_OK);
    assert_int_equal(sim->event_query(p, e), TARN_OK);
    assert_int_equal(sim->event_elapsed(p, e, end, &ns), TARN_BAD_ARGUMENT);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(fill(s, BYTES), TARN_OK);
    assert_int_equal(fill(s, BYTES), TARN_OK);
    assert_int_equal(sim->event_record(p, end, s), TARN_OK);
    assert_int_equal(sim->event_elapsed(p, e, end, &ns), TARN_OK);
    assert_int_equal(ns, 2000);
    assert_int_equal(sim->event_elapsed(p, end, e, &ns), TARN_OK);
    assert_int_equal(ns, -2000);
    sim->event_destroy(p, end);
}

static void a_violation_is_the_streams_and_stays(void **state) {
    (void)state;
    tarn_error error;
    tarn_clear_error();
    make_faulty(s);
    assert_int_equal(tarn_last_error(NULL), TARN_OK); // the call that gave it succeeded
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sim->stream_query(p, s), TARN_DEVICE_FAILED);
        assert_int_equal(sim->stream_synchronize(p, s, UINT64_MAX), TARN_DEVICE_FAILED);
        assert_int_equal(fill(s, BYTES), TARN_DEVICE_FAILED);
        assert_int_equal(sim->event_record(p, e, s), TARN_DEVICE_FAILED);
        assert_int_equal(sim->stream_wait(p, s, e), TARN_DEVICE_FAILED);
        assert_int_equal(sim->stream_call(p, s, free, NULL), TARN_DEVICE_FAILED);
    }
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "0x"));
    assert_int_equal(sim->event_query(p, e), TARN_OK); // never recorded, still
    assert_int_equal(fill(t, BYTES), TARN_OK);         // others go on
    assert_int_equal(sim->device_synchronize(p, 0, UINT64_MAX), TARN_OK);
}

static void without_a_stream_a_violation_is_the_calls(void **state) {
    (void)state;
    assert_int_equal(fill(NULL, BYTES + 1), TARN_NOT_MAPPED);
    assert_int_equal(fill(NULL, BYTES), TARN_OK);
}

// ---- order

static char letter_a[] = "a", letter_b[] = "b", letter_c[] = "c", letter_x[] = "x";
static char order[8];
static size_t order_length;

static void note(void *letter) { order[order_length++] = *(const char *)letter; }

static void note_then_give_more(void *letter) {
    assert_int_equal(sim->stream_call(p, s, note, letter_b), TARN_OK);
    assert_int_equal(sim->stream_query(p, s), TARN_NOT_READY);
    note(letter);
}

static void work_given_by_a_host_function_runs_after_it(void **state) {
    (void)state;
    memset(order, 0, sizeof order);
    order_length = 0;
    assert_int_equal(sim->stream_call(p, s, note_then_give_more, letter_a), TARN_OK);
    assert_int_equal(sim->stream_call(p, s, note, letter_c), TARN_OK);
    assert_string_equal(order, "abc");
    assert_int_equal(sim->stream_query(p, s), TARN_OK);
}

// ---- a stream that is busy on another thread

static sem_t entered;
static sem_t leave;

static void hold(void *unused) {
    (void)unused;
    (void)sem_post(&entered);
    while (sem_wait(&leave) != 0) {
    }
}

static void *hold_stream(void *stream) {
    assert_int_equal(sim->stream_call(p, stream, hold, NULL), TARN_OK);
    return NULL;
}

static pthread_t keep_busy(void *stream) {
    pthread_t thread;
    assert_int_equal(sem_init(&entered, 0, 0), 0);
    assert_int_equal(sem_init(&leave, 0, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, hold_stream, stream), 0);
    while (sem_wait(&entered) != 0) {
    }
    return thread;
}

static void let_go(pthread_t thread) {
    assert_int_equal(sem_post(&leave), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    (void)sem_destroy(&entered);
    (void)sem_destroy(&leave);
}

static void a_stream_waits_for_an_event_of_a_busy_one(void **state) {
    (void)state;
    memset(order, 0, sizeof order);
    order_length = 0;
    pthread_t thread = keep_busy(s);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(sim->event_query(p, e), TARN_NOT_READY);
    assert_int_equal(sim->stream_wait(p, t, e), TARN_OK);
    assert_int_equal(sim->stream_call(p, t, note, letter_x), TARN_OK);
    assert_int_equal(sim->stream_query(p, t), TARN_NOT_READY);
    assert_int_equal(order_length, 0);
    let_go(thread);
    assert_int_equal(sim->stream_synchronize(p, t, UINT64_MAX), TARN_OK);
    assert_string_equal(order, "x");
    assert_int_equal(sim->event_query(p, e), TARN_OK);
}

static void *synchronize_all(void *unused) {
    (void)unused;
    assert_int_equal(sim->stream_synchronize(p, s, UINT64_MAX), TARN_OK);
    assert_int_equal(sim->device_synchronize(p, 0, UINT64_MAX), TARN_OK);
    assert_int_equal(sim->event_synchronize(p, e, UINT64_MAX), TARN_OK);
    return NULL;
}

static void waiting_threads_are_woken(void **state) {
    (void)state;
    pthread_t waiter;
    pthread_t thread = keep_busy(s);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(pthread_create(&waiter, NULL, synchronize_all, NULL), 0);
    let_go(thread);
    assert_int_equal(pthread_join(waiter, NULL), 0);
}

static void an_event_destroyed_or_recorded_again_still_lets_its_waiters_go(void **state) {
    (void)state;
    void *other = NULL;
    assert_int_equal(sim->event_create(p, &other), TARN_OK);
    pthread_t thread = keep_busy(s);
    assert_int_equal(sim->event_record(p, other, s), TARN_OK);
    assert_int_equal(sim->stream_wait(p, t, other), TARN_OK);
    sim->event_destroy(p, other);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(sim->stream_wait(p, t, e), TARN_OK);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    let_go(thread);
    assert_int_equal(sim->stream_synchronize(p, t, UINT64_MAX), TARN_OK);
    assert_int_equal(sim->event_query(p, e), TARN_OK);
}

static void abort_if_run(void *unused) {
    (void)unused;
    abort();
}

static void an_event_behind_a_fault_counts_as_passed_and_tells_it(void **state) {
    (void)state;
    int64_t ns = 0;
    pthread_t thread = keep_busy(s);
    make_faulty(s);
    assert_int_equal(sim->stream_call(p, s, abort_if_run, NULL), TARN_OK);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(sim->stream_wait(p, t, e), TARN_OK);
    assert_int_equal(fill(t, BYTES), TARN_OK);
    let_go(thread);
    assert_int_equal(sim->stream_synchronize(p, t, UINT64_MAX), TARN_OK);
    assert_int_equal(sim->event_query(p, e), TARN_DEVICE_FAILED);
    assert_int_equal(sim->event_synchronize(p, e, UINT64_MAX), TARN_DEVICE_FAILED);
    assert_int_equal(sim->event_elapsed(p, e, e, &ns), TARN_DEVICE_FAILED);
}

static void who_follows_an_event_behind_a_fault_fails_in_its_turn(void **state) {
    (void)state;
    pthread_t thread = keep_busy(s);
    make_faulty(s);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(fill(t, BYTES), TARN_OK);
    assert_int_equal(sim->stream_follow(p, t, e), TARN_OK);
    assert_int_equal(sim->stream_call(p, t, abort_if_run, NULL), TARN_OK);
    let_go(thread);
    assert_int_equal(sim->stream_synchronize(p, t, UINT64_MAX), TARN_DEVICE_FAILED);
    assert_int_equal(fill(t, BYTES), TARN_DEVICE_FAILED);
}

// ---- many threads, one stream

static uint64_t sum; // plain: the stream's order is what protects it

static void add_one(void *unused) {
    (void)unused;
    sum++;
}

static void *add_many(void *unused) {
    (void)unused;
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(sim->stream_call(p, s, add_one, NULL), TARN_OK);
        assert_int_equal(sim->event_record(p, e, s), TARN_OK);
        assert_int_equal(sim->stream_wait(p, t, e), TARN_OK);
    }
    return NULL;
}

static void one_stream_never_runs_two_things_at_once(void **state) {
    (void)state;
    pthread_t thread[3];
    sum = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, add_many, NULL), 0);
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(sim->stream_synchronize(p, s, UINT64_MAX), TARN_OK);
    assert_int_equal(sim->stream_synchronize(p, t, UINT64_MAX), TARN_OK);
    assert_int_equal(sum, 6000);
}

// ---- fork

static int in_the_child(void) {
    bool good = sim->stream_synchronize(p, s, UINT64_MAX) == TARN_FORKED &&
                sim->stream_query(p, t) == TARN_FORKED && fill(s, 1) == TARN_FORKED &&
                sim->event_query(p, e) == TARN_FORKED && sim->check(p) == TARN_OK;
    sim->event_destroy(p, e);
    sim->stream_destroy(p, s);
    sim->stream_destroy(p, t);
    sim->memory_free(p, 0, memory);
    return good ? 0 : 1;
}

static void the_child_of_a_fork_is_told_and_can_clean_up(void **state) {
    (void)state;
    int status = 1;
    pthread_t thread = keep_busy(s);
    assert_int_equal(sim->event_record(p, e, s), TARN_OK);
    assert_int_equal(sim->stream_wait(p, t, e), TARN_OK);
    sim->fork_prepare(p);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(900);
        sim->fork_child(p);
        _exit(in_the_child());
    }
    sim->fork_parent(p);
    let_go(thread);
    assert_int_equal(sim->stream_synchronize(p, t, UINT64_MAX), TARN_OK);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

#define CLAIM(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(work_is_done_when_the_call_returns),
        CLAIM(events_measure_virtual_time),
        CLAIM(a_violation_is_the_streams_and_stays),
        CLAIM(without_a_stream_a_violation_is_the_calls),
        CLAIM(work_given_by_a_host_function_runs_after_it),
        CLAIM(a_stream_waits_for_an_event_of_a_busy_one),
        CLAIM(waiting_threads_are_woken),
        CLAIM(an_event_destroyed_or_recorded_again_still_lets_its_waiters_go),
        CLAIM(an_event_behind_a_fault_counts_as_passed_and_tells_it),
        CLAIM(who_follows_an_event_behind_a_fault_fails_in_its_turn),
        CLAIM(one_stream_never_runs_two_things_at_once),
        CLAIM(the_child_of_a_fork_is_told_and_can_clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
