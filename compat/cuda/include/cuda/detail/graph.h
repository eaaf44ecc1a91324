/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/graph.h - graphs: work with dependencies, defined once and launched often.
 *
 * Functions that add a node take the nodes on which it depends. Parameters are copied. Queries of
 * lists write at most *count elements and set *count; with a NULL list they only count.
 * InvalidValue: a node of another graph, of another kind, or unknown parameters.
 */
#ifdef CUDA_PICK_

/* The first parameters of functions that add a node. */
#define CUDA_NODE_OF_                                                                              \
    CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count

/* ---- graphs and their shape */

/* cuGraphCreate, cuGraphDestroy, cuGraphClone, cuGraphNodeFindInClone and cuda...: flags are 0.
 * Executables outlive their graph. */
CUDA_API_(GraphCreate, CUgraph *graph, unsigned flags);
CUDA_API_(GraphDestroy, CUgraph graph);
CUDA_API_(GraphClone, CUgraph *clone, CUgraph original);
CUDA_API_(GraphNodeFindInClone, CUgraphNode *node, CUgraphNode original, CUgraph clone);

/* cuGraphGetNodes, cuGraphGetRootNodes, cuGraphGetEdges, cuGraphNodeGetType and cuda... Edge
 * data may be NULL. */
CUDA_API_(GraphGetNodes, CUgraph graph, CUgraphNode *nodes, size_t *count);
CUDA_API_(GraphGetRootNodes, CUgraph graph, CUgraphNode *nodes, size_t *count);
CUDA_API_(CUDA_13_(GraphGetEdges, _v2), CUgraph graph, CUgraphNode *from, CUgraphNode *to,
          CUgraphEdgeData *edges, size_t *count);
CUDA_API_(CUDA_13_(GraphNodeGetDependencies, _v2), CUgraphNode node, CUgraphNode *dependencies,
          CUgraphEdgeData *edges, size_t *count);
CUDA_API_(CUDA_13_(GraphNodeGetDependentNodes, _v2), CUgraphNode node, CUgraphNode *nodes,
          CUgraphEdgeData *edges, size_t *count);
CUDA_API_(GraphNodeGetType, CUgraphNode node, CUgraphNodeType *type);

/* cuGraphAddDependencies, cuGraphRemoveDependencies, cuGraphDestroyNode and cuda... */
CUDA_API_(CUDA_13_(GraphAddDependencies, _v2), CUgraph graph, const CUgraphNode *from,
          const CUgraphNode *to, const CUgraphEdgeData *edges, size_t count);
CUDA_API_(CUDA_13_(GraphRemoveDependencies, _v2), CUgraph graph, const CUgraphNode *from,
          const CUgraphNode *to, const CUgraphEdgeData *edges, size_t count);
CUDA_API_(GraphDestroyNode, CUgraphNode node);

