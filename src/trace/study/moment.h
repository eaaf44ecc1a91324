// SPDX-License-Identifier: Apache-2.0
// A moment: the live blocks and the segments of a device after a number of its events. The caller
// owns it. Constant once made, so any thread may read it. See lives.h for the numbers of moments.
#pragma once

#include "trace/study/lives.h"

struct tn_moment {
    const struct tn_trace *trace;
    const struct tn_trace_device *device;
    const struct tn_life *lives;
    size_t at;
    uint32_t *blocks; // the live ones, by rising address
    size_t block_count;
    uint64_t live;     // their requested bytes
    uint64_t occupied; // their bytes as rounded by the allocator
    uint64_t waiting;  // requested bytes of those that wait for other streams
    size_t waiting_count;
    struct tn_trace_segment *segments; // by rising address; mapped neighbours are joined
    size_t segment_count;
    uint64_t reserved; // their bytes
    bool has_places;   // addresses and segments are known and do not contradict each other
};

// Makes the moment `at` of a device, which may be 0 to its number of events. `lives` and the trace
// must outlive it. Fails with NO_HOST_MEMORY.
tarn_status tn_moment_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                           const struct tn_life *lives, size_t at, struct tn_moment *moment);
void tn_moment_release(struct tn_moment *moment);
