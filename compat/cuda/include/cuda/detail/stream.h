/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/stream.h - streams, events, captures and waits for values.
 *
 * Work of a stream runs in order. Stream 0 also waits for all blocking streams of its device, and
 * they for it. A stream whose work fails stays failed: every later wait, query and submission
 * returns the failure until cudaDeviceReset().
 */
#ifdef CUDA_PICK_

/* ---- streams */

/* cuStreamCreateWithPriority, cudaStreamCreateWithPriority: clamped to the device's range. */
CUDA_API_(StreamCreateWithPriority, CUstream *stream, unsigned flags, int priority);

/* cuStreamDestroy, cudaStreamDestroy: waits for the work of the stream, and ends the handle. */
CUDA_API_(StreamDestroy, CUstream stream);

/* cuStreamQuery, cuStreamSynchronize and cuda...: success if all work is complete, else
 * NotReady; and wait for that. */
CUDA_API_PTSZ_(StreamQuery, CUstream stream);
CUDA_API_PTSZ_(StreamSynchronize, CUstream stream);

/* cuStreamGetFlags, cuStreamGetPriority, cuStreamGetId, cuStreamGetDevice and cuda... */
CUDA_API_PTSZ_(StreamGetFlags, CUstream stream, unsigned *flags);
CUDA_API_PTSZ_(StreamGetPriority, CUstream stream, int *priority);
CUDA_API_PTSZ_(StreamGetId, CUstream stream, unsigned long long *id);
CUDA_API_PTSZ_(StreamGetDevice, CUstream stream, CUdevice *device);

/* cuStreamGetAttribute, cuStreamSetAttribute, cuStreamCopyAttributes and cuda... */
CUDA_API_PTSZ_(StreamGetAttribute, CUstream stream, CUstreamAttrID attribute,
               CUstreamAttrValue *value);
CUDA_API_PTSZ_(StreamSetAttribute, CUstream stream, CUstreamAttrID attribute,
               const CUstreamAttrValue *value);
CUDA_API_PTSZ_(StreamCopyAttributes, CUstream dst, CUstream src);

/* cuLaunchHostFunc, cudaLaunchHostFunc: calls fn(data) in stream order, on a thread of the library,
 * unless the stream has failed. fn must not call CUDA: functions that would wait or allocate return
 * NotPermitted. */
CUDA_API_PTSZ_(LaunchHostFunc, CUstream stream, CUhostFn fn, void *data);

/* cuStreamAddCallback, cudaStreamAddCallback: not called after a failure of the stream.
 * InvalidValue: flags not 0; StreamCaptureUnsupported in a capture. */
CUDA_API_PTSZ_(StreamAddCallback, CUstream stream, CUDA_STREAM_CALLBACK_ callback, void *data,
               unsigned flags);

/* ---- events: points in streams. A record moves the event to the present end of the stream. */

/* cuEventDestroy, cudaEventDestroy: waits for the event continue. */
CUDA_API_(EventDestroy, CUevent event);

/* cuEventRecord, cuEventRecordWithFlags and cuda...: InvalidResourceHandle: a stream of another
 * context. */
CUDA_API_PTSZ_(EventRecord, CUevent event, CUDA_STREAM_);
CUDA_API_PTSZ_(EventRecordWithFlags, CUevent event, CUDA_STREAM_, unsigned flags CUDA_DEFAULT_(0));

/* cuEventQuery, cuEventSynchronize and cuda...: success if the event was never recorded.
 * CapturedEvent: it was last recorded in a capture. */
CUDA_API_(EventQuery, CUevent event);
CUDA_API_(EventSynchronize, CUevent event);

/* cuEventElapsedTime, cudaEventElapsedTime: milliseconds. InvalidResourceHandle: an event without
 * timing, or never recorded; NotReady. */
CUDA_API_(CUDA_13_(EventElapsedTime, _v2), float *ms, CUevent start, CUevent end);
#if TARN_CUDA_LEVEL == 12
CUDA_API_(EventElapsedTime, float *ms, CUevent start, CUevent end);
#endif

/* cuStreamWaitEvent, cudaStreamWaitEvent: later work of the stream waits for the last record,
 * also on another device. */
CUDA_API_PTSZ_(StreamWaitEvent, CUstream stream, CUevent event, unsigned flags CUDA_DEFAULT_(0));

/* ---- captures: work becomes nodes of a graph instead of running */

