// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes that a program adds by hand. See compat/runtime/node_rows.h.
#include <stddef.h>

#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/node_any.h"
#include "compat/runtime/node_attribute.h"
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

TN_HIP_ROW(hipGraphAddHostNode, tn_rt_add_function, TN_HIP_SPOT, const hipHostNodeParams *)
TN_HIP_ROW(hipGraphHostNodeGetParams, tn_rt_get_function, hipGraphNode_t, hipHostNodeParams *)
TN_HIP_ROW(hipGraphHostNodeSetParams, tn_rt_set_function, hipGraphNode_t, const hipHostNodeParams *)
TN_HIP_ROW(hipGraphExecHostNodeSetParams, tn_rt_change_function, hipGraphExec_t, hipGraphNode_t,
           const hipHostNodeParams *)

TN_HIP_ROW(hipGraphAddMemsetNode, tn_rt_add_fill, TN_HIP_SPOT, const hipMemsetParams *)
TN_HIP_ROW(hipGraphMemsetNodeGetParams, tn_rt_get_fill, hipGraphNode_t, hipMemsetParams *)
TN_HIP_ROW(hipGraphMemsetNodeSetParams, tn_rt_set_fill, hipGraphNode_t, const hipMemsetParams *)
TN_HIP_ROW(hipGraphExecMemsetNodeSetParams, tn_rt_change_fill, hipGraphExec_t, hipGraphNode_t,
           const hipMemsetParams *)

TN_HIP_ROW(hipGraphAddMemcpyNode, tn_rt_add_box, TN_HIP_SPOT, const hipMemcpy3DParms *)
TN_HIP_ROW(hipGraphMemcpyNodeGetParams, tn_rt_get_box, hipGraphNode_t, hipMemcpy3DParms *)
TN_HIP_ROW(hipGraphMemcpyNodeSetParams, tn_rt_set_box, hipGraphNode_t, const hipMemcpy3DParms *)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParams, tn_rt_change_box, hipGraphExec_t, hipGraphNode_t,
           const hipMemcpy3DParms *)

TN_HIP_ROW(hipGraphAddBatchMemOpNode, tn_rt_add_values, TN_HIP_SPOT,
           const hipBatchMemOpNodeParams *)
TN_HIP_ROW(hipGraphBatchMemOpNodeGetParams, tn_rt_get_values, hipGraphNode_t,
           hipBatchMemOpNodeParams *)
TN_HIP_ROW(hipGraphBatchMemOpNodeSetParams, tn_rt_set_values, hipGraphNode_t,
           hipBatchMemOpNodeParams *)
TN_HIP_ROW(hipGraphExecBatchMemOpNodeSetParams, tn_rt_change_values, hipGraphExec_t, hipGraphNode_t,
           const hipBatchMemOpNodeParams *)

// ---- kinds whose parameter is a handle

TN_HIP_ROW(hipGraphAddEventRecordNode, tn_rt_add_record_of, TN_HIP_SPOT, hipEvent_t)
TN_HIP_ROW(hipGraphEventRecordNodeGetEvent, tn_rt_get_record, hipGraphNode_t, hipEvent_t *)
TN_HIP_ROW(hipGraphEventRecordNodeSetEvent, tn_rt_set_record_of, hipGraphNode_t, hipEvent_t)
TN_HIP_ROW(hipGraphExecEventRecordNodeSetEvent, tn_rt_change_record_of, hipGraphExec_t,
           hipGraphNode_t, hipEvent_t)
TN_HIP_ROW(hipGraphAddEventWaitNode, tn_rt_add_wait_of, TN_HIP_SPOT, hipEvent_t)
TN_HIP_ROW(hipGraphEventWaitNodeGetEvent, tn_rt_get_wait, hipGraphNode_t, hipEvent_t *)
TN_HIP_ROW(hipGraphEventWaitNodeSetEvent, tn_rt_set_wait_of, hipGraphNode_t, hipEvent_t)
TN_HIP_ROW(hipGraphExecEventWaitNodeSetEvent, tn_rt_change_wait_of, hipGraphExec_t, hipGraphNode_t,
           hipEvent_t)
TN_HIP_ROW(hipGraphAddChildGraphNode, tn_rt_add_child_of, TN_HIP_SPOT, hipGraph_t)
TN_HIP_ROW(hipGraphChildGraphNodeGetGraph, tn_rt_get_child, hipGraphNode_t, hipGraph_t *)
TN_HIP_ROW(hipGraphExecChildGraphNodeSetParams, tn_rt_change_child_of, hipGraphExec_t,
           hipGraphNode_t, hipGraph_t)

// ---- kinds whose parameters are arguments

TN_HIP_ROW(hipGraphAddEmptyNode, tn_rt_add_empty, TN_HIP_SPOT)
TN_HIP_ROW(hipGraphAddMemcpyNode1D, tn_rt_add_row, TN_HIP_SPOT, void *, const void *, size_t,
           hipMemcpyKind)
TN_HIP_ROW(hipGraphMemcpyNodeSetParams1D, tn_rt_set_row, hipGraphNode_t, void *, const void *,
           size_t, hipMemcpyKind)
TN_HIP_ROW(hipGraphExecMemcpyNodeSetParams1D, tn_rt_change_row, hipGraphExec_t, hipGraphNode_t,
           void *, const void *, size_t, hipMemcpyKind)

// ---- memory

TN_HIP_ROW(hipGraphAddMemAllocNode, tn_rt_add_alloc, TN_HIP_SPOT, hipMemAllocNodeParams *)
TN_HIP_ROW(hipGraphMemAllocNodeGetParams, tn_rt_get_alloc, hipGraphNode_t, hipMemAllocNodeParams *)
TN_HIP_ROW(hipGraphAddMemFreeNode, tn_rt_add_free, TN_HIP_SPOT, void *)
TN_HIP_ROW(hipDrvGraphAddMemFreeNode, tn_rt_add_free, TN_HIP_SPOT, hipDeviceptr_t)
TN_HIP_ROW(hipGraphMemFreeNodeGetParams, tn_rt_get_free, hipGraphNode_t, void *)

// ---- attributes of kernels

_Static_assert(sizeof(hipAccessPolicyWindow) == sizeof(struct tn_rt_window) &&
                   (int)hipKernelNodeAttributeAccessPolicyWindow == TN_RT_NODE_WINDOW &&
                   (int)hipKernelNodeAttributeCooperative == TN_RT_NODE_COOPERATIVE &&
                   (int)hipKernelNodeAttributePriority == TN_RT_NODE_PRIORITY,
               "attributes have the same layout and numbers");

TN_HIP_ROW(hipGraphKernelNodeSetAttribute, tn_rt_node_set_attribute, hipGraphNode_t,
           hipKernelNodeAttrID, const hipKernelNodeAttrValue *)
TN_HIP_ROW(hipGraphKernelNodeGetAttribute, tn_rt_node_get_attribute, hipGraphNode_t,
           hipKernelNodeAttrID, hipKernelNodeAttrValue *)
TN_HIP_ROW(hipGraphKernelNodeCopyAttributes, tn_rt_node_copy_attributes, hipGraphNode_t,
           hipGraphNode_t)

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

TN_HIP_ROW(hipGraphAddDependencies, tn_rt_add_edges, hipGraph_t, const hipGraphNode_t *,
           const hipGraphNode_t *, size_t)
TN_HIP_ROW(hipGraphRemoveDependencies, tn_rt_remove_edges, hipGraph_t, const hipGraphNode_t *,
           const hipGraphNode_t *, size_t)
TN_HIP_ROW(hipGraphDestroyNode, tn_rt_node_remove, hipGraphNode_t)
