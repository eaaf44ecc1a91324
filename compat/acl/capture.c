// SPDX-License-Identifier: Apache-2.0
// See capture.h. The lock guards the list of captures.
#include "compat/acl/capture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/failure.h"
#include "compat/acl/fork.h"
#include "compat/face/scope.h"
#include "src/base/list.h"

struct capture {
    tarn_event passed;
    struct capture *next;
    unsigned char bytes[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct capture *_Atomic captures; // the first check reads it without the lock

static void capture_free(struct capture *capture) {
    (void)tarn_event_destroy(capture->passed);
    free(capture);
}

static void capture_keep(struct capture *capture) {
    TN_FACE_LOCKED(&lock);
    capture->next = atomic_load_explicit(&captures, memory_order_relaxed);
    atomic_store_explicit(&captures, capture, memory_order_relaxed);
}

void tn_acl_capture_sweep(void) {
    if (atomic_load_explicit(&captures, memory_order_relaxed) == NULL) return;
    (void)pthread_mutex_lock(&lock);
    struct capture *list = atomic_exchange_explicit(&captures, NULL, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
    TN_CHAIN_DRAIN(struct capture, capture, list, next)
        if (tarn_event_peek(capture->passed) == TARN_NOT_READY)
            capture_keep(capture);
        else
            capture_free(capture); // done, or failed: then the stream runs nothing more
}

aclError tn_acl_capture_copy(const struct tn_acl_order *order, void *dst, const void *src,
                             size_t size) {
    tarn_device *device = order->device->tarn;
    tn_acl_capture_sweep();
    struct capture *capture = size <= SIZE_MAX - sizeof *capture
                                  ? (struct capture *)malloc(sizeof *capture + size)
                                  : NULL;
    TN_ACL_REFUSE(capture == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory to capture %zu bytes",
                  size);
    tarn_status status = tarn_event_create(device, &capture->passed);
    if (status != TARN_OK) {
        free(capture);
        return tn_acl_from_new(status, ACL_ERROR_RT_NO_EVENT_RESOURCE);
    }
    memcpy(capture->bytes, src, size);
    status = tarn_copy(device, TARN_ADDR(dst), TARN_ADDR(capture->bytes), size, order->stream);
    if (status == TARN_OK) {
        status = tarn_event_record(capture->passed, order->stream);
        if (status != TARN_OK) // the stream failed meanwhile; its current work finishes
            (void)tarn_stream_synchronize(order->stream, TARN_FOREVER);
    }
    aclError error = tn_acl_status(status);
    tn_acl_failure_watch(order->queue);
    if (status == TARN_OK)
        capture_keep(capture);
    else
        capture_free(capture);
    return error;
}

static void forget_captures(void) { atomic_store_explicit(&captures, NULL, memory_order_relaxed); }
TN_FACE_ON_FORK(TN_ACL_LOCK_CAPTURE, &lock, forget_captures);
