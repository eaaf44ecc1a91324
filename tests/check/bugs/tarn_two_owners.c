// SPDX-License-Identifier: Apache-2.0
// Two threads share a block of a pool, and each of them frees it as its last user.
// EXPECT: ERROR double-free: region R1 [0x...,+3000) given to tarn_pool_free again; ended first by thread ...
// EXPECT:   freed by thread
// EXPECT:     ... drop .../tarn_two_owners.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_two_owners.c:26
// EXPECT:   first freed by thread
// EXPECT:     ... drop .../tarn_two_owners.c:19

#include <pthread.h>

#include "check/support/tarn.h"

static tarn_pool *pool;
static tarn_addr block;

static void *drop(void *arg) {
    (void)tarn_pool_free(pool, block);
    return arg;
}

int main(void) {
    tarn_device *device = open_device();
    pool = make_pool(device, TARN_POOL_EXPANDABLE);
    block = take(pool, 3000);
    for (int i = 0; i < 2; i++) {
        pthread_t owner;
        if (pthread_create(&owner, NULL, drop, NULL) != 0) return 2;
        (void)pthread_join(owner, NULL);
    }
    end_pool(device, pool);
    return 0;
}
