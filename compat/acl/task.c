// SPDX-License-Identifier: Apache-2.0
// See task.h. A record holds the closure. The last call of the task frees it.
#include "compat/acl/task.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/failure.h"

struct task {
    tn_acl_task *run;
    struct tn_acl_queue *queue;
    uint32_t stops; // of the queue, once it has begun
    bool begun;
    alignas(max_align_t) unsigned char closure[];
};

static tarn_status run_task(void *arg, bool dropped) {
    struct task *task = (struct task *)arg;
    if (!task->begun) {
        task->begun = true;
        task->stops = task->queue->stops;
    }
    bool stopped = task->stops != task->queue->stops;
    tarn_status status = task->run(task->closure, dropped || stopped);
    if (dropped || stopped || status != TARN_NOT_READY) free(task);
    return stopped ? TARN_OK : status;
}

aclError tn_acl_task_enqueue(const struct tn_acl_order *order, tn_acl_task *run,
                             const void *closure, size_t bytes) {
    struct task *task = (struct task *)malloc(sizeof *task + bytes);
    TN_ACL_REFUSE(task == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a task");
    task->run = run;
    task->queue = order->queue;
    task->begun = false;
    memcpy(task->closure, closure, bytes);
    aclError error = tn_acl_status(tarn_stream_wait_until(order->stream, run_task, task));
    if (error != ACL_SUCCESS) free(task);
    tn_acl_failure_watch(order->queue);
    return error;
}

tarn_status tn_acl_task_fail(struct tn_acl_queue *queue, aclError error) {
    atomic_store(&queue->failure, error);
    return TARN_DEVICE_FAILED;
}
