// SPDX-License-Identifier: Apache-2.0
// Streams and events of the software device: order, concurrency, waits, faults, destruction.
#include "world.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backend/host/engine/parts.h"

#define KIB ((uint64_t)1024)

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void nap_ms(long ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

// Host functions that record the order in which they ran.
struct diary {
    atomic_int count;
    int seen[4096];
};
struct entry {
    struct diary *diary;
    int number;
};

static void write_down(void *arg) {
    struct entry *entry = (struct entry *)arg;
    entry->diary->seen[atomic_fetch_add(&entry->diary->count, 1)] = entry->number;
}

static void set_flag(void *arg) { atomic_store((atomic_int *)arg, 1); }

static void a_stream_runs_in_the_order_given(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    static struct diary diary;
    static struct entry entries[1000];
    (void)state;
    atomic_store(&diary.count, 0);
    for (int i = 0; i < 1000; i++) {
        entries[i] = (struct entry){&diary, i};
        assert_int_equal(tn_host_stream_call(h, stream, write_down, &entries[i]), TARN_OK);
    }
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&diary.count), 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(diary.seen[i], i);
    world_close(h);
}

static void no_thread_starts_before_work_needs_one(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    void *event = world_event(h);
    atomic_int ran = 0;
    (void)state;
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 1, 4096), TARN_OK);
    assert_int_equal(tn_host_event_record(h, event, stream), TARN_OK);
    assert_int_equal(tn_host_stream_wait(h, stream, event), TARN_OK);
    assert_int_equal(tn_host_event_query(h, event), TARN_OK);
    assert_int_equal(tn_host_stream_query(h, stream), TARN_OK);
    assert_int_equal(h->engine.worker_count, 0);
    assert_int_equal(tn_host_stream_call(h, stream, set_flag, &ran), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(h->engine.worker_count, 1);
    tn_host_event_destroy(h, event);
    world_close(h);
}

static void a_small_copy_on_an_empty_stream_is_done_at_once(void **state) {
    struct tn_host *h = world_open(1);
    void *stream = world_stream(h, 0);
    char text[64] = "";
    (void)state;
    assert_int_equal(world_fill(h, stream, WORLD_BASE + 5, 'x', 40), TARN_OK);
    assert_int_equal(world_copy(h, stream, addr_of(text), WORLD_BASE + 5, 40), TARN_OK);
    assert_int_equal(text[39], 'x');
    assert_int_equal(tn_host_stream_query(h, stream), TARN_OK);
    world_close(h);
}

static void a_small_copy_behind_work_keeps_its_place(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    struct world_block block;
    (void)state;
    world_block(h, stream, &block);
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 7, 16), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE), 0);
    assert_int_equal(tn_host_stream_query(h, stream), TARN_NOT_READY);
    world_unblock(&block);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE), 7);
    world_close(h);
}

static void a_small_copy_waits_for_an_event_too(void **state) {
    struct tn_host *h = world_open(2);
    void *first = world_stream(h, 0);
    void *second = world_stream(h, 1);
    void *event = world_event(h);
    struct world_block block;
    (void)state;
    world_block(h, first, &block);
    assert_int_equal(tn_host_event_record(h, event, first), TARN_OK);
    assert_int_equal(tn_host_stream_wait(h, second, event), TARN_OK);
    assert_int_equal(world_fill(h, second, WORLD_BASE, 7, 16), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE), 0);
    assert_int_equal(tn_host_stream_query(h, second), TARN_NOT_READY);
    assert_int_equal(tn_host_event_query(h, event), TARN_NOT_READY);
    world_unblock(&block);
    assert_int_equal(tn_host_stream_synchronize(h, second, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE), 7);
    tn_host_event_destroy(h, event);
    world_close(h);
}

static void streams_run_beside_each_other(void **state) {
    struct tn_host *h = world_open(2);
    void *first = world_stream(h, 0);
    void *second = world_stream(h, 0);
    struct world_block block;
    atomic_int ran = 0;
    (void)state;
    world_block(h, first, &block);
    assert_int_equal(tn_host_stream_call(h, second, set_flag, &ran), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, second, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&ran), 1);
    assert_int_equal(tn_host_stream_query(h, first), TARN_NOT_READY);
    world_unblock(&block);
    world_close(h);
}

