// SPDX-License-Identifier: Apache-2.0
// Advice: hints from a program about the use of its managed memory, range by range. They are stored
// and returned by queries and have no other effect. They belong to the record of their block and
// are accessed under tn_hip_records_lock().
#ifndef TARN_COMPAT_HIP_ADVICE_H
#define TARN_COMPAT_HIP_ADVICE_H

#include <hip/detail/memory.h>

#include "compat/hip/face.h"

// The advice for one range.
struct tn_hip_usage {
    bool read_mostly;
    bool coarse;
    int preferred;     // hipInvalidDeviceId: none
    int prefetched;    // hipInvalidDeviceId: none
    uint64_t accessed; // bit 0: the CPU; bit 1 + n: device n
};

// Bytes [first, end) of a block.
struct tn_hip_range {
    size_t first;
    size_t end;
};

struct tn_hip_advice;

// Applies edit(usage, arg) to a range of a block of `bytes`, widened to pages. *advice is NULL
// before the first advice; the caller frees it. TN_RT_OUT_OF_MEMORY.
tn_rt_error tn_hip_advice_apply(struct tn_hip_advice **advice, size_t bytes,
                                struct tn_hip_range range,
                                void (*edit)(struct tn_hip_usage *usage, const void *arg),
                                const void *arg);

// Returns the advice that holds for all of a range: flags that are set everywhere, locations that
// are the same everywhere (else hipInvalidDeviceId), and devices named everywhere. *coherency is
// more precise than `coarse`. `advice` may be NULL.
struct tn_hip_usage tn_hip_advice_query(const struct tn_hip_advice *advice,
                                        struct tn_hip_range range,
                                        hipMemRangeCoherencyMode *coherency);

#endif