#if TARN_CUDA_LEVEL == 12
/* The same without edge data. */
CUDA_API_(GraphGetEdges, CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
CUDA_API_(GraphNodeGetDependencies, CUgraphNode node, CUgraphNode *dependencies, size_t *count);
CUDA_API_(GraphNodeGetDependentNodes, CUgraphNode node, CUgraphNode *nodes, size_t *count);
CUDA_API_(GraphAddDependencies, CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
          size_t count);
CUDA_API_(GraphRemoveDependencies, CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
          size_t count);
CUDA_API_(GraphAddNode, CUDA_NODE_OF_, CUDA_NODE_PARAMS_ *params);
#endif

/* cuGraphDebugDotPrint, cudaGraphDebugDotPrint: writes the graph as text for Graphviz. */
CUDA_API_(GraphDebugDotPrint, CUgraph graph, const char *path, unsigned flags);

/* ---- nodes of any kind */

/* cuGraphAddNode, cuGraphNodeSetParams and cuda... InvalidValue also: an unused byte of the
 * parameters is not zero. A node takes a child graph instead of a copy with the ownership MOVE; the
 * graph then ends with its node, and cannot be destroyed, instantiated or used as a child. */
CUDA_API_(CUDA_13_(GraphAddNode, _v2), CUgraphNode *node, CUgraph graph,
          const CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
          CUDA_NODE_PARAMS_ *params);
CUDA_API_(GraphNodeSetParams, CUgraphNode node, CUDA_NODE_PARAMS_ *params);

/* cuGraphAddEmptyNode, cudaGraphAddEmptyNode */
CUDA_API_(GraphAddEmptyNode, CUDA_NODE_OF_);

/* ---- kernels, copies and fills */

/* cuGraphAddKernelNode and cuda...; attributes as those of a launch. */
CUDA_API_(GraphAddKernelNode, CUDA_NODE_OF_, const CUDA_KERNEL_NODE_ *params);
CUDA_API_(GraphKernelNodeGetParams, CUgraphNode node, CUDA_KERNEL_NODE_ *params);
CUDA_API_(GraphKernelNodeSetParams, CUgraphNode node, const CUDA_KERNEL_NODE_ *params);
CUDA_API_(GraphKernelNodeCopyAttributes, CUgraphNode dst, CUgraphNode src);
CUDA_API_(GraphKernelNodeGetAttribute, CUgraphNode node, CUkernelNodeAttrID attribute,
          CUkernelNodeAttrValue *value);
CUDA_API_(GraphKernelNodeSetAttribute, CUgraphNode node, CUkernelNodeAttrID attribute,
          const CUkernelNodeAttrValue *value);

/* cuGraphMemcpyNodeGetParams, cuGraphMemsetNodeGetParams and cuda... */
CUDA_API_(GraphMemcpyNodeGetParams, CUgraphNode node, CUDA_COPY_ *params);
CUDA_API_(GraphMemcpyNodeSetParams, CUgraphNode node, const CUDA_COPY_ *params);
CUDA_API_(GraphMemsetNodeGetParams, CUgraphNode node, CUDA_FILL_NODE_ *params);
CUDA_API_(GraphMemsetNodeSetParams, CUgraphNode node, const CUDA_FILL_NODE_ *params);

/* ---- host functions, graphs within graphs, events */

/* cuGraphAddHostNode, cuGraphAddChildGraphNode, cuGraphAddEventRecordNode,
 * cuGraphAddEventWaitNode and cuda... A child is copied; its nodes may be queried and changed.
 * NotSupported: it allocates or frees memory. */
CUDA_API_(GraphAddHostNode, CUDA_NODE_OF_, const CUDA_HOST_NODE_PARAMS *params);
CUDA_API_(GraphHostNodeGetParams, CUgraphNode node, CUDA_HOST_NODE_PARAMS *params);
CUDA_API_(GraphHostNodeSetParams, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
CUDA_API_(GraphAddChildGraphNode, CUDA_NODE_OF_, CUgraph child);
CUDA_API_(GraphChildGraphNodeGetGraph, CUgraphNode node, CUgraph *graph);
CUDA_API_(GraphAddEventRecordNode, CUDA_NODE_OF_, CUevent event);
CUDA_API_(GraphEventRecordNodeGetEvent, CUgraphNode node, CUevent *event);
CUDA_API_(GraphEventRecordNodeSetEvent, CUgraphNode node, CUevent event);
CUDA_API_(GraphAddEventWaitNode, CUDA_NODE_OF_, CUevent event);
CUDA_API_(GraphEventWaitNodeGetEvent, CUgraphNode node, CUevent *event);
CUDA_API_(GraphEventWaitNodeSetEvent, CUgraphNode node, CUevent event);

/* ---- memory: allocated and freed by each launch at the address that the node was given */

/* cuGraphAddMemAllocNode, cuGraphAddMemFreeNode and cuda...: a graph with such nodes has one
 * executable and cannot be cloned. InvalidValue: a second free, or a free of other memory. */
CUDA_API_(GraphAddMemAllocNode, CUDA_NODE_OF_, CUDA_ALLOC_NODE_ *params);
CUDA_API_(GraphMemAllocNodeGetParams, CUgraphNode node, CUDA_ALLOC_NODE_ *params);
CUDA_API_(GraphAddMemFreeNode, CUDA_NODE_OF_, CUDA_ADDRESS_ address);

/* cuDeviceGetGraphMemAttribute, cuDeviceSetGraphMemAttribute, cuDeviceGraphMemTrim and cuda...:
 * Trim releases what no live block uses. */
CUDA_API_(DeviceGetGraphMemAttribute, CUdevice device, CUgraphMem_attribute attribute, void *value);
CUDA_API_(DeviceSetGraphMemAttribute, CUdevice device, CUgraphMem_attribute attribute, void *value);
CUDA_API_(DeviceGraphMemTrim, CUdevice device);

/* ---- executables: a copy of a graph, which is launched */

/* cuGraphInstantiateWithFlags, cuGraphInstantiateWithParams, cuGraphExecDestroy,
 * cuGraphExecGetFlags and cuda... */
CUDA_API_(GraphInstantiateWithFlags, CUgraphExec *exec, CUgraph graph,
          unsigned long long flags CUDA_DEFAULT_(0));
CUDA_API_PTSZ_(GraphInstantiateWithParams, CUgraphExec *exec, CUgraph graph,
               CUDA_INSTANTIATE_ *params);
CUDA_API_(GraphExecDestroy, CUgraphExec exec);
CUDA_API_(GraphExecGetFlags, CUgraphExec exec, CUDA_UINT64_ *flags);

/* cuGraphUpload, cuGraphLaunch and cuda...: launches of one executable run one after the other.
 * InvalidValue: memory of the last launch is not freed, without the flag that frees it. */
CUDA_API_PTSZ_(GraphUpload, CUgraphExec exec, CUstream stream);
CUDA_API_PTSZ_(GraphLaunch, CUgraphExec exec, CUstream stream);

/* cuGraphExecUpdate, cudaGraphExecUpdate: takes the parameters of a graph of the same shape.
 * GraphExecUpdateFailure: `info` has the reason. */
CUDA_API_(GraphExecUpdate, CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);

/* cuGraphNodeSetEnabled, cuGraphNodeGetEnabled and cuda...: a disabled node does nothing. */
CUDA_API_(GraphNodeSetEnabled, CUgraphExec exec, CUgraphNode node, unsigned enabled);
CUDA_API_(GraphNodeGetEnabled, CUgraphExec exec, CUgraphNode node, unsigned *enabled);

/* Parameters of one node for later launches; the graph does not change. */
CUDA_API_(GraphExecNodeSetParams, CUgraphExec exec, CUgraphNode node, CUDA_NODE_PARAMS_ *params);
CUDA_API_(GraphExecKernelNodeSetParams, CUgraphExec exec, CUgraphNode node,
          const CUDA_KERNEL_NODE_ *params);
CUDA_API_(GraphExecHostNodeSetParams, CUgraphExec exec, CUgraphNode node,
          const CUDA_HOST_NODE_PARAMS *params);
CUDA_API_(GraphExecChildGraphNodeSetParams, CUgraphExec exec, CUgraphNode node, CUgraph child);
CUDA_API_(GraphExecEventRecordNodeSetEvent, CUgraphExec exec, CUgraphNode node, CUevent event);
CUDA_API_(GraphExecEventWaitNodeSetEvent, CUgraphExec exec, CUgraphNode node, CUevent event);

/* ---- objects that live as long as a graph uses them */

/* cuUserObjectCreate, cuUserObjectRetain, cuUserObjectRelease, cuGraphRetainUserObject,
 * cuGraphReleaseUserObject and cuda...: the destructor is called when the count becomes 0; it
 * must not call CUDA. */
CUDA_API_(UserObjectCreate, CUuserObject *object, void *pointer, CUhostFn destroy, unsigned count,
          unsigned flags);
CUDA_API_(UserObjectRetain, CUuserObject object, unsigned count CUDA_DEFAULT_(1));
CUDA_API_(UserObjectRelease, CUuserObject object, unsigned count CUDA_DEFAULT_(1));
CUDA_API_(GraphRetainUserObject, CUgraph graph, CUuserObject object,
          unsigned count CUDA_DEFAULT_(1), unsigned flags CUDA_DEFAULT_(0));
CUDA_API_(GraphReleaseUserObject, CUgraph graph, CUuserObject object,
          unsigned count CUDA_DEFAULT_(1));

#if CUDA_PICK_(1, 0)
/* ---- functions of the driver alone */

/* Copies and fills run in a context. */
CUresult cuGraphAddMemcpyNode(CUDA_NODE_OF_, const CUDA_MEMCPY3D *params, CUcontext context);
CUresult cuGraphAddMemsetNode(CUDA_NODE_OF_, const CUDA_MEMSET_NODE_PARAMS *params,
                              CUcontext context);

/* The address that the node frees. */
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address);

/* Waits for and writes of values in memory. */
CUresult cuGraphAddBatchMemOpNode(CUDA_NODE_OF_, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);

/* Parameters for later launches. */
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *params, CUcontext context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context);

