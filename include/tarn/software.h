/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/software.h
 * Functions of the software devices, which every GPU and NPU refuses: streams that fail or drop work
 * by a call, conditions, events between processes, descriptors of memory, machines, and arrays
 * (tarn/array.h).
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 */
#ifndef TARN_SOFTWARE_H
#define TARN_SOFTWARE_H

#include <tarn/array.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- streams */

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

/* ---- events that processes share */

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
 * Makes a key to a shared event. Every export of the same event returns the same key.
 *
 * @param event an event of tarn_event_create_shared()
 * @param key   receives the key
 * @retval TARN_BAD_ARGUMENT key is NULL, or the event is not shared, or was imported
 * @retval TARN_BAD_HANDLE   not a live event
 */
TARN_API tarn_status tarn_event_export(tarn_event event, tarn_key *key);

/**
 * Opens another process's shared event by its key. From then on both processes have the same
 * records: each may record the event, and a wait, query or synchronisation means the latest record
 * of any process.
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
TARN_API tarn_status tarn_event_import(tarn_device *device, const tarn_key *key, tarn_event *event);

/* ---- descriptors of memory */

/**
 * Makes a descriptor of plain memory, or of the memory of a mapping, that other processes can map.
 * It works for any such memory; tarn_phys_export() works for memory that was created to be shared.
 *
 * The bytes begin at offset 0 of the descriptor. If a mapping is of a part of its memory, the
 * descriptor is of all of it. Nothing else that is allocated is in it, but bytes that the program
 * never wrote may be those of memory that it has freed. Writes are visible on all sides. The memory
 * lives until the descriptor and its mappings are closed, even after it is freed here.
 * tarn_phys_import() accepts the descriptor. Lists of processes do not bind its holder.
 *
 * Unless the memory was created to be shared, or is imported, the call waits for all work of the
 * platform's devices, because the bytes may move to a file of their own; the addresses stay. No CPU
 * thread may write to the memory during that call.
 *
 * @param addr the start of plain memory, as returned by tarn_memory_alloc(), or of a mapping
 * @param fd   receives the descriptor, which the caller closes
 * @retval TARN_BAD_ARGUMENT   fd is NULL
 * @retval TARN_BAD_ADDRESS    addr is not the start of such memory or of a mapping, the plain memory
 *                             is imported, or a pool owns it
 * @retval TARN_NOT_MAPPED     nothing is mapped at addr, which is in a reservation
 * @retval TARN_UNSUPPORTED    the device cannot; only `host` can
 * @retval TARN_NO_HANDLES     no descriptors are left; `host` keeps one for each exported block
 * @retval TARN_NO_MAPPINGS    the kernel's budget of mappings is exhausted
 * @retval TARN_NO_HOST_MEMORY out of memory
 * @retval TARN_BUSY           the call is made inside a host function of the platform and must wait
 * @retval TARN_SYSTEM         the system refused the file
 */
TARN_API tarn_status tarn_memory_export_fd(tarn_addr addr, int *fd);

/* ---- machines: processes that share devices */

/** What one platform of a process holds of one device of a machine. */
typedef struct tarn_machine_use {
    int32_t pid;       /**< the process, as itself sees its pid */
    int32_t device;    /**< ordinal of the device */
    uint64_t bytes;    /**< that it holds */
    uint64_t capacity; /**< of the device, in bytes */
    char program[32];  /**< short name of its program */
} tarn_machine_use;

/**
 * Lists what the living processes of a machine hold of its devices. A process with several platforms
 * has an entry for each of them. The calling process need not be in the machine.
 *
 * @param name  the machine; NULL means that of this process's environment
 * @param uses  receives the entries; may be NULL if *count is 0
 * @param count the number of entries that there is room for; receives the number of all entries
 * @retval TARN_BAD_ARGUMENT   count is NULL, or uses is NULL and *count is not 0
 * @retval TARN_BAD_CONFIG     no machine can have that name, or name is NULL and the environment names
 *                             none, or the machine is of another release of Tarn
 * @retval TARN_BAD_DEVICE     no process of this user is in the machine
 * @retval TARN_NO_HANDLES     no descriptors are left
 * @retval TARN_NO_HOST_MEMORY out of memory
 * @retval TARN_SYSTEM         the system refused to open the machine
 */
TARN_API tarn_status tarn_machine_query(const char *name, tarn_machine_use *uses, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
