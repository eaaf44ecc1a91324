// SPDX-License-Identifier: Apache-2.0
// The lives of blocks, and the bytes of a device over time. A moment of a device is a number of its
// events: moment 0 is before the first event, and moment n is after the n-th event. Pure functions
// of a constant trace; any thread may call.
#pragma once

#include "trace/trace.h"

#define TN_NEVER UINT32_MAX

// The moments of one block. It is live at moment k if born <= k < freed.
struct tn_life {
    uint32_t born;  // 0 for a block that was live before the first event
    uint32_t given; // the program gave it up, but streams may still use it; or TN_NEVER
    uint32_t freed; // or TN_NEVER
};

static inline bool tn_life_covers(const struct tn_life *life, size_t moment) {
    return life->born <= moment && moment < life->freed;
}

// Returns the lives of all blocks of a trace, by block. The caller frees them. Returns NULL if out
// of memory.
struct tn_life *tn_lives_make(const struct tn_trace *trace);

// The bytes of a device at each moment.
struct tn_levels {
    size_t count;       // of moments: the events and 1
    uint64_t *live;     // requested bytes of live blocks
    uint64_t *reserved; // bytes of segments; NULL if the recording does not have them
    size_t peak;        // the first moment of the highest live bytes
    size_t peak_reserved;
};

// Sums a device up. The caller releases the levels. Fails with NO_HOST_MEMORY.
tarn_status tn_levels_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                           struct tn_levels *levels);
void tn_levels_release(struct tn_levels *levels);

// Returns the bytes of a device's segments before its first event. *known is false if the recording
// does not have them. tn_reserved_after() returns the bytes after an event from those before it.
uint64_t tn_reserved_at_start(const struct tn_trace *trace, const struct tn_trace_device *device,
                              bool *known);
uint64_t tn_reserved_after(const struct tn_trace *trace, const struct tn_event *event,
                           uint64_t reserved);

// Returns the bytes that a block occupies: as recorded, or the requested bytes rounded as PyTorch
// rounds them (512) if the trace is a snapshot, or the requested bytes.
uint64_t tn_block_occupied(const struct tn_trace *trace, const struct tn_block *block);