#else
/* ---- functions of the runtime alone */

/* Copies and fills; 1D is a copy of a run of bytes. */
cudaError_t cudaGraphAddMemcpyNode(CUDA_NODE_OF_, const cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(CUDA_NODE_OF_, void *dst, const void *src, size_t bytes,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(CUDA_NODE_OF_, const cudaMemsetParams *params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t count, enum cudaMemcpyKind kind);
/* Copies from and to a variable of the device. */
cudaError_t cudaGraphAddMemcpyNodeToSymbol(CUDA_NODE_OF_, const void *symbol, const void *src,
                                           size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(CUDA_NODE_OF_, void *dst, const void *symbol,
                                             size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *src, size_t count, size_t offset,
                                                 enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                   const void *symbol, size_t count, size_t offset,
                                                   enum cudaMemcpyKind kind);

/* Writes the address that the node frees to a void *. */
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *address);

/* The same as cudaGraphInstantiateWithFlags(). */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags CUDA_DEFAULT_(0));

/* Parameters for later launches. */
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *params);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t count,
                                               enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void *symbol, const void *src,
                                                     size_t count, size_t offset,
                                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void *dst, const void *symbol, size_t count,
                                                       size_t offset, enum cudaMemcpyKind kind);

#endif

#undef CUDA_NODE_OF_

#endif
