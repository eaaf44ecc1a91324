// SPDX-License-Identifier: Apache-2.0
// Checks whether an executor may access a box of memory now. A refusal is emitted to subscribers,
// because it shows a mistake of the program. Any thread, without locks of the core.
#pragma once

#include "core/address/range.h"
#include "core/work/executor.h"

// Checks the destination of `call` (READ_WRITE) or its source (READ). Fails as tn_range_check().
tarn_status tn_reach_check(const struct tn_executor *executor, const struct tn_box *box,
                           tarn_access need, const struct tn_accessors *accessors,
                           const char *call);
