// SPDX-License-Identifier: Apache-2.0
// Callbacks on a thread of the program: subscriptions, order, blocking, and their end.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/work.h"

#define BLOCK    ACL_CALLBACK_BLOCK
#define NO_BLOCK ACL_CALLBACK_NO_BLOCK

// A thread that serves callbacks until it is stopped, begun before it is subscribed.
struct server {
    pthread_t thread;
    _Atomic(bool) stop;
    _Atomic(int) unexpected;
};

static void *serve(void *arg) {
    struct server *server = arg;
    while (!server->stop) {
        aclError error = aclrtProcessReport(5);
        if (error == ACL_ERROR_RT_THREAD_SUBSCRIBE)
            usleep(200);
        else if (error != 0 && error != ACL_ERROR_RT_REPORT_TIMEOUT)
            server->unexpected = error;
    }
    return NULL;
}

static void start_server(struct server *server) {
    *server = (struct server){.stop = false};
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void stop_server(struct server *server) {
    server->stop = true;
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    assert_int_equal(server->unexpected, 0);
}

static aclrtStream make_stream(void) {
    aclrtStream stream = NULL;
    assert_acl_ok(aclrtCreateStream(&stream));
    return stream;
}

static uint64_t id_of(pthread_t thread) { return (uint64_t)thread; }

// ---- subscriptions

static void one_thread_serves_a_stream(void **state) {
    aclrtStream stream = make_stream();
    aclrtStream other = make_stream();
    uint64_t self = id_of(pthread_self());
    (void)state;
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    assert_acl(aclrtSubscribeReport(self + 1, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_acl(aclrtSubscribeReport(self, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_acl_ok(aclrtSubscribeReport(self, other));
    assert_acl(aclrtLaunchCallback(count, NULL, NO_BLOCK, NULL), ACL_ERROR_RT_STREAM_NO_CB_REG);
    assert_acl(aclrtUnSubscribeReport(self + 1, stream), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl(aclrtUnSubscribeReport(self, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_acl(aclrtLaunchCallback(count, NULL, NO_BLOCK, stream), ACL_ERROR_RT_STREAM_NO_CB_REG);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtDestroyStream(other)); // with its subscription
    assert_acl(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

static void a_thread_serves_streams_of_one_device(void **state) {
    aclrtStream stream = make_stream();
    uint64_t self = id_of(pthread_self());
    (void)state;
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    assert_acl_ok(aclrtSetDevice(1));
    assert_acl(aclrtSubscribeReport(self, NULL), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    assert_acl(aclrtUnSubscribeReport(self, stream), ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl_ok(aclrtResetDevice(1));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void more_than_1024_threads_are_refused(void **state) {
    enum { THREADS = 1024 };
    aclrtStream *streams = calloc(THREADS + 1, sizeof(aclrtStream));
    (void)state;
    assert_non_null(streams);
    for (int i = 0; i <= THREADS; i++) {
        streams[i] = make_stream();
        assert_acl(aclrtSubscribeReport((uint64_t)i + 1, streams[i]),
                   i < THREADS ? 0 : ACL_ERROR_RT_INTERNAL_ERROR);
    }
    for (int i = 0; i <= THREADS; i++) assert_acl_ok(aclrtDestroyStream(streams[i]));
    free(streams);
}

static void host_functions_and_subscriptions_exclude_each_other(void **state) {
    aclrtStream stream = make_stream();
    uint64_t self = id_of(pthread_self());
    _Atomic(int) counter = 0;
    (void)state;
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    assert_acl(aclrtLaunchHostFunc(stream, count, &counter), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, count, &counter));
    assert_acl(aclrtSubscribeReport(self, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_acl(aclrtLaunchCallback(count, &counter, BLOCK, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_int_equal(counter, 1);
}

static void bad_arguments_are_refused(void **state) {
    aclrtStream stream = make_stream();
    uint64_t self = id_of(pthread_self());
    (void)state;
    assert_acl(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtProcessReport(-2), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    assert_acl(aclrtLaunchCallback(count, NULL, (aclrtCallbackBlockType)2, stream),
               ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtLaunchCallback(NULL, NULL, BLOCK, stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtSubscribeReport(self, &self), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtProcessReport(20), ACL_ERROR_RT_REPORT_TIMEOUT);
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl_ok(aclrtDestroyStream(stream));
}

// ---- callbacks

struct look {
    const unsigned char *memory; // pinned
    _Atomic(int) seen;
    pthread_t thread;
};

static void sleep_and_look(void *arg) {
    struct look *look = arg;
    usleep(50000);
    look->thread = pthread_self();
    look->seen = look->memory[0];
}

static void a_blocking_callback_holds_the_stream(void **state) {
    unsigned char *memory = pinned_bytes(64, 1);
    aclrtStream stream = make_stream();
    struct server server;
    struct look look = {.memory = memory, .seen = -1};
    (void)state;
    start_server(&server);
    assert_acl_ok(aclrtSubscribeReport(id_of(server.thread), stream));
    assert_acl_ok(aclrtLaunchCallback(sleep_and_look, &look, BLOCK, stream));
    assert_acl_ok(aclrtMemsetAsync(memory, 64, 2, 64, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_int_equal(look.seen, 1);
    assert_true(pthread_equal(look.thread, server.thread));
    assert_acl_ok(aclrtUnSubscribeReport(id_of(server.thread), stream));
    stop_server(&server);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtFreeHost(memory));
}

static void other_callbacks_do_not(void **state) {
    unsigned char *memory = pinned_bytes(64, 1);
    aclrtStream stream = make_stream();
    uint64_t self = id_of(pthread_self());
    struct look look = {.memory = memory, .seen = -1};
    (void)state;
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    assert_acl_ok(aclrtLaunchCallback(sleep_and_look, &look, NO_BLOCK, stream));
    assert_acl_ok(aclrtMemsetAsync(memory, 64, 2, 64, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_int_equal(look.seen, -1);
    assert_acl_ok(aclrtProcessReport(-1));
    assert_int_equal(look.seen, 2);
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtFreeHost(memory));
}

struct entry {
    int *list;
    int *used;
    int number;
};

static void append_number(void *arg) {
    const struct entry *entry = arg;
    entry->list[(*entry->used)++] = entry->number;
}

static void callbacks_run_in_the_order_of_the_stream(void **state) {
    enum { CALLS = 50 };
    aclrtStream stream = make_stream();
    uint64_t self = id_of(pthread_self());
    struct entry entries[CALLS];
    int list[CALLS];
    int used = 0;
    (void)state;
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    for (int i = 0; i < CALLS; i++) {
        entries[i] = (struct entry){list, &used, i};
        assert_acl_ok(
            aclrtLaunchCallback(append_number, &entries[i], i % 2 == 0 ? BLOCK : NO_BLOCK, stream));
    }
    while (used < CALLS) assert_acl_ok(aclrtProcessReport(-1));
    for (int i = 0; i < CALLS; i++) assert_int_equal(list[i], i);
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void an_unsubscribed_thread_stops_waiting(void **state) {
    aclrtStream stream = make_stream();
    struct server server;
    _Atomic(int) counter = 0;
    (void)state;
    start_server(&server);
    for (int i = 0; i < 20; i++) { // also while it waits and while it runs
        assert_acl_ok(aclrtSubscribeReport(id_of(server.thread), stream));
        assert_acl_ok(aclrtLaunchCallback(count, &counter, BLOCK, stream));
        assert_acl_ok(aclrtSynchronizeStream(stream));
        assert_acl_ok(aclrtUnSubscribeReport(id_of(server.thread), stream));
    }
    assert_int_equal(counter, 20);
    stop_server(&server);
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void a_callback_of_an_ended_subscription_is_dropped(void **state) {
    aclrtStream stream = make_stream();
    uint64_t self = id_of(pthread_self());
    _Atomic(int) counter = 0;
    (void)state;
    assert_acl_ok(aclrtSubscribeReport(self, stream));
    assert_acl_ok(aclrtLaunchCallback(count, &counter, BLOCK, stream));
    assert_acl_ok(aclrtUnSubscribeReport(self, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream)); // does not hang
    assert_int_equal(counter, 0);
    assert_acl_ok(aclrtDestroyStream(stream));
}

// A word of device memory that lets the work behind it begin.
static aclrtStream make_held_stream(uint64_t **word) {
    aclrtStream stream = make_stream();
    *word = (uint64_t *)device_bytes(64, 0);
    assert_acl_ok(aclrtSubscribeReport(id_of(pthread_self()), stream));
    assert_acl_ok(aclrtValueWait(*word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
    return stream;
}

static void a_callback_that_is_reached_after_its_subscription_is_dropped(void **state) {
    uint64_t *word = NULL;
    aclrtStream stream = make_held_stream(&word);
    _Atomic(int) counter = 0;
    (void)state;
    assert_acl_ok(aclrtLaunchCallback(count, &counter, BLOCK, stream));
    assert_acl_ok(aclrtUnSubscribeReport(id_of(pthread_self()), stream));
    assert_acl_ok(aclrtValueWrite(word, 1, 0, NULL));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_int_equal(counter, 0);
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtFree(word));
}

static void an_aborted_callback_is_dropped(void **state) {
    uint64_t *word = NULL;
    aclrtStream stream = make_held_stream(&word);
    _Atomic(int) counter = 0;
    (void)state;
    assert_acl_ok(aclrtLaunchCallback(count, &counter, BLOCK, stream));
    assert_acl_ok(aclrtStreamAbort(stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
    assert_int_equal(counter, 0);
    assert_acl_ok(aclrtUnSubscribeReport(id_of(pthread_self()), stream));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtFree(word));
}

static void the_streams_of_a_thread_end_one_by_one(void **state) {
    aclrtStream streams[] = {make_stream(), make_stream(), make_stream()};
    uint64_t self = id_of(pthread_self());
    _Atomic(int) counter = 0;
    (void)state;
    for (int i = 0; i < 3; i++) assert_acl_ok(aclrtSubscribeReport(self, streams[i]));
    for (int i = 0; i < 3; i++) {
        assert_acl_ok(aclrtLaunchCallback(count, &counter, NO_BLOCK, streams[2]));
        assert_acl_ok(aclrtProcessReport(-1));
        assert_int_equal(counter, i + 1);
        assert_acl_ok(aclrtUnSubscribeReport(self, streams[i]));
        assert_acl_ok(aclrtDestroyStream(streams[i]));
    }
    assert_acl(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

struct slow {
    _Atomic(bool) runs;
    _Atomic(bool) done;
};

static void run_slowly(void *arg) {
    struct slow *slow = arg;
    slow->runs = true;
    usleep(50000);
    slow->done = true;
}

static void an_unsubscription_waits_for_the_callback_that_runs(void **state) {
    aclrtStream stream = make_stream();
    struct server server;
    struct slow slow = {false, false};
    (void)state;
    start_server(&server);
    assert_acl_ok(aclrtSubscribeReport(id_of(server.thread), stream));
    assert_acl_ok(aclrtLaunchCallback(run_slowly, &slow, NO_BLOCK, stream));
    while (!slow.runs) usleep(100);
    assert_acl_ok(aclrtUnSubscribeReport(id_of(server.thread), stream));
    assert_true(slow.done);
    stop_server(&server);
    assert_acl_ok(aclrtDestroyStream(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(one_thread_serves_a_stream),
        WITH_DEVICE(a_thread_serves_streams_of_one_device),
        WITH_DEVICE(more_than_1024_threads_are_refused),
        WITH_DEVICE(host_functions_and_subscriptions_exclude_each_other),
        WITH_DEVICE(bad_arguments_are_refused),
        WITH_DEVICE(a_blocking_callback_holds_the_stream),
        WITH_DEVICE(other_callbacks_do_not),
        WITH_DEVICE(callbacks_run_in_the_order_of_the_stream),
        WITH_DEVICE(an_unsubscribed_thread_stops_waiting),
        WITH_DEVICE(a_callback_of_an_ended_subscription_is_dropped),
        WITH_DEVICE(a_callback_that_is_reached_after_its_subscription_is_dropped),
        WITH_DEVICE(an_aborted_callback_is_dropped),
        WITH_DEVICE(the_streams_of_a_thread_end_one_by_one),
        WITH_DEVICE(an_unsubscription_waits_for_the_callback_that_runs),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
