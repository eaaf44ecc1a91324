// SPDX-License-Identifier: Apache-2.0
// Streams that programs create. A stream belongs to the context that was current when it was
// created, and ends with it. order.h finds the stream of a call.
#pragma once

#include "compat/acl/context.h"

struct tn_acl_stream {
    struct tn_acl_queue queue;          // first
    _Atomic(uintptr_t) allocator;       // by name: its registration, or 0
    _Atomic(bool) hurry;                // aclrtDestroyStreamForce() destroyed it
    struct tn_acl_stream *next_retired; // guarded by the list's lock
};

// Checks a stream that was found by its handle, or NULL. 107000 if there is none, 107003 if it
// belongs to another context.
aclError tn_acl_stream_check(const struct tn_acl_stream *found, aclrtStream handle,
                             uintptr_t context);

// Ends the streams of a context whose name is closed already, after their work.
void tn_acl_streams_end(uintptr_t context);

// Destroys the retired streams whose work is done.
void tn_acl_streams_sweep(void);
