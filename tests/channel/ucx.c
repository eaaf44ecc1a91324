// SPDX-License-Identifier: Apache-2.0
// Claims about channels over UCX that differ from those over shared memory: the receiver has a copy
// of its own, the sender's parcel is back when it was sent, and what does not fit waits. Then peers
// that are other processes, among them one that is killed at any moment. 40 rounds of that;
// TARN_TEST_ROUNDS for more.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/channel.h"

static struct pair *of(void **state) { return (struct pair *)*state; }

static void nap(uint64_t ns) {
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    (void)nanosleep(&time, NULL);
}

// ---- whose the bytes are

static void receiver_has_a_copy_of_its_own(void **state) {
    struct pair *p = of(state);
    const uint64_t sizes[] = {1, 5000, 65535, 65536, 3110400};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *sent = (char *)channel_get(p->arena[0], sizes[i]);
        memset(sent, (int)i + 1, sizes[i]);
        assert_ok(channel_send(p->end[0], 2, sent, sizes[i]));
        const tarn_delivery *d = channel_next(p->end[1]);
        const char *got = (const char *)d->parcel;
        assert_int_equal(d->bytes, sizes[i]);
        assert_int_equal(got[0], i + 1);
        assert_int_equal(got[sizes[i] - 1], i + 1);
        assert_int_equal(channel_state(p->arena[1], got), TARN_PARCEL_OWNED);
        assert_ok(tarn_channel_flush(p->end[0], LONG_ENOUGH)); // although it is held there
        assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
        assert_ok(tarn_channel_done(p->end[1], d));
        assert_ok(tarn_parcel_free(p->arena[1], d->parcel));
    }
    assert_int_equal(channel_stats(p->end[0]).copies, 0);
}

static void received_parcel_can_be_sent_on_to_anyone(void **state) {
    struct pair *p = of(state);
    char *parcel = (char *)channel_get(p->arena[0], 100000);
    memcpy(parcel, "echo", 5);
    assert_ok(channel_send(p->end[0], 0, parcel, 100000));
    void *there = channel_take(p->end[1]);
    assert_ok(channel_send(p->end[1], 0, there, 100000));
    assert_status(channel_send(p->end[1], 0, there, 1), TARN_BAD_ADDRESS); // handed over
    char *back = (char *)channel_take(p->end[0]);
    assert_string_equal(back, "echo");
    assert_ok(tarn_parcel_free(p->arena[0], back));
}

static void manual_parcel_freed_at_once_arrives_whole(void **state) {
    struct pair *p = of(state);
    void *all = channel_get(p->arena[1], 32 * MIB); // so that it cannot land
    char *sent = (char *)channel_get_manual(p->arena[0], MIB);
    memset(sent, 7, MIB);
    assert_ok(channel_send(p->end[0], 0, sent, MIB));
    assert_int_equal(channel_state(p->arena[0], sent), TARN_PARCEL_SHARED);
    assert_ok(tarn_parcel_free(p->arena[0], sent));
    void *other = channel_get(p->arena[0], MIB);
    assert_ptr_not_equal(other, sent); // still on its way
    memset(other, 9, MIB);
    assert_ok(tarn_parcel_free(p->arena[1], all));
    char *got = (char *)channel_take(p->end[1]);
    assert_int_equal(got[0], 7);
    assert_int_equal(got[MIB - 1], 7);
    assert_ok(tarn_parcel_free(p->arena[1], got));
    assert_ok(tarn_parcel_free(p->arena[0], other));
}

static void manual_parcel_sent_twice_arrives_twice(void **state) {
    struct pair *p = of(state);
    void *sent = channel_get_manual(p->arena[0], 100);
    assert_ok(channel_send(p->end[0], 0, sent, 100));
    assert_ok(channel_send(p->end[0], 0, sent, 50));
    void *first = channel_take(p->end[1]);
    void *second = channel_take(p->end[1]);
    assert_ptr_not_equal(first, second);
    assert_ok(tarn_parcel_free(p->arena[1], first));
    assert_ok(tarn_parcel_free(p->arena[1], second));
    assert_ok(tarn_channel_flush(p->end[0], LONG_ENOUGH));
    assert_int_equal(channel_state(p->arena[0], sent), TARN_PARCEL_OWNED);
    assert_ok(tarn_parcel_free(p->arena[0], sent));
}

