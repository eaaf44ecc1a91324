// SPDX-License-Identifier: Apache-2.0
// The segments of the recorded allocator: the bytes that it held, and the device calls that it made
// for them. Both are derived from the segments at the end and the recorded actions. One thread at a
// time.
#pragma once

#include "trace/read/history.h"

// Fills the device's reserved bytes and calls. If the actions contradict the end, they stay unknown
// and a note is added.
tarn_status tn_segments_walk(const struct tn_history *history, struct tn_builder *builder,
                             struct tn_trace_device *device);

// Fills the reserved bytes and calls of the builder's last device from its segments, or from its
// samples if it has none. If they do not add up, they stay unknown and a note is added.
tarn_status tn_segments_sum(struct tn_builder *builder, struct tn_trace_device *device);