static void a_stream_that_waits_costs_no_worker(void **state) {
    enum { PARKED = 50 };
    struct tn_host *h = world_open(2);
    void *blocked = world_stream(h, 0);
    void *parked[PARKED];
    void *event = world_event(h);
    struct world_block block;
    atomic_int ran = 0;
    (void)state;
    world_block(h, blocked, &block);
    assert_int_equal(tn_host_event_record(h, event, blocked), TARN_OK);
    for (int i = 0; i < PARKED; i++) {
        parked[i] = world_stream(h, 0);
        assert_int_equal(tn_host_stream_wait(h, parked[i], event), TARN_OK);
        assert_int_equal(tn_host_stream_call(h, parked[i], set_flag, &ran), TARN_OK);
    }
    // One of two workers is left. It still serves a stream that does not wait.
    void *other = world_stream(h, 0);
    atomic_int other_ran = 0;
    assert_int_equal(tn_host_stream_call(h, other, set_flag, &other_ran), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, other, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&ran), 0);
    world_unblock(&block);
    for (int i = 0; i < PARKED; i++) {
        assert_int_equal(tn_host_stream_synchronize(h, parked[i], UINT64_MAX), TARN_OK);
        tn_host_stream_destroy(h, parked[i]);
    }
    assert_int_equal(atomic_load(&ran), 1);
    tn_host_event_destroy(h, event);
    world_close(h);
}

static void a_wait_means_the_record_of_its_time(void **state) {
    struct tn_host *h = world_open(3);
    void *first = world_stream(h, 0);
    void *second = world_stream(h, 0);
    void *waits_early = world_stream(h, 0);
    void *waits_late = world_stream(h, 0);
    void *event = world_event(h);
    struct world_block one, two;
    (void)state;
    world_block(h, first, &one);
    world_block(h, second, &two);
    assert_int_equal(tn_host_event_record(h, event, first), TARN_OK);
    assert_int_equal(tn_host_stream_wait(h, waits_early, event), TARN_OK);
    assert_int_equal(tn_host_event_record(h, event, second), TARN_OK);
    assert_int_equal(tn_host_stream_wait(h, waits_late, event), TARN_OK);
    world_unblock(&one);
    assert_int_equal(tn_host_stream_synchronize(h, waits_early, UINT64_MAX), TARN_OK);
    assert_int_equal(tn_host_stream_query(h, waits_late), TARN_NOT_READY);
    assert_int_equal(tn_host_event_query(h, event), TARN_NOT_READY);
    world_unblock(&two);
    assert_int_equal(tn_host_stream_synchronize(h, waits_late, UINT64_MAX), TARN_OK);
    assert_int_equal(tn_host_event_query(h, event), TARN_OK);
    tn_host_event_destroy(h, event);
    world_close(h);
}

static void an_event_never_recorded_holds_nobody(void **state) {
    struct tn_host *h = world_open(1);
    void *stream = world_stream(h, 0);
    void *event = world_event(h);
    void *other = world_event(h);
    int64_t elapsed = 42;
    (void)state;
    assert_int_equal(tn_host_stream_wait(h, stream, event), TARN_OK);
    assert_int_equal(tn_host_stream_query(h, stream), TARN_OK);
    assert_int_equal(tn_host_event_query(h, event), TARN_OK);
    assert_int_equal(tn_host_event_synchronize(h, event, UINT64_MAX), TARN_OK);
    assert_int_equal(tn_host_event_record(h, other, stream), TARN_OK);
    assert_int_equal(tn_host_event_elapsed(h, other, event, &elapsed), TARN_BAD_ARGUMENT);
    assert_int_equal(tn_host_event_elapsed(h, event, other, &elapsed), TARN_BAD_ARGUMENT);
    assert_int_equal(elapsed, 42);
    tn_host_event_destroy(h, event);
    tn_host_event_destroy(h, other);
    world_close(h);
}

