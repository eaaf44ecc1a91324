/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/graph.h - capturing the work of streams, and graphs that run it again.
 *
 * Capture. Between hipStreamBeginCapture() and hipStreamEndCapture() what is given to the stream
 * does not run: it becomes nodes of a graph. A stream that waits for an event recorded in a
 * capturing stream joins the capture; before the end the first stream must wait for events of all
 * that joined. All streams of a capture are of one device (another one: hipErrorNotSupported).
 *
 * What a capture forbids:
 *  - Waiting for a capturing stream, or asking whether it is done:
 * hipErrorStreamCaptureUnsupported. So is hipDeviceSynchronize() for its device, and every call
 * that works at once on it.
 *  - Using the NULL stream of a device while a blocking stream of it captures:
 *    hipErrorStreamCaptureImplicit.
 *  - Waiting, in a capturing stream, for an event recorded outside: hipErrorStreamCaptureIsolation;
 *    for one of another capture: hipErrorStreamCaptureMerge.
 *  Each of these makes the capture invalid: what its streams are given from then on is
 *  hipErrorStreamCaptureInvalidated, and so is its end.
 *  - Asking for the state of an event recorded in a capture: hipErrorCapturedEvent. It invalidates
 *    nothing, nor does the next one.
 *  - Calls that might wait (hipMalloc() and the like), by the mode of the capture and of the
 * calling thread, hipThreadExchangeStreamCaptureMode(): hipErrorStreamCaptureUnsupported. Virtual
 * memory management (hip/detail/vmm.h) is never forbidden.
 *
 * Graphs. Nodes are made by capture only. Handles of graphs, nodes and executable graphs that are
 * none are hipErrorInvalidValue.
 */
#ifndef HIP_DETAIL_GRAPH_H
#define HIP_DETAIL_GRAPH_H

#include <hip/detail/types.h>

/* Which threads a capture hinders, and by which captures a thread is hindered. */
typedef enum hipStreamCaptureMode {
    hipStreamCaptureModeGlobal = 0,      /* all; by all that are global, and its own */
    hipStreamCaptureModeThreadLocal = 1, /* the one that began it; by its own */
    hipStreamCaptureModeRelaxed = 2      /* none; by none */
} hipStreamCaptureMode;

typedef enum hipStreamCaptureStatus {
    hipStreamCaptureStatusNone = 0,
    hipStreamCaptureStatusActive = 1,
    hipStreamCaptureStatusInvalidated = 2 /* it can only be ended */
} hipStreamCaptureStatus;

typedef enum hipGraphNodeType {
    hipGraphNodeTypeKernel = 0,
    hipGraphNodeTypeMemcpy = 1,
    hipGraphNodeTypeMemset = 2,
    hipGraphNodeTypeHost = 3,
    hipGraphNodeTypeGraph = 4, /* an executable graph launched into a capturing stream */
    hipGraphNodeTypeEmpty = 5,
    hipGraphNodeTypeWaitEvent = 6,
    hipGraphNodeTypeEventRecord = 7,
    hipGraphNodeTypeExtSemaphoreSignal = 8,
    hipGraphNodeTypeExtSemaphoreWait = 9,
    hipGraphNodeTypeMemAlloc = 10,
    hipGraphNodeTypeMemFree = 11,
    hipGraphNodeTypeMemcpyFromSymbol = 12,
    hipGraphNodeTypeMemcpyToSymbol = 13,
    hipGraphNodeTypeBatchMemOp = 14,
    hipGraphNodeTypeCount
} hipGraphNodeType;

/* Flags of hipGraphInstantiateWithFlags(); none changes anything here. */
typedef enum hipGraphInstantiateFlags {
    hipGraphInstantiateFlagAutoFreeOnLaunch = 1, /* graphs hold no memory */
    hipGraphInstantiateFlagUpload = 2,
    hipGraphInstantiateFlagDeviceLaunch = 4, /* hipErrorNotSupported */
    hipGraphInstantiateFlagUseNodePriority = 8
} hipGraphInstantiateFlags;

