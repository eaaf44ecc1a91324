/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/graph_exec.h - executable graphs: made of graphs, changed, and launched.
 *
 * An executable graph is a copy: it does not need the graph any more, and does not change with it.
 * A node of the graph names its copy in the executable graph while the graph lives. A change affects
 * later launches only.
 */
#ifndef HIP_DETAIL_GRAPH_EXEC_H
#define HIP_DETAIL_GRAPH_EXEC_H

#include <hip/detail/graph_node.h>

/* Flags of executable graphs, one at a time. */
typedef enum hipGraphInstantiateFlags {
    /* A launch frees the memory that the previous launch has allocated and nothing has freed. */
    hipGraphInstantiateFlagAutoFreeOnLaunch = 1,
    hipGraphInstantiateFlagUpload = 2,         /* of hipGraphInstantiateWithParams() only */
    hipGraphInstantiateFlagDeviceLaunch = 4,   /* hipErrorNotSupported */
    hipGraphInstantiateFlagUseNodePriority = 8 /* has no effect */
} hipGraphInstantiateFlags;

typedef enum hipGraphInstantiateResult {
    hipGraphInstantiateSuccess = 0,
    hipGraphInstantiateError = 1, /* the only other one that is returned */
    hipGraphInstantiateInvalidStructure = 2,
    hipGraphInstantiateNodeOperationNotSupported = 3,
    hipGraphInstantiateMultipleDevicesNotSupported = 4
} hipGraphInstantiateResult;

typedef struct hipGraphInstantiateParams {
    hipGraphNode_t errNode_out; /* NULL after a success, unchanged after an error */
    unsigned long long flags;
    hipGraphInstantiateResult result_out;
    hipStream_t uploadStream;
} hipGraphInstantiateParams;

/* Why hipGraphExecUpdate() changed nothing. */
typedef enum hipGraphExecUpdateResult {
    hipGraphExecUpdateSuccess = 0,
    hipGraphExecUpdateError = 1,                /* not returned */
    hipGraphExecUpdateErrorTopologyChanged = 2, /* nodes or edges, or the graph has a cycle */
    hipGraphExecUpdateErrorNodeTypeChanged = 3,
    hipGraphExecUpdateErrorFunctionChanged = 4,          /* not returned: functions may change */
    hipGraphExecUpdateErrorParametersChanged = 5,        /* those that cannot be changed */
    hipGraphExecUpdateErrorNotSupported = 6,             /* other memory of a graph */
    hipGraphExecUpdateErrorUnsupportedFunctionChange = 7 /* the graph is of another device */
} hipGraphExecUpdateResult;

/* Bytes of the memory that graphs allocate on a device, of 64 bits. */
typedef enum hipGraphMemAttributeType {
    hipGraphMemAttrUsedMemCurrent = 0,     /* allocated by a launch and not free yet */
    hipGraphMemAttrUsedMemHigh = 1,        /* its peak */
    hipGraphMemAttrReservedMemCurrent = 2, /* used, or free while work that uses it runs */
    hipGraphMemAttrReservedMemHigh = 3     /* its peak */
} hipGraphMemAttributeType;

HIP_EXTERN_C_BEGIN

/*
 * Makes an executable graph. After an error, *pGraphExec is unchanged, and the log contains the text
 * of the error, cut to its size; the error node is never written. hipErrorInvalidValue: NULL; a
 * cycle, also in a child graph. hipErrorNotSupported: the graph allocates or frees memory, and was
 * made executable before.
 */
HIP_API hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                       hipGraphNode_t *pErrorNode, char *pLogBuffer,
                                       size_t bufferSize);

/* The same. hipErrorInvalidValue also for flags other than 0, 1 and 8. */
HIP_API hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                                unsigned long long flags);

/*
 * The same with parameters, of which result_out is written unless a pointer is NULL.
 * hipErrorInvalidValue also for flags other than 0, 1, 2, 4 and 8; hipErrorNotSupported for 4.
 * hipErrorContextIsDestroyed: flag 2, and uploadStream is not a stream.
 */
HIP_API hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                                 hipGraphInstantiateParams *instantiateParams);

/* The flags that it was made with. hipErrorInvalidValue: NULL, or not an executable graph. */
HIP_API hipError_t hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long *flags);

/* Destroys an executable graph. Launched work completes, and references to user objects are released
 * behind it, by a thread of the library. */
HIP_API hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec);

/* Checks its arguments: an executable graph is ready when it has been made. hipErrorInvalidValue:
 * not one; hipErrorContextIsDestroyed: not a stream. */
HIP_API hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream);

