// SPDX-License-Identifier: Apache-2.0
// The settings in the environment: the framework's first device, and the kind of pools.
#pragma once

#include <tarn/pool.h>

enum { TN_TORCH_TEXT = 512 };

// The name of the framework's device 0.
const char *tn_torch_first_device(void);

// Sets kind, limit, policy, sizes and flags from the environment, and *plan to the name of the plan's file
// if it has one. BAD_CONFIG: `why` names the item.
tarn_status tn_torch_read_pool(tarn_pool_desc *desc, const char **plan, char why[TN_TORCH_TEXT]);
