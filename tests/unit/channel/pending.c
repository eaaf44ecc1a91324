// SPDX-License-Identifier: Apache-2.0
// Claims about listeners with hostile or slow peers: none of them delays an honest one, and an
// accept call ends at its deadline. The loops take as many silent peers as the table has room for,
// and more. Time stands still, and goes on by a millisecond at each look in calls that time out.
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "channel/listen.h"

#include "stranger.h"

#define SILENT (2 * TN_PENDING_MAX)

static _Atomic(uint64_t) time_ns = 1000 * MS, look_ns;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock != CLOCK_MONOTONIC) return __real_clock_gettime(clock, now);
    uint64_t look = atomic_load(&look_ns), time = atomic_fetch_add(&time_ns, look) + look;
    *now = (struct timespec){(time_t)(time / (1000 * MS)), (long)(time % (1000 * MS))};
    return 0;
}

struct world {
    char address[64];
    tarn_listener *listener;
    tarn_channel_desc desc; // of the side that accepts
    tarn_arena *arena;      // of the side that connects
    tarn_channel *far_end;
    tarn_status far_status;
};

static int setup(void **state) {
    static struct world w;
    static int count;
    w = (struct world){.desc = TARN_INIT(tarn_channel_desc)};
    (void)snprintf(w.address, sizeof w.address, "@tarn-pending-%d-%d", (int)getpid(), count++);
    w.arena = channel_arena(4 * MIB);
    w.desc.arena = channel_arena(4 * MIB);
    assert_ok(tarn_channel_listen(w.address, &w.listener));
    *state = &w;
    return 0;
}

static int teardown(void **state) {
    struct world *w = (struct world *)*state;
    tarn_listener_close(w->listener);
    channel_end_arena(w->desc.arena);
    channel_end_arena(w->arena);
    return 0;
}

static int dial(const struct world *w) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    size_t length = strlen(w->address);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    memcpy(name.sun_path, w->address, length);
    name.sun_path[0] = '\0';
    socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    assert_int_equal(connect(fd, (const struct sockaddr *)&name, bytes), 0);
    return fd;
}

static void *connect_honestly(void *arg) {
    struct world *w = (struct world *)arg;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = w->arena;
    w->far_status = tarn_channel_connect(w->address, &desc, LONG_ENOUGH, &w->far_end);
    return NULL;
}

static void accept_times_out(struct world *w, uint64_t timeout_ns) {
    tarn_channel *end = NULL;
    look_ns = MS;
    assert_status(tarn_channel_accept(w->listener, &w->desc, timeout_ns, &end), TARN_TIMED_OUT);
    look_ns = 0;
}

// The time of no silent peer is over, so a call that waits for one does not return.
static void an_honest_peer_is_accepted(struct world *w) {
    tarn_channel *end = NULL;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, connect_honestly, w), 0);
    assert_ok(tarn_channel_accept(w->listener, &w->desc, LONG_ENOUGH, &end));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_ok(w->far_status);
    assert_ok(tarn_channel_close(end));
    assert_ok(tarn_channel_close(w->far_end));
}

static void silent_peers_delay_no_other(void **state) {
    struct world *w = (struct world *)*state;
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++) silent[i] = dial(w);
    an_honest_peer_is_accepted(w);
    an_honest_peer_is_accepted(w);
    for (int i = 0; i < SILENT; i++) (void)close(silent[i]);
}

static void peers_that_stop_after_their_hello_delay_no_other(void **state) {
    struct world *w = (struct world *)*state;
    int stalled[16];
    for (int i = 0; i < 16; i++) {
        stalled[i] = dial(w);
        send_hello(stalled[i], &good_hello);
    }
    an_honest_peer_is_accepted(w);
    for (int i = 0; i < 16; i++) (void)close(stalled[i]);
}

static void an_accept_ends_at_its_deadline_beside_a_silent_peer(void **state) {
    struct world *w = (struct world *)*state;
    int silent = dial(w);
    uint64_t start = time_ns;
    accept_times_out(w, 20 * MS);
    assert_in_range(time_ns - start, 20 * MS, TN_HANDSHAKE_MAX_NS - 1);
    (void)close(silent);
}

