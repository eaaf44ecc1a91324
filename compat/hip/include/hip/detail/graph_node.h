/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/graph_node.h - nodes that a program adds to a graph by hand.
 *
 * Every function that adds a node takes the variable for its handle, the graph, and the list of the
 * nodes that it depends on; without a number the list is ignored. It checks in this order:
 *  1. hipErrorInvalidValue: a NULL, or a list that is NULL with a number; not a graph.
 *  2. The parameters, with the errors below.
 *  3. hipErrorInvalidValue: a dependency is not a node of the graph, or is named twice.
 * A call that fails adds no node. A node may be added to the graph of a capture that has not ended;
 * the end of the capture does not ask whether it was joined.
 *
 * The functions with GetParams and SetParams return and change the parameters of one kind of node.
 * hipErrorInvalidValue: NULL, not a node, or a node of another kind; then the errors of adding such
 * a node. Executable graphs do not change with the graph.
 */
#ifndef HIP_DETAIL_GRAPH_NODE_H
#define HIP_DETAIL_GRAPH_NODE_H

#include <hip/detail/graph.h>
#include <hip/detail/pool.h>
#include <hip/detail/stream_attribute.h>
#include <hip/detail/stream_value.h>

typedef struct hipHostNodeParams {
    hipHostFn_t fn;
    void *userData;
} hipHostNodeParams;

typedef struct hipKernelNodeParams {
    dim3 blockDim;
    void **extra; /* HIP_LAUNCH_PARAM_ and a buffer, or NULL */
    void *func;   /* the address of a kernel, or a hipFunction_t */
    dim3 gridDim;
    void **kernelParams; /* a pointer to each argument, or NULL */
    unsigned int sharedMemBytes;
} hipKernelNodeParams;

/* Rows of elements. The layout is that of HIP 6, which HIP 7 kept. */
typedef struct hipMemsetParams {
    void *dst;
    unsigned int elementSize; /* 1, 2 or 4 bytes */
    size_t height;            /* rows */
    size_t pitch;             /* bytes from row to row; of one row, only its limit is checked */
    unsigned int value;       /* its low bytes are written */
    size_t width;             /* elements of a row */
} hipMemsetParams;

/* The same for the driver. */
typedef struct HIP_MEMSET_NODE_PARAMS {
    hipDeviceptr_t dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width;
    size_t height;
} HIP_MEMSET_NODE_PARAMS;

typedef struct hipBatchMemOpNodeParams {
    hipCtx_t ctx;
    unsigned int count;
    hipStreamBatchMemOpParams *paramArray;
    unsigned int flags; /* 0 */
} hipBatchMemOpNodeParams;

typedef struct hipMemAllocNodeParams {
    hipMemPoolProps poolProps; /* hipMemAllocationTypePinned, and the location, which is a device */
    const hipMemAccessDesc *accessDescs; /* stored and returned; no other effect */
    size_t accessDescCount;
    size_t bytesize;
    void *dptr; /* receives the address */
} hipMemAllocNodeParams;

typedef struct hipMemcpyNodeParams {
    int flags; /* unused, like the next */
    int reserved[3];
    hipMemcpy3DParms copyParams;
} hipMemcpyNodeParams;

typedef struct hipChildGraphNodeParams {
    hipGraph_t graph;
} hipChildGraphNodeParams;

typedef struct hipEventWaitNodeParams {
    hipEvent_t event;
} hipEventWaitNodeParams;

typedef struct hipEventRecordNodeParams {
    hipEvent_t event;
} hipEventRecordNodeParams;

typedef struct hipMemFreeNodeParams {
    void *dptr;
} hipMemFreeNodeParams;

/* The parameters of a node of any kind. Set unused members to zero. */
typedef struct hipGraphNodeParams {
    hipGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        hipKernelNodeParams kernel;
        hipMemcpyNodeParams memcpy;
        hipMemsetParams memset;
        hipHostNodeParams host;
        hipChildGraphNodeParams graph;
        hipEventWaitNodeParams eventWait;
        hipEventRecordNodeParams eventRecord;
        hipMemAllocNodeParams alloc;
        hipMemFreeNodeParams free;
    };
    long long reserved2;
} hipGraphNodeParams;

