// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures. See capture.h.
#include <hip/detail/graph.h>

#include "compat/hip/face.h"
#include "compat/runtime/capture.h"

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    return TN_HIP_CALL(tn_rt_capture_begin(stream, (int)mode));
}

// AMD's library writes NULL for a capture that ends without a graph.
TN_HIP_FUNCTION(hipStreamEndCapture, hipStream_t, stream, hipGraph_t *, pGraph) {
    uintptr_t handle = 0;
    TN_RT_TRY(tn_rt_check_pointer(pGraph, "pGraph"));
    tn_rt_error error = tn_rt_capture_end(stream, &handle);
    if (error == TN_RT_OK || error == TN_RT_CAPTURE_INVALIDATED || error == TN_RT_CAPTURE_UNJOINED)
        *pGraph = (hipGraph_t)handle;
    return error;
}

// Writes every output that is not NULL, but only the status unless the capture is active.
static tn_rt_error get_info(hipStream_t stream, hipStreamCaptureStatus *status,
                            unsigned long long *id, hipGraph_t *graph, const hipGraphNode_t **nodes,
                            size_t *count) {
    struct tn_rt_capture_info info;
    TN_RT_TRY(tn_rt_check_pointer(status, "the status"));
    TN_RT_TRY(tn_rt_capture_describe(stream, nodes != NULL, &info));
    *status = (hipStreamCaptureStatus)info.status;
    if (info.status != TN_RT_CAPTURE_ACTIVE) return TN_RT_OK;
    if (id != NULL) *id = info.id;
    if (graph != NULL) *graph = (hipGraph_t)info.graph;
    if (nodes != NULL) *nodes = (const hipGraphNode_t *)info.nodes;
    if (count != NULL) *count = info.count;
    return TN_RT_OK;
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
    return TN_HIP_CALL(get_info(stream, pCaptureStatus, NULL, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                   unsigned long long *pId) {
    return TN_HIP_CALL(get_info(stream, pCaptureStatus, pId, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                      unsigned long long *id_out, hipGraph_t *graph_out,
                                      const hipGraphNode_t **dependencies_out,
                                      size_t *numDependencies_out) {
    return TN_HIP_CALL(get_info(stream, captureStatus_out, id_out, graph_out, dependencies_out,
                                numDependencies_out));
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t numDependencies, unsigned int flags) {
    return TN_HIP_CALL(
        tn_rt_capture_depend(stream, (void *const *)dependencies, numDependencies, flags));
}

TN_HIP_FUNCTION(hipThreadExchangeStreamCaptureMode, hipStreamCaptureMode *, mode) {
    TN_RT_TRY(tn_rt_check_pointer(mode, "mode"));
    int value = (int)*mode;
    TN_RT_TRY(tn_rt_capture_exchange_mode(&value));
    *mode = (hipStreamCaptureMode)value;
    return TN_RT_OK;
}
