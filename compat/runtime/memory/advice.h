// SPDX-License-Identifier: Apache-2.0
// Advice: hints from a program about the use of its managed memory, range by range. They are stored
// and returned by queries and have no other effect. They belong to the record of their block and
// are accessed under tn_rt_records_lock.
#pragma once

#include "compat/runtime/base/error.h"

// The location that an advice names: none, the CPU, or the ordinal of a device.
enum { TN_RT_LOCATION_NONE = -2, TN_RT_LOCATION_CPU = -1 };

// The coherence of the caches for a range of memory.
enum tn_rt_coherency { TN_RT_COHERENCY_FINE, TN_RT_COHERENCY_COARSE, TN_RT_COHERENCY_MIXED };

// The advice for one range.
struct tn_rt_usage {
    bool read_mostly;
    bool coarse;
    int preferred;
    int prefetched;
    uint64_t accessed; // bit 0: the CPU; bit 1 + n: device n
};

// Bytes [first, end) of a block.
struct tn_rt_range {
    size_t first;
    size_t end;
};

struct tn_rt_advice;

// Applies edit(usage, arg) to a range of a block of `bytes`, widened to pages. *advice is NULL
// before the first advice; the caller frees it. Fails with OUT_OF_MEMORY without memory.
tn_rt_error tn_rt_advice_apply(struct tn_rt_advice **advice, size_t bytes, struct tn_rt_range range,
                               void (*edit)(struct tn_rt_usage *usage, const void *arg),
                               const void *arg);

// Returns the advice that holds for all of a range: flags that are set everywhere, locations that
// are the same everywhere (else NONE), and devices named everywhere. *coherency is
// more precise than `coarse`. `advice` may be NULL.
struct tn_rt_usage tn_rt_advice_query(const struct tn_rt_advice *advice, struct tn_rt_range range,
                                      enum tn_rt_coherency *coherency);