/* Attributes of kernel nodes. */
typedef hipLaunchAttributeID hipKernelNodeAttrID;
typedef hipLaunchAttributeValue hipKernelNodeAttrValue;
#define hipKernelNodeAttributeAccessPolicyWindow hipLaunchAttributeAccessPolicyWindow
#define hipKernelNodeAttributeCooperative        hipLaunchAttributeCooperative
#define hipKernelNodeAttributePriority           hipLaunchAttributePriority

HIP_EXTERN_C_BEGIN

/* A node without work, which nodes depend on and which depends on nodes. */
HIP_API hipError_t hipGraphAddEmptyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                        const hipGraphNode_t *pDependencies,
                                        size_t numDependencies);

/* A call of a function on a thread of the library. hipErrorInvalidValue: fn NULL. */
HIP_API hipError_t hipGraphAddHostNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                       const hipGraphNode_t *pDependencies, size_t numDependencies,
                                       const hipHostNodeParams *pNodeParams);
HIP_API hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *pNodeParams);
HIP_API hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node,
                                             const hipHostNodeParams *pNodeParams);

/*
 * A fill. hipErrorInvalidValue: no rows or no elements; another size of elements; memory that this
 * library does not know; rows that leave the memory, or that their pitch cannot hold.
 */
HIP_API hipError_t hipGraphAddMemsetNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies,
                                         size_t numDependencies,
                                         const hipMemsetParams *pMemsetParams);
HIP_API hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *pNodeParams);
HIP_API hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node,
                                               const hipMemsetParams *pNodeParams);

/*
 * A copy of a box, which may be empty. hipErrorInvalidValue: a side has no memory, or a pointer and
 * an array; arrays with elements of different sizes; a row leaves its pitch.
 * hipErrorInvalidPitchValue: a pitch below xsize. hipErrorInvalidMemcpyDirection: not a kind.
 * Memory is checked at the launch. For a node that was added with one row,
 * hipGraphMemcpyNodeGetParams() gives pitches of 0.
 */
HIP_API hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies,
                                         size_t numDependencies,
                                         const hipMemcpy3DParms *pCopyParams);
HIP_API hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *pNodeParams);
HIP_API hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node,
                                               const hipMemcpy3DParms *pNodeParams);

/*
 * A copy of one row. hipErrorInvalidValue: no bytes, or a NULL; then
 * hipErrorInvalidMemcpyDirection: not a kind; then hipErrorInvalidValue: the row leaves memory that
 * this library knows, or one side is such memory, and the kind says otherwise. Also with the second
 * function: dst is src.
 */
HIP_API hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t *pDependencies,
                                           size_t numDependencies, void *dst, const void *src,
                                           size_t count, hipMemcpyKind kind);
HIP_API hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src,
                                                 size_t count, hipMemcpyKind kind);

/*
 * A copy to a variable of kernels (hip/detail/variable.h), or from it. Adding:
 * hipErrorInvalidValue: a NULL or no bytes; then hipErrorInvalidSymbol: an unknown variable;
 * hipErrorInvalidValue: the range leaves it. The kind is not checked. Setting:
 * hipErrorInvalidSymbol: symbol NULL; then hipErrorInvalidValue also: a copy onto itself, or memory
 * that is another variable; a kind that does not fit is hipErrorInvalidValue for a variable that is
 * written, and hipErrorInvalidMemcpyDirection for one that is read. In C++, a variable itself may
 * be passed.
 */
HIP_API hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                                 const hipGraphNode_t *pDependencies,
                                                 size_t numDependencies, const void *symbol,
                                                 const void *src, size_t count, size_t offset,
                                                 hipMemcpyKind kind);
