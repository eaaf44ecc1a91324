/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/event.h - events: points in streams.
 *
 * A record puts the event where its stream ends now, and replaces the record before. Who waits for
 * an event waits for its last record at the time of the call; an event that was never recorded
 * holds nobody. An event recorded in a stream that has failed says what the stream failed with.
 *
 * An event that was last recorded in a stream that captured stands for a place in a graph
 * (hip/detail/graph.h): hipErrorCapturedEvent from whatever asks for its state.
 */
#ifndef HIP_DETAIL_EVENT_H
#define HIP_DETAIL_EVENT_H

#include <hip/detail/types.h>

#define hipEventDefault            0x0
#define hipEventBlockingSync       0x1        /* a hint; every wait spins briefly, then sleeps */
#define hipEventDisableTiming      0x2        /* hipEventElapsedTime() is refused */
#define hipEventInterprocess       0x4        /* not supported */
#define hipEventDisableSystemFence 0x20000000 /* hints: there are no caches to flush */
#define hipEventReleaseToDevice    0x40000000
#define hipEventReleaseToSystem    0x80000000

#define hipEventRecordDefault  0x00
#define hipEventRecordExternal 0x01 /* a node that records when a graph runs: not supported */
#define hipEventWaitDefault    0x00
#define hipEventWaitExternal   0x01 /* a node that waits when a graph runs: not supported */

HIP_EXTERN_C_BEGIN

/*
 * Makes an event of the current device. hipErrorInvalidValue: event NULL, unknown flags, or both
 * releases at once; hipErrorNotSupported: hipEventInterprocess.
 */
HIP_API hipError_t hipEventCreate(hipEvent_t *event);
HIP_API hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags);

/* Destroys an event; who waits for it goes on waiting. hipErrorInvalidHandle. */
HIP_API hipError_t hipEventDestroy(hipEvent_t event);

/*
 * Records the event at the end of the stream. hipErrorInvalidHandle: no such event or stream, or
 * they are of different devices; what the stream failed with; with flags: hipErrorInvalidValue,
 * unknown ones; hipErrorNotSupported, hipEventRecordExternal.
 */
HIP_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream HIP_DEFAULT(NULL));
HIP_API hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream HIP_DEFAULT(NULL),
                                           unsigned int flags HIP_DEFAULT(0));

/* hipSuccess: the recorded point has passed, or there is none; hipErrorNotReady; what its stream
 * failed with; hipErrorCapturedEvent. */
HIP_API hipError_t hipEventQuery(hipEvent_t event);

/* Waits until hipEventQuery() would not answer hipErrorNotReady. */
HIP_API hipError_t hipEventSynchronize(hipEvent_t event);

/*
 * Milliseconds from one recorded point to another. hipErrorInvalidValue: ms NULL;
 * hipErrorInvalidHandle: no such event, one was never recorded or has no timing, or they are of
 * different devices; hipErrorNotReady: one has not passed; hipErrorCapturedEvent; what a stream
 * failed with.
 */
HIP_API hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop);

/*
 * Has what is given to the stream from now on wait for the event, of whichever device.
 * hipErrorInvalidHandle; hipErrorInvalidValue: unknown flags; hipErrorNotSupported:
 * hipEventWaitExternal; what the stream failed with.
 */
HIP_API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                                      unsigned int flags HIP_DEFAULT(0));

HIP_EXTERN_C_END
#endif
