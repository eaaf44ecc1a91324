// SPDX-License-Identifier: Apache-2.0
// The clock, and histograms of durations. A histogram belongs to one thread.
#pragma once

#include <stdint.h>

// Nanoseconds of a monotonic clock.
uint64_t tn_timing_now(void);

// Returns the time between two readings of the clock, in nanoseconds. Every measured duration
// includes it.
uint64_t tn_timing_cost(void);

// Durations in nanoseconds: exact below 128, above that to within 1/64.
enum { TN_HISTOGRAM_BUCKETS = 128 + 57 * 64 };

struct tn_histogram {
    uint64_t count;
    uint64_t buckets[TN_HISTOGRAM_BUCKETS];
};

void tn_histogram_add(struct tn_histogram *histogram, uint64_t nanoseconds);

// Returns the duration that `permille` of 1000 values do not exceed, or 0 for no values.
uint64_t tn_histogram_quantile(const struct tn_histogram *histogram, uint64_t permille);
