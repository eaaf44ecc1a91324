// SPDX-License-Identifier: Apache-2.0
// The memory that a kind of pool needs for a recording, for commands that replay by the way. One
// thread.
#pragma once

#include "tools/replay/replay.h"

// Replays one device of a trace once on `device`, without times. Fails as the replay does, for want of
// memory with NO_DEVICE_MEMORY or NO_ADDRESS_SPACE. `totals` are those of the replay in any case.
tarn_status tn_replay_peak(const struct tn_trace *trace, const struct tn_trace_device *part,
                           tarn_device *device, enum tn_target_kind kind, struct tn_totals *totals);
