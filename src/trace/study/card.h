// SPDX-License-Identifier: Apache-2.0
// The memory of the card on which a recording was made, as far as the recording tells it. No state;
// any thread may call.
#pragma once

#include "trace/trace.h"

struct tn_recorded_card {
    uint64_t bytes; // 0: not told
    bool is_whole;  // the memory of the card. Else what an allocator had and could still get when a
                    // request was refused: the card has more, for contexts and other programs
};

struct tn_recorded_card tn_recorded_card(const struct tn_trace *trace,
                                         const struct tn_trace_device *device);

// Returns the memory that the card leaves for an allocator beside a context of this size.
uint64_t tn_recorded_card_usable(const struct tn_recorded_card *card, uint64_t context);
