/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/stream.h - streams: order of work.
 *
 * A stream argument is a handle from hipStreamCreate() or a similar function, or a predefined
 * stream: the NULL stream of the calling thread's current device (NULL or hipStreamLegacy), or the
 * stream of the calling thread and its current device (hipStreamPerThread). The latter is made at
 * its first use and ends with the thread, which waits for its work.
 *
 * The work of a stream runs in the order of submission. Work on the NULL stream waits for all work
 * submitted earlier to the blocking streams of its device, and their later work waits for it. All
 * streams are blocking except those made with hipStreamNonBlocking.
 *
 * Failures. Work that fails while it runs makes its stream fail permanently: later work does not
 * run, and every later wait, query and submission returns hipErrorIllegalAddress (unmapped memory,
 * or a missing right) or the error of a kernel, until the stream is destroyed. The failure of a
 * blocking stream also fails later work on the NULL stream of its device, and vice versa, because
 * each waits for the other. hipDeviceReset() makes new NULL and per-thread streams.
 *
 * hip/detail/graph.h describes captures.
 */
#ifndef HIP_DETAIL_STREAM_H
#define HIP_DETAIL_STREAM_H

#include <hip/detail/types.h>

#define hipStreamDefault     0x00 /* blocking */
#define hipStreamNonBlocking 0x01 /* independent of the NULL stream */

HIP_EXTERN_C_BEGIN

/*
 * Makes a stream on the current device: blocking, of priority 0. hipErrorInvalidValue: stream NULL,
 * or flags other than the two above; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipStreamCreate(hipStream_t *stream);
HIP_API hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);

/* The same with a priority, which is clamped to the device's range. Priorities are stored and
 * returned and have no other effect. */
HIP_API hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags,
                                               int priority);

/*
 * Makes a blocking stream for some compute units of the current device: bit i of the mask, in words
 * of 32 bits, stands for unit i. The second function returns the mask of a stream, without units
 * that do not exist; a stream without a mask, or with one of zeros, has all units. The mask has no
 * other effect. hipErrorInvalidHandle: stream NULL at the first function; hipErrorInvalidValue:
 * cuMask NULL, size 0, or fewer words than the device's units need; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t cuMaskSize,
                                                const uint32_t *cuMask);
HIP_API hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask);

/* The numbers of the lowest (1) and highest (-1) priority. Either may be NULL. */
HIP_API hipError_t hipDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/*
 * Destroys a stream. Its handle is invalid at once, and the call waits for its work. A capture in
 * which the stream takes part becomes invalid. hipErrorInvalidHandle: a predefined stream;
 * hipErrorContextIsDestroyed: any other stream that does not exist, here and in all functions that
 * do not state otherwise.
 */
HIP_API hipError_t hipStreamDestroy(hipStream_t stream);

/* Returns hipSuccess if all submitted work is complete, hipErrorNotReady, or the stream's
 * failure. The NULL stream includes the blocking streams of its device. */
HIP_API hipError_t hipStreamQuery(hipStream_t stream);

/* Waits until all work submitted before the call is complete. */
HIP_API hipError_t hipStreamSynchronize(hipStream_t stream);

/* The flags and priority of a stream; 0 for predefined ones. hipErrorInvalidValue: an output NULL;
 * for the flags also a NULL stream. */
HIP_API hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags);
HIP_API hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);

/* The device of a stream. hipErrorInvalidValue: NULL. The second function returns -1 on an
 * error. */
HIP_API hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);
HIP_API int hipGetStreamDeviceId(hipStream_t stream);

/*
 * Calls fn(userData) in stream order, on a thread of the library. fn must not call HIP. It is not
 * called if the stream has failed. hipErrorInvalidValue: fn NULL; the stream's failure.
 */
HIP_API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void *userData);

/*
 * The same for callback(stream, hipSuccess, userData). hipErrorInvalidValue: callback NULL, or
 * flags not 0; hipErrorStreamCaptureUnsupported while the stream captures.
 */
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *userData);
HIP_API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback,
                                        void *userData, unsigned int flags);

/* Waits for all work of all streams of the current device. Returns the failure of the first stream
 * that has failed. */
HIP_API hipError_t hipDeviceSynchronize(void);

HIP_EXTERN_C_END
#endif