static void an_event_may_be_destroyed_while_streams_wait_for_it(void **state) {
    struct tn_host *h = world_open(2);
    void *first = world_stream(h, 0);
    void *second = world_stream(h, 0);
    void *event = world_event(h);
    struct world_block block;
    (void)state;
    world_block(h, first, &block);
    assert_int_equal(tn_host_event_record(h, event, first), TARN_OK);
    assert_int_equal(tn_host_stream_wait(h, second, event), TARN_OK);
    tn_host_event_destroy(h, event);
    assert_int_equal(tn_host_stream_query(h, second), TARN_NOT_READY);
    world_unblock(&block);
    assert_int_equal(tn_host_stream_synchronize(h, second, UINT64_MAX), TARN_OK);
    world_close(h);
}

static void elapsed_time_is_that_between_the_records(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    void *start = world_event(h);
    void *end = world_event(h);
    struct world_block block;
    int64_t elapsed = -1;
    int64_t before = now_ns();
    (void)state;
    assert_int_equal(tn_host_event_record(h, start, stream), TARN_OK);
    world_block(h, stream, &block);
    assert_int_equal(tn_host_event_record(h, end, stream), TARN_OK);
    assert_int_equal(tn_host_event_elapsed(h, start, end, &elapsed), TARN_NOT_READY);
    assert_int_equal(elapsed, -1);
    nap_ms(20);
    world_unblock(&block);
    assert_int_equal(tn_host_event_synchronize(h, end, UINT64_MAX), TARN_OK);
    assert_int_equal(tn_host_event_elapsed(h, start, end, &elapsed), TARN_OK);
    assert_in_range(elapsed, 20000000, now_ns() - before);
    assert_int_equal(tn_host_event_elapsed(h, end, start, &elapsed), TARN_OK);
    assert_true(elapsed <= -20000000);
    tn_host_event_destroy(h, start);
    tn_host_event_destroy(h, end);
    world_close(h);
}

static void destroying_a_stream_waits_for_its_work(void **state) {
    struct tn_host *h = world_open(2);
    (void)state;
    for (int i = 0; i < 50; i++) {
        void *stream = world_stream(h, 0);
        static unsigned char source[512 * 1024];
        memset(source, i + 1, sizeof source);
        assert_int_equal(world_copy(h, stream, WORLD_BASE, addr_of(source), sizeof source),
                         TARN_OK);
        tn_host_stream_destroy(h, stream);
        assert_int_equal(*world_at(h, WORLD_BASE + sizeof source - 1), i + 1);
    }
    world_close(h);
}

static void *release_both(void *arg) {
    struct world_block *blocks = (struct world_block *)arg;
    nap_ms(5);
    world_unblock(&blocks[0]);
    nap_ms(15);
    world_unblock(&blocks[1]);
    return NULL;
}

static void waiting_for_a_device_waits_for_all_its_streams_and_no_other(void **state) {
    struct tn_host *h = world_open(3);
    void *mine[2] = {world_stream(h, 0), world_stream(h, 0)};
    void *others = world_stream(h, 1);
    struct world_block blocks[2], other_block;
    atomic_int ran[2] = {0, 0};
    pthread_t thread;
    (void)state;
    assert_int_equal(tn_host_device_synchronize(h, 0, UINT64_MAX), TARN_OK);
    world_block(h, others, &other_block);
    assert_int_equal(tn_host_device_synchronize(h, 0, UINT64_MAX), TARN_OK);
    for (int i = 0; i < 2; i++) {
        world_block(h, mine[i], &blocks[i]);
        assert_int_equal(tn_host_stream_call(h, mine[i], set_flag, &ran[i]), TARN_OK);
    }
    assert_int_equal(pthread_create(&thread, NULL, release_both, blocks), 0);
    assert_int_equal(tn_host_device_synchronize(h, 0, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&ran[0]), 1);
    assert_int_equal(atomic_load(&ran[1]), 1);
    assert_int_equal(tn_host_stream_query(h, others), TARN_NOT_READY);
    pthread_join(thread, NULL);
    world_unblock(&other_block);
    world_close(h);
}

static void note_thread(void *arg) { *(pthread_t *)arg = pthread_self(); }

