// SPDX-License-Identifier: Apache-2.0
// Launches by an address, for graphs too.
#pragma once

#include "compat/runtime/host_kernel.h"

// Finds a kernel by its address or by a hipFunction_t. INVALID_DEVICE_FUNCTION: it is neither.
tn_rt_error tn_hip_find_kernel(const void *function, const struct tn_rt_host_kernel **kernel);

// The `run` of launches.
tn_rt_error tn_hip_run_block(void (*kernel)(void), const void *closure,
                             struct tn_rt_host_block *block, const char **why);
