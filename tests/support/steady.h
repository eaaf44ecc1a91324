// SPDX-License-Identifier: Apache-2.0
// Rounds that destroy all that they create: after many of them the process has no more of the
// host's memory than after a few. Include after cmocka.h. A sanitizer has a malloc() of its own, of
// which these functions see nothing.
#pragma once

#include <malloc.h>
#include <stddef.h>

#define STEADY_ROUNDS 200
#define STEADY_LEAK   (STEADY_ROUNDS * 32u) // bytes: malloc()'s smallest block in each round

typedef void steady_round(void *arg);

static inline size_t steady_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// Returns the bytes by which the rounds grow the process.
static inline size_t steady_growth(steady_round *round, void *arg) {
    size_t before = steady_bytes();
    for (int n = 0; n < STEADY_ROUNDS; n++) round(arg);
    size_t after = steady_bytes();
    return after > before ? after - before : 0;
}

// Tables and the history of addresses grow at times, so that of several attempts the best one
// counts.
static inline void assert_steady(steady_round *round, void *arg) {
    size_t growth = steady_growth(round, arg);
    for (int attempt = 0; attempt < 5 && growth >= STEADY_LEAK; attempt++)
        growth = steady_growth(round, arg);
    if (growth >= STEADY_LEAK) fail_msg("%d rounds left %zu bytes behind", STEADY_ROUNDS, growth);
}
