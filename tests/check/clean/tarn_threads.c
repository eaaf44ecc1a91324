// SPDX-License-Identifier: Apache-2.0
// One thread allocates and fills blocks, the others free them. Each block has one owner.

#include <pthread.h>

#include "check/support/tarn.h"

enum { BLOCKS = 8 };

static tarn_pool *pool;
static tarn_addr blocks[BLOCKS];

static void *drop(void *arg) {
    must(tarn_pool_free(pool, *(tarn_addr *)arg));
    return NULL;
}

int main(void) {
    tarn_device *device = open_device();
    pthread_t threads[BLOCKS];
    pool = make_pool(device, TARN_POOL_EXPANDABLE);
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = take(pool, 1000);
        must(tarn_fill(device, blocks[i], 1, 1, 1000, TARN_STREAM_NONE));
    }
    for (int i = 0; i < BLOCKS; i++)
        if (pthread_create(&threads[i], NULL, drop, &blocks[i]) != 0) return 2;
    for (int i = 0; i < BLOCKS; i++) (void)pthread_join(threads[i], NULL);
    end_pool(device, pool);
    return 0;
}
