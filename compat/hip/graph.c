// SPDX-License-Identifier: Apache-2.0
// HIP's functions about graphs. See graph.h.
#include <hip/detail/graph.h>
#include <hip/detail/user_object.h>

#include "compat/hip/face.h"
#include "compat/runtime/graph.h"

TN_HIP_FUNCTION(hipGraphCreate, hipGraph_t *, pGraph, unsigned int, flags) {
    struct tn_rt_graph *graph = NULL;
    TN_RT_REFUSE(pGraph == NULL || flags != 0, TN_RT_INVALID_VALUE, "graph %p, flags 0x%x",
                 (void *)pGraph, flags);
    TN_RT_TRY(tn_rt_graph_new(tn_rt_plan_new(), &graph));
    *pGraph = (hipGraph_t)graph->object.handle;
    return TN_RT_OK;
}

hipError_t hipGraphDestroy(hipGraph_t graph) { return TN_HIP_CALL(tn_rt_graph_destroy(graph)); }

TN_HIP_FUNCTION(hipGraphClone, hipGraph_t *, pGraphClone, hipGraph_t, originalGraph) {
    uintptr_t handle = 0;
    TN_RT_TRY(tn_rt_check_pointer(pGraphClone, "pGraphClone"));
    TN_RT_TRY(tn_rt_graph_clone(originalGraph, &handle));
    *pGraphClone = (hipGraph_t)handle;
    return TN_RT_OK;
}

// ---- user objects

TN_HIP_FUNCTION(hipGraphRetainUserObject, hipGraph_t, graph, hipUserObject_t, object, unsigned int,
                count, unsigned int, flags) {
    TN_RT_REFUSE(flags > hipGraphUserObjectMove, TN_RT_INVALID_VALUE,
                 "flags 0x%x, 0 and 1 are defined", flags);
    return tn_rt_graph_retain_user(graph, object, count, flags == hipGraphUserObjectMove);
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
    return TN_HIP_CALL(tn_rt_graph_release_user(graph, object, count));
}

// ---- nodes

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes) {
    return TN_HIP_CALL(tn_rt_graph_list(graph, false, (void **)nodes, numNodes));
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes,
                                size_t *pNumRootNodes) {
    return TN_HIP_CALL(tn_rt_graph_list(graph, true, (void **)pRootNodes, pNumRootNodes));
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies,
                                       size_t *pNumDependencies) {
    return TN_HIP_CALL(
        tn_rt_graph_list_dependencies(node, (void **)pDependencies, pNumDependencies));
}

TN_HIP_FUNCTION(hipGraphNodeGetType, hipGraphNode_t, node, hipGraphNodeType *, pType) {
    static const hipGraphNodeType types[] = {[TN_RT_WORK_COPY] = hipGraphNodeTypeMemcpy,
                                             [TN_RT_WORK_FILL] = hipGraphNodeTypeMemset,
                                             [TN_RT_WORK_HOST] = hipGraphNodeTypeHost,
                                             [TN_RT_WORK_KERNEL] = hipGraphNodeTypeKernel,
                                             [TN_RT_WORK_GRAPH] = hipGraphNodeTypeGraph,
                                             [TN_RT_WORK_VALUE] = hipGraphNodeTypeBatchMemOp,
                                             [TN_RT_WORK_MEMORY_ALLOC] = hipGraphNodeTypeMemAlloc,
                                             [TN_RT_WORK_MEMORY_FREE] = hipGraphNodeTypeMemFree};
    enum tn_rt_work work = TN_RT_WORK_COPY;
    TN_RT_TRY(tn_rt_check_pointer(pType, "pType"));
    TN_RT_TRY(tn_rt_graph_node_work(node, &work));
    *pType = types[work];
    return TN_RT_OK;
}

// ---- executable graphs

static tn_rt_error instantiate_graph(hipGraphExec_t *exec, hipGraph_t graph,
                                     unsigned long long flags) {
    uintptr_t handle = 0;
    if (exec == NULL || graph == NULL) {
        return tn_rt_unkept(
            tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL", exec == NULL ? "pGraphExec" : "graph"));
    }
    TN_RT_REFUSE(flags != 0 && flags != hipGraphInstantiateFlagAutoFreeOnLaunch &&
                     flags != hipGraphInstantiateFlagUseNodePriority,
                 TN_RT_INVALID_VALUE, "flags 0x%llx, 0, 1 and 8 are defined", flags);
    TN_RT_TRY(
        tn_rt_graph_instantiate(graph, flags == hipGraphInstantiateFlagAutoFreeOnLaunch, &handle));
    *exec = (hipGraphExec_t)handle;
    return TN_RT_OK;
}

hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                               hipGraphNode_t *pErrorNode, char *pLogBuffer, size_t bufferSize) {
    (void)pErrorNode;
    (void)pLogBuffer;
    (void)bufferSize;
    return TN_HIP_CALL(instantiate_graph(pGraphExec, graph, 0));
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                        unsigned long long flags) {
    return TN_HIP_CALL(instantiate_graph(pGraphExec, graph, flags));
}

hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec) {
    return TN_HIP_CALL(tn_rt_graph_exec_end(graphExec));
}

hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_graph_launch(graphExec, stream));
}
