// SPDX-License-Identifier: Apache-2.0
// Cancellation. A thread that pthread_cancel() ends inside a call would leave locks held and lists
// half changed, so calls that are cancellation points run with cancellation disabled: everything
// that may sleep, and every system call on a descriptor. Any thread.
#pragma once

#include <pthread.h>
#include <unistd.h>

static inline int tn_cancel_disable(void) {
    int before;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void tn_cancel_restore(const int *before) {
    (void)pthread_setcancelstate(*before, NULL);
}

// A declaration: disables cancellation of the thread until the end of the enclosing block. errno
// stays as it is.
#define TN_UNCANCELLED                                                                             \
    __attribute__((cleanup(tn_cancel_restore), unused)) int cancel_state_before =                  \
        tn_cancel_disable()

// close() without its cancellation point. Its errors have no remedy.
static inline void tn_close(int fd) {
    TN_UNCANCELLED;
    (void)close(fd);
}