static void *release_later(void *arg) {
    nap_ms(20);
    world_unblock((struct world_block *)arg);
    return NULL;
}

// While the only worker is blocked, a waiting thread runs copies, but no host functions.
static void who_waits_does_copies_and_no_host_functions(void **state) {
    struct tn_host *h = world_open(1);
    void *blocked = world_stream(h, 0);
    void *copies = world_stream(h, 0);
    void *calls = world_stream(h, 0);
    void *event = world_event(h);
    struct world_block block;
    pthread_t ran_on = pthread_self();
    pthread_t thread;
    (void)state;
    world_block(h, blocked, &block);
    assert_int_equal(world_fill(h, copies, WORLD_BASE, 5, 1024 * KIB), TARN_OK);
    assert_int_equal(world_fill(h, copies, WORLD_BASE, 6, 1024 * KIB), TARN_OK);
    assert_int_equal(tn_host_stream_query(h, copies), TARN_NOT_READY);
    assert_int_equal(tn_host_stream_synchronize(h, copies, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE + 1024 * KIB - 1), 6);
    assert_int_equal(world_fill(h, copies, WORLD_BASE, 7, 1024 * KIB), TARN_OK);
    assert_int_equal(tn_host_event_record(h, event, copies), TARN_OK);
    assert_int_equal(tn_host_event_synchronize(h, event, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(h, WORLD_BASE + 1024 * KIB - 1), 7);
    assert_int_equal(tn_host_stream_call(h, calls, note_thread, &ran_on), TARN_OK);
    assert_int_equal(pthread_create(&thread, NULL, release_later, &block), 0);
    assert_int_equal(tn_host_stream_synchronize(h, calls, UINT64_MAX), TARN_OK);
    assert_false(pthread_equal(ran_on, pthread_self()));
    pthread_join(thread, NULL);
    tn_host_event_destroy(h, event);
    world_close(h);
}

// A wait with a deadline ends in time, however long the copies that a worker can run. Copies that
// no worker can run are run by the waiting thread, with a deadline too.
static void who_has_a_deadline_does_only_what_nobody_else_can(void **state) {
    (void)state;
    struct tn_host *h = world_open(1);
    void *blocked = world_stream(h, 0);
    void *stream = world_stream(h, 0);
    struct world_block block;
    tarn_addr dst = WORLD_BASE + WORLD_PAGE;
    world_block(h, blocked, &block); // the only worker
    assert_int_equal(world_fill(h, stream, dst, 7, 1 << 20), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, stream, 0), TARN_TIMED_OUT);
    assert_int_equal(tn_host_stream_synchronize(h, stream, 1), TARN_TIMED_OUT);
    assert_int_equal(tn_host_stream_query(h, stream), TARN_NOT_READY);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX - 1), TARN_OK);
    assert_int_equal(*world_at(h, dst), 7);
    world_unblock(&block);
    assert_int_equal(tn_host_stream_synchronize(h, blocked, UINT64_MAX), TARN_OK);
    world_close(h);
}

static void thousands_of_streams_share_two_threads(void **state) {
    enum { STREAMS = 3000 };
    struct tn_host *h = world_open(2);
    static void *streams[STREAMS];
    static struct diary diary;
    static struct entry entries[STREAMS];
    (void)state;
    atomic_store(&diary.count, 0);
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = world_stream(h, i % 2);
        entries[i] = (struct entry){&diary, i};
        assert_int_equal(tn_host_stream_call(h, streams[i], write_down, &entries[i]), TARN_OK);
    }
    assert_int_equal(tn_host_device_synchronize(h, 0, UINT64_MAX), TARN_OK);
    assert_int_equal(tn_host_device_synchronize(h, 1, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&diary.count), STREAMS);
    assert_true(h->engine.worker_count <= 2);
    for (int i = 0; i < STREAMS; i++) tn_host_stream_destroy(h, streams[i]);
    world_close(h);
}