// ---- room

static void without_room_the_sender_keeps_its_frame(void **state) {
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    void *all = channel_get(p->arena[1], 32 * MIB);
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 4 * MIB), 4 * MIB));
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], 100), 100)); // behind it
    assert_status(tarn_channel_receive(p->end[1], 50 * MS, &d), TARN_TIMED_OUT);
    assert_true(channel_stats(p->end[0]).in_flight >= 1);
    assert_ok(tarn_parcel_free(p->arena[1], all));
    for (int i = 0; i < 2; i++) assert_ok(tarn_parcel_free(p->arena[1], channel_take(p->end[1])));
    assert_ok(tarn_channel_flush(p->end[0], LONG_ENOUGH));
}

static void message_that_can_never_land_is_refused(void **state) {
    struct pair own = {{channel_arena(32 * MIB), channel_arena(4 * MIB)}, {NULL, NULL}};
    (void)state;
    channel_join(own.arena[0], own.arena[1], NULL, &own.end[0], &own.end[1]);
    assert_ok(tarn_channel_open_port(own.end[1], 0, 4, 0));
    void *large = channel_get(own.arena[0], 8 * MIB);
    assert_status(channel_send(own.end[0], 0, large, 4 * MIB + 1), TARN_BAD_ARGUMENT);
    assert_ok(channel_send(own.end[0], 0, large, 4 * MIB));
    assert_ok(tarn_parcel_free(own.arena[1], channel_take(own.end[1])));
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
        channel_end_arena(own.arena[i]);
    }
}

// ---- meeting

static void addresses_are_checked(void **state) {
    const char *const bad[] = {"ucx://",           "ucx://127.0.0.1",      "ucx://:1",
                               "ucx://127.0.0.1:", "ucx://127.0.0.1:0",    "ucx://127.0.0.1:65536",
                               "ucx://[::1]",      "ucx://127.0.0.1:http", "ucx://256.0.0.1.:5000"};
    tarn_listener *listener = NULL;
    tarn_listener *second = NULL;
    const char *where = channel_ucx_address();
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_status(tarn_channel_listen(bad[i], &listener), TARN_BAD_ARGUMENT);
    assert_status(tarn_channel_listen(where, NULL), TARN_BAD_ARGUMENT);
    assert_ok(tarn_channel_listen(where, &listener));
    assert_status(tarn_channel_listen(where, &second), TARN_BUSY);
    tarn_listener_close(listener);
}

static void strangers_must_be_allowed(void **state) {
    tarn_arena *arena = channel_arena(4 * MIB);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    (void)state;
    desc.arena = arena;
    assert_ok(tarn_channel_listen(channel_ucx_address(), &listener));
    assert_status(tarn_channel_accept(listener, &desc, 0, &end), TARN_NO_ACCESS);
    assert_status(tarn_channel_connect("ucx://127.0.0.1:1", &desc, 0, &end), TARN_NO_ACCESS);
    tarn_listener_close(listener);
    channel_end_arena(arena);
}

static void nobody_there_is_a_matter_of_time(void **state) {
    tarn_arena *arena = channel_arena(4 * MIB);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    (void)state;
    desc.arena = arena;
    desc.flags = TARN_CHANNEL_ANY_USER;
    assert_status(tarn_channel_connect(channel_ucx_address(), &desc, 50 * MS, &end),
                  TARN_TIMED_OUT);
    assert_ok(tarn_channel_listen(channel_ucx_address(), &listener));
    assert_status(tarn_channel_accept(listener, &desc, 5 * MS, &end), TARN_TIMED_OUT);
    tarn_listener_close(listener);
    assert_null(end);
    channel_end_arena(arena);
}

