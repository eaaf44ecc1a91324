// SPDX-License-Identifier: Apache-2.0
// The bands of a device: live bytes over its events by the functions that hold most at the peak, in
// a fixed number of columns for a picture. The caller owns them. Constant once made, so any thread
// may read them.
#pragma once

#include "trace/study/holders.h"

enum { TN_BANDS = 10, TN_BAND_COLUMNS = 1000 };

struct tn_bands {
    const struct tn_trace *trace;
    const struct tn_trace_device *device;
    struct tn_life *lives;
    struct tn_owners owners;
    struct tn_levels levels;
    struct tn_phases phases;
    struct tn_moment peak;
    struct tn_holders holders; // at the peak, by function
    size_t count;              // of the bands; the last one has the other functions
    // By column: the moment in it at which most is live.
    size_t moments[TN_BAND_COLUMNS];
    uint64_t bytes[TN_BANDS + 1][TN_BAND_COLUMNS]; // by band
};

// Computes the bands of a device by the owners of blocks, or by their innermost calls. Release them
// in any case. Fails with NO_HOST_MEMORY.
tarn_status tn_bands_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                          bool innermost, struct tn_bands *bands);
void tn_bands_release(struct tn_bands *bands);
