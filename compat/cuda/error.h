// SPDX-License-Identifier: Apache-2.0
// CUDA's errors. Everything below the public functions decides errors of the runtime, whose numbers
// are CUDA's too; see compat/runtime/base/error.h.
#pragma once

struct tn_rt_policy;

// Names CUDA's errors in the policy.
void tn_cu_set_codes(struct tn_rt_policy *policy);
