// SPDX-License-Identifier: Apache-2.0
// Contexts: a device and its default stream, current for a thread. Each device has a default
// context, counted by aclrtSetDevice() and aclrtResetDevice(); programs may create more.
#ifndef TARN_COMPAT_ACL_CONTEXT_H
#define TARN_COMPAT_ACL_CONTEXT_H

#include "compat/acl/face.h"
#include "compat/face/handle.h"

struct tn_acl_context {
    struct tn_face_object object; // first
    struct tn_acl_device *device;
    tarn_stream stream; // the default stream
};

// The calling thread's current context, with one more reference; *context is NULL on failure.
// 107002: it has none, or it was destroyed.
aclError tn_acl_context_get(struct tn_acl_context **context);
void tn_acl_context_put(struct tn_acl_context *context);

// A stream for work, held until tn_acl_order_put(). NULL means the default stream of the current
// context. 107002: no current context; 107003: the stream is of another one; 107000: no stream.
struct tn_acl_order {
    struct tn_acl_device *device;
    tarn_stream stream;
    struct tn_acl_context *context;
    struct tn_face_object *object; // of a stream that was created; else NULL
};
aclError tn_acl_order_get(aclrtStream stream, struct tn_acl_order *order);
void tn_acl_order_put(struct tn_acl_order *order);

#endif
