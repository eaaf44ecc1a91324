// SPDX-License-Identifier: Apache-2.0
// The driver's description of a copy, which calls and nodes share.
#pragma once

#include <hip/detail/copy_box.h>

#include "compat/runtime/box.h"

// Converts it. INVALID_VALUE: a level is not 0, or an unknown type of memory.
tn_rt_error tn_hip_read_drv(const HIP_MEMCPY3D *copy, struct tn_rt_box *box);
