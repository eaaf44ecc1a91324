// SPDX-License-Identifier: Apache-2.0
// HIP's functions about captures. See compat/runtime/stream/capture.h.
#include <hip/detail/graph.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/stream/capture.h"

_Static_assert((int)hipStreamCaptureModeRelaxed == (int)TN_RT_CAPTURE_RELAXED &&
                   (int)hipStreamCaptureStatusInvalidated == (int)TN_RT_CAPTURE_INVALID,
               "modes and states have the same numbers");

TN_HIP_ROW(hipStreamBeginCaptureToGraph, tn_rt_capture_begin_in, hipStream_t, stream, hipGraph_t,
           graph, const hipGraphNode_t *, dependencies, const hipGraphEdgeData *, dependencyData,
           size_t, numDependencies, hipStreamCaptureMode, mode)
TN_HIP_SPT_ROW(hipStreamGetCaptureInfo, hipStreamGetCaptureInfo_spt, tn_rt_capture_identify,
               hipStream_t, stream, hipStreamCaptureStatus *, pCaptureStatus, unsigned long long *,
               pId)
TN_HIP_SPT_ROW(hipStreamGetCaptureInfo_v2, hipStreamGetCaptureInfo_v2_spt, tn_rt_capture_describe,
               hipStream_t, stream, hipStreamCaptureStatus *, captureStatus_out,
               unsigned long long *, id_out, hipGraph_t *, graph_out, const hipGraphNode_t **,
               dependencies_out, size_t *, numDependencies_out)
TN_HIP_ROW(hipStreamUpdateCaptureDependencies, tn_rt_capture_depend, hipStream_t, stream,
           hipGraphNode_t *, dependencies, size_t, numDependencies, unsigned int, flags)
TN_HIP_ROW(hipThreadExchangeStreamCaptureMode, tn_rt_capture_exchange_mode, hipStreamCaptureMode *,
           mode)
