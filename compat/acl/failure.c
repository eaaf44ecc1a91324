// SPDX-License-Identifier: Apache-2.0
// See failure.h. A stream in mode 1 has a condition behind each piece of work. Tarn drops the
// condition if the work has failed, and the dropped condition stops the other streams. The file has
// no state.
#include "compat/acl/failure.h"

#include <stdlib.h>

#include "compat/face/fidelity.h"
// The failure mode in which a failure stops the stream; the other one is 0.
#define STOP 1u

aclError tn_acl_failure_mode(struct tn_acl_queue *queue, uint64_t mode) {
    uint32_t before = queue->attributes[ACL_STREAM_ATTR_FAILURE_MODE];
    if ((mode & STOP) == before) return ACL_SUCCESS;
    TN_ACL_UNSUPPORTED(before == STOP,
                       "the stream stops at failures already, and cannot return to mode 0");
    tarn_status status = tarn_stream_set_resilient(queue->tarn, false);
    if (status != TARN_UNSUPPORTED) // else it stops anyway
        TN_ACL_TRY(tn_acl_status(status));
    queue->attributes[ACL_STREAM_ATTR_FAILURE_MODE] = STOP;
    return ACL_SUCCESS;
}

// ---- stopping the other streams of a context

// A condition that fails as the stream `arg` has failed, with the same text.
static tarn_status repeat_failure(void *arg, bool dropped) {
    return dropped ? TARN_OK : tarn_stream_peek((tarn_stream)(uintptr_t)arg);
}

// Drops the work of a queue of the context and makes it refuse more. A queue stops once.
static tarn_status stop_queue(struct tn_acl_queue *queue, const void *arg) {
    const struct tn_acl_queue *failed = (const struct tn_acl_queue *)arg;
    if (queue->context == failed->context && !atomic_exchange(&queue->stopped, true)) {
        (void)tarn_stream_set_resilient(queue->tarn, false);
        (void)tarn_stream_abort(queue->tarn);
        (void)tarn_stream_wait_until(queue->tarn, repeat_failure, (void *)(uintptr_t)failed->tarn);
    }
    return TARN_OK;
}

static void stop_context(struct tn_acl_queue *failed) {
    TN_FACE_DIFFERS(failure_stops, true);
    failed->stopped = true;
    (void)tn_acl_queue_walk(stop_queue, failed);
}

struct watch {
    struct tn_acl_queue *queue;
    uint32_t aborts; // of the queue; more of them when the condition is dropped mean no failure
};

static tarn_status run_watch(void *arg, bool dropped) {
    struct watch *watch = (struct watch *)arg;
    if (dropped && watch->queue->aborts == watch->aborts) stop_context(watch->queue);
    free(watch);
    return TARN_OK;
}

void tn_acl_failure_watch(struct tn_acl_queue *queue) {
    if (queue->attributes[ACL_STREAM_ATTR_FAILURE_MODE] != STOP) return;
    struct watch *watch = (struct watch *)malloc(sizeof *watch);
    if (watch == NULL) return;
    *watch = (struct watch){queue, queue->aborts};
    tarn_status status = tarn_stream_wait_until(queue->tarn, run_watch, watch);
    if (status == TARN_DEVICE_FAILED) // the work has failed already
        stop_context(queue);
    if (status != TARN_OK) free(watch);
}
