// SPDX-License-Identifier: Apache-2.0
// HIP's functions about graphs. See compat/runtime/graph/graph.h.
#include <hip/detail/graph.h>
#include <hip/detail/user_object.h>

#include "compat/hip/face.h"
#include "compat/runtime/graph/graph.h"
#include "compat/runtime/graph/user_object.h"

#define SAME(theirs, ours) _Static_assert((int)(theirs) == (int)(ours), "numbers are the same")
SAME(hipGraphNodeTypeKernel, TN_RT_WORK_KERNEL);
SAME(hipGraphNodeTypeMemcpy, TN_RT_WORK_COPY);
SAME(hipGraphNodeTypeMemset, TN_RT_WORK_FILL);
SAME(hipGraphNodeTypeHost, TN_RT_WORK_HOST);
SAME(hipGraphNodeTypeGraph, TN_RT_WORK_GRAPH);
SAME(hipGraphNodeTypeMemAlloc, TN_RT_WORK_MEMORY_ALLOC);
SAME(hipGraphNodeTypeMemFree, TN_RT_WORK_MEMORY_FREE);
SAME(hipGraphNodeTypeBatchMemOp, TN_RT_WORK_VALUE);
SAME(hipGraphUserObjectMove, TN_RT_USER_MOVE);
SAME(hipUserObjectNoDestructorSync, TN_RT_USER_NO_DESTRUCTOR_SYNC);

// ---- nodes

TN_HIP_ROW(hipGraphGetEdges, tn_rt_graph_list_edges, hipGraph_t, graph, hipGraphNode_t *, from,
           hipGraphNode_t *, to, size_t *, numEdges)
TN_HIP_ROW(hipGraphNodeGetDependencies, tn_rt_graph_list_before, hipGraphNode_t, node,
           hipGraphNode_t *, pDependencies, size_t *, pNumDependencies)
TN_HIP_ROW(hipGraphNodeGetDependentNodes, tn_rt_graph_list_after, hipGraphNode_t, node,
           hipGraphNode_t *, pDependentNodes, size_t *, pNumDependentNodes)
TN_HIP_ROW(hipGraphNodeGetType, tn_rt_graph_node_work, hipGraphNode_t, node, hipGraphNodeType *,
           pType)

// ---- text

_Static_assert((int)hipGraphDebugDotFlagsVerbose == (int)TN_RT_DOT_ALL &&
                   (int)hipGraphDebugDotFlagsKernelNodeParams == (int)TN_RT_DOT_KERNEL &&
                   (int)hipGraphDebugDotFlagsMemcpyNodeParams == (int)TN_RT_DOT_COPY &&
                   (int)hipGraphDebugDotFlagsMemsetNodeParams == (int)TN_RT_DOT_FILL &&
                   (int)hipGraphDebugDotFlagsHostNodeParams == (int)TN_RT_DOT_HOST &&
                   (int)hipGraphDebugDotFlagsEventNodeParams == (int)TN_RT_DOT_EVENT,
               "flags have the same numbers");
