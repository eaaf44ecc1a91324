/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/event.h - events: points in streams.
 *
 * A record moves the event to the present end of a stream. A wait refers to the last record before
 * the call; a wait for an event that was never recorded does nothing. An event that was recorded in
 * a failed stream returns the stream's failure.
 *
 * An event that was last recorded in a stream that captures stands for nodes of a graph
 * (hip/detail/graph.h); queries of its state return hipErrorCapturedEvent.
 */
#ifndef HIP_DETAIL_EVENT_H
#define HIP_DETAIL_EVENT_H

#include <hip/detail/types.h>

#define hipEventDefault            0x0
#define hipEventBlockingSync       0x1 /* a hint; every wait spins briefly, then sleeps */
#define hipEventDisableTiming      0x2 /* hipEventElapsedTime() refuses the event */
#define hipEventInterprocess       0x4 /* other processes can open it; with hipEventDisableTiming */
#define hipEventDisableSystemFence 0x20000000 /* hints without effect: no caches are flushed */
#define hipEventReleaseToDevice    0x40000000
#define hipEventReleaseToSystem    0x80000000

#define hipEventRecordDefault  0x00
#define hipEventRecordExternal 0x01 /* in a capture, a node that records */
#define hipEventWaitDefault    0x00
#define hipEventWaitExternal   0x01 /* in a capture, a node that waits */

/* Names an event in another process: plain bytes, which may be sent by any means. */
typedef struct hipIpcEventHandle_st {
    char reserved[64];
} hipIpcEventHandle_t;

HIP_EXTERN_C_BEGIN

/*
 * Makes an event of the current device. hipErrorInvalidValue: event NULL, unknown flags, both
 * releases at once, or hipEventInterprocess with timing; hipErrorNotSupported: the device has no
 * events between processes.
 */
HIP_API hipError_t hipEventCreate(hipEvent_t *event);
HIP_API hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags);

/* Destroys an event. Waits for it continue. hipErrorInvalidHandle: NULL;
 * hipErrorContextIsDestroyed: an unknown event. */
HIP_API hipError_t hipEventDestroy(hipEvent_t event);

/*
 * Records the event at the end of the stream. hipErrorInvalidHandle: unknown event, or a stream of
 * another device; hipErrorContextIsDestroyed: unknown stream; the stream's failure; with flags:
 * hipErrorInvalidValue for unknown ones. With hipEventRecordExternal a capture gets a node that
 * records the event at each launch; without it the event marks a point of the capture.
 */
HIP_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream HIP_DEFAULT(NULL),
                                           unsigned int flags HIP_DEFAULT(0));

/* Returns hipSuccess if the recorded point has passed or the event was never recorded,
 * hipErrorNotReady, the stream's failure, or hipErrorCapturedEvent. */
HIP_API hipError_t hipEventQuery(hipEvent_t event);

/* Waits until the recorded point has passed. */
HIP_API hipError_t hipEventSynchronize(hipEvent_t event);

/*
 * Milliseconds from one recorded point to another. hipErrorInvalidValue: ms NULL;
 * hipErrorInvalidHandle: an event is unknown, was never recorded or has no timing, or they are of
 * different devices; hipErrorNotReady: a point has not passed; hipErrorCapturedEvent; the failure
 * of a stream.
 */
HIP_API hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop);

/*
 * Makes work submitted later to the stream wait for the event, which may be of another device.
 * With hipEventWaitExternal a capture gets a node that waits at each launch.
 * hipErrorInvalidHandle: unknown event or stream; hipErrorInvalidValue: unknown flags; the stream's
 * failure.
 */
HIP_API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                                      unsigned int flags HIP_DEFAULT(0));

/*
 * Returns the handle of an event that was made with hipEventInterprocess, for other processes. It is
 * valid until the event is destroyed or this process ends. hipErrorInvalidValue: a NULL;
 * hipErrorInvalidHandle; hipErrorInvalidConfiguration: any other event, or one that was opened.
 */
HIP_API hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event);

/*
 * Opens an event of another process. Each process may record it, and all see the latest record. A
 * record that has not passed when its process ends is a failure of what waits for it.
 * hipErrorInvalidValue: event NULL, or not the handle of a living event; hipErrorInvalidContext: the
 * event is of this process; hipErrorOutOfMemory; hipErrorNotSupported.
 */
HIP_API hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle);

HIP_EXTERN_C_END
#endif
