// SPDX-License-Identifier: Apache-2.0
// Contexts. Each thread has a stack of contexts, whose top chooses its current device. Each device
// has a primary context. The functions fail with INVALID_CONTEXT if a handle is not a context.
//
// With the policy `explicit_contexts` an empty stack means no context, and a primary context
// without users does not live. A context owns the streams, events, arrays and memory that were made
// while it was current, which end with it; pools and virtual memory belong to the process. At most
// 63 contexts live beside the primary ones.
//
// Otherwise an empty stack means the primary context of the current device, and a context names a
// device and owns nothing.
#pragma once

#include "compat/runtime/device/device.h"

// Makes a device current: replaces the calling thread's current context by the primary context of
// an existing device. With explicit contexts the primary one has a user from then on. Fails with
// OUT_OF_MEMORY without host memory.
tn_rt_error tn_rt_context_select(int device);

// With explicit contexts, the first function fails with INVALID_CONTEXT if the calling thread has
// no context, and with CONTEXT_DESTROYED if its context has ended. The second function selects the
// primary context of the current device if there is none or that one has ended, and fails with
// INVALID_CONTEXT if another one has ended.
tn_rt_error tn_rt_context_check(void);
tn_rt_error tn_rt_context_adopt(void);

// Makes a context of a device and pushes it. Fails with INVALID_VALUE if `flags` are not allowed,
// with INVALID_DEVICE if no device has the ordinal, and with OUT_OF_MEMORY also if the stack is
// full or too many contexts live.
tn_rt_error tn_rt_context_new(void *handle, unsigned flags, int device);

// Ends a context, and pops it if it is on top. Fails with INVALID_CONTEXT for a primary one, too.
tn_rt_error tn_rt_context_end(void *ctx);

// Add a user to the current context, and remove one: the last one ends a context, and a primary one
// is released. The first function fails with INVALID_VALUE if `flags` is not 0, and the second one
// with INVALID_CONTEXT if the context is not the current one.
tn_rt_error tn_rt_context_attach(void *handle, unsigned flags);
tn_rt_error tn_rt_context_detach(void *ctx);

// Push a context; pop the top one, whose handle is written unless `handle` is NULL; replace the top
// one by `ctx`, or only pop it if that is NULL.
tn_rt_error tn_rt_context_push(void *ctx);
tn_rt_error tn_rt_context_pop(void *handle);
tn_rt_error tn_rt_context_set(void *ctx);

// Returns the current context: the top of the stack; for an empty one NULL, or the primary context
// of the current device.
tn_rt_error tn_rt_context_current(void *handle);

// Return the flags and the device of the current context, and set its flags. The flags of a primary
// one are those of its device.
tn_rt_error tn_rt_context_flags(unsigned *flags);
tn_rt_error tn_rt_context_set_flags(unsigned flags);
tn_rt_error tn_rt_context_ordinal(int *device);

// Returns the device of a context.
tn_rt_error tn_rt_context_device(void *handle, int *device);

// Writes the version of the API of contexts, an int. `ctx` may be NULL. Fails with NOT_SUPPORTED in
// a release whose contexts have no version.
tn_rt_error tn_rt_context_version(void *ctx, void *version);

// Count the users of a primary context, which with explicit contexts is reset behind the last one.
// They fail with INVALID_DEVICE if no device has the ordinal. The second function fails with
// INVALID_CONTEXT if the context has no user. The third function makes the face a user, once, and
// again if the program has released that use too. The fourth ends the context until the next use,
// and resets the device.
tn_rt_error tn_rt_primary_retain(void *handle, int device);
tn_rt_error tn_rt_primary_release(int device);
tn_rt_error tn_rt_primary_adopt(int device);
tn_rt_error tn_rt_primary_reset(int device);

// The first function returns the flags of a primary context, and 1 in *active if it lives or,
// without explicit contexts, is that of the current device. Each output may be NULL. The second
// function sets the flags. Both fail with INVALID_DEVICE if no device has the ordinal.
tn_rt_error tn_rt_primary_state(int device, unsigned *flags, int *active);
tn_rt_error tn_rt_primary_set_flags(int device, unsigned flags);

// ---- reset.c

// Frees the memory, arrays, pools, captures and streams of a device, and forgets preferences.
// Events stay. Work that a failed stream has not run is dropped with the stream. With explicit
// contexts it ends what the primary one owns, and its access to peers. Fails with INVALID_DEVICE if
// no device has the ordinal.
tn_rt_error tn_rt_reset(int ordinal);

// Ends what an owner has: streams, events, arrays, memory of the device and of the host.
void tn_rt_owner_reset(unsigned owner);