// Each stream waits for the previous one. Passing the first event unblocks all, one after another.
static void a_chain_of_waits_is_freed_to_its_end(void **state) {
    enum { STREAMS = 5000 };
    struct tn_host *h = world_open(2);
    static void *streams[STREAMS];
    void *event = world_event(h);
    struct world_block block;
    (void)state;
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = world_stream(h, 0);
        if (i == 0)
            world_block(h, streams[i], &block);
        else
            assert_int_equal(tn_host_stream_wait(h, streams[i], event), TARN_OK);
        assert_int_equal(tn_host_event_record(h, event, streams[i]), TARN_OK);
    }
    assert_int_equal(tn_host_stream_query(h, streams[STREAMS - 1]), TARN_NOT_READY);
    world_unblock(&block);
    assert_int_equal(tn_host_event_synchronize(h, event, UINT64_MAX), TARN_OK);
    for (int i = 0; i < STREAMS; i++) {
        assert_int_equal(tn_host_stream_synchronize(h, streams[i], UINT64_MAX), TARN_OK);
        tn_host_stream_destroy(h, streams[i]);
    }
    tn_host_event_destroy(h, event);
    world_close(h);
}

// ---- faults

struct faulty {
    struct tn_host *h;
    void *stream;
    void *behind; // an event recorded behind the fault
    struct world_block block;
    atomic_int ran;
};

// Queues behind a blocked host function: a fill that will violate, a host function, an event.
static void faulty_open(struct faulty *f) {
    f->h = world_open(2);
    f->stream = world_stream(f->h, 0);
    f->behind = world_event(f->h);
    atomic_store(&f->ran, 0);
    world_block(f->h, f->stream, &f->block);
    assert_int_equal(world_fill(f->h, f->stream, WORLD_BASE, 9, 3 * WORLD_PAGE), TARN_OK);
    assert_int_equal(tn_host_stream_call(f->h, f->stream, set_flag, &f->ran), TARN_OK);
    assert_int_equal(tn_host_event_record(f->h, f->behind, f->stream), TARN_OK);
    world_set_mapped(f->h, 2, false);
}

static void faulty_close(struct faulty *f) {
    tn_host_event_destroy(f->h, f->behind);
    world_close(f->h);
}

static void assert_faulted(tarn_status status) {
    tarn_error error;
    assert_int_equal(status, TARN_DEVICE_FAILED);
    tarn_last_error(&error);
    assert_int_equal(error.status, TARN_DEVICE_FAILED);
    assert_non_null(strstr(error.message, "fill of 12288 x 1 x 1 bytes at 0x1000000000000000"));
    assert_non_null(strstr(error.message, "NOT_MAPPED: page 2 of the world"));
    tarn_clear_error();
}

static void a_violation_sticks_to_the_stream(void **state) {
    struct faulty f;
    void *event;
    (void)state;
    faulty_open(&f);
    event = world_event(f.h);
    world_unblock(&f.block);
    assert_faulted(tn_host_stream_synchronize(f.h, f.stream, UINT64_MAX));
    assert_int_equal(atomic_load(&f.ran), 0);
    assert_faulted(tn_host_stream_query(f.h, f.stream));
    assert_faulted(tn_host_stream_call(f.h, f.stream, set_flag, &f.ran));
    assert_faulted(tn_host_stream_wait(f.h, f.stream, event));
    assert_faulted(tn_host_event_record(f.h, event, f.stream));
    assert_faulted(world_fill(f.h, f.stream, WORLD_BASE + 8 * WORLD_PAGE, 1, 1));
    assert_faulted(world_copy(f.h, f.stream, WORLD_BASE, WORLD_BASE + 8 * WORLD_PAGE, 1));
    assert_int_equal(tn_host_event_query(f.h, event), TARN_OK); // was not recorded
    assert_int_equal(tn_host_device_synchronize(f.h, 0, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&f.ran), 0);
    assert_int_equal(*world_at(f.h, WORLD_BASE + 8 * WORLD_PAGE), 0);
    tn_host_event_destroy(f.h, event);
    tn_host_stream_destroy(f.h, f.stream);
    faulty_close(&f);
}

