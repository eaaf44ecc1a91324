// SPDX-License-Identifier: Apache-2.0
// Memory events about accesses by copies and fills. The rules of core/platform/notify.h hold.
#pragma once

#include "core/address/range.h"
#include "core/platform/notify.h"
#include "core/work/executor.h"

// An access that is about to be enqueued. `how`: TN_MEM_READ or TN_MEM_WRITE.
void tn_emit_access(const struct tn_executor *executor, const struct tn_box *box, uint32_t how,
                    const char *call);
