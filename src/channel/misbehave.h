// SPDX-License-Identifier: Apache-2.0
// Peers that are slow or die, as the seed of the process decides (base/decide.h). Any thread.
#pragma once

#include "base/decide.h"

// Under a seed, waits or ends the process, or does neither.
void tn_channel_decide(const char *call);

// For the begin of a call of a channel.
static inline void tn_channel_misbehave(const char *call) {
    if (tn_decides()) tn_channel_decide(call);
}
