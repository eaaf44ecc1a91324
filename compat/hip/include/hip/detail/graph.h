/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/graph.h - captures of the work of streams, and graphs that run it again.
 *
 * Capture. Between hipStreamBeginCapture() and hipStreamEndCapture() work submitted to the stream
 * does not run: it becomes nodes of a graph. A stream that waits for an event recorded in a
 * capturing stream joins the capture. Before the end, the first stream must wait for events of all
 * streams that joined. All streams of a capture are of one device (else hipErrorNotSupported).
 *
 * A capture forbids these calls. Each of them makes the captures that forbid it invalid: later work
 * on their streams, and their end, are hipErrorStreamCaptureInvalidated.
 *  - hipStreamAddCallback() and similar calls for a capturing stream, and a query of its state or a
 *    wait for it: hipErrorStreamCaptureUnsupported.
 *  - hipDeviceSynchronize(), for any device and by any thread: hipErrorStreamCaptureUnsupported.
 *  - Copies and fills without "Async" in their name, by any thread: hipErrorStreamCaptureImplicit.
 *  - Work for the NULL stream of a device while a blocking stream of it captures:
 *    hipErrorStreamCaptureImplicit. Waits for NULL streams are allowed.
 *  - A wait for another stream or an event, or a query of a stream, while the thread has a capture
 *    that is not relaxed, or any thread a global one and the calling thread is not relaxed:
 *    hipErrorStreamCaptureUnsupported.
 *  - A query of an event recorded in the capture, or a wait for it: hipErrorCapturedEvent.
 *  - A wait, in a capturing stream, for an event recorded outside: hipErrorStreamCaptureIsolation;
 *    for an event of another capture: hipErrorStreamCaptureMerge.
 *  - Calls that may wait (hipMalloc() and similar ones), depending on the modes of the capture and
 *    of the calling thread, hipThreadExchangeStreamCaptureMode(): hipErrorStreamCaptureUnsupported.
 *    At level 7 so are hipMemPoolCreate(), hipMemPoolDestroy(), hipDeviceSetMemPool(), the settings
 *    of caches and banks, hipMemAdvise(), hipMemcpyWithStream() and hipEventQuery(). Virtual memory
 *    management (hip/detail/vmm.h) is never forbidden.
 *
 * Graphs. Captures make nodes, and so do the functions of hip/detail/graph_node.h. Invalid handles
 * of graphs, nodes and executable graphs are hipErrorInvalidValue.
 */
#ifndef HIP_DETAIL_GRAPH_H
#define HIP_DETAIL_GRAPH_H

#include <hip/detail/types.h>

/* The threads that a capture restricts, and the captures that restrict a thread. */
typedef enum hipStreamCaptureMode {
    hipStreamCaptureModeGlobal = 0,      /* all threads; by all global captures and its own */
    hipStreamCaptureModeThreadLocal = 1, /* the thread that began it; by its own captures */
    hipStreamCaptureModeRelaxed = 2      /* none; by none */
} hipStreamCaptureMode;

typedef enum hipStreamCaptureStatus {
    hipStreamCaptureStatusNone = 0,
    hipStreamCaptureStatusActive = 1,
    hipStreamCaptureStatusInvalidated = 2 /* it can only be ended */
} hipStreamCaptureStatus;

/* Flags of hipStreamUpdateCaptureDependencies(). */
typedef enum hipStreamUpdateCaptureDependenciesFlags {
    hipStreamAddCaptureDependencies = 0,
    hipStreamSetCaptureDependencies = 1
} hipStreamUpdateCaptureDependenciesFlags;

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

/* The parameters that hipGraphDebugDotPrint() shows. Those of other kinds are never shown. */
typedef enum hipGraphDebugDotFlags {
    hipGraphDebugDotFlagsVerbose = 1 << 0, /* of all kinds */
    hipGraphDebugDotFlagsKernelNodeParams = 1 << 2,
    hipGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
    hipGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
    hipGraphDebugDotFlagsHostNodeParams = 1 << 5,
    hipGraphDebugDotFlagsEventNodeParams = 1 << 6,
    hipGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
    hipGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
    hipGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
    hipGraphDebugDotFlagsHandles = 1 << 10
} hipGraphDebugDotFlags;

HIP_EXTERN_C_BEGIN

/*
 * Begins a capture. hipErrorStreamCaptureUnsupported: the NULL stream; hipErrorInvalidValue:
 * unknown mode; hipErrorIllegalState: the stream captures already; hipErrorOutOfMemory. A capture
 * that has become invalid need not be ended first.
 */
HIP_API hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

/* Describes an edge. No function of this library accepts it. */
typedef struct hipGraphEdgeData {
    unsigned char from_port;
    unsigned char reserved[5];
    unsigned char to_port;
    unsigned char type;
} hipGraphEdgeData;

/*
 * The same, and the nodes are added to a graph of the program, which stays its own. The first of
 * them depends on the nodes listed. Nodes that the graph has already need not be joined. These
 * errors come first: hipErrorNotSupported: dependencyData not NULL; hipErrorInvalidValue: graph
 * NULL, or only one of list and number is given. At last: hipErrorIllegalState: another stream
 * captures into the graph; hipErrorNotSupported: the graph is in a node, or has nodes of another
 * device than the stream; hipErrorInvalidValue: not nodes of the graph. If the end of the capture
 * fails, the graph keeps what was captured.
 */
