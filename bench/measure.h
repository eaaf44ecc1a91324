// SPDX-License-Identifier: Apache-2.0
// Shared by the benchmarks: the clock, and the end of a run after an error.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tarn/base.h>

static inline uint64_t now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline void check(tarn_status status, const char *what) {
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)fprintf(stderr, "%s: %s: %s\n", what, tarn_status_name(status), error.message);
        exit(1);
    }
}
