// SPDX-License-Identifier: Apache-2.0
// A full fence in every running thread of the process at once (membarrier). It pairs with a plain
// store and load of another thread with only a compiler fence in between, so that the frequent side
// of a handshake pays for no fence. The flags of both sides are stored with release and loaded with
// acquire, which is what ThreadSanitizer understands. Any thread.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// Returns false where the kernel has no such barrier. Then tn_barrier() must not be called. Does not
// change later.
bool tn_barrier_works(void);

// Some microseconds.
void tn_barrier(void);

// Returns an address that no other living thread has.
static inline const void *tn_thread_self(void) {
#if defined(__x86_64__) || defined(__aarch64__)
    return __builtin_thread_pointer();
#else
    return (const void *)(uintptr_t)pthread_self();
#endif
}
