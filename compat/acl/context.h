// SPDX-License-Identifier: Apache-2.0
// Contexts. A context is a device and its default stream, a queue, and is current for a thread.
// Each device has a default context, which aclrtSetDevice() and aclrtResetDevice() count; programs
// may create more. A context is counted, so that it outlives its name while a call uses it.
#pragma once

#include "compat/acl/queue.h"

// Creates a context and returns its name in *handle. 200000; 207008.
aclError tn_acl_context_new(struct tn_face_device *device, uintptr_t *handle);

// Makes an existing context the calling thread's current one.
void tn_acl_context_set(uintptr_t handle);

// Returns the calling thread's current context with one more reference, or NULL in *context. 107002
// if the thread has none, or if it was destroyed.
aclError tn_acl_context_get(struct tn_acl_queue **context);

// Returns the device of the calling thread's current context. `device` may be NULL. 107002.
aclError tn_acl_current_device(struct tn_face_device **device);

// Returns the name of the calling thread's current context, or 0 if it has none.
uintptr_t tn_acl_current_context(void);
