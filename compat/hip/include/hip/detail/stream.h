/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/stream.h - streams: order of work.
 *
 * A function that takes a stream takes one that was made by hipStreamCreate() and its like, or one
 * of those that are always there: the NULL stream of the calling thread's current device (NULL or
 * hipStreamLegacy), and the stream of the calling thread and its current device
 * (hipStreamPerThread), which comes into being at its first use and goes, waiting for its work,
 * when the thread ends.
 *
 * Work of one stream runs in the order given. What is given to the NULL stream waits for what the
 * blocking streams of its device were given before, and what they are given later waits for it. All
 * streams are blocking but those made with hipStreamNonBlocking.
 *
 * Failures. Work that fails while it runs makes its stream fail for good: nothing runs behind it,
 * and every later wait, query and submission says hipErrorIllegalAddress (memory that is not
 * mapped, or no right to it), or what a kernel failed with, until the stream is destroyed. A failed
 * blocking stream fails what is given to the NULL stream of its device too, and the other way
 * round: each would wait for the other. The NULL stream and those of threads are made anew by
 * hipDeviceReset().
 *
 * A wait while a stream captures: hip/detail/capture.h.
 */
#ifndef HIP_DETAIL_STREAM_H
#define HIP_DETAIL_STREAM_H

#include <hip/detail/types.h>

#define hipStreamDefault     0x00 /* blocking */
#define hipStreamNonBlocking 0x01 /* neither waits for the NULL stream nor the other way round */

HIP_EXTERN_C_BEGIN

/*
 * Makes a stream on the current device: blocking, of priority 0. hipErrorInvalidValue: stream NULL,
 * or flags other than the two above; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipStreamCreate(hipStream_t *stream);
HIP_API hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);

/* The same. A priority outside the device's range counts as the nearest one in it. Priorities are
 * remembered; the software device serves all streams alike. */
HIP_API hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags,
                                               int priority);

/* The numbers of the least (1) and of the greatest (-1) priority. Either may be NULL. */
HIP_API hipError_t hipDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/*
 * Destroys a stream: its handle is dead at once; the call waits for its work. A capture that it
 * takes part in becomes invalid. hipErrorInvalidHandle: not a stream, or one of those that are
 * always there.
 */
HIP_API hipError_t hipStreamDestroy(hipStream_t stream);

/* hipSuccess: all work given so far is done; hipErrorNotReady; what the stream failed with. The
 * NULL stream speaks for the blocking streams of its device too. */
HIP_API hipError_t hipStreamQuery(hipStream_t stream);

/* Waits until hipStreamQuery() would not answer hipErrorNotReady for what was given so far. */
HIP_API hipError_t hipStreamSynchronize(hipStream_t stream);

/* What a stream was made with; 0 for those that are always there. hipErrorInvalidValue: NULL. */
HIP_API hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags);
HIP_API hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);

/* The device of a stream. hipErrorInvalidValue: NULL. The second tells -1 instead of an error. */
HIP_API hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);
HIP_API int hipGetStreamDeviceId(hipStream_t stream);

/*
 * Calls fn(userData) in stream order, on a thread of the library. It must not call HIP. Not called
 * when the stream has failed by then. hipErrorInvalidValue: fn NULL; hipErrorInvalidHandle; what
 * the stream failed with.
 */
HIP_API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void *userData);

/*
 * The same for callback(stream, hipSuccess, userData). hipErrorInvalidValue: callback NULL, or
 * flags not 0; hipErrorStreamCaptureUnsupported while the stream captures.
 */
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *userData);
HIP_API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback,
                                        void *userData, unsigned int flags);

/* Waits for all work of all streams of the current device. What the first stream that has failed
 * failed with. */
HIP_API hipError_t hipDeviceSynchronize(void);

HIP_EXTERN_C_END
#endif