static void who_follows_a_violation_fails_in_its_turn(void **state) {
    struct faulty f;
    atomic_int ran = 0;
    (void)state;
    for (int late = 0; late < 2; late++) {
        faulty_open(&f);
        void *waiter = world_stream(f.h, 0);
        if (late != 0) { // the record has been dropped
            world_unblock(&f.block);
            assert_faulted(tn_host_event_synchronize(f.h, f.behind, UINT64_MAX));
        }
        assert_int_equal(tn_host_stream_call(f.h, waiter, set_flag, &ran), TARN_OK);
        assert_int_equal(tn_host_stream_follow(f.h, waiter, f.behind), TARN_OK);
        (void)world_fill(f.h, waiter, WORLD_BASE + 8 * WORLD_PAGE, 5, 100);
        if (late == 0) world_unblock(&f.block);
        assert_faulted(tn_host_stream_synchronize(f.h, waiter, UINT64_MAX));
        assert_faulted(tn_host_stream_follow(f.h, waiter, f.behind));
        assert_int_equal(*world_at(f.h, WORLD_BASE + 8 * WORLD_PAGE), 0);
        assert_int_equal(atomic_load(&ran), 1);
        atomic_store(&ran, 0);
        tn_host_stream_destroy(f.h, waiter);
        tn_host_stream_destroy(f.h, f.stream);
        faulty_close(&f);
    }
}

static void who_waits_behind_a_violation_goes_on(void **state) {
    struct faulty f;
    void *waiter;
    int64_t elapsed = 42;
    (void)state;
    faulty_open(&f);
    waiter = world_stream(f.h, 0);
    assert_int_equal(tn_host_stream_wait(f.h, waiter, f.behind), TARN_OK);
    assert_int_equal(world_fill(f.h, waiter, WORLD_BASE + 8 * WORLD_PAGE, 5, 100), TARN_OK);
    assert_int_equal(tn_host_stream_query(f.h, waiter), TARN_NOT_READY);
    world_unblock(&f.block);
    assert_int_equal(tn_host_stream_synchronize(f.h, waiter, UINT64_MAX), TARN_OK);
    assert_int_equal(*world_at(f.h, WORLD_BASE + 8 * WORLD_PAGE), 5);
    assert_faulted(tn_host_event_synchronize(f.h, f.behind, UINT64_MAX));
    assert_faulted(tn_host_event_query(f.h, f.behind));
    assert_faulted(tn_host_event_elapsed(f.h, f.behind, f.behind, &elapsed));
    assert_int_equal(elapsed, 42);
    tn_host_stream_destroy(f.h, f.stream);
    assert_faulted(tn_host_event_query(f.h, f.behind)); // also when the stream is gone
    assert_int_equal(tn_host_event_record(f.h, f.behind, waiter), TARN_OK);
    assert_int_equal(tn_host_event_query(f.h, f.behind), TARN_OK);
    tn_host_stream_destroy(f.h, waiter);
    faulty_close(&f);
}

static void *synchronize_event(void *arg) {
    struct faulty *f = (struct faulty *)arg;
    assert_faulted(tn_host_event_synchronize(f->h, f->behind, UINT64_MAX));
    return NULL;
}

static void a_thread_that_waits_behind_a_violation_is_told(void **state) {
    struct faulty f;
    pthread_t thread;
    (void)state;
    faulty_open(&f);
    pthread_create(&thread, NULL, synchronize_event, &f);
    nap_ms(5);
    world_unblock(&f.block);
    pthread_join(thread, NULL);
    tn_host_stream_destroy(f.h, f.stream);
    faulty_close(&f);
}

// The wait behind the fault is for an event that does not pass before the stream is destroyed.
static void a_faulty_stream_waits_for_nothing_further(void **state) {
    struct faulty f;
    void *other, *never;
    struct world_block block;
    (void)state;
    faulty_open(&f);
    other = world_stream(f.h, 1);
    never = world_event(f.h);
    world_block(f.h, other, &block);
    assert_int_equal(tn_host_event_record(f.h, never, other), TARN_OK);
    assert_int_equal(tn_host_stream_wait(f.h, f.stream, never), TARN_OK);
    world_unblock(&f.block);
    assert_faulted(tn_host_stream_synchronize(f.h, f.stream, UINT64_MAX));
    tn_host_stream_destroy(f.h, f.stream);
    assert_int_equal(tn_host_event_query(f.h, never), TARN_NOT_READY);
    world_unblock(&block);
    tn_host_stream_destroy(f.h, other);
    tn_host_event_destroy(f.h, never);
    faulty_close(&f);
}

