// SPDX-License-Identifier: Apache-2.0
// A block of one pool is freed to another.
// EXPECT: ERROR mismatched-pool-free: region R1 belongs to heap H...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_pool *other = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_addr block = take(pool, 1000);
    (void)tarn_pool_free(other, block);
    must(tarn_pool_free(pool, block));
    must(tarn_pool_destroy(other));
    end_pool(device, pool);
    return 0;
}