/* cuStreamBeginCapture, cuStreamEndCapture and cuda...: stream 0 cannot capture:
 * StreamCaptureUnsupported. StreamCaptureInvalidated, StreamCaptureUnmatched,
 * StreamCaptureUnjoined and StreamCaptureWrongThread end without a graph. The second function
 * adds to a graph. */
CUDA_API_PTSZ_(StreamBeginCapture, CUstream stream, CUstreamCaptureMode mode);
CUDA_API_PTSZ_(StreamBeginCaptureToGraph, CUstream stream, CUgraph graph,
               const CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
               CUstreamCaptureMode mode);
CUDA_API_PTSZ_(StreamEndCapture, CUstream stream, CUgraph *graph);

/* cuStreamIsCapturing, cuStreamGetCaptureInfo and cuda...: outputs other than the status may be
 * NULL. The arrays are valid until the next call for the stream. */
CUDA_API_PTSZ_(StreamIsCapturing, CUstream stream, CUstreamCaptureStatus *status);
CUDA_API_PTSZ_(CUDA_13_(StreamGetCaptureInfo, _v3), CUstream stream, CUstreamCaptureStatus *status,
               CUDA_UINT64_ *id CUDA_DEFAULT_(0), CUgraph *graph CUDA_DEFAULT_(0),
               const CUgraphNode **dependencies CUDA_DEFAULT_(0),
               const CUgraphEdgeData **edges CUDA_DEFAULT_(0), size_t *count CUDA_DEFAULT_(0));

/* cuStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies: the nodes on which the
 * next work depends. */
CUDA_API_PTSZ_(CUDA_13_(StreamUpdateCaptureDependencies, _v2), CUstream stream,
               CUgraphNode *dependencies, const CUgraphEdgeData *edges, size_t count,
               unsigned flags CUDA_DEFAULT_(0));

/* cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode: swaps the thread's mode,
 * which forbids unsafe functions while any stream captures. */
CUDA_API_(ThreadExchangeStreamCaptureMode, CUstreamCaptureMode *mode);

#if TARN_CUDA_LEVEL == 12
/* The same without edge data. */
CUDA_API_PTSZ_(StreamGetCaptureInfo, CUstream stream, CUstreamCaptureStatus *status,
               CUDA_UINT64_ *id CUDA_DEFAULT_(0), CUgraph *graph CUDA_DEFAULT_(0),
               const CUgraphNode **dependencies CUDA_DEFAULT_(0), size_t *count CUDA_DEFAULT_(0));
CUDA_API_PTSZ_(StreamUpdateCaptureDependencies, CUstream stream, CUgraphNode *dependencies,
               size_t count, unsigned flags CUDA_DEFAULT_(0));
#endif

#if CUDA_PICK_(1, 0)
/* ---- functions of the driver alone */

/* The flag is 0, blocking, or 1, independent of stream 0. */
CUresult cuStreamCreate(CUstream *stream, unsigned flags);

/* The context of a stream. The newer form also has the part of a device, of which there is none. */
CUDA_PTSZ_(cuStreamGetCtx, CUstream stream, CUcontext *context);

/* InvalidValue: unknown flags, or for several processes with timing. */
CUresult cuEventCreate(CUevent *event, unsigned flags);

/* Waits for and writes of values in memory, in stream order. A wait ends when the comparison
 * that the flags select holds. Addresses are aligned to the value. */
CUDA_PTSZ_(cuStreamWaitValue32, CUstream stream, CUdeviceptr address, cuuint32_t value,
           unsigned flags);
CUDA_PTSZ_(cuStreamWaitValue64, CUstream stream, CUdeviceptr address, cuuint64_t value,
           unsigned flags);
CUDA_PTSZ_(cuStreamWriteValue32, CUstream stream, CUdeviceptr address, cuuint32_t value,
           unsigned flags);
CUDA_PTSZ_(cuStreamWriteValue64, CUstream stream, CUdeviceptr address, cuuint64_t value,
           unsigned flags);
CUDA_PTSZ_(cuStreamBatchMemOp, CUstream stream, unsigned count, CUstreamBatchMemOpParams *list,
           unsigned flags);

#else
/* ---- functions of the runtime alone */

/* The flag is 0, blocking, or 1, independent of stream 0. */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);

/* InvalidValue: unknown flags, or for several processes with timing. */
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);

#endif
#endif
