// SPDX-License-Identifier: Apache-2.0
// Nodes that a program adds to graphs by hand, and their parameters. See compat/runtime/node.h.
#include "compat/runtime/node.h"

#include <stddef.h>

#include "compat/cuda/face.h"
#include "compat/cuda/graph_node.h"
#include "compat/runtime/driver_copy.h"
#include "compat/runtime/event.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/graph_exec.h"
#include "compat/runtime/graph_memory.h"
#include "compat/runtime/host_function.h"
#include "compat/runtime/node_attribute.h"
#include "compat/runtime/value.h"

_Static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(struct tn_rt_function) &&
                   sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(struct tn_rt_alloc_params) &&
                   offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, bytesize) ==
                       offsetof(struct tn_rt_alloc_params, bytes) &&
                   sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS) == sizeof(struct tn_rt_value_list) &&
                   sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(struct cudaMemsetParams) &&
                   (int)CU_LAUNCH_ATTRIBUTE_COOPERATIVE == TN_RT_NODE_COOPERATIVE &&
                   (int)CU_LAUNCH_ATTRIBUTE_PRIORITY == TN_RT_NODE_PRIORITY,
               "parameters and attributes have the same layout and numbers");

// ---- fills, whose parameters have another order here

tn_rt_error tn_cu_read_fill(const void *params, struct tn_rt_op *op) {
    const CUDA_MEMSET_NODE_PARAMS *p = (const CUDA_MEMSET_NODE_PARAMS *)params;
    const struct tn_rt_fill_rows rows = {p->dst,   p->elementSize, p->height,
                                         p->pitch, p->value,       p->width};
    return tn_rt_read_fill(&rows, op);
}

static tn_rt_error write_fill(const struct tn_rt_op *op, void *params) {
    struct tn_rt_fill_rows rows;
    TN_RT_TRY(tn_rt_write_fill(op, &rows));
    *(CUDA_MEMSET_NODE_PARAMS *)params = (CUDA_MEMSET_NODE_PARAMS){
        .dst = rows.dst,
        .pitch = rows.pitch,
        .value = rows.value,
        .elementSize = rows.element_bytes,
        .width = rows.width,
        .height = rows.height,
    };
    return TN_RT_OK;
}

// ---- kinds whose parameters are one struct

TN_CU_KIND(function, HOST, tn_rt_read_function, tn_rt_write_function)
TN_CU_KIND(fill, FILL, tn_cu_read_fill, write_fill)
TN_CU_KIND(copy, COPY, tn_rt_read_3d, tn_rt_write_3d)
TN_CU_KIND(box, COPY, tn_rt_read_driver_copy, tn_rt_write_driver_copy)
TN_CU_KIND(values, VALUE, tn_rt_read_values, tn_rt_write_values)
TN_CU_SETTER(function, HOST, tn_rt_read_function)
TN_CU_SETTER(fill, FILL, tn_cu_read_fill)
TN_CU_SETTER(copy, COPY, tn_rt_read_3d)
TN_CU_SETTER(box, COPY, tn_rt_read_driver_copy)
TN_CU_SETTER(values, VALUE, tn_rt_read_values)

TN_CU_BOTH_BARE(GraphAddHostNode, add_function, TN_CU_SPOT, const CUDA_HOST_NODE_PARAMS *)
TN_CU_BOTH_BARE(GraphHostNodeGetParams, get_function, CUgraphNode, CUDA_HOST_NODE_PARAMS *)
TN_CU_BOTH_BARE(GraphHostNodeSetParams, set_function, CUgraphNode, const CUDA_HOST_NODE_PARAMS *)
TN_CU_BOTH_BARE(GraphExecHostNodeSetParams, change_function, CUgraphExec, CUgraphNode,
                const CUDA_HOST_NODE_PARAMS *)

TN_CUDART(cudaGraphAddMemsetNode, add_fill, TN_CU_SPOT, const struct cudaMemsetParams *)
TN_CU_BARE(cuGraphMemsetNodeGetParams, get_fill, CUgraphNode, CUDA_MEMSET_NODE_PARAMS *)
TN_CU_BARE(cuGraphMemsetNodeSetParams, set_fill, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *)
TN_CUDART(cudaGraphMemsetNodeGetParams, get_fill, cudaGraphNode_t, struct cudaMemsetParams *)
TN_CUDART(cudaGraphMemsetNodeSetParams, set_fill, cudaGraphNode_t, const struct cudaMemsetParams *)
TN_CUDART(cudaGraphExecMemsetNodeSetParams, change_fill, cudaGraphExec_t, cudaGraphNode_t,
          const struct cudaMemsetParams *)

