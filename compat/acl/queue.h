// SPDX-License-Identifier: Apache-2.0
// A queue of work with its properties: part of each stream that a program creates, and of each
// context, whose default stream it is. The properties are independent words, so any thread may read
// and write them without a lock.
#ifndef TARN_COMPAT_ACL_QUEUE_H
#define TARN_COMPAT_ACL_QUEUE_H

#include <stdatomic.h>

#include <acl/detail/limit.h>
#include <acl/detail/stream.h>

#include "compat/acl/face.h"

#define TN_ACL_PRIORITIES 8
#define TN_ACL_ATTRIBUTES (ACL_STREAM_ATTR_PRIORITY + 1)
#define TN_ACL_RESOURCES  (ACL_RT_DEV_RES_VECTOR_CORE + 1)
#define TN_ACL_NO_LIMIT   UINT32_MAX // the limit of the device applies

struct tn_acl_queue {
    tarn_stream tarn;
    uintptr_t context; // by name
    uint32_t flags;
    _Atomic(uint32_t) aborts;  // number of times that the work was dropped
    _Atomic(uint32_t) stops;   // number of times that the task at the head was stopped
    _Atomic(bool) calls;       // aclrtLaunchHostFunc() used it
    _Atomic(bool) stopped;     // by a failure of its context's work, for good
    _Atomic(aclError) failure; // of a task, reported in place of 507899; 0: none
    _Atomic(uint32_t) attributes[TN_ACL_ATTRIBUTES]; // by aclrtStreamAttr
    _Atomic(uint32_t) limits[TN_ACL_RESOURCES];      // by aclrtDevResLimitType
};

// Opens a queue on a device. Returns 207008 if Tarn cannot create a stream.
aclError tn_acl_queue_open(struct tn_acl_queue *queue, const struct tn_face_device *device,
                           uint32_t priority, uint32_t flags);

#endif
