// SPDX-License-Identifier: Apache-2.0
// Events that processes share. The other process is a child of a fork, which opens the device anew.
#include "support/api.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The other process: requests go to it, and answers come back.
struct peer {
    pid_t pid;
    int to;
    int from;
};

static char ask(const struct peer *peer, char request) {
    char answer = 0;
    assert_int_equal(write(peer->to, &request, 1), 1);
    assert_int_equal(read(peer->from, &answer, 1), 1);
    return answer;
}

static tarn_status never(void *arg, bool dropped) {
    (void)arg;
    return dropped ? TARN_OK : TARN_NOT_READY;
}

static tarn_status when_set(void *arg, bool dropped) {
    return dropped || atomic_load((_Atomic bool *)arg) ? TARN_OK : TARN_NOT_READY;
}

// The child: owns an event, and obeys. Each answer is a status, as a character.
struct child {
    tarn_device *device;
    tarn_stream stream;
    tarn_event event;
    _Atomic bool go;
};

static void obey(struct child *c, char request) {
    switch (request) {
    case 'h': // holds the stream until 'g'
        c->go = false;
        assert_ok(tarn_stream_wait_until(c->stream, when_set, (void *)(uintptr_t)&c->go));
        break;
    case 'H': // for ever
        assert_ok(tarn_stream_wait_until(c->stream, never, NULL));
        break;
    case 'g': c->go = true; break;
    case 'r': assert_ok(tarn_event_record(c->event, c->stream)); break;
    case 's': assert_ok(tarn_stream_synchronize(c->stream, TARN_FOREVER)); break;
    default: _exit(0);
    }
}

static void run_child(int in, int out) {
    struct child c = {0};
    tarn_key key;
    char request;
    assert_ok(tarn_device_open(getenv("TARN_TEST_DEVICE"), &c.device));
    assert_ok(tarn_stream_create(c.device, &c.stream));
    assert_ok(tarn_event_create_shared(c.device, &c.event));
    assert_ok(tarn_event_export(c.event, &key));
    assert_int_equal(write(out, &key, sizeof key), sizeof key);
    while (read(in, &request, 1) == 1) {
        obey(&c, request);
        assert_int_equal(write(out, "k", 1), 1);
    }
    _exit(0);
}

static void start(struct api *api, struct peer *peer, tarn_key *key) {
    int there[2];
    int back[2];
    api_need(api, TARN_FEATURE_CONDITIONS);
    assert_int_equal(pipe(there), 0);
    assert_int_equal(pipe(back), 0);
    peer->pid = fork();
    assert_true(peer->pid >= 0);
    if (peer->pid == 0) {
        (void)close(there[1]);
        (void)close(back[0]);
        run_child(there[0], back[1]);
    }
    (void)close(there[0]);
    (void)close(back[1]);
    peer->to = there[1];
    peer->from = back[0];
    assert_int_equal(read(peer->from, key, sizeof *key), sizeof *key);
}

static void stop(const struct peer *peer) {
    (void)close(peer->to);
    (void)close(peer->from);
    assert_int_equal(waitpid(peer->pid, NULL, 0), peer->pid);
}

static void a_stream_waits_for_a_record_of_another_process(void **state) {
    struct api *api = *state;
    struct peer peer;
    tarn_key key;
    tarn_event event = 0;
    tarn_stream stream = 0;
    start(api, &peer, &key);
    assert_ok(tarn_event_import(api->device, &key, &event));
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_event_query(event)); // never recorded
    assert_ok(tarn_stream_wait(stream, event, 0));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    (void)ask(&peer, 'h');
    (void)ask(&peer, 'r');
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    assert_status(tarn_event_synchronize(event, 1000000), TARN_TIMED_OUT);
    assert_ok(tarn_stream_wait(stream, event, 0));
    assert_status(tarn_stream_synchronize(stream, 5000000), TARN_TIMED_OUT);
    (void)ask(&peer, 'g');
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_event_query(event));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_event_destroy(event));
    stop(&peer);
}

// A wait means the record that was the last when the wait was enqueued.
static void a_later_record_does_not_hold_a_wait(void **state) {
    struct api *api = *state;
    struct peer peer;
    tarn_key key;
    tarn_event event = 0;
    tarn_stream stream = 0;
    start(api, &peer, &key);
    assert_ok(tarn_event_import(api->device, &key, &event));
    assert_ok(tarn_stream_create(api->device, &stream));
    (void)ask(&peer, 'h');
    (void)ask(&peer, 'r');
    assert_ok(tarn_stream_wait(stream, event, 0));
    (void)ask(&peer, 'H');
    (void)ask(&peer, 'r');
    (void)ask(&peer, 'g');
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    (void)kill(peer.pid, SIGKILL);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_event_destroy(event));
    stop(&peer);
}

