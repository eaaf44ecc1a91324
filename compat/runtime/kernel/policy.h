// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about kernels and functions of the program. See
// compat/runtime/policy.h.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compat/runtime/base/error.h"

struct tn_rt_kernel_policy {
    // A kernel fails at a barrier if a thread of the block has returned or waits in another line.
    // Otherwise threads that have returned do not count, and lines are not compared.
    bool strict_barriers;
    bool kernel_races;               // look for races within kernels
    tn_rt_error configuration_error; // of an impossible grid or block, or too much shared memory
    tn_rt_error bounds_error;        // of a block with more threads than the kernel's launch bounds
    uint32_t block_z;                // the most threads of a block in z; 0: as in x
};

extern struct tn_rt_kernel_policy tn_rt_kernel_policy;
