// SPDX-License-Identifier: Apache-2.0
// Parameters of kernel nodes, and the place of a new node, as types of a row.
#pragma once

#include "compat/runtime/graph/op.h"

// Reads a hipKernelNodeParams. INVALID_DEVICE_FUNCTION: its func is not a kernel; see also
// tn_rt_kernel_node().
tn_rt_error tn_hip_read_kernel(const void *params, struct tn_rt_op *op);

#define TN_HIP_SPOT hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t

// The rows of a kind of node, see compat/runtime/node_rows.h.
#define TN_HIP_NODE_ROWS(name, prefix, work, params)                                               \
    TN_RT_NODE_ROWS(TN_HIP_ROW, hipGraph, TN_HIP_API, name, prefix, work, params)
#define TN_HIP_API(name) hip##name
