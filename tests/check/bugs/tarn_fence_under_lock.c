// SPDX-License-Identifier: Apache-2.0
// A store to a freed block inside the program's own malloc(), which holds a lock that the report needs.
// After some seconds the access is reported without names, and the process ends by the signal.
// OPTIONS: --fence
// EXPECT: ERROR write at 0x... by the CPU, instruction 0x... (...tarn_fence_under_lock+0x...), not explained
// EXPECT: was ended by signal 11
// EXPECT: tarn check: 1 processes: 1 error(s), ...
// EXIT: 77

#include <pthread.h>

#include "check/support/tarn.h"

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile char *volatile freed;
static void *volatile kept;

static void touch_freed(void) {
    volatile char *bytes = freed;
    if (bytes != NULL) {
        freed = NULL;
        *bytes = 1;
    }
}

void *malloc(size_t bytes) {
    (void)pthread_mutex_lock(&lock);
    touch_freed();
    void *memory = __libc_malloc(bytes);
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

void *calloc(size_t count, size_t bytes) {
    (void)pthread_mutex_lock(&lock);
    void *memory = __libc_calloc(count, bytes);
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 4096);
    must(tarn_pool_free(pool, block));
    freed = (volatile char *)(uintptr_t)block;
    kept = malloc(100);
    free(kept);
    return 0;
}
