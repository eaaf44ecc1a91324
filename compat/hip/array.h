// SPDX-License-Identifier: Apache-2.0
// HIP's descriptions of channels; see compat/runtime/array.h.
#pragma once

#include <hip/detail/types.h>

#include "compat/runtime/array.h"

// Converts a channel description to a format and a number of channels, and back.
// TN_RT_INVALID_VALUE: no array has such channels.
tn_rt_error tn_hip_channels(const hipChannelFormatDesc *desc, struct tn_rt_shape *shape);
hipChannelFormatDesc tn_hip_channels_back(const struct tn_rt_shape *shape);