TN_CUDART(cudaGraphAddMemcpyNode, add_copy, TN_CU_SPOT, const struct cudaMemcpy3DParms *)
TN_CUDART(cudaGraphMemcpyNodeGetParams, get_copy, cudaGraphNode_t, struct cudaMemcpy3DParms *)
TN_CUDART(cudaGraphMemcpyNodeSetParams, set_copy, cudaGraphNode_t, const struct cudaMemcpy3DParms *)
TN_CUDART(cudaGraphExecMemcpyNodeSetParams, change_copy, cudaGraphExec_t, cudaGraphNode_t,
          const struct cudaMemcpy3DParms *)
TN_CU_BARE(cuGraphMemcpyNodeGetParams, get_box, CUgraphNode, CUDA_MEMCPY3D *)
TN_CU_BARE(cuGraphMemcpyNodeSetParams, set_box, CUgraphNode, const CUDA_MEMCPY3D *)

TN_CU_BARE(cuGraphAddBatchMemOpNode, add_values, TN_CU_SPOT, const CUDA_BATCH_MEM_OP_NODE_PARAMS *)
TN_CU_BARE(cuGraphBatchMemOpNodeGetParams, get_values, CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *)
TN_CU_BARE(cuGraphBatchMemOpNodeSetParams, set_values, CUgraphNode,
           const CUDA_BATCH_MEM_OP_NODE_PARAMS *)
TN_CU_BARE(cuGraphExecBatchMemOpNodeSetParams, change_values, CUgraphExec, CUgraphNode,
           const CUDA_BATCH_MEM_OP_NODE_PARAMS *)

// The driver names a context, which says nothing more than the graph.
#define WITH_CONTEXT(name)                                                                         \
    static tn_rt_error add_##name##_in(CUgraphNode *node, CUgraph graph,                           \
                                       const CUgraphNode *before, size_t count,                    \
                                       const void *params, CUcontext ctx) {                        \
        TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));                                                \
        return add_##name(node, graph, before, count, params);                                     \
    }                                                                                              \
    static tn_rt_error change_##name##_in(CUgraphExec exec, CUgraphNode node, const void *params,  \
                                          CUcontext ctx) {                                         \
        TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));                                                \
        return change_##name(exec, node, params);                                                  \
    }

WITH_CONTEXT(fill)
WITH_CONTEXT(box)

TN_CU_BARE(cuGraphAddMemsetNode, add_fill_in, TN_CU_SPOT, const CUDA_MEMSET_NODE_PARAMS *,
           CUcontext)
TN_CU_BARE(cuGraphExecMemsetNodeSetParams, change_fill_in, CUgraphExec, CUgraphNode,
           const CUDA_MEMSET_NODE_PARAMS *, CUcontext)
TN_CU_BARE(cuGraphAddMemcpyNode, add_box_in, TN_CU_SPOT, const CUDA_MEMCPY3D *, CUcontext)
TN_CU_BARE(cuGraphExecMemcpyNodeSetParams, change_box_in, CUgraphExec, CUgraphNode,
           const CUDA_MEMCPY3D *, CUcontext)

// ---- kinds whose parameters are arguments

static tn_rt_error add_empty(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                             size_t count) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add(&spot, tn_rt_read_empty, "");
}

static tn_rt_error add_row(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                           size_t count, void *dst, const void *src, size_t size, int kind) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    const struct tn_rt_copy_row row = {dst, src, size, kind};
    return tn_rt_node_add(&spot, tn_rt_read_row, &row);
}

static tn_rt_error set_row(CUgraphNode node, void *dst, const void *src, size_t size, int kind) {
    const struct tn_rt_copy_row row = {dst, src, size, kind};
    return tn_rt_node_set(node, TN_RT_WORK_COPY, tn_rt_read_other_row, &row);
}

static tn_rt_error change_row(CUgraphExec exec, CUgraphNode node, void *dst, const void *src,
                              size_t size, int kind) {
    const struct tn_rt_copy_row row = {dst, src, size, kind};
    return tn_rt_graph_exec_set(exec, node, TN_RT_WORK_COPY, tn_rt_read_other_row, &row);
}

TN_CU_BOTH_BARE(GraphAddEmptyNode, add_empty, TN_CU_SPOT)
TN_CUDART(cudaGraphAddMemcpyNode1D, add_row, TN_CU_SPOT, void *, const void *, size_t,
          enum cudaMemcpyKind)
TN_CUDART(cudaGraphMemcpyNodeSetParams1D, set_row, cudaGraphNode_t, void *, const void *, size_t,
          enum cudaMemcpyKind)
TN_CUDART(cudaGraphExecMemcpyNodeSetParams1D, change_row, cudaGraphExec_t, cudaGraphNode_t, void *,
          const void *, size_t, enum cudaMemcpyKind)

// ---- kinds whose parameter is a handle

#define HANDLE_KIND(name, kind, reader, writer)                                                    \
    TN_CU_KIND(name, kind, reader, writer)                                                         \
    static tn_rt_error add_##name##_of(CUgraphNode *node, CUgraph graph,                           \
                                       const CUgraphNode *before, size_t count, void *handle) {    \
        return add_##name(node, graph, before, count, &handle);                                    \
    }                                                                                              \
    static tn_rt_error change_##name##_of(CUgraphExec exec, CUgraphNode node, void *handle) {      \
        return change_##name(exec, node, &handle);                                                 \
    }

