// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of channels.
#include "support/channel.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

tarn_arena *channel_arena(uint64_t bytes) {
    tarn_arena_desc desc = TARN_ARENA_DESC_INIT;
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

void channel_join(tarn_arena *a, tarn_arena *b, const tarn_channel_desc *desc, tarn_channel **end_a,
                  tarn_channel **end_b) {
    const tarn_channel_desc plain = TARN_CHANNEL_DESC_INIT;
    int sockets[2];
    pthread_t thread;
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
    for (uint32_t port = 0; port < 4; port++) {
        assert_ok(tarn_channel_open_port(pair->end[1], port, 16, 0));
    }
    assert_ok(tarn_channel_open_port(pair->end[0], 0, 16, 0));
    *state = pair;
    return 0;
}

void channel_end_arena(tarn_arena *arena) {
    if (arena != NULL) {
        assert_ok(tarn_arena_check(arena));
        assert_int_equal(channel_arena_stats(arena).live_parcels, 0);
        assert_ok(tarn_arena_destroy(arena));
    }
}

int channel_teardown(void **state) {
    struct pair *pair = (struct pair *)*state;
    for (int i = 0; i < 2; i++) {
        assert_ok(pair->arena[i] != NULL ? tarn_arena_check(pair->arena[i]) : TARN_OK);
    }
    for (int i = 0; i < 2; i++) {
        assert_ok(tarn_channel_close(pair->end[i]));
    }
    for (int i = 0; i < 2; i++) {
        channel_end_arena(pair->arena[i]);
    }
    free(pair);
    return 0;
}

// ---- verbs

static void *get(tarn_arena *arena, uint64_t bytes, tarn_parcel_policy policy) {
    tarn_parcel_request request = TARN_PARCEL_REQUEST_INIT;
    void *parcel = NULL;
    request.bytes = bytes;
    request.policy = policy;
    assert_ok(tarn_parcel_alloc_with(arena, &request, &parcel));
    return parcel;
}

void *channel_get(tarn_arena *arena, uint64_t bytes) {
    return get(arena, bytes, TARN_PARCEL_AUTO);
}

void *channel_get_manual(tarn_arena *arena, uint64_t bytes) {
    return get(arena, bytes, TARN_PARCEL_MANUAL);
}

tarn_status channel_send(tarn_channel *end, uint32_t port, void *parcel, uint64_t bytes) {
    tarn_message message = TARN_MESSAGE_INIT;
    message.port = port;
    message.parcel = parcel;
    message.bytes = bytes;
    return tarn_channel_send(end, &message, 0);
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
    tarn_arena_stats stats = {.size = sizeof stats};
    assert_ok(tarn_arena_query_stats(arena, &stats));
    return stats;
}

tarn_channel_stats channel_stats(tarn_channel *end) {
    tarn_channel_stats stats = {.size = sizeof stats};
    assert_ok(tarn_channel_query_stats(end, &stats));
    return stats;
}

tarn_parcel_state channel_state(tarn_arena *arena, const void *parcel) {
    tarn_parcel_info info = TARN_PARCEL_INFO_INIT;
    assert_ok(tarn_parcel_query(arena, parcel, &info));
    return info.state;
}

uint64_t channel_now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
