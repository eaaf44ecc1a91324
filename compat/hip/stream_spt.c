// SPDX-License-Identifier: Apache-2.0
// Functions for which the NULL stream means the stream of the calling thread. The file has no
// state.
#include <hip/detail/event.h>
#include <hip/detail/graph_exec.h>
#include <hip/detail/stream.h>
#include <hip/detail/stream_spt.h>

#include "compat/hip/face.h"
#include "compat/runtime/order.h"

hipError_t hipStreamQuery_spt(hipStream_t stream) { return hipStreamQuery(tn_hip_spt(stream)); }

hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
    return hipStreamSynchronize(tn_hip_spt(stream));
}

hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
    return hipStreamGetFlags(tn_hip_spt(stream), flags);
}

hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority) {
    return hipStreamGetPriority(tn_hip_spt(stream), priority);
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
    return hipStreamWaitEvent(tn_hip_spt(stream), event, flags);
}

hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
    return hipEventRecord(event, tn_hip_spt(stream));
}

hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t fn, void *userData) {
    return hipLaunchHostFunc(tn_hip_spt(stream), fn, userData);
}

hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback,
                                    void *userData, unsigned int flags) {
    return hipStreamAddCallback(tn_hip_spt(stream), callback, userData, flags);
}

hipError_t hipGraphLaunch_spt(hipGraphExec_t graphExec, hipStream_t stream) {
    return hipGraphLaunch(graphExec, tn_hip_spt(stream));
}

// ---- captures

hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
    return hipStreamBeginCapture(tn_hip_spt(stream), mode);
}

hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t *pGraph) {
    return hipStreamEndCapture(tn_hip_spt(stream), pGraph);
}

hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus) {
    return hipStreamIsCapturing(tn_hip_spt(stream), pCaptureStatus);
}

hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus,
                                       unsigned long long *pId) {
    return hipStreamGetCaptureInfo(tn_hip_spt(stream), pCaptureStatus, pId);
}

hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream,
                                          hipStreamCaptureStatus *captureStatus_out,
                                          unsigned long long *id_out, hipGraph_t *graph_out,
                                          const hipGraphNode_t **dependencies_out,
                                          size_t *numDependencies_out) {
    return hipStreamGetCaptureInfo_v2(tn_hip_spt(stream), captureStatus_out, id_out, graph_out,
                                      dependencies_out, numDependencies_out);
}