HIP_API hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                                   const hipGraphNode_t *pDependencies,
                                                   size_t numDependencies, void *dst,
                                                   const void *symbol, size_t count, size_t offset,
                                                   hipMemcpyKind kind);
HIP_API hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void *symbol,
                                                       const void *src, size_t count, size_t offset,
                                                       hipMemcpyKind kind);
HIP_API hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst,
                                                         const void *symbol, size_t count,
                                                         size_t offset, hipMemcpyKind kind);

/*
 * A copy and a fill, by the descriptions of the driver. The context is only checked, by the first.
 * hipErrorInvalidValue: ctx NULL, or what hipDrvMemcpy3D() refuses.
 * hipDrvGraphMemcpyNodeGetParams() sets both pointers of linear memory. The library of release 7
 * takes a hipMemsetParams in the place of the HIP_MEMSET_NODE_PARAMS.
 */
HIP_API hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph,
                                            const hipGraphNode_t *dependencies,
                                            size_t numDependencies, const HIP_MEMCPY3D *copyParams,
                                            hipCtx_t ctx);
HIP_API hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t hNode, HIP_MEMCPY3D *nodeParams);
HIP_API hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode,
                                                  const HIP_MEMCPY3D *nodeParams);
HIP_API hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph,
                                            const hipGraphNode_t *dependencies,
                                            size_t numDependencies,
                                            const HIP_MEMSET_NODE_PARAMS *memsetParams,
                                            hipCtx_t ctx);

/*
 * The launch of a kernel by its address, with arguments that are copied. hipErrorInvalidValue: func
 * NULL, which is hipErrorInvalidDeviceFunction in the functions for any kind of node; then
 * hipErrorInvalidDeviceFunction: not a kernel; hipErrorInvalidValue: both kernelParams and extra;
 * hipErrorInvalidConfiguration: an extent that is 0 or above the limit; hipErrorInvalidValue: too
 * much shared memory, no arguments. hipGraphKernelNodeGetParams() returns pointers to the node's
 * arguments, and is hipErrorNotSupported for a launch that was captured by a name.
 */
HIP_API hipError_t hipGraphAddKernelNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies,
                                         size_t numDependencies,
                                         const hipKernelNodeParams *pNodeParams);
HIP_API hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node,
                                               hipKernelNodeParams *pNodeParams);
HIP_API hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node,
                                               const hipKernelNodeParams *pNodeParams);

/*
 * Attributes of a kernel node: they are stored, copied with the node, and returned, 0 at first. A
 * cooperative kernel is launched as by hipLaunchCooperativeKernel(); the others have no other
 * effect. hipErrorInvalidValue: not a kernel node, value NULL, another attribute; a priority that
 * streams do not have; a window with bytes, which no device of this library caches;
 * hipErrorCooperativeLaunchTooLarge.
 */
HIP_API hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t hNode, hipKernelNodeAttrID attr,
                                                  const hipKernelNodeAttrValue *value);
HIP_API hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t hNode, hipKernelNodeAttrID attr,
                                                  hipKernelNodeAttrValue *value);
HIP_API hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t hSrc, hipGraphNode_t hDst);

/*
 * The record of an event, which later nodes of the graph do not wait for, and the wait for the last
 * record of an event; one that was never recorded is not waited for. hipErrorInvalidValue: event
 * NULL; hipErrorInvalidHandle: not an event. An event that is destroyed later stays of use to the
 * node. A record fails at the launch if the event is of another device than the graph.
 */
HIP_API hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                              const hipGraphNode_t *pDependencies,
                                              size_t numDependencies, hipEvent_t event);
HIP_API hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event_out);
HIP_API hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
HIP_API hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                            const hipGraphNode_t *pDependencies,
                                            size_t numDependencies, hipEvent_t event);
HIP_API hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event_out);
HIP_API hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);

