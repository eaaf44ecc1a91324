// SPDX-License-Identifier: Apache-2.0
// Carriers: a Tarn channel over shared memory, and one over UCX on the loopback. Each message is a
// parcel. At most stream->depth parcels are in flight.
#include <stdio.h>

#include <tarn/channel.h>

#include "stream.h"

#define PATIENCE UINT64_C(10000000000)

static void must(struct stream *stream, tarn_status status) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        stream_fail(stream, error.message);
    }
}

static void open_arena(struct stream *stream, uint64_t bytes, tarn_channel_desc *desc) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    const uint64_t unit = UINT64_C(2) << 20;
    arena_desc.bytes = stream->depth * ((bytes + unit - 1) / unit * unit);
    arena_desc.prefault = UINT64_MAX;
    must(stream, tarn_arena_create(&arena_desc, &desc->arena));
}

static tarn_channel *open_side(struct stream *stream, int socket, uint64_t bytes,
                               tarn_arena **arena) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *channel;
    open_arena(stream, bytes, &desc);
    must(stream, tarn_channel_attach(socket, &desc, PATIENCE, &channel));
    *arena = desc.arena;
    return channel;
}

// The producer listens at a port computed from the name of the run.
static tarn_channel *open_ucx(struct stream *stream, const char *name, bool listens,
                              tarn_arena **arena) {
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_channel *channel;
    tarn_listener *listener;
    char address[40];
    unsigned port = 0;
    for (; *name != '\0'; name++) port = port * 31 + (unsigned char)*name;
    (void)snprintf(address, sizeof address, "ucx://127.0.0.1:%u", 20000 + port % 12000);
    open_arena(stream, stream->bytes, &desc);
    desc.flags = TARN_CHANNEL_ANY_USER;
    if (listens) {
        must(stream, tarn_channel_listen(address, &listener));
        must(stream, tarn_channel_accept(listener, &desc, PATIENCE, &channel));
        tarn_listener_close(listener);
    } else {
        must(stream, tarn_channel_connect(address, &desc, PATIENCE, &channel));
    }
    *arena = desc.arena;
    return channel;
}

static void send_all(struct stream *stream, tarn_arena *arena, tarn_channel *channel) {
    tarn_message message = TARN_INIT(tarn_message);
    bool more = true;
    message.bytes = stream->bytes;
    for (uint64_t n = 0; more; n++) {
        must(stream, tarn_parcel_alloc(arena, stream->bytes, PATIENCE, &message.parcel));
        more = stream_write(stream, n, message.parcel);
        must(stream, tarn_channel_send(channel, &message, PATIENCE));
    }
    must(stream, tarn_channel_flush(channel, PATIENCE));
}

static void produce(struct stream *stream, int socket, const char *name) {
    tarn_arena *arena;
    tarn_channel *channel = open_side(stream, socket, stream->bytes, &arena);
    (void)name;
    send_all(stream, arena, channel);
}

static void produce_ucx(struct stream *stream, int socket, const char *name) {
    tarn_arena *arena;
    tarn_channel *channel = open_ucx(stream, name, true, &arena);
    (void)socket;
    send_all(stream, arena, channel);
    must(stream, tarn_channel_close(channel));
}

static void receive_all(struct stream *stream, tarn_arena *arena, tarn_channel *channel) {
    bool more = true;
    must(stream, tarn_channel_open_port(channel, 0, stream->depth, 0));
    while (more) {
        const tarn_delivery *d;
        must(stream, tarn_channel_receive(channel, PATIENCE, &d));
        more = stream_read(stream, d->parcel);
        must(stream, tarn_parcel_free(arena, d->parcel));
        must(stream, tarn_channel_done(channel, d));
    }
    const tarn_delivery *none; // waits until the producer has received the last free
    (void)tarn_channel_receive(channel, PATIENCE, &none);
}

static void consume(struct stream *stream, int socket, const char *name) {
    tarn_arena *arena;
    tarn_channel *channel = open_side(stream, socket, 1, &arena);
    (void)name;
    receive_all(stream, arena, channel);
}

static void consume_ucx(struct stream *stream, int socket, const char *name) {
    tarn_arena *arena;
    tarn_channel *channel = open_ucx(stream, name, false, &arena);
    (void)socket;
    receive_all(stream, arena, channel);
}

const struct carrier carry_tarn = {"tarn", produce, consume};
const struct carrier carry_tarn_ucx = {"tarn over ucx", produce_ucx, consume_ucx};