HIP_API hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                                const hipGraphNode_t *dependencies,
                                                const hipGraphEdgeData *dependencyData,
                                                size_t numDependencies, hipStreamCaptureMode mode);

/*
 * Ends a capture and returns its graph, which the caller destroys. These errors change nothing:
 * hipErrorInvalidValue: graph NULL; hipErrorIllegalState: the stream does not capture;
 * hipErrorStreamCaptureUnmatched: the capture began in another stream;
 * hipErrorStreamCaptureWrongThread: the capture began on another thread and is not relaxed. These
 * end the capture without a graph: hipErrorStreamCaptureInvalidated, which sets *pGraph to NULL;
 * hipErrorStreamCaptureUnjoined:
 * the first stream did not wait for all work of a stream that joined.
 */
HIP_API hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph);

/* Returns whether the stream captures. hipErrorInvalidValue: NULL;
 * hipErrorStreamCaptureImplicit: the NULL stream while a blocking stream of any device captures
 * (no capture becomes invalid). */
HIP_API hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus);

/* The same, and the number of an active capture; pId may be NULL. */
HIP_API hipError_t hipStreamGetCaptureInfo(hipStream_t stream,
                                           hipStreamCaptureStatus *pCaptureStatus,
                                           unsigned long long *pId);

/*
 * The same, and the unfinished graph, and the nodes that the next node will depend on. The stream
 * owns that list until the next query of its capture. All outputs except the status may be NULL.
 * The graph cannot be destroyed or instantiated before the capture ends: hipErrorIllegalState.
 */
HIP_API hipError_t hipStreamGetCaptureInfo_v2(
    hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
    unsigned long long *id_out HIP_DEFAULT(NULL), hipGraph_t *graph_out HIP_DEFAULT(NULL),
    const hipGraphNode_t **dependencies_out HIP_DEFAULT(NULL),
    size_t *numDependencies_out HIP_DEFAULT(NULL));

/*
 * Makes the next node of a capturing stream depend on nodes of the unfinished graph: also, or
 * instead of those so far, which then need not be joined. hipErrorIllegalState: the stream does not
 * capture; hipErrorStreamCaptureInvalidated; hipErrorInvalidValue: more nodes than the graph has,
 * dependencies NULL, unknown flags, not a node of the graph; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipStreamUpdateCaptureDependencies(
    hipStream_t stream, hipGraphNode_t *dependencies, size_t numDependencies,
    unsigned int flags HIP_DEFAULT(hipStreamAddCaptureDependencies));

/* Sets the calling thread's mode, which is global at first, and returns the previous one.
 * hipErrorInvalidValue: NULL, or an unknown mode. */
HIP_API hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);

/* Makes an empty graph. hipErrorInvalidValue: NULL, or flags not 0. */
HIP_API hipError_t hipGraphCreate(hipGraph_t *pGraph, unsigned int flags);

/* Destroys a graph and the handles of its nodes. Executable graphs made from it stay valid. */
HIP_API hipError_t hipGraphDestroy(hipGraph_t graph);

/* Makes another graph with copies of the nodes; neither changes with the other.
 * hipErrorInvalidValue: NULL; hipErrorNotSupported: the graph allocates or frees memory. */
HIP_API hipError_t hipGraphClone(hipGraph_t *pGraphClone, hipGraph_t originalGraph);

/* Finds the copy of a node in a clone, or in a clone of that. hipErrorInvalidValue: NULL, not a
 * clone, or no copy of that node. */
HIP_API hipError_t hipGraphNodeFindInClone(hipGraphNode_t *pNode, hipGraphNode_t originalNode,
                                           hipGraph_t clonedGraph);

/*
 * Lists the nodes of a graph, each behind those that it depends on; those without dependencies; the
 * nodes that a node depends on, and those that depend on it; and edges, of which to[i] depends on
 * from[i]. If the array is NULL, only the number is returned. Otherwise at most *num elements are
 * written, unused elements are NULL, and *num becomes the number written. hipErrorInvalidValue: num
 * NULL, only one array of edges is NULL, or hipGraphGetNodes() of a graph with a cycle;
 * hipErrorOutOfMemory.
 */
HIP_API hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *numNodes);
HIP_API hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *pRootNodes,
                                        size_t *pNumRootNodes);
HIP_API hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to,
                                    size_t *numEdges);
HIP_API hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *pDependencies,
                                               size_t *pNumDependencies);

HIP_API hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node,
                                                 hipGraphNode_t *pDependentNodes,
                                                 size_t *pNumDependentNodes);

/* The kind of a node. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *pType);

/*
 * Writes a graph as text for Graphviz, each child graph as a cluster. A node has the number by which
 * tarn check names it: the place in the order in which the nodes were added. hipErrorInvalidValue:
 * NULL, or not a graph; hipErrorOperatingSystem: the file cannot be written.
 */
HIP_API hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned int flags);

HIP_EXTERN_C_END
#endif
