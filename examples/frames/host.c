// SPDX-License-Identifier: Apache-2.0
// The host: makes frames, 1080p and 4K in turn, and checks the sums that the device returns. It
// starts the device, kills it half-way, and continues with another one.
// Usage: frames_host [ADDRESS [DEVICE-PROGRAM]]; "-": the user starts the device.
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frames.h"

enum { FRAMES = 60 };
static tarn_arena *arena;
static uint64_t sums[FRAMES]; // expected from the device

static pid_t start_device(const char *program, const char *address) {
    pid_t child = strcmp(program, "-") == 0 ? -1 : fork();
    if (child == 0) {
        (void)execl(program, program, address, (char *)NULL);
        _exit(127);
    }
    return child;
}

// NV12: a bright bar that moves over a gradient, then the colour planes.
static tarn_status make_frame(int number, tarn_message *message) {
    uint64_t width = number % 2 != 0 ? 3840 : 1920, height = width * 9 / 16;
    message->code = (uint64_t)number;
    message->bytes = width * height * 3 / 2;
    tarn_status status = tarn_parcel_alloc(arena, message->bytes, PATIENCE, &message->parcel);
    if (status != TARN_OK) return status;
    unsigned char *at = (unsigned char *)message->parcel;
    for (uint64_t y = 0; y < height; y++, at += width) {
        memset(at, (int)(y * 200 / height), width);
        memset(at + (uint64_t)number * 16, 235, 16);
    }
    memset(at, 64 + number, width * height / 2);
    sums[number] = sum_of(message->parcel, message->bytes);
    return TARN_OK;
}

// Sends and checks until all frames are answered or a call fails.
static tarn_status play(tarn_channel *channel, int *answered, pid_t victim) {
    tarn_message message = {.struct_size = sizeof message, .port = PORT_FRAMES};
    const tarn_delivery *answer;
    tarn_status status = tarn_channel_open_port(channel, PORT_SUMS, 2 * UNDER_WAY, 0);
    for (int made = *answered; status == TARN_OK && *answered < FRAMES;) {
        if (made < FRAMES && made - *answered < UNDER_WAY) {
            status = make_frame(made++, &message);
            if (status != TARN_OK) break;
            status = tarn_channel_send(channel, &message, PATIENCE);
            must(status != TARN_OK ? tarn_parcel_free(arena, message.parcel) : TARN_OK);
        } else if ((status = tarn_channel_receive(channel, PATIENCE, &answer)) == TARN_OK) {
            if (answer->code != sums[*answered])
                exit(fprintf(stderr, "frame %d arrived damaged\n", *answered) != 0);
            must(tarn_channel_done(channel, answer));
            if (++*answered == FRAMES / 2 && victim > 0) (void)kill(victim, SIGKILL);
        }
    }
    return status;
}

int main(int argc, char **argv) {
    char here[64], beside[4096];
    (void)snprintf(here, sizeof here, "@tarn-frames-%d", (int)getpid());
    const char *slash = strrchr(argv[0], '/');
    (void)snprintf(beside, sizeof beside, "%.*sframes_device",
                   slash != NULL ? (int)(slash + 1 - argv[0]) : 0, argv[0]);
    const char *address = argc > 1 ? argv[1] : here, *program = argc > 2 ? argv[2] : beside;
    tarn_arena_desc arena_desc = TARN_INIT(tarn_arena_desc);
    tarn_channel_desc desc = TARN_INIT(tarn_channel_desc);
    tarn_listener *listener;
    must(tarn_arena_create(&arena_desc, &arena));
    must(tarn_channel_listen(address, &listener));
    desc.arena = arena;
    desc.flags = TARN_CHANNEL_ANY_USER; // over UCX a peer cannot prove its user
    tarn_status status = TARN_OK;
    for (int answered = 0, devices = 0; status == TARN_OK && answered < FRAMES; devices++) {
        tarn_channel *channel;
        pid_t device = start_device(program, address);
        status = explain(tarn_channel_accept(listener, &desc, PATIENCE, &channel));
        if (status != TARN_OK) break;
        status = play(channel, &answered, devices == 0 ? device : -1);
        if (status == TARN_PEER_GONE)
            status = TARN_OK; // killed: the parcels that it held are back in the arena
        (void)explain(status);
        must(tarn_channel_close(channel));
        printf("device %d: answered up to frame %d of %d\n", devices, answered, FRAMES);
        if (device > 0) (void)waitpid(device, NULL, 0);
    }
    tarn_listener_close(listener);
    must(tarn_arena_destroy(arena)); // fails if any frame was lost
    return status == TARN_OK ? 0 : 1;
}
