// SPDX-License-Identifier: Apache-2.0
// HIP's errors. Everything below the public functions decides errors of the runtime, whose numbers
// are HIP's too; see compat/runtime/base/error.h.
#pragma once

#include <hip/detail/types.h>

#include "compat/runtime/base/error.h"

struct tn_rt_policy;

// Names HIP's errors in the policy.
void tn_hip_set_codes(struct tn_rt_policy *policy);

// Returns TN_RT_OK, or the error that a user asks for in TARN_FAIL.
tn_rt_error tn_hip_inject(const char *function);

// Leaves a public function: keeps and logs a failure, and converts it.
static inline hipError_t tn_hip_leave(tn_rt_error error, const char *function) {
    return (hipError_t)tn_rt_leave(error, function);
}
