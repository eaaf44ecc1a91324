// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes that a program adds by hand. See compat/runtime/node_rows.h.
#include <stddef.h>

#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/exec/node_any.h"
#include "compat/runtime/kernel/node_attribute.h"
#include "compat/runtime/node_rows.h"

_Static_assert(
    sizeof(hipHostNodeParams) == sizeof(struct tn_rt_function) &&
        sizeof(hipMemsetParams) == sizeof(struct tn_rt_fill_rows) &&
        offsetof(hipMemsetParams, elementSize) == offsetof(struct tn_rt_fill_rows, element_bytes) &&
        offsetof(hipMemsetParams, value) == offsetof(struct tn_rt_fill_rows, value) &&
        offsetof(hipMemsetParams, width) == offsetof(struct tn_rt_fill_rows, width) &&
        sizeof(hipMemcpy3DParms) == sizeof(struct tn_rt_3d) &&
        sizeof(hipMemAllocNodeParams) == sizeof(struct tn_rt_alloc_params) &&
        offsetof(hipMemAllocNodeParams, bytesize) == offsetof(struct tn_rt_alloc_params, bytes) &&
        sizeof(hipGraphNodeParams) == 256 &&
        sizeof(hipBatchMemOpNodeParams) == sizeof(struct tn_rt_value_list) &&
        offsetof(hipBatchMemOpNodeParams, paramArray) == offsetof(struct tn_rt_value_list, ops),
    "parameters have the same layout");

// ---- kinds whose parameters are one struct

TN_HIP_ROW(hipGraphAddMemsetNode, tn_rt_add_fill, TN_HIP_SPOT, const hipMemsetParams *,
           pMemsetParams)
TN_HIP_ROW(hipGraphMemsetNodeGetParams, tn_rt_get_fill, hipGraphNode_t, node, hipMemsetParams *,
           pNodeParams)
TN_HIP_ROW(hipGraphMemsetNodeSetParams, tn_rt_set_fill, hipGraphNode_t, node,
           const hipMemsetParams *, pNodeParams)
TN_HIP_ROW(hipGraphExecMemsetNodeSetParams, tn_rt_change_fill, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, node, const hipMemsetParams *, pNodeParams)

TN_HIP_ROW(hipGraphAddBatchMemOpNode, tn_rt_add_values, TN_HIP_SPOT,
           const hipBatchMemOpNodeParams *, nodeParams)
TN_HIP_ROW(hipGraphBatchMemOpNodeGetParams, tn_rt_get_values, hipGraphNode_t, node,
           hipBatchMemOpNodeParams *, nodeParams_out)
TN_HIP_ROW(hipGraphBatchMemOpNodeSetParams, tn_rt_set_values, hipGraphNode_t, node,
           hipBatchMemOpNodeParams *, nodeParams)
TN_HIP_ROW(hipGraphExecBatchMemOpNodeSetParams, tn_rt_change_values, hipGraphExec_t, hGraphExec,
           hipGraphNode_t, hNode, const hipBatchMemOpNodeParams *, nodeParams)

// ---- memory

TN_HIP_ROW(hipDrvGraphAddMemFreeNode, tn_rt_add_free, hipGraphNode_t *, phGraphNode, hipGraph_t,
           hGraph, const hipGraphNode_t *, dependencies, size_t, numDependencies, hipDeviceptr_t,
           dptr)

// ---- attributes of kernels

_Static_assert(sizeof(hipAccessPolicyWindow) == sizeof(struct tn_rt_window) &&
                   (int)hipKernelNodeAttributeAccessPolicyWindow == TN_RT_NODE_WINDOW &&
                   (int)hipKernelNodeAttributeCooperative == TN_RT_NODE_COOPERATIVE &&
                   (int)hipKernelNodeAttributePriority == TN_RT_NODE_PRIORITY,
               "attributes have the same layout and numbers");

TN_HIP_ROW(hipGraphKernelNodeCopyAttributes, tn_rt_node_copy_attributes, hipGraphNode_t, hSrc,
           hipGraphNode_t, hDst)

// ---- nodes of any kind

_Static_assert(offsetof(hipGraphNodeParams, kernel) == offsetof(hipGraphNodeParams, graph) &&
                   offsetof(hipGraphNodeParams, free) == offsetof(hipGraphNodeParams, graph) &&
                   (int)hipGraphNodeTypeExtSemaphoreSignal == 8,
               "the parameters of all kinds begin at one place");

// Returns NULL for NULL.
static const struct tn_rt_any_node *read_any(hipGraphNodeParams *p, struct tn_rt_any_node *node) {
    if (p == NULL) return NULL;
    bool is_copy = p->type == hipGraphNodeTypeMemcpy;
    *node = (struct tn_rt_any_node){
        .kind = (unsigned)p->type,
        .params = is_copy ? (void *)&p->memcpy.copyParams : (void *)&p->kernel,
        .read = p->type == hipGraphNodeTypeKernel ? tn_hip_read_kernel : NULL};
    return node;
}

// The data of a function that is set must be there.
static tn_rt_error check_set(const hipGraphNodeParams *p) {
    return p == NULL || p->type != hipGraphNodeTypeHost
               ? TN_RT_OK
               : tn_rt_check_pointer(p->host.userData, "userData");
}

TN_HIP_FUNCTION(hipGraphAddNode, hipGraphNode_t *, pGraphNode, hipGraph_t, graph,
                const hipGraphNode_t *, pDependencies, size_t, numDependencies,
                hipGraphNodeParams *, nodeParams) {
    const struct tn_rt_spot spot = {pGraphNode, graph, pDependencies, numDependencies};
    struct tn_rt_any_node own;
    return tn_rt_any_add(&spot, read_any(nodeParams, &own));
}

TN_HIP_FUNCTION(hipGraphNodeSetParams, hipGraphNode_t, node, hipGraphNodeParams *, nodeParams) {
    struct tn_rt_any_node own;
    TN_RT_TRY(check_set(nodeParams));
    return tn_rt_any_set(node, read_any(nodeParams, &own));
}

TN_HIP_FUNCTION(hipGraphExecNodeSetParams, hipGraphExec_t, graphExec, hipGraphNode_t, node,
                hipGraphNodeParams *, nodeParams) {
    struct tn_rt_any_node own;
    TN_RT_TRY(check_set(nodeParams));
    return tn_rt_any_change(graphExec, node, read_any(nodeParams, &own));
}

// ---- edges

TN_HIP_ROW(hipGraphAddDependencies,
           TN_FACE_EXPRESSION(tn_rt_node_link(graph, from, to, numDependencies, false)), hipGraph_t,
           graph, const hipGraphNode_t *, from, const hipGraphNode_t *, to, size_t, numDependencies)
TN_HIP_ROW(hipGraphRemoveDependencies,
           TN_FACE_EXPRESSION(tn_rt_node_link(graph, from, to, numDependencies, true)), hipGraph_t,
           graph, const hipGraphNode_t *, from, const hipGraphNode_t *, to, size_t, numDependencies)
