// SPDX-License-Identifier: Apache-2.0
// Streams. A stream is an object behind a handle, with two exceptions: the NULL stream of a device
// belongs to the process and is never freed, and each thread keeps its own per-thread stream.
//
// A `blocking` stream follows the legacy rule: work on the NULL stream waits for what was
// submitted earlier to the blocking streams of the device, and they wait for it. To wait only when
// there is pending work, each stream counts the work that was submitted to it and the work seen
// completed.
#pragma once

#include <stdatomic.h>

#include "compat/runtime/base/handle.h"
#include "compat/runtime/stream/capture.h"
#include "compat/runtime/stream/order.h"
#include "compat/runtime/stream/stream_call.h"

enum tn_rt_stream_role { TN_RT_STREAM_MADE, TN_RT_STREAM_NULL, TN_RT_STREAM_OF_THREAD };

struct tn_rt_call;

// Flags of streams, and the wait that a stream begins with.
enum { TN_RT_STREAM_BLOCKING, TN_RT_STREAM_NON_BLOCKING };
enum { TN_RT_WAITS_AUTO = 1, TN_RT_WAITS_BLOCKING = 4 };

struct tn_rt_stream {
    struct tn_face_object object; // not used by the NULL stream
    struct tn_face_device *device;
    enum tn_rt_stream_role role;
    bool blocking;
    unsigned flags;
    int priority;
    uint64_t id;        // unique in the process
    _Atomic(int) waits; // how the program wants to wait for it; stored and returned only
    uint32_t *cu_mask;  // the compute units that a program chose, or NULL
    uint32_t cu_mask_words;
    _Atomic(tarn_stream) tarn; // 0 while the NULL stream was not needed yet
    _Atomic(bool) gone;        // a per-thread stream that a reset has ended

    _Atomic(uint64_t) submitted;          // pieces of work
    _Atomic(uint64_t) completed;          // of those, seen completed; may lag behind
    _Atomic(uint64_t) waited_on_null;     // work of the NULL stream that this one already waits for
    _Atomic(uint64_t) waited_by_null;     // work of this one that the NULL stream already waits for
    _Atomic(tarn_event) tail;             // other streams wait for it; 0 until needed
    struct tn_rt_stream *next, *previous; // of the same device, under the list's lock

    struct tn_rt_call *calls;                // submitted and not begun; stream_call.c's lock
    _Atomic(struct tn_rt_failure *) failure; // never NULL once there is a tarn stream

    _Atomic(bool) capturing;
    struct tn_rt_place place; // in a capture, as the next: under tn_rt_plan_lock
    void *place_nodes;        // the last list of nodes that a program got; freed with the stream
};

// ---- stream_list.c

// The streams of a device except the NULL stream. Between lock and unlock no listed stream is
// destroyed, and the caller must not wait.
struct tn_rt_stream *tn_rt_streams_lock(const struct tn_face_device *device);
void tn_rt_streams_unlock(void);
void tn_rt_streams_insert(struct tn_rt_stream *stream);
void tn_rt_streams_remove(struct tn_rt_stream *stream);

// ---- stream.c

// Returns the stream of a handle and adds a reference. NULL, TN_RT_STREAM_LEGACY and
// TN_RT_STREAM_PER_THREAD mean those of the current device. The policy's `dead_handle`: any other
// value.
tn_rt_error tn_rt_stream_get(void *handle, struct tn_rt_stream **stream);
void tn_rt_stream_put(struct tn_rt_stream *stream);

// Stands before the declaration of a pointer to a stream, or NULL. The end of the block drops a
// reference to the stream.
#define TN_RT_STREAM_HELD __attribute__((cleanup(tn_rt_stream_scope_put)))
static inline void tn_rt_stream_scope_put(struct tn_rt_stream *const *stream) {
    if (*stream != NULL) tn_rt_stream_put(*stream);
}

// The same as TN_RT_GET() for a stream.
#define TN_RT_GET_STREAM(name, step)                                                               \
    TN_RT_STREAM_HELD struct tn_rt_stream *name = NULL;                                            \
    TN_RT_TRY(step)

