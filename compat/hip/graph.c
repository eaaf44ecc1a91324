// SPDX-License-Identifier: Apache-2.0
// HIP's functions about graphs. See compat/runtime/graph.h.
#include <hip/detail/graph.h>
#include <hip/detail/user_object.h>

#include "compat/hip/face.h"
#include "compat/runtime/graph.h"

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

hipError_t hipGraphCreate(hipGraph_t *pGraph, unsigned int flags) {
    return TN_HIP_CALL(tn_rt_graph_create(pGraph, flags));
}

hipError_t hipGraphDestroy(hipGraph_t graph) { return TN_HIP_CALL(tn_rt_graph_destroy(graph)); }

hipError_t hipGraphClone(hipGraph_t *pGraphClone, hipGraph_t originalGraph) {
    return TN_HIP_CALL(tn_rt_graph_clone(pGraphClone, originalGraph));
}

// ---- user objects

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count,
                                    unsigned int flags) {
    return TN_HIP_CALL(tn_rt_graph_retain_user(graph, object, count, flags));
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
    return TN_HIP_CALL(tn_rt_graph_release_user(graph, object, count));
}

// ---- nodes

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes) {
    return TN_HIP_CALL(tn_rt_graph_list_nodes(graph, nodes, numNodes));
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes,
                                size_t *pNumRootNodes) {
    return TN_HIP_CALL(tn_rt_graph_list_roots(graph, pRootNodes, pNumRootNodes));
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to,
                            size_t *numEdges) {
    return TN_HIP_CALL(tn_rt_graph_list_edges(graph, from, to, numEdges));
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies,
                                       size_t *pNumDependencies) {
    return TN_HIP_CALL(tn_rt_graph_list_before(node, pDependencies, pNumDependencies));
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *pDependentNodes,
                                         size_t *pNumDependentNodes) {
    return TN_HIP_CALL(tn_rt_graph_list_after(node, pDependentNodes, pNumDependentNodes));
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t *pNode, hipGraphNode_t originalNode,
                                   hipGraph_t clonedGraph) {
    return TN_HIP_CALL(tn_rt_graph_find_copy(pNode, originalNode, clonedGraph));
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType) {
    return TN_HIP_CALL(tn_rt_graph_node_work(node, (unsigned *)pType));
}

// ---- text

_Static_assert((int)hipGraphDebugDotFlagsVerbose == (int)TN_RT_DOT_ALL &&
                   (int)hipGraphDebugDotFlagsKernelNodeParams == (int)TN_RT_DOT_KERNEL &&
                   (int)hipGraphDebugDotFlagsMemcpyNodeParams == (int)TN_RT_DOT_COPY &&
                   (int)hipGraphDebugDotFlagsMemsetNodeParams == (int)TN_RT_DOT_FILL &&
                   (int)hipGraphDebugDotFlagsHostNodeParams == (int)TN_RT_DOT_HOST &&
                   (int)hipGraphDebugDotFlagsEventNodeParams == (int)TN_RT_DOT_EVENT,
               "flags have the same numbers");

hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags) {
    return TN_HIP_CALL(tn_rt_graph_print(graph, path, flags));
}
