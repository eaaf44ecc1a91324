// SPDX-License-Identifier: Apache-2.0
// Carrier: a Tarn channel. Each message is a parcel; at most as many as the stream says are under
// way.
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

static tarn_channel *open_side(struct stream *stream, int socket, uint64_t bytes,
                               tarn_arena **arena) {
    tarn_arena_desc arena_desc = TARN_ARENA_DESC_INIT;
    tarn_channel_desc desc = TARN_CHANNEL_DESC_INIT;
    tarn_channel *channel;
    const uint64_t unit = UINT64_C(2) << 20;
    arena_desc.bytes = stream->depth * ((bytes + unit - 1) / unit * unit);
    arena_desc.prefault = UINT64_MAX;
    must(stream, tarn_arena_create(&arena_desc, arena));
    desc.arena = *arena;
    must(stream, tarn_channel_attach(socket, &desc, PATIENCE, &channel));
    return channel;
}

static void produce(struct stream *stream, int socket, const char *name) {
    tarn_arena *arena;
    tarn_message message = TARN_MESSAGE_INIT;
    tarn_channel *channel = open_side(stream, socket, stream->bytes, &arena);
    bool more = true;
    (void)name;
    message.bytes = stream->bytes;
    for (uint64_t n = 0; more; n++) {
        must(stream, tarn_parcel_alloc(arena, stream->bytes, PATIENCE, &message.parcel));
        more = stream_write(stream, n, message.parcel);
        must(stream, tarn_channel_send(channel, &message, PATIENCE));
    }
    must(stream, tarn_channel_flush(channel, PATIENCE));
}

static void consume(struct stream *stream, int socket, const char *name) {
    tarn_arena *arena;
    tarn_channel *channel = open_side(stream, socket, 1, &arena);
    bool more = true;
    (void)name;
    must(stream, tarn_channel_open_port(channel, 0, stream->depth, 0));
    while (more) {
        const tarn_delivery *d;
        must(stream, tarn_channel_receive(channel, PATIENCE, &d));
        more = stream_read(stream, d->parcel);
        must(stream, tarn_parcel_free(arena, d->parcel));
        must(stream, tarn_channel_done(channel, d));
    }
    const tarn_delivery *none; // until the producer has seen the last free
    (void)tarn_channel_receive(channel, PATIENCE, &none);
}

const struct carrier carry_tarn = {"tarn", produce, consume};
