// SPDX-License-Identifier: Apache-2.0
// A model of PyTorch's expandable segments: what the option would reserve for the recorded work. With
// room on the card it removes the waste between segments, not the holes inside of a range, because
// pages move only when the device refuses more. Pure functions; any thread may call.
#pragma once

#include "trace/study/moment.h"

struct tn_expandable {
    uint64_t with_room; // the highest reserved bytes on a card with room
    uint64_t least;     // the least card that suffices, in steps of 20 MiB; 0 if not searched
};

// Models a device, whose moment 0 `start` is. Fails with NO_HOST_MEMORY. The least card is searched
// for up to `most` events.
tarn_status tn_expandable_model(const struct tn_moment *start, size_t most,
                                struct tn_expandable *made);
