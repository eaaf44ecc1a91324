// SPDX-License-Identifier: Apache-2.0
// Kernel nodes, and nodes of any kind, of graphs. See compat/runtime/code/kernel_node.h and node_any.h.
#include "compat/runtime/code/kernel_node.h"

#include <stddef.h>
#include <string.h>

#include "compat/cuda/face.h"
#include "compat/cuda/graph_node.h"
#include "compat/runtime/exec/node_any.h"
#include "compat/runtime/graph/graph.h"
#include "compat/runtime/node_rows.h"

#define SAME_PLACE(a, first, b, second)                                                            \
    _Static_assert(offsetof(a, first) == offsetof(b, second), "structs begin in the same way")
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS, gridDimX, cudaKernelNodeParams, gridDim);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS, blockDimX, cudaKernelNodeParams, blockDim);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS, sharedMemBytes, cudaKernelNodeParams, sharedMemBytes);
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS, extra, cudaKernelNodeParams, extra);

// ---- kernel nodes: the driver's struct begins as the runtime's

static tn_rt_error read_as(const void *function, const cudaKernelNodeParams *p,
                           struct tn_rt_op *op) {
    const struct tn_rt_kernel_params own = {function,
                                            {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                                            {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                                            p->sharedMemBytes,
                                            false,
                                            p->kernelParams,
                                            p->extra};
    tn_rt_error error = tn_rt_kernel_node(&own, op);
    return error == TN_RT_INVALID_DEVICE_FUNCTION ? TN_RT_INVALID_HANDLE : error;
}

static tn_rt_error read_kernel(const void *params, struct tn_rt_op *op) {
    const cudaKernelNodeParams *p = (const cudaKernelNodeParams *)params;
    return read_as(p->func, p, op);
}

// The newer struct of the driver names a function or a kernel.
static tn_rt_error read_either(const void *params, struct tn_rt_op *op) {
    const CUDA_KERNEL_NODE_PARAMS *p = (const CUDA_KERNEL_NODE_PARAMS *)params;
    const void *function = p->func != NULL ? (const void *)p->func : (const void *)p->kern;
    return read_as(function, (const cudaKernelNodeParams *)params, op);
}

TN_RT_KERNEL_WRITER(write_kernel, cudaKernelNodeParams)

static tn_rt_error write_either(const struct tn_rt_op *op, void *params) {
    *(CUDA_KERNEL_NODE_PARAMS *)params = (CUDA_KERNEL_NODE_PARAMS){.func = NULL};
    return write_kernel(op, params);
}

TN_RT_NODE_KIND(, kernel, KERNEL, read_kernel, write_kernel)
TN_RT_NODE_KIND(, either, KERNEL, read_either, write_either)

TN_CU_BARE(cuGraphAddKernelNode_v2, add_either, TN_CU_SPOT, const CUDA_KERNEL_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphKernelNodeGetParams_v2, get_either, CUgraphNode, node, CUDA_KERNEL_NODE_PARAMS *,
           params)
TN_CU_BARE(cuGraphKernelNodeSetParams_v2, set_either, CUgraphNode, node,
           const CUDA_KERNEL_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphExecKernelNodeSetParams_v2, change_either, CUgraphExec, exec, CUgraphNode, node,
           const CUDA_KERNEL_NODE_PARAMS *, params)
TN_CUDART(cudaGraphAddKernelNode, add_kernel, TN_CU_SPOT, const cudaKernelNodeParams *, params)
TN_CUDART(cudaGraphKernelNodeGetParams, get_kernel, CUgraphNode, node, cudaKernelNodeParams *,
          params)
TN_CUDART(cudaGraphKernelNodeSetParams, set_kernel, CUgraphNode, node, const cudaKernelNodeParams *,
          params)
TN_CUDART(cudaGraphExecKernelNodeSetParams, change_kernel, CUgraphExec, exec, CUgraphNode, node,
          const cudaKernelNodeParams *, params)

// ---- nodes of any kind

// The bytes of the parameters of a kind, by API.
static size_t used_bytes(unsigned kind, bool is_driver) {
    static const size_t bytes[][2] = {
        [TN_RT_WORK_KERNEL] = {sizeof(cudaKernelNodeParams), sizeof(CUDA_KERNEL_NODE_PARAMS)},
        [TN_RT_WORK_COPY] = {sizeof(cudaMemcpyNodeParams), sizeof(CUDA_MEMCPY_NODE_PARAMS)},
        [TN_RT_WORK_FILL] = {sizeof(struct cudaMemsetParams), sizeof(CUDA_MEMSET_NODE_PARAMS)},
        [TN_RT_WORK_HOST] = {sizeof(cudaHostNodeParams), sizeof(cudaHostNodeParams)},
        [TN_RT_WORK_GRAPH] = {sizeof(cudaChildGraphNodeParams), sizeof(cudaChildGraphNodeParams)},
        [TN_RT_WORK_EVENT_WAIT] = {sizeof(cudaEvent_t), sizeof(cudaEvent_t)},
        [TN_RT_WORK_EVENT_RECORD] = {sizeof(cudaEvent_t), sizeof(cudaEvent_t)},
        [TN_RT_WORK_MEMORY_ALLOC] = {sizeof(cudaMemAllocNodeParams),
                                     sizeof(CUDA_MEM_ALLOC_NODE_PARAMS)},
        [TN_RT_WORK_MEMORY_FREE] = {sizeof(void *), sizeof(void *)},
        [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = {sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS),
                                             sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS)},
    };
    return kind < sizeof bytes / sizeof *bytes ? bytes[kind][is_driver] : 0;
}

static bool is_zero(const void *ptr, size_t bytes) {
    const char *at = (const char *)ptr;
    return bytes == 0 || (at[0] == 0 && memcmp(at, at + 1, bytes - 1) == 0);
}

// CUDA documents that reserved and unused bytes are zero.
static tn_rt_error check_unused(const cudaGraphNodeParams *p, bool is_driver) {
    size_t used = used_bytes((unsigned)p->type, is_driver);
    TN_RT_REFUSE(!is_zero(p->reserved0, sizeof p->reserved0) || p->reserved2 != 0 ||
                     !is_zero((const char *)&p->kernel + used, sizeof p->reserved1 - used),
                 TN_RT_INVALID_VALUE, "unused bytes of a node of type %u are not zero",
                 (unsigned)p->type);
    return TN_RT_OK;
}

// Both structs have the parameters of all kinds at one place. CUDA has another number for waits and
// writes of values. A node takes a graph only when it is added.
static tn_rt_error read_any(cudaGraphNodeParams *p, bool is_driver, bool adds,
                            struct tn_rt_any_node *node) {
    int ownership = p->type == cudaGraphNodeTypeGraph ? (int)p->graph.ownership : 0;
    TN_RT_TRY(check_unused(p, is_driver));
    TN_RT_REFUSE(ownership < 0 || ownership > (adds ? 1 : 0), TN_RT_INVALID_VALUE,
                 "ownership %d of a child graph", ownership);
    *node = (struct tn_rt_any_node){.kind = (unsigned)p->type, .params = &p->kernel};
    switch ((unsigned)p->type) {
    case TN_RT_WORK_KERNEL: node->read = is_driver ? read_either : read_kernel; break;
    case TN_RT_WORK_FILL: node->read = tn_rt_read_driver_fill; break;
    case TN_RT_WORK_COPY:
        node->params = is_driver ? (void *)&((CUgraphNodeParams *)(void *)p)->memcpy.copyParams
                                 : (void *)&p->memcpy.copyParams;
        if (is_driver) node->read = tn_rt_read_driver_copy;
        break;
    case TN_RT_WORK_EMPTY:
        if (adds) node->read = tn_rt_read_empty;
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        node->kind = TN_RT_WORK_VALUE;
        node->read = tn_rt_read_values;
        break;
    case TN_RT_WORK_VALUE: node->kind = ~0U; break;
    default: break;
    }
    return TN_RT_OK;
}

static tn_rt_error add_node(struct tn_rt_spot spot, const void *edges, void *params,
                            bool is_driver) {
    cudaGraphNodeParams *p = (cudaGraphNodeParams *)params;
    struct tn_rt_any_node node;
    TN_RT_TRY(tn_cu_check_edges(edges, spot.count));
    TN_RT_TRY(tn_rt_check_pointer(p, "nodeParams"));
    TN_RT_TRY(read_any(p, is_driver, true, &node));
    bool moves =
        node.kind == TN_RT_WORK_GRAPH && p->graph.ownership == cudaGraphChildGraphOwnershipMove;
    return moves ? tn_rt_node_add_moved(&spot, node.params) : tn_rt_any_add(&spot, &node);
}

static tn_rt_error read_set(void *params, bool is_driver, struct tn_rt_any_node *node) {
    TN_RT_TRY(tn_rt_check_pointer(params, "nodeParams"));
    return read_any((cudaGraphNodeParams *)params, is_driver, false, node);
}

static tn_rt_error set(void *handle, void *params, bool is_driver) {
    struct tn_rt_any_node node;
    TN_RT_TRY(read_set(params, is_driver, &node));
    return tn_rt_any_set(handle, &node);
}

static tn_rt_error change(void *exec, void *handle, void *params, bool is_driver) {
    struct tn_rt_any_node node;
    TN_RT_TRY(read_set(params, is_driver, &node));
    return tn_rt_any_change(exec, handle, &node);
}

// The place of a new node, by the names of the rows' parameters.
#define PLACE ((struct tn_rt_spot){node, graph, dependencies, count})
#define EDGES                                                                                      \
    CUgraphNode *, node, CUgraph, graph, const CUgraphNode *, dependencies,                        \
        const CUgraphEdgeData *, edges, size_t, count
TN_CU_BARE(cuGraphAddNode_v2, TN_FACE_EXPRESSION(add_node(PLACE, edges, params, true)), EDGES,
           CUgraphNodeParams *, params)
TN_CU_BARE(cuGraphNodeSetParams, TN_FACE_EXPRESSION(set(node, params, true)), CUgraphNode, node,
           CUgraphNodeParams *, params)
TN_CU_BARE(cuGraphExecNodeSetParams, TN_FACE_EXPRESSION(change(exec, node, params, true)),
           CUgraphExec, exec, CUgraphNode, node, CUgraphNodeParams *, params)
TN_CUDART(cudaGraphAddNode, TN_FACE_EXPRESSION(add_node(PLACE, edges, params, false)), EDGES,
          cudaGraphNodeParams *, params)
TN_CUDART(cudaGraphNodeSetParams, TN_FACE_EXPRESSION(set(node, params, false)), CUgraphNode, node,
          cudaGraphNodeParams *, params)
TN_CUDART(cudaGraphExecNodeSetParams, TN_FACE_EXPRESSION(change(exec, node, params, false)),
          CUgraphExec, exec, CUgraphNode, node, cudaGraphNodeParams *, params)

// ---- first forms

#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphAddNode
TN_CU_BARE(cuGraphAddKernelNode, add_kernel, TN_CU_SPOT, const void *, params)
TN_CU_BARE(cuGraphKernelNodeGetParams, get_kernel, CUgraphNode, node, void *, params)
TN_CU_BARE(cuGraphKernelNodeSetParams, set_kernel, CUgraphNode, node, const void *, params)
TN_CU_BARE(cuGraphExecKernelNodeSetParams, change_kernel, CUgraphExec, exec, CUgraphNode, node,
           const void *, params)
TN_CU_BARE(cuGraphAddNode, TN_FACE_EXPRESSION(add_node(PLACE, NULL, params, true)), TN_CU_SPOT,
           CUgraphNodeParams *, params)
TN_CUDART_12(cudaGraphAddNode_v12, "cudaGraphAddNode",
             TN_FACE_EXPRESSION(add_node(PLACE, NULL, params, false)), TN_CU_SPOT,
             cudaGraphNodeParams *, params)
