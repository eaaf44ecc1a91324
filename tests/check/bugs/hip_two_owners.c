// SPDX-License-Identifier: Apache-2.0
// Two threads share a block, and each of them frees it as its last user.
// EXPECT: ERROR double-free: hipFree of 0x... again, a block of device memory of 4096 byte(s)
// EXPECT:   freed by thread
// EXPECT:     ... drop .../hip_two_owners.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_two_owners.c:22
// EXPECT:   first freed by thread
// EXPECT:     ... drop .../hip_two_owners.c:16

#include <pthread.h>

#include "check/support/hip.h"

static void *drop(void *block) {
    (void)hipFree(block);
    return NULL;
}

int main(void) {
    void *block = NULL;
    must(hipMalloc(&block, 4096));
    for (int i = 0; i < 2; i++) {
        pthread_t owner;
        if (pthread_create(&owner, NULL, drop, block) != 0) return 2;
        (void)pthread_join(owner, NULL);
    }
    return 0;
}
