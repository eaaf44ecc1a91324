// SPDX-License-Identifier: Apache-2.0
// The list of all streams of each device, except NULL streams. See stream.h.
#include <pthread.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/stream/stream.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_rt_stream *lists[TN_RT_DEVICES];

struct tn_rt_stream *tn_rt_streams_lock(const struct tn_face_device *device) {
    (void)pthread_mutex_lock(&lock);
    return lists[device->ordinal];
}

void tn_rt_streams_unlock(void) { (void)pthread_mutex_unlock(&lock); }

void tn_rt_streams_insert(struct tn_rt_stream *s) {
    struct tn_rt_stream **first = &lists[s->device->ordinal];
    (void)pthread_mutex_lock(&lock);
    s->next = *first;
    if (s->next != NULL) s->next->previous = s;
    *first = s;
    (void)pthread_mutex_unlock(&lock);
}

void tn_rt_streams_remove(struct tn_rt_stream *s) {
    TN_FACE_LOCKED(&lock);
    if (s->previous != NULL)
        s->previous->next = s->next;
    else
        lists[s->device->ordinal] = s->next;
    if (s->next != NULL) s->next->previous = s->previous;
}

// In the child all streams belong to the parent.
static void forget_lists(void) { memset(lists, 0, sizeof lists); }

TN_FACE_ON_FORK(TN_RT_LOCK_STREAM, &lock, forget_lists);
