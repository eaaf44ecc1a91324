// SPDX-License-Identifier: Apache-2.0
// PyTorch memory snapshots as plain values, whichever container they came in.
#pragma once

#include "trace/parse/source.h"
#include "trace/parse/value.h"

// Reads the values of a container from a source, such as tn_pickle_read().
typedef tarn_status tn_snapshot_values(struct tn_source *source, struct tn_values *values,
                                       tn_value *root);

// Reads a snapshot and converts it into the histories of its devices.
tarn_status tn_snapshot_convert(struct tn_source *source, struct tn_builder *builder,
                                tn_snapshot_values *read);
