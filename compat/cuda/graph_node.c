// SPDX-License-Identifier: Apache-2.0
// Nodes that a program adds to graphs by hand, and their parameters. See compat/runtime/node_rows.h.
#include "compat/runtime/node_rows.h"

#include <stddef.h>

#include "compat/cuda/face.h"
#include "compat/cuda/graph_node.h"
#include "compat/runtime/kernel/node_attribute.h"

_Static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(struct tn_rt_function) &&
                   sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(struct tn_rt_alloc_params) &&
                   offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, bytesize) ==
                       offsetof(struct tn_rt_alloc_params, bytes) &&
                   sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS) == sizeof(struct tn_rt_value_list) &&
                   sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(struct cudaMemsetParams) &&
                   sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(struct tn_rt_driver_fill) &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS, height) ==
                       offsetof(struct tn_rt_driver_fill, height) &&
                   offsetof(CUDA_MEMSET_NODE_PARAMS, elementSize) ==
                       offsetof(struct tn_rt_driver_fill, element_bytes) &&
                   (int)CU_LAUNCH_ATTRIBUTE_COOPERATIVE == TN_RT_NODE_COOPERATIVE &&
                   (int)CU_LAUNCH_ATTRIBUTE_PRIORITY == TN_RT_NODE_PRIORITY,
               "parameters and attributes have the same layout and numbers");

// ---- attributes of kernels

// The destination comes first.
TN_CU_BOTH_BARE(cuGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes,
                TN_FACE_EXPRESSION(tn_rt_node_copy_attributes(src, dst)), CUgraphNode, dst,
                CUgraphNode, src)

// ---- kinds whose parameters are one struct

TN_CUDART(cudaGraphAddMemsetNode, tn_rt_add_driver_fill, TN_CU_SPOT,
          const struct cudaMemsetParams *, params)
TN_CUDART(cudaGraphMemsetNodeGetParams, tn_rt_get_driver_fill, CUgraphNode, node,
          struct cudaMemsetParams *, params)
TN_CUDART(cudaGraphMemsetNodeSetParams, tn_rt_set_driver_fill, CUgraphNode, node,
          const struct cudaMemsetParams *, params)
TN_CUDART(cudaGraphExecMemsetNodeSetParams, tn_rt_change_driver_fill, CUgraphExec, exec,
          CUgraphNode, node, const struct cudaMemsetParams *, params)
TN_CU_BARE(cuGraphMemsetNodeGetParams, tn_rt_get_driver_fill, CUgraphNode, node,
           CUDA_MEMSET_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphMemsetNodeSetParams, tn_rt_set_driver_fill, CUgraphNode, node,
           const CUDA_MEMSET_NODE_PARAMS *, params)

TN_CU_BARE(cuGraphMemcpyNodeGetParams, tn_rt_get_driver_box, CUgraphNode, node, CUDA_MEMCPY3D *,
           params)
TN_CU_BARE(cuGraphMemcpyNodeSetParams, tn_rt_set_driver_box, CUgraphNode, node,
           const CUDA_MEMCPY3D *, params)

TN_CU_BARE(cuGraphAddBatchMemOpNode, tn_rt_add_values, TN_CU_SPOT,
           const CUDA_BATCH_MEM_OP_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphBatchMemOpNodeGetParams, tn_rt_get_values, CUgraphNode, node,
           CUDA_BATCH_MEM_OP_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphBatchMemOpNodeSetParams, tn_rt_set_values, CUgraphNode, node,
           const CUDA_BATCH_MEM_OP_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphExecBatchMemOpNodeSetParams, tn_rt_change_values, CUgraphExec, exec, CUgraphNode,
           node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *, params)

// The driver names a context, which says nothing more than the graph; a fill needs none.
#define IN_CONTEXT(work) __extension__(tn_rt_check_pointer(context, "ctx") ?: (work))

TN_CU_BARE(cuGraphAddMemsetNode,
           TN_FACE_EXPRESSION(tn_rt_add_driver_fill(node, graph, dependencies, count, params)),
           TN_CU_SPOT, const CUDA_MEMSET_NODE_PARAMS *, params, CUcontext, context)
TN_CU_BARE(cuGraphExecMemsetNodeSetParams,
           TN_FACE_EXPRESSION(tn_rt_change_driver_fill(exec, node, params)), CUgraphExec, exec,
           CUgraphNode, node, const CUDA_MEMSET_NODE_PARAMS *, params, CUcontext, context)
TN_CU_BARE(cuGraphAddMemcpyNode,
           TN_FACE_EXPRESSION(IN_CONTEXT(tn_rt_add_driver_box(node, graph, dependencies, count,
                                                              params))),
           TN_CU_SPOT, const CUDA_MEMCPY3D *, params, CUcontext, context)
TN_CU_BARE(cuGraphExecMemcpyNodeSetParams,
           TN_FACE_EXPRESSION(IN_CONTEXT(tn_rt_change_driver_box(exec, node, params))), CUgraphExec,
           exec, CUgraphNode, node, const CUDA_MEMCPY3D *, params, CUcontext, context)

// ---- memory

TN_CU_BARE(cuGraphAddMemAllocNode, tn_rt_add_alloc, TN_CU_SPOT, CUDA_MEM_ALLOC_NODE_PARAMS *,
           params)
TN_CU_BARE(cuGraphMemAllocNodeGetParams, tn_rt_get_alloc, CUgraphNode, node,
           CUDA_MEM_ALLOC_NODE_PARAMS *, params)
TN_CU_BARE(cuGraphMemFreeNodeGetParams, tn_rt_get_free, CUgraphNode, node, CUdeviceptr *, address)
