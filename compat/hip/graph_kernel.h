// SPDX-License-Identifier: Apache-2.0
// Parameters of kernel nodes, and the place of a new node, as parameters of a row.
#pragma once

#include "compat/runtime/graph/op.h"

// Reads a hipKernelNodeParams. INVALID_DEVICE_FUNCTION: its func is not a kernel; see also
// tn_rt_kernel_node().
tn_rt_error tn_hip_read_kernel(const void *params, struct tn_rt_op *op);

#define TN_HIP_SPOT                                                                                \
    hipGraphNode_t *, pGraphNode, hipGraph_t, graph, const hipGraphNode_t *, pDependencies,        \
        size_t, numDependencies