// Makes a stream of the current device with a handle; `flags` are those above. Returns the error of
// Tarn, or TN_RT_OUT_OF_MEMORY.
tn_rt_error tn_rt_stream_new(unsigned flags, int priority, uintptr_t *handle);

// Makes a stream for a branch of a graph: it has no handle, does not block, and belongs to the
// caller, who drops its only reference with tn_rt_stream_put(). Errors as above.
tn_rt_error tn_rt_stream_new_branch(struct tn_face_device *device, struct tn_rt_stream **stream);

// Closes a handle; submitted work still completes. Fails with INVALID_HANDLE for a stream that the
// program did not create, and with the policy's `dead_handle` for any other value that is not a
// stream.
tn_rt_error tn_rt_stream_close(void *handle);

// Returns the NULL stream of a device. The second function makes it ready for work.
struct tn_rt_stream *tn_rt_null_stream(const struct tn_face_device *device);
tn_rt_error tn_rt_null_stream_open(struct tn_rt_stream *null);

// Destroys the NULL stream of a device and those of threads, whose work is complete. Their next use
// makes them again.
void tn_rt_streams_reset(const struct tn_face_device *device);

// ---- order.c

// Returns TN_RT_OK if nothing is pending, TN_RT_NOT_READY, or the stream's permanent failure. The
// program does not learn the answer. While a tool is subscribed, TN_RT_OK means that the program has
// waited for all work of the stream.
tn_rt_error tn_rt_stream_poll(struct tn_rt_stream *stream);

// The same for everything that precedes the next piece of work, by the legacy rule too.
tn_rt_error tn_rt_stream_poll_ordered(struct tn_rt_stream *stream);

// Query the stream for the program, or wait for it. The NULL stream includes the blocking streams of its device.
tn_rt_error tn_rt_stream_query(struct tn_rt_stream *stream);
tn_rt_error tn_rt_stream_wait(struct tn_rt_stream *stream);

// Makes the next piece of work wait for the work that precedes it by the legacy rule. Fails if the
// stream, or one that it waits for, has failed.
tn_rt_error tn_rt_stream_order_next(struct tn_rt_stream *stream);

// Counts a piece of work that was submitted.
void tn_rt_stream_submitted(struct tn_rt_stream *stream);

// Counts an allocation or free in the order of the stream. It enqueues nothing, so nothing waits for
// it unless a tool is subscribed, which judges whether work on other streams comes after it.
void tn_rt_stream_marked(struct tn_rt_stream *stream);

// ---- stream_attribute.c: streams as programs make and query them

// Decides CONTEXT_DESTROYED unless `handle` is that of a stream.
tn_rt_error tn_rt_stream_check(void *handle);

// Make a stream of the current device and write its handle. A priority is brought into its limits.
// The second function makes one for some compute units only, and the third one returns the mask of
// a stream; a mask of zeros means all units. They fail with INVALID_VALUE if there is no mask, or
// no room for it.
tn_rt_error tn_rt_stream_make(void *handle, unsigned flags, int priority);
tn_rt_error tn_rt_stream_make_masked(void *handle, uint32_t words, const uint32_t *mask);
tn_rt_error tn_rt_stream_mask(void *handle, uint32_t words, uint32_t *mask);

// Returns both limits, each of which may be NULL.
tn_rt_error tn_rt_stream_priorities(int *lowest, int *highest);

// Return a property and the number of a stream.
tn_rt_error tn_rt_stream_flags(void *handle, unsigned *flags);
tn_rt_error tn_rt_stream_priority(void *handle, int *priority);
tn_rt_error tn_rt_stream_device(void *handle, int *device);
tn_rt_error tn_rt_stream_id(void *handle, unsigned long long *id);

// Set, return and copy attributes, an int each: how a program waits, and the priority, which is
// read-only. All fail with INVALID_HANDLE if the handle is not a stream, and the first two with
// INVALID_VALUE if the attribute is another one.
enum { TN_RT_ATTRIBUTE_WAITS = 3, TN_RT_ATTRIBUTE_PRIORITY = 8 };
tn_rt_error tn_rt_stream_set_attribute(void *handle, int attribute, const void *value);
tn_rt_error tn_rt_stream_get_attribute(void *handle, int attribute, void *value);
tn_rt_error tn_rt_stream_copy_attributes(void *dst, void *src);
