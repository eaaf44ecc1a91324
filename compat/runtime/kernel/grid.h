// SPDX-License-Identifier: Apache-2.0
// A cooperative launch: all blocks run at the same time, each on a thread of the CPU that lives as
// long as the launch, and wait for each other.
#pragma once

#include "compat/runtime/graph/op.h"

// Runs all blocks. The calling thread runs the first one.
tn_rt_error tn_rt_grid_run(const struct tn_rt_launch *launch, uint32_t blocks);