/*
 * A copy of a graph, which is made at once; the nodes of the copy run between those that this node
 * depends on and those that depend on it. hipErrorInvalidValue: childGraph NULL, not a graph;
 * hipErrorIllegalState: a capture is making it; hipErrorNotSupported: it allocates or frees memory.
 * hipGraphChildGraphNodeGetGraph() returns the copy, to which nodes can be added before the graph
 * is made executable. It ends with its node: hipGraphDestroy() of it is hipErrorInvalidValue.
 */
HIP_API hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                             const hipGraphNode_t *pDependencies,
                                             size_t numDependencies, hipGraph_t childGraph);
HIP_API hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t *pGraph);

/*
 * Waits for values in memory and writes of them, 1 to 256, in the order of the list, which is
 * copied. hipErrorInvalidValue: ctx or the list NULL, flags not 0, another number, an operation
 * that hipStreamBatchMemOp() refuses. hipGraphBatchMemOpNodeGetParams() returns a list that belongs
 * to the node. Release 7.
 */
HIP_API hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                             const hipGraphNode_t *pDependencies,
                                             size_t numDependencies,
                                             const hipBatchMemOpNodeParams *nodeParams);
HIP_API hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t node,
                                                   hipBatchMemOpNodeParams *nodeParams_out);
HIP_API hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node,
                                                   hipBatchMemOpNodeParams *nodeParams);

/*
 * An allocation of memory at each launch, and a free of it. dptr, which is the same for all
 * launches and may be a parameter of other nodes at once, receives the address. Each launch needs
 * the memory free again: by a node of this graph or another, by hipFree() or hipFreeAsync(), or by
 * hipGraphInstantiateFlagAutoFreeOnLaunch. A graph with such nodes is made executable once.
 * hipErrorInvalidValue, and dptr NULL: no bytes, another type of allocation, or another location;
 * without it: an unknown device. hipErrorOutOfMemory. A free: hipErrorInvalidValue also: a list
 * without a number; not the start of memory of a graph, or a node frees it already.
 */
HIP_API hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t *pDependencies,
                                           size_t numDependencies,
                                           hipMemAllocNodeParams *pNodeParams);
HIP_API hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node,
                                                 hipMemAllocNodeParams *pNodeParams);
HIP_API hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                          const hipGraphNode_t *pDependencies,
                                          size_t numDependencies, void *dev_ptr);
HIP_API hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t *phGraphNode, hipGraph_t hGraph,
                                             const hipGraphNode_t *dependencies,
                                             size_t numDependencies, hipDeviceptr_t dptr);
/* Writes the address to a pointer at dev_ptr. */
HIP_API hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *dev_ptr);

/*
 * Adds a node of the kind that `type` names, and sets the parameters of one. hipErrorInvalidValue:
 * NULL, an unknown kind, or one that has no parameters here; for the second function also another
 * kind than that of the node, and userData NULL; hipErrorNotSupported: semaphores, and memory in
 * the second function; hipErrorUnknown: a graph as its own child in the second function; the errors
 * of the kind.
 */
HIP_API hipError_t hipGraphAddNode(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                   const hipGraphNode_t *pDependencies, size_t numDependencies,
                                   hipGraphNodeParams *nodeParams);
HIP_API hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams *nodeParams);

/*
 * Lets each to[i] depend on from[i], or removes these edges: all or none. A cycle is found when
 * nodes are listed and when the graph is made executable. hipErrorInvalidValue: not a graph; NULL
 * with a number; not nodes of the graph; a node and itself; an edge that exists, or does not.
 */
HIP_API hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                           const hipGraphNode_t *to, size_t numDependencies);
HIP_API hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                              const hipGraphNode_t *to, size_t numDependencies);

/* Removes a node and its edges. hipErrorNotSupported: it allocates or frees memory;
 * hipErrorIllegalState: the graph is that of a capture that has not ended. */
HIP_API hipError_t hipGraphDestroyNode(hipGraphNode_t node);

HIP_EXTERN_C_END
#endif