// Each call handles what has arrived, so a handshake continues from call to call.
static void a_handshake_continues_in_the_next_call(void **state) {
    struct world *w = (struct world *)*state;
    tarn_channel *end = NULL;
    int fds[2] = {memory(4 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes(), F_SEAL_SHRINK)};
    int peer = dial(w);
    accept_times_out(w, 5 * MS);
    send_hello(peer, &good_hello);
    accept_times_out(w, 5 * MS);
    send_fds(peer, fds, 2);
    accept_times_out(w, 5 * MS);
    send_verdict(peer, good_hello.magic, TARN_OK);
    assert_ok(tarn_channel_accept(w->listener, &w->desc, LONG_ENOUGH, &end));
    assert_ok(tarn_channel_close(end));
    (void)close(peer);
    (void)close(fds[0]);
    (void)close(fds[1]);
}

// The memory of the arena in the handshake is gone, and perhaps that of another arena lies there.
static void a_handshake_never_continues_with_another_arena(void **state) {
    struct world *w = (struct world *)*state;
    int fds[2] = {memory(4 * MIB, F_SEAL_SHRINK), memory(mailbox_bytes(), F_SEAL_SHRINK)};
    int peer = dial(w);
    send_hello(peer, &good_hello);
    accept_times_out(w, 5 * MS);
    channel_end_arena(w->desc.arena);
    w->desc.arena = channel_arena(4 * MIB);
    send_fds(peer, fds, 2);
    send_verdict(peer, good_hello.magic, TARN_OK);
    accept_times_out(w, 5 * MS);
    (void)close(peer);
    (void)close(fds[0]);
    (void)close(fds[1]);
}

static void a_peer_that_breaks_the_protocol_is_reported_and_the_next_is_accepted(void **state) {
    struct world *w = (struct world *)*state;
    tarn_channel *end = NULL;
    int peer = dial(w);
    send_with(peer, "short", 5, 0, NULL, 0);
    assert_status(tarn_channel_accept(w->listener, &w->desc, LONG_ENOUGH, &end), TARN_CORRUPT);
    an_honest_peer_is_accepted(w);
    (void)close(peer);
}

// In a child: connects as another user, and waits until the connection ends.
static void dial_as_nobody(const struct world *w) {
    char byte;
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(77);
    int fd = dial(w);
    _exit(recv(fd, &byte, 1, 0) <= 0 ? 0 : 1);
}

static void another_user_is_refused_before_it_sends_anything(void **state) {
    struct world *w = (struct world *)*state;
    int status = 0;
    if (geteuid() != 0) skip();
    pid_t child = fork();
    if (child == 0) dial_as_nobody(w);
    while (waitpid(child, &status, WNOHANG) == 0) accept_times_out(w, 20 * MS);
    assert_int_equal(status, 0);
    an_honest_peer_is_accepted(w);
}

static void *accept_one(void *arg) {
    struct world *w = (struct world *)arg;
    tarn_channel *end = NULL;
    assert_ok(tarn_channel_accept(w->listener, &w->desc, LONG_ENOUGH, &end));
    return end;
}

static void several_threads_accept_beside_silent_peers(void **state) {
    struct world *w = (struct world *)*state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    tarn_channel *far_ends[THREADS];
    int silent = dial(w);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, accept_one, w), 0);
    for (int i = 0; i < THREADS; i++) {
        (void)connect_honestly(w);
        assert_ok(w->far_status);
        far_ends[i] = w->far_end;
    }
    for (int i = 0; i < THREADS; i++) {
        void *end = NULL;
        assert_int_equal(pthread_join(threads[i], &end), 0);
        assert_ok(tarn_channel_close((tarn_channel *)end));
        assert_ok(tarn_channel_close(far_ends[i]));
    }
    (void)close(silent);
}

#define WITH_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_WORLD(silent_peers_delay_no_other),
        WITH_WORLD(peers_that_stop_after_their_hello_delay_no_other),
        WITH_WORLD(an_accept_ends_at_its_deadline_beside_a_silent_peer),
        WITH_WORLD(a_handshake_continues_in_the_next_call),
        WITH_WORLD(a_handshake_never_continues_with_another_arena),
        WITH_WORLD(a_peer_that_breaks_the_protocol_is_reported_and_the_next_is_accepted),
        WITH_WORLD(another_user_is_refused_before_it_sends_anything),
        WITH_WORLD(several_threads_accept_beside_silent_peers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
