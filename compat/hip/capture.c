// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures. See compat/runtime/stream/capture.h.
#include <hip/detail/graph.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream/capture.h"

_Static_assert((int)hipStreamCaptureModeRelaxed == (int)TN_RT_CAPTURE_RELAXED &&
                   (int)hipStreamCaptureStatusInvalidated == (int)TN_RT_CAPTURE_INVALID,
               "modes and states have the same numbers");

TN_HIP_ROW(hipStreamBeginCaptureToGraph, tn_rt_capture_begin_in, hipStream_t, hipGraph_t,
           const hipGraphNode_t *, const hipGraphEdgeData *, size_t, hipStreamCaptureMode)
TN_HIP_SPT_ROW(hipStreamGetCaptureInfo, tn_rt_capture_identify, hipStream_t,
               hipStreamCaptureStatus *, unsigned long long *)
TN_HIP_SPT_ROW(hipStreamGetCaptureInfo_v2, tn_rt_capture_describe, hipStream_t,
               hipStreamCaptureStatus *, unsigned long long *, hipGraph_t *,
               const hipGraphNode_t **, size_t *)
TN_HIP_ROW(hipStreamUpdateCaptureDependencies, tn_rt_capture_depend, hipStream_t, hipGraphNode_t *,
           size_t, unsigned int)
TN_HIP_ROW(hipThreadExchangeStreamCaptureMode, tn_rt_capture_exchange_mode, hipStreamCaptureMode *)
