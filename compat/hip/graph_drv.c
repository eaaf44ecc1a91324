// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes with the descriptions of the driver. See compat/runtime/node.h.
#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/soname.h"
#include "compat/runtime/driver_copy.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/graph_exec.h"

// ---- copies

TN_HIP_FUNCTION(hipDrvGraphAddMemcpyNode, hipGraphNode_t *, phGraphNode, hipGraph_t, hGraph,
                const hipGraphNode_t *, dependencies, size_t, numDependencies, const HIP_MEMCPY3D *,
                copyParams, hipCtx_t, ctx) {
    const struct tn_rt_spot spot = {phGraphNode, hGraph, dependencies, numDependencies};
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    return tn_rt_node_add(&spot, tn_rt_read_driver_copy, copyParams);
}

hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t hNode, HIP_MEMCPY3D *nodeParams) {
    return TN_HIP_CALL(
        tn_rt_node_params(hNode, TN_RT_WORK_COPY, tn_rt_write_driver_copy, nodeParams));
}

hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode, const HIP_MEMCPY3D *nodeParams) {
    return TN_HIP_CALL(tn_rt_node_set(hNode, TN_RT_WORK_COPY, tn_rt_read_driver_copy, nodeParams));
}

// ---- fills

// Programs of release 6 pass a struct of the driver, those of release 7 that of the runtime.
static tn_rt_error read_fill(const void *params, struct tn_rt_op *op) {
    if (tn_hip_soname > 6) return tn_rt_read_fill(params, op);
    const HIP_MEMSET_NODE_PARAMS *given = (const HIP_MEMSET_NODE_PARAMS *)params;
    const struct tn_rt_fill_rows rows = {given->dst,   given->elementSize, given->height,
                                         given->pitch, given->value,       given->width};
    return tn_rt_read_fill(&rows, op);
}

TN_HIP_FUNCTION(hipDrvGraphAddMemsetNode, hipGraphNode_t *, phGraphNode, hipGraph_t, hGraph,
                const hipGraphNode_t *, dependencies, size_t, numDependencies,
                const HIP_MEMSET_NODE_PARAMS *, memsetParams, hipCtx_t, ctx) {
    const struct tn_rt_spot spot = {phGraphNode, hGraph, dependencies, numDependencies};
    (void)ctx;
    return tn_rt_node_add(&spot, read_fill, memsetParams);
}

// ---- executable graphs: the context is not looked at

hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const HIP_MEMCPY3D *copyParams, hipCtx_t ctx) {
    (void)ctx;
    return TN_HIP_CALL(tn_rt_graph_exec_set(hGraphExec, hNode, TN_RT_WORK_COPY,
                                            tn_rt_read_driver_copy, copyParams));
}

hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const HIP_MEMSET_NODE_PARAMS *memsetParams,
                                              hipCtx_t ctx) {
    (void)ctx;
    return TN_HIP_CALL(
        tn_rt_graph_exec_set(hGraphExec, hNode, TN_RT_WORK_FILL, read_fill, memsetParams));
}