#define EVENT_SETTER(name, kind, reader)                                                           \
    static tn_rt_error set_##name(CUgraphNode node, CUevent event) {                               \
        return tn_rt_node_set(node, TN_RT_WORK_##kind, reader, &event);                            \
    }

HANDLE_KIND(record, EVENT_RECORD, tn_rt_read_record, tn_rt_write_event)
HANDLE_KIND(wait, EVENT_WAIT, tn_rt_read_wait, tn_rt_write_event)
HANDLE_KIND(child, GRAPH, tn_rt_read_child, tn_rt_write_child)
EVENT_SETTER(record, EVENT_RECORD, tn_rt_read_record)
EVENT_SETTER(wait, EVENT_WAIT, tn_rt_read_wait)

TN_CU_BOTH_BARE(GraphAddEventRecordNode, add_record_of, TN_CU_SPOT, CUevent)
TN_CU_BOTH_BARE(GraphEventRecordNodeGetEvent, get_record, CUgraphNode, CUevent *)
TN_CU_BOTH_BARE(GraphEventRecordNodeSetEvent, set_record, CUgraphNode, CUevent)
TN_CU_BOTH_BARE(GraphExecEventRecordNodeSetEvent, change_record_of, CUgraphExec, CUgraphNode,
                CUevent)
TN_CU_BOTH_BARE(GraphAddEventWaitNode, add_wait_of, TN_CU_SPOT, CUevent)
TN_CU_BOTH_BARE(GraphEventWaitNodeGetEvent, get_wait, CUgraphNode, CUevent *)
TN_CU_BOTH_BARE(GraphEventWaitNodeSetEvent, set_wait, CUgraphNode, CUevent)
TN_CU_BOTH_BARE(GraphExecEventWaitNodeSetEvent, change_wait_of, CUgraphExec, CUgraphNode, CUevent)
TN_CU_BOTH_BARE(GraphAddChildGraphNode, add_child_of, TN_CU_SPOT, CUgraph)
TN_CU_BOTH_BARE(GraphChildGraphNodeGetGraph, get_child, CUgraphNode, CUgraph *)
TN_CU_BOTH_BARE(GraphExecChildGraphNodeSetParams, change_child_of, CUgraphExec, CUgraphNode,
                CUgraph)

// ---- memory

static tn_rt_error add_alloc(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                             size_t count, void *params) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add_alloc(&spot, (struct tn_rt_alloc_params *)params);
}

static tn_rt_error add_free(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                            size_t count, void *ptr) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add_free(&spot, ptr);
}

static tn_rt_error get_alloc(CUgraphNode node, void *params) {
    return tn_rt_node_params(node, TN_RT_WORK_MEMORY_ALLOC, tn_rt_write_alloc, params);
}

static tn_rt_error get_free(CUgraphNode node, void *ptr) {
    return tn_rt_node_params(node, TN_RT_WORK_MEMORY_FREE, tn_rt_write_free, ptr);
}

TN_CU_BARE(cuGraphAddMemAllocNode, add_alloc, TN_CU_SPOT, CUDA_MEM_ALLOC_NODE_PARAMS *)
TN_CUDART(cudaGraphAddMemAllocNode, add_alloc, TN_CU_SPOT, struct cudaMemAllocNodeParams *)
TN_CU_BARE(cuGraphMemAllocNodeGetParams, get_alloc, CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS *)
TN_CUDART(cudaGraphMemAllocNodeGetParams, get_alloc, cudaGraphNode_t,
          struct cudaMemAllocNodeParams *)
TN_CU_BOTH_BARE(GraphAddMemFreeNode, add_free, TN_CU_SPOT, CUdeviceptr)
TN_CU_BARE(cuGraphMemFreeNodeGetParams, get_free, CUgraphNode, CUdeviceptr *)
TN_CUDART(cudaGraphMemFreeNodeGetParams, get_free, cudaGraphNode_t, void *)

// ---- attributes of kernels

static tn_rt_error copy_attributes(CUgraphNode dst, CUgraphNode src) {
    return tn_rt_node_copy_attributes(src, dst);
}

TN_CU_BOTH_BARE(GraphKernelNodeCopyAttributes, copy_attributes, CUgraphNode, CUgraphNode)
TN_CU_BOTH_BARE(GraphKernelNodeGetAttribute, tn_rt_node_get_attribute, CUgraphNode,
                CUkernelNodeAttrID, CUkernelNodeAttrValue *)
TN_CU_BOTH_BARE(GraphKernelNodeSetAttribute, tn_rt_node_set_attribute, CUgraphNode,
                CUkernelNodeAttrID, const CUkernelNodeAttrValue *)