// Records of this process are seen by it, and order its own streams.
static void an_importer_records_too(void **state) {
    struct api *api = *state;
    struct peer peer;
    tarn_key key;
    tarn_event event = 0;
    tarn_stream first = 0;
    tarn_stream second = 0;
    _Atomic bool go = false;
    start(api, &peer, &key);
    assert_ok(tarn_event_import(api->device, &key, &event));
    assert_ok(tarn_stream_create(api->device, &first));
    assert_ok(tarn_stream_create(api->device, &second));
    assert_ok(tarn_stream_wait_until(first, when_set, (void *)(uintptr_t)&go));
    assert_ok(tarn_event_record(event, first));
    assert_status(tarn_event_query(event), TARN_NOT_READY);
    assert_ok(tarn_stream_wait(second, event, 0));
    assert_status(tarn_stream_query(second), TARN_NOT_READY);
    go = true;
    assert_ok(tarn_stream_synchronize(second, TARN_FOREVER));
    assert_ok(tarn_event_query(event));
    assert_ok(tarn_stream_destroy(first));
    assert_ok(tarn_stream_destroy(second));
    assert_ok(tarn_event_destroy(event));
    stop(&peer);
}

static void the_end_of_a_process_ends_waits_for_its_record(void **state) {
    struct api *api = *state;
    struct peer peer;
    tarn_key key;
    tarn_event event = 0;
    tarn_stream stream = 0;
    tarn_error error;
    start(api, &peer, &key);
    assert_ok(tarn_event_import(api->device, &key, &event));
    assert_ok(tarn_stream_create(api->device, &stream));
    (void)ask(&peer, 'r');
    (void)ask(&peer, 's');
    (void)ask(&peer, 'H');
    (void)ask(&peer, 'r');
    assert_ok(tarn_stream_wait(stream, event, 0));
    assert_int_equal(kill(peer.pid, SIGKILL), 0); // it stays a zombie until stop()
    assert_status(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "ended before"));
    assert_status(tarn_event_synchronize(event, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_ok(tarn_stream_destroy(stream));
    stop(&peer);
    assert_status(tarn_event_query(event), TARN_DEVICE_FAILED);
    assert_ok(tarn_event_destroy(event));
    assert_status(tarn_event_import(api->device, &key, &event), TARN_BAD_HANDLE);
}

static void a_record_that_has_passed_outlives_its_process(void **state) {
    struct api *api = *state;
    struct peer peer;
    tarn_key key;
    tarn_event event = 0;
    start(api, &peer, &key);
    assert_ok(tarn_event_import(api->device, &key, &event));
    (void)ask(&peer, 'r');
    (void)ask(&peer, 's');
    stop(&peer);
    assert_ok(tarn_event_query(event));
    assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
    assert_ok(tarn_event_destroy(event));
}

static void too_many_pending_records_are_refused(void **state) {
    struct api *api = *state;
    tarn_event event = 0;
    tarn_stream stream = 0;
    _Atomic bool go = false;
    unsigned made = 0;
    api_need(api, TARN_FEATURE_CONDITIONS);
    assert_ok(tarn_event_create_shared(api->device, &event));
    assert_ok(tarn_stream_create(api->device, &stream));
    assert_ok(tarn_stream_wait_until(stream, when_set, (void *)(uintptr_t)&go));
    tarn_status status;
    while ((status = tarn_event_record(event, stream)) == TARN_OK) made++;
    assert_int_equal(status, TARN_NO_HANDLES);
    assert_int_equal(made, 496);
    go = true;
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    for (int i = 0; i < 1000; i++) { // the slots go round
        assert_ok(tarn_event_record(event, stream));
        assert_ok(tarn_event_synchronize(event, TARN_FOREVER));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    }
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_event_destroy(event));
}

static void bad_keys_and_events_are_refused(void **state) {
    struct api *api = *state;
    tarn_event plain = 0;
    tarn_event shared = 0;
    tarn_event other = 0;
    tarn_key key = {{0}};
    tarn_key again;
    if ((api->info.features & TARN_FEATURE_CONDITIONS) == 0) {
        assert_status(tarn_event_create_shared(api->device, &shared), TARN_UNSUPPORTED);
        assert_status(tarn_event_import(api->device, &key, &shared), TARN_UNSUPPORTED);
        return;
    }
    assert_status(tarn_event_import(api->device, &key, &other), TARN_BAD_HANDLE);
    assert_ok(tarn_event_create(api->device, &plain));
    assert_status(tarn_event_export(plain, &key), TARN_BAD_ARGUMENT);
    assert_ok(tarn_event_create_shared(api->device, &shared));
    assert_status(tarn_event_export(shared, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_event_export(shared, &key));
    assert_ok(tarn_event_export(shared, &again));
    assert_memory_equal(&key, &again, sizeof key);
    assert_status(tarn_event_import(api->device, &key, &other), TARN_BAD_ARGUMENT); // its own
    assert_status(tarn_event_import(api->device, NULL, &other), TARN_BAD_ARGUMENT);
    assert_status(tarn_event_create_shared(api->device, NULL), TARN_BAD_ARGUMENT);
    key.bytes[8] ^= 1u;
    assert_status(tarn_event_import(api->device, &key, &other), TARN_BAD_HANDLE);
    assert_ok(tarn_event_destroy(plain));
    assert_ok(tarn_event_destroy(shared));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, api_setup, api_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_stream_waits_for_a_record_of_another_process),
        TEST(a_later_record_does_not_hold_a_wait),
        TEST(an_importer_records_too),
        TEST(the_end_of_a_process_ends_waits_for_its_record),
        TEST(a_record_that_has_passed_outlives_its_process),
        TEST(too_many_pending_records_are_refused),
        TEST(bad_keys_and_events_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
