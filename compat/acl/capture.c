// SPDX-License-Identifier: Apache-2.0
// See capture.h.
#include "compat/acl/capture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/fork.h"

struct capture {
    tarn_event passed;
    struct capture *next;
    unsigned char bytes[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the list
static struct capture *_Atomic captures;                 // also read without it, for a first look

static void let_go(struct capture *capture) {
    (void)tarn_event_destroy(capture->passed);
    free(capture);
}

static void keep(struct capture *capture) {
    (void)pthread_mutex_lock(&lock);
    capture->next = atomic_load_explicit(&captures, memory_order_relaxed);
    atomic_store_explicit(&captures, capture, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
}

void tn_acl_capture_sweep(void) {
    if (atomic_load_explicit(&captures, memory_order_relaxed) == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&lock);
    struct capture *list = atomic_exchange_explicit(&captures, NULL, memory_order_relaxed);
    (void)pthread_mutex_unlock(&lock);
    while (list != NULL) {
        struct capture *next = list->next;
        if (tarn_event_query(list->passed) == TARN_NOT_READY) {
            keep(list);
        } else {
            let_go(list); // passed, or failed: then nothing of the stream runs any more
        }
        list = next;
    }
}

static tarn_status give(const struct tn_acl_order *order, void *dst, struct capture *capture,
                        size_t size) {
    tarn_status status = tarn_copy(order->device->tarn, TARN_ADDR(dst), TARN_ADDR(capture->bytes),
                                   size, order->stream);
    if (status != TARN_OK) {
        let_go(capture);
        return status;
    }
    status = tarn_event_record(capture->passed, order->stream);
    if (status != TARN_OK) { // the stream failed meanwhile: what it runs it ends
        (void)tarn_stream_synchronize(order->stream);
        let_go(capture);
        return status;
    }
    keep(capture);
    return TARN_OK;
}

aclError tn_acl_capture_copy(const struct tn_acl_order *order, void *dst, const void *src,
                             size_t size) {
    tn_acl_capture_sweep();
    struct capture *capture = size <= SIZE_MAX - sizeof *capture
                                  ? (struct capture *)malloc(sizeof *capture + size)
                                  : NULL;
    if (capture == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory to capture %zu bytes", size);
    }
    tarn_status status = tarn_event_create(order->device->tarn, &capture->passed);
    if (status != TARN_OK) {
        free(capture);
        return tn_acl_from(status, ACL_ERROR_RT_NO_EVENT_RESOURCE);
    }
    memcpy(capture->bytes, src, size);
    return tn_acl_from(give(order, dst, capture, size), ACL_ERROR_RT_PARAM_INVALID);
}

void tn_acl_capture_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        atomic_store_explicit(&captures, NULL, memory_order_relaxed);
    }
    (void)pthread_mutex_unlock(&lock);
}
