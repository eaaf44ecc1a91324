// SPDX-License-Identifier: Apache-2.0
// What the environment says: which device is the framework's first, and what pools are like.
#ifndef TARN_PLUGIN_TORCH_CONFIG_H
#define TARN_PLUGIN_TORCH_CONFIG_H

#include <tarn/pool.h>

enum { TN_TORCH_TEXT = 512 };

// The name of the framework's device 0.
const char *tn_torch_first_device(void);

// Fills in kind, limit, slack, sizes and flags from the environment. BAD_CONFIG with a text that
// names the piece.
tarn_status tn_torch_read_pool(tarn_pool_desc *desc, char why[TN_TORCH_TEXT]);

#endif
