/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/stream.h - order: streams of work, and events in them.
 *
 * Work of one stream runs in the order given, beside the caller and beside other streams. An error
 * while work runs is sticky: the stream runs nothing further, and every later call on it returns
 * DEVICE_FAULT until it is destroyed. The last-error text says what failed. Streams and events are
 * numbers with a generation: a stale one is BAD_HANDLE.
 */
#ifndef TARN_STREAM_H
#define TARN_STREAM_H

#include <tarn/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stream. 0 is no stream: calls that take one then work synchronously with the caller. */
typedef uint64_t tarn_stream;
#define TARN_STREAM_NONE ((tarn_stream)0)

/* A point in a stream. 0 is never valid. */
typedef uint64_t tarn_event;

/* Creates a stream on the device. BAD_ARGUMENT: NULL; NO_HOST_MEMORY; NO_HANDLES. */
TARN_API tarn_status tarn_stream_create(tarn_device *device, tarn_stream *stream);

/*
 * A stream over one that somebody else made with the vendor's own calls, such as a framework:
 * `native` is the handle as the vendor gives it (a CUstream, hipStream_t or aclrtStream), NULL the
 * vendor's default stream. Its work is what both sides give it. The vendor's stream stays its
 * maker's, who keeps it alive until tarn_stream_destroy(), which waits for its work and does not
 * destroy it. Each call makes a new stream. On `host` and `sim`, where nobody else makes streams,
 * `native` is a mere name, and the stream one of its own. BAD_ARGUMENT: device or stream NULL;
 * UNSUPPORTED: the backend has no such thing; BAD_HANDLE: the vendor says that it is no stream of
 * this device, as far as he can tell; NO_HOST_MEMORY; NO_HANDLES.
 */
TARN_API tarn_status tarn_stream_wrap(tarn_device *device, void *native, tarn_stream *stream);

/* Waits for the stream's work, then destroys it. 0 is fine. BAD_HANDLE. A sticky error does not
 * prevent it. */
TARN_API tarn_status tarn_stream_destroy(tarn_stream stream);

/* Waits for all work given so far. BAD_HANDLE, DEVICE_FAULT. */
TARN_API tarn_status tarn_stream_synchronize(tarn_stream stream);

/*
 * The same for at most `timeout_ns`; TARN_FOREVER: as long as it takes; 0: not at all. A thread
 * that waits may do work itself that nobody else can do, and be late by as much. TIMED_OUT: work
 * given before the call is not done, and goes on; BAD_HANDLE; DEVICE_FAULT; BUSY: inside a host
 * function that it would wait for; UNSUPPORTED: the device has no waits with a deadline.
 */
TARN_API tarn_status tarn_stream_synchronize_for(tarn_stream stream, uint64_t timeout_ns);

/* OK: all work given so far is done; NOT_READY (no error text); BAD_HANDLE; DEVICE_FAULT. */
TARN_API tarn_status tarn_stream_query(tarn_stream stream);

/*
 * Work given to `stream` from now on waits for the last record of `event` so far, on any stream of
 * the platform. An event never recorded does not hold it. BAD_HANDLE; BAD_ARGUMENT: different
 * platforms; DEVICE_FAULT.
 */
TARN_API tarn_status tarn_stream_wait(tarn_stream stream, tarn_event event);

/*
 * Runs fn(arg) in stream order, on a thread of the library or of a caller that waits. It must not
 * wait for work of its platform: calls that would, to synchronize, to unmap, to destroy a busy
 * stream, to free or export memory, to trim, reset or destroy a pool, are refused with BUSY there
 * and change nothing. It may give work, map, and ask. One that blocks keeps a thread busy: on
 * `host` as many of them as there are workers hold up all other host functions. BAD_ARGUMENT: fn
 * NULL; BAD_HANDLE; DEVICE_FAULT; NO_HOST_MEMORY.
 */
TARN_API tarn_status tarn_stream_call(tarn_stream stream, void (*fn)(void *), void *arg);

/* The device of a stream; borrowed, not opened. BAD_HANDLE. */
TARN_API tarn_status tarn_stream_query_device(tarn_stream stream, tarn_device **device);

/* Creates an event, not recorded yet. BAD_ARGUMENT, NO_HOST_MEMORY, NO_HANDLES. */
TARN_API tarn_status tarn_event_create(tarn_device *device, tarn_event *event);

/* Destroys an event; work that waits for its record is not affected. 0 is fine. BAD_HANDLE. */
TARN_API tarn_status tarn_event_destroy(tarn_event event);

/* Marks the current end of `stream`; a later record replaces it. BAD_HANDLE; BAD_ARGUMENT:
 * platforms; DEVICE_FAULT. */
TARN_API tarn_status tarn_event_record(tarn_event event, tarn_stream stream);

/* OK: the recorded point has passed, or none was recorded; NOT_READY; BAD_HANDLE; DEVICE_FAULT. */
TARN_API tarn_status tarn_event_query(tarn_event event);

/* Waits for the recorded point. BAD_HANDLE, DEVICE_FAULT. */
TARN_API tarn_status tarn_event_synchronize(tarn_event event);

/* The same for at most `timeout_ns`, with the statuses of tarn_stream_synchronize_for(). */
TARN_API tarn_status tarn_event_synchronize_for(tarn_event event, uint64_t timeout_ns);

/* Nanoseconds from one recorded point to another. NOT_READY: one has not passed; BAD_ARGUMENT:
 * never recorded. */
TARN_API tarn_status tarn_event_elapsed(tarn_event start, tarn_event end, int64_t *elapsed_ns);

#ifdef __cplusplus
}
#endif
#endif