static void a_violation_on_the_spot_is_the_streams_not_the_calls(void **state) {
    struct tn_host *h = world_open(1);
    void *stream = world_stream(h, 0);
    tarn_error error;
    (void)state;
    world_set_mapped(h, 2, false);
    tarn_clear_error();
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 9, 3 * WORLD_PAGE), TARN_OK);
    assert_int_equal(tarn_last_error(NULL), TARN_OK);
    assert_faulted(tn_host_stream_query(h, stream));
    tn_host_stream_destroy(h, stream);

    stream = world_stream(h, 0);
    (void)tn_fail_native(TARN_SYSTEM, "open", 2, "said before");
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 9, 3 * WORLD_PAGE), TARN_OK);
    assert_int_equal(tarn_last_error(&error), TARN_SYSTEM);
    assert_string_equal(error.message, "said before");
    assert_string_equal(error.call, "open");
    assert_int_equal(error.native_code, 2);
    assert_faulted(tn_host_stream_synchronize(h, stream, UINT64_MAX));
    world_close(h);
}

// ---- fork

// ThreadSanitizer aborts a child that starts threads.
#if defined(__SANITIZE_THREAD__)
#define THREADS_AFTER_FORK false
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREADS_AFTER_FORK false
#endif
#endif
#ifndef THREADS_AFTER_FORK
#define THREADS_AFTER_FORK true
#endif

static bool a_new_platform_works(void) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    atomic_int ran = 0;
    tarn_status status = world_fill(h, stream, WORLD_BASE, 1, 4096);
    if (THREADS_AFTER_FORK && status == TARN_OK)
        status = tn_host_stream_call(h, stream, set_flag, &ran);
    bool good = status == TARN_OK && tn_host_stream_synchronize(h, stream, UINT64_MAX) == TARN_OK &&
                atomic_load(&ran) == THREADS_AFTER_FORK;
    world_close(h);
    return good;
}

static bool the_old_one_says_forked(struct tn_host *h, void *stream, void *pending, void *passed) {
    void *created = NULL;
    atomic_int ran = 0;
    return tn_host_stream_query(h, stream) == TARN_FORKED &&
           tn_host_stream_synchronize(h, stream, UINT64_MAX) == TARN_FORKED &&
           tn_host_stream_call(h, stream, set_flag, &ran) == TARN_FORKED &&
           tn_host_stream_wait(h, stream, pending) == TARN_FORKED &&
           world_fill(h, stream, WORLD_BASE, 1, 1) == TARN_FORKED &&
           tn_host_event_record(h, passed, stream) == TARN_FORKED &&
           tn_host_stream_create(h, 0, &created) == TARN_FORKED && created == NULL &&
           tn_host_event_query(h, pending) == TARN_FORKED &&
           tn_host_event_synchronize(h, pending, UINT64_MAX) == TARN_FORKED &&
           tn_host_event_query(h, passed) == TARN_OK &&
           tn_host_device_synchronize(h, 0, UINT64_MAX) == TARN_OK;
}

static int in_the_child(struct tn_host *h, void *stream, void *pending, void *passed,
                        const atomic_int *ran) {
    bool good = a_new_platform_works() && the_old_one_says_forked(h, stream, pending, passed);
    tn_host_event_destroy(h, pending);
    tn_host_event_destroy(h, passed);
    world_close(h);
    return good && atomic_load(ran) == 0 ? 0 : 1;
}

static void fork_as_the_platform_does(struct tn_host *h, pid_t *child) {
    pthread_rwlock_wrlock(&h->lock);
    tn_host_engine_fork_prepare(&h->engine);
    *child = fork();
    if (*child == 0)
        tn_host_engine_fork_child(&h->engine);
    else
        tn_host_engine_fork_parent(&h->engine);
    pthread_rwlock_unlock(&h->lock);
}

