// SPDX-License-Identifier: Apache-2.0
// The clock, and histograms of durations. See timing.h.
#include "tools/timing.h"

#include <time.h>

enum { EXACT = 128, STEPS = 64, STEP_BITS = 6, TRIES = 2001 };

uint64_t tn_timing_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t tn_timing_cost(void) {
    static struct tn_histogram tries;
    tries = (struct tn_histogram){0};
    for (int i = 0; i < TRIES; i++) {
        uint64_t start = tn_timing_now();
        tn_histogram_add(&tries, tn_timing_now() - start);
    }
    return tn_histogram_quantile(&tries, 500);
}

// Below 128 each number has a bucket; above, each power of two has 64.
static size_t bucket_of(uint64_t value) {
    if (value < EXACT) return (size_t)value;
    unsigned power = 63 - (unsigned)__builtin_clzll(value);
    return EXACT + (power - 7) * STEPS + ((value >> (power - STEP_BITS)) & (STEPS - 1));
}

static uint64_t value_of(size_t bucket) {
    if (bucket < EXACT) return bucket;
    size_t power = (bucket - EXACT) / STEPS + 7, step = (bucket - EXACT) % STEPS;
    return (UINT64_C(1) << power) + ((uint64_t)step << (power - STEP_BITS));
}

void tn_histogram_add(struct tn_histogram *histogram, uint64_t nanoseconds) {
    histogram->count++;
    histogram->buckets[bucket_of(nanoseconds)]++;
}

uint64_t tn_histogram_quantile(const struct tn_histogram *histogram, uint64_t permille) {
    if (histogram->count == 0) return 0;
    uint64_t rank = (histogram->count - 1) * permille / 1000, seen = 0;
    size_t bucket = 0;
    for (; bucket < TN_HISTOGRAM_BUCKETS - 1; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen > rank) break;
    }
    return value_of(bucket);
}
