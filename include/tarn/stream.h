/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/stream.h
 * Streams of work, and events in them.
 *
 * Work of one stream runs in the order in which it was enqueued, concurrently with the caller and
 * with other streams. An error while work runs is sticky: the stream runs no further work, and
 * every later call on it returns TARN_DEVICE_FAILED until it is destroyed; the last-error text
 * describes the failure. Streams and events are numbers that are never used twice; a stale one is
 * TARN_BAD_HANDLE. A thread that is cancelled while it waits (pthread_cancel()) finishes its call;
 * see base.h.
 */
#ifndef TARN_STREAM_H
#define TARN_STREAM_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A stream. A call that takes a stream works synchronously with the caller if it is 0. */
typedef uint64_t tarn_stream;

/** No stream. */
#define TARN_STREAM_NONE ((tarn_stream)0)

/** A point in a stream. 0 is never valid. */
typedef uint64_t tarn_event;

/**
 * Creates a stream.
 *
 * @param device its device
 * @param stream receives the stream
 * @retval TARN_BAD_ARGUMENT   device or stream is NULL
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_NO_HANDLES     no handles are left
 */
TARN_API tarn_status tarn_stream_create(tarn_device *device, tarn_stream *stream);

/**
 * Creates a stream over a stream that other code, such as a framework, created with the vendor's
 * calls. Work of both is enqueued in the vendor's stream.
 *
 * The vendor's stream stays the property of its creator, who keeps it alive until
 * tarn_stream_destroy(). That call waits for its work and does not destroy it. Each call creates a
 * new Tarn stream. On `host` and `sim`, where no other code creates streams, the call creates an
 * ordinary stream and ignores `native`.
 *
 * @param device its device
 * @param native the vendor's handle (a CUstream, hipStream_t or aclrtStream); NULL means the
 *               vendor's default stream
 * @param stream receives the stream
 * @retval TARN_BAD_ARGUMENT   device or stream is NULL
 * @retval TARN_UNSUPPORTED    the backend cannot wrap streams
 * @retval TARN_BAD_HANDLE     native is not a stream of this device, if the driver can detect it
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_NO_HANDLES     no handles are left
 */
TARN_API tarn_status tarn_stream_wrap(tarn_device *device, void *native, tarn_stream *stream);

/**
 * Waits for a stream's work and destroys the stream, also one with a sticky error.
 *
 * @param stream the stream; 0 does nothing
 * @retval TARN_BAD_HANDLE not a live stream
 * @retval TARN_BUSY       the call is made inside a host function of the platform, and the stream
 *                         has work left
 */
TARN_API tarn_status tarn_stream_destroy(tarn_stream stream);

/**
 * Waits for all work enqueued so far. A thread that waits for a limited time may do work that no
 * other thread can do, and return late by as much.
 *
 * @param stream     the stream
 * @param timeout_ns the limit; 0 does not wait, TARN_FOREVER has no limit
 * @retval TARN_TIMED_OUT     work enqueued before the call is not done; it continues
 * @retval TARN_BAD_HANDLE    not a live stream
 * @retval TARN_DEVICE_FAILED work of the stream failed
 * @retval TARN_BUSY          the call is made inside a host function that it would wait for
 * @retval TARN_UNSUPPORTED   the device cannot wait with a deadline, and timeout_ns is not
 *                            TARN_FOREVER
 */
TARN_API tarn_status tarn_stream_synchronize(tarn_stream stream, uint64_t timeout_ns);

/**
 * Queries a stream without waiting.
 *
 * @param stream the stream
 * @retval TARN_OK            all work enqueued so far is done
 * @retval TARN_NOT_READY     some is not; no error text is recorded
 * @retval TARN_BAD_HANDLE    not a live stream
 * @retval TARN_DEVICE_FAILED work of the stream failed
 */
TARN_API tarn_status tarn_stream_query(tarn_stream stream);

/** Flags of tarn_stream_wait(). */
enum {
    /** If work before the record failed, the failure becomes one of the waiting stream, at the place
     * of the call. The flag has no effect on a device where a failure ends the work of all streams,
     * and for a record of another process. */
    TARN_STREAM_FOLLOW = 1u << 0
};

