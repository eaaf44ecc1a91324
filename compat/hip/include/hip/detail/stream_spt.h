/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/stream_spt.h - functions of streams for which NULL and hipStreamLegacy mean the stream
 * of the calling thread (hipStreamPerThread). Otherwise they are the functions without _spt.
 * Compilers call them for programs that are built with -fgpu-default-stream=per-thread.
 */
#ifndef HIP_DETAIL_STREAM_SPT_H
#define HIP_DETAIL_STREAM_SPT_H

#include <hip/detail/graph.h>
#include <hip/detail/stream.h>
#include <hip/detail/types.h>

HIP_EXTERN_C_BEGIN

HIP_API hipError_t hipStreamQuery_spt(hipStream_t stream);
HIP_API hipError_t hipStreamSynchronize_spt(hipStream_t stream);
HIP_API hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags);
HIP_API hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority);
HIP_API hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags);
HIP_API hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t fn, void *userData);
HIP_API hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback,
                                            void *userData, unsigned int flags);
HIP_API hipError_t hipGraphLaunch_spt(hipGraphExec_t graphExec, hipStream_t stream);

HIP_API hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode);
HIP_API hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t *pGraph);
HIP_API hipError_t hipStreamIsCapturing_spt(hipStream_t stream,
                                            hipStreamCaptureStatus *pCaptureStatus);
HIP_API hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream,
                                               hipStreamCaptureStatus *pCaptureStatus,
                                               unsigned long long *pId);
HIP_API hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream,
                                                  hipStreamCaptureStatus *captureStatus_out,
                                                  unsigned long long *id_out, hipGraph_t *graph_out,
                                                  const hipGraphNode_t **dependencies_out,
                                                  size_t *numDependencies_out);

HIP_EXTERN_C_END
#endif