static void a_child_does_not_run_the_parents_work(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    void *pending = world_event(h);
    void *passed = world_event(h);
    struct world_block block;
    atomic_int ran = 0;
    pid_t child;
    int result = -1;
    (void)state;
    assert_int_equal(tn_host_event_record(h, passed, stream), TARN_OK);
    world_block(h, stream, &block);
    assert_int_equal(tn_host_stream_call(h, stream, set_flag, &ran), TARN_OK);
    assert_int_equal(world_fill(h, stream, WORLD_BASE, 1, 300 * KIB), TARN_OK);
    assert_int_equal(tn_host_event_record(h, pending, stream), TARN_OK);
    fork_as_the_platform_does(h, &child);
    if (child == 0) _exit(in_the_child(h, stream, pending, passed, &ran));
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
    world_unblock(&block);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_int_equal(atomic_load(&ran), 1);
    assert_int_equal(*world_at(h, WORLD_BASE + 300 * KIB - 1), 1);
    tn_host_event_destroy(h, pending);
    tn_host_event_destroy(h, passed);
    world_close(h);
}

// Idle workers would otherwise look for parts all the time, without finding any.
struct offers {
    struct tn_host_engine *engine;
    bool offered;
    unsigned places;
};

static void look_for_offers(void *arg, uint64_t part) {
    struct offers *offers = (struct offers *)arg;
    (void)part;
    tn_host_engine_lock(offers->engine);
    offers->offered = offers->engine->parallels != NULL;
    offers->places = offers->engine->parallel_places;
    tn_host_engine_unlock(offers->engine);
}

static void a_function_of_one_part_offers_no_place(void **state) {
    struct tn_host *h = world_open(2);
    void *stream = world_stream(h, 0);
    struct offers offers = {&h->engine, true, 1};
    (void)state;
    assert_int_equal(tn_host_stream_run(h, stream, look_for_offers, &offers, 1), TARN_OK);
    assert_int_equal(tn_host_stream_synchronize(h, stream, UINT64_MAX), TARN_OK);
    assert_false(offers.offered);
    assert_int_equal(offers.places, 0);
    world_close(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_runs_in_the_order_given),
        cmocka_unit_test(no_thread_starts_before_work_needs_one),
        cmocka_unit_test(a_small_copy_on_an_empty_stream_is_done_at_once),
        cmocka_unit_test(a_small_copy_behind_work_keeps_its_place),
        cmocka_unit_test(a_small_copy_waits_for_an_event_too),
        cmocka_unit_test(streams_run_beside_each_other),
        cmocka_unit_test(a_stream_that_waits_costs_no_worker),
        cmocka_unit_test(a_wait_means_the_record_of_its_time),
        cmocka_unit_test(an_event_never_recorded_holds_nobody),
        cmocka_unit_test(an_event_may_be_destroyed_while_streams_wait_for_it),
        cmocka_unit_test(elapsed_time_is_that_between_the_records),
        cmocka_unit_test(destroying_a_stream_waits_for_its_work),
        cmocka_unit_test(waiting_for_a_device_waits_for_all_its_streams_and_no_other),
        cmocka_unit_test(who_waits_does_copies_and_no_host_functions),
        cmocka_unit_test(who_has_a_deadline_does_only_what_nobody_else_can),
        cmocka_unit_test(thousands_of_streams_share_two_threads),
        cmocka_unit_test(a_chain_of_waits_is_freed_to_its_end),
        cmocka_unit_test(a_violation_sticks_to_the_stream),
        cmocka_unit_test(who_follows_a_violation_fails_in_its_turn),
        cmocka_unit_test(who_waits_behind_a_violation_goes_on),
        cmocka_unit_test(a_thread_that_waits_behind_a_violation_is_told),
        cmocka_unit_test(a_faulty_stream_waits_for_nothing_further),
        cmocka_unit_test(a_violation_on_the_spot_is_the_streams_not_the_calls),
        cmocka_unit_test(a_child_does_not_run_the_parents_work),
        cmocka_unit_test(a_function_of_one_part_offers_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
