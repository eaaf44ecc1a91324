// SPDX-License-Identifier: Apache-2.0
// The cost of single calls of a Tarn channel while no thread sleeps. Both ends are in one process,
// on one thread. Figures are medians over batches.
#include "calls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <tarn/channel.h>

#include "measure.h"

enum { BATCHES = 101, CALLS = 40, PORT_DEPTH = 64 };
#define FRAME    UINT64_C(3110400)
#define PATIENCE UINT64_C(10000000000)

struct end {
    int socket;
    tarn_arena *arena;
    tarn_channel *channel;
};

static void *attach(void *arg) {
    struct end *end = (struct end *)arg;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = end->arena;
    check(tarn_channel_attach(end->socket, &desc, PATIENCE, &end->channel), "attach");
    return NULL;
}

static void join(struct end ends[2]) {
    int sockets[2];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) != 0) exit(1);
    for (int i = 0; i < 2; i++) {
        tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
        ends[i].socket = sockets[i];
        check(tarn_arena_create(&desc, &ends[i].arena), "arena");
    }
    if (pthread_create(&thread, NULL, attach, &ends[0]) != 0) exit(1);
    (void)attach(&ends[1]);
    (void)pthread_join(thread, NULL);
    check(tarn_channel_open_port(ends[1].channel, 0, PORT_DEPTH, 0), "port");
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[BATCHES]) {
    qsort(values, BATCHES, sizeof *values, compare);
    return values[BATCHES / 2];
}

static double pair_ns(tarn_arena *arena, uint64_t bytes) {
    double values[BATCHES];
    void *parcel;
    for (int b = 0; b < BATCHES; b++) {
        uint64_t before = now_ns();
        for (int i = 0; i < CALLS; i++) {
            check(tarn_parcel_alloc(arena, bytes, 0, &parcel), "alloc");
            check(tarn_parcel_free(arena, parcel), "free");
        }
        values[b] = (double)(now_ns() - before) / CALLS;
    }
    return median(values);
}

static double send_all(const struct end *end, void *const parcels[CALLS]) {
    tarn_message message = TARN_INIT(tarn_message);
    message.name = "Frame";
    message.control = "sixteen of them";
    message.control_bytes = 16;
    message.bytes = FRAME;
    uint64_t before = now_ns();
    for (int i = 0; i < CALLS; i++) {
        message.parcel = parcels[i];
        check(tarn_channel_send(end->channel, &message, 0), "send");
    }
    return (double)(now_ns() - before) / CALLS;
}

static double receive_all(const struct end *end) {
    uint64_t before = now_ns();
    for (int i = 0; i < CALLS; i++) {
        const tarn_delivery *d;
        check(tarn_channel_receive(end->channel, 0, &d), "receive");
        void *parcel = d->parcel;
        check(tarn_channel_done(end->channel, d), "done");
        check(tarn_parcel_free(end->arena, parcel), "free");
    }
    return (double)(now_ns() - before) / CALLS;
}

void measure_calls(void) {
    struct end ends[2];
    double sends[BATCHES], receives[BATCHES];
    join(ends);
    printf("a call, in ns: alloc and free of 4 KiB %.0f,", pair_ns(ends[0].arena, 4096));
    printf(" of 3110400 bytes %.0f,", pair_ns(ends[0].arena, FRAME));
    printf(" of 64 MiB %.0f;", pair_ns(ends[0].arena, 64 << 20));
    for (int b = 0; b < BATCHES; b++) {
        void *parcels[CALLS];
        for (int i = 0; i < CALLS; i++)
            check(tarn_parcel_alloc(ends[0].arena, FRAME, 0, &parcels[i]), "alloc");
        sends[b] = send_all(&ends[0], parcels);
        receives[b] = receive_all(&ends[1]);
    }
    printf(" send %.0f; receive, done and free %.0f\n\n", median(sends), median(receives));
    for (int i = 0; i < 2; i++) check(tarn_channel_close(ends[i].channel), "close");
    for (int i = 0; i < 2; i++) check(tarn_arena_destroy(ends[i].arena), "destroy");
}
