// SPDX-License-Identifier: Apache-2.0
// The software MMU of the simulated device: checks whether devices may use addresses now.
#pragma once

#include "backend/sim/platform.h"

// The reason of a refusal. It is not recorded as the thread's last error, because an operation in a
// stream fails on behalf of the stream.
struct tn_sim_violation {
    tarn_status status;
    char text[240];
};

// `depth` slices, `slice` apart, of `height` rows of `width` bytes, `pitch` apart.
struct tn_sim_box {
    tarn_addr addr;
    uint64_t width;
    uint64_t height;
    uint64_t pitch;
    uint64_t depth;
    uint64_t slice;
};

// Returns true if every byte is mapped or plain memory, and one of the three devices (-1: none) or
// the owner has the right `need`. Numbers outside all simulated platforms are ordinary host memory,
// which is not checked. Takes the lock.
bool tn_sim_reach(struct tn_sim *sim, const struct tn_sim_box *box, tarn_access need,
                  const int devices[3], struct tn_sim_violation *violation);

// Returns true if only simulated platforms use this number as an address.
static inline bool tn_sim_is_number(tarn_addr addr) { return addr >= TN_SIM_FIRST_WINDOW; }
