// SPDX-License-Identifier: Apache-2.0
// Two streams of the parent, and then the host, take turns with memory. The order between them leads
// through a stream of the child, by events that both processes share.

#include <sys/wait.h>
#include <unistd.h>

#include "check/support/tarn.h"

enum { BYTES = 1 << 20 };

static void send_bytes(int to, const void *data, size_t bytes) {
    if (write(to, data, bytes) != (ssize_t)bytes) exit(2);
}

static void receive_bytes(int from, void *data, size_t bytes) {
    if (read(from, data, bytes) != (ssize_t)bytes) exit(2);
}

// Passes each record of the first event on to the second.
static int child_main(int from, int to) {
    tarn_key keys[2];
    tarn_event events[2];
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    char turn;
    receive_bytes(from, keys, sizeof keys);
    must(tarn_event_import(device, &keys[0], &events[0]));
    must(tarn_event_import(device, &keys[1], &events[1]));
    while (read(from, &turn, 1) == 1) {
        must(tarn_stream_wait(stream, events[0], 0));
        must(tarn_event_record(events[1], stream));
        must(tarn_stream_synchronize(stream, TARN_FOREVER));
        send_bytes(to, &turn, 1);
    }
    must(tarn_stream_destroy(stream));
    must(tarn_event_destroy(events[0]));
    must(tarn_event_destroy(events[1]));
    must(tarn_device_close(device));
    return 0;
}

static void pass_turn(int to, int from) {
    char turn = 't';
    send_bytes(to, &turn, 1);
    receive_bytes(from, &turn, 1);
}

static void parent_main(int to, int from) {
    tarn_key keys[2];
    tarn_event events[2];
    static char copy[BYTES];
    tarn_addr memory = 0;
    tarn_device *device = open_device();
    tarn_stream one = make_stream(device), two = make_stream(device);
    must(tarn_memory_alloc(device, BYTES, &memory));
    for (int i = 0; i < 2; i++) {
        must(tarn_event_create_shared(device, &events[i]));
        must(tarn_event_export(events[i], &keys[i]));
    }
    send_bytes(to, keys, sizeof keys);

    must(tarn_fill(device, memory, 1, 1, BYTES, one));
    must(tarn_event_record(events[0], one));
    pass_turn(to, from);
    must(tarn_stream_wait(two, events[1], 0));
    must(tarn_fill(device, memory, 2, 1, BYTES, two));

    must(tarn_event_record(events[0], two));
    pass_turn(to, from);
    must(tarn_event_synchronize(events[1], TARN_FOREVER));
    must(tarn_copy(device, TARN_ADDR(copy), memory, BYTES, TARN_STREAM_NONE));

    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(two));
    must(tarn_event_destroy(events[0]));
    must(tarn_event_destroy(events[1]));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
}

int main(void) {
    int down[2], up[2], status = -1;
    if (pipe(down) != 0 || pipe(up) != 0) return 2;
    pid_t child = fork(); // before the first call of Tarn
    if (child == 0) {
        (void)close(down[1]);
        (void)close(up[0]);
        return child_main(down[0], up[1]);
    }
    (void)close(down[0]);
    (void)close(up[1]);
    parent_main(down[1], up[0]);
    (void)close(down[1]);
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 2;
}
