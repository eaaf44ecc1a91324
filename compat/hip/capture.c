// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures. See compat/runtime/capture.h.
#include <hip/detail/graph.h>

#include "compat/hip/face.h"
#include "compat/runtime/capture.h"

_Static_assert((int)hipStreamCaptureModeRelaxed == (int)TN_RT_CAPTURE_RELAXED &&
                   (int)hipStreamCaptureStatusInvalidated == (int)TN_RT_CAPTURE_INVALID,
               "modes and states have the same numbers");

TN_HIP_ROW(hipStreamBeginCapture, tn_rt_capture_begin, hipStream_t, hipStreamCaptureMode)

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t *dependencies,
                                        const hipGraphEdgeData *dependencyData,
                                        size_t numDependencies, hipStreamCaptureMode mode) {
    const struct tn_rt_capture_target target = {graph, (void *const *)dependencies, numDependencies,
                                                dependencyData};
    return TN_HIP_CALL(tn_rt_capture_begin_in(stream, &target, (unsigned)mode));
}

TN_HIP_ROW(hipStreamEndCapture, tn_rt_capture_end, hipStream_t, hipGraph_t *)

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
    return TN_HIP_CALL(
        tn_rt_capture_describe(stream, (unsigned *)pCaptureStatus, NULL, NULL, NULL, NULL));
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                   unsigned long long *pId) {
    return TN_HIP_CALL(
        tn_rt_capture_describe(stream, (unsigned *)pCaptureStatus, pId, NULL, NULL, NULL));
}

TN_HIP_ROW(hipStreamGetCaptureInfo_v2, tn_rt_capture_describe, hipStream_t,
           hipStreamCaptureStatus *, unsigned long long *, hipGraph_t *, const hipGraphNode_t **,
           size_t *)

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *dependencies,
                                              size_t numDependencies, unsigned int flags) {
    return TN_HIP_CALL(
        tn_rt_capture_depend(stream, (void *const *)dependencies, numDependencies, flags));
}

TN_HIP_ROW(hipThreadExchangeStreamCaptureMode, tn_rt_capture_exchange_mode, hipStreamCaptureMode *)
