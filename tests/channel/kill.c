// SPDX-License-Identifier: Apache-2.0
// A peer that is killed at any moment: the survivor hears of it once, has all its memory back, and
// goes on. 200 rounds; TARN_TEST_ROUNDS for more.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/channel.h"

static uint64_t seed = 1;

static uint64_t draw(uint64_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void nap(uint64_t ns) {
    struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    (void)nanosleep(&time, NULL);
}

// ---- the one that is killed: sends, receives, echoes and frees until then

static void send_one(tarn_arena *arena, tarn_channel *end) {
    static char control[2000];
    tarn_message message = TARN_INIT(tarn_message);
    message.bytes = 1 + draw(200000);
    message.control = control;
    message.control_bytes = draw(10) == 0 ? sizeof control : 16;
    if (tarn_parcel_alloc(arena, message.bytes, 0, &message.parcel) == TARN_OK &&
        tarn_channel_send(end, &message, draw(2) * MS / 10) != TARN_OK)
        (void)tarn_parcel_free(arena, message.parcel);
}

static void take_one(tarn_arena *arena, tarn_channel *end) {
    const tarn_delivery *d = NULL;
    if (tarn_channel_receive(end, draw(2) * MS / 10, &d) != TARN_OK) return;
    tarn_message back = TARN_INIT(tarn_message);
    back.parcel = d->parcel;
    back.bytes = d->bytes;
    uint64_t choice = draw(4);
    if (back.parcel != NULL && choice == 0 && tarn_channel_send(end, &back, 0) == TARN_OK)
        back.parcel = NULL; // it goes home
    if (choice != 1)        // else it is kept for ever
        (void)tarn_parcel_free(arena, back.parcel);
    (void)tarn_channel_done(end, d);
}

static void live_until_killed(int socket, const char *address) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener = NULL;
    tarn_channel *end = NULL;
    arena_desc.bytes = 4 * MIB;
    if (tarn_arena_create(&arena_desc, &desc.arena) != TARN_OK) _exit(2);
    tarn_status status;
    if (socket >= 0) {
        status = tarn_channel_attach(socket, &desc, LONG_ENOUGH, &end);
    } else {
        status = tarn_channel_listen(address, &listener);
        status =
            status == TARN_OK ? tarn_channel_accept(listener, &desc, LONG_ENOUGH, &end) : status;
    }
    if (status != TARN_OK || tarn_channel_open_port(end, 0, 8, 0) != TARN_OK) _exit(3);
    for (;;) draw(2) == 0 ? send_one(desc.arena, end) : take_one(desc.arena, end);
}

// ---- the survivor

struct survivor {
    tarn_arena *arena;
    _Atomic int ends;
    _Atomic int reason;
};

// Answers some: a send moves the hold on what was received, or on an AUTO parcel that came home.
static bool answer(const struct survivor *s, tarn_channel *channel, const tarn_delivery *d) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    tarn_message back = TARN_INIT(tarn_message);
    back.parcel = d->parcel;
    back.bytes = d->bytes;
    return d->parcel != NULL && d->bytes % 3 == 0 &&
           tarn_parcel_query(s->arena, d->parcel, &info) == TARN_OK &&
           (info.state == TARN_PARCEL_RECEIVED || info.policy == TARN_PARCEL_AUTO) &&
           tarn_channel_send(channel, &back, 0) == TARN_OK;
}

static void on_message(tarn_channel *channel, const tarn_delivery *delivery, void *arg) {
    const struct survivor *s = (const struct survivor *)arg;
    if (!answer(s, channel, delivery)) (void)tarn_parcel_free(s->arena, delivery->parcel);
}

static void on_end(tarn_channel *channel, tarn_status reason, void *arg) {
    struct survivor *s = (struct survivor *)arg;
    (void)channel;
    s->reason = reason;
    s->ends++;
}

// Sends until it is told that nobody is there: blocked in a send, in an alloc, or between.
static void send_until_gone(struct survivor *s, tarn_channel *end) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    tarn_status status = TARN_OK;
    while (status != TARN_PEER_GONE) {
        tarn_message message = TARN_INIT(tarn_message);
        request.bytes = 1 + draw(400000);
        request.timeout_ns = draw(3) * MS;
        request.policy = (tarn_parcel_policy)draw(2);
        message.bytes = request.bytes;
        if (tarn_parcel_alloc_with(s->arena, &request, &message.parcel) == TARN_OK) {
            status = tarn_channel_send(end, &message, draw(2) == 0 ? 0 : TARN_FOREVER);
            if (status != TARN_OK || request.policy == TARN_PARCEL_MANUAL)
                assert_ok(tarn_parcel_free(s->arena, message.parcel));
        }
    }
}

static pid_t start_victim(int round, int *socket, char *address, size_t bytes) {
    int sockets[2] = {-1, -1};
    (void)snprintf(address, bytes, "@tarn-kill-%d-%d", (int)getpid(), round);
    if (round % 2 == 0)
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        seed = (uint64_t)round + 1000;
        if (sockets[0] >= 0) (void)close(sockets[0]);
        live_until_killed(sockets[1], address);
    }
    if (sockets[1] >= 0) (void)close(sockets[1]);
    *socket = sockets[0];
    return child;
}

