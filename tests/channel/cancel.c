// SPDX-License-Identifier: Apache-2.0
// pthread_cancel(): the thread that leads an arena's wait set is cancelled, and the others go on
// waiting and receiving. A thread with a pending cancellation is ended by no call.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "support/channel.h"

// ---- a waiter that is cancelled

struct waiter {
    tarn_channel *end;
    uint64_t timeout_ns;
    tarn_status status;
    const tarn_delivery *delivery;
    pthread_t thread;
    _Atomic bool *cancelled; // NULL: it is not
};

static void *receive_one(void *arg) {
    struct waiter *w = (struct waiter *)arg;
    w->status = tarn_channel_receive(w->end, w->timeout_ns, &w->delivery);
    while (w->cancelled != NULL && !*w->cancelled) (void)sched_yield();
    pthread_testcancel();
    return NULL;
}

static void wait_until_asleep(tarn_channel *end) {
    struct timespec nap = {0, 1000000};
    while (channel_stats(end).sleeps == 0) (void)nanosleep(&nap, NULL);
}

static void cancelled_leader_finishes_its_call_and_others_go_on(void **state) {
    struct pair *p = (struct pair *)*state;
    _Atomic bool cancelled = false;
    struct waiter first = {.end = p->end[1], .timeout_ns = 200 * MS, .cancelled = &cancelled};
    struct waiter second = {.end = p->end[1], .timeout_ns = LONG_ENOUGH};
    void *result = NULL;
    assert_int_equal(pthread_create(&first.thread, NULL, receive_one, &first), 0);
    wait_until_asleep(p->end[1]);
    assert_int_equal(pthread_create(&second.thread, NULL, receive_one, &second), 0);
    assert_int_equal(pthread_cancel(first.thread), 0);
    cancelled = true;
    assert_int_equal(pthread_join(first.thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    assert_status(first.status, TARN_TIMED_OUT);
    assert_ok(channel_send(p->end[0], 0, NULL, 0));
    assert_int_equal(pthread_join(second.thread, &result), 0);
    assert_ok(second.status);
    assert_ok(tarn_channel_done(p->end[1], second.delivery));
}

// ---- a pending cancellation

struct round {
    struct pair *pair;
    const char *at;
    tarn_status status;
};

#define CALL(r, call, want)                                                                        \
    do {                                                                                           \
        (r)->at = #call;                                                                           \
        tarn_status got = (call);                                                                  \
        (r)->status = (r)->status == TARN_OK && got != (want) ? got : (r)->status;                 \
    } while (0)

static void use_sockets(struct round *r) {
    char name[64];
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = r->pair->arena[0];
    (void)snprintf(name, sizeof name, "@tarn-cancel-%d", (int)getpid());
    CALL(r, tarn_channel_connect(name, &desc, 5 * MS, &end), TARN_TIMED_OUT);
    CALL(r, tarn_channel_listen(name, &listener), TARN_OK);
    CALL(r, tarn_channel_accept(listener, &desc, 5 * MS, &end), TARN_TIMED_OUT);
    r->at = "tarn_listener_close";
    tarn_listener_close(listener);
}

static void use_channel(struct round *r) {
    struct pair *p = r->pair;
    const tarn_delivery *delivery = NULL;
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    tarn_message message = TARN_INIT(tarn_message);
    desc.bytes = 4 * MIB;
    CALL(r, tarn_arena_create(&desc, &arena), TARN_OK);
    CALL(r, tarn_arena_destroy(arena), TARN_OK);
    CALL(r, tarn_channel_receive(p->end[1], 5 * MS, &delivery), TARN_TIMED_OUT);
    CALL(r, tarn_channel_send(p->end[0], &message, channel_patience()), TARN_OK);
    CALL(r, tarn_channel_receive(p->end[1], LONG_ENOUGH, &delivery), TARN_OK);
    CALL(r, tarn_channel_done(p->end[1], delivery), TARN_OK);
    CALL(r, tarn_channel_flush(p->end[0], LONG_ENOUGH), TARN_OK);
    CALL(r, tarn_channel_close(p->end[0]), TARN_OK);
    CALL(r, tarn_channel_receive(p->end[1], LONG_ENOUGH, &delivery), TARN_PEER_GONE);
    p->end[0] = NULL;
}

static void *use_everything(void *arg) {
    struct round *r = (struct round *)arg;
    (void)pthread_cancel(pthread_self());
    use_sockets(r);
    use_channel(r);
    r->at = NULL;
    pthread_testcancel();
    return NULL;
}

static void no_call_is_a_cancellation_point(void **state) {
    struct round r = {.pair = (struct pair *)*state};
    void *result = NULL;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_everything, &r), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    if (r.at != NULL) print_error("cancelled in %s\n", r.at);
    assert_null(r.at);
    assert_status(r.status, TARN_OK);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

#define WITH_PAIR(test) cmocka_unit_test_setup_teardown(test, channel_setup, channel_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PAIR(cancelled_leader_finishes_its_call_and_others_go_on),
        WITH_PAIR(no_call_is_a_cancellation_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
