// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures. See compat/runtime/capture.h.
#include <hip/detail/graph.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/capture.h"

_Static_assert((int)hipStreamCaptureModeRelaxed == (int)TN_RT_CAPTURE_RELAXED &&
                   (int)hipStreamCaptureStatusInvalidated == (int)TN_RT_CAPTURE_INVALID,
               "modes and states have the same numbers");

static tn_rt_error begin_in(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t *nodes,
                            const hipGraphEdgeData *edges, size_t count,
                            hipStreamCaptureMode mode) {
    const struct tn_rt_capture_target target = {graph, (void *const *)nodes, count, edges};
    return tn_rt_capture_begin_in(stream, &target, (unsigned)mode);
}

TN_HIP_ROW(hipStreamBeginCaptureToGraph, begin_in, hipStream_t, hipGraph_t, const hipGraphNode_t *,
           const hipGraphEdgeData *, size_t, hipStreamCaptureMode)

static tn_rt_error describe(hipStream_t stream, hipStreamCaptureStatus *status,
                            unsigned long long *id) {
    return tn_rt_capture_describe(stream, (unsigned *)status, id, NULL, NULL, NULL);
}

static tn_rt_error get_status(hipStream_t stream, hipStreamCaptureStatus *status) {
    return describe(stream, status, NULL);
}

TN_HIP_SPT_ROW(hipStreamIsCapturing, get_status, hipStream_t, hipStreamCaptureStatus *)
TN_HIP_SPT_ROW(hipStreamGetCaptureInfo, describe, hipStream_t, hipStreamCaptureStatus *,
               unsigned long long *)
TN_HIP_SPT_ROW(hipStreamGetCaptureInfo_v2, tn_rt_capture_describe, hipStream_t,
               hipStreamCaptureStatus *, unsigned long long *, hipGraph_t *,
               const hipGraphNode_t **, size_t *)
TN_HIP_ROW(hipStreamUpdateCaptureDependencies, tn_rt_capture_depend, hipStream_t, hipGraphNode_t *,
           size_t, unsigned int)
TN_HIP_ROW(hipThreadExchangeStreamCaptureMode, tn_rt_capture_exchange_mode, hipStreamCaptureMode *)
