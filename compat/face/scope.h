// SPDX-License-Identifier: Apache-2.0
// References and locks that a function holds until the end of a block. The compiler releases them on
// every way out, the last declaration first, so TN_FACE_TRY() may leave the function at any point.
// These macros need no state.
#pragma once

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "compat/face/handle.h"

static inline void tn_face_scope_put(void *pointer) {
    struct tn_face_object *object;
    memcpy(&object, pointer, sizeof object); // its type is a pointer to the whole object
    if (object != NULL) tn_face_object_put(object);
}

// Stands before the declaration of a pointer to an object, whose first member is a struct
// tn_face_object, or NULL. The end of the block drops a reference to the object.
#define TN_FACE_HELD __attribute__((cleanup(tn_face_scope_put)))

static inline pthread_mutex_t *tn_face_scope_lock(pthread_mutex_t *lock) {
    (void)pthread_mutex_lock(lock);
    return lock;
}

static inline void tn_face_scope_unlock(pthread_mutex_t *const *lock) {
    (void)pthread_mutex_unlock(*lock);
}

// A declaration: locks a mutex until the end of the block. One in a block.
#define TN_FACE_LOCKED(mutex)                                                                      \
    __attribute__((cleanup(tn_face_scope_unlock), unused)) pthread_mutex_t *const locked_here =    \
        tn_face_scope_lock(mutex)

// Initialises a condition whose waits end by CLOCK_MONOTONIC.
static inline void tn_face_cond_init(pthread_cond_t *cond) {
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(cond, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}
