// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of channels.
#include "support/channel.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

tarn_arena *channel_arena(uint64_t bytes) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena = NULL;
    desc.bytes = bytes;
    assert_ok(tarn_arena_create(&desc, &arena));
    return arena;
}

struct attaching {
    int socket;
    tarn_channel_desc desc;
    tarn_channel *end;
    tarn_status status;
};

static void *attach(void *arg) {
    struct attaching *a = (struct attaching *)arg;
    a->status = tarn_channel_attach(a->socket, &a->desc, LONG_ENOUGH, &a->end);
    return NULL;
}

// ---- over UCX

static bool is_free(unsigned port) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool is = bind(probe, (struct sockaddr *)&name, sizeof name) == 0;
    (void)close(probe);
    return is;
}

// Below the ports that the system gives to whoever connects, and each process at another place.
const char *channel_ucx_address(void) {
    static char text[64];
    static unsigned count;
    unsigned port;
    do {
        port = 12000 + ((unsigned)getpid() * 151 + count++) % 20000;
    } while (!is_free(port));
    (void)snprintf(text, sizeof text, "ucx://127.0.0.1:%u", port);
    return text;
}

// Decided once: a test must not change its mind half-way.
bool channel_over_ucx(void) {
    static int answer = -1;
    const char *wanted = getenv("TARN_TEST_CHANNEL");
    if (answer < 0 && (wanted == NULL || strcmp(wanted, "ucx") != 0)) {
        answer = 0;
    } else if (answer < 0) {
        tarn_listener *listener = NULL;
        tarn_status status = tarn_channel_listen(channel_ucx_address(), &listener);
        tarn_listener_close(listener);
        if (status == TARN_UNSUPPORTED) {
            puts(access("/sys/class/net", F_OK) == 0
                     ? "skipped: needs libucx-dev"
                     : "skipped: UCX finds no network without /sys/class/net");
            exit(77);
        }
        answer = 1;
    }
    return answer == 1;
}

struct calling {
    const char *address;
    tarn_channel_desc desc;
    tarn_channel *end;
    tarn_status status;
};

static void *call(void *arg) {
    struct calling *c = (struct calling *)arg;
    c->status = tarn_channel_connect(c->address, &c->desc, LONG_ENOUGH, &c->end);
    return NULL;
}

static void join_over_ucx(const tarn_channel_desc *near_desc, const tarn_channel_desc *far_desc,
                          tarn_channel **near_end, tarn_channel **far_end) {
    struct calling c = {.address = channel_ucx_address(), .desc = *far_desc};
    tarn_channel_desc desc = *near_desc;
    tarn_listener *listener = NULL;
    pthread_t thread;
    desc.flags |= TARN_CHANNEL_ANY_USER;
    c.desc.flags |= TARN_CHANNEL_ANY_USER;
    assert_ok(tarn_channel_listen(c.address, &listener));
    assert_int_equal(pthread_create(&thread, NULL, call, &c), 0);
    assert_ok(tarn_channel_accept(listener, &desc, LONG_ENOUGH, near_end));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_ok(c.status);
    *far_end = c.end;
    tarn_listener_close(listener);
}

// ---- joining

void channel_join(tarn_arena *a, tarn_arena *b, const tarn_channel_desc *desc, tarn_channel **end_a,
                  tarn_channel **end_b) {
    const tarn_channel_desc plain = TARN_INIT(tarn_channel_desc);
    int sockets[2];
    pthread_t thread;
    if (channel_over_ucx()) {
        tarn_channel_desc desc_a = desc != NULL ? *desc : plain;
        tarn_channel_desc desc_b = desc_a;
        desc_a.arena = a;
        desc_b.arena = b;
        join_over_ucx(&desc_a, &desc_b, end_a, end_b);
        return;
    }
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
    struct attaching one = {.socket = sockets[0], .desc = desc != NULL ? *desc : plain};
    struct attaching other = {.socket = sockets[1], .desc = one.desc};
    one.desc.arena = a;
    other.desc.arena = b;
    assert_int_equal(pthread_create(&thread, NULL, attach, &one), 0);
    (void)attach(&other);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_ok(one.status);
    assert_ok(other.status);
    *end_a = one.end;
    *end_b = other.end;
}

