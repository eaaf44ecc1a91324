// SPDX-License-Identifier: Apache-2.0
// The definitions that host and device of this example share.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tarn/channel.h>

enum { PORT_FRAMES = 0, PORT_SUMS = 0, UNDER_WAY = 4 };
#define PATIENCE UINT64_C(10000000000) // ns

static inline tarn_status explain(tarn_status status) {
    tarn_error error;
    if (status != TARN_OK && tarn_last_error(&error) != TARN_OK)
        (void)fprintf(stderr, "%s\n", error.message);
    return status;
}

static inline void must(tarn_status status) {
    if (explain(status) != TARN_OK) exit(1);
}

// Fletcher's sum over 32-bit words: it detects every changed and every misplaced word.
static inline uint64_t sum_of(const void *frame, uint64_t bytes) {
    const uint32_t *word = (const uint32_t *)frame;
    uint64_t a = 1, b = 0;
    for (uint64_t i = 0; i < bytes / sizeof *word; i++) b += a += word[i];
    return a ^ b << 32;
}