/*
 * Submits all work of the graph, behind earlier work of the stream; later work of the stream waits
 * for all of it. Launches in one stream run one after another, launches in two streams at the same
 * time. A node runs behind the nodes that it depends on. Nodes without an order run in parallel: one
 * branch of them in the stream, the others on streams of the executable graph, of which a launch has
 * at most 63. On a stream of another device, all of them run on such streams. Launches of a graph
 * with memory run one after another. hipErrorInvalidValue: an earlier launch has allocated memory
 * that is not free yet; hipErrorOutOfMemory, for such memory; the error of submitting a node, in
 * which case the nodes before it were submitted.
 */
HIP_API hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream);

/*
 * Disables a node with 0, and enables it again; returns what was set last, at first 1. A disabled
 * node does nothing, but keeps its place in the order. hipErrorInvalidValue: NULL, not a node of the
 * graph, or not a kernel, copy or fill.
 */
HIP_API hipError_t hipGraphNodeSetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                          unsigned int isEnabled);
HIP_API hipError_t hipGraphNodeGetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                          unsigned int *isEnabled);

/*
 * Set the parameters of a node of one kind, with the checks of adding such a node; those of copies
 * and fills are all hipErrorInvalidValue, except hipErrorInvalidSymbol. hipErrorInvalidValue: NULL,
 * not an executable graph, not a node of its graph, or a node of another kind; a copy of another
 * direction, a fill of several rows of another size, or of memory of another device.
 */
HIP_API hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                 const hipHostNodeParams *pNodeParams);
HIP_API hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   const hipKernelNodeParams *pNodeParams);
HIP_API hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   const hipMemsetParams *pNodeParams);
HIP_API hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   const hipMemcpy3DParms *pNodeParams);
HIP_API hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                     void *dst, const void *src, size_t count,
                                                     hipMemcpyKind kind);
HIP_API hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec,
                                                           hipGraphNode_t node, const void *symbol,
                                                           const void *src, size_t count,
                                                           size_t offset, hipMemcpyKind kind);
HIP_API hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec,
                                                             hipGraphNode_t node, void *dst,
                                                             const void *symbol, size_t count,
                                                             size_t offset, hipMemcpyKind kind);
HIP_API hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t hGraphExec,
                                                       hipGraphNode_t hNode,
                                                       const hipBatchMemOpNodeParams *nodeParams);
HIP_API hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t hGraphExec,
                                                       hipGraphNode_t hNode, hipEvent_t event);
HIP_API hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t hGraphExec,
                                                     hipGraphNode_t hNode, hipEvent_t event);

HIP_API hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec,
                                                      hipGraphNode_t hNode,
                                                      const HIP_MEMCPY3D *copyParams, hipCtx_t ctx);
HIP_API hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec,
                                                      hipGraphNode_t hNode,
                                                      const HIP_MEMSET_NODE_PARAMS *memsetParams,
                                                      hipCtx_t ctx);

/* The same for a child graph, which is copied. hipErrorUnknown: it has other numbers or kinds of
 * nodes, or is the graph that hGraphExec was made of. */
HIP_API hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t hGraphExec,
                                                       hipGraphNode_t node, hipGraph_t childGraph);

/* The same for a node of any kind, by the parameters of hipGraphNodeSetParams(), with its checks. */
HIP_API hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node,
                                             hipGraphNodeParams *nodeParams);

/*
 * Gives every node the parameters of a node of another graph. The nodes of both are paired in the
 * order in which a launch submits them; edges stay, and only their number at each node must be the
 * same. hipErrorGraphExecUpdateFailure: the result is the reason, and the node is that of hGraph
 * which does not fit, or NULL if the graphs differ as a whole; nothing has changed then. The node is
 * not written after a success. hipErrorInvalidValue: NULL, or not such a handle.
 */
HIP_API hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph,
                                      hipGraphNode_t *hErrorNode_out,
                                      hipGraphExecUpdateResult *updateResult_out);

/*
 * Return and set an attribute of a device's graph memory. A peak can be set to 0, and becomes the
 * present number. hipErrorInvalidDevice; hipErrorInvalidValue: NULL, an unknown attribute, or anything
 * but a peak is set, or to anything but 0.
 */
HIP_API hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr,
                                                 void *value);
HIP_API hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr,
                                                 void *value);

/* Returns the pages of graph memory that is free, and that no running work uses, to the device. They
 * return without it too, before the device has too few. hipErrorInvalidDevice. */
HIP_API hipError_t hipDeviceGraphMemTrim(int device);

HIP_EXTERN_C_END
#endif