int channel_setup(void **state) {
    struct pair *pair = (struct pair *)calloc(1, sizeof *pair);
    pair->arena[0] = channel_arena(32 * MIB);
    pair->arena[1] = channel_arena(32 * MIB);
    channel_join(pair->arena[0], pair->arena[1], NULL, &pair->end[0], &pair->end[1]);
    for (uint32_t port = 0; port < 4; port++)
        assert_ok(tarn_channel_open_port(pair->end[1], port, 16, 0));
    assert_ok(tarn_channel_open_port(pair->end[0], 0, 16, 0));
    *state = pair;
    return 0;
}

void channel_end_arena(tarn_arena *arena) {
    if (arena != NULL) {
        assert_ok(tarn_arena_verify(arena));
        assert_int_equal(channel_arena_stats(arena).live_parcels, 0);
        assert_ok(tarn_arena_destroy(arena));
    }
}

int channel_teardown(void **state) {
    struct pair *pair = (struct pair *)*state;
    for (int i = 0; i < 2; i++)
        assert_ok(pair->arena[i] != NULL ? tarn_arena_verify(pair->arena[i]) : TARN_OK);
    for (int i = 0; i < 2; i++) assert_ok(tarn_channel_close(pair->end[i]));
    for (int i = 0; i < 2; i++) channel_end_arena(pair->arena[i]);
    free(pair);
    return 0;
}

// ---- verbs

static void *get(tarn_arena *arena, uint64_t bytes, tarn_parcel_policy policy) {
    tarn_parcel_request request = TARN_INIT(tarn_parcel_request);
    void *parcel = NULL;
    request.bytes = bytes;
    request.policy = policy;
    assert_ok(tarn_parcel_alloc_with(arena, &request, &parcel));
    return parcel;
}

void *channel_get(tarn_arena *arena, uint64_t bytes) { return get(arena, bytes, TARN_PARCEL_AUTO); }

void *channel_get_manual(tarn_arena *arena, uint64_t bytes) {
    return get(arena, bytes, TARN_PARCEL_MANUAL);
}

uint64_t channel_patience(void) { return channel_over_ucx() ? LONG_ENOUGH : 0; }

static tarn_status send_within(tarn_channel *end, uint32_t port, void *parcel, uint64_t bytes,
                               uint64_t timeout_ns) {
    tarn_message message = TARN_INIT(tarn_message);
    message.port = port;
    message.parcel = parcel;
    message.bytes = bytes;
    return tarn_channel_send(end, &message, timeout_ns);
}

tarn_status channel_send(tarn_channel *end, uint32_t port, void *parcel, uint64_t bytes) {
    return send_within(end, port, parcel, bytes, channel_patience());
}

tarn_status channel_try_send(tarn_channel *end, uint32_t port, void *parcel, uint64_t bytes) {
    return send_within(end, port, parcel, bytes, 0);
}

const tarn_delivery *channel_next(tarn_channel *end) {
    const tarn_delivery *delivery = NULL;
    assert_ok(tarn_channel_receive(end, LONG_ENOUGH, &delivery));
    return delivery;
}

void *channel_take(tarn_channel *end) {
    const tarn_delivery *delivery = channel_next(end);
    void *parcel = delivery->parcel;
    assert_ok(tarn_channel_done(end, delivery));
    return parcel;
}

tarn_arena_stats channel_arena_stats(tarn_arena *arena) {
    tarn_arena_stats stats = {.struct_size = sizeof stats};
    assert_ok(tarn_arena_query_stats(arena, &stats));
    return stats;
}

tarn_channel_stats channel_stats(tarn_channel *end) {
    tarn_channel_stats stats = {.struct_size = sizeof stats};
    assert_ok(tarn_channel_query_stats(end, &stats));
    return stats;
}

tarn_parcel_state channel_state(tarn_arena *arena, const void *parcel) {
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    assert_ok(tarn_parcel_query(arena, parcel, &info));
    return info.state;
}

uint64_t channel_now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
