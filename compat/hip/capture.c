// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures. See compat/runtime/capture.h.
#include <hip/detail/graph.h>

#include "compat/hip/face.h"
#include "compat/runtime/capture.h"

_Static_assert((int)hipStreamCaptureModeRelaxed == (int)TN_RT_CAPTURE_RELAXED &&
                   (int)hipStreamCaptureStatusInvalidated == (int)TN_RT_CAPTURE_INVALID,
               "modes and states have the same numbers");

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    return TN_HIP_CALL(tn_rt_capture_begin(stream, (unsigned)mode));
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *dependencyData,
                                        size_t numDependencies, hipStreamCaptureMode mode) {
    const struct tn_rt_capture_target target = {graph, (void *const *)dependencies, numDependencies,
                                                dependencyData};
    return TN_HIP_CALL(tn_rt_capture_begin_in(stream, &target, (unsigned)mode));
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *pGraph) {
    return TN_HIP_CALL(tn_rt_capture_end(stream, pGraph));
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
    return TN_HIP_CALL(
        tn_rt_capture_describe(stream, (unsigned *)pCaptureStatus, NULL, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                   unsigned long long *pId) {
    return TN_HIP_CALL(
        tn_rt_capture_describe(stream, (unsigned *)pCaptureStatus, pId, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *captureStatus_out,
                                      unsigned long long *id_out, hipGraph_t *graph_out,
                                      const hipGraphNode_t **dependencies_out,
                                      size_t *numDependencies_out) {
    return TN_HIP_CALL(tn_rt_capture_describe(stream, (unsigned *)captureStatus_out, id_out,
                                              graph_out, dependencies_out, numDependencies_out));
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t numDependencies, unsigned int flags) {
    return TN_HIP_CALL(
        tn_rt_capture_depend(stream, (void *const *)dependencies, numDependencies, flags));
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
    return TN_HIP_CALL(tn_rt_capture_exchange_mode((unsigned *)mode));
}
