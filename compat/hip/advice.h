// SPDX-License-Identifier: Apache-2.0
// Advice: what a program said about the use of its managed memory, range by range. Nothing is done
// with it: the memory is where all can use it. It belongs to its block and is touched under the
// lock of the table of blocks.
#ifndef TARN_COMPAT_HIP_ADVICE_H
#define TARN_COMPAT_HIP_ADVICE_H

#include <hip/detail/memory.h>

#include "compat/hip/block.h"

// What was said of one stretch.
struct tn_hip_said {
    bool read_mostly;
    bool coarse;
    int preferred;     // hipInvalidDeviceId: nothing
    int prefetched;    // likewise
    uint64_t accessed; // bit 0: the CPU; bit 1 + n: device n
};

// Bytes [first, end) of a block.
struct tn_hip_stretch {
    size_t first;
    size_t end;
};

// Applies edit(said, device) to a stretch, widened to pages. hipErrorOutOfMemory.
hipError_t tn_hip_advice_apply(struct tn_hip_block *block, struct tn_hip_stretch stretch,
                               void (*edit)(struct tn_hip_said *said, int device), int device);

// What holds for all of a stretch: flags said everywhere, a location that is the same everywhere
// (else hipInvalidDeviceId), devices named everywhere. *coherency says more than `coarse` can.
struct tn_hip_said tn_hip_advice_query(const struct tn_hip_block *block,
                                       struct tn_hip_stretch stretch,
                                       hipMemRangeCoherencyMode *coherency);

#endif