// Bytes that no UCX would send, at the door: they harm nobody, and the next one is let in.
static void noise_at_the_door_is_no_peer(void **state) {
    struct pair own = {{channel_arena(4 * MIB), channel_arena(4 * MIB)}, {NULL, NULL}};
    const char *where = channel_ucx_address();
    char noise[4096];
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    struct sockaddr_in name = {.sin_family = AF_INET};
    (void)state;
    desc.arena = own.arena[0];
    desc.flags = TARN_CHANNEL_ANY_USER;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    name.sin_port = htons((uint16_t)atoi(strrchr(where, ':') + 1));
    assert_ok(tarn_channel_listen(where, &listener));
    memset(noise, 0x5a, sizeof noise);
    for (int i = 0; i < 20; i++) {
        int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_int_equal(connect(door, (struct sockaddr *)&name, sizeof name), 0);
        (void)!send(door, noise, (size_t)i * 200, MSG_NOSIGNAL);
        nap(MS);
        (void)close(door);
    }
    assert_int_not_equal(tarn_channel_accept(listener, &desc, 50 * MS, &end), TARN_OK);
    tarn_listener_close(listener);
    channel_join(own.arena[0], own.arena[1], NULL, &own.end[0], &own.end[1]);
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(own.end[i]));
        channel_end_arena(own.arena[i]);
    }
}

// ---- ends

static void what_was_sent_before_a_close_arrives(void **state) {
    struct pair *p = of(state);
    const tarn_delivery *d = NULL;
    for (int i = 0; i < 8; i++) {
        char *parcel = (char *)channel_get(p->arena[0], MIB);
        parcel[MIB - 1] = (char)i;
        assert_ok(channel_send(p->end[0], 0, parcel, MIB));
    }
    assert_ok(tarn_channel_close(p->end[0]));
    p->end[0] = NULL;
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    for (int i = 0; i < 8; i++) {
        char *got = (char *)channel_take(p->end[1]);
        assert_int_equal(got[MIB - 1], i);
        assert_ok(tarn_parcel_free(p->arena[1], got));
    }
    assert_status(tarn_channel_receive(p->end[1], LONG_ENOUGH, &d), TARN_PEER_GONE);
    assert_status(channel_send(p->end[1], 0, NULL, 0), TARN_PEER_GONE);
}

static void what_nobody_reads_is_freed(void **state) {
    struct pair *p = of(state);
    for (int i = 0; i < 5; i++) {
        assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], MIB), MIB));
        assert_ok(channel_send(p->end[1], 0, channel_get(p->arena[1], 10), 10));
    }
    for (int i = 0; i < 2; i++) { // the one that is left hears of it and closes too
        assert_ok(tarn_channel_close(p->end[i]));
        p->end[i] = NULL;
    }
    assert_int_equal(channel_arena_stats(p->arena[0]).live_parcels, 0);
    assert_int_equal(channel_arena_stats(p->arena[1]).live_parcels, 0);
}

static void *close_other(void *arg) {
    assert_ok(tarn_channel_close((tarn_channel *)arg));
    return NULL;
}

static void both_sides_may_close_at_once(void **state) {
    struct pair *p = of(state);
    pthread_t thread;
    assert_ok(channel_send(p->end[0], 0, channel_get(p->arena[0], MIB), MIB));
    assert_ok(channel_send(p->end[1], 0, channel_get(p->arena[1], MIB), MIB));
    assert_int_equal(pthread_create(&thread, NULL, close_other, p->end[1]), 0);
    assert_ok(tarn_channel_close(p->end[0]));
    assert_int_equal(pthread_join(thread, NULL), 0);
    p->end[0] = p->end[1] = NULL;
}

// ---- another process, which sends, echoes and keeps until it is killed

static uint64_t seed = 1;

