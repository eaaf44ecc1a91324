// SPDX-License-Identifier: Apache-2.0
// See fork.h.
#include "compat/face/fork.h"

#include <pthread.h>

// Written once, before the handlers are installed.
static const tn_face_fork_part *watched;
static size_t watched_count;

static void prepare(void) {
    for (size_t i = 0; i < watched_count; i++) {
        watched[i](TN_FACE_FORK_PREPARE);
    }
}

static void in_parent(void) {
    for (size_t i = watched_count; i-- > 0;) {
        watched[i](TN_FACE_FORK_PARENT);
    }
}

static void in_child(void) {
    for (size_t i = watched_count; i-- > 0;) {
        watched[i](TN_FACE_FORK_CHILD);
    }
}

static void install(void) {
    (void)pthread_atfork(prepare, in_parent, in_child);
}

void tn_face_fork_watch(const tn_face_fork_part *parts, size_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    watched = parts;
    watched_count = count;
    (void)pthread_once(&once, install);
}
