// SPDX-License-Identifier: Apache-2.0
// Attributes of kernel nodes, which are stored, copied and returned. A cooperative kernel is
// launched as one; the others have no other effect.
#pragma once

#include "compat/runtime/base/error.h"

enum { TN_RT_NODE_WINDOW = 1, TN_RT_NODE_COOPERATIVE = 2, TN_RT_NODE_PRIORITY = 8 };

// Set an attribute, or return it: 0 until it is set. As many bytes of `value` are used as the
// attribute has. INVALID_VALUE: not a kernel node, `value` is NULL, not an attribute; a ratio
// outside of 0 to 1, or 0 with bytes; bytes, because no device has such a cache; a policy of misses
// that persists; a priority that no stream can have. COOPERATIVE_TOO_LARGE.
tn_rt_error tn_rt_node_set_attribute(void *node, int attribute, const void *value);
tn_rt_error tn_rt_node_get_attribute(void *node, int attribute, void *value);

// Copies all attributes. INVALID_VALUE: not kernel nodes; COOPERATIVE_TOO_LARGE.
tn_rt_error tn_rt_node_copy_attributes(void *source, void *destination);
