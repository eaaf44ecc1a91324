// SPDX-License-Identifier: Apache-2.0
// Waits for a value in memory, and writes of one, in stream order. Any thread may call.
#pragma once

#include "compat/runtime/op.h"

// The conditions of waits: the masked word is at least the value; is the value; has a bit of it; or
// lacks a bit that the value lacks too.
enum { TN_RT_VALUE_GTE, TN_RT_VALUE_EQ, TN_RT_VALUE_AND, TN_RT_VALUE_NOR };

// Submits waits and writes in their order, at most TN_RT_VALUES. All are checked before the first
// is submitted. INVALID_VALUE: an address that is not in memory of the program, or not a condition.
#define TN_RT_VALUES 256
tn_rt_error tn_rt_values_submit(void *stream, const struct tn_rt_value *values, unsigned count);
tn_rt_error tn_rt_value_submit(void *stream, const struct tn_rt_value *value);
