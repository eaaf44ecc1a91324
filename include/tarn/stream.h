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
 * Destroys a stream for a library whose own function does not promise to wait. It does what
 * tarn_stream_destroy() does, except that tools are not notified of a wait: the memory checker does not
 * conclude that the program knows the work of the stream to be done.
 *
 * @param stream the stream; TARN_STREAM_NONE does nothing
 * @return as tarn_stream_destroy()
 */
TARN_API tarn_status tarn_stream_retire(tarn_stream stream);

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

/**
 * Queries a stream for a library, on whose answer the program does not rely. Tools are not notified: the
 * memory checker does not conclude that the program knows the work to be done. A device that holds
 * work back (`schedule=late` and `random` of `host`) continues to hold it back, and a failure that a
 * resilient stream reports once is not reported here.
 *
 * @param stream the stream
 * @return as tarn_stream_query()
 */
TARN_API tarn_status tarn_stream_peek(tarn_stream stream);

/**
 * Makes work that is enqueued from now on wait for the latest record of an event. An event that was
 * never recorded does not delay it.
 *
 * @param stream the stream that waits
 * @param event  an event, recorded on any stream of the platform
 * @retval TARN_BAD_HANDLE    not a live stream or event
 * @retval TARN_BAD_ARGUMENT  they are of different platforms
 * @retval TARN_DEVICE_FAILED work of the stream failed
 */
TARN_API tarn_status tarn_stream_wait(tarn_stream stream, tarn_event event);

/**
 * The same as tarn_stream_wait(), but a failure also passes on: if work before the record failed,
 * the failure becomes one of the waiting stream, at the place of this call. On a device where a
 * failure ends the work of all streams anyway the two calls are the same. So are they for a record
 * of another process.
 *
 * @param stream the stream that waits
 * @param event  an event, recorded on any stream of the platform
 * @retval TARN_BAD_HANDLE    not a live stream or event
 * @retval TARN_BAD_ARGUMENT  they are of different platforms
 * @retval TARN_DEVICE_FAILED work of the stream failed
 */
TARN_API tarn_status tarn_stream_follow(tarn_stream stream, tarn_event event);

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
 * Enqueues a function in parts: fn(arg, part) runs once for each part from 0 to parts - 1, in
 * stream order. Work behind it begins when all parts have ended.
 *
 * Parts are begun in the order of their numbers. As many run at the same time as threads of the
 * library have nothing else to do, at least one, so a part must not wait for another part. What a
 * part may call is as in tarn_stream_call(). tarn_stream_abort() drops all parts or none: parts
 * that have not begun run if one of them has. If a part calls fork(), the child runs no further
 * parts.
 *
 * @param stream the stream
 * @param fn     the function
 * @param arg    its first argument
 * @param parts  the number of parts
 * @retval TARN_BAD_ARGUMENT   fn is NULL, or parts is 0
 * @retval TARN_BAD_HANDLE     not a live stream
 * @retval TARN_DEVICE_FAILED  work of the stream failed
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_UNSUPPORTED    the device cannot; `host` can, and `sim`, one part after another
 */
TARN_API tarn_status tarn_stream_run(tarn_stream stream, void (*fn)(void *arg, uint64_t part),
                                     void *arg, uint64_t parts);

/**
 * Enqueues a condition: work that is enqueued behind it begins once passed(arg) has returned
 * TARN_OK. The stream occupies no thread while it waits, so any number of streams may.
 *
 * The function is called in stream order, on a thread of the library, and again while it returns
 * TARN_NOT_READY: at intervals of 20 microseconds that grow to one millisecond. Any other status is
 * a sticky error of the stream, described by the last-error text of the call. If an earlier failure
 * has stopped the stream, the function is called once with `dropped` set, and its status is
 * ignored. So each condition is called a last time, which may free `arg`. The function must not
 * block; what it may call is as in tarn_stream_call().
 *
 * @param stream the stream
 * @param passed the condition
 * @param arg    its argument
 * @retval TARN_BAD_ARGUMENT   passed is NULL
 * @retval TARN_BAD_HANDLE     not a live stream
 * @retval TARN_DEVICE_FAILED  work of the stream failed
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_UNSUPPORTED    the device lacks TARN_FEATURE_CONDITIONS
 */
TARN_API tarn_status tarn_stream_wait_until(tarn_stream stream,
                                            tarn_status (*passed)(void *arg, bool dropped),
                                            void *arg);

