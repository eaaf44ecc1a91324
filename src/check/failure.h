// SPDX-License-Identifier: Apache-2.0
// Kernels that failed, as the library that runs them reports it. Any thread may call, without a lock of
// the checker.
#pragma once

#include "annotate/mem_event.h"

// Reports TN_MEM_FAILURE.
void tn_check_failure_event(const struct tn_mem_event *event);