// A helper that kills after a while, since the survivor may be blocked.
static pid_t start_killer(pid_t victim, uint64_t delay_ns) {
    pid_t killer = fork();
    if (killer == 0) {
        nap(delay_ns);
        (void)kill(victim, SIGKILL);
        _exit(0);
    }
    return killer;
}

static void wait_for(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

static void live_through(struct survivor *s, tarn_channel *end) {
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    receiver.on_message = on_message;
    receiver.on_end = on_end;
    receiver.arg = s;
    s->ends = 0;
    s->reason = TARN_OK;
    assert_ok(tarn_channel_open_port(end, 0, 8, 0));
    assert_ok(tarn_channel_start(end, &receiver));
    send_until_gone(s, end);
    uint64_t until = channel_now_ns() + LONG_ENOUGH;
    while (s->ends == 0 && channel_now_ns() < until) nap(MS / 10);
    assert_int_equal(s->ends, 1);
    assert_int_equal(s->reason, TARN_PEER_GONE);
    assert_int_equal(channel_arena_stats(s->arena).live_parcels, 0); // before any close
    assert_ok(tarn_channel_close(end));
    assert_int_equal(s->ends, 1);
}

// Every second round kills early, perhaps before the two have met.
static bool play(struct survivor *s, int round) {
    char address[64];
    int socket;
    bool early = round % 4 == 3 || round % 4 == 0; // by either way of meeting
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *end = NULL;
    pid_t killer = -1;
    pid_t victim = start_victim(round, &socket, address, sizeof address);
    if (early) killer = start_killer(victim, draw(4 * MS));
    desc.arena = s->arena;
    tarn_status status =
        socket >= 0 ? tarn_channel_attach(socket, &desc, LONG_ENOUGH, &end)
                    : tarn_channel_connect(address, &desc, early ? 30 * MS : LONG_ENOUGH, &end);
    if (!early) {
        assert_ok(status);
        killer = start_killer(victim, draw(4 * MS));
    }
    if (status == TARN_OK) {
        live_through(s, end);
    } else {
        assert_true(status == TARN_PEER_GONE || status == TARN_TIMED_OUT);
        if (socket >= 0) (void)close(socket);
    }
    wait_for(killer);
    wait_for(victim);
    assert_int_equal(channel_arena_stats(s->arena).live_parcels, 0);
    return status == TARN_OK;
}

static int rounds(void) {
    const char *text = getenv("TARN_TEST_ROUNDS");
    return text != NULL ? atoi(text) : 200;
}

static void killed_peer_leaves_the_survivor_whole(void **state) {
    struct survivor s = {.arena = channel_arena(4 * MIB)};
    int met = 0;
    (void)state;
    for (int round = 0; round < rounds(); round++) {
        met += play(&s, round);
        assert_ok(tarn_arena_verify(s.arena));
    }
    assert_true(met >= rounds() / 2);
    channel_end_arena(s.arena);
}

// ---- a peer whose socket outlives it

// The child that a bare system call makes runs no fork handler, so it keeps the peer's socket. It
// writes a byte to `line` and lives until the survivor closes the other end.
static void live_with_a_child(int socket, int line) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *end = NULL;
    char byte;
    desc.arena = channel_arena(4 * MIB);
    assert_ok(tarn_channel_attach(socket, &desc, LONG_ENOUGH, &end));
    if (syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L) == 0)
        _exit(write(line, "", 1) == 1 && read(line, &byte, 1) == 0 ? 0 : 1);
    (void)pause();
}

static void peer_is_gone_although_a_child_of_it_keeps_the_socket(void **state) {
    int sockets[2];
    int line[2];
    const tarn_delivery *d = NULL;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *end = NULL;
    char byte;
    (void)state;
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (self < 0) skip(); // the kernel has no descriptors of processes
    (void)close(self);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line), 0);
    pid_t victim = fork();
    if (victim == 0) {
        (void)close(sockets[0]);
        (void)close(line[1]);
        live_with_a_child(sockets[1], line[0]);
    }
    (void)close(sockets[1]);
    (void)close(line[0]);
    desc.arena = channel_arena(4 * MIB);
    assert_ok(tarn_channel_attach(sockets[0], &desc, LONG_ENOUGH, &end));
    assert_int_equal(read(line[1], &byte, 1), 1); // the child has the socket
    assert_int_equal(kill(victim, SIGKILL), 0);
    wait_for(victim);
    assert_status(tarn_channel_receive(end, LONG_ENOUGH, &d), TARN_PEER_GONE);
    assert_int_equal(close(line[1]), 0);
    assert_ok(tarn_channel_close(end));
    channel_end_arena(desc.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_peer_leaves_the_survivor_whole),
        cmocka_unit_test(peer_is_gone_although_a_child_of_it_keeps_the_socket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
