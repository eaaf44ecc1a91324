// SPDX-License-Identifier: Apache-2.0
// Two threads share a tensor, and each of them unregisters it.
// EXPECT: ERROR double-free: region R1 [0x...,+100) unregistered again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... drop .../mstx_two_owners.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../mstx_two_owners.c:22
// EXPECT:   first freed by thread
// EXPECT:     ... drop .../mstx_two_owners.c:16

#include <pthread.h>

#include "check/support/mstx.h"

static void *drop(void *tensor) {
    end_handle(globalDomain, tensor);
    return NULL;
}

int main(void) {
    mstxMemHeapHandle_t pool = heap(globalDomain, range, RANGE);
    mstxMemRegionHandle_t tensor = region(globalDomain, pool, range, 100);
    for (int i = 0; i < 2; i++) {
        pthread_t owner;
        if (pthread_create(&owner, NULL, drop, tensor) != 0) return 2;
        (void)pthread_join(owner, NULL);
    }
    mstxMemHeapUnregister(globalDomain, pool);
    return 0;
}