HIP_EXTERN_C_BEGIN

/*
 * Begins a capture. hipErrorInvalidValue: no such mode; hipErrorStreamCaptureUnsupported: the NULL
 * stream; hipErrorIllegalState: it captures already; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

/*
 * Ends a capture and tells its graph, which is the caller's to destroy. hipErrorInvalidValue: graph
 * NULL; hipErrorIllegalState: the stream does not capture; hipErrorStreamCaptureUnmatched: the
 * capture began in another stream; hipErrorStreamCaptureWrongThread: on another thread, and its
 * mode is not relaxed. These change nothing. hipErrorStreamCaptureInvalidated;
 * hipErrorStreamCaptureUnjoined: work of a stream that joined does not lead back to this one. These
 * end the capture without a graph.
 */
HIP_API hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph);

/* Whether the stream captures. hipErrorInvalidValue: NULL; hipErrorStreamCaptureImplicit: the NULL
 * stream while a blocking stream of its device captures (nothing is invalidated). */
HIP_API hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus);

/* The same, and the number of the capture where one is active; pId may be NULL. */
HIP_API hipError_t hipStreamGetCaptureInfo(hipStream_t stream,
                                           hipStreamCaptureStatus *pCaptureStatus,
                                           unsigned long long *pId);

/*
 * The same, and the graph as far as it is, and the nodes that the next one will depend on: the list
 * is the stream's, until the next call about its capture. All but the status may be NULL. The graph
 * is not to be destroyed or instantiated before the capture ends: hipErrorIllegalState.
 */
HIP_API hipError_t hipStreamGetCaptureInfo_v2(
    hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out HIP_DEFAULT(NULL), hipGraph_t *graph_out HIP_DEFAULT(NULL),
    const hipGraphNode_t **dependencies_out HIP_DEFAULT(NULL),
    size_t *numDependencies_out HIP_DEFAULT(NULL));

/* Sets the calling thread's mode, which is global at first, and tells what it was.
 * hipErrorInvalidValue: NULL, or no such mode. */
HIP_API hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);

/* An empty graph. hipErrorInvalidValue: NULL, or flags not 0. */
HIP_API hipError_t hipGraphCreate(hipGraph_t *pGraph, unsigned int flags);

/* Destroys a graph and the handles of its nodes. What was instantiated from it goes on. */
HIP_API hipError_t hipGraphDestroy(hipGraph_t graph);

/* A graph of its own with the same nodes. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipGraphClone(hipGraph_t *pGraphClone, hipGraph_t originalGraph);

/*
 * The nodes, those without dependencies, what a node depends on. With an array NULL only the number
 * is told; else at most *num are written, the rest is NULL, and *num is how many there are or were
 * room for. In the order of capture. hipErrorInvalidValue: num NULL; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes);
HIP_API hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes,
                                        size_t *pNumRootNodes);
HIP_API hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies,
                                               size_t *pNumDependencies);

/* What a node does. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType);

/*
 * Makes an executable graph, which no longer needs the graph. The error node and the log are not
 * written: nothing about a graph can be wrong. hipErrorInvalidValue: NULL, unknown flags;
 * hipErrorNotSupported: a flag named above.
 */
HIP_API hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                       hipGraphNode_t *pErrorNode, char *pLogBuffer,
                                       size_t bufferSize);
HIP_API hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                                unsigned long long flags);

/* Destroys it; launches that are under way finish. */
HIP_API hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec);

/*
 * Gives all work of the graph to the stream, in the order of capture, behind the launch before this
 * one in whichever stream. hipErrorNotSupported: a stream of another device than the captured ones;
 * what giving any of its work fails with: the work before it is given then.
 */
HIP_API hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream);

HIP_EXTERN_C_END
#endif
