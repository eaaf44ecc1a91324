// SPDX-License-Identifier: Apache-2.0
// Variables that kernels use, by their address on the host.
#pragma once

#include <stddef.h>

#include "compat/runtime/error.h"

// Checks a range of a known variable and returns its address. INVALID_SYMBOL: unknown;
// INVALID_VALUE: the range is longer than the variable.
tn_rt_error tn_hip_variable_range(const void *symbol, size_t offset, size_t size, void **address);
