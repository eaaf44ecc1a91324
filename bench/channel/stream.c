// SPDX-License-Identifier: Apache-2.0
// The parts that all carriers share: the bytes, the clock, memory.
#include "stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PATTERN UINT64_C(0x9e3779b97f4a7c15)
#define LAST    UINT64_MAX

static uint64_t now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Writes four words in each step, so that no carrier's copy is faster.
bool stream_write(struct stream *stream, uint64_t number, void *message) {
    uint64_t *at = (uint64_t *)message;
    uint64_t value = number;
    if (number == stream->warm_up) stream->until_ns = now_ns() + stream->milliseconds * 1000000;
    bool last = number > stream->warm_up + 3 && now_ns() >= stream->until_ns;
    for (uint64_t i = 0; i < stream->bytes / 32; i++, at += 4, value += 4 * PATTERN) {
        at[0] = value;
        at[1] = value + PATTERN;
        at[2] = value + 2 * PATTERN;
        at[3] = value + 3 * PATTERN;
    }
    if (last) *(uint64_t *)message = LAST;
    return !last;
}

static uint64_t expected(uint64_t bytes, uint64_t number) {
    uint64_t n = bytes / 32 * 4; // even
    return n * number + n / 2 * (n - 1) * PATTERN;
}

bool stream_read(struct stream *stream, const void *message) {
    const uint64_t *at = (const uint64_t *)message;
    uint64_t number = at[0], a = 0, b = 0, c = 0, d = 0;
    for (uint64_t i = 0; i < stream->bytes / 32; i++, at += 4) {
        a += at[0];
        b += at[1];
        c += at[2];
        d += at[3];
    }
    if (number == LAST) return false;
    stream->damaged += a + b + c + d != expected(stream->bytes, number);
    stream->ended_ns = now_ns();
    if (number == stream->warm_up) stream->begun_ns = stream->ended_ns;
    stream->counted += number > stream->warm_up;
    return true;
}

void *stream_memory(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("bench_channel: mmap");
        _exit(1);
    }
    return memory;
}

void stream_fail(struct stream *stream, const char *what) {
    (void)fprintf(stderr, "bench_channel: %s (%s)\n", what, strerror(errno));
    stream->failed = true;
    _exit(1);
}
