// SPDX-License-Identifier: Apache-2.0
// Launches by an address, for graphs too.
#pragma once

#include "compat/runtime/kernel.h"

// Fills in the kernel and the closure of a launch, as tn_rt_host_kernel_bind(). `function` is the
// address of a kernel or a hipFunction_t. INVALID_DEVICE_FUNCTION: it is neither.
tn_rt_error tn_hip_bind(const void *function, void *const *arguments, void *const *extra,
                        void *closure, struct tn_rt_launch *launch);

// The `run` of launches.
tn_rt_error tn_hip_run_block(void (*kernel)(void), const void *closure,
                             struct tn_rt_host_block *block, const char **why);
