// SPDX-License-Identifier: Apache-2.0
// The software MMU of the simulated device: may these devices use these addresses now?
#ifndef TARN_BACKEND_SIM_REACH_H
#define TARN_BACKEND_SIM_REACH_H

#include "backend/sim/platform.h"

// Why not: a status and a line for people. Not recorded as the thread's last error, because work in
// a stream fails on behalf of the stream.
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

// Is every byte mapped (or plain memory), and held with the right `need` by one of the three
// devices (-1: none) or by its owner? Numbers that cannot be of any simulated platform are ordinary
// host memory, whose validity is the caller's word. Takes the lock.
bool tn_sim_reach(struct tn_sim *sim, const struct tn_sim_box *box, tarn_access need,
                  const int devices[3], struct tn_sim_violation *violation);

// Is this a number that only simulated platforms hand out?
static inline bool tn_sim_is_number(tarn_addr addr) {
    return addr >= TN_SIM_FIRST_WINDOW;
}

#endif
