// SPDX-License-Identifier: Apache-2.0
// Tasks: work of this face in a stream. A task is a function and a copy of its closure. It runs in
// stream order, on a thread of Tarn, and must not wait. Any thread may enqueue.
#pragma once

#include "compat/acl/order.h"

// Runs a task. It is called again while it returns TARN_NOT_READY; work behind it waits. Any other
// failure is one of the stream. With `dropped` the stream has failed before, or a program dropped
// or stopped its work: the task then releases what its closure owns, and its status is ignored.
typedef tarn_status tn_acl_task(void *closure, bool dropped);

// Enqueues a task. 200000; 207000 if the platform has no tasks. The closure is not taken over then.
aclError tn_acl_task_enqueue(const struct tn_acl_order *order, tn_acl_task *run,
                             const void *closure, size_t bytes);

// Ends a task with TARN_DEVICE_FAILED. The program sees `error` when it waits for the stream, which
// must be alive.
tarn_status tn_acl_task_fail(struct tn_acl_queue *queue, aclError error);
