// SPDX-License-Identifier: Apache-2.0
// Nodes of any kind, by functions that take the kind together with its parameters.
#pragma once

#include "compat/runtime/graph/node.h"

struct tn_rt_any_node {
    unsigned kind;          // an enum tn_rt_work
    void *params;           // as the reader of the kind takes them
    tn_rt_node_reader read; // of a kind that the face reads itself; else NULL
};

// Add such a node, and set the parameters of a node, also in an executable graph. All fail with
// NOT_SUPPORTED for semaphores, and for memory in a node that exists, and with INVALID_VALUE if
// `node` is NULL or the kind has no reader. Then come the errors of node.h and graph_memory.h.
tn_rt_error tn_rt_any_add(const struct tn_rt_spot *spot, const struct tn_rt_any_node *node);
tn_rt_error tn_rt_any_set(void *handle, const struct tn_rt_any_node *node);
tn_rt_error tn_rt_any_change(void *exec, void *handle, const struct tn_rt_any_node *node);
