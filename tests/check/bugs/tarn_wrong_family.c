// SPDX-License-Identifier: Apache-2.0
// A block of a pool is freed as plain memory.
// EXPECT: ERROR wrong-family-free: ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    (void)tarn_memory_free(block, 0);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
