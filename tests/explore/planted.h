// SPDX-License-Identifier: Apache-2.0
// Shared by the planted programs. Each program is wrong in some order of its work, and right in every
// order with the argument "right".
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tarn/tarn.h>

static tarn_device *device;

static inline void must(tarn_status status) {
    if (status == TARN_OK) return;
    tarn_error error;
    (void)tarn_last_error(&error);
    fprintf(stderr, "%s\n", error.message);
    exit(2);
}

static inline tarn_stream new_stream(void) {
    tarn_stream stream = 0;
    must(tarn_stream_create(device, &stream));
    return stream;
}

static inline tarn_event new_event(void) {
    tarn_event event = 0;
    must(tarn_event_create(device, &event));
    return event;
}

static inline unsigned *new_word(void) {
    void *word = NULL;
    must(tarn_host_alloc(device, sizeof(unsigned), 0, &word));
    *(unsigned *)word = 0;
    return (unsigned *)word;
}

static inline tarn_addr new_memory(uint64_t bytes) {
    tarn_addr addr = 0;
    must(tarn_memory_alloc(device, bytes, &addr));
    must(tarn_fill(device, addr, 0, 1, bytes, TARN_STREAM_NONE));
    return addr;
}

// Makes `after` wait for what `before` has been given so far.
static inline void order(tarn_stream before, tarn_stream after) {
    tarn_event event = new_event();
    must(tarn_event_record(event, before));
    must(tarn_stream_wait(after, event, 0));
    must(tarn_event_destroy(event));
}

static inline bool begins(int argc, char **argv) {
    must(tarn_device_open(NULL, &device));
    return argc > 1 && strcmp(argv[1], "right") == 0;
}

// Ends the program, with status 1 if the result is wrong.
static inline int ends(bool good) {
    printf("%s\n", good ? "right" : "wrong");
    return good ? 0 : 1;
}
