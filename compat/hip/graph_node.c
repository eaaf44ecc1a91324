// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes that a program adds by hand. See compat/runtime/node.h.
#include <stddef.h>

#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/runtime/box.h"
#include "compat/runtime/event.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/graph_exec.h"
#include "compat/runtime/graph_memory.h"
#include "compat/runtime/host_function.h"
#include "compat/runtime/node_any.h"
#include "compat/runtime/node_attribute.h"
#include "compat/runtime/value.h"

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

// The functions for a kind of node whose parameters are one struct.
#define ADD(name, type, reader)                                                                    \
    hipError_t name(hipGraphNode_t *pGraphNode, hipGraph_t graph,                                  \
                    const hipGraphNode_t *pDependencies, size_t numDependencies,                   \
                    const type *params) {                                                          \
        return TN_HIP_CALL(tn_rt_node_add(SPOT, reader, params));                                  \
    }
#define GET(name, type, kind, writer)                                                              \
    hipError_t name(hipGraphNode_t node, type *params) {                                           \
        return TN_HIP_CALL(tn_rt_node_params(node, TN_RT_WORK_##kind, writer, params));            \
    }
#define SET(name, type, kind, reader)                                                              \
    hipError_t name(hipGraphNode_t node, const type *params) {                                     \
        return TN_HIP_CALL(tn_rt_node_set(node, TN_RT_WORK_##kind, reader, params));               \
    }
#define SPOT                                                                                       \
    &(const struct tn_rt_spot) { pGraphNode, graph, pDependencies, numDependencies }

ADD(hipGraphAddHostNode, hipHostNodeParams, tn_rt_read_function)
GET(hipGraphHostNodeGetParams, hipHostNodeParams, HOST, tn_rt_write_function)
SET(hipGraphHostNodeSetParams, hipHostNodeParams, HOST, tn_rt_read_function)

ADD(hipGraphAddMemsetNode, hipMemsetParams, tn_rt_read_fill)
GET(hipGraphMemsetNodeGetParams, hipMemsetParams, FILL, tn_rt_write_fill)
SET(hipGraphMemsetNodeSetParams, hipMemsetParams, FILL, tn_rt_read_fill)

ADD(hipGraphAddMemcpyNode, hipMemcpy3DParms, tn_rt_read_3d)
GET(hipGraphMemcpyNodeGetParams, hipMemcpy3DParms, COPY, tn_rt_write_3d)
SET(hipGraphMemcpyNodeSetParams, hipMemcpy3DParms, COPY, tn_rt_read_3d)

ADD(hipGraphAddBatchMemOpNode, hipBatchMemOpNodeParams, tn_rt_read_values)
GET(hipGraphBatchMemOpNodeGetParams, hipBatchMemOpNodeParams, VALUE, tn_rt_write_values)

// The parameters are not const in this function.
hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node, hipBatchMemOpNodeParams *params) {
    return TN_HIP_CALL(tn_rt_node_set(node, TN_RT_WORK_VALUE, tn_rt_read_values, params));
}

GET(hipGraphEventRecordNodeGetEvent, hipEvent_t, EVENT_RECORD, tn_rt_write_event)
GET(hipGraphEventWaitNodeGetEvent, hipEvent_t, EVENT_WAIT, tn_rt_write_event)
GET(hipGraphChildGraphNodeGetGraph, hipGraph_t, GRAPH, tn_rt_write_child)

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

// ---- kinds whose parameter is a handle

#define ADD_HANDLE(name, type, reader)                                                             \
    hipError_t name(hipGraphNode_t *pGraphNode, hipGraph_t graph,                                  \
                    const hipGraphNode_t *pDependencies, size_t numDependencies, type handle) {    \
        return TN_HIP_CALL(tn_rt_node_add(SPOT, reader, &handle));                                 \
    }
#define SET_EVENT(name, kind, reader)                                                              \
    hipError_t name(hipGraphNode_t node, hipEvent_t event) {                                       \
        return TN_HIP_CALL(tn_rt_node_set(node, TN_RT_WORK_##kind, reader, &event));               \
    }

ADD_HANDLE(hipGraphAddEventRecordNode, hipEvent_t, tn_rt_read_record)
ADD_HANDLE(hipGraphAddEventWaitNode, hipEvent_t, tn_rt_read_wait)
ADD_HANDLE(hipGraphAddChildGraphNode, hipGraph_t, tn_rt_read_child)
SET_EVENT(hipGraphEventRecordNodeSetEvent, EVENT_RECORD, tn_rt_read_record)
SET_EVENT(hipGraphEventWaitNodeSetEvent, EVENT_WAIT, tn_rt_read_wait)

// ---- kinds whose parameters are arguments

hipError_t hipGraphAddEmptyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                const hipGraphNode_t *pDependencies, size_t numDependencies) {
    return TN_HIP_CALL(tn_rt_node_add(SPOT, tn_rt_read_empty, ""));
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                   const hipGraphNode_t *pDependencies, size_t numDependencies,
                                   void *dst, const void *src, size_t count, hipMemcpyKind kind) {
    const struct tn_rt_copy_row row = {dst, src, count, (int)kind};
    return TN_HIP_CALL(tn_rt_node_add(SPOT, tn_rt_read_row, &row));
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src,
                                         size_t count, hipMemcpyKind kind) {
    const struct tn_rt_copy_row row = {dst, src, count, (int)kind};
    return TN_HIP_CALL(tn_rt_node_set(node, TN_RT_WORK_COPY, tn_rt_read_other_row, &row));
}

// ---- memory

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                   const hipGraphNode_t *pDependencies, size_t numDependencies,
                                   hipMemAllocNodeParams *pNodeParams) {
    return TN_HIP_CALL(tn_rt_node_add_alloc(SPOT, (struct tn_rt_alloc_params *)pNodeParams));
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                  const hipGraphNode_t *pDependencies, size_t numDependencies,
                                  void *dev_ptr) {
    return TN_HIP_CALL(tn_rt_node_add_free(SPOT, dev_ptr));
}

hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                     const hipGraphNode_t *pDependencies, size_t numDependencies,
                                     hipDeviceptr_t dptr) {
    return TN_HIP_CALL(tn_rt_node_add_free(SPOT, dptr));
}

GET(hipGraphMemAllocNodeGetParams, hipMemAllocNodeParams, MEMORY_ALLOC, tn_rt_write_alloc)
GET(hipGraphMemFreeNodeGetParams, void, MEMORY_FREE, tn_rt_write_free)

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

hipError_t hipGraphAddNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                           const hipGraphNode_t *pDependencies, size_t numDependencies,
                           hipGraphNodeParams *nodeParams) {
    struct tn_rt_any_node node;
    return TN_HIP_CALL(tn_rt_any_add(SPOT, read_any(nodeParams, &node)));
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

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                   const hipGraphNode_t *to, size_t numDependencies) {
    return TN_HIP_CALL(tn_rt_node_link(graph, from, to, numDependencies, false));
}

hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                      const hipGraphNode_t *to, size_t numDependencies) {
    return TN_HIP_CALL(tn_rt_node_link(graph, from, to, numDependencies, true));
}

TN_HIP_ROW(hipGraphDestroyNode, tn_rt_node_remove, hipGraphNode_t)
