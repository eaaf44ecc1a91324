// SPDX-License-Identifier: Apache-2.0
// The part of a face's policy that is about graphs. See compat/runtime/policy.h.
#pragma once

#include <stdbool.h>

struct tn_rt_graph_policy {
    bool stale_graph_is_state;    // a handle of no graph: ILLEGAL_STATE, not INVALID_VALUE
    bool memory_nodes_are_fixed;  // their edges stay, and they have no type of handle
    bool children_have_no_memory; // except graphs that were moved: NOT_SUPPORTED
};

extern struct tn_rt_graph_policy tn_rt_graph_policy;
