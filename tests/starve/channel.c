// SPDX-License-Identifier: Apache-2.0
// Channels: two arenas, joined over an address by two threads; messages of each kind, both ways; and
// a thread that receives.
#include "starve/support/tarn.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tarn/channel.h>

#define MIB     (UINT64_C(1) << 20)
#define SECOND  UINT64_C(1000000000)
#define PAYLOAD 100000
#define CONTROL 3000 // more than a descriptor carries

struct scene {
    tarn_arena *arenas[2];
    tarn_listener *listener;
    tarn_channel *ends[2];
    void *parcel; // in arenas[0]
    const tarn_delivery *delivery;
    char address[64];
    tarn_status connected;
    atomic_int received;
};

static void *connect_side(void *arg) {
    struct scene *s = (struct scene *)arg;
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    desc.arena = s->arenas[1];
    do s->connected = tarn_channel_connect(s->address, &desc, 2 * SECOND, &s->ends[1]);
    while (s->connected == TARN_TIMED_OUT && !starve_has_failed());
    return NULL;
}

// A side whose peer ran short sees that the peer is gone, or waits until its time is over. A side
// whose peer is only slow waits on.
static bool is_loss(tarn_status status) {
    return status == TARN_PEER_GONE || status == TARN_TIMED_OUT;
}

static enum starve_kind join_sides(struct scene *s) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    pthread_t thread;
    desc.arena = s->arenas[0];
    (void)snprintf(s->address, sizeof s->address, "@tarn-starve-%d", (int)getpid());
    TRY(tarn_channel_listen(s->address, &s->listener));
    if (pthread_create(&thread, NULL, connect_side, s) != 0) return STARVE_SHORT;
    tarn_status accepted;
    do accepted = tarn_channel_accept(s->listener, &desc, SECOND / 2, &s->ends[0]);
    while (accepted == TARN_TIMED_OUT && !starve_has_failed());
    if (accepted != TARN_OK) {
        tarn_listener_close(s->listener); // the other side need not wait
        s->listener = NULL;
    }
    (void)pthread_join(thread, NULL);
    if (is_loss(accepted) || is_loss(s->connected)) {
        TRY(is_loss(accepted) ? TARN_OK : accepted);
        TRY(is_loss(s->connected) ? TARN_OK : s->connected);
        return STARVE_SHORT;
    }
    TRY(accepted);
    TRY(s->connected);
    return STARVE_DONE;
}

static enum starve_kind send_one(struct scene *s, uint32_t flags) {
    static const char control[CONTROL] = "control";
    static char plain[PAYLOAD];
    tarn_message message = TARN_INIT(tarn_message);
    if (flags == 0) TRY(tarn_parcel_alloc(s->arenas[0], PAYLOAD, SECOND, &s->parcel));
    message.flags = flags;
    message.control = control;
    message.control_bytes = sizeof control;
    message.parcel = flags == 0 ? s->parcel : plain;
    message.bytes = PAYLOAD;
    TRY(tarn_channel_send(s->ends[0], &message, SECOND));
    s->parcel = NULL;
    TRY(tarn_channel_receive(s->ends[1], SECOND, &s->delivery));
    bool good = strcmp((const char *)s->delivery->control, "control") == 0;
    TRY(tarn_parcel_free(s->arenas[1], s->delivery->parcel));
    const tarn_delivery *delivery = s->delivery;
    s->delivery = NULL;
    TRY(tarn_channel_done(s->ends[1], delivery));
    return starve_status(good ? TARN_OK : TARN_CORRUPT, "the control bytes");
}

static void count_message(tarn_channel *channel, const tarn_delivery *delivery, void *arg) {
    struct scene *s = (struct scene *)arg;
    (void)channel;
    (void)delivery;
    atomic_fetch_add(&s->received, 1);
}

static enum starve_kind receive_by_thread(struct scene *s) {
    tarn_receiver receiver = TARN_INIT(tarn_receiver);
    tarn_message message = TARN_INIT(tarn_message);
    receiver.on_message = count_message;
    receiver.arg = s;
    TRY(tarn_channel_start(s->ends[1], &receiver));
    TRY(tarn_channel_send(s->ends[0], &message, SECOND));
    TRY(tarn_channel_flush(s->ends[0], 10 * SECOND));
    while (atomic_load(&s->received) == 0) // a flush does not wait for the callback
        (void)usleep(100);
    return STARVE_DONE;
}

static enum starve_kind use_all(struct scene *s) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    desc.bytes = 4 * MIB;
    for (int i = 0; i < 2; i++) TRY(tarn_arena_create(&desc, &s->arenas[i]));
    enum starve_kind kind = join_sides(s);
    if (kind != STARVE_DONE) return kind;
    TRY(tarn_channel_open_port(s->ends[1], 0, 16, 0));
    for (uint32_t flags = 0; flags <= TARN_MESSAGE_COPY; flags += TARN_MESSAGE_COPY) {
        kind = send_one(s, flags);
        if (kind != STARVE_DONE) return kind;
    }
    return receive_by_thread(s);
}

void starve_provoke(void) {
    tarn_device *device = NULL;
    (void)tarn_device_open("nonsense:0", &device);
}

enum starve_kind starve_round(void) {
    struct scene s = {.connected = TARN_OK};
    enum starve_kind worst = use_all(&s);
    if (s.delivery != NULL) {
        MUST(&worst, tarn_parcel_free(s.arenas[1], s.delivery->parcel));
        MUST(&worst, tarn_channel_done(s.ends[1], s.delivery));
    }
    if (s.parcel != NULL) MUST(&worst, tarn_parcel_free(s.arenas[0], s.parcel));
    for (int i = 0; i < 2; i++) MUST(&worst, tarn_channel_close(s.ends[i]));
    tarn_listener_close(s.listener);
    for (int i = 0; i < 2; i++) {
        if (s.arenas[i] != NULL) {
            MUST(&worst, tarn_arena_verify(s.arenas[i]));
            MUST(&worst, tarn_arena_destroy(s.arenas[i]));
        }
    }
    return worst;
}
