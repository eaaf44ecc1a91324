// SPDX-License-Identifier: Apache-2.0
// fork(). Files of a face that have a lock, or state that a child must not inherit, register
// themselves with TN_FACE_ON_FORK() when the library is loaded. Before a fork every registered lock
// is taken in ascending order. Afterwards both processes release them in descending order. The
// child first forgets the state, because the objects belong to the parent.
#pragma once

#include <pthread.h>

struct tn_face_fork_part {
    struct tn_face_fork_part *next;
    int order;
    pthread_mutex_t *lock;
    void (*forget)(void);
};

// Registers a file, once in the file and at file scope. `order` is the place of its lock in the
// face's lock order: a thread that holds a lock takes only locks of a higher order. The face lists
// its orders in one enum; those of compat/face are above all of them. `lock` is a pthread_mutex_t *
// or NULL. `forget` is a void (*)(void), called in the child under the lock, or NULL.
#define TN_FACE_ON_FORK(order, lock, forget)                                                       \
    static struct tn_face_fork_part fork_part = {NULL, order, lock, forget};                       \
    __attribute__((constructor)) static void register_fork_part(void) {                            \
        tn_face_fork_register(&fork_part);                                                         \
    }                                                                                              \
    struct tn_face_fork_part

// The orders of compat/face's own locks.
enum { TN_FACE_FORK_HANDLES = 1000 };

// Used by TN_FACE_ON_FORK(). Only while the library is loaded, on one thread.
void tn_face_fork_register(struct tn_face_fork_part *part);

// Installs the handlers once. Call it after the devices are open: handlers that are installed later
// run earlier before a fork, and the face's locks come before Tarn's.
void tn_face_fork_install(void);
