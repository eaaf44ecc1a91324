// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the files of the stand-in, besides standin.h.
#pragma once

#include "compat/face/fork.h"
#include "standin/cuda/standin.h"

bool standin_is_stub(void);

// The order of the locks around fork().
enum { STANDIN_FORK_STATE, STANDIN_FORK_CONTEXT, STANDIN_FORK_STREAM, STANDIN_FORK_POOL };

// ---- streams

// A host function in a stream. After a failure none is called, so the stream owns them.
struct standin_call {
    struct standin_call *next;
    struct standin_stream *stream;
    void (*fn)(void *);
    void *arg;
    bool of_driver; // ours, not the program's
};

struct standin_stream {
    struct tn_face_object object;
    struct standin_context *context; // kept
    tarn_stream tarn;
    tarn_event tail;             // of what the NULL stream has to wait for, or others for it
    bool blocking;               // waits for the NULL stream, and it for this one
    bool null;                   // is the NULL stream of its context
    struct standin_stream *next; // of the context
    struct standin_call *calls;  // under the lock of stream.c
};

// Finds the stream of a handle and adds a reference. NULL is the legacy stream of `context`.
// INVALID_HANDLE.
tn_cu_result standin_stream_get(struct standin_context *context, tn_cu_stream handle,
                                struct standin_stream **stream);
void standin_stream_put(struct standin_stream *stream);

// The same for work that only streams of the current context accept. It also orders the stream and
// the NULL stream.
tn_cu_result standin_stream_begin(struct standin_context *context, tn_cu_stream handle,
                                  struct standin_stream **stream);
tn_cu_result standin_stream_line_up(struct standin_stream *stream);

// Calls fn(arg) in the order of the stream.
tn_cu_result standin_stream_call(struct standin_stream *stream, void (*fn)(void *), void *arg,
                                 bool of_driver);

// Waits for all work of a context. A fault of any stream makes the context unusable.
tn_cu_result standin_streams_wait(struct standin_context *context);

// Destroys the streams of a context after its last release.
void standin_streams_end(struct standin_context *context);

// ---- memory

// Frees the remaining plain memory of a device when its context is destroyed.
void standin_memory_end(struct standin_device *device);

// ---- memory of pools

// Frees memory of a pool after all work. Returns false if it is not of a pool.
bool standin_pool_free(tn_cu_address address);
