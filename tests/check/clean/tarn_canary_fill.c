// SPDX-License-Identifier: Apache-2.0
// Blocks of odd sizes are written completely, freed, and given out again beside canaries and fill.
// OPTIONS: --canary=32 --fill

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    for (int round = 0; round < 4; round++) {
        tarn_addr one = take(pool, 1001), other = take(pool, 777);
        memset((void *)(uintptr_t)one, round, 1001);
        memset((void *)(uintptr_t)other, round, 777);
        must(tarn_pool_free(pool, one));
        memset((void *)(uintptr_t)other, round, 777);
        must(tarn_pool_free(pool, other));
    }
    end_pool(device, pool);
    return 0;
}
