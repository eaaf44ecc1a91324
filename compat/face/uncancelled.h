// SPDX-License-Identifier: Apache-2.0
// Cancellation. A thread that pthread_cancel() ends inside a call would leave the face's locks held
// and its objects half made. Functions that sleep or use files begin with TN_FACE_UNCANCELLED; the
// calls of Tarn are no cancellation points. Any thread.
#ifndef TARN_COMPAT_FACE_UNCANCELLED_H
#define TARN_COMPAT_FACE_UNCANCELLED_H

#include <pthread.h>

static inline int tn_face_cancel_disable(void) {
    int before;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void tn_face_cancel_restore(const int *before) {
    (void)pthread_setcancelstate(*before, NULL);
}

// A declaration: disables cancellation of the thread until the end of the enclosing block.
#define TN_FACE_UNCANCELLED                                                                        \
    __attribute__((cleanup(tn_face_cancel_restore), unused)) int cancel_state_before =             \
        tn_face_cancel_disable()

#endif