static uint64_t draw(uint64_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void send_one(tarn_arena *arena, tarn_channel *end, uint64_t timeout_ns) {
    static char control[2000];
    tarn_message message = TARN_INIT(tarn_message);
    message.bytes = 1 + draw(300000);
    message.control = control;
    message.control_bytes = draw(10) == 0 ? sizeof control : 16;
    if (tarn_parcel_alloc(arena, message.bytes, 0, &message.parcel) == TARN_OK &&
        tarn_channel_send(end, &message, timeout_ns) != TARN_OK)
        (void)tarn_parcel_free(arena, message.parcel);
}

static tarn_status take_one(tarn_arena *arena, tarn_channel *end, uint64_t timeout_ns) {
    const tarn_delivery *d = NULL;
    tarn_status status = tarn_channel_receive(end, timeout_ns, &d);
    if (status == TARN_OK) {
        (void)tarn_parcel_free(arena, d->parcel);
        (void)tarn_channel_done(end, d);
    }
    return status;
}

static int victim(const char *address, uint64_t its_seed) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *end = NULL;
    arena_desc.bytes = 4 * MIB;
    desc.flags = TARN_CHANNEL_ANY_USER;
    seed = its_seed;
    if (tarn_arena_create(&arena_desc, &desc.arena) != TARN_OK ||
        tarn_channel_connect(address, &desc, LONG_ENOUGH, &end) != TARN_OK ||
        tarn_channel_open_port(end, 0, 8, 0) != TARN_OK)
        return 3;
    for (;;)
        if (draw(2) == 0)
            send_one(desc.arena, end, draw(2) * MS);
        else
            (void)take_one(desc.arena, end, draw(2) * MS);
}

// Sends and ends, without a flush or a close.
static int leaver(const char *address) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *end = NULL;
    desc.flags = TARN_CHANNEL_ANY_USER;
    desc.arena = channel_arena(32 * MIB);
    if (tarn_channel_connect(address, &desc, LONG_ENOUGH, &end) != TARN_OK) return 3;
    for (int i = 0; i < 8; i++) {
        tarn_message message = TARN_INIT(tarn_message);
        message.bytes = 3 * MIB;
        message.parcel = channel_get(desc.arena, message.bytes);
        if (tarn_channel_send(end, &message, LONG_ENOUGH) != TARN_OK) return 4;
    }
    return 0;
}

#define LEAVER -1
static pid_t start_victim(const char *address, int round) {
    char number[16];
    (void)snprintf(number, sizeof number, "%d", round);
    pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "victim", address, number, (char *)NULL);
        _exit(2);
    }
    return child;
}

// Sends and receives until it hears that nobody is there.
static void live_through(tarn_arena *arena, tarn_channel *end, pid_t child, uint64_t delay_ns) {
    uint64_t kill_at = channel_now_ns() + delay_ns;
    tarn_status status = TARN_OK;
    bool alive = true;
    int ended;
    assert_ok(tarn_channel_open_port(end, 0, 8, 0));
    while (status != TARN_PEER_GONE) {
        if (alive && channel_now_ns() >= kill_at) {
            assert_int_equal(kill(child, SIGKILL), 0);
            assert_int_equal(waitpid(child, &ended, 0), child);
            alive = false;
        }
        send_one(arena, end, draw(2) * MS);
        status = take_one(arena, end, draw(3) * MS);
    }
    assert_false(alive);
}

// Kills it before, while or after the two have met.
static void meet_the_dying(tarn_listener *listener, const tarn_channel_desc *desc, pid_t child) {
    tarn_channel *end = NULL;
    int ended;
    nap(draw(40 * MS));
    assert_int_equal(kill(child, SIGKILL), 0);
    tarn_status status = tarn_channel_accept(listener, desc, 20 * MS, &end);
    assert_true(status == TARN_OK || status == TARN_PEER_GONE || status == TARN_TIMED_OUT);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_ok(tarn_channel_close(end));
    assert_int_equal(channel_arena_stats(desc->arena).live_parcels, 0);
}

static int rounds(void) {
    const char *text = getenv("TARN_TEST_ROUNDS");
    return text != NULL ? atoi(text) : 40;
}

