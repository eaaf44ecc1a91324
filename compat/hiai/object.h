// SPDX-License-Identifier: Apache-2.0
// Managed messages, which their last user destroys. They are looked up by their address, because
// engines pass on nothing else. A message that is not managed belongs to the program. One lock is
// held during a look-up; messages are destroyed without it.
#ifndef TARN_COMPAT_HIAI_OBJECT_H
#define TARN_COMPAT_HIAI_OBJECT_H

#include "compat/hiai/face.h"

// Manages a new message for the caller, who gets one reference. If the thread that made the message
// has just called HIAIX_Adopt(), the caller gets that reference. If the message is managed for
// another reason, the caller gets one more. Returns false if out of memory.
bool tn_hiai_object_manage(void *msg, HIAIX_DestroyT destroy, void *arg);

// Adds a reference. Returns false if the message is not managed.
bool tn_hiai_object_ref(void *msg);

// Drops a reference. Returns false if the message is not managed.
bool tn_hiai_object_unref(void *msg);

#endif
