// SPDX-License-Identifier: Apache-2.0
// Captures. See compat/runtime/stream/capture.h.
#include "compat/runtime/stream/capture.h"

#include "compat/cuda/graph_node.h"

_Static_assert((int)CU_STREAM_CAPTURE_MODE_RELAXED == (int)TN_RT_CAPTURE_RELAXED &&
                   (int)CU_STREAM_CAPTURE_STATUS_INVALIDATED == (int)TN_RT_CAPTURE_INVALID,
               "modes and states have the same numbers");

static tn_rt_error begin_in(CUstream stream, CUgraph graph, const CUgraphNode *nodes,
                            const void *edges, size_t count, unsigned mode) {
    TN_RT_TRY(tn_cu_check_edges(edges, count));
    return tn_rt_capture_begin_in(stream, graph, nodes, NULL, count, mode);
}

TN_CU_BOTH_STREAM(cuStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph_ptsz,
                  cudaStreamBeginCaptureToGraph, cudaStreamBeginCaptureToGraph_ptsz, begin_in,
                  CUstream, stream, CUgraph, graph, const CUgraphNode *, dependencies,
                  const CUgraphEdgeData *, edges, size_t, count, CUstreamCaptureMode, mode)

// Edges have no data, so a program that asks for it gets none.
static tn_rt_error describe_capture(CUstream stream, void *status, void *id, CUgraph *graph,
                                    const CUgraphNode **nodes, void *edges, size_t *count) {
    TN_RT_TRY(tn_rt_capture_describe(stream, (unsigned *)status, (unsigned long long *)id, graph,
                                     nodes, count));
    if (edges != NULL) *(void **)edges = NULL;
    return TN_RT_OK;
}

TN_CU_STREAM(cuStreamGetCaptureInfo_v3, cuStreamGetCaptureInfo_v3_ptsz, describe_capture, CUstream,
             stream, CUstreamCaptureStatus *, status, cuuint64_t *, id, CUgraph *, graph,
             const CUgraphNode **, dependencies, const CUgraphEdgeData **, edges, size_t *, count)
TN_CUDART_STREAM(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_ptsz, describe_capture,
                 cudaStream_t, stream, enum cudaStreamCaptureStatus *, status, unsigned long long *,
                 id, cudaGraph_t *, graph, const cudaGraphNode_t **, dependencies,
                 const cudaGraphEdgeData **, edges, size_t *, count)

static tn_rt_error depend(CUstream stream, CUgraphNode *nodes, const void *edges, size_t count,
                          unsigned flags) {
    TN_RT_TRY(tn_cu_check_edges(edges, count));
    return tn_rt_capture_depend(stream, nodes, count, flags);
}

TN_CU_BOTH_STREAM(cuStreamUpdateCaptureDependencies_v2, cuStreamUpdateCaptureDependencies_v2_ptsz,
                  cudaStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies_ptsz,
                  depend, CUstream, stream, CUgraphNode *, dependencies, const CUgraphEdgeData *,
                  edges, size_t, count, unsigned int, flags)

TN_CU_BOTH_BARE(cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode,
                TN_FACE_EXPRESSION(tn_rt_capture_exchange_mode((unsigned *)mode)),
                CUstreamCaptureMode *, mode)
