// SPDX-License-Identifier: Apache-2.0
// A parcel is sent after it was freed, freed twice, and freed after it was handed over.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by tarn_channel_send
// EXPECT:   is 0 byte(s) inside freed region R...
// EXPECT:   access by thread ...
// EXPECT:     ... tarn_channel_send ...
// EXPECT:   allocated by thread ...
// EXPECT:     ... tarn_parcel_alloc ...
// EXPECT:   freed by thread ...
// EXPECT:     ... tarn_parcel_free ...
// EXPECT: ERROR double-free: region R... given to tarn_parcel_free again
// EXPECT: WARN free-after-send: region R... given to tarn_parcel_free after it was sent: the receiver owns it

#include <pthread.h>
#include <sys/socket.h>

#include "check/support/tarn.h"

#define LONG_ENOUGH UINT64_C(60000000000)

struct side {
    int socket;
    tarn_arena *arena;
    tarn_channel *channel;
};

static void *attach(void *arg) {
    struct side *side = arg;
    tarn_arena_desc arena = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    arena.bytes = 8 << 20;
    must(tarn_arena_create(&arena, &side->arena));
    desc.arena = side->arena;
    must(tarn_channel_attach(side->socket, &desc, LONG_ENOUGH, &side->channel));
    return NULL;
}

int main(void) {
    struct side sides[2] = {{0}, {0}};
    int sockets[2];
    pthread_t thread;
    void *parcel = NULL;
    tarn_message message = TARN_INIT(tarn_message);
    const tarn_delivery *received = NULL;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) return 2;
    sides[0].socket = sockets[0];
    sides[1].socket = sockets[1];
    if (pthread_create(&thread, NULL, attach, &sides[1]) != 0) return 2;
    (void)attach(&sides[0]);
    (void)pthread_join(thread, NULL);
    must(tarn_channel_open_port(sides[1].channel, 0, 16, 0));

    must(tarn_parcel_alloc(sides[0].arena, 64, 0, &parcel));
    must(tarn_parcel_free(sides[0].arena, parcel));
    message.parcel = parcel;
    message.bytes = 64;
    (void)tarn_channel_send(sides[0].channel, &message, 0);
    (void)tarn_parcel_free(sides[0].arena, parcel);

    must(tarn_parcel_alloc(sides[0].arena, 64, 0, &parcel));
    message.parcel = parcel;
    must(tarn_channel_send(sides[0].channel, &message, LONG_ENOUGH));
    (void)tarn_parcel_free(sides[0].arena, parcel); // it is the peer's
    must(tarn_channel_receive(sides[1].channel, LONG_ENOUGH, &received));
    must(tarn_parcel_free(sides[1].arena, received->parcel));
    must(tarn_channel_done(sides[1].channel, received));
    for (int i = 0; i < 2; i++) must(tarn_channel_close(sides[i].channel));
    for (int i = 0; i < 2; i++) must(tarn_arena_destroy(sides[i].arena));
    return 0;
}
