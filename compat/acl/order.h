// SPDX-License-Identifier: Apache-2.0
// Finds the stream for a call by the handle that a program passes, and waits with a limit. Any
// thread may call these functions.
#pragma once

#include "compat/acl/context.h"

// A stream for work, held from tn_acl_order_get() to tn_acl_order_put().
struct tn_acl_order {
    struct tn_face_device *device;
    tarn_stream stream;           // of the queue
    struct tn_acl_queue *queue;   // of a stream, or `context`
    struct tn_acl_queue *context; // NULL: not held
};

// NULL means the default stream of the current context, and so does the name of that context. Returns 107002 if there is no current
// context, 107003 if the stream belongs to another one, 107000 if `stream` is not a stream.
aclError tn_acl_order_get(aclrtStream stream, struct tn_acl_order *order);

// Drops an order, or does nothing if its context is NULL.
void tn_acl_order_put(struct tn_acl_order *order);

// A declaration: finds the order of a stream and holds it until the end of the block. Returns from
// an internal function with the error of tn_acl_order_get().
#define TN_ACL_ORDER(order, handle)                                                                \
    __attribute__((cleanup(tn_acl_order_put))) struct tn_acl_order order = {.context = NULL};      \
    TN_ACL_TRY(tn_acl_order_get(handle, &order))

// Converts the status of a query of the stream, or of a wait for it. A task that failed has left
// its own code, which is reported once, as the failure is. A stream that stopped with another one
// has failed too.
aclError tn_acl_order_result(const struct tn_acl_order *order, tarn_status status);

// Returns 107003 if the stream exists and does not belong to the current context. All other
// mistakes are left to tn_acl_order_get().
aclError tn_acl_order_check_context(aclrtStream stream);

// Returns 107000 unless `ms` is -1, for no limit, or more.
aclError tn_acl_wait_check(int32_t ms);

// Converts a limit to Tarn's unit.
uint64_t tn_acl_wait_limit(int32_t ms);

// Converts the status of a wait. `expired` is the code if the limit of `ms` expired.
aclError tn_acl_wait_result(tarn_status status, int32_t ms, aclError expired);
