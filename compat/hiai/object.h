// SPDX-License-Identifier: Apache-2.0
// Managed messages, which their last user destroys. They are looked up by their address, because
// engines pass on nothing else. A message that is not managed belongs to the program. One lock is
// held during a look-up; messages are destroyed without it.
#ifndef TARN_COMPAT_HIAI_OBJECT_H
#define TARN_COMPAT_HIAI_OBJECT_H

#include <hiaiengine/hiaix_hooks.h>

#include "compat/hiai/face.h"

// Manages a new message for the caller, who gets one reference. If the thread that made the message
// has just called HIAIX_Adopt(), the caller gets that reference. If the message is managed for
// another reason, the caller gets one more. Returns false if out of memory.
bool tn_hiai_object_manage(void *msg, HIAIX_DestroyT destroy, void *arg);

// Adds a reference. Returns false if the message is not managed.
bool tn_hiai_object_ref(void *msg);

// The owner of a managed message is its address.
extern const struct HIAIX_OwnerOps tn_hiai_object_ops;

// Makes *copy share the message: with a copy of its owner, with a reference if it is managed, else
// without an owner. Returns false if out of memory.
bool tn_hiai_share(const struct HIAIX_Message *message, struct HIAIX_Message *copy);
// Ends a share.
void tn_hiai_unshare(struct HIAIX_Message *message);

// Drops a reference. Returns false if the message is not managed.
bool tn_hiai_object_unref(void *msg);

#endif
