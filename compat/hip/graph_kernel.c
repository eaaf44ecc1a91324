// SPDX-License-Identifier: Apache-2.0
// HIP's functions about kernel nodes. See compat/runtime/code/kernel_node.h.
#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/code/kernel_node.h"
#include "compat/runtime/node_rows.h"

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

TN_RT_KERNEL_WRITER(write_kernel, hipKernelNodeParams)

TN_RT_NODE_KIND(, kernel, KERNEL, read_known, write_kernel)

TN_HIP_ROW(hipGraphAddKernelNode, add_kernel, TN_HIP_SPOT, const hipKernelNodeParams *, pNodeParams)
TN_HIP_ROW(hipGraphKernelNodeGetParams, get_kernel, hipGraphNode_t, node, hipKernelNodeParams *,
           pNodeParams)
TN_HIP_ROW(hipGraphKernelNodeSetParams, set_kernel, hipGraphNode_t, node,
           const hipKernelNodeParams *, pNodeParams)
TN_HIP_ROW(hipGraphExecKernelNodeSetParams, change_kernel, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, node, const hipKernelNodeParams *, pNodeParams)
