// SPDX-License-Identifier: Apache-2.0
// HIP's functions about kernel nodes. See compat/runtime/kernel_node.h.
#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/graph_exec.h"
#include "compat/runtime/kernel_node.h"

tn_rt_error tn_hip_read_kernel(const void *params, struct tn_rt_op *op) {
    const hipKernelNodeParams *p = (const hipKernelNodeParams *)params;
    const struct tn_rt_kernel_params own = {.function = p->func,
                                            .grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                                            .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                                            .shared_bytes = p->sharedMemBytes,
                                            .arguments = p->kernelParams,
                                            .extra = p->extra};
    return tn_rt_kernel_node(&own, op);
}

// A kernel of NULL is a bad value in these functions, and no kernel in those for any kind of node.
static tn_rt_error read_known(const void *params, struct tn_rt_op *op) {
    TN_RT_TRY(tn_rt_check_pointer(((const hipKernelNodeParams *)params)->func, "func"));
    return tn_hip_read_kernel(params, op);
}

static tn_rt_error write_kernel(const struct tn_rt_op *op, void *params) {
    struct tn_rt_kernel_params own;
    TN_RT_TRY(tn_rt_kernel_node_params(op, &own));
    *(hipKernelNodeParams *)params = (hipKernelNodeParams){
        .func = (void *)(uintptr_t)own.function,
        .gridDim = {own.grid.x, own.grid.y, own.grid.z},
        .blockDim = {own.block.x, own.block.y, own.block.z},
        .sharedMemBytes = (unsigned)own.shared_bytes,
        .kernelParams = (void **)(uintptr_t)own.arguments,
    };
    return TN_RT_OK;
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                 const hipGraphNode_t *pDependencies, size_t numDependencies,
                                 const hipKernelNodeParams *pNodeParams) {
    const struct tn_rt_spot spot = {pGraphNode, graph, pDependencies, numDependencies};
    return TN_HIP_CALL(tn_rt_node_add(&spot, read_known, pNodeParams));
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *pNodeParams) {
    return TN_HIP_CALL(tn_rt_node_params(node, TN_RT_WORK_KERNEL, write_kernel, pNodeParams));
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node,
                                       const hipKernelNodeParams *pNodeParams) {
    return TN_HIP_CALL(tn_rt_node_set(node, TN_RT_WORK_KERNEL, read_known, pNodeParams));
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                           const hipKernelNodeParams *pNodeParams) {
    return TN_HIP_CALL(
        tn_rt_graph_exec_set(hGraphExec, node, TN_RT_WORK_KERNEL, read_known, pNodeParams));
}