/**
 * Drops the work of a stream that has not begun. Work that runs ends normally. Threads that wait
 * for the stream return, and the stream takes new work.
 *
 * Host functions that are dropped are not called; conditions are called with `dropped` set. Events
 * whose record is dropped count as passed. Does not wait. Work that another thread submits during
 * the call is dropped, or not.
 *
 * @param stream the stream
 * @retval TARN_BAD_HANDLE    not a live stream
 * @retval TARN_DEVICE_FAILED work of the stream failed, so it has none to drop
 * @retval TARN_UNSUPPORTED   the device cannot; only `host` can
 */
TARN_API tarn_status tarn_stream_abort(tarn_stream stream);

/**
 * Makes a stream fail, for work that is done by a host function and finds an error: a sticky error,
 * described by `text` in the last-error text of later calls. Work that has not begun is dropped, as
 * behind every failure; work that runs ends normally. Does not wait.
 *
 * @param stream the stream
 * @param text   the description, cut to 319 bytes
 * @retval TARN_BAD_ARGUMENT  text is NULL
 * @retval TARN_BAD_HANDLE    not a live stream
 * @retval TARN_DEVICE_FAILED work of the stream failed before
 * @retval TARN_UNSUPPORTED   the device cannot; only `host` can
 */
TARN_API tarn_status tarn_stream_fail(tarn_stream stream, const char *text);

/**
 * Selects what a failure does while work of the stream runs. A new stream is not resilient: the
 * failure is sticky. A resilient stream runs the work behind it, and the next query of the stream
 * or wait for it returns TARN_DEVICE_FAILED, once.
 *
 * @param stream    the stream
 * @param resilient true: a failure is not sticky
 * @retval TARN_BAD_HANDLE  not a live stream
 * @retval TARN_UNSUPPORTED the device cannot; only `host` can
 */
TARN_API tarn_status tarn_stream_set_resilient(tarn_stream stream, bool resilient);

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
 * Creates an event that other processes can import: work on any of their devices can wait for it.
 * It has no time (tarn_event_elapsed()) for records of other processes.
 *
 * @param device its device
 * @param event  receives the event
 * @retval TARN_BAD_ARGUMENT   device or event is NULL
 * @retval TARN_UNSUPPORTED    the device lacks TARN_FEATURE_CONDITIONS
 * @retval TARN_NO_HOST_MEMORY no memory for the record, or for the page that processes share
 * @retval TARN_NO_HANDLES     no handles or descriptors are left; the event keeps one descriptor
 * @retval TARN_SYSTEM         the system refused the page
 */
TARN_API tarn_status tarn_event_create_shared(tarn_device *device, tarn_event *event);

/**
 * A key to a shared event: text that may travel by any means to another process of the same user on
 * the same machine, padded with at least one zero. It is valid until the event is destroyed or its
 * process ends.
 */
typedef struct tarn_event_key {
    unsigned char bytes[64]; /**< the text */
} tarn_event_key;

/**
 * Makes a key to a shared event. Every export of the same event returns the same key.
 *
 * @param event an event of tarn_event_create_shared()
 * @param key   receives the key
 * @retval TARN_BAD_ARGUMENT key is NULL, or the event is not shared, or was imported
 * @retval TARN_BAD_HANDLE   not a live event
 */
TARN_API tarn_status tarn_event_export(tarn_event event, tarn_event_key *key);

/**
 * Makes an event of a key of another process. From then on both have the same records: each may
 * record the event, and a wait, query or synchronisation means the latest record of any process.
 *
 * The event outlives its exporter: a record that has passed stays passed. A record that has not
 * passed when its process ends never does; waiting for it is TARN_DEVICE_FAILED, sticky for a
 * stream. If work before a record fails, streams of other processes continue, as they do within a
 * process. Up to 496 records of an event may be pending; one more is TARN_NO_HANDLES.
 *
 * @param device its device
 * @param key    the key
 * @param event  receives the event, which the caller destroys
 * @retval TARN_BAD_ARGUMENT   an argument is NULL, or the event is of this process
 * @retval TARN_BAD_HANDLE     not a key; the event is destroyed, its exporter has ended, or this
 *                             process may not open it
 * @retval TARN_UNSUPPORTED    the device lacks TARN_FEATURE_CONDITIONS
 * @retval TARN_NO_HOST_MEMORY no memory for the record
 * @retval TARN_NO_HANDLES     no handles or descriptors are left
 * @retval TARN_SYSTEM         the system refused the page
 */
TARN_API tarn_status tarn_event_import(tarn_device *device, const tarn_event_key *key,
                                       tarn_event *event);

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
 * Queries an event for a library, as tarn_stream_peek() queries a stream.
 *
 * @param event the event
 * @return as tarn_event_query()
 */
TARN_API tarn_status tarn_event_peek(tarn_event event);

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