/**
 * Makes work that is enqueued from now on wait for the latest record of an event. An event that was
 * never recorded does not delay it.
 *
 * @param stream the stream that waits
 * @param event  an event, recorded on any stream of the platform
 * @param flags  0 or TARN_STREAM_FOLLOW
 * @retval TARN_BAD_HANDLE    not a live stream or event
 * @retval TARN_BAD_ARGUMENT  they are of different platforms, or flags are unknown
 * @retval TARN_DEVICE_FAILED work of the stream failed
 */
TARN_API tarn_status tarn_stream_wait(tarn_stream stream, tarn_event event, uint32_t flags);

/**
 * Enqueues a host function: fn(arg) runs in stream order, on a thread of the library or of a caller
 * that waits.
 *
 * The function must not wait for work of its platform. Calls that would wait (to synchronise, to
 * unmap, to destroy a busy stream, to free or export memory, to trim, reset or destroy a pool)
 * return TARN_BUSY there and change nothing. It may enqueue work, map, and query. A function that
 * blocks occupies a thread: if every worker of `host` runs such a function, all other host
 * functions are delayed.
 *
 * @param stream the stream
 * @param fn     the function
 * @param arg    its argument
 * @retval TARN_BAD_ARGUMENT   fn is NULL
 * @retval TARN_BAD_HANDLE     not a live stream
 * @retval TARN_DEVICE_FAILED  work of the stream failed
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 */
TARN_API tarn_status tarn_stream_call(tarn_stream stream, void (*fn)(void *), void *arg);

/**
 * Creates an event that is not recorded yet.
 *
 * @param device its device
 * @param event  receives the event
 * @retval TARN_BAD_ARGUMENT   device or event is NULL
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_NO_HANDLES     no handles are left
 */
TARN_API tarn_status tarn_event_create(tarn_device *device, tarn_event *event);

/**
 * Destroys an event. Work that waits for its record is not affected.
 *
 * @param event the event; 0 does nothing
 * @retval TARN_BAD_HANDLE not a live event
 */
TARN_API tarn_status tarn_event_destroy(tarn_event event);

/**
 * Records the current end of a stream in an event. A later record replaces it.
 *
 * @param event  the event
 * @param stream the stream
 * @retval TARN_BAD_HANDLE    not a live event or stream
 * @retval TARN_BAD_ARGUMENT  they are of different platforms
 * @retval TARN_DEVICE_FAILED work of the stream failed
 */
TARN_API tarn_status tarn_event_record(tarn_event event, tarn_stream stream);

/**
 * Queries an event without waiting.
 *
 * @param event the event
 * @retval TARN_OK            the recorded point has passed, or none was recorded
 * @retval TARN_NOT_READY     it has not passed; no error text is recorded
 * @retval TARN_BAD_HANDLE    not a live event
 * @retval TARN_DEVICE_FAILED work before the point failed
 */
TARN_API tarn_status tarn_event_query(tarn_event event);

/**
 * Waits for the recorded point.
 *
 * @param event      the event
 * @param timeout_ns the limit; 0 does not wait, TARN_FOREVER has no limit
 * @retval TARN_TIMED_OUT     the point has not passed
 * @retval TARN_BAD_HANDLE    not a live event
 * @retval TARN_DEVICE_FAILED work before the point failed
 * @retval TARN_BUSY          the call is made inside a host function that it would wait for
 * @retval TARN_UNSUPPORTED   the device cannot wait with a deadline, and timeout_ns is not
 *                            TARN_FOREVER
 */
TARN_API tarn_status tarn_event_synchronize(tarn_event event, uint64_t timeout_ns);

/**
 * Measures the time between two recorded points.
 *
 * @param start      an event
 * @param end        an event of the same platform
 * @param elapsed_ns receives the time from start to end
 * @retval TARN_BAD_ARGUMENT elapsed_ns is NULL, an event was never recorded, or they are of
 *                           different platforms
 * @retval TARN_BAD_HANDLE   not a live event
 * @retval TARN_NOT_READY    one of them has not passed
 */
TARN_API tarn_status tarn_event_elapsed(tarn_event start, tarn_event end, int64_t *elapsed_ns);

#ifdef __cplusplus
}
#endif
#endif