static void killed_peer_leaves_the_survivor_whole(void **state) {
    tarn_arena *arena = channel_arena(4 * MIB);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    const char *where = channel_ucx_address();
    (void)state;
    desc.arena = arena;
    desc.flags = TARN_CHANNEL_ANY_USER;
    assert_ok(tarn_channel_listen(where, &listener));
    for (int round = 0; round < rounds(); round++) {
        tarn_channel *end = NULL;
        pid_t child = start_victim(where, round);
        if (round % 4 == 3) {
            meet_the_dying(listener, &desc, child);
            continue;
        }
        tarn_status status = TARN_PEER_GONE; // of one that died before, and is still in the queue
        while (status == TARN_PEER_GONE)
            status = tarn_channel_accept(listener, &desc, LONG_ENOUGH, &end);
        assert_ok(status);
        live_through(arena, end, child, draw(6 * MS));
        assert_ok(tarn_channel_close(end));
        assert_int_equal(channel_arena_stats(arena).live_parcels, 0);
        assert_ok(tarn_arena_verify(arena));
    }
    tarn_listener_close(listener);
    channel_end_arena(arena);
}

static void what_was_sent_before_the_end_of_a_program_arrives(void **state) {
    tarn_arena *arena = channel_arena(32 * MIB);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    const char *where = channel_ucx_address();
    int status = 1;
    (void)state;
    desc.arena = arena;
    desc.flags = TARN_CHANNEL_ANY_USER;
    assert_ok(tarn_channel_listen(where, &listener));
    pid_t child = start_victim(where, LEAVER);
    assert_ok(tarn_channel_accept(listener, &desc, LONG_ENOUGH, &end));
    assert_ok(tarn_channel_open_port(end, 0, 8, 0));
    for (int i = 0; i < 8; i++) assert_ok(take_one(arena, end, LONG_ENOUGH));
    assert_status(take_one(arena, end, LONG_ENOUGH), TARN_PEER_GONE);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_ok(tarn_channel_close(end));
    tarn_listener_close(listener);
    channel_end_arena(arena);
}

static void child_of_fork_is_refused(void **state) {
    struct pair *p = of(state);
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        tarn_listener *listener = NULL;
        tarn_message message = TARN_INIT(tarn_message);
        int bad = tarn_channel_listen("ucx://127.0.0.1:1", &listener) != TARN_UNSUPPORTED;
        bad |= tarn_channel_send(p->end[0], &message, 0) != TARN_FORKED;
        _exit(bad);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_ok(channel_send(p->end[0], 0, NULL, 0));
    (void)channel_take(p->end[1]);
}

int main(int argc, char **argv) {
    if (argc == 3) {
        int round = atoi(argv[2]);
        return round == LEAVER ? leaver(argv[1]) : victim(argv[1], (uint64_t)round);
    }
    (void)setenv("TARN_TEST_CHANNEL", "ucx", 1);
    (void)channel_over_ucx(); // ends here where there is none
#define TEST(name) cmocka_unit_test_setup_teardown(name, channel_setup, channel_teardown)
    const struct CMUnitTest tests[] = {
        TEST(receiver_has_a_copy_of_its_own),
        TEST(received_parcel_can_be_sent_on_to_anyone),
        TEST(manual_parcel_freed_at_once_arrives_whole),
        TEST(manual_parcel_sent_twice_arrives_twice),
        TEST(without_room_the_sender_keeps_its_frame),
        cmocka_unit_test(message_that_can_never_land_is_refused),
        cmocka_unit_test(addresses_are_checked),
        cmocka_unit_test(strangers_must_be_allowed),
        cmocka_unit_test(nobody_there_is_a_matter_of_time),
        cmocka_unit_test(noise_at_the_door_is_no_peer),
        TEST(what_was_sent_before_a_close_arrives),
        TEST(what_nobody_reads_is_freed),
        TEST(both_sides_may_close_at_once),
        cmocka_unit_test(killed_peer_leaves_the_survivor_whole),
        cmocka_unit_test(what_was_sent_before_the_end_of_a_program_arrives),
        TEST(child_of_fork_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
