// SPDX-License-Identifier: Apache-2.0
// The driver's description of a copy, which calls and nodes of graphs share.
#pragma once

#include "compat/cuda/face.h"
#include "compat/runtime/box.h"

// Converts it. INVALID_VALUE: a level is not 0, or an unknown type of memory.
tn_rt_error tn_cu_read_box(const CUDA_MEMCPY3D *copy, struct tn_rt_box *box);
