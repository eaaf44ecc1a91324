// SPDX-License-Identifier: Apache-2.0
// The device: sums up each frame in place and answers with the sum, until the host closes.
// Usage: frames_device ADDRESS
#include "frames.h"

int main(int argc, char **argv) {
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = {.struct_size = sizeof desc, .flags = TARN_CHANNEL_ANY_USER};
    tarn_channel *channel;
    const tarn_delivery *frame;
    tarn_status status;
    must(argc == 2 ? tarn_arena_create(&arena_desc, &desc.arena) : TARN_BAD_ARGUMENT);
    must(tarn_channel_connect(argv[1], &desc, PATIENCE, &channel));
    must(tarn_channel_open_port(channel, PORT_FRAMES, UNDER_WAY, 0));
    while ((status = tarn_channel_receive(channel, TARN_FOREVER, &frame)) == TARN_OK) {
        tarn_message answer = {.struct_size = sizeof answer, .port = PORT_SUMS};
        answer.code = sum_of(frame->parcel, frame->bytes);
        must(tarn_parcel_free(desc.arena, frame->parcel)); // the host can fill it again
        must(tarn_channel_done(channel, frame));
        if ((status = tarn_channel_send(channel, &answer, PATIENCE)) != TARN_OK) break;
    }
    must(status == TARN_PEER_GONE ? TARN_OK : status);
    must(tarn_channel_close(channel));
    must(tarn_arena_destroy(desc.arena));
    return 0;
}
