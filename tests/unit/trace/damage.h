// SPDX-License-Identifier: Apache-2.0
// Damages a recording: cuts it at every 1/50, and changes bits at 200 seeded places. A reader must
// refuse the result with an error that names the file, or read it into a sound trace.
#pragma once

#include "unit/trace/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DAMAGE_CUTS = 50, DAMAGE_FLIPS = 200 };

static void damage_read(const uint8_t *bytes, size_t size, const struct tn_trace_limits *limits) {
    struct tn_trace trace = {.event_count = 77};
    tarn_error error;
    tarn_clear_error();
    if (tn_trace_read_memory("file", bytes, size, limits, &trace) == TARN_OK) {
        sound_trace(&trace);
        tn_trace_release(&trace);
        return;
    }
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "file"));
    assert_int_equal(trace.event_count, 77);
}

// Reads copies of exactly their size, so that a sanitizer sees reads behind the end.
static inline void assert_survives_damage(const void *bytes, size_t size,
                                          const struct tn_trace_limits *limits) {
    uint64_t random = 1;
    for (size_t cut = 0; cut < DAMAGE_CUTS; cut++) {
        size_t left = size * cut / DAMAGE_CUTS;
        uint8_t *part = (uint8_t *)malloc(left + 1);
        assert_non_null(part);
        memcpy(part, bytes, left);
        damage_read(part, left, limits);
        free(part);
    }
    for (int flip = 0; flip < DAMAGE_FLIPS; flip++) {
        uint8_t *copy = (uint8_t *)malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        for (int bit = 0; bit <= flip % 4; bit++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            copy[(random >> 33) % size] ^= (uint8_t)(1u << (random >> 30 & 7));
        }
        damage_read(copy, size, limits);
        free(copy);
    }
}

// Reads a file that must be there. The caller frees it.
static inline uint8_t *damage_load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length > 0);
    uint8_t *bytes = (uint8_t *)malloc((size_t)length + 1);
    assert_non_null(bytes);
    rewind(file);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
    (void)fclose(file);
    *size = (size_t)length;
    return bytes;
}
