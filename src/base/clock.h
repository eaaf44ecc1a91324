// SPDX-License-Identifier: Apache-2.0
// The clock of deadlines: CLOCK_MONOTONIC in nanoseconds. Any thread.
#pragma once

#include <stdint.h>
#include <time.h>

static inline uint64_t tn_now_ns(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Returns the time `timeout_ns` from now, or UINT64_MAX, which never passes, if that is later.
static inline uint64_t tn_deadline(uint64_t timeout_ns) {
    uint64_t now = tn_now_ns();
    return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

// Milliseconds until a deadline, rounded up, as poll() takes them: -1 for UINT64_MAX.
static inline int tn_ms_until(uint64_t deadline_ns) {
    uint64_t now = tn_now_ns();
    if (deadline_ns == UINT64_MAX) return -1;
    uint64_t left = deadline_ns > now ? (deadline_ns - now + 999999) / 1000000 : 0;
    return left > INT32_MAX ? INT32_MAX : (int)left;
}
