// SPDX-License-Identifier: Apache-2.0
// Threads register and end tensors in parts of one pool, and end those of the thread before.

#include <pthread.h>

#include "check/support/mstx.h"

enum { THREADS = 4 };

static mstxMemHeapHandle_t pool;
static mstxMemRegionHandle_t handed;

static void *work(void *part) {
    if (handed != NULL) end_handle(globalDomain, handed);
    for (int i = 0; i < 8; i++) end_handle(globalDomain, region(globalDomain, pool, part, 100));
    handed = region(globalDomain, pool, (char *)part + 512, 100);
    return NULL;
}

int main(void) {
    pool = heap(globalDomain, range, RANGE);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, range + 4096 * i) != 0) return 2;
        (void)pthread_join(thread, NULL);
    }
    end_handle(globalDomain, handed);
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
