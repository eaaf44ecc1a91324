// SPDX-License-Identifier: Apache-2.0
// The software device for a replay on the card of the recording. One thread.
#pragma once

#include <tarn/tarn.h>

#include "trace/trace.h"

struct tn_replay_card {
    uint64_t bytes;  // for the pool of each device; 0: the recording does not tell, so no limit
    char device[64]; // its name for tarn_device_open()
    char text[128];  // continues "replayed", such as "on the recorded card, ..."
};

// Describes the card of one device of the recording, or with NULL that of the device with the
// largest, as many times as there are devices.
void tn_replay_card(const struct tn_trace *trace, const struct tn_trace_device *part,
                    struct tn_replay_card *card);
