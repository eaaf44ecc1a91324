// SPDX-License-Identifier: Apache-2.0
// Functions of the program, called in stream order on a thread of Tarn.
#pragma once

#include "compat/runtime/device.h"

// Submits a call of fn(arg) to a stream. INVALID_VALUE: fn NULL.
tn_rt_error tn_rt_host_function(void *stream, void (*fn)(void *arg), void *arg);
