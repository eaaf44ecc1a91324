// SPDX-License-Identifier: Apache-2.0
// A queue of work with its properties: a context, whose default stream it is, or a part of a stream
// that a program created. The properties are independent words, so any thread may read and write
// them without a lock.
#pragma once

#include <stdatomic.h>

#include <acl/detail/limit.h>
#include <acl/detail/stream.h>

#include "compat/acl/face.h"
#include "compat/face/handle.h"

#define TN_ACL_PRIORITIES 8
#define TN_ACL_ATTRIBUTES (ACL_STREAM_ATTR_PRIORITY + 1)
#define TN_ACL_RESOURCES  (ACL_RT_DEV_RES_VECTOR_CORE + 1)
#define TN_ACL_NO_LIMIT   UINT32_MAX // the limit of the device applies

struct tn_acl_queue {
    struct tn_face_object object; // first
    struct tn_face_device *device;
    tarn_stream tarn;
    uintptr_t context; // by name: its own name, if it is a context
    uint32_t flags;
    _Atomic(uint32_t) aborts;  // number of times that the work was dropped
    _Atomic(uint32_t) stops;   // number of times that the task at the head was stopped
    _Atomic(bool) calls;       // aclrtLaunchHostFunc() used it
    _Atomic(bool) stopped;     // by a failure of its context's work, for good
    _Atomic(aclError) failure; // of a task, reported in place of 507899; 0: none
    _Atomic(uint32_t) attributes[TN_ACL_ATTRIBUTES]; // by aclrtStreamAttr
    _Atomic(uint32_t) limits[TN_ACL_RESOURCES];      // by aclrtDevResLimitType
};

// Makes a queue with a handle, with the device, the context and the flags of `like`: a context, or
// the first `bytes` of a stream, by its kind. Adds a reference. 200000; 207008.
aclError tn_acl_queue_new(int kind, size_t bytes, void (*destroy)(struct tn_face_object *object),
                          const struct tn_acl_queue *like, uint32_t priority,
                          struct tn_acl_queue **queue);

// Calls visit(queue, arg) for all streams, then for all contexts, until it fails. Returns its
// status.
typedef tarn_status tn_acl_queue_visit(struct tn_acl_queue *queue, const void *arg);
tarn_status tn_acl_queue_walk(tn_acl_queue_visit *visit, const void *arg);
