// SPDX-License-Identifier: Apache-2.0
// Attributes of kernel nodes, which are stored, copied and returned. A cooperative kernel is
// launched as one; the others have no other effect.
#pragma once

#include "compat/runtime/base/error.h"

enum { TN_RT_NODE_WINDOW = 1, TN_RT_NODE_COOPERATIVE = 2, TN_RT_NODE_PRIORITY = 8 };

// Set an attribute, or return it. An attribute is 0 until it is set. As many bytes of `value` are
// used as the attribute has. Both fail with INVALID_VALUE if the node is not a kernel node, `value`
// is NULL, or the attribute is unknown. The first function also fails with INVALID_VALUE for a
// ratio outside of 0 to 1 or a ratio of 0 with bytes, for bytes, because no device has such a
// cache, for a policy of misses that persists, and for a priority that no stream can have; and with
// COOPERATIVE_TOO_LARGE if more blocks would have to run at once than can.
tn_rt_error tn_rt_node_set_attribute(void *node, int attribute, const void *value);
tn_rt_error tn_rt_node_get_attribute(void *node, int attribute, void *value);

// Copies all attributes. Fails with INVALID_VALUE unless both nodes are kernel nodes, and with
// COOPERATIVE_TOO_LARGE as tn_rt_node_set_attribute() does.
tn_rt_error tn_rt_node_copy_attributes(void *source, void *destination);
